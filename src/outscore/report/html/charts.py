"""The pictures of a page: drawn when it is made, to the width that there is, and without a script."""

from __future__ import annotations

import base64
import importlib.util
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, cast

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.base.limits import TooMuchError
from outscore.report.html import elements as limits
from outscore.report.html.elements import Markup, element, join
from outscore.report.numbers import to_given
from outscore.report.plots import chart_spec, escape_names, render
from outscore.results.pictures import Bar, Chart, Dots, Histogram, Intervals, RankBars, Shape, Signs, Squares

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
        try:
            figure = _figure(chart, f"chart-{number}")
        except TooMuchError:
            left_out.append(chart.heading)
            continue
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


_SHAPES: dict[Shape, str] = {
    "circle": "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1-5 0Z",
    "triangle-left": "M-6 0L5-6V6Z",
    "triangle-right": "M6 0L-5-6V6Z",
}
_GLYPHS = "+−·"
"""Signs of the values of a field, for readers and printers without colours."""

_MOST_NAMED = 12
"""Systems up to which a matrix has numbers in it."""


def draw_forests(panels: Sequence[Intervals], *, same_scale: bool) -> Markup:
    """Values with their intervals, a row each.

    Panels with headings of their own stand beside one another where there is room; others share their columns.
    """
    rulers = [_ruler(panels)] * len(panels) if same_scale else [_ruler([panel]) for panel in panels]
    parts = [_forest(panel, ruler) for panel, ruler in zip(panels, rulers, strict=True)]
    if any(panel.heading for panel in panels) and not same_scale:
        return element("div", *(element("div", part, class_="plot") for part in parts), class_="panels")
    return element("div", *parts, class_="plot")


def _forest(panel: Intervals, ruler: Ruler) -> Markup:
    heading = [element("div", panel.heading, class_="panel")] if panel.heading else []
    rows = [_forest_row(panel, bar, ruler) for bar in panel.rows]
    return join([*heading, *rows, ruler.row(panel.axis), beyond(ruler, map(_numbers, panel.rows))])


def _ruler(panels: Sequence[Intervals]) -> Ruler:
    through = [x for p in panels for x in ((0.0,) if p.zero else ()) + (() if p.across is None else (p.across,))]
    return scale_of([_numbers(bar) for panel in panels for bar in panel.rows], through=through)


def _numbers(bar: Bar) -> set[float]:
    """All that a row shows, but for what is undefined."""
    return {x for x in {bar.value, *(bar.ci or ()), *bar.single} if x is not None and math.isfinite(x)}


def _forest_row(panel: Intervals, bar: Bar, ruler: Ruler) -> Markup:
    marks = [stroke(ruler.at(0), kind="zero")] if panel.zero else []
    marks += [stroke(ruler.at(panel.across), kind="across")] if panel.across is not None else []
    value = bar.sign or bar.name
    colour = panel.signs.colours.get(value, "blue") if panel.signs else "blue"
    shape: Shape = panel.signs.shapes.get(value, "circle") if panel.signs else "circle"
    marks.append(element("g", *_interval(bar, ruler, shape), class_=colour))
    return _row(bar.name, ruler.strip(*marks), bar.written)


def _interval(bar: Bar, ruler: Ruler, shape: Shape) -> Iterator[Markup]:
    if bar.ci is not None and not any(map(math.isnan, bar.ci)):
        low, high = bar.ci
        yield stroke(ruler.at(low), ruler.at(high), "ci")
        if low < ruler.low:
            yield _mark("0%", "triangle-left")
        if high > ruler.high:
            yield _mark("100%", "triangle-right")
    yield from (stroke(ruler.at(run), kind="run") for run in bar.single)
    if bar.value is not None and ruler.holds(bar.value):
        yield _mark(ruler.at(bar.value), shape)


def _mark(x: str, shape: Shape) -> Markup:
    return element("svg", element("path", d=_SHAPES[shape]), x=x, y="50%", class_="mark")


def _row(name: str, strip: Markup, written: str, kind: str = "row") -> Markup:
    return element("div", element("span", name), strip, element("span", written, class_="written"), class_=kind)


