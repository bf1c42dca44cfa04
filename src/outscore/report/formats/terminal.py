"""Plain text for a terminal of any width: the answer first, everything where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.report.formats import format_
from outscore.report.layout import Paint, align, fit, has_spans, records
from outscore.report.model import Cell, Table
from outscore.report.screen import Screen, screen_of
from outscore.report.text import join_remedy, terminal_columns, wrap
from outscore.results.result import Result

NARROWEST = 20
_LINES = 40
"""Lines of the first screen, at most."""
_FEW_LINES = 25
"""Lines of a first screen with its notes, where its table is no taller than that of three systems by two metrics."""
_TALL, _FEW_NOTES, _WIDE = 10, 3, 80
_LEAST = 3
"""Lines of a note with numbers, at least; two where there is no room."""
_FEWEST_ROWS = 8
_MOST_NOTES = 5
_SENTENCE = 5
"""Lines of a text in a table of the first screen, at most."""
_MOST_TITLES = 3
_BAR = 12, 36
"""Columns of a bar, at least and at most."""

_TONES = {"": "", "better": "green", "worse": "red"}


@format_("terminal")
@dataclass(frozen=True)
class Terminal:
    """Aligned text.

    Attributes:
        detail: ``brief``, the first screen; ``full``, with all tables, notes and methods; ``table``, the first alone.
        all: every row of a long table.
        around: name of a system whose neighbours are shown in a long table.
        plain: no pictures made of characters.
        color: ANSI colours; without them no escape sequence is written, and the best scores are not marked.
        columns: width to fit; None for the terminal's own, 80 where there is none.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".txt",)

    detail: Literal["brief", "full", "table"] = "brief"
    all: bool = False
    around: str = ""
    plain: bool = False
    color: bool = False
    columns: int | None = None

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The first screen, or all of it."""
        columns = max(NARROWEST, self.columns or terminal_columns(80))
        screen = screen_of(result, decimals)
        parts = list(self._parts(screen, columns))
        return "\n\n".join("\n".join(line.rstrip(" ") for line in part) for part in parts if part) + "\n"

    def _parts(self, screen: Screen, columns: int) -> Iterator[list[str]]:
        if self.detail == "table":
            yield from (self._table(table, columns, title=i > 0) for i, table in enumerate(screen.first))
            return
        verdict = [line for said in screen.verdict for line in wrap(said, columns)]
        how = list(self._how(screen, columns))
        tall = sum(len(table.rows) + 2 * len(table.blocks) for table in screen.first)
        room = _FEW_LINES - tall if tall <= _TALL else max(_FEW_LINES - _TALL, _LINES - tall)
        spare = (room if columns >= _WIDE else _LINES) - len(verdict) - len(how) - 2
        if spare < _FEW_NOTES:
            how = list(self._how(screen, columns, most=1))
        notes = list(self._notes(screen, columns, spare))
        yield verdict
        if self.detail == "full":
            yield from (self._table(table, columns, title=True) for table in screen.tables)
        else:
            room = _LINES - len(verdict) - len(notes) - len(how) - 3
            yield from self._first(screen.first, columns, room)
        yield notes + how

    def _first(self, tables: Sequence[Table], columns: int, room: int) -> Iterator[list[str]]:
        """The tables of the first screen, cut to the lines that there are."""
        for number, table in enumerate(tables):
            left = len(tables) - number
            shown = self._table(table, columns, title=number > 0)
            if len(shown) > room // left and not self.all:
                shown = self._cut(table, columns, room // left, title=number > 0)
            if number and len(shown) > room and columns >= _WIDE and not self.all:
                shown = wrap(f"{table.title.partition(' (')[0]}: -v", columns)
            room -= len(shown) + 1
            yield shown

    def _cut(self, table: Table, columns: int, lines: int, *, title: bool) -> list[str]:
        """As many rows as so many lines have room for; where a name takes two lines, rows and lines differ."""
        fits, most = 2 if title else _FEWEST_ROWS, len(table.rows)
        while most - fits > 1:
            rows = (fits + most) // 2
            tall = len(self._table(table.cut_to(rows, self.around), columns, title=title)) > lines
            fits, most = (fits, rows) if tall else (rows, most)
        return self._table(table.cut_to(fits, self.around), columns, title=title)

    def _notes(self, screen: Screen, columns: int, room: int) -> Iterator[str]:
        if self.detail == "full":
            for note in screen.notes:
                sign = "! " if note.rank == "answer" else "- "
                yield from wrap(sign + clean(join_remedy(note.text, note.remedy)), columns, hang=2)
            return
        changing = [note for note in screen.notes if note.rank == "answer"]
        limits = [note for note in screen.notes if note.rank == "claim"]
        shown = [*changing, *limits][:_MOST_NOTES]
        left = len(changing) + len(limits)
        for place, note in enumerate(shown):
            if note.rank == "answer":
                if place and room < 1:
                    break
                said = "! " + clean(join_remedy(note.text, note.remedy))
                later = sum(one.rank == "answer" for one in shown[place + 1 :])
                least = min(_LEAST, max(2, room)) if note in screen.computed else 1
                lines = _shorten(said, columns, max(least, room - 2 * later))
            else:
                lines = _shorten("- " + clean(note.text), columns, 1 if changing else 2)
                if len(lines) + (left > 1) > room:
                    break
            room, left = room - len(lines), left - 1
            yield from lines
        if left and (room > 0 or left > len(limits)):
            yield f"- {left} more {'note' if left == 1 else 'notes'}: -v"

    def _how(self, screen: Screen, columns: int, most: int = _MOST_TITLES) -> Iterator[str]:
        if self.detail == "full":
            for line in screen.method:
                yield from wrap(line, columns, hang=2)
            return
        more = [table.title for table in screen.tables if not table.first]
        yield from wrap(f"{screen.how}  -v: {_more(more, screen, most)}".strip(), columns)

    def _table(self, table: Table, columns: int, *, title: bool) -> list[str]:
        paint = self._painter()
        lines = [paint(line, Cell(bold=True)) for line in wrap(table.title, columns)] if title else []
        wide = table.side_by_side()
        fitting = None if wide is None else fit(wide, columns)
        if fitting is not None and (fitting[2] or len(fitting[0].columns) < len(wide.columns if wide else ())):
            fitting = None  # rather below one another than with intervals below their numbers
        fitting = fitting or fit(table, columns)
        if fitting is not None and fitting[2] and self.detail == "brief" and columns >= _WIDE:
            slim = fit(table.keep_last_intervals(), columns)
            fitting = fitting if slim is None or slim[2] else slim
        if fitting is None:
            table = table.shorten("footnote", "elsewhere")
            lines += records(table, columns)
        else:
            table, widths, stacked = fitting
            room = columns - sum(widths) - 2 * len(widths)
            bar = min(_BAR[1], room) if room >= _BAR[0] and not self.plain and has_spans(table) else 0
            table = table.clip(widths, _SENTENCE) if self.detail == "brief" and not self.all else table
            lines += align(table, widths, stacked, paint, bar)
        for line in table.footnotes:
            lines += wrap(line, columns, hang=2)
        return lines

    def _painter(self) -> Paint:
        if not self.color:
            return lambda piece, cell: piece
        from rich.color import ColorSystem
        from rich.style import Style

        def paint(piece: str, cell: Cell) -> str:
            style = Style(bold=cell.bold or None, color=_TONES[cell.tone] or None)
            return style.render(piece, color_system=ColorSystem.STANDARD) if style else piece

        return paint


def _more(titles: Sequence[str], screen: Screen, most: int) -> str:
    """The rest, which ``-v`` gives, in a few words."""
    short = [title.partition(" (")[0].partition(",")[0] for title in titles]
    short = [title[:1].lower() + title[1:] for title in dict.fromkeys(short)][:most]
    rest = ["method"] if screen.method else []
    rest += ["notes"] if any(note.rank != "answer" for note in screen.notes) else []
    return f"{', '.join([*short, *rest]) or 'everything'}."


def _shorten(text: str, columns: int, most: int) -> list[str]:
    """The text in so many lines, up to a clause that fits; dots say that there is more."""
    lines = wrap(text, columns, hang=2)
    if len(lines) <= most:
        return lines
    room = columns - 4 if most == 1 else sum(map(len, lines[:most])) - 6
    cut = max(text.rfind(mark, 0, room) for mark in ("; ", ": ", ", ", ". "))
    cut = cut if cut > 3 * room // 4 else text.rfind(" ", 0, room)  # names alone would say nothing
    while text.count("(", 0, cut) > text.count(")", 0, cut):
        cut = text.rfind(" (", 0, cut)
    return wrap(f"{text[: cut if cut > 0 else room]} ...", columns, hang=2)[:most]
