"""Theme of all pictures: type, colours that colour-blind readers can tell apart, sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

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