def draw_dots(panel: Dots) -> Markup:
    """Values of single runs as points, and their mean as a line."""
    ruler = scale_of([{value} for _, value in panel.rows] + [{v} for *_, v, _ in panel.single])
    rows = []
    for system, mean in panel.rows:
        runs = [
            element("g", element("title", f"{run}: {text}"), _mark(ruler.at(value), "circle"), class_="blue faded")
            for of, run, value, text in panel.single
            if of == system
        ]
        mark = element("g", stroke(ruler.at(mean), kind="mean"), class_="orange")
        rows.append(_row(system, ruler.strip(*runs, mark), ""))
    return element("div", *rows, ruler.row(panel.axis), class_="plot")


def draw_histogram(panel: Histogram) -> Markup:
    """Bars, with lines at 0, at the observed value, and where the spread ends."""
    ruler = scale_of([{*panel.edges}], through={0.0, panel.observed, *panel.spread})
    most, total = max(panel.counts), sum(panel.counts)
    bars = [
        element(
            "rect", element("title", f"{count / total:.1%}"), x=ruler.at(low), y=f"{100 - 100 * count / most:.4g}%",
            width=_between(ruler, low, high), height=f"{100 * count / most:.4g}%",
        )
        for low, high, count in zip(panel.edges, panel.edges[1:], panel.counts, strict=False)
    ]  # fmt: skip
    lines = (
        stroke(ruler.at(0), kind="zero"),
        *(stroke(ruler.at(end), kind="across") for end in panel.spread),
        element("g", stroke(ruler.at(panel.observed), kind="mean"), class_="orange"),
    )
    strip = element("svg", element("g", *bars, class_="blue faded"), *lines, class_="bars")
    return element("div", element("div", panel.heading, class_="panel"), strip, ruler.row(panel.axis))


def _between(ruler: Ruler, low: float, high: float) -> str:
    return f"{float(ruler.at(high)[:-1]) - float(ruler.at(low)[:-1]):.4g}%"


def draw_ranks(panel: RankBars) -> Markup:
    """Scores with their intervals beside the ranks that systems can have; a line where a tier ends."""
    bars = [
        Bar(
            name=row["system"], value=row["value"], written=row["said"],
            ci=None if row["low"] is None else (row["low"], row["high"]),
        )
        for row in panel.rows
    ]  # fmt: skip
    scores, ranks = scale_of([*map(_numbers, bars)]), Ruler(0.5, len(panel.rows) + 0.5)
    rows = []
    for row, bar in zip(panel.rows, bars, strict=True):
        left = scores.strip(element("g", *_interval(bar, scores, "circle"), class_="blue"))
        width = _between(ranks, row["from"], row["to"])
        may = element("rect", x=ranks.at(row["from"]), y="22%", width=width, height="56%", rx=3, class_="faded")
        right = ranks.strip(element("g", may, _mark(ranks.at(row["rank"]), "circle"), class_="blue"))
        kind = "row tier" if bar.name in panel.tiers else "row"
        rows.append(_row(bar.name, join([left, right]), bar.written, kind))
    axes = element("div", scores.row(panel.axis), ranks.row("Rank, 1 is the best"), class_="axes")
    return element("div", *rows, axes, beyond(scores, map(_numbers, bars)), class_="plot ranks")


def draw_squares(panel: Squares) -> Markup:
    """A table with a square for every two names, coloured or shaded, and with a sign or a number in each."""
    found = {(row[panel.down], row[panel.across]): row for row in panel.rows}
    down, across = panel.titles
    numbered = panel.signs is not None
    heads = [
        element("th", str(i) if numbered else name, scope="col", title=name if numbered else None)
        for i, name in enumerate(panel.names, 1)
    ]
    corner = element("td", f"{down} \\ {across}" if down else "")
    rows = [
        element(
            "tr",
            element("th", f"{i} {name}" if numbered else name, scope="row", title=name),
            *(_square(panel, found.get((name, other))) for other in panel.names),
        )
        for i, name in enumerate(panel.names, 1)
    ]
    crowded = " crowded" if len(panel.names) > _MOST_NAMED else ""
    heading = element("caption", panel.heading) if panel.heading else ""
    table = element("table", heading, element("thead", element("tr", corner, *heads)), element("tbody", *rows),
                    class_=f"matrix{crowded}", style=f"--names: {len(panel.names)}")  # fmt: skip
    legend = " ".join(f"{glyph} {value}," for glyph, value in _glyphs(panel.signs)).rstrip(",")
    frame = element("div", table, class_="scroll", tabindex=0, role="group", aria_label=panel.heading or "Matrix")
    return join([frame, element("p", legend, class_="cut") if legend else ""])


