"""Texts as numbered tokens, and sacrebleu's tokenizer 13a (Post 2018) for many texts at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np

from outscore.base.arrays import Int

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
    return tokens_of_words([_unescaped(text) for text in texts], _cut_13a)


def tokens_of_words(texts: Sequence[str], cut: Callable[[Sequence[str]], Sequence[Sequence[str]]]) -> Tokens:
    """The tokens of the texts by rules that do not reach over a blank: each distinct word is cut once.

    Args:
        texts: words between blanks.
        cut: gives the tokens of each of some words.
    """
    number: defaultdict[str, int] = defaultdict(count().__next__)
    words = Tokens._of([text.split() for text in texts], number)
    return _replaced(words, Tokens.of(cut(list(number))))


def characters(texts: Sequence[str]) -> Tokens:
    """The characters of texts by their code points."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    return Tokens(codes.astype(np.int64), np.fromiter(map(len, texts), np.int64, len(texts)))


def _unescaped(text: str) -> str:
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        text = text.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    return text


def _cut_13a(words: Sequence[str]) -> list[list[str]]:
    text = "\n".join(["", *words, ""])
    for rule, replacement in _RULES:
        text = rule.sub(replacement, text)
    return [line.split() for line in text.split("\n")[1:-1]]


def _replaced(words: Tokens, parts: Tokens) -> Tokens:
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
