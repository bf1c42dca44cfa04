"""Human judgments: ratings of outputs, ranks, or preferences between two systems, one a row."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import cast

import numpy as np

from outscore.base.arrays import Array, Float, Int
from outscore.base.errors import InputError, UsageError, inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.choices import ROW, ColumnChoice, check_followed, parse_choices
from outscore.data.columns import (
    FIRST,
    ITEM,
    RATER,
    SECOND,
    SYSTEM,
    WINNER,
    WINNER_NAME,
    WINNER_POSITION,
    ColumnTable,
    parse_numbers,
    plain_header,
    texts,
)
from outscore.data.frames import digest_of, grid_from
from outscore.data.readers import Sniffed, jsonl, table
from outscore.data.source import open_source
from outscore.data.specs import natural
from outscore.data.winners import Meant, Winners, advise_pairs, check_once, note_both_orders, outcomes
from outscore.results.result import SourceFile

ROLES = ("system", "item", "rater", "score", "first", "second", "winner", WINNER_NAME, WINNER_POSITION)
_ALIASES = {
    "system": SYSTEM,
    "item": ITEM,
    "rater": RATER,
    "score": ("score", "rating", "rank", "adequacy", "fluency", "quality", "value"),
    "first": FIRST,
    "second": SECOND,
    "winner": WINNER,
    WINNER_NAME: (WINNER_NAME,),
    WINNER_POSITION: (WINNER_POSITION,),
}
_by_name = partial(sorted, key=natural)
_MEANT: dict[str, Meant] = {WINNER_NAME: "name", WINNER_POSITION: "position"}
_MARKS = {"winner_model_a": "1", "winner_model_b": "2", "winner_tie": "tie"}
_PLACES = re.compile(r"(.*[ _.-])?(ranks?|ranking)", re.IGNORECASE)
_HEAD = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """Numbers that raters gave to outputs, ``(n,)`` each; systems, items and raters by their number.

    Attributes:
        name: of the ratings.
        score: NaN where a cell is empty.
        about: columns of the table, ``(n,)`` texts, that may name clusters.
    """

    name: str
    systems: tuple[str, ...]
    items: tuple[str, ...]
    raters: tuple[str, ...]
    system: Int
    item: Int
    rater: Int
    score: Float
    about: Mapping[str, Sequence[str]]
    sources: tuple[SourceFile, ...]

    def check_direction(self, lower: bool) -> None:
        """Refuses ranks as numbers of which more is better: 1 is the best of them nearly everywhere.

        Raises:
            UsageError: with both ways to say what is meant.
        """
        if not lower and _PLACES.fullmatch(self.name):
            raise UsageError(
                f"is 1 the best or the worst in column {self.name!r}? Add --lower (in Python lower=True) if it is the "
                "best, or call the column otherwise if higher is better"
            )

    def preferences(self, lower: bool) -> Preferences:
        """Which of every two systems a rater gives more, or less, on the same item."""
        sign = -1.0 if lower else 1.0
        known = np.flatnonzero(np.isfinite(self.score))
        by_task: dict[tuple[int, int], dict[int, list[float]]] = {}
        for row in known.tolist():
            task = by_task.setdefault((int(self.item[row]), int(self.rater[row])), {})
            task.setdefault(int(self.system[row]), []).append(sign * float(self.score[row]))
        rows = [
            (item, a, b, np.sign(np.mean(found[a]) - np.mean(found[b])))
            for (item, _), found in by_task.items()
            for a, b in combinations(sorted(found), 2)
        ]
        item, first, second, outcome = np.array(rows, dtype=float).reshape(-1, 4).T
        return Preferences(
            systems=self.systems,
            items=self.items,
            item=item.astype(np.int64),
            first=first.astype(np.int64),
            second=second.astype(np.int64),
            outcome=outcome,
            about=collect_descriptions(self.about, self.item, len(self.items)),
            sources=self.sources,
        )


@dataclass(frozen=True, kw_only=True)
class Preferences:
    """Choices between two systems, ``(n,)`` each.

    Attributes:
        outcome: 1 where the first is preferred, -1 where the second is, 0 for a tie.
        about: descriptions of the items.
        notes: on the judgments.
    """

    systems: tuple[str, ...]
    items: tuple[str, ...]
    item: Int
    first: Int
    second: Int
    outcome: Float
    about: Mapping[str, tuple[str, ...]]
    sources: tuple[SourceFile, ...]
    notes: tuple[Note, ...] = ()


_KEYS = "item, system1, system2 and winner, or system, item and score"


def read_judgments(
    files: Sequence[str | os.PathLike[str]] | str | os.PathLike[str], *, columns: Sequence[str] = ()
) -> Ratings | Preferences:
    """Reads one table of ratings (system, item, score [, rater]) or preferences ([item,] system1, system2, winner).

    Without a column of items every row of preferences is one of its own.

    Args:
        files: the table; several are read as one.
        columns: ``ROLE=NAME`` for system, item, rater, score, first, second or winner, where names do not say it;
            ``winner_name`` for winners by name, ``winner_position`` for 1 and 2, where a cell could be either;
            ``item=@row`` takes every row as an item.

    Raises:
        UsageError: a column that the table does not have.
        InputError: a file is wrong; the message says where, what was found and how to mend it.
    """
    names = _name_files(files)
    if not names:
        raise UsageError("no table of judgments: give a FILE")
    grids, sources = [], []
    for name in names:
        source = open_source(name)
        head = Sniffed(file=name, lines=tuple(source.beginning(_HEAD).splitlines()))
        sniffed = jsonl.JsonLines().sniff(head)
        grid = jsonl.grid_without_options(source, _KEYS) if sniffed else table.grid_of(source, "table")
        grids.append(grid)
        sources.append(
            SourceFile(file=name, role="judgments", reader=grid.reader, sha256=source.sha256, n_items=grid.n)
        )
    return _judgments(_join(grids), columns, tuple(sources))


def _name_files(files: object) -> list[str]:
    """The names of one file or several.

    Raises:
        UsageError: something else, as a data frame: other functions take those.
    """
    single = isinstance(files, str | os.PathLike) or not isinstance(files, list | tuple)
    given = [files] if single else [*cast("Sequence[object]", files)]
    for one in given:
        if not isinstance(one, str | os.PathLike):
            raise UsageError(
                f"read_judgments() reads files, and was given a {type(one).__name__}: give names of files, or a data "
                "frame itself to humans() or rank()"
            )
    return [os.fspath(cast("str", one)) for one in given]


def judgments_from(data: object, *, columns: Sequence[str] = ()) -> Ratings | Preferences:
    """Judgments from a data frame, or what ``read_judgments`` gave.

    Raises:
        UsageError, InputError: as ``read_judgments``; or an object of another kind.
    """
    if isinstance(data, Ratings | Preferences):
        return data
    grid = grid_from(data)
    if grid is None:
        raise UsageError(f"data is a {type(data).__name__}; expected a data frame, or what read_judgments() gives")
    digest = digest_of(list(grid.columns.items()))
    source = SourceFile(file="data", role="judgments", reader="python", sha256=digest, n_items=grid.n)
    return _judgments(grid, columns, (source,))


def parse_preferences(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> tuple[list[str], list[str]]:
    """Of each row the pair of systems, whichever came first, and the one that was preferred, or ``tie``, or nothing.

    Raises:
        InputError: a system has no name, or the winners cannot be read.
    """
    first, second = (_column(grid, (), role) for role in ("first", "second"))
    winner = _winner(grid, choices)
    assert first and second, "asked whether it holds preferences first"
    if winner is None:
        raise grid.error("no column names the winners", remedy=f"give {join(_MARKS)}, or -c winner_name=NAME")
    outcome = outcomes(grid, first[1], second[1], winner)
    rows = list(zip(first[1], second[1], outcome.tolist(), strict=True))
    said = [{1.0: a, -1.0: b, 0.0: "tie"}.get(sign, "") for a, b, sign in rows]
    return ["/".join(sorted((a, b))) for a, b, _ in rows], said


def collect_descriptions(about: Mapping[str, Sequence[str]], item: Int, n_items: int) -> dict[str, tuple[str, ...]]:
    """The columns that say one thing of each item, item by item."""
    found = {}
    _, at = np.unique(item, return_index=True)
    for name, values in about.items():
        column: Array = np.asarray(values, dtype=object)
        if len(at) == n_items and (column[at][item] == column).all():
            found[name] = tuple(column[at].tolist())
    return found


def _join(grids: Sequence[ColumnTable]) -> ColumnTable:
    """The rows of all tables, under the columns that all have."""
    first = grids[0]
    if len(grids) == 1:
        return first
    shared = [name for name in first.columns if all(name in grid.columns for grid in grids)]
    columns = {name: [cell for grid in grids for cell in grid.columns[name]] for name in shared}
    typed = any(grid.typed for grid in grids)
    return ColumnTable(
        columns=columns,
        n=sum(grid.n for grid in grids),
        file=first.file,
        reader=first.reader,
        typed=typed,
        line=lambda row: first.line(row) if row < first.n else None,
    )


def _judgments(grid: ColumnTable, columns: Sequence[str], sources: tuple[SourceFile, ...]) -> Ratings | Preferences:
    choices = parse_choices(columns, ROLES)
    followed = [c for c in choices if all(name in grid.columns or name == ROW for name in c.names)]
    check_followed(choices, followed, grid.columns)
    named = {role: _column(grid, choices, role) for role in ROLES}
    items, rater, first, second = (named[role] for role in ("item", "rater", "first", "second"))
    winner, alone = _winner(grid, choices), items is None or items[0] == ROW
    if items is None and not (first and second and winner):
        found = f"no column names the items; found {join(grid.columns, 12)}"
        raise grid.error(found, remedy=advise_pairs(grid) or "add -c item=NAME")
    item, item_names = _encode(items[1] if items else _rows(grid))
    who, raters = _encode(rater[1] if rater else ["1"] * grid.n)
    about = {name: texts(cells) for name, cells in grid.columns.items()}
    if first and second and winner:
        sides, systems = _encode([*first[1], *second[1]], _by_name)
        left, right = sides[: grid.n], sides[grid.n :]
        if (left == right).any():
            row = int(np.flatnonzero(left == right)[0])
            raise grid.error(f"{first[1][row]!r} is judged against itself", row, "give two systems in each row")
        outcome = outcomes(grid, first[1], second[1], winner)
        kept = np.flatnonzero(np.isfinite(outcome))
        if not kept.size:
            raise grid.error(f"column {winner.name!r} names no winner", remedy="name another: -c winner=NAME")
        notes: tuple[Note, ...] = (
            () if kept.size == grid.n else (_note_no_winner(winner.name, grid.n - kept.size, grid.n),)
        )
        if items and rater:
            keys = [(*each,) for each in np.stack([item, who, left, right], axis=1)[kept].tolist()]
            check_once(grid, keys, kept.tolist(), dict((rater, first, second, items)))
            notes += note_both_orders(keys, outcome[kept])
        kept = kept[_order(alone, item[kept], who[kept], left[kept], right[kept], outcome[kept])]
        item, item_names = _encode([item_names[i] for i in item[kept].tolist()], tuple if alone else sorted)
        about = {name: [cells[row] for row in kept.tolist()] for name, cells in about.items()}
        return Preferences(
            systems=systems,
            items=item_names,
            item=item,
            first=left[kept],
            second=right[kept],
            outcome=outcome[kept],
            about=collect_descriptions(about, item, len(item_names)),
            sources=sources,
            notes=notes,
        )
    system, score = named["system"], named["score"]
    if system is None or score is None:
        raise grid.error(
            f"neither ratings nor preferences; found {join(grid.columns, 12)}",
            remedy=advise_pairs(grid)
            or "give columns system, item, score [, rater], or [item,] system1, system2, winner; -c ROLE=NAME "
            "names others, the systems of a pair by the roles first and second",
        )
    codes, systems = _encode(system[1], _by_name)
    numbers = parse_numbers(grid, score[0])
    if not np.isfinite(numbers).any():
        raise InputError(
            f"column {score[0]!r} holds no number", file=grid.file, remedy="name the ratings: -c score=NAME"
        )
    if rater and items:
        kept = np.flatnonzero(np.isfinite(numbers))
        keys = [(*each,) for each in np.stack([item, who, codes], axis=1)[kept].tolist()]
        check_once(grid, keys, kept.tolist(), dict((rater, system, items)))
    order = _order(alone, item, who, codes, numbers)
    item, item_names = _encode([item_names[i] for i in item[order].tolist()], tuple if alone else sorted)
    return Ratings(
        name=score[0],
        systems=systems,
        items=item_names,
        raters=raters if rater else (),
        system=codes[order],
        item=item,
        rater=who[order],
        score=numbers[order],
        about={name: [cells[row] for row in order.tolist()] for name, cells in about.items()},
        sources=sources,
    )


def _winner(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> Winners | None:
    """The column of winners, and what its cells are where its role or its name says so."""
    role = next((choice.role for choice in choices if choice.role in ("winner", *_MEANT)), "winner")
    found = _column(grid, choices, role)
    if found is None and (marked := _marked_winners(grid)):
        return Winners(join(_MARKS), marked, "position")
    return found and Winners(found[0], found[1], _MEANT.get(role) or _MEANT.get(found[0].lower(), ""))


def _marked_winners(grid: ColumnTable) -> list[str]:
    """The place of the winner in each row, of columns of 0 and 1 for each; empty where there are no such columns."""
    if not grid.columns.keys() >= _MARKS.keys():
        return []
    marks = np.stack([parse_numbers(grid, name) for name in _MARKS], axis=1)
    bad = np.flatnonzero((np.sort(marks, axis=1) != (0, 0, 1)).any(axis=1))
    if bad.size:
        raise grid.error(f"{join(_MARKS)} are not one 1 and else 0", int(bad[0]), "mark one of them by 1")
    return [[*_MARKS.values()][at] for at in marks.argmax(axis=1)]


def _note_no_winner(column: str, n_empty: int, n: int) -> Note:
    return Note(
        code="missing_winners",
        text=f"{n_empty} of {inflect(n, 'judgment')} {'has' if n_empty == 1 else 'have'} no winner in column "
        f"{column!r}, which is no tie: left out",
        remedy="write tie where neither won; otherwise check that they are missing by chance",
    )


def _column(grid: ColumnTable, choices: Sequence[ColumnChoice], role: str) -> tuple[str, list[str]] | None:
    """The name and the cells of the column in a role: the one that was chosen, or the first that is called by an alias.

    Raises:
        InputError: a cell is empty where there must be a name.
    """
    by_name = {plain_header(name): name for name in reversed(grid.columns)}
    chosen = next((choice.names for choice in choices if choice.role == role), None)
    names = chosen or next(((by_name[alias],) for alias in _ALIASES[role] if alias in by_name), None)
    if names is None:
        return None
    parts = (_rows(grid) if name == ROW else texts(grid.columns[name]) for name in names)
    cells = ["/".join(row) for row in zip(*parts, strict=True)]
    if role not in ("winner", "score", *_MEANT) and "" in cells:
        raise grid.error(f"column {names[0]!r} is empty here, expected a name", cells.index(""), "fill the cell")
    return "+".join(names), cells


def _order(alone: bool, item: Int, *columns: Array) -> Int:
    """The rows by item, or where each has an item of its own, and then by what they say."""
    return np.lexsort((*reversed(columns),) if alone else (*reversed(columns), item))


def _encode(
    names: Sequence[str], order: Callable[[Iterable[str]], Iterable[str]] = sorted
) -> tuple[Int, tuple[str, ...]]:
    """The number of each name, and the distinct names, in that order."""
    codes = {name: i for i, name in enumerate(order(dict.fromkeys(names)))}
    return np.array([codes[name] for name in names], dtype=np.int64), tuple(codes)


def _rows(grid: ColumnTable) -> list[str]:
    return [str(i + 1) for i in range(grid.n)]
