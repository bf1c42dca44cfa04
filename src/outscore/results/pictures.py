"""Pictures as declarations: what stands in them, with every word and number on them. The report draws them.

A result declares its pictures by ``charts``: each is a title over panels of a few kinds, of which the rows are records.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from outscore.base.lazy import dataclass

Colour = Literal["ink", "faint", "grid", "blue", "orange", "green", "purple", "sky", "yellow"]
SERIES: tuple[Colour, ...] = ("blue", "orange", "green", "purple", "sky", "yellow")
"""Colours in the order in which series take them."""

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
        legend: they are named beside the picture.
    """

    field: str
    colours: Mapping[str, Colour]
    shapes: Mapping[str, Shape] = dataclasses.field(default_factory=dict)
    legend: bool = False


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
    """

    names: str
    values: str
    axis: str
    rows: tuple[Bar, ...]
    heading: str = ""
    signs: Signs | None = None
    zero: bool = False
    across: float | None = None


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """How often a value falls between two edges, with 0 and the observed value.

    Attributes:
        spread: from two standard deviations below the mean to as many above it.
    """

    heading: str
    axis: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    observed: float
    spread: tuple[float, float]


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


@dataclass(frozen=True, kw_only=True)
class Squares:
    """A square for every two names, such as labels against labels.

    Attributes:
        names: along both sides, in their order.
        rows: one for each square.
        down, across: the fields of the names; ``titles``: of both sides.
        text: the field that is written into the squares; empty for none.
        share: the field of the proportion that shades them, where they are not coloured by ``signs``.
        tips: fields that stand under the mouse.
        step: length of a side in points; ``height``, where it is another.
    """

    names: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    down: str
    across: str
    titles: tuple[str, str] = ("", "")
    heading: str = ""
    text: str = ""
    share: str = ""
    signs: Signs | None = None
    tips: tuple[str, ...] = ()
    step: int = 48
    height: int = 0


@dataclass(frozen=True, kw_only=True)
class Scale:
    """An axis of numbers.

    Attributes:
        ends: of the axis, where they are not those of the data.
        log: it is logarithmic; ``ticks``: the numbers along it, where others are not to be chosen.
        written: as a number, in per cent, or with thousands.
        grid: lines go through the picture at its ticks.
    """

    title: str
    ends: tuple[float, float] | None = None
    log: bool = False
    ticks: tuple[float, ...] = ()
    written: Literal["number", "percent", "count"] = "number"
    grid: bool = True


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Rows that are drawn by one kind of mark.

    Attributes:
        mark: its kind; a ``rule`` with one field goes through the whole picture, with two ends from one to the other.
        rows: those of the plane, where there are none of its own.
        x, y: fields; ``x2``, ``y2``: of the other ends. A text without an ``x`` stands at the right edge, one without
            a ``y`` at the top.
        colour: of all of them, or ``signs`` for those of a field.
        each: the field of which every value is a line of its own; ``order``: that which orders its points.
        broken, thick, faint: the look of lines.
        steps: each value holds until the next one; ``dotted``: the points of a line are marked.
        text: the field that is written; ``left``: it ends there, instead of beginning.
        tips: fields that stand under the mouse, with what they are called there.
    """

    mark: Literal["line", "band", "rule", "point", "text"]
    rows: tuple[Mapping[str, Any], ...] = ()
    x: str = ""
    y: str = ""
    x2: str = ""
    y2: str = ""
    colour: Colour = "blue"
    signs: Signs | None = None
    each: str = ""
    order: str = ""
    broken: bool = False
    thick: float = 2
    faint: float = 1
    steps: bool = False
    dotted: bool = False
    text: str = ""
    left: bool = False
    tips: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Plane:
    """Lines, bands, points and texts over two axes of numbers, from the back to the front."""

    x: Scale
    y: Scale
    marks: tuple[Marks, ...]
    rows: tuple[Mapping[str, Any], ...] = ()
    size: tuple[int, int] = (420, 280)
    heading: str = ""


@dataclass(frozen=True, kw_only=True)
class RankBars:
    """Scores with their intervals beside the ranks that systems can have.

    Attributes:
        axis: title of the scores.
        rows: ``system``, ``value`` from ``low`` to ``high``, ``score`` as text, ``rank`` in the set ``from`` ...
            ``to``, ``rank set`` and ``letters`` as text, and what is ``said`` beside it.
        tiers: the systems after which a tier ends.
    """

    axis: str
    rows: tuple[Mapping[str, Any], ...]
    tiers: tuple[str, ...]
