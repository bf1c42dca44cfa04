"""Mean ranks on a line, with bars over the systems that lie within the critical difference (Demšar 2006, Figure 1)."""

from __future__ import annotations

from typing import Any

from outscore.base.text import clean
from outscore.report.numbers import to_fixed
from outscore.report.plots.theme import BLUE, FAINT, INK, ROW, WIDTH
from outscore.results.places import MeanRanks

_MOST = 20
_LINE = 19  # points between two names
_BAR = 7  # points between two bars
_ABOVE = 34  # room for the critical difference above the axis
_LOW_ROW = 15
_BELOW = 14


def draw_mean_ranks(found: MeanRanks) -> dict[str, Any]:
    """Demšar's diagram; of many systems a row each, with bars that overlap where mean ranks lie close."""
    return _diagram(found) if len(found.systems) <= _MOST else _rows(found)


def _diagram(found: MeanRanks) -> dict[str, Any]:
    """The axis with the best rank on the left; names of the better half on the left, of the others on the right."""
    k = len(found.systems)
    left = (k + 1) // 2
    rank = dict(zip(found.systems, found.mean_ranks, strict=True))
    floor = _BELOW + _BAR * len(found.groups)
    places = []
    for number, (system, mean) in enumerate(rank.items()):
        on_left = number < left
        depth = floor + _LINE * (number if on_left else k - 1 - number)
        end = 1.0 if on_left else float(k)
        places.append(
            {"x": mean, "end": end, "y": -depth, "name": f"{clean(system)}  {to_fixed(mean, 2)}", "left": on_left}
        )
    bars = [
        {"x": rank[group[0]] - 0.03, "x2": rank[group[-1]] + 0.03, "y": -(_BELOW / 2 + _BAR * g)}
        for g, group in enumerate(found.groups)
    ]
    deepest = floor + _LINE * (left - 1) + 8
    ticks = [{"x": float(t), "label": str(t)} for t in range(1, k + 1)]
    cd = found.critical_difference
    span = min(1 + cd, float(k))
    difference = f"CD {to_fixed(cd, 2)}" + (", wider than the axis" if 1 + cd > k else "")
    x = _x(k)
    y: dict[str, Any] = {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [-deepest, _ABOVE], "nice": False, "zero": False},
        "axis": None,
    }

    def rule(rows: list[dict[str, Any]], width: float, colour: str, **more: Any) -> dict[str, Any]:
        mark = {"type": "rule", "strokeWidth": width, "color": colour}
        return {"data": {"values": rows}, "mark": mark, "encoding": {"x": x, "y": y, **more}}

    def text(rows: list[dict[str, Any]], field: str, **mark: Any) -> dict[str, Any]:
        drawn = {"type": "text", "color": INK, "fontSize": 12, **mark}
        return {"data": {"values": rows}, "mark": drawn, "encoding": {"x": x, "y": y, "text": {"field": field}}}

    named = [{**place, "x": place["end"]} for place in places]
    return {
        "width": WIDTH,
        "height": deepest + _ABOVE,
        "layer": [
            rule([{"x": 1.0, "x2": float(k), "y": 0}], 1.5, INK, x2={"field": "x2"}),
            rule([{**t, "y": 0, "y2": 5} for t in ticks], 1, INK, y2={"field": "y2"}),
            text([{**t, "y": 11} for t in ticks], "label", fontSize=11),
            rule([{"x": 1.0, "x2": span, "y": 21}], 2, FAINT, x2={"field": "x2"}),
            text([{"x": 1.0, "y": 28, "label": difference}], "label", align="left", color=FAINT, fontSize=11),
            rule([{**p, "y": 0, "y2": p["y"]} for p in places], 1, FAINT, y2={"field": "y2"}),
            rule(places, 1, FAINT, x2={"field": "end"}),
            rule(bars, 4, BLUE, x2={"field": "x2"}),
            text([p for p in named if p["left"]], "name", align="right", dx=-6),
            text([p for p in named if not p["left"]], "name", align="left", dx=6),
        ],
    }


def _x(k: int) -> dict[str, Any]:
    return {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": [1, k], "nice": False, "zero": False},
        "axis": None,
    }


def _rows(found: MeanRanks) -> dict[str, Any]:
    """Every system in a row, its mean rank with half the critical difference to either side."""
    half = found.critical_difference / 2
    names = [clean(system) for system in found.systems]
    rows = [
        {"system": name, "mean rank": mean, "low": mean - half, "high": mean + half}
        for name, mean in zip(names, found.mean_ranks, strict=True)
    ]
    y = {"field": "system", "type": "nominal", "sort": names, "axis": {"title": None, "ticks": False, "domain": False}}
    every = max(1, round(len(names) / 8))
    axis = {
        "title": "Mean rank, 1 is the best, with half the critical difference to either side",
        "values": [1, *range(1 + every, len(names) + 1, every)],
        "grid": True,
    }
    x = {"type": "quantitative", "scale": {"zero": False, "nice": False}, "axis": axis}
    return {
        "data": {"values": rows},
        "width": WIDTH,
        "height": {"step": _LOW_ROW if len(rows) > 2 * _MOST else ROW - 6},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "color": BLUE, "opacity": 0.45},
                "encoding": {"y": y, "x": {"field": "low", **x}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 45, "opacity": 1, "color": BLUE},
                "encoding": {
                    "y": y,
                    "x": {"field": "mean rank", **x},
                    "tooltip": [{"field": "system"}, {"field": "mean rank", "format": ".2f"}],
                },
            },
        ],
    }
