"""The marks of declared pictures, their shapes, and the values that they draw."""

from __future__ import annotations

import math
import re
from typing import Any

from outscore.base.text import clean
from outscore.report.plots.theme import FAINT, INK
from outscore.results.study import Figure, Layer, Value

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
