"""Words and letters that grade an answer, as right or wrong, and the numbers for which they count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from shlex import quote
from typing import Any

from outscore.base.errors import join
from outscore.base.items import MISSING
from outscore.base.notes import Note

BOOL = {"true": 1.0, "false": 0.0}
ANSWERS = {"yes": 1.0, "no": 0.0, "y": 1.0, "n": 0.0, "t": 1.0, "f": 0.0}
"""Grades only of what the user calls scores: they may be labels."""
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's: correct, partially correct, incorrect, no answer."""
_MOST_GRADES = 1000  # spellings of those of one kind, with whatever blanks around them
_WORDS: tuple[Mapping[str, float], ...] = (
    {"correct": 1.0, "right": 1.0, "partially correct": 0.5, "incorrect": 0.0, "wrong": 0.0},
    {"pass": 1.0, "passed": 1.0, "fail": 0.0, "failed": 0.0},
    *({"success": 1.0, "failure": 0.0}, {"✓": 1.0, "✗": 0.0}, {"✔": 1.0, "✘": 0.0}, {"✅": 1.0, "❌": 0.0}),
)


def grades_among(cells: Iterable[str], more: Sequence[Mapping[str, float]] = ()) -> dict[str, float]:
    """The number of each distinct text where all are grades of one kind, or of ``more``; empty where they are not."""
    distinct = set(cells)
    if len(distinct) > _MOST_GRADES:
        return {}
    filled = sorted(cell for cell in {*map(str.strip, distinct)} if cell.lower() not in MISSING)
    if set(filled) <= _LETTERS.keys():
        return {cell: _LETTERS[cell] for cell in filled} if {"C", "I"} & set(filled) else {}
    kind = next((kind for kind in (*_WORDS, *more) if {cell.lower() for cell in filled} <= kind.keys()), {})
    return {cell: kind[cell.lower()] for cell in filled} if kind else {}


def describe_reading(column: str, grades: Mapping[str, float]) -> str:
    """The remedy by which a column of grades is read as scores."""
    return f"read them as scores with -c score={quote(column)}: {format_grades(grades)}"


def format_grades(grades: Mapping[str, float]) -> str:
    """Each grade and its number, the best first."""
    return ", ".join(f"{grade!r} counts {grades[grade]:g}" for grade in sorted(grades, key=lambda one: -grades[one]))


def parse_grades(cells: Sequence[Any], column: str, *, typed: bool) -> tuple[list[Any], Note] | None:
    """Cells of a column of scores that are grades as numbers, and the note that says so; None where they are none."""
    if not all(isinstance(cell, str) or cell is None or cell != cell for cell in cells):  # noqa: PLR0124  NaN
        return None
    more = (ANSWERS, BOOL) if typed else (ANSWERS,)
    grades = grades_among((cell for cell in cells if isinstance(cell, str)), more)
    return (as_numbers(cells, grades, typed=typed), note_grades([column], grades)) if grades else None


def as_numbers(cells: Iterable[Any], grades: Mapping[str, float], *, typed: bool) -> list[Any]:
    found = [grades.get(cell.strip()) if isinstance(cell, str) else None for cell in cells]
    return list(found) if typed else ["" if value is None else f"{value:g}" for value in found]


def note_grades(names: Iterable[str], grades: Mapping[str, float]) -> Note:
    text = f"the grades of {join(names)} were taken as numbers: {format_grades(grades)}"
    return Note(code="grades_as_scores", text=text, remedy="write numbers where they count otherwise")
