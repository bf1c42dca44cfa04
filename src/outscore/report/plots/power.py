"""Power by the number of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.report.plots import chart
from outscore.report.plots.theme import BLUE, FAINT, INK, ORANGE, WIDTH, title
from outscore.report.text import clean
from outscore.report.writer import ReportWriter
from outscore.results import Power

_HEIGHT = 280


@chart("power")
@dataclass(frozen=True)
class PowerChart:
    """The power curve with its band, the wanted power, and the items that it takes."""

    def draw(self, power: Power) -> dict[str, Any]:
        """A line over the number of items."""
        rows = [
            {
                "n": point.n,
                "power": point.power,
                "low": point.power_ci[0] if point.power_ci else None,
                "high": point.power_ci[1] if point.power_ci else None,
            }
            for point in power.points
        ]
        x = {
            "field": "n",
            "type": "quantitative",
            "scale": {"zero": False, "nice": False},
            "axis": {"title": power.sizes.capitalize(), "format": ",d", "grid": False},
        }
        y = {
            "field": "power",
            "type": "quantitative",
            "scale": {"domain": [0, 1]},
            "axis": {"title": "Power", "format": "%", "grid": True},
        }
        band = {
            "mark": {"type": "area", "opacity": 0.18, "color": BLUE},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
        }
        return {
            "title": title(*_words(power)),
            "width": WIDTH,
            "height": _HEIGHT,
            "data": {"values": rows},
            "layer": [
                {
                    "mark": {"type": "rule", "color": FAINT, "strokeDash": [5, 4]},
                    "data": {"values": [{"wanted": power.target}]},
                    "encoding": {"y": {**y, "field": "wanted"}},
                },
                *([band] if power.range_is else []),
                {
                    "mark": {"type": "line", "color": BLUE, "strokeWidth": 2},
                    "data": {"values": sorted([*rows, *_crossing(power)], key=lambda row: row["n"])},
                    "encoding": {"x": x, "y": y},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 50, "opacity": 1, "color": BLUE},
                    "encoding": {"x": x, "y": y},
                },
                *(layer for at in _crossing(power) for layer in _mark_needed(power, at, x, y)),
            ],
        }


def _crossing(power: Power) -> list[dict[str, float]]:
    """The point of the curve that has the wanted power, if it lies between the sizes."""
    needed = power.items_needed
    if needed is None or not power.points[0].n <= needed <= power.points[-1].n:
        return []
    return [{"n": needed, "power": power.target}]


def _mark_needed(power: Power, at: dict[str, float], x: dict[str, Any], y: dict[str, Any]) -> list[dict[str, Any]]:
    """A line down from that point, the number of items beside it, and their interval."""
    low, high = power.items_range or (None, None)
    right = at["n"] > (power.points[0].n + power.points[-1].n) / 2
    here = [{**at, "low": low, "high": high, "none": 0, "near": 0.06, "text": f"{round(at['n']):,} {power.sizes}"}]
    interval = {
        "mark": {"type": "rule", "color": ORANGE, "strokeWidth": 4},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
    }
    return [
        {
            "data": {"values": here},
            "layer": [
                {
                    "mark": {"type": "rule", "color": ORANGE, "strokeWidth": 1.5},
                    "encoding": {"x": x, "y": y, "y2": {"field": "none"}},
                },
                {
                    "mark": {
                        "type": "text",
                        "align": "right" if right else "left",
                        "dx": -6 if right else 6,
                        "color": INK,
                    },
                    "encoding": {"x": x, "y": {**y, "field": "near"}, "text": {"field": "text"}},
                },
                *([interval] if low is not None and high is not None else []),
            ],
        }
    ]


def _words(power: Power) -> tuple[str, ...]:
    w = ReportWriter(power, None)
    needed, _ = power.describe_needed(w)
    gain, target = power.describe_effect(w), power.describe_target(w)
    lead = (
        f"{needed[:1].upper()}{needed[1:]} find {gain} with {target} power"
        if needed
        else f"No size here has {target} power to find {gain}"
    )
    under = f"{clean(power.test)}, {power.alternative}, alpha {power.alpha:g}"
    if power.pilot_items is not None:
        under += f"; pilot: {clean(power.system)} against {clean(power.baseline)}, {inflect(power.pilot_items, 'item')}"
    sets = power.points[0].sets
    how = f"{sets:,} simulated test sets of each size; band: {power.range_is}" if sets else ""
    return lead, under, how or (f"band: {power.range_is}" if power.range_is else "")
