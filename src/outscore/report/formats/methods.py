"""For a paper: a paragraph that says how a result was found, and BibTeX of what it cites."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from importlib.resources import files
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.text import clean
from outscore.report.formats import format_
from outscore.report.formats.latex import escape
from outscore.report.screen import typed
from outscore.report.text import join_remedy
from outscore.report.writer import ReportWriter
from outscore.results.result import Result
from outscore.results.sentences import tell_taken_back

_KEY = re.compile(r"^@\w+\{([^,\s]+),", re.M)
_OURS = """@misc{{outscore,
  author = {{{{The outscore contributors}}}},
  title = {{outscore: does system {{A}} really outscore system {{B}}?}},
  note = {{Version {version}}},
}}"""


@format_("methods")
@dataclass(frozen=True)
class Methods:
    r"""A paragraph with test, null hypothesis, resamples, correction, software and ``\cite``; below it the BibTeX.

    Attributes:
        plain: no commands of LaTeX; the works are named by author and year.
    """

    plain: bool = False

    suffixes: ClassVar[tuple[str, ...]] = ()
    has_tables: ClassVar[bool] = False

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The paragraph, what to know before it is printed, and the entries; ``decimals`` of scores."""
        source = result.provenance
        w = ReportWriter(result, decimals)
        said = " ".join(clean(line) for line in (*result.paragraph(w), *tell_taken_back(result, w)))
        software = f"Computed with outscore {source.version}"
        if source.libraries:
            software += f" on {', '.join(f'{name} {version}' for name, version in source.libraries.items())}"
        signature = f"Signature: {clean(sign(result))}."
        known = [f"To know: {join_remedy(note.text, '')}" for note in _limits(result)]
        works = bibtex(source.citations)
        if self.plain:
            named = "; ".join(dict.fromkeys(source.citations))
            text = f"{said} {software}{f' (sources: {clean(named)})' if named else ''}. {signature}"
        else:
            cited = ",".join(["outscore", *_KEY.findall(works)])
            text = rf"{escape(said)} {escape(software)} \cite{{{cited}}}. {escape(signature)}"
            text = text.replace(r"\textbar{}", r"\textbar{}\allowbreak{}")  # a signature is longer than a column
            known = [f"% {escape(line)}" for line in known]
        entries = [_OURS.format(version=source.version), works]
        return "\n\n".join(filter(None, (text, "\n".join(known), *entries))) + "\n"


def _limits(result: Result) -> list[Note]:
    """Notes that change an answer, or limit what may be claimed of it."""
    return [note for note in dict.fromkeys(result.notes) if note.rank != "record"]


def sign(result: Result) -> str:
    """All that it takes to compute a result again on the same files, as one word."""
    said = [f"{name}:{typed(result.options[name])}" for name in result.changed_options if name != "seed"]
    return "|".join([result.command, *said, f"seed:{result.seed}", f"version:{result.provenance.version}"])


def bibtex(citations: Iterable[str]) -> str:
    """BibTeX entries of the works named in free-text citations, in the order of their first mention.

    A citation that names no known work becomes a comment, so that nothing used goes unmentioned.
    """
    entries = _entries()
    found: dict[str, str] = {}
    for citation in citations:
        known = sorted((citation.index(name), name) for name in entries if name in citation)
        for _, name in known:
            found[name] = entries[name]
        if not known:
            found[citation] = f"% {' '.join(citation.split())}"
    return "\n\n".join(found.values())


def _entries() -> dict[str, str]:
    """BibTeX entries by the citations of the works."""
    text = (files("outscore.report") / "bibliography.txt").read_text(encoding="utf-8")
    return {
        name: _entry(name, *fields) for name, *fields in (work.strip().split("\n") for work in text.split("\n% ")[1:])
    }


def _entry(name: str, kind: str, *fields: str) -> str:
    """An entry whose key is the citation in small plain letters, and whose year is that of the citation."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("ø", "oe")).encode("ascii", "ignore").decode()
    key = "-".join(re.findall("[a-z0-9]+", plain))
    every = (*fields, f"year = {re.findall('[0-9]{4}', name)[0]}")
    return "\n".join((f"@{kind}{{{key},", *(f"  {field.replace(' = ', ' = {', 1)}}}," for field in every), "}"))
