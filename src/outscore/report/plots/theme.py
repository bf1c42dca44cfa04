"""Theme, marks and axes of all pictures: type, colours that colour-blind readers can tell apart, where axes end."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from outscore.base.text import clean
from outscore.results.study import Axis, Figure, Kind, Layer, Value

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


_LETTER = 6.5  # points that a letter of a label takes on average
_LOG_MARGIN = 0.04  # of the length of a logarithmic axis, beyond the outermost numbers
_BETWEEN = 8  # points between two labels of an axis
_MARGIN = 8  # points between the ends of an axis and the outermost marks
_FEWEST_TICKS, _MOST_TICKS = 3, 9
_WIDEST = 900
_FORMATS: dict[Kind, str] = {"count": ",", "share": ".1~%", "p": ".3~r", "number": ",.4~r", "text": ""}


def numbers(
    axis: Axis, found: Sequence[float], *, grid: bool, titled: bool = True, bars: bool = False
) -> dict[str, Any]:
    """The encoding of an axis of numbers.

    Args:
        axis: as it is declared.
        found: every number that is drawn along it.
        grid: whether lines go through the picture at its ticks.
        titled: whether its title is written.
        bars: whether bars grow along it, which begin at 0.
    """
    scale: dict[str, Any] = {"type": axis.scale, "nice": bars and axis.domain is None}
    if axis.scale != "log":
        scale["zero"] = bars
    # flush labels at the ends would run into their neighbours, and long ones into each other
    drawn: dict[str, Any] = {
        "title": clean(axis.title) if titled and axis.title else None,
        "grid": grid,
        "labelFlush": False,
        "labelOverlap": True,
        "labelSeparation": _BETWEEN,
    }
    if axis.domain is not None:
        scale |= {"domain": list(axis.domain), "clamp": False}
    elif axis.scale == "log":
        scale["domain"] = _log_domain(found)
    elif not bars:
        scale["padding"] = _MARGIN
    if axis.scale == "log":
        drawn |= {"values": log_ticks(*scale["domain"]), "format": ",.3~r"}
    if axis.percent:
        drawn["format"] = "~%"
    return {"type": "quantitative", "scale": scale, "axis": drawn}


def names(axis: Axis, found: Sequence[str], *, upright: bool, titled: bool = True) -> dict[str, Any]:
    """The encoding of an axis of names, in their order; ``upright`` on the vertical axis."""
    drawn: dict[str, Any] = {"title": clean(axis.title) if titled and axis.title else None, "labelAngle": 0}
    if not upright and found and max(map(len, found)) * _LETTER > breadth(found) / len(found):
        drawn |= {"labelAngle": -35, "labelAlign": "right", "labelLimit": 180}
    return {"type": "nominal", "sort": None, "scale": {"domain": list(found)}, "axis": drawn}


def breadth(found: Sequence[str], most: int = WIDTH) -> int:
    """Width of a picture with these names below it."""
    return min(max(most, ROW * len(found)), _WIDEST)


def length(found: Sequence[str], abreast: int) -> int:
    """Height of a picture with these names beside it, each with so many marks below one another."""
    return max(3, len(found)) * max(ROW, 12 * abreast + 8)


def log_ticks(low: float, high: float) -> list[float]:
    """Round numbers along a logarithmic axis: as many of 1, 2 and 5, or of 1 and 3, or powers of ten, as can be read.

    Args:
        low, high: its ends, above 0.
    """
    for digits in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        found = _round_numbers(low, high, digits)
        if len(found) <= _MOST_TICKS:
            break
    else:
        found = found[:: -(-len(found) // _MOST_TICKS)]
    if len(found) >= _FEWEST_TICKS:
        return found
    return _round_numbers(low, high, (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)) or [low, high]


def read_as(kind: Kind) -> dict[str, str]:
    """How a value of that kind reads under the mouse."""
    return {"type": "nominal"} if kind == "text" else {"type": "quantitative", "format": _FORMATS[kind]}


def _round_numbers(low: float, high: float, digits: Iterable[float]) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    # written and read again, so that 3 * 10**-1 is 0.3
    found = sorted({float(f"{digit * 10.0**power:.6g}") for power in powers for digit in digits})
    return [number for number in found if low <= number <= high]


def _log_domain(found: Sequence[float]) -> list[float]:
    above = [math.log10(number) for number in found if number > 0] or [0.0, 1.0]
    low, high = min(above), max(above)
    margin = _LOG_MARGIN * ((high - low) or 1)
    return [10 ** (low - margin), 10 ** (high + margin)]
