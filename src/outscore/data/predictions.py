"""Wide tables of outputs: a row for each item (or for each token), a gold column, and a column for each system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from shlex import quote

import numpy as np

from outscore.base.errors import join
from outscore.base.notation import TEXT
from outscore.base.notation.tags import TAGS
from outscore.base.notes import Note
from outscore.data.columns import REFERENCE_PREFIX, ColumnTable, Roles, numbers, texts
from outscore.data.leftovers import empty_outputs
from outscore.data.measures import parse_measure
from outscore.data.questions import PYTHON, check_systems
from outscore.data.readers import Context
from outscore.data.run import Run
from outscore.data.slips import check_outputs
from outscore.data.specs import match_names

SYSTEM_PREFIX = ("sys:", "system:")
TOKEN = ("token", "form", "word", "tok", "tok_id", "token_id", "word_id")
"""Columns of which one says that the rows are tokens; the first with words in it gives the tokens."""
_LABEL = re.compile(r"[^\s;|,]+")
"""A word of a cell, or one of its labels."""

_MOST = 20
"""Columns that a note names one by one."""


def find_prefixed(header: Sequence[str], prefixes: tuple[str, ...]) -> dict[str, str]:
    """Columns that say what they are, ``sys:NAME`` or ``ref:NAME``, with the name behind the colon."""
    return {name: name.partition(":")[2].strip() for name in header if name.lower().startswith(prefixes)}


def has_tokens(grid: ColumnTable, roles: Roles) -> bool:
    """Whether several rows share an item, and a column says that they are its tokens."""
    return roles.item is not None and any(map(_is_token, grid.columns)) and len(set(_ids(grid, roles))) < grid.n


def has_classes(grid: ColumnTable, roles: Roles, context: Context) -> bool:
    """Whether each gold label has a column of its own, of numbers that are no labels: what one system says of it.

    Or whether, where nothing else names a system, a column of numbers is the measure that is asked for. A prefix of
    these columns counts where the metric names it.
    """
    if len(roles.references) != 1 or context.select is not None:
        return False
    asked = [name for name in roles.rest if name in context.measures] if context.alone else []
    if any(numbers(grid.columns[name], typed=grid.typed).n_numbers for name in asked):
        return True
    labels = {label.strip() for label in texts(grid.columns[roles.references[0]])}
    own = [name for prefix in ("", *context.measures) for name in {f"{prefix}{label}" for label in labels}]
    own = [name for name in own if name in roles.rest]
    cells = {cell.strip() for name in own for cell in texts(grid.columns[name])}
    return 1 < len(labels) <= len(own) and not cells <= labels


def wide_outputs(grid: ColumnTable, roles: Roles, context: Context) -> tuple[Run, ...]:
    """The runs of a table with a column of outputs for each system.

    The systems' columns are those called ``sys:NAME``, those that the user picked (``FILE#PATTERN``), or those whose
    words are mostly words of the gold column; the others describe the items. Rows that share an item and have a token
    column are its tokens, and become one text of tags joined by blanks.

    Raises:
        InputError: no system's column, or tags that are empty or hold blanks.
    """
    free = [name for name in grid.columns if name not in grid.described]
    gold = [*roles.references, *find_prefixed(free, REFERENCE_PREFIX)]
    systems = find_prefixed(list(grid.columns), SYSTEM_PREFIX)
    tokens = has_tokens(grid, roles)
    said: list[Note] = []
    if not systems:
        rest = [name for name in roles.rest if name not in gold]
        if context.select is not None:
            systems = {name: name for name in match_names(rest, context.select)}
        else:
            known = {word for column in gold for cell in texts(grid.columns[column]) for word in _LABEL.findall(cell)}
            may_be = [name for name in rest if parse_measure(name) is None]
            systems = {name: name for name in may_be if _are_mostly(texts(grid.columns[name]), known)}
            bare = {*_bare(grid, gold)}
            odd = [name for name in may_be if name not in systems and _are_mostly(_bare(grid, [name]), bare)]
            _check_spelling(grid, gold, [*systems], odd, context)
            by_name = (*roles.labels, *roles.samples, *((roles.run,) if roles.run else ()))
            told = {*grid.described, *(choice.role for choice in context.choices)}
            described = [name for name in rest if name not in (*systems, *odd) and not (tokens and _is_token(name))]
            described += [c for c in by_name if c not in told and known.intersection(texts(grid.columns[c]))]
            said += [_note_descriptions(described)] if described else []
            said += [replace(_note_descriptions(odd), code="never_gold")] if odd else []
        said += _golds(grid, gold, systems, context)
    if not systems or "" in systems.values():
        raise grid.error(
            f"no column of a system among {join(grid.columns)}",
            remedy="name the columns sys:NAME and ref:NAME, pick them as FILE#NAME, or, in a file of one system, say "
            "which one is its output: -c output=COLUMN",
        )
    if not find_prefixed(list(grid.columns), SYSTEM_PREFIX) and context.select is None:
        check_systems(grid, systems)
    for name in systems:
        check_outputs(grid, name, gold)
    said += [] if tokens else empty_outputs(grid, list(systems))
    labels = [name for name in grid.columns if name not in (roles.item, roles.run, *gold, *systems)]
    text = _TokenRows(grid, roles.item) if tokens else _PredictionRows(grid)
    references = tuple(text.outputs(name) for name in gold)
    run = Run(
        system="",
        run=context.run or "1",
        ids=text.ids() if tokens else None if roles.item is None else tuple(_ids(grid, roles)),
        references=references,
        labels=text.labels(labels),
        notation=TAGS if tokens else TEXT,
        notes=tuple(said),
        source=context.source(grid.reader, text.n),
    )
    return tuple(replace(run, system=name, outputs=text.outputs(column)) for column, name in systems.items())


def _check_spelling(
    grid: ColumnTable, gold: Sequence[str], systems: Sequence[str], odd: Sequence[str], context: Context
) -> None:
    """Refuses labels that are spelled otherwise than those of the gold, where one system alone is left without them.

    Raises:
        InputError: with the metric that takes them for the same.
    """
    if len(systems) > 1 or len(systems) + len(odd) < 2 or not odd or context.system is not None:
        return
    said, right = texts(grid.columns[odd[0]])[0], _bare(grid, odd)[0]
    label = next((cell for name in gold for cell in texts(grid.columns[name]) if _bare_text(cell) == right), right)
    files = " ".join(quote(f"{context.file}#{name}") for name in grid.columns if name in (*systems, *odd))
    raise grid.error(
        f"column {odd[0]!r} holds {said!r} where the gold has {label!r}",
        0,
        "write both alike if it is a system"
        if grid.reader == PYTHON
        else f"if it is a system, write both alike, or say outscore compare {files} -m squad_em, to which case, points "
        f"and articles mean nothing; -c label={quote(odd[0])} if it describes the items",
    )


def _note_descriptions(names: Sequence[str]) -> Note:
    return Note(
        code="columns_describe",
        text=(
            f"taken as descriptions of the items and not as systems, by their names or because few of their values are "
            f"gold labels: {join(names, _MOST)}"
        ),
        remedy="pick the systems' columns as FILE#PATTERN if they are systems",
    )


def _golds(grid: ColumnTable, gold: Sequence[str], systems: Iterable[str], context: Context) -> list[Note]:
    """Notes where a column is gold by its name alone, and could be something else: a system, or one of scores."""
    said = []
    if len(gold) > 1 and all(choice.role != "reference" for choice in context.choices):
        said.append(
            Note(
                code="several_golds",
                text=f"{join(gold, _MOST)} were taken as several references of each item, by their names",
                remedy="name a column sys:NAME if it is a system's",
            )
        )
    if not any(numbers(grid.columns[name], typed=grid.typed).bad for name in (*gold, *systems)):
        said.append(
            Note(
                code="numbers_as_labels",
                text=f"the numbers of {join(systems, _MOST)} were taken as labels, right where they are those of "
                f"{join(gold)}, and not as scores",
                remedy="rename or leave out the column of gold to compare them as scores",
            )
        )
    return said


def _are_mostly(cells: Sequence[str], known: set[str]) -> bool:
    words = [word for cell in cells for word in _LABEL.findall(cell)]
    return 2 * sum(word in known for word in words) >= len(words) > 0


def _bare(grid: ColumnTable, names: Iterable[str]) -> list[str]:
    return [_bare_text(cell) for name in names for cell in texts(grid.columns[name])]


def _bare_text(cell: str) -> str:
    return re.sub(r"\W", "", cell).lower()


def _is_token(name: str) -> bool:
    return name.lower() in TOKEN


def _ids(grid: ColumnTable, roles: Roles) -> list[str]:
    ids = texts(grid.columns[roles.item or ""])
    if "" in ids:
        raise grid.error(f"column {roles.item!r} is empty here, expected a name", ids.index(""), "fill the cell")
    return ids


class _PredictionRows:
    """A row is an item."""

    def __init__(self, grid: ColumnTable) -> None:
        self.grid, self.n = grid, grid.n

    def ids(self) -> tuple[str, ...] | None:
        return None

    def outputs(self, column: str) -> tuple[str, ...]:
        return tuple(texts(self.grid.columns[column]))

    def labels(self, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(texts(self.grid.columns[name])) for name in columns}


class _TokenRows(_PredictionRows):
    """Rows are tokens; those with one id, wherever they stand, are an item, in the order of a column of positions."""

    def __init__(self, grid: ColumnTable, item: str | None) -> None:
        self.grid, self.rows = grid, dict[str, list[int]]()
        for row, name in enumerate(texts(grid.columns[item or ""])):
            self.rows.setdefault(name, []).append(row)
        for place in (numbers(cells, typed=grid.typed) for name, cells in grid.columns.items() if _is_token(name)):
            ordered = {name: sorted(rows, key=place.values.__getitem__) for name, rows in self.rows.items()}
            # not the numbers of words in a vocabulary, which have gaps
            if not place.bad and all((np.diff(place.values[rows]) == 1).all() for rows in ordered.values()):
                self.rows = ordered
        self.n = len(self.rows)

    def ids(self) -> tuple[str, ...]:
        return tuple(self.rows)

    def outputs(self, column: str) -> tuple[str, ...]:
        cells = texts(self.grid.columns[column])
        bad = next((i for i, cell in enumerate(cells) if len(cell.split()) != 1 or cell != cell.strip()), None)
        if bad is not None:
            raise self.grid.error(
                f"column {column!r} holds {cells[bad]!r}, expected one tag", bad, "give every token a tag"
            )
        return self._join(cells)

    def labels(self, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for name in columns:
            cells = ["\u00a0".join(cell.split()) or "_" for cell in texts(self.grid.columns[name])]
            if all(len({cells[row] for row in rows}) == 1 for rows in self.rows.values()):
                found[name] = tuple(texts(self.grid.columns[name])[rows[0]] for rows in self.rows.values())
            elif _is_token(name) and "tokens" not in found and numbers(cells, typed=False).bad:
                found["tokens"] = self._join(cells)
            else:
                found[name] = self._join(cells)
        found.setdefault("length", tuple(str(len(rows)) for rows in self.rows.values()))
        return found

    def _join(self, cells: Sequence[str]) -> tuple[str, ...]:
        return tuple([" ".join([cells[row] for row in rows]) for rows in self.rows.values()])
