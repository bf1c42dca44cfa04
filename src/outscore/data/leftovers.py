"""Columns of a table that are no systems although they could be, each named with the reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import inflect, join
from outscore.base.notes import Note
from outscore.data.columns import RATER, ColumnTable, Roles, numbers, texts
from outscore.data.measures import weighs
from outscore.data.run import NoNumber, Run

_LIKE_NUMBER = re.compile(r"\W*\d[\d.,\s]*+\W*")
"""A number with something around or inside it: 54%, $5, 1,5, 1.027,3."""
_MOST = 20
_MANY, _FEW, _TIMES = 50, 10, 10  # systems, items, and their ratio, that look like one another's
_TEXTS = "texts"


def add_notes(grid: ColumnTable, runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs of a table with its notes, and with the cells for which columns of it are no numbers."""
    cells = {}
    for name in {name for run in runs for name in run.labels if name in grid.columns}:
        bad = numbers(grid.columns[name], typed=grid.typed).bad
        if bad:
            first = texts([grid.columns[name][bad[0]]])[0]
            cells[name] = NoNumber(first, grid.file, grid.line(bad[0]), len(bad), grid.n)
    return tuple(replace(run.with_notes(*grid.notes), texts=cells) for run in runs)


def not_spread(grid: ColumnTable, unread: Sequence[str]) -> tuple[Note, ...]:
    """A note on columns that are left out where headers are taken as items, as they hold no numbers."""
    if not unread:
        return ()
    return (Note(code="columns_left_out", text=f"not among the columns that were taken apart: {_list(grid, unread)}"),)


def note_descriptions(grid: ColumnTable, unread: Iterable[str], by_name: Iterable[str]) -> tuple[Note, ...]:
    """A note on columns of a wide table that describe the items and are no systems, if there are any.

    Args:
        unread: columns whose cells are no numbers, or not enough of them.
        by_name: columns whose name gives them another role; they are named where they hold numbers all the same.
    """
    unread = [name for name in unread if name not in grid.described]
    numeric = [name for name in by_name if name not in grid.described and _has_numbers(grid, name)]
    if not unread and not numeric:
        return ()
    said = [f"{name!r} ({_explain(grid, name)})" for name in unread[:_MOST]]
    if len(unread) > _MOST:
        said.append(f"{len(unread) - _MOST} more columns of texts")
    if numeric:
        said.append(f"{join(numeric, _MOST)} (by {'its name' if len(numeric) == 1 else 'their names'})")
    text = f"taken as descriptions of the items and not as systems: {', '.join(said)}"
    return (Note(code="columns_describe", text=text, remedy=_mend(grid, unread)),)


def note_unread(grid: ColumnTable, names: Iterable[str]) -> tuple[Note, ...]:
    """A note on columns of a long table that are empty, or look like numbers and are none, if there are any."""
    found = [name for name in names if name not in grid.described and _explain(grid, name) != _TEXTS]
    if not found:
        return ()
    text = f"taken as descriptions of the items: {_list(grid, found)}"
    return (Note(code="columns_describe", text=text, remedy=_mend(grid, found)),)


def note_weights(columns: Mapping[str, Float], asked: Collection[str], *, alone: bool) -> tuple[Note, ...]:
    """A note on weights beside scores or outputs, which weigh nothing unless a metric is told to take them.

    Args:
        columns: of numbers, ``(n,)`` each.
        asked: words of the metrics that the user asks for.
        alone: there are no outputs, so that a single column of numbers is the score.
    """
    found = [name for name in columns if weighs(name) and name not in asked and np.ptp(columns[name]) > 0]
    if len(found) != 1 or (alone and len(columns) == 1):
        return ()
    option = f"-m {'mean' if alone else 'accuracy'}:weight={quote(found[0])}"
    text = f"all items weigh the same, whatever {found[0]!r} says, unless a metric takes it, as by {option}"
    return (Note(code="columns_describe", text=text, remedy=""),)


def note_idle(grid: ColumnTable, samples: Sequence[str]) -> tuple[Note, ...]:
    """A note on columns called like samples where no item has several: they are in no result."""
    if not samples:
        return ()
    names = f"{join(samples)} {'tells' if len(samples) == 1 else 'tell'}"
    return (
        Note(
            code="columns_describe",
            text=f"{names} no rows of an item apart: every item has one sample of each system",
            remedy="rename it if it holds scores" if any(_has_numbers(grid, name) for name in samples) else "",
        ),
    )


