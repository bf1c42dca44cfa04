"""The methods of a paper: a paragraph that says how the numbers were found, and BibTeX of what it cites."""

from __future__ import annotations

import re
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.text import clean
from outscore.report.bibliography import bibtex
from outscore.report.formats import format_
from outscore.report.formats.latex import escape
from outscore.report.screen import typed
from outscore.report.text import join_remedy
from outscore.report.writer import ReportWriter
from outscore.results.result import Result

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
        said = " ".join(clean(line) for line in result.paragraph(ReportWriter(result, decimals)))
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
