"""Runs of TREC: the documents that a system retrieved for each query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.errors import InputError, counted
from outscore.base.notation.ranking import RANKING, scores
from outscore.data.columns import number
from outscore.data.queries import Queries, cells_of
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source

_WIDTH = 6
_REMEDIES = (
    "complete the line, without blanks inside names",
    "take the comment out: trec_eval knows none before version 10",
)


@reader("trec")
@dataclass(frozen=True)
class Trec(Reader):
    """``query Q0 document rank score tag``. The score makes the order, as in trec_eval; the rank is not read.

    A file without a name of its own is named by its tag, if that is the same in all lines.
    """

    description: ClassVar[str] = "runs of TREC: query Q0 document rank score tag"
    example: ClassVar[str] = "q1 Q0 d7 1 14.2 bm25\nq1 Q0 d3 2 11.9 bm25\n"
    priority: ClassVar[int] = 12
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    def sniff(self, head: Sniffed) -> bool:
        rows = [
            cells
            for line in head.lines
            if (cells := cells_of(line)) and (not cells[0].startswith("#") or _is_retrieved(cells))
        ]
        if rows and not any(number(cell) is not None for cell in rows[0]):
            return False  # a header: a table of numbers
        # Half is enough: one bad line must end in an error, not in a text.
        return 2 * sum(map(_is_retrieved, rows)) > len(rows)

    def read(self, source: Source, context: Context) -> Content:
        queries = Queries(context.file, scores)
        tags = set()
        for i, line in enumerate(source.lines()):
            cells = cells_of(line)
            if len(cells) == _WIDTH:
                queries.add(cells[0], f"{cells[2]} {cells[4]}", i + 1)
                tags.add(cells[5])
            elif cells:
                raise InputError(
                    f"found {counted(len(cells), 'column')}, expected 6: query Q0 document rank score tag",
                    file=context.file,
                    line=i + 1,
                    remedy=_REMEDIES[cells[0].startswith("#")],
                )
        texts = queries.texts()
        tag = tags.pop() if len(tags) == 1 else context.stem
        run = Run(
            system=context.system or tag,
            run=context.run or "1",
            ids=tuple(texts),
            outputs=tuple(texts.values()),
            notation=RANKING,
            source=context.source(self.name, len(texts)),
        )
        return Content(runs=(run,))


def _is_retrieved(cells: list[str]) -> bool:
    """Words behind the tag end in an error, too, where the second word says what the line is."""
    wide = len(cells) == _WIDTH or (len(cells) > _WIDTH and cells[1] == "Q0")
    return wide and cells[3].lstrip("-").isdecimal() and number(cells[4]) is not None
