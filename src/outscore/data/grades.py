"""Grades in words or letters, as programs write right and wrong beside each item, and the numbers they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from outscore.base.notes import Note

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's: correct, partially correct, incorrect, no answer."""
_WORDS: tuple[Mapping[str, float], ...] = (
    {"correct": 1.0, "partially correct": 0.5, "incorrect": 0.0},
    {"pass": 1.0, "fail": 0.0},
    {"passed": 1.0, "failed": 0.0},
    {"right": 1.0, "wrong": 0.0},
)
_NOTHING = ("", "na", "n/a", "nan", "null", "none")


def grades_among(cells: Iterable[str]) -> dict[str, float]:
    """The number of each distinct text of a column where all are grades of one kind; empty where they are not."""
    found = sorted({cell.strip() for cell in cells})
    filled = [cell for cell in found if cell.lower() not in _NOTHING]
    if not filled:
        return {}
    if set(filled) <= _LETTERS.keys():
        return {cell: _LETTERS[cell] for cell in filled} if {"C", "I"} & set(filled) else {}
    kind = next((kind for kind in _WORDS if {cell.lower() for cell in filled} <= kind.keys()), {})
    return {cell: kind[cell.lower()] for cell in filled} if kind else {}


def as_numbers(cells: Sequence[Any], column: str, *, typed: bool) -> tuple[list[Any], Note] | None:
    """Cells of grades as numbers, and the note that says so; None where they are no grades.

    Args:
        typed: the cells of the table are numbers or texts, and not texts alone.
    """
    if not all(isinstance(cell, str) or cell is None or cell != cell for cell in cells):  # noqa: PLR0124  NaN
        return None
    grades = grades_among(cell for cell in cells if isinstance(cell, str))
    if not grades:
        return None
    found = [grades.get(cell.strip()) if isinstance(cell, str) else None for cell in cells]
    numbers = found if typed else ["" if number is None else f"{number:g}" for number in found]
    text = f"the grades of {column!r} were taken as numbers: {_said(grades)}"
    note = Note(code="grades_as_scores", text=text, remedy="write numbers where they count otherwise")
    return numbers, note


def how_to_read(column: str, grades: Mapping[str, float]) -> str:
    """Remedy that has a column of grades read as scores."""
    return f"read them as scores with -c score={column}: {_said(grades)}"


def _said(grades: Mapping[str, float]) -> str:
    ordered = sorted(grades, key=lambda grade: -grades[grade])
    return ", ".join(f"{grade!r} counts {grades[grade]:g}" for grade in ordered)
