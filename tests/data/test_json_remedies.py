"""JSON whose rows nobody can tell: the option that the refusal prints, pasted, reads all of them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore

RIGHT = {"base": [int(i % 3 == 0) for i in range(12)], "new": [int(i % 4 != 0) for i in range(12)]}


def in_tasks(right: Sequence[int]) -> Any:
    parts = {"arith": right[:6], "logic": right[6:]}
    tasks = {name: {"n": 6, "items": [{"qid": k, "hit": x} for k, x in enumerate(of)]} for name, of in parts.items()}
    return {"meta": {"ts": 1}, "results": tasks}


def in_tasks_without_ids(right: Sequence[int]) -> Any:
    return {"results": {name: [{"hit": x} for x in of] for name, of in (("a", right[:6]), ("b", right[6:]))}}


def of_cases(right: Sequence[int]) -> Any:
    return [
        {
            "case": {"name": f"c{i}", "suite": "s"},
            "outcome": {"status": ("fail", "pass")[x], "duration": i},
            "attempt": 1,
        }
        for i, x in enumerate(right)
    ]


def of_completions(right: Sequence[int]) -> Any:
    return [{"task_id": f"t{i}", "completions": [{"text": "c", "passed": bool(x)}] * 2} for i, x in enumerate(right)]


def of_traces(right: Sequence[int]) -> Any:
    scored = [[{"name": "helpful", "value": x}, {"name": "safe", "value": x}] for x in right]
    return {"data": [{"traceId": f"t{i}", "input": {"q": "q"}, "scores": of} for i, of in enumerate(scored)]}


@pytest.mark.parametrize("shape", [in_tasks, in_tasks_without_ids, of_cases, of_completions, of_traces])
def test_what_is_printed_reads_all_items(shape: Any, tmp_path: Path) -> None:
    files = []
    for name, right in RIGHT.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(shape(right)), encoding="utf-8")
        files.append(f"{name}={tmp_path / name}.json")
    assert_remedied(files, *(["-m", "helpful"] if shape is of_traces else []), n_items=12)


def test_what_is_printed_reads_runs_of_systems(tmp_path: Path) -> None:
    runs = {name: {"runs": [{"seed": k, "scores": right} for k in (1, 2)]} for name, right in RIGHT.items()}
    (tmp_path / "t.json").write_text(json.dumps(runs), encoding="utf-8")
    assert_remedied([str(tmp_path / "t.json")], n_items=12, which=-1)
    tasks = {name: in_tasks(right)["results"]["arith"] for name, right in RIGHT.items()}
    (tmp_path / "t.json").write_text(json.dumps(tasks), encoding="utf-8")
    assert_remedied([str(tmp_path / "t.json")], n_items=6, which=-1)


def assert_remedied(files: Sequence[str], *more: str, n_items: int, which: int = 0) -> None:
    """A comparison is refused, and with the option that is printed it has all items and the mean of each system."""
    refused = outscore("compare", *files)
    assert refused.code == 3
    option = re.findall(r"--reader (?:'[^']+'|[^ ;]+)", refused.err)[which]
    done = outscore("compare", *files, *shlex.split(option), *more, "-n", "99", "-f", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert {pair["n_items"] for pair in found["pairs"]} == {n_items}
    means = {name: sum(right[:n_items]) / n_items for name, right in RIGHT.items()}
    for score in found["scores"]:
        assert score["score"] == pytest.approx(means[score["system"]])
