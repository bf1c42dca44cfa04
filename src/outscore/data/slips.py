"""Headers, rows and cells that are not what they stand among: rows as headers, sums below items, numbers as texts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from outscore.base.arrays import Float
from outscore.data.columns import NUMBERS, ColumnTable, Roles, comma_remedy, number, roles_of, texts

_TOTALS = frozenset(
    (
        *("average", "averages", "avg", "mean", "total", "totals", "overall", "summary", "grand total"),
        *("macro avg", "micro avg", "weighted avg"),
    )
)
_PERHAPS = frozenset(("all", "sum", "median", "aggregate", "macro", "micro", "global"))
_PERCENT = re.compile(r"[+-]?\d+([.,]\d+)?\s*%")
_WITH_SPREAD = re.compile(r"[+-]?\d+([.,]\d+)?\s*(±|\+/?-|\()\s*\d+([.,]\d+)?\s*%?\)?")
_ANSWERS = frozenset(("yes", "no", "pass", "fail", "passed", "failed", "right", "wrong"))
_CLOSE = 0.006
"""How far, in shares of a value, a rounded mean may be from the mean."""


def check_header(grid: ColumnTable, roles: Roles) -> None:
    """Refuses a first line that is a row: it would be lost, and its item with it.

    Raises:
        InputError: some name is a number, and none is one that is known.
    """
    if grid.typed or set(grid.columns) != set(roles.rest):
        return
    cell = next((name for name in grid.columns if math.isfinite(number(name) or math.nan) or name == "0"), None)
    if cell is not None and not {name.lower() for name in grid.columns} & NUMBERS:
        raise grid.error(
            f"the first line holds {cell!r}, expected a header",
            remedy="give the columns names: item, score; or say what they are, as -c item=NAME, if these are names",
        )


def without_index(grid: ColumnTable) -> ColumnTable:
    """The table with the index that pandas writes as a description, where another column names the items."""
    first = next(iter(grid.columns), "")
    if first.lower() not in ("", "unnamed: 0") or "row" in grid.columns:
        return grid
    if roles_of(list(grid.columns), grid.described).item in (None, first):
        return grid
    columns = {"row" if name == first else name: cells for name, cells in grid.columns.items()}
    return replace(grid, columns=columns, described=grid.described | {"row"})


def check_totals(
    grid: ColumnTable, ids: Sequence[str], columns: Mapping[str, Float], row: Callable[[int], int]
) -> None:
    """Refuses a first or last row that sums up the others.

    Args:
        grid: the table.
        ids: the items of one run.
        columns: their numbers, each ``(n,)``.
        row: the row of the table where an item stands.

    Raises:
        InputError: with the line of the row.
    """
    if len(ids) < 3 or not columns:
        return
    for i in (len(ids) - 1, 0):
        name = " ".join(ids[i].lower().strip(" .:").split())
        others = [np.delete(values, i) for values in columns.values()]
        last = [values[i] for values in columns.values()]
        if name in _TOTALS or (name in _PERHAPS and _sums_up(last, others)):
            raise grid.error(
                f"the item {ids[i]!r} is taken for a row that sums up the others",
                row(i),
                "cut the row, or give the item another id if it is one",
            )


def _sums_up(values: Sequence[float], others: Sequence[Float]) -> bool:
    for found in (np.nanmean, np.nansum, np.nanmedian):
        expected = [float(found(of_column)) for of_column in others if not np.isnan(of_column).all()]
        if len(expected) == len(values) and np.allclose(values, expected, rtol=_CLOSE, atol=1e-9):
            return True
    return False


def check_outputs(grid: ColumnTable, output: str, references: Sequence[str]) -> None:
    """Refuses scores that stand where outputs should, beside a gold of texts.

    Raises:
        InputError: with the first such number.
    """
    cells = [cell for cell in texts(grid.columns[output]) if not _is_missing(cell)]
    values = [number(cell) for cell in cells]
    if not cells or None in values or all(value.is_integer() for value in values if value is not None):
        return
    gold = [cell for name in references for cell in texts(grid.columns[name]) if not _is_missing(cell)]
    if gold and 2 * sum(number(cell) is None for cell in gold) > len(gold):
        raise grid.error(
            f"column {output!r} holds numbers, as {cells[0]!r}, and {references[0]!r} texts: scores are no outputs",
            0,
            f"say -c score={output}, or -c label={references[0]} if all are scores",
        )


def check_texts(grid: ColumnTable, names: Iterable[str], *, alone: bool = False) -> None:
    """Refuses columns of texts that are numbers written otherwise, and would be lost as descriptions.

    Args:
        grid: the table.
        names: of columns of texts.
        alone: there are no numbers at all, so that yes and no must be what was meant.

    Raises:
        InputError: with the first such cell.
    """
    for name in names:
        cells = texts(grid.columns[name])
        filled = [i for i, cell in enumerate(cells) if not _is_missing(cell)]
        if not filled:
            continue
        first = cells[filled[0]].strip()
        remedy = _remedy(first, alone)
        if remedy and 2 * sum(bool(_remedy(cells[i].strip(), alone)) for i in filled) > len(filled):
            raise grid.error(
                f"column {name!r} holds {first[:60]!r}, expected a number",
                filled[0],
                f"{remedy}; -c label={name} if it describes the items",
            )


def _is_missing(cell: str) -> bool:
    value = number(cell)
    return value is not None and np.isnan(value)


def _remedy(cell: str, alone: bool) -> str:
    """What to do with a number that is written otherwise; empty for what is none."""
    if _PERCENT.fullmatch(cell):
        return f"write {cell.rstrip('% ').replace(',', '.')} without the sign, in all columns alike"
    if _WITH_SPREAD.fullmatch(cell):
        return "write the number alone, without what stands behind it"
    if alone and cell.lower() in _ANSWERS:
        return "write 1 and 0, or give a gold column if these are answers"
    if number(cell) is not None:  # a text in a format that has numbers
        return "write numbers without quotes"
    return comma_remedy(cell)
