"""Pictures of results as Vega-Lite specifications, drawn as SVG, PNG, PDF or a live page.

A result declares them, see ``outscore.results.pictures``; here is what draws each kind of panel. Specifications carry
their data and can be opened by any Vega-Lite viewer; drawing them here needs the extra ``report``.

For a paper a picture is as wide as a column, in greys that can be told apart, without words that a caption has.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from outscore.base import limits
from outscore.base.errors import UsageError, suggestion
from outscore.base.files import write_whole
from outscore.base.installed import require
from outscore.report.formats import PICTURES
from outscore.report.plots.critical_difference import draw_mean_ranks
from outscore.report.plots.figure import draw_figure
from outscore.report.plots.panels import draw_dots, draw_intervals, draw_rank_bars
from outscore.report.plots.planes import draw_histogram, draw_plane, draw_squares
from outscore.report.plots.theme import BLUE, CONFIG, GREEN, ORANGE, PURPLE, SKY, VEGA_LITE, YELLOW, title
from outscore.report.writer import ReportWriter
from outscore.results.pictures import Chart, Dots, Histogram, Intervals, Plane, RankBars, Squares
from outscore.results.places import MeanRanks
from outscore.results.result import Result
from outscore.results.study import FigureOfStudy

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
_OF_OBJECTS = {
    *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString"),
    *("valueOf", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__"),
}
"""Names of properties of every JavaScript object; Vega takes such a text for the property."""

_DRAWN: dict[type[Any], Callable[[Any], dict[str, Any]]] = {
    Dots: draw_dots,
    Histogram: draw_histogram,
    Intervals: draw_intervals,
    FigureOfStudy: draw_figure,
    MeanRanks: draw_mean_ranks,
    Plane: draw_plane,
    RankBars: draw_rank_bars,
    Squares: draw_squares,
}
"""Who draws which kind of panel."""

_COUNTED = re.compile(r'(id="|url\(#)(gradient_|clip)\d+')

_ARRANGED: dict[str, tuple[str, dict[str, Any]]] = {
    "below": ("vconcat", {"spacing": 18}),
    "beside": ("hconcat", {"spacing": 24}),
    "grid": ("concat", {"columns": 3, "spacing": 24}),
}
_APART: dict[str, Any] = {"scale": dict.fromkeys(("color", "shape", "x", "y", "xOffset", "yOffset"), "independent")}

_PRINT = 300  # points of a PNG to the inch
_SQUARE = 20
_SCALE = 2  # pixels of a PNG for each point, for screens and print


def charts_of(result: Result) -> list[Chart]:
    """The pictures that a result declares."""
    return list(result.charts(ReportWriter(result, None)))


def chart_spec(shown: Sequence[Chart]) -> dict[str, Any]:
    """Pictures as one Vega-Lite specification, with their data."""
    drawn = [_draw_chart(one) for one in shown]
    whole = drawn[0] if len(drawn) == 1 else {"vconcat": drawn, "spacing": 40, "align": "none", "resolve": _APART}
    return {"$schema": f"https://vega.github.io/schema/vega-lite/v{VEGA_LITE}.json", "config": CONFIG, **whole}


def _draw_chart(chart: Chart) -> dict[str, Any]:
    head = {"title": title(chart.title, *chart.under)} if chart.title else {}
    panels = [_DRAWN[type(panel)](panel) for panel in chart.panels]
    if chart.arranged == "alone":
        return {**head, **panels[0]}
    together, room = _ARRANGED[chart.arranged]
    shared = {"resolve": {"scale": {"x": "shared"}}} if chart.same_scale else {}
    return {**head, together: panels, **room, **shared}


def picture(result: Result, figure: str = "") -> dict[str, Any]:
    """The pictures of a result as a Vega-Lite specification with its data.

    Args:
        result: the result to be drawn.
        figure: name of the one that is meant, by default all.

    Raises:
        UsageError: there is no such picture.
    """
    return chart_spec(choose_charts(result, figure))


def choose_charts(result: Result, figure: str = "") -> list[Chart]:
    """The pictures that may be drawn into a file, or those of a name.

    Raises:
        UsageError: there is no such picture.
    """
    made = [one for one in charts_of(result) if not one.of_page]
    if not made:
        what = f"there is no picture of what `outscore {result.command}` gives"
        raise UsageError(f"{what}; leave out --plot, and give -o another suffix")
    shown = [one for one in made if figure in ("", one.name)]
    if not shown:
        names = list(dict.fromkeys(one.name for one in made if one.name))
        needed = result.pictures_need.get(figure, "")
        likely = f"; {needed}" if needed else f"{suggestion(figure, names)} (it has: {', '.join(names) or 'one'})"
        raise UsageError(f"what `outscore {result.command}` gave has no picture {figure!r}{likely}")
    return shown


def render(spec: dict[str, Any], suffix: str) -> str | bytes:
    """A specification as a picture: ``.svg`` and ``.html`` as text, ``.png`` and ``.pdf`` as bytes, ``.json`` as it is.

    Raises:
        MissingExtra: the extra ``report`` is not installed.
        TooMuchError: it has too many cells; as ``.json`` it has as many as it likes.
    """
    if suffix == ".json":
        return json.dumps(spec, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    limits.check_cells(_count(spec))
    spec = escape_names(spec)
    convert = require("vl_convert", "drawing pictures", "report")
    if suffix == ".html":
        return live(spec, convert.javascript_bundle(vl_version=VEGA_LITE))
    if suffix == ".svg":
        return _number_anew(str(convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)))
    if suffix == ".png":
        return bytes(convert.vegalite_to_png(spec, vl_version=VEGA_LITE, scale=_SCALE))
    return bytes(convert.vegalite_to_pdf(spec, vl_version=VEGA_LITE))


def _count(part: Any) -> int:
    """The rows of all data in a part of a specification."""
    if isinstance(part, list):
        return sum(map(_count, part))
    inside = part.items() if isinstance(part, dict) else ()
    return sum(len(value) if key == "values" else _count(value) for key, value in inside)


def _number_anew(svg: str) -> str:
    """SVG whose gradients and clips are counted from 0: Vega goes on counting from picture to picture."""
    seen: dict[str, int] = {}
    return _COUNTED.sub(
        lambda found: f"{found[1]}{found[2]}{seen.setdefault(found[0][len(found[1]) :], len(seen))}", svg
    )


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The suffix of a picture file, in lower case.

    Raises:
        UsageError: no picture has that suffix.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{os.fspath(path)}: a picture ends in {', '.join(SUFFIXES)}")
    return suffix


def plot(result: Result, path: str | os.PathLike[str], figure: str = "", *, column: bool = False) -> None:
    """Draws a result into a file, whole or not at all.

    Args:
        result: the result to be drawn.
        path: ends in ``.svg``, ``.png``, ``.pdf``, ``.html`` for a live page, or ``.json`` for Vega-Lite.
        figure: name of the picture of a study or a leaderboard that is meant, by default all.
        column: the main one for a paper: as wide as a column, in greys, without its title.

    Raises:
        UsageError: no such suffix, or no such picture.
        MissingExtra: the extra ``report`` is not installed.
        InputError: the file cannot be written.
    """
    suffix = suffix_of(path)
    if column:
        write_whole(Path(path), render_column(result, suffix, figure))
    else:
        write_whole(Path(path), render(picture(result, figure), suffix))


def render_column(result: Result, suffix: str, figure: str = "") -> str | bytes:
    """The main picture, or that of a name, as a paper has it in a column.

    Raises:
        UsageError: no such suffix, or no such picture.
        MissingExtra: the extra ``report`` is not installed.
    """
    if suffix not in PICTURES:
        raise UsageError(f"a picture as wide as a column ends in {', '.join(PICTURES)}, not in {suffix}")
    main = choose_charts(result, figure)[0]
    bare = replace(main, title="", under=(), panels=tuple(map(_without_numbers, main.panels)))
    spec = chart_spec([bare])
    if isinstance(bare.panels[0], FigureOfStudy):
        del spec["title"]  # which the panel itself has
    svg = to_column(spec, lambda spec: str(render(spec, ".svg")))
    if suffix == ".svg":
        return re.sub(r'(width|height)="([\d.]+)"', r'\1="\2pt"', svg, count=2)
    convert = require("vl_convert", "drawing pictures", "report")
    return bytes(convert.svg_to_pdf(svg) if suffix == ".pdf" else convert.svg_to_png(svg, ppi=_PRINT))


def _without_numbers(panel: Any) -> Any:
    """Who beats whom without the gains, which nobody could read in a column."""
    return replace(panel, text="", step=_SQUARE, height=0) if isinstance(panel, Squares) and panel.signs else panel


def escape_names(value: Any) -> Any:
    """The same with texts that Vega would take for what every object of JavaScript has, such as ``constructor``.

    A blank that cannot be seen, behind the text wherever it stands, makes them texts like any other. Titles have
    another sign in the place of a backslash: Vega-Lite puts them into expressions, where it would escape what follows.
    """
    if isinstance(value, dict):
        titled = value | {"title": value["title"].replace("\\", "∖")} if isinstance(value.get("title"), str) else value
        return {key: escape_names(inside) for key, inside in titled.items()}
    if isinstance(value, list):
        return [escape_names(inside) for inside in value]
    return f"{value}\u00a0" if isinstance(value, str) and value in _OF_OBJECTS else value


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
body {{ margin: 2em auto; max-width: 75em; padding: 0 1em; font-family: sans-serif; background: white; color: #222; }}
#picture {{ overflow-x: auto; }}
</style>
<script>{library}</script>
</head>
<body>
<div id="picture"></div>
<noscript>{title}: this picture is drawn by a script in this page, and scripts are switched off.</noscript>
<script type="application/json" id="chart">{chart}</script>
<script>
vegaEmbed("#picture", JSON.parse(document.getElementById("chart").textContent), {{
  renderer: "svg",
  actions: {{ export: true, source: false, compiled: false, editor: false }},
  downloadFileName: "picture"
}});
</script>
</body>
</html>
"""

_POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
"""Nothing is fetched, whatever the data say; Vega compiles the expressions of a chart."""


def live(spec: dict[str, Any], library: str) -> str:
    """A page with a picture that answers the mouse: values under the pointer, zoom, saving as SVG or PNG.

    Args:
        spec: the chart as Vega-Lite, with its data.
        library: JavaScript that defines ``vegaEmbed``.
    """
    text = json.dumps(spec, ensure_ascii=False, allow_nan=False)
    # JSON knows these escapes and HTML does not: no text in the data can end the script or begin a tag
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return _PAGE.format(
        title=html.escape(_title(spec)),
        policy=html.escape(_POLICY, quote=True),
        library=library.replace("</script", "<\\/script").replace("<!--", "<\\!--"),
        chart=text,
    )


def _title(spec: dict[str, Any]) -> str:
    """The title of the first picture that has one."""
    if "title" not in spec:
        first: dict[str, Any] = next(
            (part for key in ("vconcat", "hconcat", "concat") for part in spec.get(key, [])), {}
        )
        return _title(first) if first else "outscore"
    said = spec["title"]
    text = said.get("text", "") if isinstance(said, dict) else said
    return " ".join(text) if isinstance(text, list) else str(text)


COLUMN = 240
"""Points of a column of a two-column paper, 3.3 inches."""
_NATURAL = 364
"""Width at which letters of 12 points become 8 in a column."""
_LEAST = 0.25
"""Share of their width that plots keep beside long names."""
_GREYS = {
    BLUE: "#262626",
    ORANGE: "#808080",
    GREEN: "#5c5c5c",
    PURPLE: "#a3a3a3",
    SKY: "#bdbdbd",
    YELLOW: "#d6d6d6",
}
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def to_column(spec: dict[str, Any], draw: Callable[[dict[str, Any]], str]) -> str:
    """The picture as SVG, of which a unit is a point, as wide as a column.

    Args:
        spec: Vega-Lite.
        draw: makes SVG of it.
    """
    grey = _grey(spec)
    whole, half = (_size_of(draw(_narrow(grey, share)))[0] for share in (1.0, 0.5))
    share = 1.0
    if whole > _NATURAL and whole > half:
        share = max(_LEAST, 1 - 0.5 * (whole - _NATURAL) / (whole - half))
    svg = draw(_narrow(grey, share))
    width, height = _size_of(svg)
    scale = COLUMN / max(width, _NATURAL)  # what is narrow stays so: its letters would be larger than the text
    return _SIZE.sub(f'width="{width * scale:.4g}" height="{height * scale:.4g}"', svg, count=1)


def _narrow(value: Any, share: float) -> Any:
    """The specification with plots of such a share of their width, and what stands at their right edge moved there."""
    if isinstance(value, list):
        return [_narrow(inside, share) for inside in value]
    if not isinstance(value, dict):
        return value
    made = {key: inside if key == "data" else _narrow(inside, share) for key, inside in value.items()}
    if isinstance(made.get("width"), int | float):
        made["width"] *= share
    at = made.get("x")
    if isinstance(at, dict) and isinstance(at.get("value"), int | float):
        made["x"] = {**at, "value": at["value"] * share}
    return made


def _grey(value: Any) -> Any:
    """The same with greys in the place of colours; data stay as they are."""
    if isinstance(value, dict):
        return {key: inside if key == "data" else _grey(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [_grey(inside) for inside in value]
    return _GREYS.get(value, value) if isinstance(value, str) else value


def _size_of(svg: str) -> tuple[float, float]:
    found = _SIZE.search(svg)
    assert found is not None
    return float(found[1]), float(found[2])
