"""Lists: word alignments, as Pharaoh and Moses write them (Koehn et al. 2003): ``0-0 1-2 2?1``.

Each link is a source position, ``-`` if it is sure or ``?`` (``p`` in some gold files) if it is only possible, and a
target position. A probability after a colon, ``0-0:0.93``, is passed over. A text without links is empty.

Rankings, a line ``document number`` for each document of one query, with its score or its judged relevance.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError

LINKS = "links"

Link: TypeAlias = tuple[int, int]

_LINK = re.compile(r"([0-9]{1,9})([-?p])([0-9]{1,9})(?::[0-9.eE+-]+)?")


@dataclass(frozen=True)
class Links:
    """The links of one sentence pair.

    Attributes:
        sure: links ``(source, target)`` that are certainly right.
        possible: links that may be right; the sure ones are among them.
    """

    sure: frozenset[Link]
    possible: frozenset[Link]


def parse(text: str) -> Links:
    """The links that a text spells.

    Raises:
        NotationError: something in it is no link.
    """
    sure: set[Link] = set()
    possible: set[Link] = set()
    for word in text.split():
        found = _LINK.fullmatch(word)
        if found is None:
            raise NotationError(f"found {word[:40]!r}, expected links like 0-0, or 2?1 for a possible one")
        link = int(found[1]), int(found[3])
        possible.add(link)
        if found[2] == "-":
            sure.add(link)
    return Links(frozenset(sure), frozenset(possible))


def spell(sure: Iterable[Link], possible: Iterable[Link]) -> str:
    """The text of these links in the order of the words; those that are sure need not be among the possible ones."""
    signs = dict.fromkeys(possible, "?") | dict.fromkeys(sure, "-")
    return " ".join(f"{i}{signs[i, j]}{j}" for i, j in sorted(signs))


RANKING = "ranking"
_MOST = 10**6

N = TypeVar("N", int, float)


def scores(text: str) -> dict[str, float]:
    """The retrieved documents with their scores, in the order of the text.

    Raises:
        NotationError: a line that is not ``document score``, or a document that is retrieved twice.
    """
    return _numbers(text, float, math.isfinite, "a score")


def grades(text: str) -> dict[str, int]:
    """The judged documents with their relevance; 0 or less is not relevant.

    Raises:
        NotationError: a line that is not ``document relevance``, or a document that is judged twice.
    """
    return _numbers(text, int, lambda grade: abs(grade) <= _MOST, f"a whole number up to {_MOST}")


def _numbers(text: str, number: Callable[[str], N], fits: Callable[[N], bool], expected: str) -> dict[str, N]:
    found: dict[str, N] = {}
    for i, line in enumerate(text.split("\n") if text else ()):
        document, _, written = line.partition(" ")
        try:
            # Python takes 1_0 for ten, which no program writes into a run
            value = None if "_" in written else number(written)
        except ValueError:
            value = None
        if value is None or not fits(value):
            raise NotationError(f"found {written[:60]!r} for document {document!r}, expected {expected}", i)
        if document in found:
            raise NotationError(f"document {document!r} is listed twice for one query", i)
        found[document] = value
    return found
