"""LaTeX: booktabs tables to paste into a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.report.formats import format_
from outscore.report.model import Block, Cell, Column, Table
from outscore.report.screen import Screen, screen_of, sentence_of
from outscore.report.text import capital, join_remedy
from outscore.results.result import Result

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
    "\ufffd": "",  # pdflatex does not know it
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

_WIDE = 90
"""Characters that fit both columns of one, at the size of tables."""

_PAGE = 45
"""Rows that fit a page; a float cannot break."""

_SYMBOLS = {"s_sel": r"$s_{\mathrm{sel}}$", "s_test": r"$s_{\mathrm{test}}$", "p": "$p$"}

_MARK = "†"
"""Stands where other formats have ``!``, and before the notes that belong to it."""

_NUMBERS = (
    # siunitx writes numbers as the paper does; without it they stay as they are, with real minus signs
    r"\ifdefined\sisetup\sisetup{retain-explicit-plus,detect-weight}\fi",
    r"\def\numsign#1{\ifx-#1$-$\else\ifx+#1$+$\else#1\fi\fi}\providecommand{\num}[1]{\numsign#1}",
)


@format_("latex")
@dataclass(frozen=True)
class Latex:
    r"""One booktabs table with its footnotes (needs ``\usepackage{booktabs}``; siunitx writes its numbers if loaded).

    Attributes:
        detail: ``brief``, the main table; ``full``, every table; ``table``, those of the first screen without anything
            below them.
    """

    detail: Literal["brief", "full", "table"] = "brief"

    suffixes: ClassVar[tuple[str, ...]] = (".tex",)

    @property
    def has_tables(self) -> bool:
        """Whether it holds more than the main table."""
        return self.detail != "brief"

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The tables; then, as comments, the sentence for the paper and what to know before it is printed."""
        lines = [r"% \usepackage{booktabs}"]
        screen = screen_of(result, decimals)
        bare = self.detail == "table"
        tables = list(screen.bare if bare else screen.tables)
        if tables and not bare:
            tables[0] = replace(tables[0], footnotes=tuple(_below(tables[0], screen)))
        number = 0
        for one in tables[:1] if self.detail == "brief" else tables:
            wide = one.side_by_side() or _in_one_order(one).side_by_side()  # as papers have it
            table = wide if wide is not None and _characters(wide) <= _WIDE else one
            table = _name_intervals(table)
            for part in _pages(table if bare else table.shorten("footnote")):  # a page is narrower than most terminals
                lines += [*_table(part, f"tab:{result.command}{'-' * (number > 0)}{number or ''}"), ""]
                number += 1
        # pdflatex composes letters up to Latin Extended-A from its accents.
        if any(ord(c) > 0x17F for line in lines for c in line):
            lines.insert(0, "% needs LuaLaTeX or XeLaTeX, and a font that has its letters")
        lines += [] if bare else _comments(result, screen)
        return "\n".join(lines).rstrip("\n") + "\n"


def _in_one_order(table: Table) -> Table:
    """The rows of every metric in the order of the first, without their ranks; as it is where names are not the same,
    or stand twice."""
    at = table.names
    by_name = [{row[at].text: row for row in block.rows} for block in table.blocks]
    if len({frozenset(rows) for rows in by_name}) > 1 or len(by_name[0]) < max(len(b.rows) for b in table.blocks):
        return table
    kept = [at, *range(table.naming, len(table.columns))]
    blocks = (
        replace(block, rows=tuple(tuple(rows[name][i] for i in kept) for name in by_name[0]))
        for rows, block in zip(by_name, table.blocks, strict=True)
    )
    return replace(table, naming=1, columns=tuple(table.columns[i] for i in kept), blocks=tuple(blocks))


def _name_intervals(table: Table) -> Table:
    """Its title says what the brackets are."""
    level = next((found[1] for column in table.columns if (found := re.search(r"(\d+%) CI", column.tail))), None)
    return replace(table, title=f"{table.title}, with {level} confidence intervals") if level else table


def _below(table: Table, screen: Screen) -> Iterator[str]:
    """The footnotes of a paper: of the table, how it was tested, and what changes the answer, by its mark if any."""
    yield from table.footnotes
    if any(cell.bold for row in table.rows for cell in row):
        yield "Bold: the best score, shown to be best or not."
    yield from filter(None, [screen.how_in_print])
    mark = f"{_MARK} " if any("!" in cell.marks for row in table.rows for cell in row) else ""
    yield from (f"{mark}{capital(clean(join_remedy(note.text, '')))}" for note in screen.notes if note.rank == "answer")


