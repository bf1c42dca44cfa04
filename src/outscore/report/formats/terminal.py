"""Plain text for a terminal of any width, with colour where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from outscore.report.formats import format_
from outscore.report.layout import Paint, align, fit, records
from outscore.report.model import Cell, Table
from outscore.report.table import tables_of
from outscore.report.text import clean, terminal_columns, wrap
from outscore.results import Result

NARROWEST = 20

_TONES = {"": "", "better": "green", "worse": "red"}


@format_("terminal")
@dataclass(frozen=True)
class Terminal:
    """Aligned text.

    Attributes:
        color: ANSI colours; without them no escape sequence is written, and the best scores are not marked.
        columns: width to fit; None for the terminal's own, 100 where there is none.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".txt",)

    color: bool = False
    columns: int | None = None

    def render(self, result: Result, *, width: int | None = None) -> str:
        """All tables, then the sentence for the paper."""
        columns = self.columns or terminal_columns()
        columns = max(NARROWEST, columns)
        parts = ["\n".join(self._table(table, columns)) for table in tables_of(result, width)]
        if result.sentence:
            parts.append("\n".join(wrap(clean(result.sentence), columns)))
        return "\n\n".join(parts) + "\n"

    def _table(self, table: Table, columns: int) -> Iterator[str]:
        paint = self._painter()
        yield from (paint(line, Cell(bold=True)) for line in wrap(table.title, columns))
        fitting = fit(table, columns)
        if fitting is None:
            table = table.shorten("footnote", "elsewhere")
            yield from records(table, columns)
        else:
            table, widths, stacked = fitting
            yield from align(table, widths, stacked, paint)
        for note in table.footnotes:
            if note.about != "bold" or self.color:
                yield from wrap(f"{note.mark} {note.text}".lstrip(), columns, hang=2)

    def _painter(self) -> Paint:
        if not self.color:
            return lambda piece, cell: piece
        from rich.color import ColorSystem
        from rich.style import Style

        def paint(piece: str, cell: Cell) -> str:
            style = Style(bold=cell.bold or None, color=_TONES[cell.tone] or None)
            return style.render(piece, color_system=ColorSystem.STANDARD) if style else piece

        return paint
