"""The table of before and after: its page agrees with the counts that are kept, and rounds are counted once."""

from __future__ import annotations

import argparse
import importlib
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    yield importlib.import_module("before_after")
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(BENCHMARKS)):
            del sys.modules[name]


@pytest.fixture
def coins(command: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two cells of a topic of their own: one coin falls as it may, another is lost now and then."""

    def coin(rng: np.random.Generator) -> float:
        return float(rng.random() < 0.3)

    def lost(rng: np.random.Generator) -> float:
        return math.nan if rng.random() < 0.5 else 1.0

    fair = command.Cell("coins", "a coin", "level", 0.3, coin, 50)
    made = {"coins: a": fair, "coins: b": replace(fair, name="a coin that rolls away", nominal=None, run=lost)}
    monkeypatch.setattr(command, "cells", lambda: made)
    monkeypatch.setattr(command, "_topic", lambda key: 1)
    return made


def run(command: ModuleType, file: Path, times: float = 1.0, *, afresh: bool = False) -> dict[str, Any]:
    options = argparse.Namespace(jobs=1, rounds=times, minutes=math.inf, afresh=afresh)
    command.measure(command.cells(), file, options)
    found: dict[str, Any] = command._held(file)["cells"]
    return found


@pytest.mark.usefixtures("coins")
def test_rounds_go_on_where_they_stopped_and_end_as_in_one_go(command: ModuleType, tmp_path: Path) -> None:
    parts, whole = tmp_path / "parts.json", run(command, tmp_path / "whole.json")
    assert run(command, parts, 0.5)["coins: a"]["rounds"] == 25
    assert run(command, parts) == whole
    assert run(command, parts) == whole
    assert whole["coins: a"]["rounds"] == whole["coins: a"]["answered"] == 50
    assert 0 < whole["coins: b"]["answered"] == whole["coins: b"]["sum"] < 50


@pytest.mark.usefixtures("coins")
def test_a_cell_whose_topic_was_changed_begins_anew(
    command: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "some.json"
    run(command, file)
    monkeypatch.setattr(command, "_topic", lambda key: 2)
    assert run(command, file, 0.2)["coins: a"]["rounds"] == 10
    assert run(command, file, 0.1, afresh=True)["coins: a"]["rounds"] == 5


@pytest.mark.usefixtures("coins")
def test_the_table_says_what_was_not_answered(command: ModuleType, tmp_path: Path) -> None:
    run(command, tmp_path / "after.json")
    page = command.page(command._held(tmp_path / "before.json"), command._held(tmp_path / "after.json"))
    rows = [line for line in page.splitlines() if line.startswith("| a coin")]
    assert len(rows) == 2
    assert "| level | 30 | 50 | - |" in rows[0]
    assert "| - | 50 | - | 100.0 ± " in rows[1]
    assert " (of " in rows[1]


def test_the_page_is_made_of_the_counts(command: ModuleType) -> None:
    kept = [command._held(command.TOPICS / f"{tree}.json") for tree in command.TREES]
    assert command.page(*kept) == command.PAGE.read_text(encoding="utf-8")


def test_every_count_is_of_a_cell(command: ModuleType) -> None:
    for tree in command.TREES:
        assert set(command._held(command.TOPICS / f"{tree}.json")["cells"]) <= set(command.cells())


def test_every_test_that_holds_a_reading_is_there() -> None:
    page = (BENCHMARKS / "holds" / "reading.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ") and not line.startswith("| |")]
    assert len(rows) > 70
    for row in rows:
        named = re.findall(r"`([\w/]+)`(?: (test_\w+))?", row[-1])
        assert named, row[0]
        for file, test in named:
            text = (ROOT / "tests" / f"{file}.py").read_text(encoding="utf-8")
            assert not test or f"def {test}(" in text, (file, test)
