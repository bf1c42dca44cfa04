"""Markdown: GitHub tables, footnotes as lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.report.formats import format_
from outscore.report.model import Cell, Column, Table
from outscore.report.screen import screen_of
from outscore.report.text import join_remedy
from outscore.results.result import Result


@format_("markdown")
@dataclass(frozen=True)
class Markdown:
    """GitHub-flavoured tables (also for pull requests and notebooks).

    Attributes:
        detail: ``full``, or ``table``: the tables of the first screen alone, and nothing below them.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".md",)

    detail: Literal["full", "table"] = "full"

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The verdict, all tables, the notes, and how it was done."""
        screen = screen_of(result, decimals)
        if self.detail == "table":
            return "\n\n".join("\n".join(_table(table)) for table in screen.bare) + "\n"
        parts = [escape(clean(said)) for said in screen.verdict]
        parts += ["\n".join(_table(table)) for table in screen.tables]
        said = [f"- **!** {line}" if note.rank == "answer" else f"- {line}" for note in screen.notes
                for line in [escape(clean(join_remedy(note.text, note.remedy)))]]  # fmt: skip
        parts += ["\n".join(said)] if said else []
        parts += ["\n".join(f"- {escape(clean(line))}" for line in screen.method or (screen.how,))]
        return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """``text`` without meaning for Markdown or HTML."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]|~$#!])", r"\\\1", text)


def _table(table: Table) -> Iterator[str]:
    yield f"**{escape(table.title)}**"
    yield ""
    yield _line(escape(c.plain) if c.align == "left" else _number(c.plain) for c in table.columns)
    yield _line("---:" if c.align == "right" else ":---" for c in table.columns)
    for block in table.blocks:
        if block.heading:
            yield _line([f"**{escape(block.heading)}**", *[""] * (len(table.columns) - 1)])
        for row in block.rows:
            yield _line(_cell(c, column) for c, column in zip(row, table.columns, strict=True))
    if table.footnotes:
        yield ""
        yield from (f"- {escape(line)}" for line in table.footnotes)


def _line(cells: Iterator[str] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell, column: Column) -> str:
    text = escape(cell.text) if column.align == "left" else _number(cell.text)
    text = f"**{text}**" if cell.bold else text
    return f"{text}{cell.marks} {_number(cell.tail)}".strip()


def _number(text: str) -> str:
    """Brackets of an interval are harmless and more readable as they are."""
    return escape(text).replace("\\[", "[").replace("\\]", "]")
