"""Tags of one sentence joined by blanks, ``O B-PER I-PER``, and the spans that they mark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from outscore.base.notation import NotationError

TAGS = "tags"
Scheme = Literal["conlleval", "iob2", "bioes"]
SPAN_TAG = re.compile(r"O|[BIESLU]-\S+")
"""A tag of a span with its type, in any scheme; U and L are what BILOU writes for S and E."""

_LETTERS: dict[str, str] = {"conlleval": "BIESLU", "iob2": "BI", "bioes": "BIESLU"}
_BIOES = {"L": "E", "U": "S"}
_NO_TYPE = "_"


class Span(NamedTuple):
    """Tokens ``start`` to ``end - 1``, from 0, marked as one span of a type."""

    type: str
    start: int
    end: int


def has_spans(texts: Iterable[str]) -> bool:
    """Whether some tag marks a part of a span, such as ``B-PER``; tags of words, such as ``NOUN``, do not."""
    return any(tag != "O" and SPAN_TAG.fullmatch(tag) for text in texts for tag in text.split())


def tags_of(text: str) -> tuple[str, ...]:
    """The tags of a sentence.

    Raises:
        NotationError: a tag is empty.
    """
    tags = tuple(text.split(" ")) if text else ()
    if "" in tags:
        raise NotationError(f"tag {tags.index('') + 1} is empty, expected tags joined by single blanks")
    return tags


def spans(tags: Sequence[str], scheme: Scheme = "conlleval") -> tuple[Span, ...]:
    """The spans that tags mark, in their order.

    Args:
        tags: ``O``, or a letter and a type: ``B-PER``; a type that is not written is ``_``.
        scheme: ``conlleval`` reads IOB1, IOB2, IOE and BIOES (BILOU) by the rules of the CoNLL-2000 script, under which
            every tag but O is in some span; ``iob2`` and ``bioes`` are strict: spans that are not written as the scheme
            demands are none.

    Raises:
        NotationError: a tag that the scheme does not have.
    """
    pairs = [_split(tag, scheme) for tag in tags]
    return _chunks(pairs) if scheme == "conlleval" else _strict(pairs, closed=scheme == "bioes")


def _split(tag: str, scheme: Scheme) -> tuple[str, str]:
    letter, _, kind = tag.partition("-")
    if tag != "O" and letter not in tuple(_LETTERS[scheme]):
        letters = ", ".join(f"{x}-TYPE" for x in _LETTERS[scheme])
        raise NotationError(f"{tag!r} is no tag of {scheme}, expected O, {letters}")
    return _BIOES.get(letter, letter), kind or _NO_TYPE


def _chunks(pairs: Sequence[tuple[str, str]]) -> tuple[Span, ...]:
    """Spans by conlleval's rules for the start and the end of a chunk."""
    found: list[Span] = []
    start = 0
    before = ("O", _NO_TYPE)
    for i, (letter, kind) in enumerate([*pairs, ("O", _NO_TYPE)]):
        begins = letter != "O" and (letter in "BS" or before[0] in "ESO" or before[1] != kind)
        if before[0] != "O" and (begins or letter == "O"):
            found.append(Span(before[1], start, i))
        if begins:
            start = i
        before = (letter, kind)
    return tuple(found)


def _strict(pairs: Sequence[tuple[str, str]], closed: bool) -> tuple[Span, ...]:
    """Spans that begin with B and go on with I of the same type; ``closed`` ones end with E, or are one S."""
    found: list[Span] = []
    open_: Span | None = None
    for i, (letter, kind) in enumerate(pairs):
        if open_ is not None and letter in "IE" and kind == open_.type:
            open_ = open_._replace(end=i + 1)
            if letter == "E":
                found.append(open_)
                open_ = None
            continue
        if open_ is not None and not closed:
            found.append(open_)
        open_ = Span(kind, i, i + 1) if letter == "B" else None
        if letter == "S":
            found.append(Span(kind, i, i + 1))
    if open_ is not None and not closed:
        found.append(open_)
    return tuple(found)
