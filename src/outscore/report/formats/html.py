"""HTML: one page with everything, to be read by people and sent by mail."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import ClassVar

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.text import clean
from outscore.report.formats import format_
from outscore.report.formats.methods import bibtex
from outscore.report.html import elements as limits
from outscore.report.html.charts import PagePicture, draw_charts
from outscore.report.html.elements import LISTED, Markup, element, join, lines, tables_markup
from outscore.report.html.items import items_markup
from outscore.report.plots import charts_of
from outscore.report.screen import Screen, screen_of, sentence_of
from outscore.report.text import capital, join_remedy
from outscore.report.writer import ReportWriter
from outscore.results.details import DECIDING
from outscore.results.methods import describe_samples
from outscore.results.result import Result


@format_("html")
@dataclass(frozen=True)
class Html:
    """A self-contained page: verdict, tables, pictures, notes, items, methods, data; it fetches nothing."""

    suffixes: ClassVar[tuple[str, ...]] = (".html", ".htm")

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The page."""
        return page(result, decimals)


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
_PRINTED_ROWS = 40
"""Rows up to which a picture that is folded on the screen is printed."""
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
    title = limits.clip(next(iter(screen.verdict), "Results").replace("see !", "see notes"), _TITLE)
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
    more = [_fold_picture(picture) for picture in pictures if not picture.first]
    yield "pictures", "More pictures", join([*more, left_out])
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


def _fold_picture(picture: PagePicture) -> Markup:
    """A picture behind the first ones; one of many rows, as of every document, is not printed."""
    inside = join([element("h3", picture.heading), picture.figure])
    if picture.rows <= _PRINTED_ROWS:
        return inside
    said = f"{picture.heading}: {picture.rows} rows, which are not printed."
    return join([element("div", inside, class_="unprinted"), element("p", said, class_="paper")])


def _resource(name: str) -> str:
    return (files("outscore.report.html") / name).read_text(encoding="utf-8")


def _verdict_markup(result: Result, screen: Screen) -> Markup:
    """The first sentence as the heading of the page, the others as a list below it."""
    see = f"see {element('a', '!', href='#changing')}"
    first, *others = [Markup(_emphasize(one).replace("see !", see)) for one in screen.verdict] or [Markup("Results")]
    kind = "question" if result.verdict_leads else None
    listed = element("ul", *(element("li", one) for one in others), class_="verdict") if others else Markup()
    return join([element("h1", first, class_=kind), listed])


def _emphasize(said: str) -> Markup:
    """A long sentence whose first part stands out."""
    ends = _PART.search(said)
    if len(said) <= _LONG or ends is None:
        return join([said])
    return join([said[: ends.end()], element("span", said[ends.end() :], class_="rest")])


def notes_markup(notes: Sequence[Note]) -> Markup:
    """Every note once, with its remedy; what changes the answer has the mark of its rows."""
    shown = []
    for note in notes[:LISTED]:
        said = [element("b", "!"), " "] if note.rank == "answer" else []
        said.append(capital(join_remedy(note.text, "")))
        remedy = element("p", element("b", "Remedy: "), join_remedy(note.remedy, ""), class_="remedy")
        shown.append(element("div", element("p", *said), remedy if note.remedy else "", class_="warn"))
    return join([*shown, *_describe_more(len(notes), "note")])


def methods_markup(result: Result, screen: Screen) -> Markup:
    """How the numbers were made, and the result as a paper would say it."""
    paper = element("p", element("b", "For a paper: "), sentence_of(result, alone=False))
    return join([*(element("p", line) for line in screen.method), paper])


def provenance_markup(result: Result) -> Markup:
    """Versions, settings, files with their digests, and the items that were left out."""
    source = result.provenance
    facts = {
        "command line": source.command_line,
        "outscore": source.version,
        **source.libraries,
        "seed": str(result.seed),
        "alpha": f"{result.alpha:g}",
        "test": source.test,
        "correction": source.correction,
        "resamples": str(source.n_resamples),
        "engine": source.engine,
        "cluster": source.cluster or "none",
        "strata": source.strata or "none",
        "samples": "; ".join(describe_samples(result, ReportWriter(result, None))),
        "items": f"{source.n_items_read} read, {len(source.dropped)} left out",
    }
    listed = [part for name, value in facts.items() if value for part in (element("dt", name), element("dd", value))]
    return join([element("dl", *listed, class_="facts"), _inputs(result), _describe_dropped(source.dropped)])


def data_markup(result: Result, packed: str | None) -> Markup:
    """The way to the numbers: out of the page, or out of a file where they are too large for a page."""
    name = f"outscore-{clean(result.command)}.json"
    redraw = f"outscore show {name} draws them again in any format"
    if packed is None:
        return element("p", f"The numbers are too large for a page: -o {name} saves them; {redraw}.")
    source = Markup(f"data:application/gzip;base64,{packed}")
    link = element("a", f"Download {name}.gz", href=source, download=f"{name}.gz")
    return join([element("p", link), element("p", f"All numbers in full precision; unpacked, {redraw}.")])


def pack(result: Result) -> str:
    """The JSON of the result, packed by gzip and in base64."""
    plain = result.to_json().encode("utf-8", errors="backslashreplace")
    return base64.b64encode(gzip.compress(plain, mtime=0)).decode()


def _inputs(result: Result) -> Markup:
    inputs = result.provenance.inputs
    if not inputs:
        return Markup()
    rows = [
        element("tr", element("th", one.file, scope="row"), element("td", one.role), element("td", one.sha256))
        for one in inputs[:LISTED]
    ]
    heads = element("tr", *(element("th", head, scope="col") for head in ("File", "Read as", "SHA-256")))
    caption = element("caption", "Input files", class_="unseen")
    table = element("table", caption, element("thead", heads), element("tbody", *rows), class_="files")
    frame = element("div", table, class_="scroll", tabindex=0, role="group", aria_label="Input files")
    return join([frame, *_describe_more(len(inputs), "file")])


def _describe_dropped(dropped: Mapping[str, str]) -> Markup:
    if not dropped:
        return Markup()
    shown = [element("li", f"{item}: {reason}") for item, reason in list(dropped.items())[:LISTED]]
    more = _describe_more(len(dropped), "item")
    return element("details", element("summary", "Items left out"), element("ul", *shown), *more)


def _describe_more(number: int, what: str) -> Iterator[Markup]:
    if number > LISTED:
        yield element("p", f"And {inflect(number - LISTED, 'more ' + what)}, which the data hold.", class_="cut")
