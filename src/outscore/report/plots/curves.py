"""ROC and precision-recall curves with their bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.report.numbers import level, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import FAINT, title
from outscore.report.text import clean
from outscore.results import Curves

_SIDE = 380


@chart("curve")
@dataclass(frozen=True)
class CurvesChart:
    """One line for each system, with a band at each threshold; the area under each in the legend."""

    def draw(self, curves: Curves) -> dict[str, Any]:
        """Lines over the unit square."""
        areas = {s.system: s.score for s in curves.scores}
        names = {name: f"{clean(name)}, area {to_fixed(area, 3)}" for name, area in areas.items()}
        best = max(areas, key=lambda name: areas[name])
        lead = f"{clean(best)} encloses the largest area" if len(areas) > 1 else f"Area {to_fixed(areas[best], 3)}"
        rows = [
            {
                "system": names[curve.system],
                "curve": clean(f"{curve.system} {curve.run}"),
                "place": place,
                "x": point.x,
                "y": point.y,
                "low": point.y_ci[0] if point.y_ci else None,
                "high": point.y_ci[1] if point.y_ci else None,
            }
            for curve in curves.curves
            for place, point in enumerate(curve.points)
            if point.x is not None and point.y is not None
        ]
        lines = [
            {
                "mark": {"type": "area", "orient": "vertical", "opacity": 0.15},
                "encoding": {"y": {"field": "low", "type": "quantitative", "stack": None}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {
                    "y": {"field": "y", "type": "quantitative", "axis": {"title": _words(curves.y)}},
                    "order": {"field": "place", "type": "quantitative"},
                },
            },
        ]
        chance = {
            "mark": {"type": "line", "color": FAINT, "strokeDash": [4, 4]},
            "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
            "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
        }
        unit = {"domain": [0, 1]}
        return {
            "title": title(lead, f"bands: {level(curves.alpha)} at each threshold"),
            "width": _SIDE,
            "height": _SIDE,
            "layer": [
                *([chance] if curves.kind == "roc" else []),
                {
                    "data": {"values": rows},
                    "encoding": {
                        "x": {
                            "field": "x",
                            "type": "quantitative",
                            "scale": unit,
                            "axis": {"title": _words(curves.x), "grid": True},
                        },
                        "color": {
                            "field": "system",
                            "type": "nominal",
                            "legend": {
                                "title": None,
                                "symbolType": "stroke",
                                "symbolOpacity": 1,
                                "orient": "bottom-right",
                            },
                        },
                        "detail": {"field": "curve"},
                    },
                    "layer": lines,
                },
            ],
        }


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
