"""Ids that come twice, and what tells their rows apart: samples, an export that ran twice, rows without a score."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from shlex import quote

from outscore.base.arrays import Array
from outscore.base.errors import begin, join
from outscore.data.columns import NUMBERS, RATER, RUN, SAMPLE, ColumnTable, number, roles_of, texts
from outscore.data.measures import fold, is_aside

_DRAWN = ("draw", "replica", "completion", "response", "epochs")
_TRIED = frozenset(("attempt", "try", "retry", "retries"))
REPEATS = frozenset((*SAMPLE, *RUN, *_DRAWN, *_TRIED, "rep", "iteration", "rollout"))
"""Words for several answers of a system to one item, or trainings."""
_EXPORTED = re.compile(
    "(.*_)?(time(stamp)?|tstamp|ts|date(time)?|created|updated|exported|started|ended|finished|completed|submitted|uuid)|"
    ".*ed_(at|on)|(export|trace|request)(_.*)?"
)
"""Headers of when a row was written, and of its id: no part of what an item is where it comes a few times."""
_FEW_TIMES = 3
_FEW_VALUES = 30

JOIN = "make ids unique, for example by joining the columns that identify an item: -c item=NAME+NAME"


def check_unique(grid: ColumnTable, ids: Sequence[str] | None, rows: Array | None, key: tuple[str, str] | None) -> None:
    """Refuses an id that comes twice.

    Args:
        grid: the table.
        ids: of the items; None where there are none.
        rows: where each stands in the table; None for all rows.
        key: the system and run whose items these are; None where they describe items.

    Raises:
        InputError: with what tells the rows of an id apart.
    """
    if ids is None or len(set(ids)) == len(ids):
        return
    seen: dict[str, int] = {}
    all_rows = range(grid.n) if rows is None else rows.tolist()
    for i, item in enumerate(ids):
        if item in seen:
            before = grid.line(all_rows[seen[item]])
            where = f" (first in line {before})" if before else ""
            whose = f" of system {key[0]!r}, run {key[1]!r}" if key and key[0] else ""
            remedy = _tell_apart(grid, ids, all_rows) if key else _join_items(grid)
            raise grid.error(f"duplicate id {begin(item)!r}{whose}{where}", all_rows[i], remedy)
        seen[item] = i


def _join_items(grid: ColumnTable) -> str:
    """Remedy for rows that describe no single item each: ids of several columns, or a table joined to the outputs."""
    if system := roles_of(list(grid.columns), grid.described).system:
        merge = f'outputs.merge(these, "left", [{system!r}, ITEM])'
        return f"rows of each {system!r} describe no items: join them to the table of outputs, as by pandas' {merge}"
    return JOIN


def _tell_apart(grid: ColumnTable, ids: Sequence[str], rows: Sequence[int]) -> str:
    """Remedy that says which columns, one or two of few values, tell rows of an item apart; a question if none do."""
    known = set(ids)
    cells = {name: texts([column[i] for i in rows]) for name, column in grid.columns.items()}
    if said := _find_unscored(grid, ids, cells) or _find_exports(ids, cells):
        return said
    times = max(Counter(ids).values())
    parts = (name for name in cells if name not in NUMBERS and not (times <= _FEW_TIMES and _is_exported(name)))
    values = {name: cells[name] for name in parts}
    few = [name for name, column in values.items() if 1 < len(set(column)) <= _FEW_VALUES and set(column) != known]
    words = {name: {*fold(name).split("_")} for name in few}
    few.sort(key=lambda name: REPEATS.isdisjoint(words[name]))
    for several in (*((name,) for name in few), *itertools.combinations(few, 2)):
        if len(ids) == len(set(zip(ids, *(values[name] for name in several), strict=True))):
            name, of = quote(several[0]), words[several[0]]
            if len(several) == 1 and several[0].lower() in RATER:
                return f"say -c sample={name}, as annotators are no trainings, or count wins: outscore rank --wins"
            if len(several) == 1 and of & REPEATS and "name" not in of:
                ways = [f"-c sample={name} for several answers of a system", f"-c run={name} for several trainings"]
                last = "; keep the last of each alone if it was tried anew after a failure" if of & _TRIED else ""
                return f"say {', '.join(sorted(ways, reverse=of.isdisjoint(RUN)))}{last}; or {JOIN}"
            said = f"say what {join(several)} {'tell' if len(several) > 1 else 'tells'} apart: -c system=COLUMN, "
            return f"{said}-c metric=COLUMN, -c run=COLUMN or -c sample=COLUMN; or {JOIN}"
    return f"of several answers to one item name the column that tells them apart: -c sample=NAME; or {JOIN}"


def _is_exported(name: str) -> bool:
    return _EXPORTED.fullmatch(fold(name)) is not None


def _find_unscored(grid: ColumnTable, ids: Sequence[str], cells: dict[str, list[str]]) -> str:
    """Remedy where one row alone of each id holds a score, as of events of which the last has it; empty elsewhere."""
    for name in roles_of(list(grid.columns), grid.described).rest:
        filled = [at for at, cell in enumerate(cells[name]) if cell.strip()]
        scored = all(number(cells[name][at]) is not None for at in filled) and not is_aside(name)
        if scored and len(filled) < len(ids) and {ids[at] for at in filled} == {*ids} and len(filled) == len({*ids}):
            said = f"one row of each id holds {name!r}: cut the others"
            if grid.typed and grid.line(0) is not None and grid.file != "<stdin>":
                program = f'select(.["{name}"] != null)'
                to = quote(f"scored-{PurePath(grid.file).name}")
                said += f", as by jq -c {quote(program)} {quote(grid.file)} > {to}"
            return said
    return ""


def _find_exports(ids: Sequence[str], cells: dict[str, list[str]]) -> str:
    """Remedy where only when it was written, or a number of the export, tells rows of an id apart; empty elsewhere."""
    often = Counter(ids)
    n = min(often.values())
    if n < 2 or n != max(often.values()):
        return ""
    apart = [name for name in cells if _is_exported(name) and len({*zip(ids, cells[name], strict=True)}) == len(ids)]
    if not apart:
        return ""
    rest = [column for name, column in cells.items() if not _is_exported(name)]
    name, times = quote(apart[0]), "twice" if n == 2 else f"{n} times"
    if len({*zip(ids, *rest, strict=True)}) == len(often):
        said = f"all rows come {times} with the same values, as of an export that ran {times}: keep one of each"
        return f"{said}, or say -c sample={name}, which counts them once"
    few = [column for column in rest if len({*column}) <= _FEW_VALUES]
    if n > _FEW_TIMES or len({*zip(ids, *few, strict=True)}) == len(ids):
        return ""  # another column tells them apart, too
    said = f"each item comes {times} with other values, and {apart[0]!r} tells when: say -c sample={name} if these are"
    return f"{said} several answers of a system, -c run={name} if trainings; keep the last alone if it mends the others"