def either_role(
    roles: Roles, runs: Sequence[tuple[str, str]], items: int, chosen: Mapping[str, str]
) -> tuple[Note, ...]:
    """Notes on a column that was taken for the run, the sample or the system, by its name, and may be another.

    Args:
        roles: of the columns.
        runs: system and run of each part of the table, once for every sample.
        items: how many the largest part has.
        chosen: the columns that the user gave a role, which are then called by it.
    """
    said = []
    systems = len({system for system, _ in runs})
    system, item = (chosen.get(role, name) for role, name in (("system", roles.system), ("item", roles.item)))
    if system and item and item[0] != "@" and systems > max(_MANY, _TIMES * items) and items < _FEW:
        said.append(
            Note(
                code="items_as_systems",
                text=f"{systems} systems have at most {inflect(items, 'item')} each: every value of {system!r} is "
                "taken for a system of its own",
                remedy=f"if they are the items, exchange the two: -c system={quote(item)} -c item={quote(system)}",
            )
        )
    if (roles.run or "").lower() == "seed" and len({run for _, run in runs}) > 1:
        said.append(
            Note(
                code="seed_as_run",
                text=f"{roles.run!r} was taken as the run, a new training of the system, which is the careful reading",
                remedy=f"if it tells samples of one model apart, say so: -c sample={quote(str(roles.run))}, or call "
                "the column sample",
            )
        )
    if (rater := chosen.get("run", "")).lower() in RATER and len({run for _, run in runs}) > 1:
        text = f"each {rater!r} is taken for a new training of the system, and annotators are no trainings"
        remedy = f"-c sample={quote(rater)} averages their scores of an item; outscore rank --wins counts wins"
        said.append(Note(code="seed_as_run", text=text, remedy=remedy))
    others = [name for name in roles.samples if name.lower() == "sample"]
    if roles.samples and not others and len(set(runs)) < len(runs):
        were = "was" if len(roles.samples) == 1 else "were"
        said.append(
            Note(
                code="column_as_sample",
                text=f"{join(roles.samples)} {were} taken to tell samples of one model's answer apart, which are "
                "averaged within the item",
                remedy=f"if it tells trainings of the system apart, say so: -c run={quote(roles.samples[0])}, or call "
                "the column run",
            )
        )
    return tuple(said)


def empty_outputs(grid: ColumnTable, columns: Sequence[str]) -> tuple[Note, ...]:
    """A note on cells of outputs that are empty in a table without types: an empty answer, or none at all."""
    counts = {} if grid.typed else {name: sum(not cell.strip() for cell in grid.columns[name]) for name in columns}
    found = [f"{n} of {grid.n} cells of {name!r}" for name, n in counts.items() if n]
    if not found:
        return ()
    more = f" and of {len(found) - _MOST} more columns" if len(found) > _MOST else ""
    return (
        Note(
            code="empty_outputs",
            text=f"empty, and taken as empty answers: {', '.join(found[:_MOST])}{more}",
            remedy="leave out the rows of answers that are missing; --missing says what then happens to the items",
        ),
    )


def note_unreadable(nested: Sequence[str], empty: Sequence[str]) -> tuple[Note, ...]:
    """A note on keys of JSON that hold nothing but lists and objects, or nothing at all."""
    said = []
    if nested:
        said.append(f"{join(nested, _MOST)} {'holds' if len(nested) == 1 else 'hold'} lists or objects")
    if empty:
        said.append(f"{join(empty, _MOST)} {'is' if len(empty) == 1 else 'are'} null everywhere")
    remedy = "flatten what is to be compared: one number or text for each key" if nested else ""
    return (Note(code="keys_not_read", text=f"not read: {'; '.join(said)}", remedy=remedy),)


def _list(grid: ColumnTable, names: Sequence[str]) -> str:
    said = ", ".join(f"{name!r} ({_explain(grid, name)})" for name in names[:_MOST])
    return said + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")


def _mend(grid: ColumnTable, names: Sequence[str]) -> str:
    broken = [name for name in names if _could_be_numbers(grid, name)]
    return f"write plain numbers, or say that it describes the items: -c label={quote(broken[0])}" if broken else ""


def _explain(grid: ColumnTable, name: str) -> str:
    cells = grid.columns[name]
    parsed = numbers(cells, typed=grid.typed)
    if not any(cell.strip() for cell in {*texts(cells)}):
        return "it is empty"
    if not _could_be_numbers(grid, name):
        return _TEXTS
    first = parsed.bad[0]
    line = grid.line(first)
    where = f", the first {str(cells[first])[:20]!r}" + (f" in line {line}" if line else "")
    if not parsed.n_numbers:
        return f"none of its {grid.n} cells is a number{where}"
    return f"{len(parsed.bad)} of its {grid.n} cells are no numbers{where}"


def _has_numbers(grid: ColumnTable, name: str) -> bool:
    parsed = numbers(grid.columns[name], typed=grid.typed)
    return parsed.n_numbers > 0 and parsed.n_numbers >= len(parsed.bad)


def _could_be_numbers(grid: ColumnTable, name: str) -> bool:
    """Whether some cell is a number, or one with a sign too many."""
    cells: list[Any] = grid.columns[name]
    parsed = numbers(cells, typed=grid.typed)
    bad = {*texts([cells[i] for i in parsed.bad])}
    return parsed.n_numbers > 0 or any(_LIKE_NUMBER.fullmatch(cell) for cell in bad)
