"""Reports of SWE-bench: what counts as resolved, and of how many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from outscore.base.errors import InputError
from outscore.data import align, read
from outscore.data.run import Run

REPORT = {
    "total_instances": 6,
    "submitted_instances": 5,
    "completed_ids": ["django__django-1", "django__django-2", "scikit-learn__scikit-learn-7"],
    "incomplete_ids": ["sympy__sympy-9"],
    "empty_patch_ids": ["django__django-3"],
    "submitted_ids": [
        *("django__django-1", "django__django-2", "django__django-3"),
        *("scikit-learn__scikit-learn-7", "sympy__sympy-8"),
    ],
    "resolved_ids": ["django__django-2", "scikit-learn__scikit-learn-7"],
    "unresolved_ids": ["django__django-1"],
    "error_ids": ["sympy__sympy-8"],
    "schema_version": 2,
}


def write(folder: Path, report: Any, name: str = "org__model-1.5.test.json") -> str:
    (folder / name).write_text(json.dumps(report, indent=4), encoding="utf-8")
    return str(folder / name)


def only(file: str, reader: str | None = None) -> Run:
    (run,) = read([file], reader=reader).runs
    return run


def test_every_instance_of_the_data_set_counts(tmp_path: Path) -> None:
    run = only(write(tmp_path, REPORT))
    assert (run.system, run.source.reader) == ("org__model-1.5.test", "swe-bench")
    assert dict(zip(run.ids or (), run.columns["resolved"], strict=True)) == {
        "django__django-1": 0,
        "django__django-2": 1,
        "django__django-3": 0,
        "scikit-learn__scikit-learn-7": 1,
        "sympy__sympy-8": 0,
        "sympy__sympy-9": 0,
    }
    assert [note.code for note in run.notes] == ["counted_as_unresolved"]
    assert "1 without a prediction, 1 with an empty patch, 1 that ended in an error" in run.notes[0].text


def test_the_repository_is_the_cluster(tmp_path: Path) -> None:
    run = only(write(tmp_path, REPORT))
    assert run.labels["cluster"] == (*["django__django"] * 3, "scikit-learn__scikit-learn", *["sympy__sympy"] * 2)


@pytest.mark.parametrize(
    ("items", "count", "mean"), [("total", 6, 2 / 6), ("submitted", 5, 2 / 5), ("completed", 3, 2 / 3)]
)
def test_the_denominator_is_chosen(tmp_path: Path, items: str, count: int, mean: float) -> None:
    run = only(write(tmp_path, REPORT), f"swe-bench:items={items}")
    assert run.n == count
    assert float(run.columns["resolved"].mean()) == pytest.approx(mean)
    assert bool(run.notes) == (items != "completed")


def test_reports_of_two_models_are_joined_by_instance(tmp_path: Path) -> None:
    other = REPORT | {"resolved_ids": ["django__django-1"], "unresolved_ids": REPORT["completed_ids"][1:]}  # type: ignore[index]
    data = align(read([write(tmp_path, REPORT), write(tmp_path, other, "b.json")]).runs)
    assert list(data.by_run["b", "1"].columns["resolved"]) == [1, 0, 0, 0, 0, 0]


def test_reports_of_single_instances_are_one_run(tmp_path: Path) -> None:
    for name, resolved in (("a__a-1", True), ("a__a-2", False)):
        (tmp_path / name).mkdir()
        report = {name: {"patch_is_None": False, "patch_exists": True, "resolved": resolved, "tests_status": {}}}
        write(tmp_path / name, report, "report.json")
    (run,) = read([f"A={tmp_path}/*/report.json"]).runs
    assert (run.ids, list(run.columns["resolved"])) == (("a__a-1", "a__a-2"), [1, 0])


@pytest.mark.parametrize(
    ("report", "message"),
    [
        (REPORT | {"total_instances": 500}, "total_instances is 500, but 6 instances are listed; .*items=submitted"),
        (REPORT | {"resolved_ids": "none"}, "resolved_ids: found a text, expected a list; "),
        (REPORT | {"error_ids": [None]}, r"error_ids\[0\]: found missing, expected a text; "),
        ({"total_instances": 0, "submitted_ids": [], "resolved_ids": []}, "holds no instance; "),
    ],
)
def test_bad_reports_are_refused(tmp_path: Path, report: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read([write(tmp_path, report)])
