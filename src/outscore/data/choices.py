"""Roles of columns as the user gives them: ``--column ROLE=NAME``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from shlex import quote
from typing import Any

from outscore.base.errors import InputError, UsageError, join, suggestion
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.columns import (
    INDEX,
    ITEM,
    REFERENCE,
    REFERENCE_PREFIX,
    RUN,
    SAMPLE,
    ColumnTable,
    roles_of,
    split_numeric,
    texts,
)
from outscore.data.grades import parse_grades
from outscore.data.leftovers import not_spread
from outscore.data.measures import common_measure, fold, is_aside, lower_by_name
from outscore.data.repeats import REPEATS
from outscore.data.slips import check_texts, read_marked

ROW, COLUMNS = "@row", "@columns"
ROLES = (
    *("system", "item", "run", "sample", "metric", "score"),
    *("output", "reference", "cluster", "domain", "token", "label"),
)
_MORE = {"reference": "reference", "gold": "reference", "model": "system", "id": "item", "seed": "run"}

_NUMBERED = re.compile(r"\D{0,12}\d+(\.0)?")
"""The name of a sample: a number, perhaps with a word before it."""


@dataclass(frozen=True)
class ColumnChoice:
    """One column, or several joined by ``/``, in a role.

    Attributes:
        role: one of ``ROLES``.
        names: headers of the table; or ``@row``, the number of the row; or ``@columns``, the headers themselves.
    """

    role: str
    names: tuple[str, ...]


FILES = ColumnChoice("sample", ("@file",))
"""Each file of a system is a sample of its answers, and not a run."""


def parse_choices(texts: Iterable[str], roles: Sequence[str] = ROLES) -> tuple[ColumnChoice, ...]:
    """The choices of ``ROLE=NAME`` or ``ROLE=NAME+NAME``, of these roles; several in one text behind commas.

    Raises:
        UsageError: no role of that name, or no column.
    """
    found = []
    another = re.compile(rf",\s*(?=(?:{'|'.join((*roles, *_MORE))})\s*=)", re.IGNORECASE)
    for text in (one for several in texts for one in another.split(several)):
        role, equals, names = text.partition("=")
        role = _MORE.get(role.strip().lower(), role.strip().lower())
        if not equals or not names.strip():
            raise UsageError(f"--column {text}: write ROLE=NAME, for example --column item=question_id")
        if role not in roles:
            raise UsageError(
                f"--column {text}: no role {role!r}{suggestion(role, roles)} (there are: {', '.join(roles)})"
            )
        found.append(ColumnChoice(role, tuple(name.strip() for name in names.split("+"))))
    return tuple(found)


def check_direction(grid: ColumnTable, choices: Iterable[ColumnChoice], measures: Collection[str]) -> None:
    """Refuses a column of scores whose name says that less is better, which is lost where it is called score.

    Raises:
        InputError: nobody said which direction is meant; with the metric that says it.
    """
    for choice in choices:
        name = choice.names[0]
        told = {"lower", name, fold(name)} & {*measures}
        if choice.role == "score" and len(choice.names) == 1 and not told and lower_by_name(name):
            raise grid.error(
                f"which direction? By its name, less of {name!r} is better, and as a score more would be",
                remedy="say -m mean:lower=true, in Python metrics=, or mean:lower=false if more is better",
            )


def apply_choices(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> tuple[ColumnTable, frozenset[ColumnChoice]]:
    """The table with the chosen columns under the names of their roles, and the choices that it could follow.

    A table follows a choice when it has all its columns. A single column is renamed, joined columns stay as well, but
    for a run or seed that is part of the name of a sample.
    """
    used, columns, described = set[ColumnChoice](), dict(grid.columns), set(grid.described)
    references, notes = 0, list(grid.notes)
    for choice in choices:
        if choice.names == (COLUMNS,):
            continue
        if not all(name in grid.columns or name == ROW for name in choice.names):
            continue
        used.add(choice)
        if choice.role == "label":
            described.update(choice.names)
            continue
        role = choice.role
        if role == "reference":
            references += 1
            role = f"reference{references}"
        if role == "item" and len(choice.names) > 1:
            # what tells items apart, as folds and repetitions do, tells no runs or samples apart
            others = {other.role for other in choices}
            free = {*(RUN if "run" not in others else ()), *(SAMPLE if "sample" not in others else ())}
            described.update(name for name in choice.names if name.lower() in free)
        if role == "sample" and len(choice.names) > 1:
            # a seed that tells samples apart may not tell trainings apart as well
            for name in choice.names:
                if name.lower() in RUN and not (name == "run" and any(other.role == "run" for other in choices)):
                    columns.pop(name, None)
        cells, said = _join_cells(grid, choice)
        # of folds it is said already that they are not independent
        notes += said if all(note.code != "folds_overlap" for note in notes) else ()
        if len(choice.names) == 1 and choice.names[0] != role:
            columns.pop(choice.names[0], None)
        elsewhere = next((name for name in columns if name.lower() == role and name not in choice.names), None)
        if elsewhere is not None:
            columns[f"{elsewhere}_"] = columns.pop(elsewhere)
        columns[role] = cells
    described |= _other_golds(columns, references)
    grid = replace(grid, columns=columns, described=frozenset(described), notes=tuple(notes))
    headers = next((choice for choice in choices if choice.names == (COLUMNS,)), None)
    if headers is not None:
        used.add(headers)
        grid, more = apply_choices(_melt(grid, headers.role), [one for one in choices if one not in used])
        used |= more
    return grid, frozenset(used)


@contextmanager
def name_missing(grid: ColumnTable, choices: Sequence[ColumnChoice], followed: Set[ColumnChoice]) -> Iterator[None]:
    """Refuses, where a table cannot be read, first the columns of systems that the user named and it lacks.

    Gold and descriptions of the items may stand in another table, and so may ids by another name.
    """
    try:
        yield
    except InputError:
        own = roles_of(list(grid.columns), grid.described)
        there = {"item": own.item, "system": own.system, "output": own.output}
        wanted = ("system", "item", "run", "sample", "metric", "score", "output")
        left = [one for one in choices if one not in followed and one.role in wanted and not there.get(one.role)]
        if not left:
            raise
        name = next(of for of in left[0].names if of not in (*grid.columns, ROW))
        near = suggestion(name, list(grid.columns)).removeprefix("; ")
        raise grid.error(
            f"no column {name!r}, which --column {left[0].role}={'+'.join(left[0].names)} names; found "
            f"{join(grid.columns, 12)}",
            remedy=near or f"name one of these, or leave -c {left[0].role}= out",
        ) from None


def find_texts_called_samples(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> set[str]:
    """Columns whose name may mean samples but whose cells are texts: the generation itself, a description."""
    if any(choice.role == "sample" for choice in choices):
        return set()
    found = set()
    for name, cells in grid.columns.items():
        if name.lower() in SAMPLE[2:] and not all(_NUMBERED.fullmatch(cell) for cell in set(texts(cells))):
            found.add(name)
    return found


def _other_golds(columns: Iterable[str], references: int) -> set[str]:
    """Columns that would be gold by their names, where the user has named this number of others: they describe."""
    own = {f"reference{i + 1}" for i in range(references)}
    golds = {n for n in columns if REFERENCE.fullmatch(n.lower()) or n.lower().startswith(REFERENCE_PREFIX)}
    return golds - own if own else set()


def check_followed(choices: Sequence[ColumnChoice], followed: Iterable[ColumnChoice], headers: Iterable[str]) -> None:
    """Refuses choices that no table could follow.

    Raises:
        UsageError: a column that is in no table.
    """
    left = [choice for choice in choices if choice not in set(followed)]
    if left:
        known = list(dict.fromkeys(headers))
        name = next((n for n in left[0].names if n not in known), left[0].names[0])
        have = f"there are {join(known, 12)}" if known else "no table was given"
        if set(several := name.split(",")) <= set(known):
            have = f"several columns are joined by +, as {left[0].role}={'+'.join(several)}"
            have += "; columns of one system each need no choice" * (left[0].role == "system")
        raise UsageError(f"--column {left[0].role}={'+'.join(left[0].names)}: no column {name!r}; {have}")


def _join_cells(grid: ColumnTable, choice: ColumnChoice) -> tuple[list[Any], tuple[Note, ...]]:
    """The cells of a choice, several columns joined, and what is to be said of them."""
    parts = [_numbers_of(grid) if name == ROW else grid.columns[name] for name in choice.names]
    if len(parts) > 1:
        rows = [*zip(*map(texts, parts), strict=True)]
        return ["/".join(row) if any(map(str.strip, row)) else "" for row in rows], _note_samples(choice, rows)
    found = parse_grades(parts[0], choice.names[0], typed=grid.typed) if choice.role == "score" else None
    return (parts[0], ()) if found is None else (found[0], (found[1],))


def _note_samples(choice: ColumnChoice, rows: Sequence[Sequence[str]]) -> tuple[Note, ...]:
    """A note where a part of the items tells samples or runs apart by its name."""
    named = [i for i, name in enumerate(choice.names) if choice.role == "item" and {*fold(name).split("_")} & REPEATS]
    rest = {tuple(cell for i, cell in enumerate(row) if i not in named) for row in rows}
    if not named or len(named) == len(choice.names) or len(rest) == len({*rows}):
        return ()
    name = choice.names[named[0]]
    items = "+".join(column for i, column in enumerate(choice.names) if i not in named)
    text = f"each {name!r} of an item is taken for an item of its own, as if answers to one item were independent"
    remedy = f"if they are not, -c item={quote(items)} -c sample={quote(name)}, or -c run={quote(name)} for trainings"
    return (Note(code="samples_as_items", text=text, remedy=remedy),)


def _numbers_of(grid: ColumnTable) -> list[str]:
    return [str(i + 1) for i in range(grid.n)]


def _melt(grid: ColumnTable, role: str) -> ColumnTable:
    """A row for each cell of a table whose headers are the ``role``: the cell becomes the score.

    The nameless index that pandas writes in front names the systems where the headers are items, and else the items,
    unless another column does.
    """
    first = next(iter(grid.columns), "")
    if first.lower() in INDEX:
        roles = roles_of(list(grid.columns), grid.described)
        index, there = ("system", roles.system) if role == "item" else ("item", roles.item)
        name = index if there in (None, first) else "row"
        grid = replace(
            grid,
            columns={name if header == first else header: cells for header, cells in grid.columns.items()},
            described=grid.described | ({name} - {index}),
        )
    named = (*(known for known in ROLES if known != "score"), "model", *RUN, *SAMPLE, *(ITEM if role != "item" else ()))
    kept = [name for name in grid.columns if name.lower() in named or name in grid.described]
    grid = read_marked(grid, ())
    spread, others = split_numeric(grid, [name for name in grid.columns if name not in kept])
    if not spread:
        grid = read_marked(grid, others)
        spread, others = split_numeric(grid, [*others])
    check_texts(grid, others)
    roles = roles_of(list(grid.columns), grid.described)
    if not spread and role == "system" and roles.references:  # labels
        return replace(grid, columns={f"sys:{n}" if n in roles.rest else n: c for n, c in grid.columns.items()})
    if not spread:
        raise grid.error(f"no column of numbers among {join(grid.columns)}", remedy="leave out --column ...=@columns")
    beside = [name for name in spread if role == "item" and is_aside(name)]
    if beside:
        raise grid.error(
            f"{join(beside)} would be taken for items, but may sum up or describe the others",
            remedy=f"say so with -c label={quote(beside[0])}, or call the column otherwise if it is an item",
        )
    columns = {name: [cell for cell in grid.columns[name] for _ in spread] for name in kept}
    columns[role] = [*spread] * grid.n
    score = common_measure([*spread]) if role == "system" else "score"
    columns[score] = [cell for row in zip(*(grid.columns[name] for name in spread), strict=True) for cell in row]
    line, width = grid.line, len(spread)
    said = (*grid.notes, *not_spread(grid, list(others)))
    return replace(grid, columns=columns, n=grid.n * width, line=lambda row: line(row // width), notes=said)
