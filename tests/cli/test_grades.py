"""Grades in words or letters beside each item: named for what they are, and read as numbers where the user says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commandline import outscore

RIGHT = {"base": [i % 3 == 0 for i in range(12)], "new": [i % 4 != 0 for i in range(12)]}
"""4 and 9 of 12."""


def tables(folder: Path, yes: str, no: str, *, column: str = "grade", gold: bool = True) -> list[Path]:
    files = []
    for system, of in RIGHT.items():
        rows = [f"q{i}," + (f"{i + 30}," if gold else "") + (yes if right else no) for i, right in enumerate(of)]
        path = folder / f"{system}.csv"
        path.write_text("\n".join(["id," + ("target," if gold else "") + column, *rows, ""]), encoding="utf-8")
        files.append(path)
    return files


@pytest.mark.parametrize(
    ("yes", "no"), [("C", "I"), ("correct", "incorrect"), ("PASS", "FAIL"), ("passed", "failed"), ("C", "N")]
)
@pytest.mark.parametrize("gold", [True, False])
def test_grades_are_named_and_the_option_that_is_said_reads_them(tmp_path: Path, yes: str, no: str, gold: bool) -> None:
    files = tables(tmp_path, yes, no, gold=gold)
    done = outscore("compare", *files)
    assert done.code == 3
    assert "'grade' holds" in done.complaint
    assert f"read them as scores with -c score=grade: '{yes}' counts 1, '{no}' counts 0" in done.complaint
    found = json.loads(outscore("compare", *files, "-c", "score=grade", "-f", "json").out)
    assert [one["score"] for one in found["scores"]] == [4 / 12, 9 / 12]
    assert "grades_as_scores" in [note["code"] for note in found["notes"]]


def test_grades_are_no_outputs_where_no_gold_is_one(tmp_path: Path) -> None:
    done = outscore("compare", *tables(tmp_path, "C", "I"), "-c", "output=grade")
    assert done.code == 3
    assert "column 'grade' holds the grades 'C', 'I', none of which is in 'target'" in done.complaint
    assert "-c score=grade" in done.complaint


def test_answers_that_look_like_grades_stay_answers_beside_such_a_gold(tmp_path: Path) -> None:
    path = tmp_path / "choice.csv"
    rows = [f"q{i},{'CI'[i % 2]},{'CI'[i % 3 % 2]},{'CI'[i % 5 % 2]}" for i in range(12)]
    path.write_text("\n".join(["id,target,sys:a,sys:b", *rows, ""]), encoding="utf-8")
    done = outscore("compare", path, "-f", "json")
    assert done.code == 0, done.err


def test_a_word_that_is_no_grade_is_refused_with_its_line(tmp_path: Path) -> None:
    files = tables(tmp_path, "C", "maybe")
    done = outscore("compare", *files, "-c", "score=grade")
    assert done.code == 3
    assert "column 'score' holds 'C', expected a number" in done.complaint
