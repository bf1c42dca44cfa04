"""Scores of classes where few answers are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

import outscore
from holds.cell import Cell


def covered(metric: str, shares: Sequence[float], truth: float, rng: np.random.Generator) -> float:
    """Whether the interval holds the score of a system that guesses one answer in fifty, 200 items."""
    gold = rng.choice(len(shares), 200, p=shares)
    answers = np.where(rng.random(200) < 0.02, rng.integers(len(shares), size=200), gold)
    data, references = {"a": list(map(str, answers))}, list(map(str, gold))
    found = outscore.score(data, references=references, metrics=metric, n_resamples=999).scores[0].ci
    return float(found is not None and found[0] <= truth <= found[1])


_RARE, _EVEN = (0.1, 0.9), (0.25, 0.25, 0.25, 0.25)

CELLS = tuple(
    Cell(
        point="classes",
        name=f"{name} of 200 items, 1 in 50 guessed, {said}",
        measure="coverage",
        nominal=0.95,
        run=partial(covered, metric, shares, truth),
    )
    for name, metric, shares, said, truth in (
        ("κ", "kappa", _RARE, "one label in ten", 0.94635),
        ("Matthews' correlation", "mcc", _RARE, "one label in ten", 0.94722),
        ("macro recall", "recall:average=macro", _EVEN, "four labels", 0.985),
        ("macro F1", "f1:average=macro", _EVEN, "four labels", 0.985),
    )
)
