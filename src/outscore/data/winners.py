"""Who was preferred, as the cells of a column say it: by name or by place in the row; and who said it twice."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath
from shlex import quote
from typing import Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, join, suggestion
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.columns import FIRST, SECOND, ColumnTable, number, plain_header, texts

Meant = Literal["", "name", "position"]
"""Meaning of the cells: the names of systems or their places; nothing where the cells themselves must say it."""

_PLACES = (
    *(("1", "2"), ("a", "b"), ("first", "second"), ("left", "right"), ("model_a", "model_b")),
    *(("model_1", "model_2"), ("system1", "system2"), ("system_1", "system_2"), ("system_a", "system_b")),
)
"""Words for the first and the second of a row; a file keeps to one of these pairs."""
_SIGNS = {word: sign for places in _PLACES for word, sign in zip(places, (1.0, -1.0), strict=True)}
_TIES = frozenset(("tie", "tie (bothbad)", "both", "none", "neither", "0", "same"))
_FROM_ZERO = {"0": 1.0, "1": -1.0}
_MOST = 1 << 14
"""Distinct cells, with the systems of their rows, that are kept: a table of many rows has few."""
_FLOAT = re.compile(r"(-?\d+)\.0+")


@dataclass(frozen=True)
class _Winner:
    """One winner: 1 for the first, -1 for the second, 0 for a tie, None where a reading makes nothing of it.

    ``row`` is the first with this cell and these systems, ``rows`` how many there are.
    """

    row: int
    rows: int
    word: str
    name: float | None
    place: float | None

    @property
    def differs(self) -> bool:
        return self.name is not None and self.place is not None and self.name != self.place


@dataclass(frozen=True)
class Winners:
    """The column of winners.

    Attributes:
        name: its header.
        cells: its texts.
        meant: what the user, or the header, says of them.
    """

    name: str
    cells: Sequence[str]
    meant: Meant


def outcomes(grid: ColumnTable, first: Sequence[str], second: Sequence[str], winner: Winners) -> Float:
    """1 where the first is preferred, -1 where the second is, 0 for a tie, NaN where nothing is said.

    All cells are read alike: as names or as places. A tie is a tie in either.

    Raises:
        InputError: a cell names neither; some are names and others places; both may be meant, and differ; or 0 may mean
            several things.
    """
    # a million rows hold some thousand cells with the systems of their rows
    alike = Counter(zip(winner.cells, first, second, strict=True))
    rows: dict[tuple[str, str, str], int] = {}
    for row, said in enumerate(zip(winner.cells, first, second, strict=True)):
        rows.setdefault(said, row)
    words = {said: "" if _missing(*said) else _drop_zero(said[0]) for said in alike}
    binary = "0" in words.values() and not set(words.values()) - {"", "1"} - _TIES
    places = {**dict.fromkeys(_TIES, 0.0), **_SIGNS, **(_FROM_ZERO if binary else {})}
    known = {
        said: _Winner(rows[said], alike[said], word, _match_name(said[0].strip(), *said[1:]), _place(word, places))
        for said, word in words.items()
        if word
    }
    cells = list(known.values())
    for cell in cells:
        if cell.name is None and cell.place is None:
            given, expected = winner.cells[cell.row].strip(), (first[cell.row], second[cell.row], "tie")
            raise grid.error(
                f"column {winner.name!r} holds {given[:60]!r}{suggestion(given, expected)}",
                cell.row,
                f"give {join(expected)}, or 1, 2, 0",
            )
    zero = next((cell for cell in cells if binary and cell.word in _FROM_ZERO and not cell.name), None)
    if binary and winner.meant == "position":
        zero = cells[0]
    if zero is not None and winner.meant != "name":
        raise _unclear_zero_error(grid, winner, zero.row)
    by_name = winner.meant == "name" or (winner.meant == "" and _names(grid, winner, cells))
    found = dict.fromkeys(alike, math.nan)
    for said, cell in known.items():
        outcome = cell.name if by_name else cell.place
        if outcome is None:
            raise _misread_error(grid, winner, cell, (first[cell.row], second[cell.row]))
        found[said] = outcome
    return np.array([found[said] for said in zip(winner.cells, first, second, strict=True)])


def _place(word: str, places: Mapping[str, float]) -> float | None:
    """The sign of a word for a place, which may be written as a header is: Model A for model_a."""
    return places.get(word.lower(), places.get(plain_header(word)))


def _names(grid: ColumnTable, winner: Winners, cells: Sequence[_Winner]) -> bool:
    """Whether the cells are names, and not places, where only they themselves say it.

    Raises:
        InputError: they may be either, or some are one and some the other.
    """
    by_name, by_place = (all(value is not None for value in values) for values in
                         ([cell.name for cell in cells], [cell.place for cell in cells]))  # fmt: skip
    collision = next((cell for cell in cells if cell.differs), None)
    if by_place and not by_name and collision is not None and not _have_one_vocabulary(cells):
        by_place = False  # 'model_a' beside 'b', where b is a system
    if not by_name and not by_place:
        name = next(cell for cell in cells if cell.place is None or cell.differs)
        place = next(cell for cell in cells if cell.name is None)
        line = grid.line(name.row)
        raise grid.error(
            f"column {winner.name!r} holds {place.word!r}, a place in the row, and {name.word!r}, the name of a system"
            + ("" if line is None else f" (line {line})"),
            place.row,
            "write names everywhere, or places everywhere",
        )
    if by_name and by_place and collision is not None:
        raise _both_error(grid, winner, collision, sum(cell.rows for cell in cells if cell.differs))
    return by_name


def _both_error(grid: ColumnTable, winner: Winners, cell: _Winner, n_differ: int) -> InputError:
    sides = {1.0: "the first", -1.0: "the second", 0.0: "a tie"}
    rows = f"{n_differ} of {grid.n} rows have another winner by names than by places"
    return grid.error(
        f"column {winner.name!r} holds {cell.word!r}, the name of {sides[cell.name or 0.0]} system of the row, and a "
        f"word for {sides[cell.place or 0.0]}: {rows}",
        cell.row,
        f"if they are names, add -c winner_name={winner.name}, if places, -c winner_position={winner.name}; or call "
        "the column so",
    )


def _unclear_zero_error(grid: ColumnTable, winner: Winners, row: int) -> InputError:
    return grid.error(
        f"column {winner.name!r} holds 0 but never 2: 0 may be a tie, the second system, or the first one "
        "counted from 0",
        row,
        "write the name of the system that won, or 1 for the first, 2 for the second and tie",
    )


def _misread_error(grid: ColumnTable, winner: Winners, cell: _Winner, systems: tuple[str, str]) -> InputError:
    if cell.place is None:
        return grid.error(f"column {winner.name!r} holds {cell.word!r}, no place", cell.row, "give 1, 2 or tie")
    return grid.error(
        f"column {winner.name!r} holds {cell.word!r}, which names no system of the row",
        cell.row,
        f"give {join((*systems, 'tie'))}",
    )


def _have_one_vocabulary(cells: Sequence[_Winner]) -> bool:
    words = {cell.word.lower() for cell in cells if cell.place}
    return any(words <= set(places) for places in (*_PLACES, _FROM_ZERO))


@lru_cache(_MOST)
def _match_name(said: str, first: str, second: str) -> float | None:
    """Which system a cell names, in other capitals or as another spelling of a number too where that is a place."""
    for name, sign in ((first, 1.0), (second, -1.0)):
        if said == name:
            return sign
    word = _drop_zero(said).lower()
    if word in _SIGNS or word in _TIES:
        alike = [sign for name, sign in ((first, 1.0), (second, -1.0)) if _drop_zero(name).lower() == word]
        if len(alike) == 1:
            return alike[0]
    return 0.0 if word in _TIES else None


@lru_cache(_MOST)
def _missing(cell: str, first: str, second: str) -> bool:
    said = cell.strip()
    if said in (first, second) or said.lower() in _TIES:
        return False
    value = number(said)
    return value is not None and bool(np.isnan(value))


@lru_cache(_MOST)
def _drop_zero(cell: str) -> str:
    """1 for 1.0: a gap in a column makes floats of whole numbers."""
    cell = cell.strip()
    found = _FLOAT.fullmatch(cell)
    return found[1] if found else cell


_WON = re.compile(r"(.*_)?(chosen|preferred|winner|won|better)(_.*)?")
_LOST = re.compile(r"(.*_)?(rejected|dispreferred|loser|lost|worse)(_.*)?")
_MOST_VOTE = 3


def advise_pairs(grid: ColumnTable, use: str = "") -> str:
    """The remedy for columns of who won and who lost, or of votes from below 0 to above; empty for other columns.

    Args:
        grid: the table.
        use: the command to give it to, where another was asked for it.
    """
    cells = {name: texts(column) for name, column in grid.columns.items()}
    named = {name: {*of} for name, of in cells.items() if not any(map(_is_number, {*of}))}
    for won, lost in itertools.product(named, repeat=2):
        alike = _WON.fullmatch(plain_header(won)) and _LOST.fullmatch(plain_header(lost)) and named[won] & named[lost]
        if alike:
            roles = {"first": won, "second": lost, "winner_name": won}
            said = " ".join(f"-c {role}={quote(name)}" for role, name in roles.items())
            return f"if {won!r} names the system that won, say {use}{said}"
    if not (vote := find_votes(grid)):
        return ""
    say = "votes below 0 are of one system, above 0 of the other: write a column winner with 1, 2 and tie"
    if grid.typed or any("," in cell or '"' in cell for of in cells.values() for cell in of):
        return say
    at, to = 1 + [*cells].index(vote), quote(f"winners-{PurePath(grid.file).stem}.csv")
    turn = f'{{print $0, ($({at}) > 0) ? 2 : ($({at}) < 0) ? 1 : "tie"}}'
    program = f'NR == 1 {{print $0, "winner"; next}} {turn}'
    made = f"awk -F, -v OFS=, {quote(program)} {quote(grid.file)} > {to}"
    return f"{say}, as where above 0 the second is better by {made} && outscore rank --wins {to}"


def _is_number(cell: str) -> bool:
    return number(cell) is not None


def find_votes(grid: ColumnTable) -> str:
    """The column of votes from below 0 to above, between the two systems of each row; empty without one."""
    texts_of = {plain_header(name) for name, cells in grid.columns.items() if not any(map(_is_number, texts(cells)))}
    if texts_of.isdisjoint(FIRST) or texts_of.isdisjoint(SECOND):
        return ""
    for name, column in grid.columns.items():
        values = [number(cell) for cell in texts(column) if cell != ""]
        whole = [value for value in values if value is not None and value.is_integer() and abs(value) <= _MOST_VOTE]
        if len(whole) == len(values) > 1 and min(whole) < 0 < max(whole):
            return name
    return ""


Key = tuple[int, ...]
"""Numbers of an item, a rater, and of one or two systems."""


def check_once(grid: ColumnTable, keys: Sequence[Key], rows: Sequence[int], of: Mapping[str, Sequence[str]]) -> None:
    """Refuses the same judgment twice: the rater would count twice, and nobody knows which one holds.

    Args:
        grid: the table, for its lines.
        keys: of each judgment item, rater and systems in the order of the row.
        rows: where each stands in the table.
        of: the cells of the columns in these roles, of every row, by header; the rater's first, the item's last.

    Raises:
        InputError: with the line of the second, and with a column that tells them apart, if there is one.
    """
    seen: dict[Key, int] = {}
    for key, row in zip(keys, rows, strict=True):
        before = seen.setdefault(key, row)
        if before != row:
            raise _twice(grid, keys, rows, (before, row), of)


def note_both_orders(keys: Sequence[Key], outcomes: Float | Int) -> tuple[Note, ...]:
    """Notes on pairs that a rater judged on one item as A and B and as B and A.

    Args:
        keys: of each judgment item, rater, first and second system, each key once.
        outcomes: 1 where the first is preferred, -1 where the second is.
    """
    found = dict(zip(keys, outcomes.tolist(), strict=True))
    turned = [(sign, found[i, r, b, a]) for (i, r, a, b), sign in found.items() if a < b and (i, r, b, a) in found]
    if not turned:
        return ()
    often = "once a rater" if len(turned) == 1 else f"{len(turned)} times a rater"
    others = sum(sign != -other for sign, other in turned)
    return (
        Note(
            code="judged_both_ways",
            text=f"{often} judged the same two systems "
            f"on the same item in both orders, {others} of {len(turned)} with another winner: every judgment counts",
        ),
    )


def _twice(
    grid: ColumnTable,
    keys: Sequence[Key],
    rows: Sequence[int],
    pair: tuple[int, int],
    of: Mapping[str, Sequence[str]],
) -> InputError:
    before, row = pair
    rater, *systems, what = (repr(cells[row]) for cells in of.values())
    line = grid.line(before)
    earlier = "" if line is None else f", first in line {line}"
    tells = next((name for name in grid.columns if name not in of and _tells_apart(grid, keys, rows, name)), "NAME")
    return grid.error(
        f"the rater {rater} judges {' and '.join(systems)} on the item {what} twice{earlier}",
        row,
        "keep one of them; or, if they are of different items, tell these apart: "
        f"-c item={quote(f'{[*of][-1]}+{tells}')}",
    )


def _tells_apart(grid: ColumnTable, keys: Sequence[Key], rows: Sequence[int], name: str) -> bool:
    """Whether a column tells apart all that is judged twice, and describes items: no number of the row, no other mark.

    What describes an item stands beside several judgments of it, as a rule; a second mark, as of fluency, or the
    seconds that a judgment took stand beside one.
    """
    cells = [str(grid.columns[name][row]) for row in rows]
    if len(set(zip(keys, cells, strict=True))) < len(keys) or 2 * len(set(cells)) > len(cells):
        return False
    judged: defaultdict[int, set[Key]] = defaultdict(set)
    beside: defaultdict[tuple[int, str], set[Key]] = defaultdict(set)
    for (item, *of), cell in zip(keys, cells, strict=True):
        judged[item].add(tuple(of))
        beside[item, cell].add(tuple(of))
    describes = [len(of) > 1 or len(judged[item]) == 1 for (item, _), of in beside.items()]
    return 2 * sum(describes) > len(describes)
