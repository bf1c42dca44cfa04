"""CSV and TSV with a header: long, wide and gold tables."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import ne
from pathlib import PurePath
from shlex import quote
from typing import ClassVar

import numpy as np

from outscore.base.errors import InputError, inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.text import rearm
from outscore.data.columns import ITEM, LABELS, ColumnTable, is_known, number
from outscore.data.exports import check_layout, twice_in_header
from outscore.data.interpret import interpret
from outscore.data.prompt_tables import number_prompts, spread_prompts
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.source import Source, lines_of

_CHUNK = 4096


@reader("table")
@dataclass(frozen=True)
class TableReader(Reader):
    """A header and rows. CSV cells may be quoted; TSV cells are taken as they are, unless a writer of CSV quoted them.

    Args:
        raw: an apostrophe before a text that begins like a formula is part of it, and not an escape, and so is any
            quote in TSV.
    """

    description: ClassVar[str] = (
        "CSV, by commas or semicolons, or TSV with a header: long (system, item, score), wide (item, one column per "
        "system), gold"
    )
    example: ClassVar[str] = "system,item,score\nA,q1,1\nB,q1,0\n"
    also: ClassVar[tuple[str, ...]] = ("csv", "tsv")
    priority: ClassVar[int] = 20

    raw: bool = False

    def sniff(self, head: Sniffed) -> bool:
        first = head.lines[0] if head.lines else ""
        if head.suffix in (".csv", ".tsv") or any(_has_other_cells(first, mark) for mark in ";|"):
            return True
        rows = head_rows(head.lines)
        if len(rows) < 2:
            return False
        header, body = [cell.strip() for cell in rows[0]], rows[1:]
        if header == ["score"]:
            return number(body[0][0]) is not None
        # Most rows, not all: one ragged row must end in an error, not in cells that are taken for sentences.
        if len(header) < 2 or 2 * sum(len(row) == len(header) for row in body) < len(body):
            return False
        return sum(is_known(cell) for cell in header) >= 2 or _is_wide(header, body)

    def read(self, source: Source, context: Context) -> Content:
        return interpret(grid_of(source, self.name, raw=self.raw), context)


def grid_of(source: Source, reader: str, *, raw: bool = False) -> ColumnTable:
    """The columns of a CSV or TSV file; ``raw`` with the apostrophes before what begins like a formula.

    Raises:
        InputError: no rows, a header twice, a row that is too long or too short, a quote left open.
    """
    file = source.file
    first = source.beginning(source.data.find(b"\n") + 1 or len(source.data))
    head = lines_of(source.beginning(1 << 16))
    delimiter = _delimiter(head)
    quoted = delimiter != "\t" or (not raw and _is_quoted(source.data))
    header = [cell.strip() for cell in next(_rows(first, delimiter, file, quoted), [])]
    if not any(header):
        raise InputError("the first line is blank, expected a header", file=file, line=1, remedy="name the columns")
    _check_first(head, file)
    if _has_other_cells(first, "|"):
        raise InputError(
            "bars separate the columns, expected commas, semicolons or tabs",
            file=file,
            line=1,
            remedy="make tabs of them: sed -E 's/^ *\\| *| *\\| *$//g; s/ *\\| */\\t/g; /^[-:\\t ]+$/d' "
            f"{quote(file)} > {quote(f'{PurePath(file).stem}.tsv')}",
        )
    check_layout(head, file)
    words = {len(row[0].split()) if len(row) == 1 else 0 for row in head_rows(head)[:9]}
    if words == {len(header[0].split())} - {0, 1}:
        raise InputError(
            "blanks separate the columns, expected commas, semicolons or tabs",
            file=file,
            line=1,
            remedy=f"make tabs of them: tr -s ' ' '\\t' < {quote(file)} > {quote(f'{PurePath(file).stem}.tsv')}",
        )
    prompts = number_prompts(header)
    header = prompts or header
    again = [cell for cell, times in Counter(header).items() if times > 1]
    if again:
        second = head_rows(head)[1:2] or [[]]
        raise InputError(
            f"the header has {join(again)} more than once",
            file=file,
            line=1,
            remedy=twice_in_header(header, second[0], file),
        )

    def line(row: int) -> int:
        return row + 2 if delimiter == "\t" else _csv_line(source.text, row + 1, delimiter)

    plain = None if quoted and b'"' in source.data else plain_columns(source.data, delimiter.encode(), len(header))
    columns = plain or _columns(source, _rows(source.text, delimiter, file, quoted), header, delimiter, line)
    if not columns[0]:
        raise InputError(
            "found a header but no rows",
            file=file,
            line=1,
            remedy="give at least one row, or check the export",
        )
    notes: tuple[Note, ...] = (_QUOTES_TAKEN,) if quoted and delimiter == "\t" else ()
    escaped = any(mark + b"'" in b"\n" + source.data for mark in (b"\n", b'"', b";", b"\t", delimiter.encode()))
    if delimiter != "\t" and escaped and not raw:
        given, (header, *columns) = [header, *columns], [[*map(rearm, cells)] for cells in (header, *columns)]
        changed = sum(map(ne, itertools.chain(*given), itertools.chain(header, *columns)))
        notes = (_note_apostrophes(changed),) if changed else ()
    by_name = dict(zip(header, columns, strict=True))
    grid = ColumnTable(
        columns=by_name,
        n=len(columns[0]),
        file=file,
        reader=reader,
        typed=False,
        line=line,
        notes=notes,
        as_read=(delimiter, columns),
    )
    return spread_prompts(grid) if prompts else grid


_QUOTES_TAKEN = Note(
    code="quotes_taken",
    text="every cell with a quote is written as in CSV, so quotes around cells were left out and doubled ones made one",
    remedy="if they are part of the texts, --reader table:raw=true",
)
_QUOTED = re.compile(rb'"(?<![^\t\n]")(?:[^"\t\r\n]|"")*"(?![^\t\r\n])')


def _is_quoted(data: bytes) -> bool:
    """Whether TSV is as writers of CSV quote it: all cells with a quote, which is doubled inside of one at least."""
    cells = _QUOTED.findall(data) if b'""' in data or data[:1] == b'"' else []
    doubled = any(b'""' in cell[1:-1] for cell in cells) or (cells and data[:1] == b'"')
    return bool(doubled) and sum(cell.count(b'"') for cell in cells) == data.count(b'"')


def _note_apostrophes(cells: int) -> Note:
    """A note on what was taken for the escape of a formula, as whoever wrote the file may have meant a quotation."""
    return Note(
        code="apostrophes_taken",
        text=f"the apostrophe before {inflect(cells, 'text')} that would begin with =, +, - or @ was taken for the "
        "escape of a formula, as outscore writes it, and left out",
        remedy="if it is part of the text, --reader table:raw=true",
    )


def _columns(
    source: Source, rows: Iterator[list[str]], header: Sequence[str], delimiter: str, line: Callable[[int], int]
) -> list[list[str]]:
    """The cells under each column of any table."""
    next(rows)
    columns: list[list[str]] = [[] for _ in header]
    n = 0
    # In chunks: half a million lists that live at the same time cost more than reading them.
    while chunk := list(itertools.islice(rows, _CHUNK)):
        if not chunk[-1] and (n or len(chunk) > 1) and next(rows, None) is None:
            chunk.pop()  # one blank line at the end
        if set(map(len, chunk)) - {len(header)}:
            i = next(i for i, row in enumerate(chunk) if len(row) != len(header))
            found = f"{len(chunk[i])} cells" if chunk[i] else "a blank line"
            raise InputError(
                f"found {found}, expected {len(header)} cells as in the header",
                file=source.file,
                line=line(n + i),
                remedy="complete the row"
                if delimiter == "\t"
                else f"complete the row, or quote cells that hold {'commas' if delimiter == ',' else 'semicolons'}",
            )
        for column, cells in zip(columns, zip(*chunk, strict=True), strict=False):
            column.extend(cells)
        n += len(chunk)
    return columns


def _rows(text: str, delimiter: str, file: str, quoted: bool) -> Iterator[list[str]]:
    if not quoted:
        return (line.split("\t") if line else [] for line in lines_of(text))
    return _csv_rows(text, file, delimiter)


def _is_wide(header: list[str], body: list[list[str]]) -> bool:
    """Whether the first column names items and the others, unless they describe them, are mostly numbers."""
    if header[0].lower() not in ITEM:
        return False
    described = {i for i, cell in enumerate(header) if cell.lower() in LABELS}
    cells = [cell for row in body for i, cell in enumerate(row) if i and i not in described]
    return 2 * sum(number(cell) is not None for cell in cells) > len(cells) if cells else True


def _has_other_cells(header: str, mark: str) -> bool:
    """Whether the names of a header stand between such marks, and neither tabs nor commas."""
    cells = [cell.strip().strip('"') for cell in header.strip().strip("|").split(mark)]
    other = len(cells) > 1 and "\t" not in header and "," not in header
    return other and (is_known(cells[0]) or cells[0].lower() in ITEM)


def _delimiter(lines: Sequence[str]) -> str:
    """The mark between cells, by the first lines: semicolons also where two lines have as many."""
    header, *others = lines[:2] or [""]
    alike = [line.count(";") for line in others] == [header.count(";") or -1] and "," not in header
    return "\t" if "\t" in header else ";" if alike or _has_other_cells(header, ";") else ","


def _check_first(lines: Sequence[str], file: str) -> None:
    """Refuses a first line that is a comment or a title, or names the delimiter to spreadsheets, in place of a header.

    Raises:
        InputError: with the command that takes it out.
    """
    first = lines[0].strip() if lines else ""
    delimiter = _delimiter(lines[1:])
    if re.match(r'("[^"]*"|[^",]*), +"', first) and delimiter != "\t":
        raise InputError(
            "blanks stand between commas and quotes",
            file=file,
            line=1,
            remedy=f"take them out: sed 's/, *\"/,\"/g' {quote(file)} > {quote(f'without-{PurePath(file).name}')}",
        )
    below = [line for line in lines[1:] if not line.startswith("#")] or lines[1:]
    delimiter = _delimiter(below)
    comment = first.startswith("#") and bool(below) and first.count(delimiter) != below[0].count(delimiter)
    sep = re.fullmatch(r'"?sep=.?"?', first, re.IGNORECASE)
    start = next((i for i, line in enumerate(lines) if i and line.strip()), 1)
    if comment or sep or _is_title(first, head_rows(lines[start : start + 2])):
        what = "is a comment" if comment else "tells spreadsheets what separates cells" if sep else "is a title"
        without = quote(f"without-{PurePath(file).name}")
        several = comment and lines[1].startswith("#")
        shell = f"grep -v '^#' {quote(file)}" if several else f"tail -n +{start + 1} {quote(file)}"
        raise InputError(
            f"the first line {what} ({first[:40]!r}), expected the names of the columns",
            file=file,
            line=1,
            remedy=f"take {'all of them' if several else 'it'} out: {shell} > {without}",
        )


def _is_title(first: str, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a line of one cell, that is no known name, stands above a row of names and another row as long."""
    alone = first.rstrip(",;\t ")
    if len(rows) < 2 or not 1 < len(rows[0]) == len(rows[1]) or re.search("[,;\t]", alone) or is_known(alone):
        return False
    return all(cell.strip() and number(cell) is None for cell in rows[0])


