"""Word alignments in the Pharaoh format (.talp): the links of one sentence pair a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from outscore.base.errors import InputError, UsageError
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.lists import LINKS, Links, parse, spell
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.source import Source

_MANY = 20  # sentence pairs with links; that no first word has one in so many never happens


@reader("pharaoh")
@dataclass(frozen=True)
class Pharaoh(Reader):
    """Links ``i-j``, and ``i?j`` or ``ipj`` for possible ones, aligned by position; an empty line is no links.

    Args:
        base: number of the first word, 0 or 1; by default 0, and a long file without any 0 is refused.
        gold: the same for the gold files, where they count otherwise.
    """

    description: ClassVar[str] = "word alignments, the links of one sentence pair a line: 0-0 1-2 2?1"
    example: ClassVar[str] = "0-0 1-2 2-1\n0-0 1-1\n"
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    base: int | None = None
    gold: int | None = None

    def __post_init__(self) -> None:
        for option, value in (("base", self.base), ("gold", self.gold)):
            if value not in (None, 0, 1):
                raise UsageError(f"pharaoh:{option}={value}: expected 0 or 1")

    def sniff(self, head: Sniffed) -> bool:
        if head.suffix == ".talp":
            return True
        words = [line.split() for line in head.lines if line.strip()]
        # Most, not all: one bad line must end in an error. A single link a line might be a result of a football match.
        if not any(len(line) > 1 and _is_links(line) for line in words):
            return False
        return 2 * sum(map(_is_links, words)) > len(words)

    def read(self, source: Source, context: Context) -> Content:
        given = self.gold if context.role == "reference" and self.gold is not None else self.base
        links = [_links(line, context.file, i + 1) for i, line in enumerate(source.lines())]
        if given is None:
            _check_zero(links, context)
        texts = tuple(_renumber(found, given or 0, context.file, i + 1) for i, found in enumerate(links))
        return context.content_of(self.name, texts, notation=LINKS)


def _is_links(words: Sequence[str]) -> bool:
    try:
        parse(" ".join(words))
    except NotationError:
        return False
    return True


def _links(line: str, file: str, number: int) -> Links:
    try:
        return parse(line)
    except NotationError as error:
        raise InputError(str(error), file=file, line=number, remedy="mend the line") from None


def _renumber(links: Links, base: int, file: str, number: int) -> str:
    low = min((min(link) for link in links.possible), default=base)
    if low < base:
        raise InputError(
            "found position 0, expected positions from 1",
            file=file,
            line=number,
            remedy="give --reader pharaoh:base=0, or pharaoh:gold=1 if only the gold counts from 1",
        )
    return spell(*({(i - base, j - base) for i, j in links_} for links_ in (links.sure, links.possible)))


def _check_zero(links: Sequence[Links], context: Context) -> None:
    """Refuses a file that seems to count from 1: against one that counts from 0 every link would be wrong."""
    linked = [found.possible for found in links if found.possible]
    if len(linked) >= _MANY and all(min(link) > 0 for found in linked for link in found):
        option = "gold" if context.role == "reference" else "base"
        raise InputError(
            f"no link of {len(linked)} sentence pairs has position 0, expected positions from 0",
            file=context.file,
            remedy=f"give --reader pharaoh:{option}=1 if it counts from 1, pharaoh:{option}=0 if it does not",
        )


_PAIR = re.compile(r"# Sentence pair \((\d{1,9})\) source length (\d{1,9}) target length \d")
_WORD = re.compile(r"(?<!\S)(\S++) \(\{((?: ++\d{1,9})*+ *)\}\)")


@reader("giza")
@dataclass(frozen=True)
class Giza(Reader):
    """``A3.final`` of GIZA++ and MGIZA: three lines a sentence pair, of which the last names the links of each word.

    Links are from the words of the third line to those of the second, both from 0 here. Pairs are ordered by their
    numbers, as MGIZA writes them in parts.
    """

    description: ClassVar[str] = "word alignments of GIZA++ (A3.final): three lines for each sentence pair"
    example: ClassVar[str] = (
        "# Sentence pair (1) source length 2 target length 2 alignment score : 0.1\nthe house\n"
        "NULL ({ }) das ({ 1 }) haus ({ 2 })\n"
    )
    priority: ClassVar[int] = 40
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    def sniff(self, head: Sniffed) -> bool:
        return bool(head.lines) and _PAIR.match(head.lines[0]) is not None

    def read(self, source: Source, context: Context) -> Content:
        lines = source.lines()
        found: dict[int, str] = {}
        for at in range(0, len(lines), 3):
            pair = _PAIR.match(lines[at])
            words = _WORD.findall(lines[at + 2]) if at + 2 < len(lines) else []
            if not pair or int(pair[1]) in found or len(words) != int(pair[2]) + 1:
                raise InputError(
                    f"found {lines[at][:60]!r}, expected a new sentence pair and its two lines",
                    file=context.file,
                    line=at + 1,
                    remedy="give the parts of one A3.final, whole",
                )
            links = {(i, int(j) - 1) for i, (_, of) in enumerate(words[1:]) for j in of.split()}
            found[int(pair[1])] = spell(links, ())
        numbers = sorted(found)
        ids = None if numbers == list(range(1, len(numbers) + 1)) else tuple(map(str, numbers))
        return context.content_of(self.name, tuple(found[n] for n in numbers), ids=ids, notation=LINKS)
