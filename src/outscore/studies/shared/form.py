"""Tables and pictures of studies, declared in a few words, and lists of numbers in their options."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from outscore.base.errors import InputError, UsageError
from outscore.base.text import read_number
from outscore.results.study import DataTable, Field, Kind, Layer, Value

Fields = tuple[Field, ...]
Row = tuple[Value, ...]


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
