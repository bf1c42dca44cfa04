"""The page: verdict, first tables, what changes the answer, first pictures; the rest is folded under its headings."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files

from outscore.base.text import clean
from outscore.report.bibliography import bibtex
from outscore.report.html import limits
from outscore.report.html.charts import PagePicture, draw_charts
from outscore.report.html.elements import Markup, element, join, lines
from outscore.report.html.items import items_markup
from outscore.report.html.sections import data_markup, methods_markup, notes_markup, pack, provenance_markup
from outscore.report.html.tables import tables_markup
from outscore.report.plots import charts_of
from outscore.report.screen import Screen, screen_of
from outscore.results.details import DECIDING
from outscore.results.result import Result

_Section = tuple[str, str, Markup]
"""Name for links, heading, and what is inside."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_TITLE = 500
"""Letters of a verdict that is the title of the page."""

_PART = re.compile(r"; |(?<=[\w)])\. (?=[A-Z\d])")
"""Where the first part of a verdict ends: a clause, or a sentence."""
_LONG = 140
"""Characters of a verdict that is read at a glance."""

_FEW_ROWS = 20
_SOME_ROOM = 8_000
"""Bytes of the frame: what is said of the page, links, headings, the way to the data."""


def page(result: Result, decimals: int | None) -> str:
    """One HTML page that needs nothing else.

    Args:
        result: the record.
        decimals: of scores, as in the tables.
    """
    screen = screen_of(result, decimals)
    pictures, left_out = draw_charts(charts_of(result))
    first = join([_verdict_markup(result, screen), _first(screen, pictures)])
    sections = [section for section in _sections(result, screen, pictures, left_out) if section[2]]
    script, style = _resource("page.js"), _resource("page.css")
    rest = limits.size(first + script + style + "".join(inside for _, _, inside in sections))
    packed: str | None = pack(result)
    if packed is not None and rest + len(packed) + _SOME_ROOM > limits.PAGE:
        packed = None
    sections.append(("data", "Data", data_markup(result, packed)))
    links = [element("li", element("a", heading, href=f"#{name}")) for name, heading, _ in sections]
    nav = element("nav", element("ul", *links), aria_label="Sections")
    title = limits.clip(next(iter(screen.verdict), "Results"), _TITLE)
    # the script is ours alone: no text on the page can become one
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element(
            "meta", http_equiv="Content-Security-Policy", content=Markup(f"{_POLICY}; script-src 'sha256-{digest}'")
        ),
        element("title", f"{title} – outscore {clean(result.command)}"),
        element("style", Markup(style)),
    ]
    body = [
        element("a", "Skip to the results", href="#main", class_="skip"),
        element("header", element("p", f"outscore {clean(result.command)}", class_="tail")),
        element("main", first, nav, *map(_fold, sections), id="main", tabindex=-1),
        element("footer", element("p", f"Made by outscore {result.provenance.version}.", class_="tail")),
        element("script", Markup(script)),
    ]
    whole = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _first(screen: Screen, pictures: list[PagePicture]) -> Markup:
    """Tables, notes and pictures that stand open below the verdict; below a long table no note would be seen."""
    changing = notes_markup([note for note in screen.notes if note.rank == "answer"])
    tables = [table for table in screen.first if table.title != DECIDING]
    shown = [
        tables_markup(tables, heading="h2" if len(tables) > 1 else ""),
        element("div", changing, id="changing") if changing else Markup(),
    ]
    return join([
        *(reversed(shown) if tables and len(tables[0].rows) > _FEW_ROWS else shown),
        element("p", screen.how, class_="cut") if screen.how else "",
        *(picture.figure for picture in pictures if picture.first),
    ])  # fmt: skip


def _fold(section: _Section) -> Markup:
    name, heading, inside = section
    return element("details", element("summary", element("h2", heading)), element("div", inside, id=name))


def _sections(result: Result, screen: Screen, pictures: list[PagePicture], left_out: Markup) -> Iterator[_Section]:
    more = [element("h3", picture.heading) + picture.figure for picture in pictures if not picture.first]
    yield "pictures", "More pictures", join([*map(Markup, more), left_out])
    # the items have a part of their own, and some pictures are the table
    told = {DECIDING, *(picture.heading for picture in pictures)}
    tables = [table for table in screen.tables if not table.first and table.title.partition(" (")[0] not in told]
    yield "tables", "More tables", tables_markup(tables, after=len(screen.first))
    yield "notes", "Notes", notes_markup([note for note in screen.notes if note.rank != "answer"])
    yield "items", "Items that gained and lost most", items_markup(result)
    yield "methods", "Methods", methods_markup(result, screen)
    references = bibtex(result.provenance.citations)
    listed = element("pre", lines(references), tabindex=0, role="group", aria_label="BibTeX")
    yield "references", "References", listed if references else Markup()
    yield "provenance", "Provenance", provenance_markup(result)


def _resource(name: str) -> str:
    return (files("outscore.report.html") / name).read_text(encoding="utf-8")


def _verdict_markup(result: Result, screen: Screen) -> Markup:
    """The first sentence as the heading of the page, the others as a list below it."""
    first, *others = [_emphasize(one) for one in screen.verdict] or [Markup("Results")]
    kind = "question" if result.verdict_leads else None
    listed = element("ul", *(element("li", one) for one in others), class_="verdict") if others else Markup()
    return join([element("h1", first, class_=kind), listed])


def _emphasize(said: str) -> Markup:
    """A long sentence whose first part stands out."""
    ends = _PART.search(said)
    if len(said) <= _LONG or ends is None:
        return join([said])
    return join([said[: ends.end()], element("span", said[ends.end() :], class_="rest")])
