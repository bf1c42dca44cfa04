"""The one table model from which every text format derives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from outscore.base.lazy import dataclass
from outscore.report.text import wrap

Align = Literal["left", "right"]

_MOST_NAMES = 8


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell. Texts are plain Unicode; a renderer escapes them for its format.

    Attributes:
        text: the name or the number.
        tail: what belongs to the number and may stand on a line of its own: its interval, the error of p.
        marks: ``!`` behind the text, where a note changes the answer.
        bold: the best of its block.
        tone: for formats with colour: a significant gain or loss.
        span: low end, value and high end, for a picture of the interval.
        place: in the text, that is to be seen where there is little room.
    """

    text: str = ""
    tail: str = ""
    marks: str = ""
    bold: bool = False
    tone: Literal["", "better", "worse"] = ""
    span: tuple[float, float, float] | None = None
    place: int | None = None

    @property
    def plain(self) -> str:
        """The whole cell as plain text."""
        return f"{self.text}{self.marks} {self.tail}".rstrip(" ") if self.tail else self.text + self.marks


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column.

    Attributes:
        header, tail: its heading; ``tail`` heads the tails of the cells.
        align: right-aligned columns hold numbers, which the library wrote; the others hold text from outside.
        spare: where its content goes when the table is too wide: to a ``footnote``, or nowhere, as it stands
            ``elsewhere`` too.
        prose: its texts are sentences, which may break into lines.
        command: its texts are commands, which go on after a backslash.
        of_metric: headed by its metric, where metrics stand side by side.
        zero: pictures of its intervals show where 0 is.
    """

    header: str
    tail: str = ""
    align: Align = "left"
    spare: Literal["", "footnote", "elsewhere"] = ""
    prose: bool = False
    command: bool = False
    of_metric: bool = False
    zero: bool = True

    @property
    def plain(self) -> str:
        """The whole heading as plain text."""
        return f"{self.header} {self.tail}" if self.tail else self.header


Row = tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Block:
    """Rows under one metric; ``metric`` is empty where the table has one metric.

    Attributes:
        metric: the metric; ``arrow``: its direction, ``↑`` or ``↓``.
    """

    rows: tuple[Row, ...]
    metric: str = ""
    arrow: str = ""

    @property
    def heading(self) -> str:
        """``BLEU ↑``, or the empty string."""
        return f"{self.metric} {self.arrow}".strip()


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table. Every row has one cell for each column; the first ``naming`` of them name what it is about.

    ``first`` says that it is part of the first screen; ``asked`` names the option that asked for it.
    """

    title: str
    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]
    footnotes: tuple[str, ...] = ()
    naming: int = 1
    first: bool = False
    asked: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for block in self.blocks for row in block.rows):
            raise ValueError(f"table {self.title!r}: a row does not have {len(self.columns)} cells")

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, whatever their block."""
        return tuple(row for block in self.blocks for row in block.rows)

    @property
    def names(self) -> int:
        """The number of the column of names."""
        return next((j for j, column in enumerate(self.columns) if column.align == "left"), 0)

    def shorten(self, *spare: str) -> Table:
        """This table without the columns of these kinds; those of kind ``footnote`` become footnotes."""
        kept = [i for i, column in enumerate(self.columns) if column.spare not in spare]
        said = {"footnote"}.intersection(spare)
        moved = [i for i, column in enumerate(self.columns) if column.spare in said]
        return replace(
            self,
            columns=tuple(self.columns[i] for i in kept),
            blocks=tuple(
                replace(block, rows=tuple(tuple(row[i] for i in kept) for row in block.rows)) for block in self.blocks
            ),
            footnotes=(
                *(self._make_footnote(i) for i in moved if self._has_content(i)),
                *self.footnotes,
            ),
        )

    def keep_last_intervals(self) -> Table:
        """This table with the intervals of its last column that has any, and of no other."""
        bare = {
            i for i, column in enumerate(self.columns) if column.tail and any(c.tail for c in self.columns[i + 1 :])
        }
        rows = [
            tuple(
                tuple(replace(cell, tail="") if i in bare else cell for i, cell in enumerate(row)) for row in block.rows
            )
            for block in self.blocks
        ]
        return replace(
            self,
            columns=tuple(replace(c, tail="") if i in bare else c for i, c in enumerate(self.columns)),
            blocks=tuple(replace(block, rows=of) for block, of in zip(self.blocks, rows, strict=True)),
        )

    def shorten_names(self, most: int) -> Table:
        """This table without the middle of names that are longer; as it is where two would be called the same."""
        at, head, tail = self.names, most // 2 - 1, (most - 3) // 2

        def short(cell: Cell) -> Cell:
            long = len(cell.text) > most
            return replace(cell, text=f"{cell.text[:head]}...{cell.text[-tail:]}") if long else cell

        rows = [tuple((*row[:at], short(row[at]), *row[at + 1 :]) for row in block.rows) for block in self.blocks]
        if any(len({tuple(cell.text for cell in row[: at + 1]) for row in of}) < len(of) for of in rows):
            return self
        return replace(self, blocks=tuple(replace(b, rows=of) for b, of in zip(self.blocks, rows, strict=True)))

    def clip(self, widths: Sequence[int], lines: int, named: int) -> Table:
        """This table with what of its sentences fits so many lines of columns that are so wide, ``named`` lines where
        they tell its rows apart.
        """
        each = [named if i < max(self.naming, 1) else lines for i in range(len(widths))]
        known = list(zip(self.columns, widths, each, strict=True))

        def cut(cell: Cell, column: Column, width: int, most: int) -> Cell:
            if not column.prose or len(wrap(cell.text, width)) <= most:
                return cell
            text = _begin_near(cell.text, cell.place or 0, width * most - 4)
            end, dots = len(text), ""
            while len(wrap(text[:end] + dots, width)) > most:
                end, dots = max(text.rfind(" ", 4, end), 0) or end - 1, " ..."
            return replace(cell, text=text[:end] + dots)

        rows = [
            tuple(tuple(cut(cell, *how) for cell, how in zip(row, known, strict=True)) for row in block.rows)
            for block in self.blocks
        ]
        return replace(self, blocks=tuple(replace(b, rows=of) for b, of in zip(self.blocks, rows, strict=True)))

    def side_by_side(self) -> Table | None:
        """The metrics beside one another, each under its heading; None where rows differ between them."""
        names = [tuple(row[: self.naming] for row in block.rows) for block in self.blocks]
        bare = {tuple(tuple(cell.text for cell in name) for name in of) for of in names}
        if len(self.blocks) < 2 or len(bare) > 1 or not any(c.of_metric for c in self.columns):
            return None
        own = self.columns[self.naming :]
        columns = [*self.columns[: self.naming]]
        for block in self.blocks:
            columns += [replace(c, header=block.heading) if c.of_metric else c for c in own]
        rows = tuple(
            tuple(name + sum((row[self.naming :] for row in line), ()))
            for name, *line in zip(names[0], *(block.rows for block in self.blocks), strict=True)
        )
        return replace(self, columns=tuple(columns), blocks=(Block(rows=rows),))

    def cut_to(self, most: int, around: str = "") -> Table:
        """At most so many rows: those at the top, at the bottom, and five around the one of a name.

        A row of dots says how many are left out, and what shows them.
        """
        if len(self.rows) <= most:
            return self
        blocks = []
        share = max(3, most // len(self.blocks))
        for block in self.blocks:
            n = len(block.rows)
            bottom = max(1, share // 5)
            kept = set(range(share - bottom)) | set(range(n - bottom, n)) if n > share else set(range(n))
            for i, row in enumerate(block.rows):
                if around and any(cell.text == around for cell in row[: self.naming + 1]):
                    kept |= set(range(max(0, i - 2), min(n, i + 3)))
            rows: list[Row] = []
            last = -1
            for i in sorted(kept):
                if i - last == 2:  # a row takes no more room than the dots for it
                    rows.append(block.rows[i - 1])
                elif i - last > 2:
                    dots = Cell(text=f"... {i - last - 1:,} more: --all")
                    rows.append(tuple(dots if j == self.names else Cell() for j in range(len(self.columns))))
                rows.append(block.rows[i])
                last = i
            blocks.append(replace(block, rows=tuple(rows)))
        return replace(self, blocks=tuple(blocks))

    def _has_content(self, index: int) -> bool:
        """Whether a column holds anything."""
        return any(row[index].text for block in self.blocks for row in block.rows)

    def _make_footnote(self, index: int) -> str:
        """A column in words: ``Test: t (BLEU); McNemar (sys-a on accuracy)``, or how many rows."""
        holders: dict[str, list[str]] = {}
        rows: Counter[str] = Counter()
        for block in self.blocks:
            held = [(row[index].plain, self._name(row)) for row in block.rows if row[index].text]
            rows.update(value for value, _ in held)
            if block.metric and len({value for value, _ in held}) == 1:
                holders.setdefault(held[0][0], []).append(block.metric)
                continue
            for value, who in held:
                holders.setdefault(value, []).append(f"{who} on {block.metric}" if block.metric else who)
        named = {v: ", ".join(who) if len(who) <= _MOST_NAMES else f"{rows[v]} rows" for v, who in holders.items()}
        said = "; ".join(f"{value} ({who})" for value, who in named.items())
        return f"{self.columns[index].header}: {said}."

    def _name(self, row: Row) -> str:
        """``sys-a``, or ``sys-a against sys-b``."""
        first, *more = zip(row[: self.naming], self.columns, strict=False)
        return " ".join([first[0].text, *(f"{column.header.lower()} {cell.text}" for cell, column in more)])


def _begin_near(text: str, place: int, room: int) -> str:
    """A text without its beginning where this would leave no room for a place in it."""
    if place <= room // 2:
        return text
    # at the beginning of a word, as part of one would look like another; where words are endless, anywhere
    start, word = place - room // 4, text.rfind(" ", 0, place) + 1
    start = next((i + 1 for i in range(start, place) if text[i] == " "), word if place - word <= room // 2 else start)
    return f"... {text[start:]}"
