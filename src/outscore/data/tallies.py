"""Tables for agreement whose numbers are no labels: counts of pairs of labels, means of ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from shlex import quote

import numpy as np

from outscore.data.columns import ColumnTable, numbers, texts

_COUNTS = frozenset(("count", "counts", "n", "freq", "frequency", "weight", "number", "items", "units"))


def check_counted(grid: ColumnTable, annotators: Sequence[str]) -> None:
    """Refuses rows that each stand for many items, as many as a column of counts says, with what writes them out.

    Raises:
        InputError: beside the annotators stands a column of counts, and no labels come together twice.
    """
    rest = [name for name in grid.columns if name not in annotators]
    counts = [name for name in rest if name.lower() in _COUNTS and all(map(str.isdecimal, texts(grid.columns[name])))]
    if not counts or len(annotators) < 2:
        return
    together = list(zip(*(texts(grid.columns[name]) for name in annotators), strict=True))
    if len(set(together)) < grid.n or set(texts(grid.columns[counts[0]])) == {"1"}:
        return
    place = {name: f"${k}" for k, name in enumerate(grid.columns, 1)}
    header, cells = ",".join(annotators), '","'.join(place[name] for name in annotators)
    program = f'NR == 1 {{ print "{header}"; next }} {{ for (i = 0; i < {place[counts[0]]}; i++) print {cells} }}'
    to = quote(f"items-{PurePath(grid.file).name}")
    separate = "-F'\\t'" if grid.file.endswith(".tsv") else "-F,"
    command = f": awk {separate} {quote(program)} {quote(grid.file)} > {to} && outscore agree {to} --annotators "
    command += quote(header)
    raise grid.error(
        f"{counts[0]!r} beside {header} looks like a number of items in each row, and every row would count once",
        remedy=f"write a row for each item{'' if grid.typed else command}; rename the column if it is none",
    )


def advise_matrix(grid: ColumnTable) -> str:
    """The command for a table of counts by two annotators, a row and a column for each label; empty for others."""
    first, *others = grid.columns
    labels = texts(grid.columns[first])
    square = len(others) > 1 and sorted(labels) == sorted(others)
    if square and all(cell.isdecimal() for name in others for cell in texts(grid.columns[name])):
        return f"of counts of pairs of labels outscore study printed --counts {quote(grid.file)} has the agreement"
    return ""


def find_fractions(grid: ColumnTable, names: Iterable[str]) -> dict[str, bool]:
    """The columns with fractions where two or more hold whole numbers alone, and whether they are the mean of these."""
    parsed = {name: numbers(grid.columns[name], typed=grid.typed) for name in names}
    held = {name: np.ma.masked_invalid(one.values) for name, one in parsed.items() if one.n_numbers and not one.bad}
    whole = [values for values in held.values() if not (values % 1).any()]
    odd = {name: values for name, values in held.items() if (values % 1).any() and len(whole) > 1}
    # a mean may be written with one decimal
    return {name: bool(abs(values - np.ma.array(whole).mean(axis=0)).max() < 0.06) for name, values in odd.items()}
