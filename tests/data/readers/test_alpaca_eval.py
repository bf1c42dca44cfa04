"""Annotations of AlpacaEval: preferences, ties, items that are the same for all models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.base.errors import InputError
from outscore.data import align, read
from outscore.data.run import Run


def row(instruction: str, preference: float | None, model: str = "a", **more: Any) -> dict[str, Any]:
    return {
        "instruction": instruction,
        "dataset": "vicuna",
        "output_1": "short",
        "generator_1": "baseline",
        "output_2": "a longer answer",
        "generator_2": model,
        "annotator": "judge",
        "preference": preference,
        **more,
    }


def write(folder: Path, rows: list[Any], model: str = "a") -> str:
    path = folder / model / "annotations.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(rows, indent=4), encoding="utf-8")
    return str(path)


def only(file: str) -> Run:
    (run,) = read([file]).runs
    return run


def test_preferences_are_shares_in_favour_of_the_model(tmp_path: Path) -> None:
    run = only(write(tmp_path, [row(f"do {p}", p) for p in (1, 2, 1.5, 1.25, 0, None)]))
    assert (run.system, run.source.reader) == ("a", "alpaca-eval")
    np.testing.assert_array_equal(run.columns["preference"], [0, 1, 0.5, 0.25, 0.5, np.nan])
    assert set(run.columns["model_chars"]) == {15}
    assert set(run.columns["baseline_chars"]) == {5}
    assert run.labels["domain"] == ("vicuna",) * 6


def test_items_are_the_same_whatever_the_order_and_the_model(tmp_path: Path) -> None:
    long = "Explain this, " * 20
    a = write(tmp_path, [row(f"{long}one", 2), row(f"{long}two", 1), row("Say hi.", 2)])
    b = write(tmp_path, [row("Say hi.", 1, "b"), row(f"{long}two", 2, "b"), row(f"{long}one", 1, "b")], "b")
    data = align(read([a, b]).runs)
    assert list(data.by_run["b", "1"].columns["preference"]) == [0, 1, 0]
    assert data.items[0].startswith("Explain this, ")
    assert len(set(data.items)) == 3


def test_an_instruction_that_comes_again_is_an_item_of_its_own(tmp_path: Path) -> None:
    run = only(write(tmp_path, [row("Say hi.", 2), row("Say hi.", 1)]))
    assert run.ids is not None
    assert run.ids[1] == f"{run.ids[0]} (2)"


def test_another_baseline_is_noticed(tmp_path: Path) -> None:
    a = write(tmp_path, [row("Say hi.", 2)])
    b = write(tmp_path, [row("Say hi.", 2, "b", generator_1="other")], "b")
    (note,) = align(read([a, b]).runs).notes
    assert "'baseline' has different values for the same item" in note.text


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row("x", 2), row("y", 2, "b")], "generator_2 is 'a', 'b', expected one model; "),
        ([row("x", 2), row("y", 3)], r"\[1\].preference: found 3, expected 1 \(baseline\) to 2 \(model\); "),
        ([row("x", 2), row("y", 2, output_2=None)], r"\[1\].output_2: found missing, expected a text; "),
        ([row("x", "2")], r"\[0\].preference: found a text, expected a number; "),  # type: ignore[arg-type]
        ([row("x", 2), 7], r"\[1\]: found a number, expected an object; "),
    ],
)
def test_bad_annotations_are_refused_with_the_place(tmp_path: Path, rows: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read([write(tmp_path, rows)])


def test_no_annotations_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no annotation; "):
        read([write(tmp_path, [])], reader="alpaca-eval")
