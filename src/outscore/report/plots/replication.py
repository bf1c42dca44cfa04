"""The gains on several data sets: a forest plot, those that hold marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import BLUE, FAINT, INK, ORANGE, ROW, WIDTH, draw_ends, title
from outscore.report.text import clean
from outscore.report.view import View
from outscore.results import Replicated, Replication, SetGain

_MOST = 3
_CROWDED, _LOW_ROW = 20, 17
_HOLDS, _OPEN = "holds", "not shown"


@chart("replicate")
@dataclass(frozen=True)
class Forest:
    """Every data set's gain with its interval, the largest first; one panel for each system and metric."""

    def draw(self, result: Replication) -> dict[str, Any]:
        """Forest plots; of many systems those that hold on most data sets."""
        view = View(result, None)
        ranked = sorted(result.replicated, key=lambda one: (-(one.count or 0), -abs(one.mean_gain)))[:_MOST]
        claims = [one for one in result.replicated if one in ranked]
        left_out = len(result.replicated) - len(claims)
        return {
            "title": title(
                _finding(result, claims),
                f"Gains over {clean(result.baseline)}{_describe_marks(result, claims)}",
                f"{inflect(left_out, 'other system')} left out" if left_out else "",
            ),
            "vconcat": [_panel(result, view, one) for one in claims],
            "spacing": 18,
        }


def _panel(result: Replication, view: View, one: Replicated) -> dict[str, Any]:
    places = view.decimals(one.metric).gain
    gains = [g for g in result.set_gains if (g.system, g.metric) == (one.system, one.metric)]
    gains.sort(key=lambda g: -g.gain)
    ends = draw_ends([(gain.gain, gain.ci) for gain in gains])
    rows = [
        _row(gain, ends_of, places, holds=gain.data_set in one.holds_on)
        for gain, ends_of in zip(gains, ends, strict=True)
    ]
    y = {
        "field": "data set",
        "type": "nominal",
        "sort": [row["data set"] for row in rows],
        "axis": {"title": None, "ticks": False, "domain": False},
    }
    worse = result.alternative == "less"
    marks = {"domain": [_HOLDS, _OPEN], "range": [ORANGE if worse else BLUE, FAINT]}
    shapes = {"domain": [_HOLDS, _OPEN], "range": ["triangle-left" if worse else "triangle-right", "circle"]}
    colour = {"field": "claim", "type": "nominal", "scale": marks, "legend": None}
    axis = {"title": f"Gain of {clean(one.system)} in {view.label(one.metric)}, better to the right", "grid": True}
    return {
        "data": {"values": rows},
        "width": WIDTH,
        "height": {"step": ROW if len(rows) <= _CROWDED else _LOW_ROW},
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
                    "x": {"field": "low", "type": "quantitative", "axis": axis},
                    "x2": {"field": "high"},
                    "color": colour,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {
                    "y": y,
                    "x": {"field": "gain", "type": "quantitative", "axis": axis},
                    "color": colour,
                    "shape": {"field": "claim", "type": "nominal", "scale": shapes, "legend": None},
                    "tooltip": [{"field": "data set"}, {"field": "numbers", "title": "gain"}, {"field": "claim"}],
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 8, "color": INK},
                "encoding": {"y": y, "x": {"value": WIDTH}, "text": {"field": "numbers"}},
            },
        ],
    }


def _row(gain: SetGain, drawn: tuple[float, float] | tuple[None, None], places: int, *, holds: bool) -> dict[str, Any]:
    ends = "" if gain.ci is None else f" {interval(gain.ci, places, sign=True)}"
    return {
        "data set": clean(gain.data_set),
        "gain": gain.gain,
        "low": drawn[0],
        "high": drawn[1],
        "claim": _HOLDS if holds else _OPEN,
        "numbers": f"{to_fixed(gain.gain, places, sign=True)}{ends}",
    }


def _finding(result: Replication, claims: list[Replicated]) -> str:
    """The title: on how many data sets, of the system that holds on most."""
    one = max(claims, key=lambda claim: (claim.count or 0, abs(claim.mean_gain)))
    of = f"{one.n_sets} data sets"
    system, baseline = clean(one.system), clean(one.baseline)
    ahead = "ahead of" if result.alternative == "greater" else "behind"
    if one.count is None:
        return f"{system} is {ahead} {baseline} on {one.n_ahead} of {of}"
    verb = "outscores" if result.alternative == "greater" else "scores below"
    if not one.count:
        return f"{system} is not shown to differ from {baseline} on any of {of}"
    return f"{system} {verb} {baseline} on at least {one.count} of {of}"


def _describe_marks(result: Replication, claims: list[Replicated]) -> str:
    if claims[0].count is None:
        return "; one number for each data set, not tested by itself"
    holds = f"the gain holds (Holm over data sets, alpha {result.alpha:g})"
    return f" with {level(result.alpha)} intervals; coloured arrowheads: {holds}"
