"""Pictures as declarations: what stands in them, with every word and number on them. The report draws them.

A result declares its pictures by ``charts``: each is a title over panels of a few kinds, of which the rows are records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Colour = Literal["ink", "faint", "grid", "blue", "orange", "green", "purple", "sky", "yellow"]
Shape = Literal["circle", "triangle-left", "triangle-right"]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One picture.

    Attributes:
        heading: its subject, above it on a page.
        title: the finding in a sentence; ``under``: lines that say how it was found, of which empty ones are left out.
        panels: what is drawn, each of a class of this module.
        arranged: one panel ``alone``, or several ``below`` or ``beside`` one another, or in a ``grid``.
        same_scale: the horizontal axes of all panels have the same ends.
        name: by which it may be drawn alone; those of the same name belong together.
        of_page: it stands on pages, and is not drawn into a file.
        words: what it says, where its panels have titles of their own.
    """

    heading: str
    title: str = ""
    under: tuple[str, ...] = ()
    panels: tuple[Any, ...]
    arranged: Literal["alone", "below", "beside", "grid"] = "below"
    same_scale: bool = False
    name: str = ""
    of_page: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Signs:
    """The meaning of the values of a field by colour, and by shape.

    Attributes:
        field: its name.
        colours: of its values; ``shapes``: of points, by default circles.
    """

    field: str
    colours: Mapping[str, Colour]
    shapes: Mapping[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A value with its interval.

    Attributes:
        name: of the row; ``written``: the numbers as text.
        sign: value of the field of ``Signs``, where that is another than the name.
        single: values of single runs.
    """

    name: str
    value: float | None
    ci: tuple[float, float] | None
    written: str
    sign: str = ""
    single: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """Values with their intervals, a row each; a forest plot.

    Attributes:
        names, values: what rows and values are called.
        axis: title of the numbers.
        zero: gains, which stand against a line at 0; scores do not.
        across: a broken line at this value.
        low: rows are low, and the numbers stand under the mouse only.
    """

    names: str
    values: str
    axis: str
    rows: tuple[Bar, ...]
    heading: str = ""
    signs: Signs | None = None
    zero: bool = False
    across: float | None = None
    low: bool = False


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """How often a value falls between two edges, with 0 and the observed value."""

    heading: str
    axis: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    observed: float


@dataclass(frozen=True, kw_only=True)
class Dots:
    """Values of single runs, and their mean.

    Attributes:
        rows: names with the mean.
        single: names with run, value, and the value as text.
    """

    axis: str
    rows: tuple[tuple[str, float], ...]
    single: tuple[tuple[str, str, float, str], ...]
