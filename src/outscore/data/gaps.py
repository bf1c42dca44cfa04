"""Items and numbers that some system lacks: whose they are, where, and what can be done about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, counted, shown
from outscore.data.run import Gold, Run

Holder: TypeAlias = Run | Gold
_WITH_COLUMNS = ("table", "jsonl", "parquet")
"""Readers of columns, which ``-c`` gives their roles."""


def ways_out(systems: int, *, zero: bool = True) -> str:
    """What can be done where some system lacks an item, or has no number for it.

    Args:
        systems: how many there are; pairs of items of their own differ from items of all from three on.
        zero: 0 is a number that speaks against a system.
    """
    ways = ["drop such items in all systems with --missing drop"]
    if systems > 2:
        ways.append("keep them where both systems of a pair have them with --missing pairwise (compare, correlate)")
    if zero:
        ways.append("score them 0 with --missing zero")
    return f"mend the file, {', '.join(ways[:-1])}{',' if ways[:-1] else ''} or {ways[-1]}"


def missing_numbers(
    name: str,
    values: Float,
    items: Sequence[str],
    *,
    of: str,
    file: str | None,
    systems: int,
    zero: bool = True,
    parts: Sequence[str] | None = None,
) -> InputError:
    """The error of a column in which numbers are missing, or infinite.

    Args:
        name, values, items: the column ``(n,)`` and the ids of its items.
        of: the system and run, see ``whose``.
        file: the file that holds the numbers, where it is one.
        systems, zero: as in ``ways_out``.
        parts: the part of the test set of each item, as its task; parts that have no number at all are named.
    """
    wrong = ~np.isfinite(values)
    if wrong.all():
        return InputError(
            f"{of} has no number under {name!r}, for any of {counted(len(items), 'item')}",
            file=file,
            remedy="compare another column, or leave such systems out: --exclude NAME",
        )
    by_part: dict[str, list[bool]] = {}
    for part, gap in zip(parts or (), wrong.tolist(), strict=bool(parts)):
        by_part.setdefault(part, []).append(gap)
    without = [part for part, gaps in by_part.items() if all(gaps)]
    if 0 < len(without) < len(by_part):
        others = [part for part in by_part if part not in without]
        count = sum(len(by_part[part]) for part in without)
        more = [i for i, part in enumerate(parts or ()) if wrong[i] and part in others]
        also = f", and for {counted(len(more), 'item')} of these: {shown(items[i] for i in more)}" if more else ""
        return InputError(
            f"{of} has {name!r} for {shown(others)}, but not for {shown(without)} ({counted(count, 'item')}){also}",
            file=file,
            remedy=f"--missing drop compares {shown(others)} alone",
        )
    what = "missing (NaN)" if np.isnan(values[wrong]).all() else "infinite or missing"
    return InputError(
        f"{name!r} is {what} for {counted(int(wrong.sum()), 'item')} of {of}: "
        f"{shown(items[i] for i in np.flatnonzero(wrong).tolist())}",
        file=file,
        remedy=ways_out(systems, zero=zero),
    )


def nothing_shared(one: Holder, first: Run, reasons: Sequence[str] = ()) -> InputError:
    """The error of a file that has no item id in common with the first run, so that no item could be kept.

    Args:
        reasons: what is known to be behind it, with the remedy.
    """
    assert one.ids is not None and first.ids is not None
    remedy = "give each item the same id in all files"
    if one.source.reader in _WITH_COLUMNS:
        remedy += (
            ", or say which column has it: -c item=COLUMN, or -c item=@row where all hold the same items in the same "
            "order"
        )
    if isinstance(one, Run) and one.system != first.system:
        remedy += "; answers to different items are compared by outscore test, as with welch"
    where = "" if first.source.file == one.source.file else f" in {first.source.file}"
    return InputError(
        f"{whose(one)} has no item id in common with {whose(first)}{where}: {shown(one.ids, 3)} here, "
        f"{shown(first.ids, 3)} there",
        file=one.source.file,
        remedy="; or ".join(reasons) or remedy,
    )


def whose(holder: Holder) -> str:
    """Who holds the items, for messages."""
    return f"system {holder.system!r} (run {holder.run!r})" if isinstance(holder, Run) else holder.source.role
