"""HTML of a result for Jupyter: the first screen with its picture, the rest folded."""

from __future__ import annotations

import base64
import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.base.limits import TooMuchError
from outscore.base.notes import Note
from outscore.report.formats import format_
from outscore.report.html.elements import Markup, element, join
from outscore.report.model import Cell, Column, Table
from outscore.report.plots import chart_spec, charts_of, render
from outscore.report.screen import screen_of
from outscore.report.text import join_remedy
from outscore.results.result import Result

_RIGHT, _LEFT = "text-align: right", "text-align: left"


@format_("notebook")
@dataclass(frozen=True)
class Notebook:
    """HTML without script or style sheet: the verdict, the first table, the main picture, and all else folded."""

    suffixes: ClassVar[tuple[str, ...]] = ()

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The part of a page; ``decimals`` of scores."""
        screen = screen_of(result, decimals)
        first, *more = screen.verdict or ("",)
        changing = [note for note in screen.notes if note.rank == "answer"]
        others = [note for note in screen.notes if note.rank != "answer"]
        folded = [
            *(_table(table) for table in screen.tables if not table.first),
            *map(_note, others),
            *(element("p", line) for line in screen.method),
        ]
        shown = [
            element("p", element("b", first)),
            *(element("p", line) for line in more),
            *(_table(table) for table in screen.first),
            *map(_note, changing),
            *_picture(result),
            element("p", screen.how),
            element("details", element("summary", "Details"), *folded) if folded else "",
        ]
        return f"{element('div', *shown)}\n"


def _note(note: Note) -> Markup:
    said = join_remedy(note.text, note.remedy)
    return element("p", element("b", "! "), said) if note.rank == "answer" else element("p", f"- {said}")


def _picture(result: Result) -> Iterator[Markup]:
    """The main picture as an image, in which nothing of its data can become a part of the notebook."""
    chart = next((chart for chart in charts_of(result) if not chart.of_page), None)
    if chart is None or importlib.util.find_spec("vl_convert") is None:
        return
    spec = chart_spec([replace(chart, title="", under=())])
    try:
        svg = str(render({**spec, "config": {**spec["config"], "aria": False}}, ".svg"))
    except TooMuchError:
        return
    source = Markup(f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}")
    yield element("img", src=source, alt=chart.title or chart.heading, style="max-width: 100%")
    yield element("p", "; ".join(line for line in chart.under if line), style="font-size: smaller")


def _table(table: Table) -> Markup:
    heads = element("tr", *(element("th", column.plain, style=_side(column)) for column in table.columns))
    body = []
    for block in table.blocks:
        if block.heading:
            whole = str(len(table.columns))
            body.append(element("tr", element("th", block.heading, colspan=whole, style=_LEFT)))
        for row in block.rows:
            cells = (_cell(cell, column) for cell, column in zip(row, table.columns, strict=True))
            body.append(element("tr", *cells))
    said = [element("p", line, style="font-size: smaller") for line in table.footnotes]
    caption = element("caption", table.title, style=_LEFT)
    return join([element("table", caption, element("thead", heads), element("tbody", *body)), *said])


def _cell(cell: Cell, column: Column) -> Markup:
    return element("td", element("b", cell.plain) if cell.bold else cell.plain, style=_side(column))


def _side(column: Column) -> str:
    return _RIGHT if column.align == "right" else _LEFT
