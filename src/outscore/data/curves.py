"""Tables with a row for each step, resample or setting, which hold no items; and rows that rank the systems."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from shlex import quote
from typing import Any

from outscore.base.arrays import Float
from outscore.base.errors import InputError, join
from outscore.data.columns import RATER, ColumnTable, number, roles_of, texts
from outscore.data.measures import fold
from outscore.data.questions import PYTHON
from outscore.data.readers import Context
from outscore.data.wide import find_ranks

_STEPS = re.compile(r"(.*_)?(steps?|epochs?|iter(ation)?s?|checkpoints?|ckpt|(tokens|samples|examples)_seen)")
_DRAWS = re.compile(r"(.*_)?(bootstraps?|boot|resamples?|permutations?|replica)(_?(id|idx|no|index|sample))?")
_SETTINGS = re.compile(r"k|n_?shots?|num_shots|shots|percentiles?|quantiles?|thresholds?|temperature|top_?[kp]|cutoff")
_ITERATIONS = re.compile(r"(.*_)?iter(ation)?s?")
_DATES = frozenset(("date", "day", "week", "month", "year"))
_EXTREMES = ("__MIN", "__MAX")
"""Ends of the columns that Weights & Biases writes beside each curve."""
_FEW_ROWS, _MOST_SETTINGS = 3, 101


def is_extreme(name: str) -> bool:
    """Whether a header names the smallest or the largest value of a curve, as Weights & Biases writes them."""
    return name.endswith(_EXTREMES)


def find_curve(columns: Mapping[str, Sequence[Any]], groups: Iterable[str] = ()) -> str | None:
    """The column of the steps, resamples or settings of which each row, of each group, is another; None without one.

    Args:
        columns: cells by header.
        groups: headers of the systems, runs and measures whose rows are told apart first.
    """
    if (stem := next((name for name in columns if name.endswith(_EXTREMES[0])), None)) is not None:
        bare = stem.removesuffix(_EXTREMES[0])
        if bare in columns and f"{bare}{_EXTREMES[1]}" in columns:
            return next(iter(columns))
    of = [*zip(*(texts(columns[name]) for name in groups), strict=True)]
    for name, cells in columns.items():
        kind = next((kind for kind in (_STEPS, _DRAWS, _SETTINGS) if kind.fullmatch(fold(name))), None)
        said = texts(cells)
        values = [number(cell) for cell in said] if kind else []
        dates = fold(name) in _DATES and all(any(map(str.isdigit, cell)) for cell in said)
        if not dates and (not values or any(value is None or math.isnan(value) for value in values)):
            continue
        by_group: dict[tuple[str, ...], list[Any]] = {}
        for at, value in enumerate(said if dates else values):
            by_group.setdefault(of[at] if of else (), []).append(value)
        if kind is _SETTINGS and max(map(len, by_group.values())) > _MOST_SETTINGS:
            continue  # rather the number of an item
        if all(_runs_on(one, often=kind is _STEPS, ordered=not dates) for one in by_group.values()):
            return name
    return None


def _runs_on(values: Sequence[Any], *, often: bool, ordered: bool) -> bool:
    """Whether values grow from row to row; steps may come twice, as a log writes training and test apart."""
    n, distinct = len(values), len({*values})
    if n < _FEW_ROWS or (ordered and list(values) != sorted(values)):
        return False
    return 2 * distinct > n if often else distinct == n


def check_curve(grid: ColumnTable, context: Context) -> None:
    """Refuses a table with a row for each step of a training, resample or setting: its rows are no items.

    Raises:
        InputError: with what to give instead.
    """
    if context.role != "system":
        return
    roles, chosen = roles_of(list(grid.columns)), {choice.role: choice.names for choice in context.choices}
    if (roles.item or "item" in chosen) and not any(map(is_extreme, grid.columns)):
        return
    own = {"system": roles.system, "run": roles.run, "metric": roles.metric}
    groups = [name for role, one in own.items() for name in chosen.get(role, (one,)) if name in grid.columns]
    name = find_curve(grid.columns, groups)
    if name and (any(map(is_extreme, grid.columns)) or not _has_names(grid, groups, name)):
        raise _curve_error(name, grid.file, grid)


def _has_names(grid: ColumnTable, groups: Sequence[str], step: str) -> bool:
    """Whether texts of another column may name the items, as each is there once, or once for each system."""
    of = [texts(grid.columns[name]) for name in groups]
    for name in grid.columns.keys() - {*groups, step}:
        cells = texts(grid.columns[name])
        if len({*zip(*of, cells, strict=True)}) == grid.n and all(number(cell) is None for cell in cells):
            return True
    return False


def check_rows(rows: Sequence[Mapping[str, Any]], file: str) -> None:
    """Refuses rows of JSON, without ids, of which each is another step of a training, resample or setting.

    Raises:
        InputError: with what to give instead.
    """
    plain = [name for name, cell in rows[0].items() if not isinstance(cell, dict | list)]
    if name := find_curve({name: [row.get(name) for row in rows] for name in plain}):
        raise _curve_error(name, file)


def _curve_error(name: str, file: str, grid: ColumnTable | None = None) -> InputError:
    """The error of rows of which each is another step, resample or setting by the column of this name."""
    message = f"each row is another {name!r}, as in curves: these are values of the same items again, and no items"
    remedy = "give the table that has a score for each item"
    if fold(name) in _DATES:
        message = f"each row is another {name!r}: what follows in time is alike, and says less than as many items would"
        remedy += f"; if each is an item of its own, say -c item={quote(name)}"
    elif _STEPS.fullmatch(fold(name)):
        remedy += ", or the last scores of several trainings of each system: system, item (the training), score, "
        remedy += "compared by --test welch"
        if _ITERATIONS.fullmatch(fold(name)):
            remedy += f"; if each is a repetition of its own, as of timings, say -c item={quote(name)}"
    return grid.error(message, remedy=remedy) if grid else InputError(message, file=file, line=1, remedy=remedy)


def check_ranks(grid: ColumnTable, columns: Mapping[str, Float]) -> None:
    """Refuses columns of systems of which each row holds the ranks, from 1, that a rater gave.

    Raises:
        InputError: with what to say if 1 is the best, and if it is not.
    """
    n, rater = len(columns), next((name for name in grid.columns if name.lower() in RATER), None)
    if rater is None or find_ranks(columns) != 1:
        return
    file, long = quote(grid.file), quote(f"long-{PurePath(grid.file).stem}.csv")
    rows = f"outscore convert {file} -c system=@columns -c run={quote(rater)} -o {long}"
    remedy = f"if 1 is the best, count wins: {rows} && outscore rank --wins {long} -c rater=run --lower; if it is the "
    remedy += f"worst, say -c system=@columns -c sample={quote(rater)}"
    if grid.reader == PYTHON:
        remedy = f"take {n + 1} minus the rank if 1 is the best, and give rows of system, item and score"
    raise grid.error(
        f"each row of {join(columns, 3)} holds the ranks 1 to {n}: less is better, as a rule", remedy=remedy
    )
