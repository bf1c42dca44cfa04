"""The page: verdict, pictures, tables, notes, items, methods, references, provenance, data."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from outscore.report.bibliography import bibtex
from outscore.report.html import limits
from outscore.report.html.charts import can_draw, pictures_markup, program, specs
from outscore.report.html.elements import Markup, element, lines
from outscore.report.html.items import items_markup
from outscore.report.html.pictures import pictures_of
from outscore.report.html.sections import data_markup, methods_markup, notes_markup, pack, provenance_markup
from outscore.report.html.tables import tables_markup
from outscore.report.html.verdict import verdict_markup
from outscore.report.screen import Screen, screen_of
from outscore.report.text import clean
from outscore.results.details import DECIDING
from outscore.results.result import Result

_Section = tuple[str, str, Markup]
"""Name for links, heading, and what is inside."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_SCRIPTED = f"{_POLICY}; script-src 'unsafe-inline'"
_SOME_ROOM = 8_000
"""Bytes of the frame: what is said of the page, links, headings, the way to the data."""


def page(result: Result, decimals: int | None, *, static: bool) -> str:
    """One HTML page that needs nothing else.

    Args:
        result: the record.
        decimals: of scores, as in the tables.
        static: no script in it: for mail and strict readers, and to be printed.
    """
    drawn, live = pictures_markup(list(pictures_of(result)), static=static) if can_draw() else (_NO_PICTURES, [])
    screen = screen_of(result, decimals)
    sections = [section for section in _sections(result, screen, drawn) if section[2]]
    scripts = [] if static else [*([program(), specs(live)] if live else []), _script(_resource("page.js"))]
    verdict = verdict_markup(result, screen)
    style = element("style", Markup(_resource("page.css")))
    rest = sum(map(limits.size, (verdict, style, *scripts, *(inside for _, _, inside in sections))))
    packed: str | None = pack(result)
    if packed is not None and rest + len(packed) + _SOME_ROOM > limits.PAGE:
        packed = None
    sections.append(("data", "Data", data_markup(result, packed, static=static)))
    if packed is not None and not static:
        scripts.insert(0, element("script", Markup(packed), type="text/plain", id="packed"))
    links = [element("li", element("a", heading, href=f"#{name}")) for name, heading, _ in sections]
    nav = element("nav", element("ul", *links), aria_label="Sections")
    body = [
        element("a", "Skip to the results", href="#main", class_="skip"),
        element("header", element("h1", f"outscore {clean(result.command)}"), verdict, nav),
        element("main", *(_section(*section) for section in sections), id="main", tabindex=-1),
        element("footer", element("p", f"Made by outscore {result.provenance.version}.", class_="tail")),
    ]
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY if static else _SCRIPTED),
        element("title", f"outscore {clean(result.command)}"),
        style,
    ]
    whole = element("html", element("head", *head), element("body", *body, *scripts), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _section(name: str, heading: str, inside: Markup) -> Markup:
    return element(
        "section", element("h2", heading, id=f"{name}-heading"), inside, id=name, aria_labelledby=f"{name}-heading"
    )


def _sections(result: Result, screen: Screen, drawn: Markup) -> Iterator[_Section]:
    yield "pictures", "Pictures", drawn
    yield "tables", "Tables", tables_markup([table for table in screen.tables if table.title != DECIDING])
    yield "notes", "Notes", notes_markup(screen)
    yield "items", "Items that gained and lost most", items_markup(result)
    yield "methods", "Methods", methods_markup(result, screen)
    references = bibtex(result.provenance.citations)
    listed = element("pre", lines(references), tabindex=0, role="region", aria_label="BibTeX")
    yield "references", "References", listed if references else Markup()
    yield "provenance", "Provenance", provenance_markup(result)


_NO_PICTURES = element("p", "Pictures need an extra: pip install 'outscore[report]'")


def _script(source: str) -> Markup:
    return element("script", Markup(source))


def _resource(name: str) -> str:
    return (files("outscore.report.html") / name).read_text(encoding="utf-8")
