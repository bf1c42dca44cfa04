"""Word alignments in the format of the NAACL 2003 shared task (Mihalcea & Pedersen 2003): one link a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from outscore.base.errors import InputError, UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notation.lists import LINKS, Link, spell
from outscore.base.notes import Note
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.source import Source

_NUMBER = r"([0-9]{1,9})"
_LINE = re.compile(rf"\s*{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}(?:\s+([SP]))?(?:\s+[0-9.eE+-]+)?\s*")
_LONGEST = 500  # words in a sentence; other tables of three whole numbers soon have larger ones


@reader("naacl")
@dataclass(frozen=True)
class Naacl(Reader):
    """Lines ``sentence source target [S|P] [confidence]``, positions from 1, joined by the number of the sentence.

    A sentence without links has no line: the numbers that are missing up to the last one are such sentences. Position
    0 is the empty word of some files, and no link.

    Args:
        sentences: number of sentences, for files that lack the last ones; 0 for as many as the file names.
    """

    description: ClassVar[str] = "word alignments of the NAACL 2003 shared task: sentence, source, target [S|P] a line"
    example: ClassVar[str] = "0001 1 1 S\n0001 2 3 P\n0002 1 1 S\n"
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    sentences: int = 0

    def __post_init__(self) -> None:
        if self.sentences < 0:
            raise UsageError(f"naacl:sentences={self.sentences}: expected a number of sentences, or 0")

    def sniff(self, head: Sniffed) -> bool:
        if head.suffix in (".wa", ".naacl"):
            return True
        rows = [_LINE.fullmatch(line) for line in head.lines if line.strip()]
        found = [row for row in rows if row]
        if not found or 2 * len(found) <= len(rows):
            return False
        if 2 * sum(row[4] is not None for row in found) > len(found):
            return True
        numbers = [int(row[1]) for row in found]
        small = all(max(int(row[2]), int(row[3])) <= _LONGEST for row in found)
        three = all(len(row[0].split()) == 3 for row in found)
        return small and three and numbers == sorted(numbers) and len(set(numbers)) < len(numbers)

    def read(self, source: Source, context: Context) -> Content:
        sure: dict[int, list[Link]] = {}
        possible: dict[int, list[Link]] = {}
        for sentence, link, certain in _rows(source.lines(), context.file):
            here = sure if certain else possible
            for links in (sure, possible):
                links.setdefault(sentence, [])
            if min(link) >= 0:
                here[sentence].append(link)
        if not sure:
            raise InputError("the file has no links", file=context.file, remedy="give one link a line, as 1 1 1 S")
        numbers, absent = self._numbers(list(sure), context.file)
        ids = tuple(str(number) for number in numbers)
        texts = tuple(spell(sure.get(number, ()), possible.get(number, ())) for number in numbers)
        return context.content_of(self.name, texts, ids=ids, notation=LINKS, notes=_notes(absent, context.file))

    def _numbers(self, found: list[int], file: str) -> tuple[list[int], list[int]]:
        """The numbers of all sentences, and those of them that the file does not name."""
        last = self.sentences or max(found)
        outside = next((n for n in found if not 1 <= n <= last), None)
        if outside is not None:
            remedy = f"mend naacl:sentences={last}" if outside else "number the sentences from 1"
            raise InputError(f"names sentence {outside}, expected 1 to {last}", file=file, remedy=remedy)
        if not self.sentences and 2 * len(found) < last:
            # a part of a longer test set: most of the numbers up to the last belong to no sentence of it
            return sorted(found), []
        known = set(found)
        return list(range(1, last + 1)), [n for n in range(1, last + 1) if n not in known]


def _rows(lines: list[str], file: str) -> Iterator[tuple[int, Link, bool]]:
    """Sentence, link counted from 0, and whether it is sure, for each line that is not blank."""
    for number, line in enumerate(lines, 1):
        row = _LINE.fullmatch(line)
        if row:
            yield int(row[1]), (int(row[2]) - 1, int(row[3]) - 1), row[4] != "P"
        elif line.strip():
            raise InputError(
                f"found {line.strip()[:60]!r}, expected sentence, source and target position, and S or P",
                file=file,
                line=number,
                remedy="mend the line",
            )


def _notes(absent: list[int], file: str) -> tuple[Note, ...]:
    if not absent:
        return ()
    return (
        Note(
            code="no_links",
            text=f"{file} has no line for {inflect(len(absent), 'sentence')}, first for {absent[0]}: taken as "
            "sentences without links",
            remedy="",
        ),
    )
