"""The panels of declared pictures as Vega-Lite: a function for each kind."""

from __future__ import annotations

import math
from typing import Any

from outscore.report.plots import theme
from outscore.report.plots.theme import BLUE, FAINT, INK, ROW, WIDTH, draw_ends
from outscore.results.pictures import Bar, Dots, Intervals, RankBars, Signs

Spec = dict[str, Any]

_LOW_ROW, _CROWDED = 17, 20
_RULE: Spec = {"type": "rule", "strokeWidth": 2.5}
POINT: Spec = {"type": "point", "filled": True, "opacity": 1}


def colour_of(name: str) -> str:
    """A colour of the theme."""
    return str(getattr(theme, name.upper()))


def names_axis(field: str, names: list[str]) -> Spec:
    """Names down the left side, in their order."""
    axis = {"title": None, "ticks": False, "domain": False}
    return {"field": field, "type": "nominal", "sort": names, "axis": axis}


def signs(said: Signs | None) -> Spec:
    """Colours and shapes of marks."""
    if said is None:
        return {"color": {"value": BLUE}}
    legend = {"title": None, "symbolOpacity": 1, "symbolStrokeColor": FAINT} if said.legend else None
    about: Spec = {"field": said.field, "type": "nominal", "legend": legend}
    colours = {"domain": list(said.colours), "range": [colour_of(one) for one in said.colours.values()]}
    shapes = {"domain": list(said.shapes), "range": list(said.shapes.values())}
    return {"color": {**about, "scale": colours}, **({"shape": {**about, "scale": shapes}} if said.shapes else {})}


def heading(text: str) -> Spec:
    """The heading of one of several panels."""
    return {"title": {"text": text, "fontSize": 13}} if text else {}


def draw_intervals(panel: Intervals) -> Spec:
    """A forest plot."""
    ends = draw_ends([(row.value, row.ci) for row in panel.rows], zero=panel.zero)
    rows = [
        {
            panel.names: row.name,
            panel.values: row.value,
            "low": low,
            "high": high,
            **({panel.signs.field: row.sign} if panel.signs and row.sign else {}),
            "numbers": row.written,
        }
        for row, (low, high) in zip(panel.rows, ends, strict=True)
    ]
    y = names_axis(panel.names, list(dict.fromkeys(row.name for row in panel.rows)))
    scale = {} if panel.zero else {"scale": {"zero": False}}
    x = {"type": "quantitative", **scale, "axis": {"title": panel.axis, "grid": True}}
    shown = signs(panel.signs)
    single = [{panel.names: row.name, "run": run} for row in panel.rows for run in row.single]
    told = [panel.names, *({panel.signs.field: 0} if panel.signs and panel.signs.shapes else {})]
    tips = [{"field": told[0]}, {"field": "numbers", "title": panel.values}, *({"field": one} for one in told[1:])]
    mark = {"type": "rule", "color": INK, "strokeWidth": 1.2}
    zero = {"mark": mark, "data": {"values": [{"zero": 0}]}, "encoding": {"x": {**x, "field": "zero"}}}
    layers: list[Spec] = [zero] if panel.zero else []
    if any(low is not None for low, _ in ends):
        across = {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": shown["color"]}
        layers.append({"mark": _RULE, "encoding": across})
    for end, shape in enumerate(("triangle-left", "triangle-right")):
        # an end that leads on says so, else the interval would seem to end there
        opened = [made for made, row in zip(rows, panel.rows, strict=True) if row.ci and math.isinf(row.ci[end])]
        if opened:
            at = {"y": y, "x": {**x, "field": ("low", "high")[end]}, "color": shown["color"]}
            layers.append({"mark": {**POINT, "shape": shape, "size": 60}, "data": {"values": opened}, "encoding": at})
    if single:
        mark = {"type": "tick", "color": FAINT, "thickness": 1.5, "size": 12}
        encoding = {"y": y, "x": {"field": "run", "type": "quantitative"}}
        layers.append({"mark": mark, "data": {"values": single}, "encoding": encoding})
    point = {"y": y, "x": {**x, "field": panel.values}, **shown, "tooltip": tips}
    layers.append({"mark": {**POINT, "size": 90}, "encoding": point})
    mark = {"type": "text", "align": "left", "dx": 8, "color": INK}
    layers.append({"mark": mark, "encoding": {"y": y, "x": {"value": WIDTH}, "text": {"field": "numbers"}}})
    return {
        **heading(panel.heading),
        "data": {"values": rows},
        "width": WIDTH,
        "height": {"step": _LOW_ROW if len(rows) > _CROWDED else ROW},
        "layer": layers,
    }


def draw_dots(panel: Dots) -> Spec:
    """Values of single runs, and their mean."""
    single = {name: tuple(value for of, _, value, _ in panel.single if of == name) for name, _ in panel.rows}
    rows = tuple(Bar(name=name, value=mean, ci=None, written="", single=single[name]) for name, mean in panel.rows)
    return draw_intervals(Intervals(names="system", values="mean", axis=panel.axis, rows=rows))


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
