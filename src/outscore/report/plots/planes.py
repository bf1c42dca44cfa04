"""Squares, and lines, bands, points and texts over two axes of numbers, as Vega-Lite."""

from __future__ import annotations

from typing import Any

from outscore.report.plots import theme
from outscore.report.plots.panels import Spec, colour_of, heading, signs
from outscore.report.plots.theme import DASHES, INK, SKY, WIDTH
from outscore.results.pictures import Histogram, Marks, Plane, Scale, Squares
from outscore.results.study import Axis

_FORMATS = {"percent": "%", "count": ",d"}
_PAPER_TO_SKY = {"domain": [0, 1], "range": ["#ffffff", SKY], "interpolate": "rgb"}


def draw_squares(panel: Squares) -> Spec:
    """Shaded or coloured squares, with their numbers in them."""
    down, across = panel.titles
    crowded = panel.signs is not None
    turned = {"labelAngle": -60, "orient": "top"} if crowded else {"labelAngle": -40}
    ends = {"type": "nominal", "sort": list(panel.names)}
    colour = (
        signs(panel.signs)["color"]
        if panel.signs
        else {
            "field": panel.share,
            "type": "quantitative",
            "scale": _PAPER_TO_SKY,
            "legend": {"title": "proportion", "format": "%"},
        }
    )
    tips = {"tooltip": [{"field": name} for name in panel.tips]} if panel.tips else {}
    text: Spec = {"value": INK}
    if panel.signs is not None:  # light squares have dark numbers
        *_, light = panel.signs.colours
        text = {"condition": {"test": f"datum.{panel.signs.field} == '{light}'", "value": INK}, "value": "white"}
    written = {"mark": {"type": "text"}, "encoding": {"text": {"field": panel.text, **_whole(panel)}, "color": text}}
    return {
        **heading(panel.heading),
        "data": {"values": list(panel.rows)},
        "width": {"step": panel.step},
        "height": {"step": panel.height or panel.step},
        "encoding": {
            "x": {"field": panel.across, **ends, "axis": {"title": across or None, **turned}},
            "y": {"field": panel.down, **ends, "axis": {"title": down or None}},
        },
        "layer": [
            {"mark": {"type": "rect", "stroke": "white"}, "encoding": {"color": colour, **tips}},
            *([written] if panel.text else []),
        ],
    }


def _whole(panel: Squares) -> Spec:
    """Counts, among them those of pairs of labels, are written without decimals."""
    return {"type": "quantitative", "format": ",.0f"} if panel.share else {}


def draw_plane(panel: Plane) -> Spec:
    """Layers over two theme."""
    found = [
        row[name] for marks in panel.marks for row in marks.rows or panel.rows for name in {marks.x, marks.x2} if name
    ]
    x, y = _scale(panel.x, [value for value in found if value is not None]), _scale(panel.y, [])
    width, height = panel.size
    layers = [_layer(marks, x, y) for marks in panel.marks]
    shared = {"data": {"values": list(panel.rows)}} if panel.rows else {}
    return {**heading(panel.heading), **shared, "width": width, "height": height, "layer": layers}


def draw_histogram(panel: Histogram) -> Spec:
    """Steps as high as the counts, with lines at 0, at the observed value, and where the spread ends."""
    steps = zip(panel.edges, (*panel.counts, panel.counts[-1]), strict=True)
    marks = (
        Marks(
            mark="band", rows=tuple({"value": edge, "count": n} for edge, n in steps), x="value", y="count", steps=True
        ),
        Marks(mark="rule", rows=({"value": 0.0},), x="value", colour="ink", thick=1.2),
        Marks(mark="rule", rows=tuple({"value": end} for end in panel.spread), x="value", colour="ink", broken=True),
        Marks(mark="rule", rows=({"value": panel.observed},), x="value", colour="orange"),
    )
    counts = Scale(title="count", ends=(0, max(panel.counts)), written="count")
    return draw_plane(Plane(x=Scale(title=panel.axis), y=counts, marks=marks, heading=panel.heading))


def _scale(scale: Scale, found: list[float]) -> Spec:
    if scale.log and not scale.ticks:
        return theme.numbers(Axis(title=scale.title, scale="log"), found, grid=scale.grid)
    axis: Spec = {"title": scale.title, "grid": scale.grid}
    if scale.written != "number":
        axis["format"] = _FORMATS[scale.written]
    if scale.ticks:
        axis |= {"values": list(scale.ticks), "format": "~g"}
    if scale.log:
        return {"type": "quantitative", "scale": {"type": "log", "nice": False}, "axis": axis}
    # sizes begin and end where the curve does
    near = {"zero": False, **({"nice": False} if scale.written == "count" else {})}
    ends = near if scale.ends is None else {"domain": list(scale.ends)}
    return {"type": "quantitative", "scale": ends, "axis": axis}


def _layer(marks: Marks, x: Spec, y: Spec) -> Spec:
    encoding: Spec = {
        **({"x": {**x, "field": marks.x}} if marks.x else {}),
        **({"y": {**y, "field": marks.y}} if marks.y else {}),
        **({"x2": {"field": marks.x2}} if marks.x2 else {}),
        **({"y2": {"field": marks.y2}} if marks.y2 else {}),
        "color": signs(marks.signs)["color"] if marks.signs else {"value": colour_of(marks.colour)},
        **({"detail": {"field": marks.each}} if marks.each else {}),
        **({"order": {"field": marks.order, "type": "quantitative"}} if marks.order else {}),
        **({"tooltip": [{"field": name, "title": said} for name, said in marks.tips.items()]} if marks.tips else {}),
    }
    if marks.mark == "band":
        encoding["y"]["stack"] = None
    if marks.mark == "text":
        encoding["text"] = {"field": marks.text}
        encoding |= {} if marks.x else {"x": {"value": WIDTH}}
        encoding |= {} if marks.y else {"y": {"value": 3}}
    own = {"data": {"values": list(marks.rows)}} if marks.rows else {}
    return {**own, "mark": _mark(marks), "encoding": encoding}


def _mark(marks: Marks) -> dict[str, Any]:
    if marks.mark == "band":
        steps = {"interpolate": "step-after"} if marks.steps else {}
        return {"type": "area", "orient": "vertical", "opacity": 0.18, **steps}
    if marks.mark == "point":
        return {"type": "point", "filled": True, "size": 60, "opacity": 1}
    if marks.mark == "text":
        side: Spec = {"align": "right", "dx": -6} if marks.left else {"align": "left", "dx": 6}
        side |= {"dy": -5} if marks.x and marks.y else {}  # above the lines through the point
        return {"type": "text", "baseline": "middle" if marks.y else "top", "fontSize": 11, **side}
    look: Spec = {"type": marks.mark, "strokeWidth": marks.thick}
    if marks.broken:
        look |= {"strokeWidth": 1, "strokeDash": DASHES}
    if marks.dotted:
        look["point"] = {"color": colour_of(marks.colour), "size": 46}
    return look | ({"opacity": marks.faint} if marks.faint < 1 else {})
