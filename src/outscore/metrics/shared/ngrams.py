"""Numbered tokens of texts, sacrebleu's tokenizer 13a (Post 2018), and the n-grams shared with references."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, count

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass

# sacrebleu's own, but for the blank in the first: a word has none
_RULES = [
    (re.compile(r"([{-~\[-`!-&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]


@dataclass(frozen=True)
class Tokens:
    """Some texts as numbers, equal ones for equal tokens.

    Attributes:
        ids: the tokens of all texts, one text after another.
        lengths: ``(texts,)``, tokens of each text.
    """

    ids: Int
    lengths: Int

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]]) -> Tokens:
        """Texts that are cut into tokens: the first token is 0, each new one is one more."""
        return cls._of(texts, defaultdict(count().__next__))

    @classmethod
    def _of(cls, texts: Sequence[Sequence[str]], number: defaultdict[str, int]) -> Tokens:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        ids = map(number.__getitem__, chain.from_iterable(texts))
        return cls(np.fromiter(ids, np.int64, int(lengths.sum())), lengths)


def tokens_13a(texts: Sequence[str]) -> Tokens:
    """The tokens into which sacrebleu's tokenizer 13a cuts the texts."""
    return tokens_of_words([_unescape(text) for text in texts], _cut_13a)


def cut_13a(text: str) -> list[str]:
    """The tokens into which sacrebleu's tokenizer 13a cuts one text."""
    return list(chain.from_iterable(_cut_13a(_unescape(text).split())))


def tokens_of_words(texts: Sequence[str], cut: Callable[[Sequence[str]], Sequence[Sequence[str]]]) -> Tokens:
    """The tokens of the texts by rules that do not reach over a blank: each distinct word is cut once.

    Args:
        texts: words between blanks.
        cut: gives the tokens of each of some words.
    """
    number: defaultdict[str, int] = defaultdict(count().__next__)
    words = Tokens._of([text.split() for text in texts], number)
    return _replace(words, Tokens.of(cut(list(number))))


def characters(texts: Sequence[str]) -> Tokens:
    """The characters of texts by their code points."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    return Tokens(codes.astype(np.int64), np.fromiter(map(len, texts), np.int64, len(texts)))


def _unescape(text: str) -> str:
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        text = text.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    return text


def _cut_13a(words: Sequence[str]) -> list[list[str]]:
    text = "\n".join(["", *words, ""])
    for rule, replacement in _RULES:
        text = rule.sub(replacement, text)
    return [line.split() for line in text.split("\n")[1:-1]]


def _replace(words: Tokens, parts: Tokens) -> Tokens:
    """The words of texts replaced by their parts; word ``i`` has the parts of text ``i``."""
    pieces = parts.lengths[words.ids]
    at = spans((np.cumsum(parts.lengths) - parts.lengths)[words.ids], pieces)
    ends = np.concatenate([[0], np.cumsum(pieces)])
    return Tokens(parts.ids[at], np.diff(ends[np.concatenate([[0], np.cumsum(words.lengths)])]))


def spans(starts: Int, lengths: Int) -> Int:
    """The numbers ``start, start + 1 ... start + length - 1`` of each span, one span after another."""
    before = np.cumsum(lengths) - lengths
    numbers: Int = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return numbers


_HALF = 32  # bits of either number of a pair


def count_matches(texts: Tokens, group: Int, outputs: int, max_order: int) -> Float:
    """N-grams of each output that its references have, ``(outputs, max_order)``, for n = 1 ... max_order.

    An n-gram matches as often as it is in the output, but no more often than in the reference that has it most often
    (Papineni et al. 2002, §2.1).

    Args:
        texts: the outputs, then the references.
        group: ``(texts,)``, a number that an output and its references have in common.
        outputs: how many of the texts are outputs.
        max_order: the longest n-gram.
    """
    matches = np.zeros((outputs, max_order))
    text = np.repeat(np.arange(len(texts.lengths)), texts.lengths)
    left = np.repeat(np.cumsum(texts.lengths), texts.lengths) - np.arange(len(text))
    # an n-gram is numbered within its group, from the number of its first n - 1 words and that of its last word
    at = np.arange(len(text))
    word = gram = _pair(group[text], texts.ids)
    for order in range(1, max_order + 1):
        # a stable order keeps the texts of one n-gram in theirs: what is equal in both is one n-gram of one text
        ordered = gram.argsort(kind="stable")
        number, texts_of = _number(gram[ordered]), text[at[ordered]]
        starts = np.flatnonzero(_changes(number) | _changes(texts_of))
        where, which, times = texts_of[starts], number[starts], np.diff(starts, append=len(number))
        ours = where < outputs
        most = np.zeros(number.max(initial=0) + 1, np.int64)
        np.maximum.at(most, which[~ours], times[~ours])
        clipped = np.minimum(times[ours], most[which[ours]])
        matches[:, order - 1] = np.bincount(where[ours], clipped, outputs)
        gram[ordered] = number  # in place: the first are those of the words
        # an n-gram that no reference has is part of no longer match
        longer = (most[gram] > 0) & (left[at] > order)
        at = at[longer]
        gram = _pair(gram[longer], word[at + order])
    return matches


def _pair(first: Int, second: Int) -> Int:
    return first << _HALF | second


def _changes(values: Int) -> Bool:
    """Whether each value differs from the one before it, as the first does."""
    return np.concatenate([np.ones(min(len(values), 1), np.bool_), values[1:] != values[:-1]])


def _number(ordered: Int) -> Int:
    """Numbers from 0 on, the same for the same value."""
    return np.cumsum(_changes(ordered)) - 1
