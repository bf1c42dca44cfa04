"""Items that a system lacks, scored 0: an empty output, or the number 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outscore.base.errors import counted, shown
from outscore.base.notes import Note
from outscore.data.run import Gold, Run

_REMEDY = "look why they are missing: a crash is not a wrong answer"


def completed(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[list[Run], list[Note]]:
    """The runs with every item that another run or the references have, and a note for each run that lacked some.

    Items that the references lack are left out of all runs: there is nothing to score them against.

    What describes an item (labels, references) is taken from a file that has it.
    """
    judged = [set(gold.ids) for gold in golds if gold.references and gold.ids is not None]
    holders: list[Run | Gold] = [*runs, *(gold for gold in golds if gold.references)]
    all_items = dict.fromkeys(item for holder in holders for item in holder.ids or ())
    every = [item for item in all_items if all(item in ids for ids in judged)]
    result: list[Run] = []
    notes: list[Note] = []
    if len(every) < len(all_items):
        beside = [item for item in all_items if item not in set(every)]
        text = f"{counted(len(beside), 'item')} without references left out: {shown(beside, 3)}"
        notes.append(Note(code="without_references", text=text, remedy="give references for them, or leave them out"))
        runs = [_without(run, set(beside)) for run in runs]
    for run in runs:
        present = set(run.ids or ())
        lacking = [item for item in every if item not in present] if run.ids is not None else []
        full = _with_items(run, lacking, runs) if lacking else run
        blank = {name: ~np.isfinite(values) for name, values in full.columns.items()}
        names = [*lacking]
        if any(b.any() for b in blank.values()):
            where = np.flatnonzero(np.any(list(blank.values()), axis=0))
            names += [full.ids[i] if full.ids else str(i + 1) for i in where]
            full = replace(full, columns={name: np.where(blank[name], 0.0, v) for name, v in full.columns.items()})
        if names:
            whose = f"system {run.system!r} (run {run.run!r})"
            text = f"{counted(len(names), 'item')} missing from {whose} scored 0: {shown(names, 3)}"
            notes.append(Note(code="missing_as_zero", text=text, remedy=_REMEDY))
        result.append(full)
    return result, notes


def _without(run: Run, items: set[str]) -> Run:
    keep = [i for i, item in enumerate(run.ids or ()) if item not in items]
    if run.ids is None or len(keep) == run.n:
        return run
    return replace(
        run,
        ids=tuple(run.ids[i] for i in keep),
        outputs=None if run.outputs is None else tuple(run.outputs[i] for i in keep),
        references=tuple(tuple(stream[i] for i in keep) for stream in run.references),
        columns={name: values[keep] for name, values in run.columns.items()},
        labels={name: tuple(values[i] for i in keep) for name, values in run.labels.items()},
        n_samples=None if run.n_samples is None else run.n_samples[keep],
    )


def _with_items(run: Run, lacking: Sequence[str], runs: Sequence[Run], number: float = 0.0) -> Run:
    found = {item: (other, i) for other in reversed(runs) for i, item in enumerate(other.ids or ())}
    places = [found.get(item) for item in lacking]
    blank = ("",) * max(other.n for other in runs)

    def labelled(name: str) -> list[str]:
        return [place[0].labels.get(name, blank)[place[1]] if place else "" for place in places]

    def referred(stream: int) -> list[str]:
        return [place[0].references[stream][place[1]] if place else "" for place in places]

    numbers = np.full(len(lacking), number)
    return replace(
        run,
        ids=(*(run.ids or ()), *lacking),
        outputs=None if run.outputs is None else (*run.outputs, *[""] * len(lacking)),
        references=tuple((*stream, *referred(k)) for k, stream in enumerate(run.references)),
        columns={name: np.concatenate([values, numbers]) for name, values in run.columns.items()},
        labels={name: (*values, *labelled(name)) for name, values in run.labels.items()},
        n_samples=None if run.n_samples is None else np.concatenate([run.n_samples, np.ones(len(lacking))]),
    )


def widened(runs: Sequence[Run]) -> list[Run]:
    """The runs of numbers with every item that another run has; what they lack is NaN.

    Runs with outputs are left as they are: a text that is not there cannot be scored.
    """
    every = dict.fromkeys(item for run in runs for item in run.ids or ())
    result = []
    for run in runs:
        present = set(run.ids or ())
        lacking = [] if run.ids is None or run.outputs is not None else [i for i in every if i not in present]
        result.append(_with_items(run, lacking, runs, math.nan) if lacking else run)
    return result
