"""Parsed sentences, a word a line: CoNLL-U (Nivre et al. 2016) and CoNLL-X (Buchholz and Marsi 2006)."""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError

CONLLU = "conllu"
COLUMNS = 10
NO_HEAD = -1
"""The head of a word that has none, ``_``."""

_RANGE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
_EMPTY_NODE = re.compile(r"(\d{1,9})\.\d+", re.ASCII)
_SPACES = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")  # Unicode category Zs


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """One sentence: its words, and the tokens of the text that they stand for.

    A token is one word, or several that are written as one (``du`` for ``de le``). Empty nodes are passed over.

    Attributes:
        forms, upos, heads, deprels: FORM, UPOS (CPOSTAG in CoNLL-X), HEAD and DEPREL of each word; the head is the
            number of a word from 1, 0 for a root, or ``NO_HEAD``.
        texts: the characters of each token, without spaces.
        sizes: the number of words of each token.
        lines: the line of each token within the sentence, from 0.
    """

    forms: tuple[str, ...]
    upos: tuple[str, ...]
    heads: tuple[int, ...]
    deprels: tuple[str, ...]
    texts: tuple[str, ...]
    sizes: tuple[int, ...]
    lines: tuple[int, ...]


def sentences(text: str) -> tuple[ParsedSentence, ...]:
    """The sentences of an item: blocks of lines, with a blank line between two.

    Raises:
        NotationError: a line that is not as it should be.
    """
    result, start = [], 0
    for block in text.split("\n\n"):
        try:
            result.append(sentence(block))
        except NotationError as error:
            raise NotationError(str(error), start + error.line) from None
        start += block.count("\n") + 2
    return tuple(result)


@lru_cache(maxsize=1 << 15)
def sentence(block: str) -> ParsedSentence:
    """One sentence from its lines, without comments.

    Whether the heads form a tree is not looked at: attachments can be counted in any case.

    Raises:
        NotationError: not ten columns, an ID out of order, an empty FORM, a HEAD outside the sentence.
    """
    words: list[tuple[str, str, int, str]] = []
    tokens: list[tuple[str, int, int]] = []
    lines = block.split("\n")
    covered = 0  # last word of the token of several words that was read last
    for number, line in enumerate(lines):
        columns = line.split("\t")
        if len(columns) != COLUMNS:
            raise NotationError(f"found {inflect(len(columns), 'column')}, expected 10 with tabs between them", number)
        place, form, following = columns[0], columns[1], len(words) + 1
        text = _SPACES.sub("", form)
        if place == str(following):
            head = _head(columns[6], number)
            words.append((form, sys.intern(columns[3]), head, sys.intern(columns[7])))
            if following > covered:
                tokens.append((text, 1, number))
        elif (several := _RANGE.fullmatch(place)) and covered < following == int(several[1]) < int(several[2]):
            covered = int(several[2])
            tokens.append((text, covered - following + 1, number))
        elif (node := _EMPTY_NODE.fullmatch(place)) and int(node[1]) == len(words):
            continue
        else:
            raise NotationError(f"found the ID {place!r}, expected {following}", number)
        if not text:
            raise NotationError("the FORM is empty, expected a word", number)
    if len(words) < max(covered, 1):
        raise NotationError(
            f"the sentence ends after {inflect(len(words), 'word')}, expected {max(covered, 1)}", number
        )
    forms, upos, heads, deprels = zip(*words, strict=True)
    if max(heads) > len(words):
        far = next(n for n, line in enumerate(lines) if _head_of(line) > len(words))
        raise NotationError(f"found the HEAD {_head_of(lines[far])}, expected 0 to {len(words)}", far)
    return ParsedSentence(forms, upos, heads, deprels, *zip(*tokens, strict=True))


def _head(text: str, number: int) -> int:
    if text == "_":
        return NO_HEAD
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise NotationError(f"found the HEAD {text!r}, expected the number of a word, or 0 for the root", number)
    return int(text)


def _head_of(line: str) -> int:
    place, head = line.split("\t")[:7:6]
    return int(head) if place.isdecimal() and head != "_" else NO_HEAD