def _glyphs(signs: Signs | None) -> list[tuple[str, str]]:
    return list(zip(_GLYPHS, signs.colours if signs else (), strict=False))


def _square(panel: Squares, row: Any) -> Markup:
    if row is None:
        return element("td", class_="none")
    tips = ", ".join(f"{name} {row[name]}" for name in panel.tips) or None
    if panel.signs is None:
        return element("td", f"{row[panel.text]:,.0f}", class_="shade", style=f"--share: {row[panel.share]:.2f}")
    value = row[panel.signs.field]
    glyph = next(glyph for glyph, one in _glyphs(panel.signs) if one == value)
    # numbers where there is room for them
    number = element("span", row[panel.text]) if panel.text else glyph
    return element("td", number, class_=panel.signs.colours[value], title=tips, data_sign=glyph if panel.text else None)


Ends = tuple[float, float]

_TICKS = 5
_MARGIN = 0.03
_FLATTENED = 4  # so many times shorter a scale must become for outliers to leave it
_OUTLIERS = 0.2


@dataclass(frozen=True)
class Ruler:
    """A scale from ``low`` to ``high``."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """The place of a value; what is beyond an end stands at the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{100 * share:.4g}%"

    def holds(self, value: float) -> bool:
        """Whether a value lies between the ends, or is infinite, as the end of a one-sided interval."""
        return self.low <= value <= self.high or math.isinf(value)

    @property
    def ticks(self) -> list[float]:
        """Round numbers along it."""
        rough = (self.high - self.low) / _TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= rough * (1 - 1e-9))
        return [n * step for n in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]

    def row(self, title: str) -> Markup:
        """Its numbers and its title."""
        texts = [element("text", to_given(round(tick, 12)), x=self.at(tick), y="1em") for tick in self.ticks]
        strip = element("svg", *texts, class_="ticks")
        return element("div", strip, element("span", title) if title else "", class_="axis")

    def strip(self, *marks: Markup) -> Markup:
        """Marks over its grid."""
        return element("svg", *(stroke(self.at(tick)) for tick in self.ticks), *marks, class_="strip")


def stroke(x: str, x2: str = "", kind: str = "") -> Markup:
    """A line through the whole height, or along the middle to another place."""
    y1, y2 = ("50%", "50%") if x2 else ("0", "100%")
    return element("line", x1=x, x2=x2 or x, y1=y1, y2=y2, class_=kind or None)


def scale_of(rows: Iterable[Collection[float]], *, through: Collection[float] = ()) -> Ruler:
    """The scale that holds the numbers of all rows, but for a few that would flatten all others.

    Args:
        rows: the numbers of each, of which infinite ones are passed over.
        through: numbers that it holds in any case.
    """
    finite = [ends for row in rows if (ends := [x for x in row if math.isfinite(x)])]
    if not finite and not through:
        return Ruler(0.0, 1.0)
    middle = median([x for ends in finite for x in ends] or [0.0])
    near = sorted(finite, key=lambda ends: max(abs(x - middle) for x in ends))
    kept = near
    for left_out in range(1, int(len(near) * _OUTLIERS) + 1):
        rest = near[:-left_out]
        if _FLATTENED * _length(rest, through) < _length(near, through):
            kept = rest
            break
    low, high = _ends(kept, through)
    room = _MARGIN * (high - low) or abs(high) or 1.0
    return Ruler(low - room, high + room)


def _ends(rows: Sequence[Sequence[float]], through: Collection[float]) -> Ends:
    found = {*through, *(x for ends in rows for x in ends)}
    return min(found), max(found)


def _length(rows: Sequence[Sequence[float]], through: Collection[float]) -> float:
    low, high = _ends(rows, through)
    return high - low


def beyond(ruler: Ruler, rows: Iterable[Iterable[float]]) -> Markup:
    """How many rows go on beyond the ends, in words."""
    n = sum(not all(map(ruler.holds, row)) for row in rows)
    said = "1 row goes" if n == 1 else f"{n} rows go"
    return element("p", f"{said} on beyond the picture, as the arrows say.", class_="cut") if n else join([])
