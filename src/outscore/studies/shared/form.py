"""Tables and pictures of studies, declared in a few words; lists of numbers; whether numbers agree."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from outscore.base.errors import InputError, UsageError
from outscore.base.text import read_number
from outscore.results.study import DataTable, Field, Kind, Layer, Value

Fields = tuple[Field, ...]
Row = tuple[Value, ...]
Verdict = Literal["agrees", "differs", "cannot tell", ""]

POINT = 0.01
"""Margin of a simulated proportion beside its law: levels, powers and coverages are told in whole per cent."""

POINTS_OF_PRINT = 0.02
"""Margin beside a proportion that a source simulated: no study of 1,000 rounds, as theirs are, can tell less.

Half of the printed number where that is less: twice a level of 1 % is another level.
"""

_EQUIVALENT, _DIFFERENT = 1.645, 3.291
"""Normal quantiles of two one-sided tests at .05, and of an interval at 99.9 %."""
_ROUNDING = 1e-9


def text(name: str, title: str) -> Field:
    """A column of words."""
    return Field(name=name, title=title, kind="text")


def count(name: str, title: str) -> Field:
    """A column of whole numbers."""
    return Field(name=name, title=title, kind="count")


def share(name: str, title: str) -> Field:
    """A column of proportions."""
    return Field(name=name, title=title, kind="share")


def p_value(name: str, title: str) -> Field:
    """A column of p-values."""
    return Field(name=name, title=title, kind="p")


def number(name: str, title: str) -> Field:
    """A column of numbers."""
    return Field(name=name, title=title)


def columns(kind: Kind, **titles: str) -> Fields:
    """Several columns of one kind, by their names."""
    return tuple(Field(name=name, title=title, kind=kind) for name, title in titles.items())


def ends(field: Field, before: str = "") -> Fields:
    """A column and those of the ends of its interval, which are called ``low`` and ``high`` after a prefix."""
    low, high = f"{before}low", f"{before}high"
    return (
        replace(field, low=low, high=high),
        replace(field, name=low, title="low"),
        replace(field, name=high, title="high"),
    )


def table(
    name: str, title: str, fields: Fields, rows: Iterable[Row], about: str = "", printed: bool = True
) -> DataTable:
    """A table that text formats show."""
    return DataTable(name=name, title=title, fields=fields, rows=tuple(rows), about=about, printed=printed)


def hidden(name: str, title: str, fields: Fields, rows: Iterable[Row]) -> DataTable:
    """A table for pictures and files."""
    return table(name, title, fields, rows, printed=False)


def points(table: str, x: str, y: str, colour: str = "") -> tuple[Layer, Layer]:
    """Points with their intervals, from ``low`` to ``high``."""
    return (
        Layer(mark="interval", table=table, x=x, low="low", high="high", colour=colour),
        Layer(mark="point", table=table, x=x, y=y, colour=colour),
    )


_BETWEEN = re.compile(r"\s*[,;]\s*|\s+")
_TYPED = re.compile(r"\s*[<\d.][\d.]*(?:(?:\s*;\s*|\s+)[<\d.][\d.]*)+\s*")

METRIC = text("metric", "Metric")


def parse_numbers(text: str, option: str, low: float, high: float) -> list[float]:
    """Numbers of an option, with commas between them.

    Raises:
        UsageError: one is no number, or not from ``low`` to ``high``, or there is none.
    """
    try:
        values = [read_number(part) for part in text.split(",")]
    except ValueError:
        values = []
    if not values or not all(low <= value <= high for value in values):
        range_ = f"from {low:g} on" if math.isinf(high) else f"from {low:g} to {high:g}"
        raise UsageError(f"{option} {text!r}: expected numbers {range_} with commas, as in 10,50")
    return values


def are_typed(typed: str) -> bool:
    """Whether an option holds numbers, with commas, semicolons or blanks between them, and not the name of a file."""
    return bool("," in typed or _TYPED.fullmatch(typed)) and not Path(typed).exists()


def split_typed(typed: str) -> str:
    """Numbers that were typed, with commas between them."""
    return ",".join(_BETWEEN.split(typed.strip()))


def parse_integers(text: str, option: str, low: int, high: float) -> list[int]:
    """Whole numbers of an option, with commas between them, each once, in order.

    Raises:
        UsageError: as in ``parse_numbers``, or one is not whole.
    """
    values = parse_numbers(text, option, low, high)
    if not all(value.is_integer() for value in values):
        raise UsageError(f"{option} {text!r}: expected whole numbers")
    return sorted({int(value) for value in values})


def read_rows(file: Path, *, bare: bool = False) -> list[list[str]]:
    """The rows of a small table with commas, semicolons or tabs, without empty ones; ``bare``: or of one column.

    Raises:
        InputError: it cannot be read, or has no line below its header.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from None
    delimiter = next((one for one in "\t;" if one in (lines or [""])[0]), ",")
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if any(cell.strip() for cell in row)]
    if len(rows) < 2 or len(rows[0]) < 2 - bare:
        raise InputError(f"{file}: expected a header with two columns or more, and lines below it")
    return rows


def compare_numbers(value: float, other: float, error: float, margin: float) -> Verdict:
    """Whether a number agrees with that of a law or a source: equivalence within a margin that was stated before.

    An interval that merely holds the other number does not agree with it: a poor study would agree with everything. So
    numbers *agree* where the interval of their difference lies inside the margin, at 90 %, which is two one-sided tests
    at .05 (Schuirmann 1987). They *differ* where it does not and the difference is shown, at 99.9 %, as a page compares
    a hundred numbers. Otherwise the study *cannot tell*.

    Args:
        value, other: the numbers.
        error: standard error of their difference; 0 where both were computed.
        margin: difference that does not matter, in the same unit; of a printed number at least half a unit of its
            last digit.
    """
    away = abs(value - other)
    margin += _ROUNDING * max(1.0, abs(other))
    if away + _EQUIVALENT * error <= margin:
        return "agrees"
    return "differs" if away > _DIFFERENT * error else "cannot tell"
