"""Scores with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import BLUE, FAINT, INK, ROW, WIDTH, title
from outscore.report.text import clean
from outscore.report.view import View, arrow_of
from outscore.results import Scores


@chart("score")
@dataclass(frozen=True)
class ScoresChart:
    """The score of every system with its interval and its runs, one panel for each metric."""

    def draw(self, scores: Scores) -> dict[str, Any]:
        """Points with intervals; single runs as ticks."""
        view = View(scores, None)
        systems = inflect(len({s.system for s in scores.scores}), "system")
        return {
            "title": title(
                f"Scores of {systems}",
                f"with {level(scores.alpha)} intervals; overlap does not say that two systems are alike",
            ),
            "vconcat": [_panel(view, metric) for metric in view.metrics],
            "spacing": 18,
        }


def _panel(view: View, metric: str) -> dict[str, Any]:
    found = view.scores(metric)
    places = view.decimals(metric).score
    rows = [
        {
            "system": clean(s.system),
            "score": s.score,
            "low": s.ci[0] if s.ci else None,
            "high": s.ci[1] if s.ci else None,
            "numbers": f"{to_fixed(s.score, places)} {interval(s.ci, places)}",
        }
        for s in found
    ]
    runs = [{"system": clean(s.system), "run": score} for s in found if len(s.run_scores) > 1 for score in s.run_scores]
    names = [row["system"] for row in rows]
    y = {"field": "system", "type": "nominal", "sort": names, "axis": {"title": None, "ticks": False, "domain": False}}
    scale = {"zero": False, "nice": True}
    x_axis = {"title": f"{view.label(metric)} {arrow_of(found[0])}", "grid": True}
    return {
        "data": {"values": rows},
        "width": WIDTH,
        "height": {"step": ROW},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "color": BLUE},
                "encoding": {
                    "y": y,
                    "x": {"field": "low", "type": "quantitative", "axis": x_axis, "scale": scale},
                    "x2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "tick", "color": FAINT, "thickness": 1.5, "size": 12},
                "data": {"values": runs},
                "encoding": {"y": y, "x": {"field": "run", "type": "quantitative"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "color": BLUE},
                "encoding": {
                    "y": y,
                    "x": {"field": "score", "type": "quantitative"},
                    "tooltip": [{"field": "system"}, {"field": "numbers", "title": "score"}],
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 8, "color": INK},
                "encoding": {"y": y, "x": {"value": WIDTH}, "text": {"field": "numbers"}},
            },
        ],
    }
