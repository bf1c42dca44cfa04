"""The pictures of a page: drawn when it is made, to the width that there is, and without a script."""

from __future__ import annotations

import base64
import importlib.util
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.report.html import limits
from outscore.report.html.drawings import draw_dots, draw_forests, draw_histogram, draw_ranks, draw_squares
from outscore.report.html.elements import Markup, element
from outscore.report.plots import chart_spec, escape_names, render
from outscore.results.pictures import Chart, Dots, Histogram, Intervals, RankBars, Squares

EXTRA = "vl_convert"


@dataclass(frozen=True, kw_only=True)
class PagePicture:
    """A picture on the page: its subject, its markup, whether it is one of the first, and the rows of its panels."""

    heading: str
    figure: Markup
    first: bool
    rows: int = 0


def draw_charts(charts: Sequence[Chart]) -> tuple[list[PagePicture], Markup]:
    """All pictures that there is room for, and what is said of the others."""
    found: list[PagePicture] = []
    left_out: list[str] = []
    room = limits.PICTURES
    for number, chart in enumerate(charts):
        figure = _figure(chart, f"chart-{number}")
        if limits.size(figure) > room:
            left_out.append(chart.heading)
            continue
        room -= limits.size(figure)
        rows = sum(len(getattr(panel, "rows", ())) for panel in chart.panels)
        found.append(PagePicture(heading=chart.heading, figure=figure, first=not chart.of_page, rows=rows))
    if not left_out:
        return found, Markup()
    said = f"{inflect(len(left_out), 'picture')} left out to keep the page small: {', '.join(left_out)}."
    return found, element("p", f"{said} --plot draws them into files of their own.")


def _figure(chart: Chart, name: str) -> Markup:
    lead, *under = [line for line in (chart.words or (chart.title, *chart.under)) if line] or [chart.heading]
    caption = element("figcaption", element("b", lead), "; ".join(line.rstrip(".") for line in under), id=name)
    return element("figure", caption, *_panels(chart, name))


def _panels(chart: Chart, name: str) -> Iterator[Markup]:
    """The panels; a table is read as a table, all else is one image with the caption as its name."""
    panels = chart.panels
    if all(isinstance(panel, Squares) for panel in panels):
        yield element("div", *map(draw_squares, panels), class_="panels" if len(panels) > 1 else None)
        return
    yield element("div", _draw(chart, name), role="img", aria_labelledby=name)


def _draw(chart: Chart, name: str) -> Markup:
    panels = chart.panels
    kind = type(panels[0])
    if kind is Intervals:
        return draw_forests(cast("tuple[Intervals, ...]", panels), same_scale=chart.same_scale)
    if kind in (Dots, Histogram, RankBars):
        draw: Any = {Dots: draw_dots, Histogram: draw_histogram, RankBars: draw_ranks}[kind]
        return element("div", *map(draw, panels), class_="panels" if kind is Histogram else None)
    if importlib.util.find_spec(EXTRA) is None:
        return element("p", "This picture needs an extra: pip install 'outscore[report]'")
    return _render(chart, name)


def _render(chart: Chart, name: str) -> Markup:
    """The picture by the program that also draws into files: as SVG, or as points of colour where that is much."""
    spec = chart_spec([replace(chart, title="", under=())])
    spec.pop("title", None)
    spec = escape_names({**spec, "config": {**spec["config"], "aria": False}})
    svg = str(render(spec, ".svg"))
    if limits.size(svg) > limits.ONE_PICTURE:
        image = render(spec, ".png")
        assert isinstance(image, bytes)
        # two points of the image for each of the page
        width, height = (int.from_bytes(image[at : at + 4], "big") // 2 for at in (16, 20))
        source = Markup(f"data:image/png;base64,{base64.b64encode(image).decode()}")
        made = element("img", src=source, alt="", width=width, height=height)
    else:
        # the whole is one image: its parts have no roles, and names that no other picture on the page has
        bare = re.sub(r' role="graphics-[a-z]+"| aria-roledescription="[a-z ]+"', "", svg)
        made = Markup(re.sub(r'(?<=[ (])(id="|url\(#|href="#)', rf"\g<1>{name}-", bare.replace('="url(', '=" url(')))
    return element("div", made, class_="chart")
