"""Estimates from human labels and a judge: a forest plot by method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.report.numbers import interval, level, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import BLUE, FAINT, GREEN, INK, ORANGE, PURPLE, ROW, WIDTH, title
from outscore.report.text import clean
from outscore.results import JudgeEstimate, Judgements
from outscore.results.judge import describe_method

_PLACES = 3
_COLOURS = {
    "prediction-powered": BLUE,
    "labelled": GREEN,
    "prediction-powered:weight=1": FAINT,
    "rogan-gladen": PURPLE,
    "judge": ORANGE,
}


@chart("judge")
@dataclass(frozen=True)
class JudgeChart:
    """The gain, or score, of each system by every method with its interval, one panel for each system."""

    def draw(self, judgements: Judgements) -> dict[str, Any]:
        """Forest plots; the judge alone in orange, as its interval knows nothing of its errors."""
        gains = [e for e in judgements.estimates if e.baseline is not None]
        shown = gains or list(judgements.estimates)
        panels = [_panel(judgements, system, shown) for system in dict.fromkeys(e.system for e in shown)]
        return {
            "title": title(
                _finding(judgements, shown),
                f"{level(judgements.alpha)} intervals; the judge's own knows nothing of its errors",
            ),
            "vconcat": panels,
            "resolve": {"scale": {"x": "shared"}},
            "spacing": 18,
        }


def _finding(judgements: Judgements, shown: list[JudgeEstimate]) -> str:
    first = next(e for e in shown if e.method == "prediction-powered")
    alone = next((e for e in shown if e.method == "labelled" and e.system == first.system), first)
    if first.ci is None or alone.ci is None or first.worth is None:
        return f"{clean(judgements.human)}, by humans and by {clean(judgements.judge)}"
    labels = f"{first.n_labelled} human labels with {clean(judgements.judge)}"
    return f"{labels} tell as much of {clean(first.system)} as {to_fixed(first.worth, 0)} alone"


def _panel(judgements: Judgements, system: str, shown: list[JudgeEstimate]) -> dict[str, Any]:
    gain = shown[0].baseline is not None
    rows = [
        {
            "method": clean(e.named_method),
            "estimate": e.estimate,
            "low": e.ci[0] if e.ci else None,
            "high": e.ci[1] if e.ci else None,
            "numbers": f"{to_fixed(e.estimate, _PLACES, sign=gain)} {interval(e.ci, _PLACES, sign=gain)}",
        }
        for e in shown
        if e.system == system
    ]
    names = [row["method"] for row in rows]
    colour = {
        "field": "method",
        "type": "nominal",
        "scale": {"domain": [clean(describe_method(m)) for m in _COLOURS], "range": list(_COLOURS.values())},
        "legend": None,
    }
    y = {"field": "method", "type": "nominal", "sort": names, "axis": {"title": None, "ticks": False, "domain": False}}
    what = f"Gain over {clean(judgements.baseline)}" if gain else "Score"
    x = {"type": "quantitative", "axis": {"title": f"{what} in {clean(judgements.human)}", "grid": True}}
    zero = {
        "mark": {"type": "rule", "color": INK, "strokeWidth": 1.2},
        "data": {"values": [{"zero": 0}]},
        "encoding": {"x": {"field": "zero", "type": "quantitative"}},
    }
    scale = {} if gain else {"scale": {"zero": False}}
    return {
        "title": {"text": clean(system), "fontSize": 13},
        "data": {"values": rows},
        "width": WIDTH,
        "height": {"step": ROW},
        "layer": [
            *([zero] if gain else []),
            {
                "mark": {"type": "rule", "strokeWidth": 2.5},
                "encoding": {"y": y, "x": {"field": "low", **x, **scale}, "x2": {"field": "high"}, "color": colour},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                "encoding": {"y": y, "x": {"field": "estimate", **x}, "color": colour},
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 8, "color": INK},
                "encoding": {"y": y, "x": {"value": WIDTH}, "text": {"field": "numbers"}},
            },
        ],
    }
