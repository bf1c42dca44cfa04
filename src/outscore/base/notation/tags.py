"""Tags of one sentence joined by blanks, ``O B-PER I-PER``, and the spans that they mark."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from outscore.base.notation import NotationError

TAGS = "tags"
Scheme = Literal["conlleval", "iob1", "iob2", "ioe1", "ioe2", "bioes"]
SPAN_TAG = re.compile(r"O|[BIESLU]-\S+")
"""A tag of a span with its type, in any scheme; U and L are what BILOU writes for S and E."""

_LETTERS = {"conlleval": "BIESLU", "iob1": "BI", "iob2": "BI", "ioe1": "IE", "ioe2": "IE", "bioes": "BIESLU"}
_PATTERNS = {
    "iob1": ("OI II! BI IB= BB=", "BI= II=", "II! IO IB BO BI! BB="),
    "iob2": ("OB IB BB", "BI= II=", "IO II! IB BO BI! BB"),
    "ioe1": ("OI II! EI EE=", "II= IE=", "II! IO IE! EI= EE="),
    "ioe2": ("OI OE EI EE II! IE!", "IE= II=", "EO EI EE"),
    "bioes": ("OB IB BB EB SB OS IS BS ES SS", "BI= BE= II= IE=", "SO SB SI SE SS EO EB EI EE ES"),
}
"""Strict schemes as in seqeval: pairs of letters, = of one type and ! of two, where a span starts, goes on, ends."""
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


def spans(tags: Sequence[str], scheme: Scheme = "conlleval", *, suffix: bool = False) -> tuple[Span, ...]:
    """The spans that tags mark, in their order.

    Args:
        tags: ``O``, or a letter and a type: ``B-PER``; a type that is not written is ``_``.
        scheme: ``conlleval`` reads IOB1, IOB2, IOE and BIOES (BILOU) by the rules of the CoNLL-2000 script, under which
            every tag but O is in some span; the others are strict: spans that are not written as the scheme demands are
            none.
        suffix: the letter stands behind the type: ``PER-B``.

    Raises:
        NotationError: a tag that the scheme does not have.
    """
    pairs = [_split(tag, scheme, suffix) for tag in tags]
    return _chunks(pairs) if scheme == "conlleval" else _by_patterns(pairs, *_PATTERNS[scheme])


def _split(tag: str, scheme: Scheme, suffix: bool) -> tuple[str, str]:
    kind, _, letter = tag.rpartition("-") if suffix else reversed(tag.partition("-"))
    if tag != "O" and letter not in tuple(_LETTERS[scheme]):
        letters = ", ".join(f"TYPE-{x}" if suffix else f"{x}-TYPE" for x in _LETTERS[scheme])
        behind = not suffix and tag[-2:-1] == "-" and tag[-1] in _LETTERS[scheme]
        meant = "; suffix=true reads a letter behind the type" if behind else ""
        raise NotationError(f"{tag!r} is no tag of {scheme}, expected O, {letters}{meant}")
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


def _by_patterns(tags: Sequence[tuple[str, str]], starts: str, insides: str, ends: str) -> tuple[Span, ...]:
    """Spans whose first tag, tags and end, each with the tag before it, are as the patterns of a scheme say."""

    def fits(i: int, patterns: Collection[str]) -> bool:
        (before, kind), (letter, own) = every[i], every[i + 1]
        return f"{before}{letter}" in patterns or f"{before}{letter}{'=' if kind == own else '!'}" in patterns

    outside = ("O", _NO_TYPE)
    every, found, i = [outside, *tags, outside], [], 0
    starting, inside, ending = starts.split(), insides.split(), ends.split()
    while i < len(tags):
        end = i + 1
        if fits(i, starting):
            while fits(end, inside):
                end += 1
            if fits(end, ending):
                found.append(Span(tags[i][1], i, end))
        i = end
    return tuple(found)
