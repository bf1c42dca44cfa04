"""The panels of declared pictures as Vega-Lite: a function for each kind."""

from __future__ import annotations

from typing import Any

from outscore.report.plots import theme
from outscore.report.plots.theme import BLUE, FAINT, INK, ORANGE, ROW, WIDTH, draw_ends
from outscore.results.pictures import Dots, Histogram, Intervals, Signs

Spec = dict[str, Any]

_HEIGHT, _LOW_ROW, _CROWDED = 140, 17, 20
_RULE: Spec = {"type": "rule", "strokeWidth": 2.5}
POINT: Spec = {"type": "point", "filled": True, "opacity": 1}


def colour_of(name: str) -> str:
    """A colour of the theme."""
    return str(getattr(theme, name.upper()))


def names_axis(field: str, names: list[str]) -> Spec:
    """Names down the left side, in their order."""
    axis = {"title": None, "ticks": False, "domain": False}
    return {"field": field, "type": "nominal", "sort": names, "axis": axis}


def line_at(value: float, field: str, axis: Spec, *, broken: bool = False, across: str = "x") -> Spec:
    """A line through the picture."""
    mark = {"color": FAINT, "strokeDash": [5, 4]} if broken else {"color": INK, "strokeWidth": 1.2}
    return {
        "mark": {"type": "rule", **mark},
        "data": {"values": [{field: value}]},
        "encoding": {across: {**axis, "field": field}},
    }


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
    ends = draw_ends([(row.value, row.ci) for row in panel.rows])
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
    layers: list[Spec] = [
        *([line_at(0, "zero", x)] if panel.zero else []),
        *([line_at(panel.across, "whole", x, broken=True)] if panel.across is not None else []),
    ]
    if any(low is not None for low, _ in ends):
        across = {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": shown["color"]}
        layers.append({"mark": _RULE, "encoding": across})
    if single:
        mark = {"type": "tick", "color": FAINT, "thickness": 1.5, "size": 12}
        encoding = {"y": y, "x": {"field": "run", "type": "quantitative"}}
        layers.append({"mark": mark, "data": {"values": single}, "encoding": encoding})
    point = {"y": y, "x": {**x, "field": panel.values}, **shown, "tooltip": tips}
    layers.append({"mark": {**POINT, "size": 60 if panel.low else 90}, "encoding": point})
    if not panel.low:
        mark = {"type": "text", "align": "left", "dx": 8, "color": INK}
        layers.append({"mark": mark, "encoding": {"y": y, "x": {"value": WIDTH}, "text": {"field": "numbers"}}})
    return {
        **heading(panel.heading),
        "data": {"values": rows},
        "width": WIDTH,
        "height": {"step": _LOW_ROW if panel.low or len(rows) > _CROWDED else ROW},
        "layer": layers,
    }


def draw_histogram(panel: Histogram) -> Spec:
    """Bars, with lines at 0 and at the observed value."""
    total = sum(panel.counts)
    bins = [
        {"from": low, "to": high, "share": count / total}
        for low, high, count in zip(panel.edges, panel.edges[1:], panel.counts, strict=False)
    ]
    x = {"type": "quantitative", "axis": {"title": panel.axis, "grid": False}}
    up = {"field": "share", "type": "quantitative", "axis": {"title": "Proportion", "format": "%"}}
    observed = line_at(panel.observed, "at", x)
    observed["mark"]["color"] = ORANGE
    return {
        **heading(panel.heading),
        "width": WIDTH,
        "height": _HEIGHT,
        "layer": [
            {
                "data": {"values": bins},
                "mark": {"type": "rect", "color": BLUE, "opacity": 0.6},
                "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}, "y": up, "y2": {"datum": 0}},
            },
            line_at(0, "at", x),
            observed,
        ],
    }


def draw_dots(panel: Dots) -> Spec:
    """Points, and bars at their means."""
    means = [{"system": name, "score": value} for name, value in panel.rows]
    runs = [{"system": name, "run": run, "score": value, "text": text} for name, run, value, text in panel.single]
    y = names_axis("system", [name for name, _ in panel.rows])
    x = {"field": "score", "type": "quantitative", "scale": {"zero": False}, "axis": {"title": panel.axis}}
    return {
        "width": WIDTH,
        "height": {"step": ROW},
        "layer": [
            {
                "data": {"values": means},
                "mark": {"type": "tick", "color": ORANGE, "thickness": 3, "size": 18},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": runs},
                "mark": {"type": "point", "filled": True, "size": 60, "color": BLUE, "opacity": 0.8},
                "encoding": {"x": x, "y": y, "tooltip": [{"field": "run"}, {"field": "text", "title": "score"}]},
            },
        ],
    }
