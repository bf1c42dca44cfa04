"""How the manual is written: its prose, how long and how readable it is, and words that it leaves out.

``python -m tests.docs.words [FOLDER]`` prints the length and the readability of each page.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

RETIRED = r"duels?|entrants?|redrawn|exchanged|relabel\w*|labour|disputes|remarks|worth|looks at|looked at|\w+ looks"
"""Words that had several meanings, or that the field says otherwise: interim analyses, permuted, resampled."""
BOAST = (
    r"easily|simply|obviously|of course|powerful|seamless\w*|blazing\w*|state-of-the-art|very|truly|unique|honest\w*"
)
ARCHAIC = (
    r"heed\w*|lest|anew|unasked|hence|whence|thereof|wherein|be had|hangs? together|thereby|whosoever|in one breath"
)
LEFT_OUT = {"retired": RETIRED, "boast": BOAST, "archaic": ARCHAIC}

SIGNS = """In formulas δ is the gain, that is the score of the system (A) less that of the baseline (B), θ a gain or a
score, a star what is resampled or permuted, a bar a mean, s a standard deviation, n (and m) the number of items, or of
clusters where there are any, R that of runs; Φ is the normal law, z and t are its and Student's quantiles. p is
two-sided; one-sided it is one of the two tails."""

_MADE = re.compile(r"\A#[^\n]*\n\n(?:[^\n]+\n)*?Made by `python ")
_FENCE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Readability:
    """Length and readability of a text.

    Attributes:
        lines: lines that hold prose, a table or a heading: not blank, and no part of a block of code.
        sentence: mean number of words of a sentence in running text.
        ease: Flesch's reading ease (1948): 206.835 - 1.015 words per sentence - 84.6 syllables per word.
    """

    lines: int
    sentence: float
    ease: float


def pages(folder: Path = DOCS) -> dict[str, str]:
    """The texts of the pages that people write, by their names; those that a program writes say so and are left out."""
    found = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}
    return {
        name: text
        for name, text in sorted(found.items())
        if not _MADE.search(text) and not name.startswith(("_build", "reference/"))
    }


def written(text: str) -> str:
    """A page without its blocks of code and what they print."""
    return _FENCE.sub("", text)


def plain(text: str) -> str:
    """The words of a page without code, addresses of links and marks."""
    text = re.sub(r"`[^`]*`", "CODE", re.sub(r"\]\([^)]*\)", "]", written(text)))
    return re.sub(r"[*_\[\]!]", "", text)


def readability(text: str) -> Readability:
    """Measures a page; sentences of tables and headings do not count, as they are none."""
    lines = [line for line in written(text).splitlines() if line.strip()]
    running = "\n".join("" if line.startswith(("#", "|", "<")) else line for line in plain(text).splitlines())
    running = re.sub(r"\b(e\.g|i\.e|et al|vs|cf)\.", r"\1", running)
    # a blank line and a new point of a list end a sentence as well
    sentences = [s for s in re.split(r"[.?!](?:\s+|$)|\n\s*\n|\n\s*- ", running) if len(s.split()) > 2]
    words = [word for s in sentences for word in re.findall(r"[A-Za-z]+", s) if word != "CODE"]
    if not words:
        return Readability(len(lines), 0.0, 100.0)
    syllables = sum(max(1, len(re.findall(r"[aeiouy]+", re.sub(r"(?<=[^l])e$", "", w.lower())))) for w in words)
    length = len(words) / len(sentences)
    return Readability(len(lines), length, 206.835 - 1.015 * length - 84.6 * syllables / len(words))


def left_out(text: str) -> list[str]:
    """The words of a page that the manual does not use, each with its kind and a little of what is around it."""
    said = re.sub(r"\s+", " ", plain(text))
    return [
        f"{kind}: ...{said[max(0, match.start() - 30) : match.end() + 20]}..."
        for kind, pattern in LEFT_OUT.items()
        for match in re.finditer(rf"\b(?:{pattern})\b", said, re.IGNORECASE)
    ]


if __name__ == "__main__":
    measured = {name: readability(text) for name, text in pages(*map(Path, sys.argv[1:])).items()}
    for name, one in measured.items():
        sys.stdout.write(f"{one.lines:6} {one.sentence:6.1f} {one.ease:6.1f}  {name}\n")
    whole = readability("\n\n".join(pages(*map(Path, sys.argv[1:])).values()))
    sys.stdout.write(f"{whole.lines:6} {whole.sentence:6.1f} {whole.ease:6.1f}  all {len(measured)} pages\n")
