"""The page of levels: it is about every registered test, it agrees with its JSON, and nothing fails in silence.

Page and JSON are made by ``benchmarks/levels.py``, which is run here in small.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from outscore.base.registry import Registry
from outscore.significance import tests
from outscore.significance.independent import independent_tests
from outscore.significance.omnibus import omnibus_tests

ROOT = Path(__file__).parents[2]
COMMAND = ROOT / "benchmarks" / "levels.py"
REGISTERED: dict[str, Registry[Any]] = {"pairs": tests, "samples": independent_tests, "groups": omnibus_tests}
MAIN = ("mcnemar", "randomization", "t", "crossed")
IGNORES_CLUSTERS = ("mcnemar",)
FAR_FROM_NORMAL = ("skewed", "rare")


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "docs" / "levels.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(COMMAND.parent))
    before = set(sys.modules)
    yield importlib.import_module("levels")
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(COMMAND.parent)):
            del sys.modules[name]


def rows(kept: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(cell, row) for cell in kept["cells"] for row in cell["tests"]]


def names(kept: dict[str, Any], kind: str, *, own_null: bool = False) -> set[str]:
    """The tests that a kind of cells has rows of, the default left out."""
    found = {
        r["test"].partition(":")[0] for c, r in rows(kept) if c["kind"] == kind and (r["own_null"] or not own_null)
    }
    return found - {"auto"}


@pytest.mark.parametrize("kind", REGISTERED)
def test_every_registered_test_is_measured(kind: str, kept: dict[str, Any]) -> None:
    own = {name for name, cls in REGISTERED[kind] if cls.__module__.partition(".")[0] == "outscore"}
    assert names(kept, kind) == own


@pytest.mark.parametrize("kind", REGISTERED)
def test_every_registered_test_meets_its_own_null_hypothesis_somewhere(kind: str, kept: dict[str, Any]) -> None:
    assert names(kept, kind, own_null=True) == names(kept, kind)


def test_every_level_that_fails_has_a_note(kept: dict[str, Any], command: ModuleType) -> None:
    silent = command.unnoted(kept["cells"])
    assert not silent, [(cell["family"], cell["n"], row["test"]) for cell, row in silent]


def test_the_tests_that_auto_takes_hold_their_level_wherever_their_null_is_true(kept: dict[str, Any]) -> None:
    failing = [
        (row["test"], cell["family"], cell["n"])
        for cell, row in rows(kept)
        if row["test"] in MAIN
        and row["fails_at"]
        and cell["family"] not in FAR_FROM_NORMAL
        and not (row["test"] in IGNORES_CLUSTERS and cell["family"].startswith("clusters"))
    ]
    assert not failing


def test_every_rate_has_an_error(kept: dict[str, Any]) -> None:
    for cell, row in rows(kept):
        for name in ("level_0.05", "level_0.01", "power"):
            share, error = row[name]
            assert 0 <= share <= 1, (cell["family"], row["test"], name)
            assert 0 < error < 0.6, (cell["family"], row["test"], name)


def test_the_page_is_made_of_the_json(kept: dict[str, Any], command: ModuleType) -> None:
    made = command.pages(kept["cells"], command.FAMILIES, kept["absent_peers"], kept["rounds"])
    assert len(made) == 3
    for name, text in made.items():
        assert text == (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_command_makes_a_page_of_one_test(tmp_path: Path) -> None:
    arguments = ["--quick", "--only", "t", "--jobs", "1", "--out", str(tmp_path), "--resume", str(tmp_path / "cells")]
    done = subprocess.run(
        [sys.executable, str(COMMAND), *arguments], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "levels.json").read_text(encoding="utf-8"))
    assert {row["test"] for _, row in rows(made)} == {"t"}
    page = (tmp_path / "levels.md").read_text(encoding="utf-8")
    assert page.startswith("# Level, coverage and power")
    assert len(list((tmp_path / "cells").iterdir())) == len(made["cells"])
    again = subprocess.run(
        [sys.executable, str(COMMAND), *arguments], capture_output=True, encoding="utf-8", check=True
    )
    assert "1/" in again.stderr
    assert (tmp_path / "levels.md").read_text(encoding="utf-8") == page


def test_what_is_measured_again_takes_its_place_among_what_was_there(kept: dict[str, Any], command: ModuleType) -> None:
    first = kept["cells"][0]
    row = {**first["tests"][0], "unanswered": 0.5}
    found = command.merged(kept["cells"], [{**first, "tests": [row]}])
    assert [cell["tests"] for cell in found[1:]] == [cell["tests"] for cell in kept["cells"][1:]]
    assert found[0]["tests"] == [row if each["test"] == row["test"] else each for each in first["tests"]]
    others = [{**first, "rounds": [1, 1], "tests": [row]}, {**first, "family": "gone"}]
    assert command.merged([first], others)[0]["tests"] == [row]
    assert len(command.merged([first], others)) == 1


def test_rows_of_other_numbers_of_data_sets_are_not_mixed(tmp_path: Path, command: ModuleType) -> None:
    (tmp_path / "levels.json").write_text('{"rounds": [7, 1], "absent_peers": [], "cells": []}', encoding="utf-8")
    with pytest.raises(SystemExit):
        command.main(["--quick", "--only", "t", "--out", str(tmp_path)])


def test_a_rate_that_is_too_large_fails_and_one_that_chance_may_make_does_not(command: ModuleType) -> None:
    above = importlib.import_module("grid.cell").above
    assert above(70, 1000, 0.05) is False  # 2.9 standard errors
    assert above(74, 1000, 0.05) is True
    assert above(0, 1000, 0.05) is False
