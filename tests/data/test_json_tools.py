"""JSON of tools by their documented schemas: each is known by its own signs alone, and its scores are read."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from outscore.base.errors import InputError
from outscore.data import read
from outscore.data.json_paths import has
from outscore.data.json_tools import TOOLS
from outscore.data.run import Run
from tests.data.tried import TRIED, Tried

RIGHT = (1, 0, 1, 1, 0)
IDS = tuple(f"q{i}" for i in range(len(RIGHT)))
EACH = list(zip(IDS, RIGHT, strict=True))
STATUS = ("fail", "pass")
P = {"id": "p"}

FILES: dict[str, tuple[Any, str]] = {
    "promptfoo": (
        {
            "evalId": "e",
            "results": {
                "version": 3,
                "results": [
                    {
                        "promptIdx": 0,
                        "testIdx": k,
                        "provider": P,
                        "vars": {"q": i},
                        "score": x,
                        "namedScores": {},
                    }
                    for k, (i, x) in enumerate(EACH)
                ],
            },
            "config": {},
        },
        "score",
    ),
    "promptfoo, with scores by name": (
        [
            {
                "promptIdx": 0,
                "testIdx": k,
                "provider": P,
                "vars": {"q": i},
                "score": 9,
                "namedScores": {"ok": x},
            }
            for k, (i, x) in enumerate(EACH)
        ],
        "ok",
    ),
    "OpenCompass": (
        {
            "accuracy": 60.0,
            "details": {"type": "GEN"}
            | {i: {"predictions": "a", "correct": bool(x)} for i, x in zip("01234", RIGHT, strict=True)},
        },
        "score",
    ),
    "deepeval": (
        {"test_results": [{"name": i, "metrics_data": [{"name": "EM", "score": float(x)}]} for i, x in EACH]},
        "EM",
    ),
    "a test run of deepeval": (
        {"testCases": [{"name": i, "metricsData": [{"name": "EM", "score": x}]} for i, x in EACH], "metricsScores": []},
        "EM",
    ),
    "the latest test run of deepeval": (
        {"testRunData": {"testCases": [{"name": i, "metricsData": [{"name": "EM", "score": x}]} for i, x in EACH]}},
        "EM",
    ),
    "tau-bench": (
        {
            "info": {},
            "tasks": [{"id": i} for i in IDS],
            "simulations": [{"id": i, "task_id": i, "trial": 0, "reward_info": {"reward": float(x)}} for i, x in EACH],
        },
        "score",
    ),
    "OpenAI's evals": (
        [{"spec": {"completion_fns": ["m"]}}, {"final_report": {"accuracy": 0.6}}]
        + [{"event_id": 1, "sample_id": i, "type": "match", "data": {"correct": bool(x)}} for i, x in EACH],
        "score",
    ),
    "graders of OpenAI": ([{"item": {"id": i}, "sample": {}, "grades": {"match": float(x)}} for i, x in EACH], "match"),
    "simple-evals": (
        {
            "score": 0.6,
            "metrics": {"chars": 3},
            "htmls": ["<p>"],
            "convos": [[{"role": "user"}]],
            "metadata": {"example_level_metadata": [{"score": x, "correct_answer": "A"} for x in RIGHT]},
        },
        "score",
    ),
    "Braintrust": (
        [{"id": f"r{i}", "experiment_id": "e", "input": {"q": i}, "output": "o", "scores": {"F": x}} for i, x in EACH],
        "F",
    ),
    "EvalPlus": (
        {
            "date": "x",
            "eval": {i: [{"task_id": i, "base_status": "pass", "plus_status": STATUS[x]}] for i, x in EACH},
        },
        "plus",
    ),
    "BigCode": ({str(k): [[0, {"task_id": k, "passed": bool(x)}]] for k, x in enumerate(RIGHT)}, "score"),
    "ZeroEval": (
        [{"session_id": i, "generator": "m", "id": i, "output": ["o"], "correct": bool(x)} for i, x in EACH],
        "score",
    ),
    "LiveCodeBench": (
        [{"question_id": i, "graded_list": [bool(x)], "pass@1": float(x), "difficulty": "easy"} for i, x in EACH],
        "score",
    ),
    "aider": ([{"testcase": i, "model": "m", "tests_outcomes": [False, bool(x)]} for i, x in EACH], "score"),
    "EvalScope": (
        [{"index": k, "model": "m", "sample_score": {"score": {"value": {"acc": x}}}} for k, x in enumerate(RIGHT)],
        "acc",
    ),
    "lighteval": (
        [{"doc": {"id": i, "task_name": "t"}, "metric": {"em": x}, "model_response": {"text": ["x"]}} for i, x in EACH],
        "em",
    ),
    "older lighteval": (
        [{"example": i, "full_prompt": "p", "metrics": {"acc": x}, "gold_index": 0} for i, x in EACH],
        "acc",
    ),
    "ir_measures": ([{"query_id": i, "measure": "AP", "value": float(x)} for i, x in EACH], "AP"),
    "pandas": (
        {
            "schema": {"fields": [{"name": "item"}], "version": "1"},
            "data": [{"item": i, "score": x} for i, x in EACH],
        },
        "score",
    ),
}
"""The value of a file, a list where it has lines, and the column that holds ``RIGHT``."""

NO_SCORES: dict[str, Any] = {
    "lm-eval": {"results": {"t": {"acc,none": 0.5}}, "configs": {}, "versions": {}, "n-shot": {}},
    "lighteval": {"config_general": {}, "results": {"t": {"em": 0.5}}},
    "an eval set of Inspect": {"eval_set_id": "x", "tasks": [{"name": "t"}, {"name": "u"}]},
    "a folder of Inspect": {"a.eval": {"version": 2, "status": "success", "eval": {}}},
    "simple-evals": {"score": 0.6, "metrics": {"chars": 3}, "htmls": [], "convos": []},
    "a leaderboard of SWE-bench": {"no_generation": [], "no_logs": [], "resolved": ["a", "b"]},
    "HELM": [{"name": {"name": "em", "split": "test"}, "count": 1, "sum": 0.5}] * 2,
}


def written(folder: Path, value: Any, name: str = "sys.json") -> str:
    """A file, of lines where the value is a list."""
    rows = isinstance(value, list)
    text = "".join(json.dumps(row) + "\n" for row in value) if rows else json.dumps(value, indent=1)
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def scores(run: Run, column: str) -> tuple[float, ...]:
    return tuple(run.columns[column].tolist())


@pytest.mark.parametrize("name", FILES)
def test_scores_are_read_where_the_tool_writes_them(name: str, tmp_path: Path) -> None:
    value, column = FILES[name]
    found = read([written(tmp_path, value)]).runs
    assert {run.system for run in found} <= {"sys", "m", "p/0"}
    ids = [item for run in found for item in run.ids or ()]
    assert len(ids) == len(set(ids)) == len(RIGHT)
    assert [x for run in found for x in scores(run, column)] == list(RIGHT)


def test_what_fails_the_tests_of_the_benchmark_fails_those_of_evalplus(tmp_path: Path) -> None:
    status = {"q0": ("pass", "pass"), "q1": ("fail", "pass"), "q2": ("pass", "fail"), "q3": ("timeout", "pass")}
    each = {i: [{"task_id": i, "base_status": base, "plus_status": plus}] for i, (base, plus) in status.items()}
    (run,) = read([written(tmp_path, {"date": "x", "eval": each})]).runs
    assert (scores(run, "base"), scores(run, "plus")) == ((1, 0, 1, 0), (1, 0, 0, 0))


@pytest.mark.parametrize("name", [name for name in FILES if isinstance(FILES[name][0], list)])
def test_a_list_of_its_rows_is_read_as_lines_are(name: str, tmp_path: Path) -> None:
    value, column = FILES[name]
    (tmp_path / "sys.json").write_text(json.dumps(value), encoding="utf-8")
    found = read([str(tmp_path / "sys.json")]).runs
    assert [x for run in found for x in scores(run, column)] == list(RIGHT)


@pytest.mark.parametrize("name", NO_SCORES)
def test_averages_are_refused_and_what_holds_the_scores_is_said(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected scores of items; "):
        read([written(tmp_path, NO_SCORES[name])])


def of_tools(value: Any) -> list[str]:
    row = value[0] if isinstance(value, list) and value else None
    return [tool.name for tool in TOOLS if all(has(row if tool.rows else value, sign) for sign in tool.signs)]


@pytest.mark.parametrize("value", [*(value for value, _ in FILES.values()), *NO_SCORES.values()])
def test_no_file_has_the_signs_of_two_tools(value: Any) -> None:
    found = of_tools(value)
    averages = ["results of simple-evals", "the averages of simple-evals"]
    assert len(found) == 1 or found == averages


@pytest.mark.parametrize("one", TRIED, ids=lambda one: str(one.name))
def test_no_file_of_the_table_of_formats_has_the_signs_of_two_tools(one: Tried, tmp_path: Path) -> None:
    for name, content in one.write(tmp_path).items():
        found = of_tools(json_of(content))
        averages = ["results of simple-evals", "the averages of simple-evals"]
        assert len(found) < 2 or found == averages, name


def json_of(content: str | bytes) -> Any:
    """The value of a file, or the list of those of its lines; None where it is no JSON."""
    try:
        raw = content.encode() if isinstance(content, str) else content
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
    except UnicodeDecodeError:
        return None
    for read_it in (json.loads, lambda text: [json.loads(line) for line in text.splitlines() if line.strip()]):
        with contextlib.suppress(ValueError):
            return read_it(text)
    return None


def test_every_tool_has_a_file_here() -> None:
    found = {
        name for value in (*(value for value, _ in FILES.values()), *NO_SCORES.values()) for name in of_tools(value)
    }
    votes = "pairwise judgments of MT-bench, a tie where the two games disagree"  # test_judgments.py
    assert {tool.name for tool in TOOLS} - found == {"scores of BFCL", votes}  # the first are two files: tests/cli


ROWS: dict[str, Callable[[], Any]] = {
    "a table": lambda: [{"item": i, "score": x, "input": "a", "scores": 1, "id": 3} for i, x in EACH],
    "answers": lambda: [{"id": i, "output": "o", "spec": {"a": 1}, "messages": [{"role": "x"}]} for i in IDS],
    "tasks with counts": lambda: [{"task": i, "accuracy": x, "correct_count": x, "total_count": 1} for i, x in EACH],
    "rows beside what was resolved": lambda: {"resolved": ["a"], "no_generation": [], "rows": ROWS["a table"]()},
    "rows with versions": lambda: {"results": ROWS["a table"](), "configs": {}, "versions": {"x": 1}},
    "results by item": lambda: {i: {"score": x, "passed": bool(x)} for i, x in EACH},
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_nobody_have_the_signs_of_no_tool(name: str) -> None:
    assert not of_tools(ROWS[name]())
