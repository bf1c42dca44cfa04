"""Items and numbers that some system lacks: whose they are, where, and what can be done about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import InputError, counted, shown
from outscore.base.notes import Note
from outscore.data.measures import QUALITY, either_sign, lower_by_name, said_by
from outscore.data.run import Filled, Gold, Run

Holder: TypeAlias = Run | Gold
_WITH_COLUMNS = ("table", "jsonl", "parquet")
"""Readers of columns, which ``-c`` gives their roles."""

_MOST = 3
_CAUSES = ("log_incomplete", "samples_failed")
"""Codes of notes on files that are not whole."""


def ways_out(systems: int, *, zero: bool | None = True) -> str:
    """Remedies for items that some system lacks or has no number for, as one sentence.

    Args:
        systems: how many there are; pairs of items of their own differ from items of all from three on.
        zero: 0 is a number that speaks against a system; None where only the metric knows.
    """
    ways = ["drop such items in all systems with --missing drop"]
    if systems > 2:
        ways.append("keep them where both systems of a pair have them with --missing pairwise (compare, correlate)")
    if zero:
        ways.append("score them 0 with --missing zero")
    elif zero is None:
        ways.append("score them 0 with --missing zero where higher is better")
    return f"mend the file, {', '.join(ways[:-1])}{',' if ways[:-1] else ''} or {ways[-1]}"


def missing_numbers(
    name: str,
    values: Float,
    items: Sequence[str],
    *,
    of: str,
    file: str | None,
    systems: int,
    zero: bool | None = True,
    parts: Sequence[str] | None = None,
    beside: Iterable[tuple[str, Bool]] = (),
    notes: Iterable[Note] = (),
) -> InputError:
    """The error of a column in which numbers are missing, or infinite.

    Args:
        name, values, items: the column ``(n,)`` and the ids of its items.
        of: the system and run, see ``whose``.
        file: the file that holds the numbers, where it is one.
        systems, zero: as in ``ways_out``.
        parts: the part of the test set of each item, as its task; parts that have no number at all are named.
        beside: whoever has gaps in the column, and where, ``(n,)``.
        notes: what is known of the files; what says why numbers are missing is told with them.
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
    why, mended = causes(notes, file)
    what = "missing (NaN)" if np.isnan(values[wrong]).all() else "infinite or missing"
    return InputError(
        f"{name!r} is {what} for {counted(int(wrong.sum()), 'item')} of {of}: "
        f"{shown(items[i] for i in np.flatnonzero(wrong).tolist())}{why}{_also(of, beside)}",
        file=file,
        remedy="; or ".join([*mended, ways_out(systems, zero=zero)]),
    )


def causes(notes: Iterable[Note], file: str | None) -> tuple[str, list[str]]:
    """Causes why something is missing from a file, in brackets, and remedies, as notes give them.

    Args:
        notes: of any files, whose texts begin with their names.
        file: the file; every one, by its name, if it is not known.
    """
    found = [note for note in notes if note.code in _CAUSES and (file is None or note.text.startswith(f"{file}:"))]
    texts = [note.text if file is None else note.text.partition(": ")[2] for note in found]
    said = f" ({'; '.join(dict.fromkeys(texts))})" if texts else ""
    return said, [found[0].remedy.partition(", or ")[0]] if found else []


def _also(of: str, beside: Iterable[tuple[str, Bool]]) -> str:
    """The others that have gaps, for the end of a sentence."""
    others: dict[str, Bool] = {}
    for name, gaps in beside:
        others[name] = gaps | others.get(name, gaps)
    found = [f"for {counted(int(gaps.sum()), 'item')} of {name}" for name, gaps in others.items() if name != of]
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return f", and {', '.join(found[:_MOST])}{more}" if found else ""


def zero_is_bad(column: str) -> bool | None:
    """Whether 0 speaks against a system in a column of this name; None where the name does not say it."""
    if lower_by_name(column) or either_sign(column):
        return False
    said = said_by(column)
    return True if said is not None and said.kind == QUALITY and column.lower() != "score" else None


def zero_is_bad_in(runs: Iterable[Run]) -> bool | None:
    """The same where items are missing whole; an output that is not there can be taken as empty."""
    runs = list(runs)
    found = {zero_is_bad(column) for run in runs for column in run.columns}
    found |= {True for run in runs if run.outputs is not None}
    return found.pop() if len(found) == 1 else None


def zero_is_best(metric: str, filled: Filled, *, systems: int) -> InputError:
    """The error of numbers that are not there and would be the best of all as 0."""
    return InputError(
        f"system {filled.system!r} (run {filled.run!r}) has no {filled.column!r} for "
        f"{counted(len(filled.items), 'item')}, {shown(filled.items, 3)}, and 0 is the best that {metric} can be: "
        "--missing zero would reward a crash",
        file=filled.file,
        remedy=ways_out(systems, zero=False),
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
    return f"system {holder.system!r} (run {holder.run!r})" if isinstance(holder, Run) else holder.called
