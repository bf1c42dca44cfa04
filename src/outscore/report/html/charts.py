"""Pictures on a page: live where a script runs, drawn beforehand where none is wanted or too much is to be drawn."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from outscore.base.errors import inflect
from outscore.report.html import limits
from outscore.report.html.elements import Markup, data, element, join, to_json
from outscore.report.plots import escape_names, render

EXTRA = "vl_convert"


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One picture.

    Attributes:
        heading: subject of the picture.
        spec: Vega-Lite with its data; its title states the finding.
        words: the finding, and how it was found, where the lines of the title are broken to fit.
    """

    heading: str
    spec: dict[str, Any]
    words: tuple[str, ...] = ()

    @property
    def alternative(self) -> str:
        """The finding in words, for readers who do not see the picture."""
        said = [line if line.endswith((".", "?", "!")) else f"{line}." for line in self.words or _words(self.spec)]
        return " ".join(dict.fromkeys(said))


def can_draw() -> bool:
    """Whether the library that draws is installed."""
    return importlib.util.find_spec(EXTRA) is not None


def pictures_markup(pictures: Sequence[Picture], *, static: bool) -> tuple[Markup, list[dict[str, Any]]]:
    """All pictures with their headings, and the specifications of those that a script is to draw.

    Pictures have a budget of bytes: those that hold too much become images, those beyond it are named only.
    """
    parts: list[Markup] = []
    live: list[dict[str, Any]] = []
    left_out: list[str] = []
    room = limits.STATIC_PICTURES if static else limits.PICTURES
    for number, one in enumerate(pictures):
        spec = _prepare(one)
        inside = _svg(spec, number) if static else Markup()
        cost = limits.size(inside if static else to_json(spec))
        fixed = cost > min(limits.ONE_PICTURE, room)
        if fixed:
            inside = _image(spec, one.alternative)
            cost = limits.size(inside)
        if cost > room:
            left_out.append(one.heading)
            continue
        room -= cost
        parts.append(_figure(one, number, inside, place=None if static or fixed else len(live)))
        if not static and not fixed:
            live.append(spec)
    if left_out:
        said = f"{inflect(len(left_out), 'picture')} left out to keep the page small: {', '.join(left_out)}."
        parts.append(element("p", f"{said} --plot draws them into files of their own."))
    return join(parts), live


def specs(live: Sequence[dict[str, Any]]) -> Markup:
    """Pictures as data for the script of the page."""
    return data("charts", list(live))


@cache
def program() -> Markup:
    """The library that draws in a browser, packed, which leaves ``vegaEmbed`` to the script of the page."""
    import vl_convert

    made: str = vl_convert.javascript_bundle("window.outscoreEmbed = vegaEmbed;")
    # what it declares at the top would collide with other scripts
    packed = base64.b64encode(gzip.compress(f"{{{made}}}".encode(), mtime=0)).decode()
    return element("script", Markup(packed), type="text/plain", id="program")


def _figure(picture: Picture, number: int, inside: Markup, place: int | None) -> Markup:
    chart = element("div", inside, class_="chart", data_chart=place)
    scroll = element("div", chart, class_="scroll", tabindex=0, role="group", aria_labelledby=f"chart-{number}-title")
    # on a phone, where the words of the picture are cut off, readers see it too
    said = element("figcaption", picture.alternative, class_="words")
    return element("figure", element("h3", picture.heading, id=f"chart-{number}-title"), said, scroll)


def _prepare(picture: Picture) -> dict[str, Any]:
    """The specification with its finding as description, and without a name for each of its points."""
    config = {**picture.spec.get("config", {}), "aria": False}
    made: dict[str, Any] = escape_names({**picture.spec, "description": picture.alternative, "config": config})
    return made


def _svg(spec: dict[str, Any], number: int) -> Markup:
    """The picture as SVG, with names that no other picture on the page has."""
    svg = str(render(spec, ".svg"))
    return Markup(re.sub(r'(?<=[ (])(id="|url\(#|href="#)', rf"\g<1>c{number}-", svg.replace('="url(', '=" url(')))


def _image(spec: dict[str, Any], alternative: str) -> Markup:
    """The picture as an image of fixed points, at most twice as fine as it is shown."""
    image = render(spec, ".png")
    assert isinstance(image, bytes)
    # two points of the image for each of the page
    width = int.from_bytes(image[16:20], "big") // 2
    source = Markup(f"data:image/png;base64,{base64.b64encode(image).decode()}")
    shown = element("img", src=source, alt=alternative, width=width)
    return join([shown, element("p", "An image: there is too much in it to be live.", class_="fixed")])


def _words(spec: dict[str, Any]) -> Iterator[str]:
    """Words of the title, or of the titles of the parts where the whole has none."""
    said = spec.get("title") or {}
    if said:
        parts = [said.get(name) for name in ("text", "subtitle")] if isinstance(said, dict) else [said]
        yield from (line for part in parts for line in _lines(part))
        return
    for part in (part for together in ("vconcat", "hconcat", "concat") for part in spec.get(together, ())):
        yield from _words(part)


def _lines(said: Any) -> list[str]:
    return [str(line) for line in (said if isinstance(said, list) else [said]) if line]
