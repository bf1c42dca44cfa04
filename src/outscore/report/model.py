"""The one table model from which every text format derives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

from outscore.report.text import superscript

Align = Literal["left", "right"]

_MOST_NAMES = 8


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell. Texts are plain Unicode; a renderer escapes them for its format.

    Attributes:
        text: the name or the number.
        tail: what belongs to the number and may stand on a line of its own: its interval, the error of p.
        marks: ``†`` or ``‡``, beside the text.
        notes: numbers of the footnotes that concern the row.
        bold: the best of its block.
        tone: for formats with colour: a significant gain or loss.
    """

    text: str = ""
    tail: str = ""
    marks: str = ""
    notes: tuple[int, ...] = ()
    bold: bool = False
    tone: Literal["", "better", "worse"] = ""

    @property
    def hung(self) -> str:
        """Marks and note numbers as Unicode, to hang behind the text."""
        return self.marks + superscript(self.notes)

    @property
    def plain(self) -> str:
        """The whole cell as plain text."""
        return f"{self.text}{self.hung} {self.tail}".rstrip(" ") if self.tail else self.text + self.hung


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column.

    Attributes:
        header, tail: its heading; ``tail`` heads the tails of the cells.
        align: right-aligned columns hold numbers, which the library wrote; the others hold text from outside.
        spare: where its content goes when the table is too wide: to a ``footnote``, or nowhere, as it stands
            ``elsewhere`` too.
        prose: its texts are sentences, which may break into lines.
    """

    header: str
    tail: str = ""
    align: Align = "left"
    spare: Literal["", "footnote", "elsewhere"] = ""
    prose: bool = False

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
class Footnote:
    """One line under a table.

    Attributes:
        text: its words; ``mark``: its sign in the rows, ``†`` or a number; empty for the whole table.
        about: ``bold`` explains boldness and is dropped where nothing is bold; the header of a column: it goes
            with it.
        note: code of the note that it says; empty for other lines. A format that lists the notes leaves it out.
        where: part of the result that the note is about, as its text begins; empty where it is about all of it.
    """

    text: str
    mark: str = ""
    about: str = ""
    note: str = ""
    where: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table. Every row has one cell for each column; the first ``naming`` of them name what it is about."""

    title: str
    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]
    footnotes: tuple[Footnote, ...] = ()
    naming: int = 1

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for block in self.blocks for row in block.rows):
            raise ValueError(f"table {self.title!r}: a row does not have {len(self.columns)} cells")

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, whatever their block."""
        return tuple(row for block in self.blocks for row in block.rows)

    def shorten(self, *spare: str) -> Table:
        """This table without the columns of these kinds; those of kind ``footnote`` become footnotes."""
        kept = [i for i, column in enumerate(self.columns) if column.spare not in spare]
        said = {"footnote"}.intersection(spare)
        moved = [i for i, column in enumerate(self.columns) if column.spare in said]
        gone = {column.header for i, column in enumerate(self.columns) if i not in kept and i not in moved} - {""}
        return replace(
            self,
            columns=tuple(self.columns[i] for i in kept),
            blocks=tuple(
                replace(block, rows=tuple(tuple(row[i] for i in kept) for row in block.rows)) for block in self.blocks
            ),
            footnotes=(
                *(self._make_footnote(i) for i in moved if self._has_content(i)),
                *(n for n in self.footnotes if n.about not in gone),
            ),
        )

    def _has_content(self, index: int) -> bool:
        """Whether a column holds anything."""
        return any(row[index].text for block in self.blocks for row in block.rows)

    def _make_footnote(self, index: int) -> Footnote:
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
        return Footnote(text=f"{self.columns[index].header}: {said}.")

    def _name(self, row: Row) -> str:
        """``sys-a``, or ``sys-a against sys-b``."""
        first, *more = zip(row[: self.naming], self.columns, strict=False)
        return " ".join([first[0].text, *(f"{column.header.lower()} {cell.text}" for cell, column in more)])