def head_rows(lines: Sequence[str]) -> list[list[str]]:
    """The rows at the beginning of a file, as far as they can be told apart; no blank ones."""
    if not lines:
        return []
    delimiter = _delimiter(lines)
    rows = [line.split(delimiter) for line in lines]
    if delimiter != "\t":
        # Anything may be asked whether it is CSV: where it is not, commas are as good.
        with contextlib.suppress(csv.Error):
            rows = list(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter))
    return [row for row in rows if any(row)]


def _csv_rows(text: str, file: str, delimiter: str) -> Iterator[list[str]]:
    rows = csv.reader(io.StringIO(text, newline="\n"), strict=True, delimiter=delimiter)
    done = 0
    try:
        for row in rows:
            yield row
            done = rows.line_num
    except csv.Error as error:
        reason = str(error)
    else:
        return
    # A quote that is never closed swallows the rest of the file: name the line on which its row begins.
    line = done + 1
    remedy = "double quotes inside quoted cells, or give the file as TSV"
    if "end of data" in reason:
        reason = "a quote is opened in this row and never closed"
    elif "new-line character" in reason:
        reason = "lines end in CR alone"
        remedy = "save it with the line ends of Windows (CR LF) or Unix (LF)"
    elif "field limit" in reason:
        remedy = "give texts as long as this as JSONL or TSV"
    raise InputError(f"broken CSV ({reason})", file=file, line=line, remedy=remedy)


