"""Metrics against humans: a point for each system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.report.numbers import interval, level, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import BLUE, FAINT, INK, title
from outscore.report.text import clean
from outscore.report.view import View
from outscore.results import Correlation, Correlations
from outscore.results.correlation import describe_coefficient, describe_level

_SIDE = 300
_PLACES = 3
_MOST_NAMES = 25


@chart("correlate")
@dataclass(frozen=True)
class CorrelationChart:
    """The systems by each metric and by the humans, one panel for each metric; intervals in both directions."""

    def draw(self, correlations: Correlations) -> dict[str, Any]:
        """Scatter plots with the correlation of each metric in their titles."""
        view = View(correlations, None)
        first = correlations.correlations[0]
        shown = [c for c in correlations.correlations if (c.level, c.coefficient) == (first.level, first.coefficient)]
        return {
            "title": title(
                _finding(view, correlations, shown),
                f"{clean(describe_coefficient(first.coefficient))}, {clean(describe_level(first.level)).lower()}, with "
                f"{level(correlations.alpha)} interval over new {_describe_panels(correlations)}",
                f"a point is a system, with its {level(correlations.alpha)} intervals",
            ),
            "concat": [_panel(view, correlations, c) for c in shown],
            "columns": 3,
            "spacing": 24,
        }


def _finding(view: View, correlations: Correlations, shown: list[Correlation]) -> str:
    """The title: which metric agrees best, if that is shown."""
    human = clean(correlations.human)
    best = max(shown, key=lambda c: -2.0 if c.value is None else c.value)
    if len(shown) == 1:
        return f"{view.label(best.metric)} and {human}: {to_fixed(best.value, _PLACES)} {interval(best.ci, _PLACES)}"
    rivals = [
        g
        for g in correlations.gains
        if (g.level, g.coefficient) == (best.level, best.coefficient) and best.metric in (g.metric, g.other)
    ]
    if rivals and all(g.p_adjusted is not None and g.p_adjusted <= correlations.alpha for g in rivals):
        return f"{view.label(best.metric)} agrees best with {human}"
    return f"{view.label(best.metric)} is nearest to {human}; a difference is not shown"


def _describe_panels(correlations: Correlations) -> str:
    return "systems and items" if correlations.resampled == "both" else correlations.resampled


def _panel(view: View, correlations: Correlations, found: Correlation) -> dict[str, Any]:
    human = {s.system: s for s in view.scores(correlations.human)}
    rows = [
        {
            "system": clean(s.system),
            "metric": s.score,
            "metric low": s.ci[0] if s.ci else None,
            "metric high": s.ci[1] if s.ci else None,
            "human": human[s.system].score,
            **dict(zip(("human low", "human high"), human[s.system].ci or (None, None), strict=True)),
        }
        for s in view.scores(found.metric)
    ]
    x, y = (
        {"field": axis, "type": "quantitative", "scale": {"zero": False}, "axis": {"title": label, "grid": True}}
        for axis, label in (("metric", view.label(found.metric)), ("human", clean(correlations.human)))
    )
    names = {
        "mark": {"type": "text", "align": "left", "dx": 7, "dy": -5, "fontSize": 10, "color": INK},
        "encoding": {"x": x, "y": y, "text": {"field": "system", "type": "nominal"}},
    }
    return {
        "title": {
            "text": f"{view.label(found.metric)}: {to_fixed(found.value, _PLACES)} {interval(found.ci, _PLACES)}",
            "fontSize": 13,
        },
        "data": {"values": rows},
        "width": _SIDE,
        "height": _SIDE,
        "layer": [
            *(
                {
                    "mark": {"type": "rule", "color": FAINT, "opacity": 0.45},
                    "encoding": {
                        "x": x if across == "y" else {**x, "field": "metric low"},
                        "y": y if across == "x" else {**y, "field": "human low"},
                        f"{across}2": {"field": f"{'metric' if across == 'x' else 'human'} high"},
                    },
                }
                for across in ("x", "y")
            ),
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": BLUE},
                "encoding": {"x": x, "y": y, "tooltip": [{"field": "system"}, {"field": "metric"}, {"field": "human"}]},
            },
            *([names] if len(rows) <= _MOST_NAMES else []),
        ],
    }
