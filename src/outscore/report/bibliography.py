"""BibTeX for the metrics and methods that a result used."""

from __future__ import annotations

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
    text = (files("outscore.report") / "bibliography.bib").read_text(encoding="utf-8")
    parts = [part.partition("\n") for part in text.split("\n% ")[1:]]
    return {name.strip(): entry.strip() for name, _, entry in parts}
