"""BibTeX for the metrics and methods that a result used."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from importlib.resources import files


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
