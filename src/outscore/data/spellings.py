"""Numbers that are written otherwise, with units, brackets or thousands apart, and the commands that rewrite them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from shlex import quote

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass

_UNITS = "ms|msec|s|secs?|seconds?|min|mins|minutes|h|x|usd|eur|pts?|points?|stars?|tokens?|words?|chars?|tok/s|[€$£]"
_IN_SECONDS = {"ms": 1000.0, "msec": 1000.0, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0}
THOUSANDS = 'gsub(/[.]/,"",$N)'


@dataclass(frozen=True)
class Spelling:
    """One way to write numbers: which cells, what to do, the change of the cell ``$N`` by awk, and another reading."""

    cell: re.Pattern[str]
    advice: str
    change: str
    otherwise: str = ""
    ranks: bool = False


_SPELLINGS = (
    Spelling(
        re.compile(r"\(\d+(\.\d+)?\)"),
        "brackets may mean a minus",
        'gsub(/[(]/,"-",$N); gsub(/[)]/,"",$N)',
        'gsub(/[()]/,"",$N)',
    ),
    Spelling(
        re.compile("[+-]?[1-9]\\d{0,2}([ \u00a0\u2009\u202f'’]\\d{3})+(\\.\\d+)?"),
        "write numbers without anything between thousands",
        'if ($N ~ /[0-9]/) gsub(/[^0-9.+-]/,"",$N)',
    ),
    Spelling(
        re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3}){2,}"), "write numbers without points between thousands", THOUSANDS
    ),
    Spelling(re.compile(r"[€$£] ?\d+(\.\d+)?"), "write the number alone", 'gsub(/[^0-9.]/,"",$N)'),
    Spelling(
        re.compile(rf"[+-]?\d+(\.\d+)? ?(?P<unit>{_UNITS})", re.IGNORECASE),
        "write the number alone, all in one unit",
        "if ($N ~ /[0-9]/) $N=$N+0",
    ),
    Spelling(re.compile(r"\d+(\.\d+)? *[-–—:=)(.] *[^\W\d].*"), "write the number alone", "if ($N ~ /[0-9]/) $N=$N+0"),
    Spelling(
        re.compile("★+☆*|⭐+"),
        "write the number of stars",
        'if (gsub(/★|⭐/,"x",$N)) { gsub(/[^x]/,"",$N); $N=length($N) }',
    ),
    Spelling(
        re.compile("[A-F]"),
        "give a gold column if these are answers; if they are grades, of which A counts 5 and F 0",
        'gsub(/[ \\r]/,"",$N); if ($N ~ /^[A-F]$/) $N=index("FEDCBA",$N)-1',
        ranks=True,
    ),
)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
_LARGE = re.compile(r"[+-]?[1-9]\d\d")
_WHOLE = re.compile(r"[+-]?\d{1,3}")


def find_spelling(cell: str) -> Spelling | None:
    """The way in which a cell may write a number; None where it does not."""
    return next((spelling for spelling in _SPELLINGS if spelling.cell.fullmatch(cell)), None)


def advise(cells: Iterable[str], spelling: Spelling, rewrite: Rewrite | None) -> str:
    """The remedy for a column whose cells are written so."""
    change, units = spelling.change, set()
    if "unit" in spelling.cell.groupindex:
        units = {found["unit"].lower() for cell in cells if (found := spelling.cell.fullmatch(cell.strip()))}
        if not units <= _IN_SECONDS.keys() and len(units) > 1:
            return spelling.advice
        if len({_IN_SECONDS.get(unit) for unit in units}) > 1:
            change = "if ($N ~ /[0-9]/) $N=$N~/ms/ ? $N/1000 : $N+0"
    if rewrite is None:
        return spelling.advice
    otherwise = f"; or nothing: {rewrite(spelling.otherwise)}" if spelling.otherwise else ""
    return f"{spelling.advice}: {rewrite(change)}{otherwise}"


@dataclass(frozen=True)
class Rewrite:
    """The command that changes the cells of columns of a file of text: numbers of columns from 1, and the delimiter."""

    file: str
    columns: tuple[int, ...]
    delimiter: str

    def __call__(self, change: str) -> str:
        each = "; ".join(f'gsub(/"/,"",$N); {change}'.replace("$N", f"${k}") for k in self.columns)
        mark = quote({"\t": r"\t"}.get(self.delimiter, self.delimiter))
        to = quote(f"plain-{PurePath(self.file).name}")
        return f"awk -F{mark} -v OFS={mark} {quote(f'NR>1{{{each}}}1')} {quote(self.file)} > {to}"


def are_thousands(cells: Sequence[str], values: Float) -> bool:
    """Whether points may separate thousands: three digits behind each, beside whole numbers from 101 to 999.

    Of shares in per cent with three decimals only 100 is whole, and rounded decimals rarely have three alike.
    """
    whole = (np.abs(values) > 100) & (values == np.floor(values))
    if not whole.any() or np.abs(values[np.isfinite(values)]).max(initial=0.0) > 999.9995:
        return False
    filled = {cell.strip() for cell, value in zip(cells, values.tolist(), strict=True) if value == value}  # noqa: PLR0124  NaN
    pointed = [cell for cell in filled if "." in cell]
    large = any("." not in cell and _LARGE.fullmatch(cell) and cell.strip("+-") > "100" for cell in filled)
    return (
        large and len(pointed) > 1 and all((_THOUSANDS if "." in cell else _WHOLE).fullmatch(cell) for cell in filled)
    )


DECIMALS = 'if ($N ~ /[0-9]/) $N=sprintf("%.3f",$N)'
