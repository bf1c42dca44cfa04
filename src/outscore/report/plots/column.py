"""A picture for a paper: as wide as a column, in greys that can be told apart, without words that a caption has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from outscore.report.plots.theme import BLUE, GREEN, ORANGE, PURPLE, SKY, YELLOW

COLUMN = 240
"""Points of a column of a two-column paper, 3.3 inches."""
_NATURAL = 364
"""Width at which letters of 12 points become 8 in a column."""
_LEAST = 0.25
"""Share of their width that plots keep beside long names."""
_GREYS = {
    BLUE: "#262626",
    ORANGE: "#808080",
    GREEN: "#5c5c5c",
    PURPLE: "#a3a3a3",
    SKY: "#bdbdbd",
    YELLOW: "#d6d6d6",
}
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def to_column(spec: dict[str, Any], draw: Callable[[dict[str, Any]], str]) -> str:
    """The picture as SVG, of which a unit is a point, as wide as a column.

    Args:
        spec: Vega-Lite.
        draw: makes SVG of it.
    """
    grey = _grey(spec)
    whole, half = (_size_of(draw(_narrow(grey, share)))[0] for share in (1.0, 0.5))
    share = 1.0
    if whole > _NATURAL and whole > half:
        share = max(_LEAST, 1 - 0.5 * (whole - _NATURAL) / (whole - half))
    svg = draw(_narrow(grey, share))
    width, height = _size_of(svg)
    scale = COLUMN / max(width, _NATURAL)  # what is narrow stays so: its letters would be larger than the text
    return _SIZE.sub(f'width="{width * scale:.4g}" height="{height * scale:.4g}"', svg, count=1)


def _narrow(value: Any, share: float) -> Any:
    """The specification with plots of such a share of their width, and what stands at their right edge moved there."""
    if isinstance(value, list):
        return [_narrow(inside, share) for inside in value]
    if not isinstance(value, dict):
        return value
    made = {key: inside if key == "data" else _narrow(inside, share) for key, inside in value.items()}
    if isinstance(made.get("width"), int | float):
        made["width"] *= share
    at = made.get("x")
    if isinstance(at, dict) and isinstance(at.get("value"), int | float):
        made["x"] = {**at, "value": at["value"] * share}
    return made


def _grey(value: Any) -> Any:
    """The same with greys in the place of colours; data stay as they are."""
    if isinstance(value, dict):
        return {key: inside if key == "data" else _grey(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [_grey(inside) for inside in value]
    return _GREYS.get(value, value) if isinstance(value, str) else value


def _size_of(svg: str) -> tuple[float, float]:
    found = _SIZE.search(svg)
    assert found is not None
    return float(found[1]), float(found[2])
