"""Plain text for a terminal of any width: the answer first, everything where it is asked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.report.formats import format_
from outscore.report.layout import Paint, align, fit, has_spans, records
from outscore.report.model import Cell, Table
from outscore.report.screen import Screen, screen_of, tell_in_brief
from outscore.report.text import join_remedy, terminal_columns, wrap
from outscore.results.result import Result

NARROWEST = 20
_LINES = 40
"""Lines of the first screen, at most."""
_FEW_LINES = 25
"""The same where the one table is that of three systems by two metrics, or all together are no taller."""
_TALL, _FULL, _FEW_NOTES, _WIDE = 10, (6, 2), 3, 80
"""Lines of that table, its rows and metrics; lines of notes; columns."""
_VERDICT = 12
"""Lines of a verdict where there is no room for a longer one."""
_LEAST = 3
"""Lines of a note with numbers, at least; two where there is no room."""
_FEWEST_ROWS = 8
_SHORTEST = 18
"""Characters of a name in a table."""
_MOST_NOTES = 5
_SENTENCE, _SHORT_SENTENCE = 5, 3
"""Lines of a text in a table of the first screen, at most; where rows would have to leave."""
_MOST_TITLES = 3
_BAR = 12, 36
"""Columns of a bar, at least and at most."""

_TONES = {"": [], "better": ["32"], "worse": ["31"]}
"""SGR codes: green and red."""


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
        columns = max(NARROWEST, self.columns or terminal_columns())
        screen = screen_of(result, decimals)
        full = [(len(table.rows), len(table.blocks)) for table in screen.first[:1]] == [_FULL] and columns >= _WIDE
        if self.detail != "brief":
            parts = list(self._parts(screen, columns))
        elif full and not self.all:
            parts = self._squeeze(screen, result, decimals, columns)
        else:
            parts = self._brief(screen, result, decimals, columns)
        return "\n\n".join("\n".join(line.rstrip(" ") for line in part) for part in parts if part) + "\n"

    def _parts(self, screen: Screen, columns: int) -> Iterator[list[str]]:
        if self.detail == "table":
            yield from (self._table(table, columns, title=i > 0) for i, table in enumerate(screen.first))
            return
        yield [line for said in screen.verdict for line in wrap(said, columns)]
        yield from (self._table(table, columns, title=True) for table in screen.tables)
        signs = (("! " if note.rank == "answer" else "- ", note) for note in screen.notes)
        notes = (sign + clean(join_remedy(note.text, note.remedy)) for sign, note in signs)
        yield [line for said in (*notes, *screen.method) for line in wrap(said, columns, hang=2)]

    def _brief(self, screen: Screen, result: Result, decimals: int | None, columns: int) -> list[list[str]]:
        """The first screen; where it is too tall with names in their middles and intervals that can leave, then with
        fewer lines of notes."""
        parts = list(self._fill(screen, result, decimals, columns))
        if self.all or columns < _WIDE or _count_over(parts) <= 0:
            return parts
        tables = tuple(self._slim(table, columns) if table.first else table for table in screen.tables)
        slim = replace(screen, tables=tables)
        shorter = list(self._fill(slim, result, decimals, columns))
        if _count_over(shorter) < _count_over(parts):
            screen, parts = slim, shorter
        less = 0
        while (over := _count_over(parts)) > 0 and less < _LINES:
            less += over
            parts = list(self._fill(screen, result, decimals, columns, less))
        return parts

    def _fill(
        self, screen: Screen, result: Result, decimals: int | None, columns: int, less: int = 0
    ) -> Iterator[list[str]]:
        """The first screen: notes, and in what they leave tables; ``less`` lines are taken from the notes."""
        verdict = [line for said in screen.verdict for line in wrap(said, columns)]
        how = self._how(screen, columns, (), _MOST_TITLES)
        first = self._table(screen.first[0], columns, title=False) if screen.first else []
        spare = _LINES - _FEW_NOTES - 2 - len(first) - len(how)
        if (less or len(verdict) > spare > 0) and columns >= _WIDE and not self.all:
            short, shortest = (_join(tell_in_brief(result, decimals, brief), columns) for brief in (1, 2))
            if len(short) <= spare:
                verdict = short
            elif less:
                verdict = _end_early(min(short, shortest, key=len), columns)
        tall = sum(len(table.rows) + 2 * len(table.blocks) for table in screen.first)
        room = _FEW_LINES - tall if tall <= _TALL else max(_FEW_LINES - _TALL, _LINES - tall)
        spare = (room if columns >= _WIDE else _LINES) - len(verdict) - len(how) - 2 - less
        if spare < _FEW_NOTES:
            how = self._how(screen, columns, (), 1)
        notes = list(self._notes(screen, columns, spare))
        room = _LINES - len(verdict) - len(notes) - len(how) - 3
        tables, left = self._draw(screen.first, columns, room, less)
        if left:
            how = self._how(screen, columns, [table.title for table in left], 1)
            room = _LINES - len(verdict) - len(notes) - len(how) - 3
            tables, _ = self._draw([table for table in screen.first if table not in left], columns, room, less)
        yield from (verdict, *tables, notes + how)

    def _draw(self, tables: Sequence[Table], columns: int, room: int, less: int) -> tuple[list[list[str]], list[Table]]:
        """Tables in so many lines, each in its share and what the others do not need, and those that have no room."""
        whole = [self._table(table, columns, title=number > 0) for number, table in enumerate(tables)]
        drawn, left = [], []
        for number, table in enumerate(tables):
            shown, later = whole[number], sum(len(other) + 1 for other in whole[number + 1 :])
            share = room if less and not number else max(room // (len(tables) - number), room - later)
            if len(shown) > share and not self.all:
                shown = self._cut(table, columns, share, title=number > 0)
            if less or (number and columns >= _WIDE):
                shown = self._leave_blocks(table, columns, room if number else share, shown, title=number > 0)
            if number and len(shown) > room and columns >= _WIDE and not self.all:
                left.append(table)
            else:
                drawn.append(shown)
                room -= len(shown) + 1
        return drawn, left

    def _squeeze(self, screen: Screen, result: Result, decimals: int | None, columns: int) -> list[list[str]]:
        """That of three systems by two metrics, and what was asked for beside it: the verdict has fewer words where
        there is no room for tables; then the first table leaves lines, then rows of the others go, then notes."""
        (table, *others), least = self._tables(screen, columns), _count_least(screen)
        full = [line for said in screen.verdict for line in wrap(said, columns)]
        short, shortest = (_join(tell_in_brief(result, decimals, brief), columns) for brief in (1, 2))
        choices = ((full, _MOST_TITLES), (short, _MOST_TITLES), (short, 0), (shortest, 0), (shortest, -1))
        wanted = least + sum(min(len(other), _FEWEST_ROWS) + 1 for other in others)

        def room(verdict: list[str], more: int) -> int:
            whole = _LINES if others else _FEW_LINES
            return whole - len(verdict) - len(table) - 2 - len(self._how(screen, columns, (), more))

        verdict, more = next((choice for choice in choices if room(*choice) >= wanted), choices[-1])
        left = room(verdict, more)
        if left < wanted:
            slim = self._table(self._slim(screen.first[0], columns), columns, title=False)
            table, left = min((table, left), (slim, left + len(table) - len(slim)), key=lambda one: len(one[0]))
        shown, hidden = [], []
        for number, other in enumerate(others, 1):
            share = (left - least) // (len(screen.first) - number) - 1
            drawn = other if len(other) <= share else self._cut(screen.first[number], columns, share, title=True)
            if len(drawn) <= share:
                shown.append(drawn)
                left -= len(drawn) + 1
            else:
                hidden.append(screen.first[number].title)
        how = self._how(screen, columns, hidden, more)
        left -= len(how) - len(self._how(screen, columns, (), more))
        return [verdict, table, *shown, [*self._notes(screen, columns, left), *how]]

    def _slim(self, table: Table, columns: int) -> Table:
        """The table in as few lines as it can have: without intervals of scores and middles of names."""
        table = table.keep_last_intervals()
        if table.columns[table.names].prose:
            return table
        some = table.cut_to(_LINES, self.around)
        longest = max((len(row[table.names].text) for row in some.rows), default=0)
        # each is laid out: a name without end would take minutes, and one of two whole lines has no place anyway
        names = range(min(longest, 2 * columns), _SHORTEST - 1, -1)
        tall = {most: len(self._table(some.shorten_names(most), columns, title=False)) for most in names}
        lowest = [most for most in tall if tall[most] == min(tall.values())]
        if not lowest:
            return table
        # where a row takes two lines all the same, a name in one of them is read at once
        return table.shorten_names(lowest[0 if tall[lowest[0]] < 2 * len(some.rows) else -1])

    def _tables(self, screen: Screen, columns: int) -> list[list[str]]:
        return [self._table(table, columns, title=number > 0) for number, table in enumerate(screen.first)]

    def _cut(self, table: Table, columns: int, lines: int, *, title: bool) -> list[str]:
        """The table in so many lines: with less of its texts, else with as many rows as there is room for."""
        # what differs is seen in a line less
        least = _SHORT_SENTENCE - any(cell.place is not None for row in table.rows for cell in row)
        for each in range(_SENTENCE - 1, least - 1, -1):
            drawn = self._table(table, columns, title=title, each=each)
            if len(drawn) <= lines:
                return drawn

        def cut(rows: int) -> list[str]:
            return self._table(table.cut_to(rows, self.around), columns, title=title, each=least)

        # where a name takes two lines, rows and lines differ
        fits, most = 2 if title else _FEWEST_ROWS, len(table.rows)
        while most - fits > 1:
            rows = (fits + most) // 2
            fits, most = (fits, rows) if len(cut(rows)) > lines else (rows, most)
        return cut(fits)

    def _leave_blocks(self, table: Table, columns: int, lines: int, drawn: list[str], *, title: bool) -> list[str]:
        """The table as drawn, or where that has more lines with as many metrics as have room."""
        if len(drawn) <= lines or self.all or len(table.blocks) < 2:
            return drawn

        def keep(blocks: int) -> list[str]:
            part = replace(table, blocks=table.blocks[:blocks])
            drawn = self._cut(part, columns, lines - 1, title=title)
            return [*drawn, f"... {len(table.blocks) - blocks} more: --all"]

        some = range(1, min(len(table.blocks), max(lines, 2)))  # each takes a line at least
        return keep(max(1, bisect_right(some, lines, key=lambda blocks: len(keep(blocks)))))

    def _notes(self, screen: Screen, columns: int, room: int) -> Iterator[str]:
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
                least = min(_LEAST, max(2, room - later - (left > later + 1))) if note in screen.computed else 1
                lines = _shorten(said, columns, max(least, room - 2 * later))
            else:
                lines = _shorten("- " + clean(note.text), columns, 1 if changing else 2)
                if len(lines) + (left > 1) > room:
                    break
            room, left = room - len(lines), left - 1
            yield from lines
        if left and (room > 0 or left > len(limits)):
            yield f"- {left} more {'note' if left == 1 else 'notes'}: -v"

    def _how(self, screen: Screen, columns: int, left: Sequence[str], most: int) -> list[str]:
        rest = dict.fromkeys(_title(table.title) for table in screen.tables if not table.first)
        titles = list(dict.fromkeys([*map(_title, left), *list(rest)[: max(most, 0)]]))
        titles += ["more"] if most < 0 else _list_rest(screen)
        return wrap(f"{screen.how}  -v: {', '.join(titles) or 'everything'}.".strip(), columns)

    def _table(self, table: Table, columns: int, *, title: bool, each: int = _SENTENCE) -> list[str]:
        paint = self._painter()
        lines = [paint(line, Cell(bold=True)) for line in wrap(table.title, columns)] if title else []
        wide = table.side_by_side()
        fitting = None if wide is None else fit(wide, columns)
        if fitting is not None and (fitting[2] or len(fitting[0].columns) < len(wide.columns if wide else ())):
            fitting = None  # rather below one another than with intervals below their numbers
        alone = fitting is None  # side by side nobody would see whose bars they are
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
            bar = min(_BAR[1], room) if alone and room >= _BAR[0] and not self.plain and has_spans(table) else 0
            table = table.clip(widths, each, _SENTENCE) if self.detail == "brief" and not self.all else table
            lines += align(table, widths, stacked, paint, bar)
        for line in table.footnotes:
            lines += wrap(line, columns, hang=2)
        return lines

    def _painter(self) -> Paint:
        if not self.color:
            return lambda piece, cell: piece

        def paint(piece: str, cell: Cell) -> str:
            codes = ";".join(["1"] * cell.bold + _TONES[cell.tone])
            return f"\x1b[{codes}m{piece}\x1b[0m" if codes and piece else piece

        return paint


def _count_over(parts: Sequence[list[str]]) -> int:
    """Lines of a screen beyond those that it may have."""
    return sum(len(part) + 1 for part in parts if part) - 1 - _LINES


def _end_early(lines: list[str], columns: int) -> list[str]:
    """Lines of a verdict that is too long, up to a sentence that ends; ``-v`` has all of it."""
    if len(lines) <= _VERDICT:
        return lines
    text = " ".join(lines[: _VERDICT - 1])
    return [*wrap(text[: text.rfind(". ") + 1] or text, columns), "... more of this: -v"]


def _join(sentences: Sequence[str], columns: int) -> list[str]:
    """The lines of sentences, of which one goes on in the line of another where that takes a line less."""
    lines: list[str] = []
    for said in sentences:
        apart, joined = wrap(said, columns), wrap(" ".join([*lines[-1:], said]), columns)
        lines = [*lines[:-1], *joined] if len(joined) <= len(apart) else [*lines, *apart]
    return lines


def _count_least(screen: Screen) -> int:
    """Lines that the notes take at least: what changes the answer, two of the first, and how many there are more."""
    changing = [note for note in screen.notes if note.rank == "answer"][:_MOST_NOTES]
    lines = sum(_LEAST if note in screen.computed else 1 + (not i) for i, note in enumerate(changing))
    return lines + any(note.rank == "claim" for note in screen.notes)


def _list_rest(screen: Screen) -> list[str]:
    """The parts that ``-v`` gives beside tables."""
    rest = ["method"] if screen.method else []
    return rest + (["notes"] if any(note.rank != "answer" for note in screen.notes) else [])


def _title(text: str) -> str:
    """The title of a table in a few words."""
    short = re.split(r" \(|,|(?<=^Posterior) against", text)[0]
    return short[:1].lower() + short[1:]


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
