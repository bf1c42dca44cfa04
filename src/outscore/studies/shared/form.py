"""Tables and pictures of studies, declared in a few words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

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
