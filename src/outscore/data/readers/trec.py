"""TREC: runs, the documents that a system retrieved for each query, and judgements, which documents answer it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import ClassVar

import numpy as np

from outscore.base.errors import InputError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.lists import RANKING, grades, scores
from outscore.data.columns import number
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Gold, Run
from outscore.data.source import Source

_BLANKS = re.compile(r"[ \t]+")


def cells_of(line: str) -> list[str]:
    """The cells of a line, between blanks and tabs; names of documents may hold blanks of other kinds."""
    return [cell for cell in _BLANKS.split(line) if cell]


@dataclass
class Queries:
    """A text for each query, in the order in which queries first appear; their lines may be anywhere in the file.

    Attributes:
        file: name for messages.
        check: raises ``NotationError`` for a text that is none of the notation.
    """

    file: str
    check: Callable[[str], object]
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _numbers: dict[str, list[int]] = field(default_factory=dict)

    def add(self, query: str, line: str, number: int) -> None:
        """One more line of a query, from line ``number`` of the file."""
        self._lines.setdefault(query, []).append(line)
        self._numbers.setdefault(query, []).append(number)

    def texts(self) -> dict[str, str]:
        """The text of each query.

        Raises:
            InputError: there is none, or one is not as it should be; the message names file and line.
        """
        if not self._lines:
            raise InputError("holds no line about a document", file=self.file, remedy="give a file with some")
        texts = {query: "\n".join(lines) for query, lines in self._lines.items()}
        for query, text in texts.items():
            try:
                self.check(text)
            except NotationError as error:
                line = self._numbers[query][error.line]
                raise InputError(
                    f"query {query!r}: {error}", file=self.file, line=line, remedy="mend the line, or leave it out"
                ) from None
        return texts


_WIDTH = 6


def _odd_line(cells: list[str], file: str, line: int, columns: str) -> InputError:
    """The error of a line of another number of columns."""
    return InputError(
        f"found {inflect(len(cells), 'column')}, expected {len(columns.split())}: {columns}",
        file=file,
        line=line,
        remedy="complete the line, without blanks inside names",
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
        rows = [cells for line in head.lines if (cells := cells_of(line)) and not _is_comment(cells, _is_retrieved)]
        if rows and not any(number(cell) is not None for cell in rows[0]):
            return False  # a header: a table of numbers
        # Half is enough: one bad line must end in an error, not in a text.
        return 2 * sum(map(_is_retrieved, rows)) > len(rows)

    def read(self, source: Source, context: Context) -> Content:
        queries = Queries(context.file, scores)
        tags = set()
        for i, line in enumerate(source.lines()):
            cells = cells_of(line)
            if not cells or _is_comment(cells, _is_retrieved):
                continue
            if len(cells) == _WIDTH:
                queries.add(cells[0], f"{cells[2]} {cells[4]}", i + 1)
                tags.add(cells[5])
            else:
                raise _odd_line(cells, context.file, i + 1, "query Q0 document rank score tag")
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


def _is_comment(cells: list[str], known: Callable[[list[str]], bool]) -> bool:
    """Whether cells that are not of a known line begin with the mark of a comment, as trec_eval 10 has them."""
    return cells[0].startswith("#") and not known(cells)


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
        rows = [cells for line in head.lines if (cells := cells_of(line)) and not _is_comment(cells, _is_judged)]
        if rows and rows[0] == _BEIR:
            return True
        if rows and not any(number(cell) is not None for cell in rows[0]):
            return False  # a header: a table of small numbers
        # Half is enough: one bad line must end in an error, not in a text.
        return 2 * sum(map(_is_judged, rows)) > len(rows)

    def read(self, source: Source, context: Context) -> Content:
        queries = Queries(context.file, grades)
        columns: list[str] = []
        for i, line in enumerate(source.lines()):
            cells = cells_of(line)
            if not cells or _is_comment(cells, _is_judged):
                continue
            if not columns:  # the first line that says something may be a header
                columns = _BEIR if cells == _BEIR else _COLUMNS
                if cells == _BEIR:
                    continue
            if len(cells) == len(columns):
                queries.add(cells[0], f"{cells[-2]} {cells[-1]}", i + 1)
            else:
                raise _odd_line(cells, context.file, i + 1, " ".join(columns))
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


_TREC_EVAL = re.compile(
    r"(num_\w+|gm_\w+|map|map_cut_\d+|Rprec|Rprec_mult_[\d.]+|bpref|recip_rank|iprec_at_recall_[\d.]+|11pt_avg|P_\d+"
    r"|relative_P_\d+|recall_\d+|ndcg|ndcg_rel|ndcg_cut_\d+|Rndcg|infAP|success_\d+|set_\w+|utility|binG|G|relstring"
    r"|runid)"
)
_IR_MEASURES = re.compile(
    r"(AP|nDCG|P|R|RR|Judged|Success|Rprec|Bpref|ERR|RBP|Set\w+|Num\w+|infAP|INST|BPM|SDCG|Compat|IPrec|Accuracy"
    r"|alpha_\w+|\w+_IA|n?NRBP|STREC|NERR\d+)(\([^()]*\))?(@[\d.]+)?"
)
_ALL = "all"


@reader("trec-eval")
@dataclass(frozen=True)
class TrecEval(Reader):
    """A line for each query and measure, as ``trec_eval -q`` and ``ir_measures -q`` print: a column for each measure.

    The lines of all queries together (``all``) are no items.
    """

    description: ClassVar[str] = "scores by query of trec_eval -q (measure, query, value) and ir_measures -q"
    example: ClassVar[str] = "map  \tq1\t0.5\nmap  \tq2\t0.25\nmap  \tall\t0.375\n"
    priority: ClassVar[int] = 11
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    def sniff(self, head: Sniffed) -> bool:
        rows = [line.split() for line in head.lines if line.strip()]
        return bool(rows) and _measure_first(rows) is not None

    def read(self, source: Source, context: Context) -> Content:
        rows = [line.split() for line in source.lines()]
        first = _measure_first([row for row in rows if row])
        queries: dict[str, None] = {}
        values: dict[str, dict[str, float]] = {}
        tag = ""
        for i, row in enumerate(rows):
            measure, query = ("", "") if len(row) != 3 else (row[0], row[1]) if first else (row[1], row[0])
            if measure in ("runid", "relstring"):
                tag = row[2] if measure == "runid" else tag
                continue
            value = number(row[2]) if len(row) == 3 else None
            if row and value is None:
                raise InputError(
                    f"found {' '.join(row)[:60]!r}, expected {'measure and query' if first else 'query and measure'}, "
                    "and a number",
                    file=context.file,
                    line=i + 1,
                    remedy="complete the line, or cut it",
                )
            if value is None or query == _ALL:
                continue
            if query in values.setdefault(measure, {}):
                raise InputError(
                    f"query {query!r} has a second value of {measure}",
                    file=context.file,
                    line=i + 1,
                    remedy="give the file of one run",
                )
            queries.setdefault(query)
            values[measure][query] = value
        if not queries:
            raise InputError(
                "holds the means over all queries alone, expected a line for each query",
                file=context.file,
                remedy="write them too: trec_eval -q, or ir_measures -q",
            )
        run = Run(
            system=context.system or tag or context.stem,
            run=context.run or "1",
            ids=tuple(queries),
            columns={name: np.array([of.get(q, np.nan) for q in queries]) for name, of in values.items()},
            source=context.source(self.name, len(queries)),
        )
        return Content(runs=(run,))


def _measure_first(rows: list[list[str]]) -> bool | None:
    """Whether lines are of trec_eval, whose measure is first, or else of ir_measures; None where they are neither."""
    three = [row for row in rows if len(row) == 3]
    if 2 * len(three) <= len(rows) or not any(number(row[2]) is not None for row in three):
        return None
    if 2 * sum(_TREC_EVAL.fullmatch(row[0]) is not None for row in three) > len(three):  # a version may have more
        return True
    return False if all(_IR_MEASURES.fullmatch(row[1]) for row in three) else None
