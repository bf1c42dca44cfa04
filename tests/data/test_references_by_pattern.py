"""A file of references that a pattern brings along is no system."""

from __future__ import annotations

from pathlib import Path

import pytest

from outscore.data.read import read


def lines(path: Path, *texts: str) -> str:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return str(path)


def test_the_references_of_a_pattern_are_left_out_with_a_note(tmp_path: Path) -> None:
    gold = lines(tmp_path / "ref.txt", "a b", "c d", "e f")
    for name in ("one", "two"):
        lines(tmp_path / f"{name}.txt", "a b", "c", name)
    found = read([str(tmp_path / "*.txt")], references=[gold])
    assert sorted(run.system for run in found.runs) == ["one", "two"]
    for run in found.runs:
        (note,) = (note for note in run.notes if note.code == "gold_file")
        assert "ref.txt' was taken as references and no system" in note.text


@pytest.mark.parametrize("named", ["upper={}", "{}"])
def test_a_file_of_references_that_has_a_name_is_a_system(named: str, tmp_path: Path) -> None:
    gold = lines(tmp_path / "ref.txt", "a b", "c d")
    found = read([named.format(gold), lines(tmp_path / "one.txt", "a", "c d")], references=[gold])
    assert {run.system for run in found.runs} == ({"upper", "one"} if "=" in named else {"one"})


def test_outputs_that_are_all_right_stay(tmp_path: Path) -> None:
    gold, same = (lines(tmp_path / name, "yes", "no") for name in ("gold.txt", "same.txt"))
    found = read([same, lines(tmp_path / "one.txt", "yes", "yes")], references=[gold])
    assert {run.system for run in found.runs} == {"same", "one"}
