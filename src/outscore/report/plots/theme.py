"""Theme and marks of all pictures: type, colours that colour-blind readers can tell apart, sizes, shapes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from outscore.base.text import clean
from outscore.results.study import Figure, Layer, Value

VEGA_LITE = "6.4"

INK, FAINT, GRID = "#222222", "#767676", "#e4e4e4"
BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"
SERIES = [BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW]
"""Okabe and Ito's colours, in the order in which series take them."""

WIDTH, ROW = 420, 26
"""Width of a plot, and the height of one row of names, in points."""

CONFIG: dict[str, Any] = {
    "background": "white",
    "font": "sans-serif",
    "title": {"anchor": "start", "fontSize": 15, "fontWeight": 600, "color": INK, "subtitleColor": FAINT, "offset": 12},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": GRID,
        "domainColor": FAINT,
        "tickColor": FAINT,
        "labelLimit": 260,
    },
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 260},
    "header": {"labelFontSize": 13, "labelFontWeight": 600, "titleFontSize": 12, "labelAnchor": "start"},
    "view": {"stroke": None},
    "range": {"category": SERIES},
}


def draw_ends(
    rows: Sequence[tuple[float | None, tuple[float, float] | None]], *, zero: bool
) -> list[tuple[float, float] | tuple[None, None]]:
    """The ends at which the interval of each (value, interval) is drawn; one without end leads out beyond all numbers,
    and beyond 0 where that is drawn.

    None where a row has no interval.
    """
    shown = [x for value, ends in rows for x in (value, *(ends or ()))]
    known = [x for x in (shown + [0.0] * zero) if x is not None and math.isfinite(x)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    room = 0.15 * ((high - low) or 1.0)
    # what is infinite stops where the picture does
    return [(None, None) if ends is None else (max(ends[0], low - room), min(ends[1], high + room)) for _, ends in rows]


def title(text: str, *under: str) -> dict[str, Any]:
    """A title that states the finding, with smaller lines that say how it was found."""
    return {"text": text, "subtitle": [line for line in under if line]}


DASHES = [5, 4]
"""The pattern of a broken line, in points."""

SHAPES = ["circle", "square", "diamond", "triangle-up", "cross", "triangle-down"]
"""The shapes of points, in the order in which colours take them, for readers and printers without colours."""

DASH = "M-1,-0.2H1V0.2H-1Z"
"""The sign in the legend for what is a line and no point."""

RANGES = ("band", "interval")
"""Marks that have two ends."""

MARKS: dict[str, dict[str, Any]] = {
    "point": {"type": "point", "filled": True},
    "line": {"type": "line", "strokeWidth": 2},
    "band": {"type": "area", "opacity": 0.18},
    "bar": {"type": "bar", "opacity": 0.85},
    "interval": {"type": "rule", "strokeWidth": 2},
    "text": {"type": "text", "color": INK, "fontSize": 11},
    "x-rule": {"type": "rule", "strokeDash": DASHES, "color": FAINT},
    "y-rule": {"type": "rule", "strokeDash": DASHES, "color": FAINT},
}
"""How each mark is drawn as a rule."""


def fields_along(layer: Layer, which: str) -> list[str]:
    """The fields that a layer draws along an axis: one, the two ends of a range, or none."""
    ends = [layer.low, layer.high] if layer.mark in RANGES else []
    if which == "x":
        return [layer.x] if layer.x else ends
    return ends if ends and layer.x else [layer.y] if layer.y else []


def grows(figure: Figure) -> str:
    """The axis along which bars grow."""
    return "x" if figure.y.scale == "names" else "y"


def is_positive(value: Value) -> bool:
    """Whether a value has a place on a logarithmic axis."""
    return not isinstance(value, int | float) or value > 0


def to_drawable(value: Value) -> Value:
    """Names stay text, and what is not a number is not drawn."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return clean(value) if isinstance(value, str) else value


def key(field: str) -> str:
    """The name of a field in the picture; Vega would take ``a.b`` for a part of ``a``."""
    return re.sub(r"\W", lambda found: f"_{ord(found[0]):x}_", field)


def name_of(value: Value) -> str:
    """Text of a value that is a name, without control characters."""
    return clean(str(value))
