"""A table as aligned lines that fit a terminal: columns leave, intervals move down, names wrap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from outscore.base.text import clean
from outscore.report.model import Block, Cell, Column, Table
from outscore.report.text import pad, width_of, wrap, wrap_command

GAP = "  "

Paint = Callable[[str, Cell], str]
"""Colours a padded piece of a cell; plain text gives it back as it is."""


def lines_of(heads: Sequence[str], rows: Iterable[Sequence[str]], columns: int) -> list[str]:
    """The lines of a table of plain words."""
    body = tuple(tuple(Cell(text=clean(text)) for text in row) for row in rows)
    table = Table(
        title="", columns=tuple(Column(header=head, prose=True) for head in heads), blocks=(Block(rows=body),)
    )
    fitting = fit(table, columns)
    return list(records(table, columns) if fitting is None else align(*fitting, lambda piece, cell: piece))


def fit(table: Table, columns: int) -> tuple[Table, list[int], bool] | None:
    """The roomiest layout that fits, or None; then ``records`` will.

    Returns:
        The table, perhaps without spare columns; the widths of its columns; whether it is stacked, which puts
        intervals on a second line.
    """
    # Tails move down before names are cut into pieces, and spare columns leave before either.
    candidates = (table, table.shorten("footnote"), table.shorten("footnote", "elsewhere"))
    natural = {}
    for least in (0, 18, 8):
        for stacked in (False, True):
            for place, candidate in enumerate(candidates):
                if (place, stacked) not in natural:
                    natural[place, stacked] = _natural_widths(candidate, stacked)
                widths = _shrink(candidate.columns, natural[place, stacked], columns, least)
                if widths is not None:
                    return candidate, widths, stacked
    return None


def align(table: Table, widths: Sequence[int], stacked: bool, paint: Paint, bar: int = 0) -> Iterator[str]:
    """The lines of a table: heading, rows; intervals as bars of so many columns at its right, if any."""
    total = sum(widths) + len(GAP) * (len(widths) - 1)
    frame = list(zip(table.columns, widths, strict=True))
    heads = [_header(column, width, stacked) for column, width in frame]
    height = max(map(len, heads))
    heads = [[""] * (height - len(lines)) + lines for lines in heads]
    yield from _align_row(heads, frame, [Cell(bold=True)] * len(frame), paint)
    zero = all(column.zero for column in table.columns)
    for number, block in enumerate(table.blocks):
        # Decimals are in line within a metric; between metrics they have nothing in common.
        shapes = [_ColumnWidths(column, [row[i] for row in block.rows]) for i, column in enumerate(table.columns)]
        if block.heading:
            if number:
                yield ""
            yield from (paint(line, Cell(bold=True)) for line in wrap(block.heading, total))
        spans = [next((cell.span for cell in row if cell.span), None) for row in block.rows]
        scale = _scale(spans, zero) if bar else None
        for row, span in zip(block.rows, spans, strict=True):
            if (alone := _alone(row, table.columns)) is not None:
                before = " " * (sum(widths[:alone]) + len(GAP) * alone)
                broken = wrap_command if table.columns[alone].command else wrap
                said = broken(row[alone].plain, max(total - len(before), widths[alone]))
                yield from (before + paint(line, row[alone]) for line in said)
                continue
            lines = [s.lines(c, w, stacked) for s, c, w in zip(shapes, row, widths, strict=True)]
            drawn = list(_align_row(lines, frame, row, paint))
            if scale and span:
                drawn[0] = f"{pad(drawn[0], total)}{GAP}{_bar(span, scale, bar, zero)}"
            yield from drawn


def _alone(row: Sequence[Cell], columns: Sequence[Column]) -> int | None:
    """The place of the only text of a row, which may go on in the columns beside it; None where there is more."""
    filled = [i for i, cell in enumerate(row) if cell.plain]
    return filled[0] if len(filled) == 1 and columns[filled[0]].align == "left" else None


_Span = tuple[float, float, float]


def has_spans(table: Table) -> bool:
    """Whether there are intervals to be drawn as bars, one a row."""
    return any(sum(cell.span is not None for cell in row) == 1 for row in table.rows) and not any(
        sum(cell.span is not None for cell in row) > 1 for row in table.rows
    )


def _scale(spans: Sequence[_Span | None], zero: bool) -> tuple[float, float] | None:
    """From where to where the bars of a metric go, perhaps with 0."""
    ends = [end for span in spans if span for end in span]
    low, high = (min({0.0, *ends}), max({0.0, *ends})) if zero else (min(ends, default=0), max(ends, default=0))
    return (low, high) if ends and high > low else None


def _bar(span: _Span, scale: tuple[float, float], width: int, zero: bool) -> str:
    """``   |  --o--``: the interval, its value, and perhaps where 0 is."""
    low, high = scale

    def place(value: float) -> int:
        return round((value - low) / (high - low) * (width - 1))

    first, middle, last = (place(value) for value in span)
    drawn = [" "] * width
    if zero:
        drawn[place(0.0)] = "|"
    for i in range(first, last + 1):
        drawn[i] = "+" if drawn[i] == "|" else "-"
    drawn[middle] = "o"
    return "".join(drawn).rstrip()


def records(table: Table, columns: int) -> Iterator[str]:
    """One line for each cell, for tables that fit no other way."""
    for block in table.blocks:
        if block.heading:
            yield from wrap(block.heading, columns)
        for row in block.rows:
            yield from wrap(row[0].plain, columns, hang=2)
            for cell, column in zip(row[1:], table.columns[1:], strict=True):
                if cell.plain:
                    yield from (f"  {line}" for line in wrap(f"{column.header}: {cell.plain}", columns - 2, hang=2))


def _header(column: Column, width: int, stacked: bool) -> list[str]:
    if stacked and column.tail:
        return [*wrap(column.header, width), column.tail]
    return wrap(column.plain, width)


class _ColumnWidths:
    """Widths of the parts of a column: number, marks that hang behind it, tail."""

    def __init__(self, column: Column, content: Sequence[Cell]) -> None:
        self.column = column
        right = column.align == "right"
        self.text = max((width_of(c.text) for c in content), default=0) if right else 0
        self.marks = max((width_of(c.marks) for c in content), default=0) if right else 0
        self.tail = max((width_of(c.tail) for c in content), default=0)

    def lines(self, cell: Cell, width: int, stacked: bool) -> list[str]:
        if self.column.align == "left":
            return wrap(cell.plain, width)
        head = pad(cell.text, self.text, "right") + pad(cell.marks, self.marks)
        if not self.tail:
            return [head]
        tail = pad(cell.tail, self.tail, "right")
        if stacked:
            return [head, tail] if cell.tail else [head]
        return [f"{head} {tail}"]


def _natural_widths(table: Table, stacked: bool) -> list[tuple[int, int]]:
    """Of each column what its cells take, and what its cells and heading take."""
    full = [[row for row in block.rows if _alone(row, table.columns) is None] for block in table.blocks]
    parts = full if any(full) else [list(block.rows) for block in table.blocks]
    widths = []
    for i, column in enumerate(table.columns):
        body = max([1, *(_natural_width(column, [row[i] for row in rows], stacked) for rows in parts)])
        head = max(width_of(column.header), width_of(column.tail)) if stacked else width_of(column.plain)
        widths.append((body, max(body, head)))
    return widths


def _shrink(frame: Sequence[Column], natural: Sequence[tuple[int, int]], columns: int, least: int) -> list[int] | None:
    """Widths that fit ``columns``, or None; texts and headings shrink to ``least``, if that is not 0."""
    widths = [width for _, width in natural]
    floors = widths.copy()
    if least:
        for i, (column, (body, width)) in enumerate(zip(frame, natural, strict=True)):
            floor = max(body if column.align == "right" else 0, min(least, width), width_of(column.tail))
            floors[i] = min(floor, width)
    room = columns - len(GAP) * (len(widths) - 1)
    if sum(floors) > room:
        return None
    for _ in range(sum(widths) - room):
        widths[max(range(len(widths)), key=lambda i: (widths[i] > floors[i], widths[i]))] -= 1
    return widths


def _natural_width(column: Column, content: Sequence[Cell], stacked: bool) -> int:
    if column.align == "left":
        return max((width_of(cell.plain.lstrip(" ")) for cell in content), default=0)
    shape = _ColumnWidths(column, content)
    head, tail = shape.text + shape.marks, shape.tail
    return max(head, tail) if stacked or not tail else head + 1 + tail


def _align_row(
    parts: Sequence[list[str]], frame: Sequence[tuple[Column, int]], row: Sequence[Cell], paint: Paint
) -> Iterator[str]:
    """The lines of the cells of one row, each padded to its column."""
    for at in range(max(map(len, parts))):
        pieces = []
        for lines, (column, width), cell in zip(parts, frame, row, strict=True):
            piece = pad(lines[at] if at < len(lines) else "", width, column.align)
            pieces.append(paint(piece, cell) if piece.strip() else piece)
        yield GAP.join(pieces).rstrip(" ")
