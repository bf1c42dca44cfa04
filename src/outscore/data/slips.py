"""Headers, rows and cells that are not what they stand among: rows as headers, sums below items, numbers as texts."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import join
from outscore.base.notes import Note
from outscore.data.columns import (
    ANSWERS,
    INDEX,
    NUMBERS,
    PERCENT,
    SHARE,
    ColumnTable,
    Roles,
    describe_reading,
    grades_among,
    is_na,
    number,
    number_remedy,
    numbers,
    parse_grades,
    roles_of,
    texts,
)

_SURELY = frozenset(("grand total", "macro avg", "micro avg", "weighted avg"))
_MEANS = "all average averages avg mean total totals overall summary aggregate macro micro correct accuracy σ ø"
_TOTALS = _SURELY | {*_MEANS.split(), "all tasks"}
_PERHAPS = frozenset(("", "nan", "sum", "median", "global"))
_SPREADS = frozenset(
    (
        *("std", "std dev", "stdev", "stddev", "sd", "standard deviation", "se", "sem", "stderr", "standard error"),
        *("var", "variance", "count", "n", "min", "minimum", "max", "maximum"),
    )
)
"""Statistics that stand beside a mean in rows that sum up the others, and may hide it from being the last."""
_ASKED = _TOTALS | _SPREADS | {"sum", "median"}
"""Names that no item has among numbered ones."""
_KNOWN = _ASKED | _PERHAPS
SUMS = "the item {!r} is taken for a row that sums up the others: each number is their mean, or sum"
_ANSWERS = "say -m COLUMN if it is a measure, -c system=@columns if each is a system, or give a gold column"
MOVE = "cut the row, or move it among the others if it is an item"
_CUT = "cut the row if it sums up the others"
_MOST_TOTALS = 12
_FEW_VALUES = 30
_FEW_ROWS, _CHANCE = 5, 0.001
_CLOSE = 0.006
"""How far, in proportions of a value, a rounded mean may be from the mean."""
_APPRAISE = "login,system,item,type,source_lang,target_lang,score,document,complete,spans,start_time,end_time"


def check_header(grid: ColumnTable, roles: Roles) -> None:
    """Refuses a first line that is a row: it would be lost, and its item with it.

    Raises:
        InputError: some name is a number, and none is one that is known.
    """
    if grid.typed or set(grid.columns) != set(roles.rest):
        return
    cell = next((name for name in grid.columns if math.isfinite(number(name) or math.nan) or name == "0"), None)
    if cell is not None and not {name.lower() for name in grid.columns} & NUMBERS:
        remedy = "give the columns names: item, score; or say what they are, as -c item=NAME, if these are names"
        if len(grid.columns) == 1 + _APPRAISE.count(",") and not {"TGT", "BAD"}.isdisjoint(grid.columns):
            shell = f"(echo {_APPRAISE}; grep ,TGT, {quote(grid.file)}) > ratings.csv"
            remedy = f"Appraise writes no header, and attention checks among the ratings: {shell}"
        raise grid.error(f"the first line holds {cell!r}, expected a header", remedy=remedy)


def move_index(grid: ColumnTable) -> ColumnTable:
    """The table with the index that pandas writes as a description, where another column names the items."""
    first = next(iter(grid.columns), "")
    if first.lower() not in INDEX or "row" in grid.columns:
        return grid
    if roles_of(list(grid.columns), grid.described).item in (None, first):
        return grid
    columns = {"row" if name == first else name: cells for name, cells in grid.columns.items()}
    return replace(grid, columns=columns, described=grid.described | {"row"})


def check_totals(
    grid: ColumnTable, ids: Sequence[str], columns: Mapping[str, Float], row: Callable[[int], int]
) -> tuple[Note, ...]:
    """Refuses last rows, or a first one, that sum up the others; elsewhere what is called total is an item.

    A row of such a name whose numbers do not sum up may be a weighted mean or an item. Among items that are words it is
    one, too; among numbered items it is a question.

    Args:
        grid: the table.
        ids: the items of one run.
        columns: their numbers, each ``(n,)``.
        row: the row of the table where an item stands.

    Returns:
        A note on each row that was taken for an item although it is called a total.

    Raises:
        InputError: with the line of the row.
    """
    if (total := find_sums(ids, [*columns.values()])) is not None:
        raise grid.error(SUMS.format(ids[total]), row(total), MOVE)
    outer = ids[:_MOST_TOTALS], ids[: -_MOST_TOTALS - 1 : -1]
    starts, below = (sum(1 for _ in itertools.takewhile(_KNOWN.__contains__, map(_simplify, rows))) for rows in outer)
    ends = len(ids) - below
    inside = [i for i in range(starts, ends) if ids[i].lower() in _ASKED]
    if ends - starts < 2 or not columns or (ends - starts == len(ids) and not inside):
        return ()
    others = [values[starts:ends] for values in columns.values()]
    numbered = 2 * sum(any(map(str.isdigit, item)) for item in ids[starts:ends]) > ends - starts
    text = "{!r} is taken for an item, whatever its name, as it stands among others"
    said = [Note(code="total_as_item", text=text.format(ids[i]), remedy=_CUT) for i in inside if numbered]
    for i in (*range(ends, len(ids)), *range(starts)):
        name, values = _simplify(ids[i]), [of_column[i] for of_column in columns.values()]
        sums_up = _sums_up(values, others, name)
        if sums_up or name in _SURELY or (numbered and name in _ASKED):
            raise grid.error(
                f"the item {ids[i]!r} is taken for a row that sums up the others",
                row(i),
                "cut the rows that do, or give the item another id if it is one",
            )
        if name in _TOTALS:
            text = f"{ids[i]!r} is taken for an item: its numbers are neither the sum nor the mean of the others"
            said.append(Note(code="total_as_item", text=text, remedy=_CUT))
    return tuple(said)


def find_sums(items: Sequence[str], columns: Sequence[Float]) -> int | None:
    """The first or last row if it surely sums up the others; none that is numbered like them, or has a known name."""
    n, stem = len(items), re.compile(r"\d+")
    for row, others in ((n - 1, slice(n - 1)), (0, slice(1, n))) if n > _FEW_ROWS and columns else ():
        if _simplify(items[row]) not in _KNOWN and _are_sums(columns, row, others):
            of_row = stem.sub("", items[row])
            return None if any(stem.sub("", item) == of_row for item in items[others]) else row
    return None


def _are_sums(columns: Sequence[Float], row: int, others: slice) -> bool:
    """Whether these numbers are the means, or sums, of the others, in so many digits that it is no chance."""
    pairs = [(x[others], x[row], 10.0 ** -len(f"{x[row]:.10g}".partition(".")[2])) for x in columns]
    if not any(all(abs(f(x) - value) < 0.51 * step for x, value, step in pairs) for f in (np.mean, np.sum)):
        return False
    if all(abs(value) > 2 * np.abs(x).max() for x, value, _ in pairs):  # sums, which no item would reach
        return True
    chance = 1.0
    for x, value, step in pairs:
        found, apart = np.unique(x), x if x is pairs[0][0] else x - pairs[0][0]  # as systems are alike
        if value not in found or len(found) > _FEW_VALUES:  # a grade among few is no sign
            chance *= step / max(step, np.ptp(apart)) * (1 if value in found else len(found) / len(x))
    return bool(chance < _CHANCE)


def _simplify(item: str) -> str:
    return " ".join(item.lower().partition(" (")[0].strip(" .:").split())


def _sums_up(values: Sequence[float], others: Sequence[Float], name: str) -> bool:
    """Whether the numbers of a row are those that its name says of the others; one number each."""
    if name in ("n", "count", "total", "totals") and {*values} == {float(len(others[0]))}:
        return True
    functions: tuple[Callable[[Float], Any], ...] = (np.nanmean, np.nansum)
    if name == "median":
        functions = (np.nanmedian,)
    elif name in _SPREADS:
        functions = (np.nanstd, lambda numbers: np.nanstd(numbers, ddof=1)) if name[0] == "s" else ()
    for found in functions:
        expected = [float(found(of_column)) for of_column in others if not np.isnan(of_column).all()]
        if len(expected) == len(values) and np.allclose(values, expected, rtol=_CLOSE, atol=1e-9):
            return True
    return False


def read_marked(grid: ColumnTable, measures: Collection[str]) -> ColumnTable:
    """The table with numbers for grades, yes and no in columns that are asked for as measures, and for percentages
    where no other column holds numbers that may be of a system, too; with notes.
    """
    roles = roles_of(list(grid.columns), grid.described)
    asked = {name: parse_grades(grid.columns[name], name, typed=grid.typed) for name in roles.rest if name in measures}
    found = {name: graded for name, graded in asked.items() if graded is not None}
    columns, notes = {name: cells for name, (cells, _) in found.items()}, [note for _, note in found.values()]
    shares = [name for name in roles.rest if name not in found and _is_share(grid.columns[name])]
    others = {*roles.rest} - {*shares, *found} if shares and not roles.system else ()
    if shares and not any(numbers(grid.columns[name], typed=grid.typed).n_numbers for name in others):
        plain = {name: [cell.replace("%", "").strip() for cell in texts(grid.columns[name])] for name in shares}
        columns |= {name: [*map(number, cells)] if grid.typed else cells for name, cells in plain.items()}
        first = next(filter(None, plain[shares[0]]))
        text = f"the percentages of {join(shares)} were taken as numbers: '{first}%' counts {first}"
        notes.append(Note(code="grades_as_scores", text=text, remedy=f"-c label={quote(shares[0])} if it is no score"))
    return replace(grid, columns={**grid.columns, **columns}, notes=(*grid.notes, *notes))


def _is_share(cells: Sequence[Any]) -> bool:
    """Whether each cell that is filled is a percentage, with a decimal point if with any."""
    first = next((cell for cell in cells if not is_na(cell) and cell != ""), "")
    if not isinstance(first, str) or "%" not in first:
        return False
    return all(PERCENT.fullmatch(cell.strip()) and "," not in cell for cell in texts(cells) if not _is_missing(cell))


def check_outputs(grid: ColumnTable, output: str, references: Sequence[str], called: str = "") -> None:
    """Refuses scores or grades that stand where outputs should, beside a gold of other texts.

    Args:
        grid: the table.
        output, references: its columns.
        called: the name of the column of outputs in the file, where the user said that it is one.

    Raises:
        InputError: with the first such number, or grade.
    """
    cells = [cell for cell in texts(grid.columns[output]) if not _is_missing(cell)]
    if references and (grades := grades_among(cells)):
        golds = {cell.strip() for name in references for cell in texts(grid.columns[name])}
        if golds.isdisjoint(grades):
            raise grid.error(
                f"column {(called or output)!r} holds the grades {join(grades)}, none of which is in "
                f"{references[0]!r}: they are no outputs",
                0,
                describe_reading(called or output, grades),
            )
    values = [number(cell) for cell in cells]
    found = [value for value in values if value is not None and math.isfinite(value)]
    if len(found) < len(values) or all(value.is_integer() for value in found):
        return
    gold = [cell for name in references for cell in texts(grid.columns[name]) if not _is_missing(cell)]
    if gold and 2 * sum(number(cell) is None for cell in gold) > len(gold):
        raise grid.error(
            f"column {output!r} holds numbers, as {cells[0]!r}, and {references[0]!r} texts: scores are no outputs",
            0,
            f"say -c score={quote(output)}, or -c label={quote(references[0])} if all are scores",
        )


def check_grades(grid: ColumnTable, names: Iterable[str]) -> None:
    """Refuses a table of references and grades: it holds scores of a system, and would be taken for a gold alone.

    Raises:
        InputError: the only grades among these columns, with what reads them as scores.
    """
    found = {name: grades for name in names if (grades := grades_among(texts(grid.columns[name])))}
    if len(found) == 1:
        ((name, grades),) = found.items()
        raise grid.error(
            f"column {name!r} holds the grades {join(grades)}, expected numbers or outputs beside the references",
            0,
            f"{describe_reading(name, grades)}; -c label={quote(name)} if it describes the items",
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
        if alone and (grades := grades_among(cells[i] for i in filled)):
            raise grid.error(
                f"column {name!r} holds {first!r}, expected a number",
                filled[0],
                f"{describe_reading(name, grades)}; give a gold column if these are answers; -c label={quote(name)} if "
                "it describes the items",
            )
        answers = alone and len(grades_among(cells, [ANSWERS])) > 1
        remedy = _ANSWERS if answers else _remedy(first, alone, grid)
        if remedy and (answers or 2 * sum(bool(_remedy(cells[i].strip(), alone, grid)) for i in filled) > len(filled)):
            raise grid.error(
                f"column {name!r} holds {first[:60]!r}, expected a number",
                filled[0],
                f"{remedy}; -c label={quote(name)} if it describes the items",
            )


def _is_missing(cell: str) -> bool:
    value = number(cell)
    return value is not None and np.isnan(value)


def _remedy(cell: str, alone: bool, grid: ColumnTable) -> str:
    """Remedy for a number, or a verdict, that is written otherwise; empty for what is none."""
    if SHARE.fullmatch(cell) and not alone:  # it may be a date, or a part
        return ""
    if number(cell) is not None:  # a text in a format that has numbers
        return "write numbers without quotes"
    return number_remedy(cell, grid)
