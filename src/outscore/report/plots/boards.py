"""Rank sets as bars beside the scores, as Vega-Lite."""

from __future__ import annotations

from outscore.report.plots.panels import POINT, Spec, names_axis
from outscore.report.plots.theme import BLUE, INK
from outscore.results.pictures import RankBars

_SCORES_WIDTH, _RANKS_WIDTH = 230, 260
_ROW, _LOW_ROW, _CROWDED = 24, 17, 25


def draw_rank_bars(panel: RankBars) -> Spec:
    """Two panels side by side; a line where a tier ends."""
    names = [row["system"] for row in panel.rows]
    k = len(names)
    y: Spec = {**names_axis("system", names), "scale": {"type": "band", "domain": names, "padding": 0}}
    unnamed = {**y, "axis": None}
    point = {"mark": {**POINT, "size": 60, "color": BLUE}}
    lines: list[Spec] = [
        {
            "data": {"values": [{"system": name} for name in panel.tiers]},
            "mark": {"type": "rule", "color": INK, "strokeWidth": 1.2},
            "encoding": {"y": {**y, "bandPosition": 1}, "x": {"value": 0}, "x2": {"value": "width"}},
        }
    ]
    lines = lines if panel.tiers else []
    x = {"type": "quantitative", "scale": {"zero": False}, "axis": {"title": panel.axis, "grid": True}}
    rank = {
        "type": "quantitative",
        "scale": {"domain": [0.5, k + 0.5], "nice": False},
        "axis": {"title": "Rank, 1 is the best", "grid": True, "tickMinStep": 1, "format": "d"},
    }
    scores: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "color": BLUE},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
        },
        {**point, "encoding": {"x": {**x, "field": "value"}, "y": y}},
    ]
    tips = [{"field": name} for name in ("system", "score", "rank set", "letters")]
    ranks: list[Spec] = [
        {
            "mark": {"type": "bar", "color": BLUE, "opacity": 0.3, "height": {"band": 0.55}, "cornerRadius": 3},
            "encoding": {"x": {**rank, "field": "from"}, "x2": {"field": "to"}, "y": unnamed},
        },
        {**point, "encoding": {"x": {**rank, "field": "rank"}, "y": unnamed, "tooltip": tips}},
        {
            "mark": {"type": "text", "align": "left", "dx": 10, "color": INK},
            "encoding": {"x": {"value": _RANKS_WIDTH}, "y": unnamed, "text": {"field": "said"}},
        },
    ]
    step = {"step": _ROW if k <= _CROWDED else _LOW_ROW}
    data = {"values": list(panel.rows)}
    return {
        "hconcat": [
            {"data": data, "width": width, "height": step, "layer": [*lines, *layers]}
            for width, layers in ((_SCORES_WIDTH, scores), (_RANKS_WIDTH, ranks))
        ],
        "spacing": 14,
    }
