"""Relevance judgements of TREC (qrels): which documents answer a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.errors import InputError, counted
from outscore.base.notation.ranking import RANKING, grades
from outscore.data.columns import number
from outscore.data.queries import Queries, cells_of
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Gold
from outscore.data.source import Source

_COLUMNS = ["query", "0", "document", "relevance"]
_BEIR = ["query-id", "corpus-id", "score"]


@reader("qrels")
@dataclass(frozen=True)
class Qrels(Reader):
    """``query 0 document relevance``; or the three columns of BEIR, with their header."""

    description: ClassVar[str] = "relevance judgements of TREC: query 0 document relevance"
    example: ClassVar[str] = "q1 0 d7 2\nq1 0 d3 0\n"
    priority: ClassVar[int] = 13
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    def sniff(self, head: Sniffed) -> bool:
        rows = [cells for line in head.lines if (cells := cells_of(line))]
        if rows and rows[0] == _BEIR:
            return True
        if rows and not any(number(cell) is not None for cell in rows[0]):
            return False  # a header: a table of small numbers
        # Half is enough: one bad line must end in an error, not in a text.
        return 2 * sum(map(_is_judged, rows)) > len(rows)

    def read(self, source: Source, context: Context) -> Content:
        queries = Queries(context.file, grades)
        columns = _COLUMNS
        for i, line in enumerate(source.lines()):
            cells = cells_of(line)
            if i == 0 and cells == _BEIR:
                columns = _BEIR
            elif len(cells) == len(columns):
                queries.add(cells[0], f"{cells[-2]} {cells[-1]}", i + 1)
            elif cells:
                raise InputError(
                    f"found {counted(len(cells), 'column')}, expected {len(columns)}: {' '.join(columns)}",
                    file=context.file,
                    line=i + 1,
                    remedy="complete the line, without blanks inside names",
                )
        texts = queries.texts()
        gold = Gold(
            ids=tuple(texts),
            references=(tuple(texts.values()),),
            notation=RANKING,
            source=context.source(self.name, len(texts), "gold" if context.role == "system" else None),
        )
        return Content(golds=(gold,))


def _is_judged(cells: list[str]) -> bool:
    iteration, relevance = (cells[1], cells[3]) if len(cells) == 4 else ("", "")
    return (iteration.isdecimal() or iteration == "Q0") and relevance.lstrip("-").isdecimal()
