"""Headers, rows and cells that are not what they stand among: rows as headers, sums below items, numbers as texts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.errors import join
from outscore.base.notes import Note
from outscore.data.columns import (
    INDEX,
    NUMBERS,
    PERCENT,
    SHARE,
    ColumnTable,
    Roles,
    is_cut,
    is_na,
    number,
    number_remedy,
    numbers,
    roles_of,
    spelling_remedy,
    texts,
)
from outscore.data.grades import ANSWERS, describe_reading, grades_among, parse_grades
from outscore.data.measures import fold

_ANSWERS = "say -m COLUMN if it is a measure, -c system=@columns if each is a system, or give a gold column"
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


def check_texts(grid: ColumnTable, names: Collection[str], *, alone: bool = False) -> None:
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
        if fold(name).rpartition("_")[2] == "id" and (value := number(first)) is not None and is_cut(first, value):
            raise grid.error(
                f"column {name!r} holds {first!r}, more digits than a number has",
                filled[0],
                f"say -c item={quote(name)} if it names the items; -c label={quote(name)} if it describes them",
            )
        answers = alone and len(grades_among(cells, [ANSWERS])) > 1
        remedy = _ANSWERS if answers else _remedy(first, alone, grid)
        if remedy and (answers or 2 * sum(bool(_remedy(cells[i].strip(), alone, grid)) for i in filled) > len(filled)):
            raise grid.error(
                f"column {name!r} holds {first[:60]!r}, expected a number",
                filled[0],
                f"{remedy}; -c label={quote(name)} if it describes the items",
            )
    if alone and (remedy := spelling_remedy(grid, names)):
        name = next(name for name in names if spelling_remedy(grid, [name]))
        row = next(i for i, cell in enumerate(texts(grid.columns[name])) if not _is_missing(cell))
        found = texts(grid.columns[name])[row].strip()
        where = f"column {name!r} holds {found[:60]!r}, expected a number"
        raise grid.error(where, row, f"{remedy}; -c label={quote(name)} if it describes the items")


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
