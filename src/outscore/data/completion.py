"""Items that a system lacks, scored as an empty output, or as the number 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outscore.base.arrays import Bool
from outscore.base.errors import counted, shown
from outscore.base.items import ABSENT, Absent
from outscore.base.notes import Note
from outscore.data.gaps import whose
from outscore.data.run import Filled, Gold, Run

_REMEDY = "look why they are missing: a crash is not a wrong answer"


def completed(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[list[Run], list[Note], tuple[Filled, ...]]:
    """The runs with every item that another run or the references have, notes on what was not there, and which numbers.

    Items that the references lack are left out of all runs: there is nothing to score them against.

    What describes an item (labels, references) is taken from a file that has it.

    Args:
        runs: the samples of each in layers.
        golds: references and descriptions of the items.
    """
    judged = [set(gold.ids) for gold in golds if gold.references and gold.ids is not None]
    holders: list[Run | Gold] = [*runs, *(gold for gold in golds if gold.references)]
    all_items = dict.fromkeys(item for holder in holders for item in holder.ids or ())
    every = [item for item in all_items if all(item in ids for ids in judged)]
    notes: list[Note] = []
    if len(every) < len(all_items):
        beside = [item for item in all_items if item not in set(every)]
        text = f"{counted(len(beside), 'item')} without references left out: {shown(beside, 3)}"
        notes.append(Note(code="without_references", text=text, remedy="give references for them, or leave them out"))
        runs = [_without(run, set(beside)) for run in runs]
    result: list[Run] = []
    gaps: dict[tuple[str, str], _Gaps] = {}
    for run in runs:
        present = set(run.ids or ())
        lacking = [item for item in every if item not in present] if run.ids is not None else []
        full = _with_items(run, lacking, runs) if lacking else run
        blank = {name: ~np.isfinite(values) for name, values in full.columns.items()}
        null = np.zeros(full.n, dtype=np.bool_)
        null[[i for i, text in enumerate(run.outputs or ()) if isinstance(text, Absent)]] = True
        gaps.setdefault((run.system, run.run), _Gaps(full, lacking)).add(blank, null)
        if any(b.any() for b in blank.values()):
            full = replace(full, columns={name: np.where(blank[name], 0.0, v) for name, v in full.columns.items()})
        result.append(full)
    notes += [note for of_run in gaps.values() for note in of_run.notes()]
    return result, notes, tuple(filled for of_run in gaps.values() for filled in of_run.filled())


class _Gaps:
    """Items that one run lacks, over all of its samples.

    Args:
        run: its first layer of samples, with every item.
        lacking: items that were not in its files.
    """

    def __init__(self, run: Run, lacking: Sequence[str]) -> None:
        self.run, self.lacking = run, lacking
        self.ids = run.ids or tuple(str(i + 1) for i in range(run.n))
        self._layers: list[dict[str, Bool]] = []
        self._null: list[Bool] = []

    def add(self, blank: dict[str, Bool], null: Bool) -> None:
        """One layer more: by column, where the number is missing, and where an output is that has its row."""
        own = np.ones(self.run.n, dtype=np.bool_)
        if self.run.n_samples is not None:  # an item with fewer samples repeats them
            own = self.run.n_samples > len(self._layers)
        self._layers.append({name: missing & own for name, missing in blank.items()})
        self._null.append(null & own if null.any() else np.zeros(self.run.n, dtype=np.bool_))

    def filled(self) -> list[Filled]:
        """The numbers, by column."""
        lacking = set(self.lacking)
        found = []
        for name in self._layers[0]:
            missing = np.any([layer[name] for layer in self._layers], axis=0)
            items = tuple(item for item, gap in zip(self.ids, missing.tolist(), strict=True) if gap or item in lacking)
            if items:
                file = None if self.run.more_sources else self.run.source.file
                found.append(Filled(system=self.run.system, run=self.run.run, column=name, items=items, file=file))
        return found

    def notes(self) -> list[Note]:
        """One on items, and one on samples where an item has others."""
        samples = np.zeros(self.run.n)
        for layer, null in zip(self._layers, self._null, strict=True):
            samples += np.any([null, *layer.values()], axis=0)
        of_each = np.ones(self.run.n) if self.run.n_samples is None else self.run.n_samples
        whole = [*self.lacking, *self._named((samples > 0) & (samples == of_each))]
        some = (samples > 0) & (samples < of_each)
        said = [(counted(len(whole), "item"), bool(self.lacking), whole)] if whole else []
        if some.any():
            of_items = counted(int(some.sum()), "item")
            said.append((f"{counted(int(samples[some].sum()), 'sample')} of {of_items}", False, self._named(some)))
        return [
            Note(
                code="missing_as_zero",
                text=f"{what} missing from {whose(self.run)} scored {self._how(absent)}: {shown(items, 3)}",
                remedy=_REMEDY,
            )
            for what, absent, items in said
        ]

    def _named(self, where: Bool) -> list[str]:
        return [self.ids[i] for i in np.flatnonzero(where)]

    def _how(self, absent: bool) -> str:
        """Say what was taken in their place: an output that is not there is empty, and no right answer for it."""
        if self.run.outputs is None or not absent:
            return "0"
        return "as empty, or 0 by numbers of the file" if self.run.columns else "as empty"


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
        outputs=None if run.outputs is None else (*run.outputs, *[ABSENT] * len(lacking)),
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