def _csv_line(text: str, row: int, delimiter: str) -> int:
    """First physical line of a row (0 is the header); cells may span lines."""
    rows = csv.reader(io.StringIO(text, newline="\n"), strict=True, delimiter=delimiter)
    start = 1
    for i, _ in enumerate(rows):
        if i == row:
            break
        start = rows.line_num + 1
    return start


_PIECE = 1 << 16  # bytes cut at once: what fits into the near caches
_POOL = 100_000  # distinct cells of a column that are remembered in order to keep equal ones once


def plain_columns(data: bytes, delimiter: bytes, width: int) -> list[list[str]] | None:
    """The cells under the header of a table, column by column.

    Args:
        data: the file, UTF-8, its header in the first line.
        delimiter: between cells.
        width: number of columns.

    Returns:
        The columns; None for a table that is not so plain (quotes in CSV, rows of other lengths, lone carriage
        returns, one column only, broken UTF-8), which must be read with more care.
    """
    quoted = delimiter != b"\t" and b'"' in data
    odd = b"\0" in data or (b"\r" in data and data.count(b"\r") != data.count(b"\r\n"))
    if width < 2 or quoted or odd:
        return None
    columns: list[list[str]] = [[] for _ in range(width)]
    pools: list[dict[str, str] | None] = [{} for _ in range(width)]
    start, end = data.find(b"\n") + 1, len(data)
    if not start:
        return None
    while start < end:
        stop = data.rfind(b"\n", start, start + _PIECE) + 1 or data.find(b"\n", start) + 1 or end
        piece = data[start:stop].removesuffix(b"\n").replace(b"\r", b"")
        if not _is_even(piece, delimiter, width):
            return None
        try:
            cells = piece.decode().replace("\n", delimiter.decode()).split(delimiter.decode())
        except UnicodeDecodeError:
            return None
        for i in range(width):
            under, pool = cells[i::width], pools[i]
            # equal cells (names of systems and items, 0 and 1) are kept once: a third of the memory
            columns[i].extend(under if pool is None else map(pool.setdefault, under, under))
            if pool is not None and len(pool) > _POOL:
                pools[i] = None
        start = stop
    return columns


def _is_even(piece: bytes, delimiter: bytes, width: int) -> bool:
    """Whether every line has ``width`` cells."""
    raw = np.frombuffer(piece, dtype=np.uint8)
    marks = raw[(raw == delimiter[0]) | (raw == ord("\n"))] == ord("\n")
    if len(marks) % width != width - 1:
        return False
    ends = np.append(marks, True).reshape(-1, width)
    return bool(ends[:, -1].all() and not ends[:, :-1].any())
