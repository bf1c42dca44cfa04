"""Leaderboards: rank sets as bars beside the scores, who beats whom as squares, mean ranks on a line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from outscore.base.errors import UsageError, inflect
from outscore.report.numbers import interval, level, p_text, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.critical_difference import critical_difference
from outscore.report.plots.theme import BLUE, FAINT, GRID, INK, ORANGE, title
from outscore.report.text import clean
from outscore.report.view import arrow_of
from outscore.report.writer import ReportWriter
from outscore.results import Leaderboard, Place, Score
from outscore.results.naming import describe_correction

_SCORES_WIDTH, _RANKS_WIDTH = 230, 260
_ROW, _LOW_ROW, _CROWDED = 24, 17, 25
_CELL, _SMALL_CELL, _MOST_NUMBERS = 46, 15, 12
_SAID = {"better": "row better", "worse": "row worse", "": "open"}

_Figure = Literal["", "board", "wins", "ranks"]


@chart("rank")
@dataclass(frozen=True)
class RankChart:
    """The pictures of a leaderboard, one below the other, for each metric.

    Attributes:
        figure: the one to be drawn, ``board``, ``wins`` or ``ranks``; empty for all that there are.
    """

    figure: _Figure = ""

    def draw(self, result: Leaderboard) -> dict[str, Any]:
        """One specification with everything in it.

        Raises:
            UsageError: mean ranks are wanted where there are no blocks.
        """
        view = ReportWriter(result, None)
        drawn: list[dict[str, Any]] = []
        for metric in view.metrics:
            if self.figure in ("", "board"):
                drawn.append(_board(result, view, metric))
            if self.figure in ("", "wins"):
                drawn.append(_wins(result, view, metric))
            if self.figure in ("", "ranks"):
                drawn += [critical_difference(result, view, one) for one in result.mean_ranks if one.metric == metric]
        if not drawn:
            raise UsageError("there are no mean ranks: name blocks with --blocks, or give several data sets")
        return drawn[0] if len(drawn) == 1 else {"vconcat": drawn, "spacing": 40, "resolve": _APART}


_APART: dict[str, Any] = {"scale": {"color": "independent", "x": "independent", "y": "independent"}}


def _board(result: Leaderboard, view: ReportWriter, metric: str) -> dict[str, Any]:
    """Scores with their intervals, and rank sets, system by system; a line where a tier ends."""
    board = result.board(metric)
    scores = {score.system: score for score in view.scores(metric)}
    places = view.decimals(metric).score
    rows = [_row(place, scores[place.system], places) for place in board]
    ends = [{"system": clean(a.system)} for a, b in pairwise(board) if a.tier != b.tier]
    first = scores[board[0].system]
    step = _ROW if len(rows) <= _CROWDED else _LOW_ROW
    names = [row["system"] for row in rows]
    lines = f"a line ends a tier ({len(ends) + 1} tiers)" if ends else "one tier: no line divides the systems"
    ranks: list[dict[str, Any]] = [
        *_tier_lines(ends, names),
        {
            "mark": {"type": "bar", "color": BLUE, "opacity": 0.3, "height": {"band": 0.55}, "cornerRadius": 3},
            "encoding": {"x": _rank_axis("from", len(rows)), "x2": {"field": "to"}, "y": _names(names, shown=False)},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1, "color": BLUE},
            "encoding": {
                "x": _rank_axis("rank", len(rows)),
                "y": _names(names, shown=False),
                "tooltip": [{"field": name} for name in ("system", "score", "rank set", "letters")],
            },
        },
        {
            "mark": {"type": "text", "align": "left", "dx": 10, "color": INK},
            "encoding": {"x": {"value": _RANKS_WIDTH}, "y": _names(names, shown=False), "text": {"field": "said"}},
        },
    ]
    axis = {"title": f"{view.label(metric)} {arrow_of(first)} with {level(result.alpha)} intervals", "grid": True}
    x = {"type": "quantitative", "scale": {"zero": False}, "axis": axis}
    plain: list[dict[str, Any]] = [
        *_tier_lines(ends, names),
        {
            "mark": {"type": "rule", "strokeWidth": 2, "color": BLUE},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": _names(names)},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1, "color": BLUE},
            "encoding": {"x": {"field": "value", **x}, "y": _names(names)},
        },
    ]
    panels = ((_SCORES_WIDTH, plain), (_RANKS_WIDTH, ranks))
    return {
        "title": title(
            _finding(result, view, metric),
            f"right: rank by the score, and the rank set; {result.claim(view)}",
            f"{lines}; systems that share a letter do not differ significantly",
        ),
        "hconcat": [
            {"data": {"values": rows}, "width": width, "height": {"step": step}, "layer": layers}
            for width, layers in panels
        ],
        "spacing": 14,
    }


def _row(place: Place, score: Score, places: int) -> dict[str, Any]:
    low, high = score.ci or (None, None)
    return {
        "system": clean(place.system),
        "value": score.score,
        "low": low,
        "high": high,
        "score": f"{to_fixed(score.score, places)} {interval(score.ci, places)}",
        "rank": place.rank,
        "from": place.best - 0.4,
        "to": place.worst + 0.4,
        "rank set": place.rank_set,
        "letters": place.letters,
        "said": f"{place.rank_set}  {place.letters}",
    }


def _tier_lines(ends: list[dict[str, str]], names: list[str]) -> list[dict[str, Any]]:
    if not ends:
        return []
    y = {**_names(names), "bandPosition": 1}
    return [
        {
            "data": {"values": ends},
            "mark": {"type": "rule", "color": INK, "strokeWidth": 1.2},
            "encoding": {"y": y, "x": {"value": 0}, "x2": {"value": "width"}},
        }
    ]


def _names(names: list[str], *, shown: bool = True) -> dict[str, Any]:
    axis = {"title": None, "ticks": False, "domain": False} if shown else None
    return {
        "field": "system",
        "type": "nominal",
        "sort": names,
        "scale": {"type": "band", "domain": names, "padding": 0},
        "axis": axis,
    }


def _rank_axis(field: str, k: int) -> dict[str, Any]:
    axis = {"title": "Rank, 1 is the best", "grid": True, "tickMinStep": 1, "format": "d"}
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": [0.5, k + 0.5], "nice": False},
        "axis": axis,
    }


def _finding(result: Leaderboard, view: ReportWriter, metric: str) -> str:
    """The title: who leads, if that is known."""
    leaders, k = result.leaders(metric), len(result.board(metric))
    by = f" by {view.label(metric)}" if len(view.metrics) > 1 else ""
    if len(leaders) == 1:
        return f"{clean(leaders[0])} leads the {k} systems{by}"
    if len(leaders) == k:
        return f"Any of the {k} systems may be the best{by}"
    return f"{len(leaders)} of {k} systems may be the best{by}"


def _wins(result: Leaderboard, view: ReportWriter, metric: str) -> dict[str, Any]:
    """A square for every two systems."""
    board = [place.system for place in result.board(metric)]
    places = view.decimals(metric).gain
    pairs = {(one.system, one.other): one for match in result.matches(metric) for one in (match, match.mirrored)}
    k = len(board)
    rows = [
        {
            "row": clean(a),
            "column": clean(b),
            "outcome": _SAID[pairs[a, b].verdict],
            "gain": to_fixed(pairs[a, b].gain, places, sign=True),
            "p": p_text(pairs[a, b].p, result.alpha),
        }
        for a in board
        for b in board
        if a != b
    ]
    held = sum(pair.verdict in ("better", "worse") for pair in result.pairs if pair.metric == metric)
    names = [clean(name) for name in board]
    step = _CELL if k <= _MOST_NUMBERS else _SMALL_CELL
    ends = {"type": "nominal", "sort": names}
    corrected = "" if result.correction == "none" else f", {describe_correction(result.correction)}"
    numbers = {
        "mark": {"type": "text", "fontSize": 10},
        "encoding": {
            "text": {"field": "gain"},
            "color": {"condition": {"test": "datum.outcome == 'open'", "value": INK}, "value": "white"},
        },
    }
    by = f" by {view.label(metric)}" if len(view.metrics) > 1 else ""
    tooltip = [{"field": name} for name in ("row", "column", "gain", "p", "outcome")]
    return {
        "title": title(
            f"{held} of {inflect(k * (k - 1) // 2, 'pair')} of systems differ{by}",
            f"p ≤ {result.alpha:g}{corrected}; gain of the row over the column",
        ),
        "data": {"values": rows},
        "width": {"step": step},
        "height": {"step": step if k > _MOST_NUMBERS else _ROW},
        "encoding": {
            "x": {"field": "column", **ends, "axis": {"title": None, "labelAngle": -60, "orient": "top"}},
            "y": {"field": "row", **ends, "axis": {"title": None}},
        },
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "white", "strokeWidth": 1},
                "encoding": {
                    "color": {
                        "field": "outcome",
                        "type": "nominal",
                        "scale": {"domain": list(_SAID.values()), "range": [BLUE, ORANGE, GRID]},
                        "legend": {"title": None, "symbolStrokeColor": FAINT},
                    },
                    "tooltip": tooltip,
                },
            },
            *([numbers] if k <= _MOST_NUMBERS else []),
        ],
    }
