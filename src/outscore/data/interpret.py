"""From a table to runs and gold data: long tables, wide tables, gold tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any, TypeVar

import numpy as np

from outscore.base import limits
from outscore.base.arrays import Array, Float
from outscore.base.errors import begin, join
from outscore.base.notes import Note
from outscore.data.choices import apply_choices, check_direction, find_texts_called_samples, name_missing
from outscore.data.columns import (
    ColumnTable,
    Roles,
    grades_of_systems,
    holds_preferences,
    roles_of,
    split_numeric,
    texts,
)
from outscore.data.curves import check_curve, check_ranks
from outscore.data.exports import apply_export, note_folds
from outscore.data.leftovers import (
    add_notes,
    either_role,
    empty_outputs,
    note_descriptions,
    note_idle,
    note_unread,
    note_weights,
)
from outscore.data.measures import common_measure, only_numbers, parse_measure
from outscore.data.predictions import SYSTEM_PREFIX, find_prefixed, has_classes, has_tokens, wide_outputs
from outscore.data.questions import (
    PYTHON,
    check_gold,
    check_links,
    check_output,
    check_pair,
    check_upright,
    find_called_gold,
    find_called_output,
    no_items,
    pair,
)
from outscore.data.readers import Content, Context
from outscore.data.repeats import JOIN, check_unique
from outscore.data.run import Gold, Run
from outscore.data.slips import (
    check_grades,
    check_header,
    check_outputs,
    check_texts,
    move_index,
    read_marked,
)
from outscore.data.specs import match_names
from outscore.data.sums import check_totals
from outscore.data.wide import are_systems
from outscore.data.winners import advise_pairs

_T = TypeVar("_T")
_WEAK = ("doc_id", "index", "task_id", "sentence", "segment")
"""Names that are as often a description as an id."""


def interpret(grid: ColumnTable, context: Context) -> Content:
    """The runs or gold data in a table.

    Long: a row for each (system, item). Wide: a row for each item and a column of numbers for each system.
    Gold: no system at all.

    Raises:
        InputError: columns that are missing or contradict each other, cells that are no numbers, duplicate
            ids.
    """
    limits.check("columns", len(grid.columns), "the table", grid.file)
    check_links(grid, context)
    check_curve(grid, context)
    grid, followed = apply_choices(note_folds(apply_export(grid, context.choices), context.choices), context.choices)
    check_direction(grid, followed, context.measures)
    scored = context.role == "system" and not context.has_references
    with name_missing(grid, context.choices, followed):
        content = _content(grid := read_marked(grid, context.measures) if scored else grid, context)
    chosen = any(choice.role == "item" for choice in followed)
    runs = tuple(replace(run, items_chosen=chosen) for run in add_notes(grid, content.runs))
    return replace(content, runs=runs, followed=followed, headers=tuple(grid.columns), notes=() if runs else grid.notes)


def _content(grid: ColumnTable, context: Context) -> Content:
    if "score" not in grid.columns:
        score = {name: "score" if name.lower() == "score" else name for name in grid.columns}
        if len(set(score.values())) == len(score):
            grid = replace(grid, columns={score[name]: cells for name, cells in grid.columns.items()})
    grid = move_index(grid)
    roles = roles_of(list(grid.columns), grid.described | find_texts_called_samples(grid, context.choices))
    check_header(grid, roles)
    check_gold(grid, roles, context)
    if roles.metric is not None and "score" not in grid.columns:
        raise grid.error(
            f"found {join(grid.columns)}; beside {roles.metric!r} a table needs a column 'score'",
            remedy="name the column of values 'score'",
        )
    if context.role != "system":
        return Content(golds=(_gold(grid, roles, context),))
    named = find_prefixed(list(grid.columns), SYSTEM_PREFIX)
    beside_gold = roles.references and not (roles.system or roles.output)
    classes = beside_gold and has_classes(grid, roles, context)
    if named or (beside_gold and not classes and (context.alone or context.select or has_tokens(grid, roles))):
        runs = wide_outputs(grid, roles, context)
        check_unique(grid, runs[0].ids, None, None)
        return Content(runs=runs)
    if roles.system or roles.output or context.system is not None:
        check_pair(grid, roles, context)
    if roles.system or roles.output or classes:
        limits.check("systems", len(set(grid.columns.get(roles.system or "", ()))), "the data", grid.file)
        return Content(runs=_long(grid, roles, context))
    if "score" not in grid.columns:
        if roles.references:
            check_grades(grid, roles.rest)
        if roles.references or not roles.rest:
            return Content(golds=(_gold(grid, roles, context),))
        _check_preferences(grid)
        grid, said = grades_of_systems(grid, roles.rest) if context.system is None else (grid, ())
        columns, labels = split_numeric(grid, roles.rest)
        if context.system is None and _are_systems(grid, roles, columns, context):
            return Content(runs=tuple(run.with_notes(*said) for run in _wide(grid, roles, context, columns, labels)))
    return Content(runs=_long(grid, roles, context))


def _check_preferences(grid: ColumnTable) -> None:
    """Refuses rows of two systems of which one was preferred.

    Raises:
        InputError: with the command that takes them.
    """
    if holds_preferences(grid.columns):
        raise grid.error(
            f"found {join(grid.columns)}: each row holds two systems and the one that was preferred",
            remedy="these are preferences: use outscore rank --preferences FILE, or --wins FILE",
        )
    if said := advise_pairs(grid, f"outscore rank --wins {quote(grid.file)} "):
        raise grid.error(f"found {join(grid.columns)}: each row holds a choice between two systems", remedy=said)


def _long(grid: ColumnTable, roles: Roles, context: Context) -> tuple[Run, ...]:
    columns, labels = split_numeric(grid, roles.rest)
    if roles.item is None and (roles.system or roles.run or roles.metric):
        raise no_items(grid, roles, columns, context)
    if not columns and roles.output is None:
        check_texts(grid, labels, alone=True)
        remedy = grid.inside or "add a column 'score' with numbers or 'output' with texts"
        raise grid.error(f"no column of scores or outputs; found {join(grid.columns)}", remedy=remedy)
    said: tuple[Note, ...] = ()
    if roles.output is not None:
        check_output(grid, roles, context)
        called = next((c.names[0] for c in context.choices if c.role == "output" and len(c.names) == 1), "")
        check_outputs(grid, roles.output, roles.references, called)
        said = empty_outputs(grid, [roles.output])
    only = next(iter(columns), "")
    alone = roles.system is None and roles.output is None and roles.metric is None and len(columns) == 1
    if alone and parse_measure(only) is None and only not in context.measures:  # each file may call it otherwise
        columns, said = {"score": columns[only]}, (only_numbers(only),)
    every = Run(  # all rows, before they are told apart
        system="",
        run="",
        source=context.source(grid.reader, grid.n),
        scored_by=only if alone else "score",
        ids=_ids(grid, roles.item),
        outputs=tuple(texts(grid.columns[roles.output])) if roles.output else None,
        references=tuple(tuple(texts(grid.columns[r])) for r in roles.references),
        columns=columns,
        labels={name: tuple(texts(grid.columns[name])) for name in roles.labels} | labels,
    )
    systems = _names(grid, roles.system)
    if systems is not None and context.system is not None and len(set(systems)) == 1:
        systems = None  # it is called as the user says; of several, none can be
    groups = _groups(grid, systems, _names(grid, roles.run), _samples(grid, roles), context)
    metric = None if roles.metric is None else texts(grid.columns[roles.metric])
    runs = []
    for (system, run, sample), rows in groups.items():
        part = _take(every, rows)
        if metric is not None:
            part = _pivot(grid, part, metric if rows is None else _pick(metric, rows), rows)
        else:
            check_unique(grid, part.ids, rows, (system, run))
        said += _check_totals(grid, part, rows)
        runs.append(_name(part, system, run, sample))
    said += note_unread(grid, labels)
    said += note_weights(columns, context.measures, alone=roles.output is None)
    if roles.samples and every.ids and len(set(zip(systems or every.ids, every.ids, strict=True))) == grid.n:
        said += note_idle(grid, roles.samples)
    return _add_notes(runs, roles, said, context)


def _are_systems(grid: ColumnTable, roles: Roles, columns: Mapping[str, Float], context: Context) -> bool:
    """Whether the columns of numbers are systems, and not measures of one.

    Raises:
        InputError: some headers speak of measures and others do not, or one of gold; or ids come twice; or the numbers
            are of something else than systems.
    """
    if context.select is None:
        check_ranks(grid, columns)
    if not (roles.run or roles.samples):
        check_unique(grid, _ids(grid, roles.item), None, ("", ""))
    return are_systems(grid, roles, columns, context)


def _wide(
    grid: ColumnTable,
    roles: Roles,
    context: Context,
    columns: Mapping[str, Float],
    labels: Mapping[str, tuple[str, ...]],
) -> tuple[Run, ...]:
    check_texts(grid, labels, alone=not columns and find_called_gold(labels) is None)
    if not columns:
        remedy = "give columns system, item, score, or item and one column of numbers per system"
        if (gold := find_called_gold(labels)) is not None:
            if (output := find_called_output(labels)) is not None:
                raise pair(grid, gold, output)
            remedy = f"say -c reference={quote(gold)} if it is the gold of the others"
        found = f"neither scores nor outputs among the columns {join(grid.columns)}"
        raise grid.error(found, remedy=grid.inside or remedy)
    if roles.item is None:
        raise no_items(grid, roles, columns, context, wide=True)
    check_upright(grid, roles.item, columns)
    if "" in columns:
        raise grid.error("a column has no name", remedy="name every column after its system")
    every = Run(
        system="",
        run="",
        source=context.source(grid.reader, grid.n),
        ids=_ids(grid, roles.item),
        columns=columns,
        labels={name: tuple(texts(grid.columns[name])) for name in roles.labels} | dict(labels),
    )
    runs: list[Run] = []
    said: tuple[Note, ...] = ()
    # those of other columns, which the user left out, say nothing of these
    chosen = list(columns) if context.select is None else match_names(columns, context.select)
    measure = common_measure(chosen or list(columns))
    groups = _groups(grid, None, _names(grid, roles.run), _samples(grid, roles), context)
    for (_, run, sample), rows in groups.items():
        part = _take(every, rows)
        check_unique(grid, part.ids, rows, ("", run))
        said += _check_totals(grid, part, rows)
        for system, values in part.columns.items():
            runs.append(_name(replace(part, columns={measure: values}), system, run, sample))
    # A system's runs stand together, whatever the order of the rows.
    order = {system: i for i, system in enumerate(columns)}
    picked = list(grid.columns) if context.select is None else match_names(grid.columns, context.select)
    # a column of runs or samples that tells no two rows of an item apart has no other trace in the result
    alone = () if every.ids is None or len(set(every.ids)) < grid.n else (*roles.samples, roles.run)
    named = {*roles.labels, *alone} - {choice.role for choice in context.choices}
    said += note_descriptions(grid, [n for n in picked if n in labels], [n for n in picked if n in named])
    return _add_notes(sorted(runs, key=lambda r: order[r.system]), roles, said, context)


def _gold(grid: ColumnTable, roles: Roles, context: Context) -> Gold:
    if context.role == "reference" and not roles.references:
        raise grid.error(
            f"no column of references; found {join(grid.columns)}",
            remedy="name it 'reference', 'gold' or 'label'"
            + ("" if grid.reader == PYTHON else ", or say which one it is: -c reference=NAME"),
        )
    item = roles.item
    if item is not None and item.lower() in _WEAK and len(set(texts(grid.columns[item]))) < grid.n:
        item = None
    ids = _ids(grid, item)
    check_unique(grid, ids, None, None)
    # A document id names the item and describes it: it stays a label too.
    own = {*roles.references} | ({item} if item and item.lower() not in _WEAK else set())
    labels = {c: tuple(texts(v)) for c, v in grid.columns.items() if c not in own}
    source = context.source(grid.reader, grid.n, "gold" if context.role == "system" else None)
    references = tuple(tuple(texts(grid.columns[r])) for r in roles.references)
    return Gold(ids=ids, references=references, labels=labels, source=source)


def _take(run: Run, rows: Array | None) -> Run:
    """Some of the rows; None for all."""
    return run if rows is None else run.on_rows(rows.tolist())


def _name(part: Run, system: str, run: str, sample: str) -> Run:
    """The rows of one run under its name."""
    return replace(part, system=system, run=run, sample=sample, source=replace(part.source, n_items=part.n))


def _groups(
    grid: ColumnTable, systems: list[str] | None, runs: list[str] | None, samples: list[str] | None, context: Context
) -> dict[tuple[str, str, str], Array | None]:
    """Rows of each (system, run, sample), in the order in which they first occur; None for all rows."""
    system, run = context.system or context.stem, context.run or "1"
    if systems is None and runs is None and samples is None:
        return {(system, run, ""): None}
    if runs is not None and context.run is not None:
        runs = [f"{context.run}.{name}" for name in runs]
    if runs is None and samples is None:
        code, names = _encode(systems or [])
        keys = [(name, run, "") for name in names]
    else:
        named = (systems or [system] * grid.n, runs or [run] * grid.n, samples or [""] * grid.n)
        code, keys = _encode(list(zip(*named, strict=True)))
    parts = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    return dict(zip(keys, parts, strict=True))


def _encode(names: Sequence[_T]) -> tuple[Array, list[_T]]:
    """The number of each name in the order in which they first occur, and the distinct names."""
    codes = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.fromiter(map(codes.__getitem__, names), dtype=np.int64, count=len(names)), list(codes)


def _pivot(grid: ColumnTable, part: Run, metrics: Sequence[str], rows: Array | None) -> Run:
    """One row per item from one row per (item, metric): the score becomes a column named after its metric."""
    assert part.ids is not None
    item, where = _encode(part.ids)
    metric, which = _encode(metrics)
    cell = item * len(which) + metric
    _, first_row = np.unique(cell, return_index=True)
    if len(first_row) < len(cell):
        again = int(np.setdiff1d(np.arange(len(cell)), first_row)[0])
        raise grid.error(
            f"item {part.ids[again]!r} has a second row for metric {metrics[again]!r}",
            _row(rows, again),
            JOIN,
        )
    first = np.unique(item, return_index=True)[1]
    for values in (part.outputs, *part.references, *part.labels.values()):
        head = None if values is None else [values[i] for i in first]
        for row, (i, value) in enumerate(zip(item.tolist(), values or (), strict=False)):
            if head is not None and head[i] != value:
                raise grid.error(
                    f"item {part.ids[row]!r} has {begin(value)!r} here and {begin(head[i])!r} before",
                    _row(rows, row),
                    "give an item the same text in the rows of all its metrics",
                )
    columns: dict[str, Float] = {}
    for name, numbers in part.columns.items():
        full = np.full((len(which), len(where)), np.nan)
        full[metric, item] = numbers
        for i, m in enumerate(which):
            columns[m if name == "score" else f"{m}.{name}"] = full[i]
    return replace(_take(part, first), columns=columns)


def _ids(grid: ColumnTable, column: str | None) -> tuple[str, ...] | None:
    names = _names(grid, column)
    return None if names is None else tuple(names)


def _names(grid: ColumnTable, column: str | None) -> list[str] | None:
    """A column of names, none of which may be empty."""
    if column is None:
        return None
    names = texts(grid.columns[column])
    empty = next((i for i, name in enumerate(names) if not name.strip()), None)
    if empty is not None:
        remedy = "fill the cell, or cut the row if it sums up the others"
        raise grid.error(f"column {column!r} is empty here, expected a name", empty, remedy)
    return names


def _samples(grid: ColumnTable, roles: Roles) -> list[str] | None:
    """The names that tell the samples of an item apart: their column, or several together."""
    columns = [names for column in roles.samples if (names := _names(grid, column)) is not None]
    return ["/".join(row) for row in zip(*columns, strict=True)] if columns else None


def _add_notes(runs: Sequence[Run], roles: Roles, notes: tuple[Note, ...], context: Context) -> tuple[Run, ...]:
    """The runs with these notes, and with those on columns that may have another role."""
    parts, items = [(run.system, run.run) for run in runs], max((run.n for run in runs), default=0)
    chosen = {choice.role: "+".join(choice.names) for choice in context.choices}
    said = (*notes, *either_role(roles, parts, items, chosen))
    return tuple(run.with_notes(*said) for run in runs)


def _check_totals(grid: ColumnTable, part: Run, rows: Array | None) -> tuple[Note, ...]:
    ids = part.ids
    if ids is None or ids[-1:] == (str(grid.n),):  # where rows are numbered, another column may name them
        ids = next((cells for cells in part.labels.values() if len(set(cells)) == part.n), ids)
    return check_totals(grid, ids, part.columns, lambda i: _row(rows, i)) if ids else ()


def _row(rows: Array | None, i: int) -> int:
    return i if rows is None else int(rows[i])


def _pick(values: Sequence[Any], rows: Array) -> tuple[Any, ...]:
    return tuple([values[i] for i in rows.tolist()])