def _comments(result: Result, screen: Screen) -> Iterator[str]:
    """Lines that TeX does not print: what may be pasted into the text, and what to know before."""
    said = [f"For the text: {sentence}"] if (sentence := sentence_of(result, alone=False)) else []
    yield from (f"% {escape(clean(line))}" for line in said)
    known = [f"To know: {join_remedy(note.text, note.remedy)}" for note in screen.notes if note.rank != "answer"]
    yield from (f"% {clean(line)}" for line in (*known, *(f"Method: {line}" for line in screen.method)))


def escape(text: str) -> str:
    """``text`` without meaning for TeX."""
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


def _table(table: Table, label: str) -> Iterator[str]:
    columns = [_TeXColumn(column, [row[i] for row in table.rows]) for i, column in enumerate(table.columns)]
    float_ = "table" if _characters(table) <= _COLUMN else "table*"
    yield from (rf"\begin{{{float_}}}[t]", r"\centering", r"\small", r"\setlength{\tabcolsep}{3pt}", *_NUMBERS)
    yield rf"\caption{{{_words(table.title)}}}\label{{{label}}}"
    yield from (rf"\begin{{tabular}}{{{''.join(column.spec for column in columns)}}}", r"\toprule")
    yield f"{' & '.join(column.head for column in columns)} \\\\"
    for block in table.blocks:
        yield r"\midrule"
        if block.heading:
            heading = rf"\textit{{{escape(block.metric)}}} {escape(block.arrow)}"
            yield rf"\multicolumn{{{sum(column.width for column in columns)}}}{{l}}{{{heading}}} \\"
        for row in block.rows:
            yield f"{' & '.join(column.cell(cell) for column, cell in zip(columns, row, strict=True))} \\\\"
    yield from (r"\bottomrule", r"\end{tabular}")
    if table.footnotes:
        yield from ("", r"\medskip", r"{\footnotesize\raggedright")
        yield from (rf"{_words(note)}\par" for note in table.footnotes)
        yield "}"
    yield rf"\end{{{float_}}}"


class _TeXColumn:
    """A column of a table, which is two where its numbers have intervals: both stand in line.

    Args:
        column: its heading.
        content: its cells.
    """

    def __init__(self, column: Column, content: Sequence[Cell]) -> None:
        self.column = column
        self.number = column.align == "right"
        self.split = self.number and any(cell.tail for cell in content)
        self.marked = any(cell.marks for cell in content)

    @property
    def width(self) -> int:
        return 2 if self.split else 1

    @property
    def spec(self) -> str:
        return _PROSE if self.column.prose else "r@{~}r" if self.split else self.column.align[0]

    @property
    def head(self) -> str:
        return self._join(_words(self.column.header), _number(self.column.tail))

    def cell(self, cell: Cell) -> str:
        text = _number(cell.text) if self.number else escape(cell.text)
        text = rf"\textbf{{{text}}}" if cell.bold else text
        if self.number and len(cell.text) > 30:  # a sentence
            text = rf"\parbox[t]{{0.3\linewidth}}{{\raggedright {text}\strut}}"
        if cell.marks:
            text += escape(cell.marks.replace("!", _MARK))
        elif self.marked and self.number and cell.text:
            text += rf"\phantom{{{_ESCAPES[_MARK]}}}"  # so that decimals stay in line
        return self._join(text, _number(cell.tail))

    def _join(self, number: str, tail: str) -> str:
        return f"{number} & {tail}" if self.split else f"{number} {tail}".strip()


def _characters(table: Table) -> int:
    rows = [[c.plain for c in row] for row in table.rows] + [[c.plain for c in table.columns]]
    widths = (max(map(len, column)) + 1 for column in zip(*rows, strict=True))
    return sum(min(w, 25) if c.prose else w for w, c in zip(widths, table.columns, strict=True))


def _words(text: str) -> str:
    """``text`` with the symbols of the field set as symbols."""
    parts = re.split(r"\b(s_sel|s_test|p)\b", text)
    return "".join(_SYMBOLS.get(part, escape(part)) for part in parts)


def _number(text: str) -> str:
    """A number or interval; those with a decimal point by the command of siunitx, which would write .05 as 0.05."""
    parts = re.split(r"((?<![\w.,])[-+]?\d+\.\d+(?![\w.]|,\d))", text)
    return "".join(rf"\num{{{part}}}" if i % 2 else _signs(part) for i, part in enumerate(parts))


def _signs(text: str) -> str:
    parts = re.split(r"(?<![\w.])([-+<>])(?=[\d. ∞])", text)
    return "".join(f"${part}$" if i % 2 else "".join(map(_sign, part)) for i, part in enumerate(parts))


def _sign(char: str) -> str:
    return char if char in "[]" else _ESCAPES.get(char, char)
