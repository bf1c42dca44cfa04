"""The sections of a page that are words: notes, methods, references, provenance, data."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator, Mapping, Sequence

from outscore.base.errors import inflect
from outscore.base.notes import Note
from outscore.base.text import clean
from outscore.report.html.elements import Markup, element, join
from outscore.report.html.limits import LISTED
from outscore.report.screen import Screen
from outscore.report.text import capital, join_remedy
from outscore.report.writer import ReportWriter
from outscore.results.methods import describe_samples
from outscore.results.result import Result


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
    paper = element("p", element("b", "For a paper: "), result.sentence)
    return join([*(element("p", line) for line in screen.method), paper])


def provenance_markup(result: Result) -> Markup:
    """Versions, settings, files with their digests, and the items that were left out."""
    source = result.provenance
    facts = {
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
