"""Ids that come twice: an export that ran twice, rows of events, several answers."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import Done, outscore

N = 20
RIGHT = {"base": [int(i % 3 == 0) for i in range(N)], "new": [int(i % 4 != 0) for i in range(N)]}


def compare(*words: str) -> Done:
    return outscore("compare", *words, "-n", "200", "-f", "json")


def found_in(done: Done) -> tuple[int, Any]:
    assert done.code == 0, done.err
    pair = json.loads(done.out)["pairs"][0]
    return pair["n_items"], pair["gain"]


def long(folder: Path, stamp: str, changed: int = 0) -> str:
    rows = [
        f"{stamp.format(again=again, i=f'{i:02d}')},q{i},{system},{x if i >= changed * again else 1 - x}"
        for again in (0, 7)
        for system, right in RIGHT.items()
        for i, x in enumerate(right)
    ]
    (folder / "t.csv").write_text("\n".join(["timestamp,item,model,score", *rows]) + "\n", encoding="utf-8")
    return str(folder / "t.csv")


@pytest.mark.parametrize("stamp", ["2024-05-01 10:0{again}", "2024-05-01 1{again}:00:{i}", "e{again}"])
def test_an_export_that_ran_twice_doubles_no_items(stamp: str, tmp_path: Path) -> None:
    done = compare(file := long(tmp_path, stamp))
    assert "all rows come twice with the same values" in done.err
    assert "item=" not in done.err
    assert found_in(compare(file, "-c", "sample=timestamp")) == (N, pytest.approx(8 / N))


def test_rows_that_come_again_with_other_values_may_be_samples(tmp_path: Path) -> None:
    done = compare(long(tmp_path, "2024-05-01 10:0{again}", changed=1))
    assert "comes twice with other values, and 'timestamp' tells when: say -c sample=timestamp" in done.err
    assert "item=" not in done.err


def test_of_events_those_with_scores_are_kept(tmp_path: Path) -> None:
    rows = [
        {"event": event, "id": f"q{i}", "model": system} | ({"score": x} if event == "end" else {})
        for system, right in RIGHT.items()
        for i, x in enumerate(right)
        for event in ("start", "end")
    ]
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = compare(str(file))
    assert "one row of each id holds 'score': cut the others, as by jq -c" in done.err
    program = shlex.split(re.findall(r"as by (jq .*)", done.err)[0])[2]
    assert program == 'select(.["score"] != null)'


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("attempt", "-c sample=attempt for several answers .* keep the last of each alone if it was tried anew"),
        ("task", "say what 'task' tells apart.*-c item=NAME"),
        ("time_limit", "say what 'time_limit' tells apart.*-c item=NAME"),
        ("rater", "say -c sample=rater, as annotators are no trainings"),
    ],
)
def test_other_columns_tell_rows_apart(name: str, offered: str, tmp_path: Path) -> None:
    rows = [
        f"{again},q{i},{system},{(x + again * i) % 2}"
        for again in (1, 2)
        for system, right in RIGHT.items()
        for i, x in enumerate(right)
    ]
    (tmp_path / "t.csv").write_text("\n".join([f"{name},item,model,score", *rows]) + "\n", encoding="utf-8")
    done = compare(str(tmp_path / "t.csv"))
    assert done.code == 3
    assert re.search(offered, done.err)
