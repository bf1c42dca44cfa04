"""Rankings: a line ``document number`` for each document of one query, with its score or its judged relevance."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from outscore.base.notation import NotationError

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
