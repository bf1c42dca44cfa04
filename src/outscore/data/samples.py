"""Several samples of a model's answer to each item: brought item by item into layers, whatever they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outscore.base.errors import InputError
from outscore.data.run import Run


def in_layers(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with the samples of each in layers: the k-th has the k-th sample of every item.

    An item with fewer samples than others repeats its own in turn; ``n_samples`` says how many are its own. Names of
    samples only tell rows apart: they need not be the same from item to item.

    Raises:
        InputError: samples of one run that do not hold the same kind of data, or not the same lines without ids.
    """
    together: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        together.setdefault((run.system, run.run), []).append(run)
    return tuple(layer for answers in together.values() for layer in _layers(answers))


def _layers(answers: Sequence[Run]) -> Sequence[Run]:
    first = answers[0]
    if len(answers) == 1 or not all(answer.sample for answer in answers):
        return answers
    if len({answer.sample for answer in answers}) < len(answers):
        return answers  # given twice, which is refused where runs are checked
    _check(answers)
    rows = _rows(answers)
    counts = np.array([len(own) for own in rows], dtype=float)
    ids = None if first.ids is None else tuple(dict.fromkeys(item for a in answers for item in a.ids or ()))
    sources = dict.fromkeys(source for a in answers for source in (a.source, *a.more_sources))
    whole = replace(
        Run.stacked(answers), ids=None, more_sources=tuple(source for source in sources if source != first.source)
    )
    return [
        replace(whole.on_rows([own[k % len(own)] for own in rows]), ids=ids, sample=str(k + 1), n_samples=counts)
        for k in range(int(counts.max()))
    ]


def _check(answers: Sequence[Run]) -> None:
    first = answers[0]
    for answer in answers[1:]:
        same = (answer.ids is None, answer.outputs is None, len(answer.references), answer.notation)
        fits = same == (first.ids is None, first.outputs is None, len(first.references), first.notation)
        if not fits or (answer.ids is None and answer.n != first.n):
            raise InputError(
                f"the samples {first.sample!r} and {answer.sample!r} of system {first.system!r} do not hold the same "
                "kind of data",
                file=answer.source.file,
                remedy="give all samples in one format; only with item ids may they lack items",
            )


def _rows(answers: Sequence[Run]) -> list[list[int]]:
    """For each item the rows of its samples, all answers one after another."""
    found: dict[str | int, list[int]] = {}
    names = [name for answer in answers for name in (range(answer.n) if answer.ids is None else answer.ids)]
    for row, name in enumerate(names):
        found.setdefault(name, []).append(row)
    return list(found.values())
