"""The gains of a comparison with their intervals: a forest plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.report.numbers import interval, level, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import BLUE, FAINT, INK, ORANGE, ROW, WIDTH, draw_ends, title
from outscore.report.text import clean
from outscore.report.view import View
from outscore.results import Comparison, Pair
from outscore.results.naming import describe_correction

_MOST = 60
_BETTER, _WORSE, _OPEN = "better", "worse", "not decided"


@chart("compare")
@dataclass(frozen=True)
class GainsPicture:
    """Every gain with its interval against the line of no gain, one panel for each metric."""

    def draw(self, comparison: Comparison) -> dict[str, Any]:
        """A forest plot; of very many pairs the largest gains, as the subtitle then says."""
        view = View(comparison, None)
        kept = sorted(comparison.pairs, key=lambda p: -abs(p.gain))[:_MOST]
        pairs = [p for p in comparison.pairs if any(p is k for k in kept)]
        panels = [
            _panel(view, metric, [p for p in pairs if p.metric == metric])
            for metric in view.metrics
            if any(p.metric == metric for p in pairs)
        ]
        left_out = len(comparison.pairs) - len(pairs)
        return {
            "title": title(
                _finding(view),
                f"Gains with {level(comparison.alpha)} intervals; {_describe(view)}",
                f"the {_MOST} largest of {len(comparison.pairs)} gains" if left_out else "",
            ),
            "vconcat": panels,
            "spacing": 18,
        }


def _panel(view: View, metric: str, pairs: list[Pair]) -> dict[str, Any]:
    places = view.decimals(metric).gain
    ends = draw_ends([(pair.gain, pair.ci) for pair in pairs])
    rows = [
        {
            "pair": view.name_of(pair),
            "gain": pair.gain,
            "low": low,
            "high": high,
            "verdict": _verdict(view, pair),
            "numbers": f"{to_fixed(pair.gain, places, sign=True)} {interval(pair.ci, places, sign=True)}",
        }
        for pair, (low, high) in zip(pairs, ends, strict=True)
    ]
    names = list(dict.fromkeys(row["pair"] for row in rows))
    y = {"field": "pair", "type": "nominal", "sort": names, "axis": {"title": None, "ticks": False, "domain": False}}
    colour = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": [_BETTER, _WORSE, _OPEN], "range": [BLUE, ORANGE, FAINT]},
        "legend": None,
    }
    shape = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": [_BETTER, _WORSE, _OPEN], "range": ["triangle-right", "triangle-left", "circle"]},
        "legend": None,
    }
    x_axis = {"title": f"Gain in {view.label(metric)}, better to the right", "grid": True}
    return {
        "data": {"values": rows},
        "width": WIDTH,
        "height": {"step": ROW},
        "layer": [
            {
                "mark": {"type": "rule", "color": INK, "strokeWidth": 1.2},
                "data": {"values": [{"zero": 0}]},
                "encoding": {"x": {"field": "zero", "type": "quantitative"}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2.5},
                "encoding": {
                    "y": y,
                    "x": {"field": "low", "type": "quantitative", "axis": x_axis},
                    "x2": {"field": "high"},
                    "color": colour,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {
                    "y": y,
                    "x": {"field": "gain", "type": "quantitative"},
                    "color": colour,
                    "shape": shape,
                    "tooltip": [{"field": "pair"}, {"field": "numbers", "title": "gain"}, {"field": "verdict"}],
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 8, "color": INK},
                "encoding": {"y": y, "x": {"value": WIDTH}, "text": {"field": "numbers"}},
            },
        ],
    }


def _verdict(view: View, pair: Pair) -> str:
    return view.decision(pair) or _OPEN


def _finding(view: View) -> str:
    """The title: who outscores whom, or how many do."""
    pairs = [pair for pair in view.pairs if pair.verdict != "described"]
    if len(pairs) == 1:
        (pair,) = pairs
        system, baseline = clean(pair.system), clean(pair.baseline)
        places, unit = view.decimals(pair.metric).gain, view.label(pair.metric)
        size = f"{to_fixed(abs(pair.gain), places)} {unit}"
        return {
            _BETTER: f"{system} outscores {baseline} by {size}",
            _WORSE: f"{baseline} outscores {system} by {size}",
            _OPEN: f"{system} is not shown to differ from {baseline}",
        }[_verdict(view, pair)]
    found = [_verdict(view, pair) for pair in pairs]
    better, worse, of = found.count(_BETTER), found.count(_WORSE), len(pairs)
    against = "" if view.other_pairs else f" over {clean(view.baseline)}"
    losses = f", {worse} {'is a loss' if worse == 1 else 'are losses'}" if worse else ""
    rest = "" if better + worse == of else "; the others are not shown"
    return f"{better} of {of} gains{against} hold{losses}{rest}"


def _describe(view: View) -> str:
    corrected = f", {describe_correction(view.correction)} over {view.family}" if view.corrected else ""
    return f"coloured arrowheads: p at most {view.result.alpha:g}{corrected}, and 0 outside the interval"
