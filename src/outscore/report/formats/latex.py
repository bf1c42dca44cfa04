"""LaTeX: booktabs tables to paste into a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from outscore.report.formats import format_
from outscore.report.model import Block, Cell, Column, Table
from outscore.report.screen import Screen, screen_of
from outscore.report.text import clean, join_remedy
from outscore.results import Result

_GREEK = "alpha beta gamma delta epsilon kappa lambda mu pi rho sigma tau chi omega"

_ESCAPES = {
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': "''",  # \textquotedbl needs T1 fonts; a bare " is active under babel
    # After \\ a bracket opens an option and a star is part of the command.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "\ufffd": "",  # stands for a control character; pdflatex does not know it
    "†": r"$^{\dagger}$",
    "‡": r"$^{\ddagger}$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "–": "--",
    "—": "---",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "−": "$-$",
    "→": r"$\to$",
    "∞": r"$\infty$",
    **{c: f"$\\{name}$" for c, name in zip("αβγδεκλμπρστχω", _GREEK.split(), strict=True)},
    "…": r"\dots{}",
    "’": "'",
    **{c: f"$^{{{i}}}$" for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}

_PROSE = r"p{0.3\linewidth}"

_COLUMN = 45
"""Characters that fit one column of a two-column paper; wider tables span both."""

_PAGE = 45
"""Rows that fit a page; a float cannot break."""

_SYMBOLS = {"s_sel": r"$s_{\mathrm{sel}}$", "s_test": r"$s_{\mathrm{test}}$", "p": "$p$"}


@format_("latex")
@dataclass(frozen=True)
class Latex:
    r"""Tables with booktabs rules (needs ``\usepackage{booktabs}`` and nothing else).

    Attributes:
        detail: ``full``, or ``table``: the tables of the first screen alone, and nothing below them.
        main: the first table alone, with its footnotes: the one for the paper.
    """

    detail: Literal["full", "table"] = "full"
    main: bool = False

    suffixes: ClassVar[tuple[str, ...]] = (".tex",)

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """All tables, or the main one, then the sentence for the paper as a comment."""
        lines = [r"% \usepackage{booktabs}"]
        screen = screen_of(result, decimals)
        alone = self.detail == "table"
        tables = list(screen.bare if alone else screen.tables)
        if tables and not alone:  # what stands under the table of a paper
            below = *_notes(screen), *screen.method
            tables[0] = replace(tables[0], footnotes=(*tables[0].footnotes, *below))
        for table in tables[:1] if self.main else tables:
            for part in _pages(table if alone else table.shorten("footnote")):  # a page is narrower than most terminals
                lines += [*_table(part), ""]
        if not alone and (said := result.sentence):
            lines += ["% For the text:", f"% {escape(clean(said))}"]  # \input prints the tables only
        text = "\n".join(lines).rstrip("\n") + "\n"
        # pdflatex composes letters up to Latin Extended-A from its accents.
        foreign = any(ord(c) > 0x17F for c in text)
        return f"% needs LuaLaTeX or XeLaTeX, and a font that has its letters\n{text}" if foreign else text


def _notes(screen: Screen) -> Iterator[str]:
    """The notes, what changes the answer first and by the mark that its rows have."""
    for note in screen.notes:
        yield f"{'!' if note.rank == 'answer' else 'Note:'} {clean(join_remedy(note.text, note.remedy))}"


def escape(text: str) -> str:
    """``text`` without meaning for TeX; control characters are left out."""
    text = re.sub(r"-(?=-)", "-\0", text)  # no ligature of --
    return "".join(_ESCAPES.get(c, c) for c in text).replace("\0", "{}")


def _pages(table: Table) -> Iterator[Table]:
    """The table in parts that fit a page, the footnotes under the last."""
    pages: list[list[Block]] = [[]]
    room = _PAGE
    for block in table.blocks:
        rows = block.rows
        while rows:
            if not room:
                pages.append([])
                room = _PAGE
            here, rows = rows[:room], rows[room:]
            pages[-1].append(replace(block, rows=here))
            room -= len(here)
    for number, blocks in enumerate(pages, 1):
        title = table.title if number == 1 else f"{table.title} (continued)"
        notes = table.footnotes if number == len(pages) else ()
        yield replace(table, title=title, blocks=tuple(blocks), footnotes=notes)


def _table(table: Table) -> Iterator[str]:
    spec = "".join(_PROSE if c.prose else c.align[0] for c in table.columns)
    float_ = "table" if _characters(table) <= _COLUMN else "table*"
    yield from (rf"\begin{{{float_}}}[t]", r"\centering", r"\small", r"\setlength{\tabcolsep}{3pt}")
    yield rf"\caption{{{_words(table.title)}}}"
    yield from (rf"\begin{{tabular}}{{{spec}}}", r"\toprule")
    yield f"{' & '.join(_header(c) for c in table.columns)} \\\\"
    marked = [any(row[i].marks for row in table.rows) for i in range(len(table.columns))]
    for block in table.blocks:
        yield r"\midrule"
        if block.heading:
            heading = rf"\textit{{{escape(block.metric)}}} {escape(block.arrow)}"
            yield rf"\multicolumn{{{len(table.columns)}}}{{l}}{{{heading}}} \\"
        for row in block.rows:
            cells = zip(row, table.columns, marked, strict=True)
            yield f"{' & '.join(_cell(*c) for c in cells)} \\\\"
    yield from (r"\bottomrule", r"\end{tabular}")
    if table.footnotes:
        yield from ("", r"\medskip", r"{\footnotesize\raggedright")
        yield from (_footnote(note) for note in table.footnotes)
        yield "}"
    yield rf"\end{{{float_}}}"


def _characters(table: Table) -> int:
    rows = [[c.plain for c in row] for row in table.rows] + [[c.plain for c in table.columns]]
    widths = (max(map(len, column)) + 1 for column in zip(*rows, strict=True))
    return sum(min(w, 25) if c.prose else w for w, c in zip(widths, table.columns, strict=True))


def _header(column: Column) -> str:
    return f"{_words(column.header)} {_number(column.tail)}".strip()


def _words(text: str) -> str:
    """``text`` with the symbols of the field set as symbols."""
    parts = re.split(r"\b(s_sel|s_test|p)\b", text)
    return "".join(_SYMBOLS.get(part, escape(part)) for part in parts)


def _cell(cell: Cell, column: Column, marked: bool) -> str:
    text = escape(cell.text) if column.align == "left" else _number(cell.text)
    text = rf"\textbf{{{text}}}" if cell.bold else text
    if cell.marks:
        text += escape(cell.marks)
    elif marked and column.align == "right" and cell.text:
        text += r"\phantom{!}"  # so that decimals stay in line
    return f"{text} {_number(cell.tail)}".strip()


def _number(text: str) -> str:
    """A number or interval, with real minus signs."""
    text = re.sub(r"(?<![\w.])[-+<](?=[\d ∞])", lambda m: f"${m[0]}$", text)
    return "".join(c if c in "$[]" else _ESCAPES.get(c, c) for c in text)


def _footnote(line: str) -> str:
    parts = re.split(r"\b(s_sel|s_test)\b", line)
    return rf"{''.join(_SYMBOLS.get(part, escape(part)) for part in parts)}\par"
