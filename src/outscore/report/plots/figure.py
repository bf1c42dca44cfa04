"""The pictures of a study as Vega-Lite specifications, from their declarations."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import cycle
from typing import Any

from outscore.base.text import clean
from outscore.report.plots import theme
from outscore.report.plots.theme import (
    BLUE,
    DASH,
    DASHES,
    FAINT,
    INK,
    MARKS,
    SERIES,
    SHAPES,
    WIDTH,
    fields_along,
    grows,
    is_positive,
    key,
    name_of,
    title,
    to_drawable,
)
from outscore.results.study import Axis, Field, Figure, FigureOfStudy, Findings, Layer, Value

_HEIGHT = 280
_PANEL_WIDTH, _PANEL_HEIGHT, _COLUMNS = 260, 180, 2
_POINT, _SMALL_POINT, _FEW, _MANY = 46, 14, 80, 400
_APART, _CLOSE = 5, 14  # points between the marks of several colours at one number, and at one name
_TITLE_LETTER, _SUBTITLE_LETTER, _BESIDE = 7.6, 5.9, 70  # points of a letter on average; of what stands left of a plot
_SIDE_BY_SIDE = ("point", "interval", "bar")

Rows = dict[str, list[dict[str, Value]]]
"""The rows of each table that are drawn."""


class Drawing:
    """One picture with the rows that it draws.

    Args:
        result: findings of the study.
        figure: the picture to be made of them.
        colours: of the values of each field that has colours.
        number: which of the pictures it is.
    """

    def __init__(
        self, result: Findings, figure: Figure, colours: Mapping[str, Mapping[str, str]], number: int = 0
    ) -> None:
        self.figure, self.number = figure, number
        tables = {layer.table: result.table(layer.table) for layer in figure.layers}
        self.rows: Rows = {name: self._select_rows(table.records()) for name, table in tables.items()}
        self.fields: dict[tuple[str, str], Field] = {
            (table.name, field.name): field for table in tables.values() for field in table.fields
        }
        self.colours = {field: self._seen(field, of) for field, of in colours.items()}

    def _select_rows(self, rows: list[dict[str, Value]]) -> list[dict[str, Value]]:
        """The rows that the picture is of."""
        where = self.figure.where
        return [
            {name: to_drawable(value) for name, value in row.items()}
            for row in rows
            if where is None or row[where[0]] == where[1]
        ]

    def _seen(self, field: str, colours: Mapping[str, str]) -> dict[str, str]:
        """The colours of the values that occur here."""
        of = {layer.table for layer in self.figure.layers if layer.colour == field}
        seen = {str(row[field]) for table in of for row in self.rows[table]}
        return {value: colour for value, colour in colours.items() if value in seen}

    def spec(self) -> dict[str, Any]:
        """The picture as Vega-Lite."""
        panels = self._panels()
        if len(panels) < 2:
            width, height = self._size(WIDTH, _HEIGHT)
            head = self._head(width)
            return {"title": head, "width": width, "height": height, "layer": self._layers(self.rows, last=True)}
        shared = "independent" if self.figure.own_ranges else "shared"
        return {
            "title": self._head(_COLUMNS * _PANEL_WIDTH + _BESIDE),
            "columns": _COLUMNS,
            "spacing": 24,
            "concat": [self._panel(value, place, len(panels)) for place, value in enumerate(panels)],
            "resolve": {"scale": {"color": "shared", "shape": "shared", "x": shared, "y": shared}},
        }

    def _head(self, width: int) -> dict[str, Any]:
        room = width + _BESIDE
        under = [
            part
            for line in self.figure.subtitle.split("\n")
            for part in textwrap.wrap(clean(line), int(room / _SUBTITLE_LETTER), break_on_hyphens=False)
        ]
        found = textwrap.wrap(clean(self.figure.title), int(room / _TITLE_LETTER), break_on_hyphens=False)
        return title("", *under) | {"text": found if len(found) > 1 else "".join(found)}

    def _panels(self) -> list[Value]:
        field = self.figure.facet
        return list(dict.fromkeys(row[field] for rows in self.rows.values() for row in rows)) if field else []

    def _panel(self, value: Value, place: int, n: int) -> dict[str, Any]:
        here = {name: [row for row in rows if row[self.figure.facet] == value] for name, rows in self.rows.items()}
        head = {"text": name_of(value), "fontSize": 13, "fontWeight": 600, "offset": 6}
        width, height = self._size(_PANEL_WIDTH, _PANEL_HEIGHT)
        # a title for each column and each row of panels
        titled = (place + _COLUMNS >= n, place % _COLUMNS == 0)
        layers = self._layers(here, titled=titled)
        return {"title": head, "width": width, "height": height, "layer": layers}

    def _size(self, width: int, height: int) -> tuple[int, int]:
        x, y = self.figure.x, self.figure.y
        return (
            theme.breadth(self._names["x"], width) if x.scale == "names" else width,
            theme.length(self._names["y"], self._abreast) if y.scale == "names" else height,
        )

    def _layers(
        self, rows: Rows, *, last: bool = False, titled: tuple[bool, bool] = (True, True)
    ) -> list[dict[str, Any]]:
        scope = rows if self.figure.own_ranges else self.rows
        drawn = [self._layer(layer, rows[layer.table], scope, titled) for layer in self.figure.layers]
        if last and "names" not in (self.figure.x.scale, self.figure.y.scale):
            # where the picture is live, mouse and wheel move both axes; elsewhere it does nothing
            both = [one for one in drawn if {"x", "y"} <= one["encoding"].keys()]
            for one in both[-1:]:
                one["params"] = [{"name": f"zoom_{self.number}", "select": "interval", "bind": "scales"}]
        return drawn

    def _layer(
        self, layer: Layer, rows: list[dict[str, Value]], scope: Rows, titled: tuple[bool, bool]
    ) -> dict[str, Any]:
        used = [name for name in (layer.x, layer.y, layer.low, layer.high, layer.colour, layer.label) if name]
        logs = [name for which, axis in self._axes() if axis.scale == "log" for name in fields_along(layer, which)]
        values: list[dict[str, Value]] = [
            {key(name): name_of(row[name]) if name == layer.colour else row[name] for name in used}
            for row in rows
            if all(row[name] is not None for name in used) and all(is_positive(row[name]) for name in logs)
        ]
        mark = dict(MARKS[layer.mark]) | self._style(layer, len(values))
        encoding: dict[str, Any] = {}
        for (which, axis), wanted in zip(self._axes(), titled, strict=True):
            found = fields_along(layer, which)
            if found:
                encoding[which] = {"field": key(found[0]), **self._scale(which, axis, scope, wanted)}
            if len(found) > 1:
                encoding[f"{which}2"] = {"field": key(found[1])}
            if axis.scale == "names" and self._abreast > 1 and layer.mark in _SIDE_BY_SIDE and layer.colour:
                encoding[f"{which}Offset"] = self._offset(layer, which)
        if layer.colour:
            legend = self._legend(layer.colour)
            encoding["color"] = self._colour(layer.colour, list(self.colours[layer.colour].values()), legend)
            if layer.mark == "point" and len(values) <= _MANY and len(self.colours[layer.colour]) <= len(SHAPES):
                encoding["shape"] = self._colour(layer.colour, self._shapes(layer.colour), legend)
            self._shift(layer, values, mark)
        if layer.label:
            encoding["text"] = {"field": key(layer.label)}
            self._place_texts(layer, values, mark)
        encoding["tooltip"] = [self._tip(layer.table, name) for name in used]
        return {"data": {"values": values}, "mark": mark, "encoding": encoding}

    def _axes(self) -> tuple[tuple[str, Axis], tuple[str, Axis]]:
        return ("x", self.figure.x), ("y", self.figure.y)

    def _scale(self, which: str, axis: Axis, scope: Rows, titled: bool) -> dict[str, Any]:
        if axis.scale == "names":
            return theme.names(axis, self._names[which], upright=which == "y", titled=titled)
        found = [value for value in self._values(which, scope) if isinstance(value, int | float)]
        # lines through the picture lead from the numbers to the marks: across it, or up from below where y has names
        grid = which == "y" or self.figure.y.scale == "names"
        bars = any(layer.mark == "bar" and grows(self.figure) == which for layer in self.figure.layers)
        return theme.numbers(axis, found, grid=grid, titled=titled, bars=bars and axis.scale != "log")

    def _values(self, which: str, scope: Rows) -> list[Value]:
        """All that is drawn along an axis."""
        return [
            row[name]
            for layer in self.figure.layers
            for name in fields_along(layer, which)
            for row in scope[layer.table]
        ]

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        return {
            which: list(dict.fromkeys(name_of(value) for value in self._values(which, self.rows) if value is not None))
            for which, axis in self._axes()
            if axis.scale == "names"
        }

    @cached_property
    def _abreast(self) -> int:
        """The most colours that stand at one name."""
        named = next((which for which, axis in self._axes() if axis.scale == "names"), None)
        seen: dict[Value, set[Value]] = {}
        for layer in self.figure.layers if named else ():
            for row in self.rows[layer.table] if layer.colour and fields_along(layer, str(named)) else ():
                place = row[fields_along(layer, str(named))[0]]
                seen.setdefault(f"{row[self.figure.facet] if self.figure.facet else ''} {place}", set()).add(
                    row[layer.colour]
                )
        return max(map(len, seen.values()), default=1)

    @cached_property
    def _beyond(self) -> bool:
        """Whether something lies beyond the ends of an axis."""
        return any(
            axis.domain is not None
            and any(
                isinstance(value, int | float) and not axis.domain[0] <= value <= axis.domain[1]
                for value in self._values(which, self.rows)
            )
            for which, axis in self._axes()
        )

    def _offset(self, layer: Layer, which: str) -> dict[str, Any]:
        """Where the colours of one name stand: bars fill its band, points and intervals stand close together."""
        colours, outer = list(self.colours[layer.colour]), 0.2
        if not any(one.mark == "bar" for one in self.figure.layers):
            size = self._size(WIDTH if not self.figure.facet else _PANEL_WIDTH, _HEIGHT)[which == "y"]
            outer = max(outer, (0.8 * size / len(self._names[which]) / _CLOSE - len(colours)) / 2)
        scale = {"domain": colours, "paddingOuter": outer}
        return {"field": key(layer.colour), "type": "nominal", "scale": scale}

    def _colour(self, field: str, kinds: list[str], legend: dict[str, Any]) -> dict[str, Any]:
        domain = list(self.colours[field])
        scale = {"domain": domain, "range": kinds[: len(domain)]}
        return {"field": key(field), "type": "nominal", "scale": scale, "legend": legend}

    def _shapes(self, field: str) -> list[str]:
        """The shape of each value: its own where it has points, else a dash."""
        drawn = [one for one in self.figure.layers if one.mark == "point" and one.colour == field]
        seen = {name_of(row[field]) for one in drawn for row in self.rows[one.table]}
        shapes = iter(SHAPES)
        return [next(shapes) if value in seen else DASH for value in self.colours[field]]

    def _legend(self, field: str) -> dict[str, Any]:
        widest = max((len(name) for name in self.colours[field]), default=1)
        columns = max(1, int((WIDTH + _BESIDE) / (widest * _SUBTITLE_LETTER + 30)))
        return {"title": None, "orient": "top", "symbolOpacity": 1, "columns": columns, "labelLimit": 400}

    def _style(self, layer: Layer, n: int) -> dict[str, Any]:
        """Properties of a Vega-Lite mark that follow from its layer and the number of its values."""
        # marks at the ends of an axis are not cut in half
        look: dict[str, Any] = {"clip": True} if self._beyond else {}
        if layer.mark == "point":
            look |= {"size": _SMALL_POINT if n > _MANY else _POINT, "opacity": 0.85 if n < _FEW else 0.5}
        if layer.dashed and layer.mark in ("line", "interval"):
            look["strokeDash"] = DASHES
        if not layer.colour and layer.mark not in ("text", "x-rule", "y-rule"):
            look["color"] = FAINT if layer.dashed else BLUE
        return look

    def _shift(self, layer: Layer, values: list[dict[str, Value]], mark: dict[str, Any]) -> None:
        """Marks of several colours over one number are moved apart, as far as the eye needs."""
        numeric = self.figure.x.scale != "names" and layer.x
        ranged = [one for one in self.figure.layers if one.mark == "interval" and one.x and one.colour == layer.colour]
        if not numeric or not ranged or layer.mark not in ("point", "interval"):
            return
        places: dict[Value, set[Value]] = {}
        for one in ranged:
            for row in self.rows[one.table]:
                places.setdefault(row[one.x], set()).add(row[one.colour])
        order = list(self.colours[layer.colour])
        if max(map(len, places.values()), default=0) < 2:
            return
        for row in values:
            row["_shift"] = _APART * (order.index(str(row[key(layer.colour)])) - (len(order) - 1) / 2)
        mark["xOffset"] = {"expr": "datum._shift"}

    def _place_texts(self, layer: Layer, values: list[dict[str, Value]], mark: dict[str, Any]) -> None:
        """Texts stand to the right of their points in the left half, to the left of them in the right half."""
        if self.figure.x.scale == "names" or not layer.x:
            mark |= {"dy": -10}
            return
        found = [value for value in self._values("x", self.rows) if isinstance(value, int | float)]
        low, high = self.figure.x.domain or (min(found, default=0), max(found, default=0))
        for row in values:
            x = row[key(layer.x)]
            row["_side"] = "left" if isinstance(x, int | float) and x <= (low + high) / 2 else "right"
        mark |= {"align": {"expr": "datum._side"}, "dx": {"expr": "datum._side == 'left' ? 8 : -8"}}

    def _tip(self, table: str, name: str) -> dict[str, Any]:
        field = self.fields[table, name]
        return {"field": key(name), "title": clean(field.title) or name, **theme.read_as(field.kind)}


def draw_figure(panel: FigureOfStudy) -> dict[str, Any]:
    """A picture of a study; the colours of values are the same in all of its pictures."""
    result, figure = panel.findings, panel.figure
    return Drawing(result, figure, colours_of(result), result.figures.index(figure)).spec()


def colours_of(result: Findings) -> dict[str, dict[str, str]]:
    """The colour of each value of each field that has colours: the same in all pictures of a study."""
    found: dict[str, dict[str, None]] = {}
    for figure in result.figures:
        for field, values in _assign_colours(result, figure).items():
            found.setdefault(field, {}).update(dict.fromkeys(values))
    kinds = [*SERIES, INK, FAINT]
    return {field: dict(zip(values, cycle(kinds), strict=False)) for field, values in found.items()}


def _assign_colours(result: Findings, figure: Figure) -> dict[str, Sequence[str]]:
    """The values that have colours in one picture, those that it names first, in its order."""
    found: dict[str, list[str]] = {}
    for layer in figure.layers:
        if layer.colour:
            known = found.setdefault(layer.colour, [clean(value) for value in figure.colours])
            where = figure.where
            for row in result.table(layer.table).records():
                if row[layer.colour] is not None and (where is None or row[where[0]] == where[1]):
                    known.append(clean(str(row[layer.colour])))
    return {field: list(dict.fromkeys(values)) for field, values in found.items()}
