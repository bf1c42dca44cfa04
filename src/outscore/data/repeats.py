"""Judgments that one rater gave twice: of one output, or of one pair of systems on one item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from shlex import quote

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError
from outscore.base.notes import Note
from outscore.data.columns import ColumnTable

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
