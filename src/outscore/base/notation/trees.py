"""Bracketed trees as the Penn Treebank writes them (Marcus et al. 1993): ``(S (NP (DT the) (NN cat)) (VP (VBD sat)))``.

One text is one tree, or several in a row that parsers give as a fragment. An outermost bracket without a label is the
treebank's wrapper and no constituent. A text without any word, like ``(())`` or an empty one, is no parse.
"""

from __future__ import annotations

import itertools
import re

from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError

TREE = "tree"

# Only ASCII blanks separate: a no-break space may be part of a word.
_TOKEN = re.compile(r"[()]|[^()\s]+", re.ASCII)
_BLANKS = re.compile(r"\s+", re.ASCII)
_BRACKETS = frozenset("()")


@dataclass(frozen=True)
class Tree:
    """A tree as brackets over words.

    Attributes:
        words: the leaves.
        tags: the label right above each word.
        brackets: ``(label, start, end)`` of every other constituent in the order in which they open; it covers
            ``words[start:end]``, which is empty for a bracket without words.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    brackets: tuple[tuple[str, int, int], ...]


def parse(text: str) -> Tree:
    """The tree that a text spells.

    Raises:
        NotationError: brackets that do not balance, or a word that is not alone with its label in a bracket.
    """
    tokens = _TOKEN.findall(text)
    words: list[str] = []
    tags: list[str] = []
    labels: list[str | None] = []  # None for the wrapper
    starts: list[int] = []
    ends: list[int] = []
    open_: list[int] = []
    i = 0
    while i < len(tokens):
        if tokens[i] == ")":
            if not open_:
                raise _wrong(text, i, "a bracket closes that was never opened")
            ends[open_.pop()] = len(words)
            i += 1
            continue
        if tokens[i] != "(":
            raise _wrong(text, i, f"found {tokens[i][:40]!r}, expected a bracket with a label and one word")
        label = tokens[i + 1] if tokens[i + 1 : i + 2] and tokens[i + 1] not in _BRACKETS else ""
        i += 2 if label else 1
        if label and tokens[i + 1 : i + 2] == [")"] and tokens[i] not in _BRACKETS:
            words.append(tokens[i])
            tags.append(label)
            i += 2
            continue
        labels.append(label if label or open_ else None)
        starts.append(len(words))
        open_.append(len(ends))
        ends.append(-1)
    if open_:
        raise _wrong(text, len(tokens) - 1, f"{len(open_)} opened and never closed: the text ends")
    brackets = zip(labels, starts, ends, strict=True)
    return Tree(tuple(words), tuple(tags), tuple((label, s, e) for label, s, e in brackets if label is not None))


def on_one_line(text: str) -> str:
    """The same tree with single blanks instead of line ends and indentation."""
    return _BLANKS.sub(" ", text).strip(" ")


def _wrong(text: str, token: int, what: str) -> NotationError:
    """An error about one token, with its column."""
    place = next(itertools.islice(_TOKEN.finditer(text), token, None)).start()
    return NotationError(f"{what} in column {place - text.rfind(chr(10), 0, place)}", text.count("\n", 0, place))
