"""Headers, rows and cells that are not what they stand among: rows as headers, sums below items, numbers as texts."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import join
from outscore.base.notes import Note
from outscore.data.columns import (
    FIRST,
    INDEX,
    NUMBERS,
    PERCENT,
    RATER,
    RUN,
    SAMPLE,
    SECOND,
    SHARE,
    ColumnTable,
    Roles,
    is_cut,
    is_na,
    number,
    number_remedy,
    numbers,
    plain_header,
    roles_of,
    spelling_remedy,
    texts,
)
from outscore.data.grades import ANSWERS, describe_reading, grades_among, parse_grades
from outscore.data.measures import fold

_ANSWERS = "say -m COLUMN if it is a measure, -c system=@columns if each is a system, or give a gold column"
_MOST_TOTALS = 12
_FEW_VALUES = 30
_FEW_ROWS, _FIRST_ROWS = 5, 100
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


def _find_made(columns: Mapping[str, Float]) -> str | None:
    """A column that is the mean, or the difference of two, of the others in every row, as far as roundings tell."""
    widest, lows = max(map(np.ptp, columns.values())), sorted(float(values.min()) for values in columns.values())
    for name, values in columns.items():
        others = [x for other, x in columns.items() if other != name]
        pairs = itertools.permutations(others, 2) if values.min() == lows[0] < lows[1] else ()
        ways = [(np.full(len(others), 1 / len(others)), others), *((np.array([1, -1]), [*pair]) for pair in pairs)]
        for weights, of in ways:
            # the first rows tell nearly every column; none is farther from another than twice the widest
            if np.abs(values[:_FIRST_ROWS] - weights @ [x[:_FIRST_ROWS] for x in of]).max() < 2 * _CLOSE * widest:
                apart = _CLOSE * min(float(np.ptp(values - x)) for x in others)  # 0 where it is a copy
                if np.abs(values - weights @ of).max() < apart:
                    return name
    return None


_OF_RUN = re.compile(r"(.*?[^ _.:-])[ _.:-]*(?:seed|run)[ _.:-]*\d+", re.IGNORECASE)
_OF_RATER = re.compile(rf"(?i)({'|'.join(RATER)}|evaluator|expert|human|reviewer)s?[ _.:-]*(\d+|[a-z])")


def check_wide(grid: ColumnTable, columns: Mapping[str, Float]) -> None:
    """Refuses columns of numbers that are no systems: raters or runs by their names, made of others, sides of pairs.

    Raises:
        InputError: with what says either.
    """
    name = _find_made(columns) if 2 < len(columns) <= _MOST_TOTALS and grid.n > _FEW_ROWS else None
    if name is not None:
        remedy = f"say -c label={quote(name)}; or -c system=@columns if it is one"
        raise grid.error(f"{name!r} is the mean, or difference, of others in every row, no system", 0, remedy)
    free = grid.columns.keys() - columns.keys() - {*grid.described}
    sides = [name for name in grid.columns if name in free and plain_header(name) in (*FIRST, *SECOND)]
    if len(sides) == 2 and not {*texts(grid.columns[sides[0]])}.isdisjoint(texts(grid.columns[sides[1]])):
        remedy = f"write a row for each: item, system, score; say -c label={quote(sides[0])} if they are no systems"
        raise grid.error(f"{join(sides)} name the two systems of each row, which change places", 0, remedy)
    raters = [name for name in columns if _OF_RATER.fullmatch(name)]
    if len(raters) > 1:
        agree = f"outscore agree {quote(grid.file)} --annotators {quote(','.join(raters))}"
        remedy = f"see how far they agree by {agree}; say -c system=@columns if each is a system, NAME=FILE if none is"
        raise grid.error(f"{join(raters, 4)} may be raters by their names, or systems", remedy=remedy)
    stems = Counter(found[1] for name in columns if (found := _OF_RUN.fullmatch(name)))
    several = [stem for stem, runs in stems.items() if runs > 1]
    if grid.typed or not several:
        return
    runs = (quote(f"{stem}={grid.file}#{stem}*") for stem in several)
    raise grid.error(
        f"{join([*columns], 4)} may be runs of {join(several)}, or systems themselves",
        remedy=f"give {' '.join(runs)} if they are runs; {quote(f'{grid.file}#*')} if each is a system",
    )


_DRAWN = ("draw", "replica", "completion", "response", "epochs")
REPEATS = frozenset((*SAMPLE, *RUN, *_DRAWN, "attempt", "try", "rep", "iteration", "rollout"))
"""Words for several answers of a system to one item, or trainings."""


JOIN = "make ids unique, for example by joining the columns that identify an item: -c item=NAME+NAME"


def join_items(grid: ColumnTable) -> str:
    """Remedy for rows that describe no single item each: ids of several columns, or a table joined to the outputs."""
    if system := roles_of(list(grid.columns), grid.described).system:
        merge = f'outputs.merge(these, "left", [{system!r}, ITEM])'
        return f"rows of each {system!r} describe no items: join them to the table of outputs, as by pandas' {merge}"
    return JOIN


def tell_apart(grid: ColumnTable, ids: Sequence[str], rows: Sequence[int]) -> str:
    """Remedy that says which columns, one or two of few values, tell rows of an item apart; a question if none do."""
    known = set(ids)
    values = {name: texts([cells[i] for i in rows]) for name, cells in grid.columns.items() if name not in NUMBERS}
    few = [name for name, cells in values.items() if 1 < len(set(cells)) <= _FEW_VALUES and set(cells) != known]
    words = {name: {*fold(name).split("_")} for name in few}
    few.sort(key=lambda name: REPEATS.isdisjoint(words[name]))
    for several in (*((name,) for name in few), *itertools.combinations(few, 2)):
        if len(ids) == len(set(zip(ids, *(values[name] for name in several), strict=True))):
            name, of = quote(several[0]), words[several[0]]
            if len(several) == 1 and several[0].lower() in RATER:
                return f"say -c sample={name}, as annotators are no trainings, or count wins: outscore rank --wins"
            if len(several) == 1 and of & REPEATS and "name" not in of:
                ways = [f"-c sample={name} for several answers of a system", f"-c run={name} for several trainings"]
                return f"say {', '.join(sorted(ways, reverse=of.isdisjoint(RUN)))}; or {JOIN}"
            said = f"say what {join(several)} {'tell' if len(several) > 1 else 'tells'} apart: -c system=COLUMN, "
            return f"{said}-c metric=COLUMN, -c run=COLUMN or -c sample=COLUMN; or {JOIN}"
    return f"of several answers to one item name the column that tells them apart: -c sample=NAME; or {JOIN}"


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
