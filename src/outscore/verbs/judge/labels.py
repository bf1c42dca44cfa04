"""The columns of human labels and of the judge, and what is lacking in them."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError, join, suggestion
from outscore.base.notes import Note
from outscore.data.columns import OUTPUT, REFERENCE
from outscore.data.dataset import Dataset

_SHARED = 0.8
"""Share of the labels that two systems have on the same items from which on the rest is no great loss."""


def find_columns(data: Dataset, human: str | None, judge: str | None) -> tuple[str, str]:
    """The columns of the human labels and of the judge.

    Raises:
        UsageError: no such column, or it is not clear which is which.
        InputError: it holds texts.
    """
    shared = set.intersection(*(set(cell.columns) for cell in data.by_run.values()))
    known = [name for name in next(iter(data.by_run.values())).columns if name in shared]
    human = "human" if human is None and judge != "human" and "human" in known else human
    if human is None:
        if judge != "human":
            data.check_numbers("human")
        there = join(known or data.systems)
        raise UsageError(f"which column holds the human labels? There are {there}: name it with --human")
    for name in (human, judge):
        if name is not None and name not in known:
            data.check_numbers(name)
            if name in data.systems:
                roles = [column for column in (human, judge) if column is not None]
                raise UsageError(f"the column {name!r} was read as a system; read the file with measures={roles}")
            there = f"no column {name!r}{suggestion(name, known)}; there are {join(known) or 'none'}"
            if name.lower() in OUTPUT or REFERENCE.fullmatch(name.lower()):
                there += f" ({name!r} means outputs or references by its name: call it otherwise)"
            raise UsageError(there)
    others = [name for name in known if name != human]
    if judge is None and len(others) != 1:
        raise UsageError(f"which column is the judge's? There are {join(others) or 'none'}: name it with --judge")
    return human, judge or others[0]


def note_partly_labelled(data: Dataset, column: str) -> list[Note]:
    """A note on items whose mean label over runs or samples is not known, as some have none."""
    counts = []
    for system in data.systems:
        layers = [layer.columns[column] for run in data.runs[system] for layer in data.layers[system, run]]
        known = np.isfinite(layers)
        counts.append((system, int((known.any(axis=0) & ~known.all(axis=0)).sum())))
    found = "; ".join(f"{system}: {count}" for system, count in counts if count)
    if not found:
        return []
    return [
        Note(
            code="partly_labelled",
            text=f"items with labels of some runs or samples, but not of all, count as not labelled ({found})",
            remedy="label all runs or samples of an item, or give only the one that is labelled",
        )
    ]


def note_labelled_apart(labels: Mapping[str, Float], first: str) -> list[Note]:
    """A note on labels of one system of a gain alone, where most are: a gain is that of items labelled for both."""
    known = {system: np.isfinite(column) for system, column in labels.items()}
    both = {system: int((there & known[first]).sum()) for system, there in known.items() if system != first}
    most = {system: max(int(known[system].sum()), int(known[first].sum())) for system in both}
    found = [f"{system}: {both[system]} of {most[system]}" for system in both if both[system] < _SHARED * most[system]]
    if not found:
        return []
    return [
        Note(
            code="labelled_apart",
            text=f"gains are of items with labels of both systems, scores of all labels ({'; '.join(found)})",
            remedy="label the same items for all systems: the others tell nothing of a gain here",
        )
    ]


def check_labelled(labels: dict[str, Float], judged: dict[str, Float], human: str, judge: str, first: str) -> None:
    """Refuses labels and numbers of a judge that cannot be compared.

    Raises:
        InputError: too few labels of a system, or none on the items of the baseline's; a judge with gaps; a number that
            stands for no label.
    """
    for system, column in labels.items():
        if np.isfinite(column).sum() < 2:
            raise InputError(
                f"fewer than two items of system {system!r} have a number in column {human!r}",
                remedy="label more items, at random",
            )
        if {*np.unique(judged[system])} <= {0.0, 1.0} and {*np.unique(column[np.isfinite(column)])} == {-1.0, 0.0, 1.0}:
            raise InputError(
                f"column {human!r} holds -1 beside 0 and 1, as for items without a label, and {judge!r} 0 and 1 alone",
                remedy="leave the cell empty where there is no label",
            )
        if not np.isfinite(judged[system]).all():
            swapped = all(np.isfinite(every).all() for every in labels.values())
            raise InputError(
                f"column {judge!r} has no number for some items of system {system!r}",
                remedy=f"{human!r} has all: if they were swapped, --human {quote(judge)} --judge {quote(human)}"
                if swapped
                else "let the judge score every item, or drop such items with --missing drop",
            )
        if not np.isfinite(column + labels[first]).any():
            raise InputError(
                f"no item has a number in column {human!r} for both {system!r} and the baseline {first!r}",
                remedy="label the same items for all systems, or leave one out with --exclude; the score of each needs "
                f"no other: FILE#{quote(system)}",
            )
