"""Shares near their limits, over runs and of three items; and few answers on which systems differ."""

from __future__ import annotations

from functools import partial

import numpy as np

import outscore
from holds.cell import Cell


def over_runs(rng: np.random.Generator) -> float:
    """Whether the interval of an accuracy of .99 over three runs and 40 items covers it."""
    hard = rng.beta(0.99 * 4, 0.01 * 4, 40)
    answers = (rng.random((3, 40)) < hard).astype(float)
    found = outscore.score({"a": answers}).scores[0].ci
    return float(found is not None and found[0] <= 0.99 <= found[1])


def three_items(rng: np.random.Generator) -> float:
    """Whether the intervals of a share of three items in two clusters, and of its gain, keep to their ranges."""
    data = {name: (rng.random(3) < 0.6).astype(float) for name in ("base", "new")}
    made = outscore.compare(data, items={"repo": ["x", "x", "y"]}, cluster="repo", n_resamples=99)
    ends = [(made.scores[0].ci, 0.0), (made.scores[1].ci, 0.0), (made.pairs[0].ci, -1.0)]
    return float(all(ci is not None and least <= ci[0] < ci[1] <= 1 for ci, least in ends))


def rejected(n: int, differ: float, favour: float, rng: np.random.Generator) -> float:
    """Whether the default finds a difference of systems of which one is right on a share ``favour`` of what differs."""
    kind = rng.choice(3, size=n, p=[1 - differ, differ * favour, differ * (1 - favour)])
    data = {"base": (kind == 2).astype(float), "new": (kind == 1).astype(float)}
    p = outscore.compare(data, metrics="accuracy").pairs[0].p_value
    return float((1.0 if p is None else p) <= 0.05)


_FEW = ((20, 0.2), (50, 0.1))

CELLS = (
    Cell(point="shares", name="accuracy .99, 3 runs, 40 items", measure="coverage", nominal=0.95, run=over_runs),
    Cell(point="shares", name="3 items in 2 clusters: within the range", measure="kept", nominal=1.0, run=three_items),
    *(
        Cell(
            "right or wrong",
            f"{n} items, {differ:.0%} of them right for one system alone, {said}",
            measure,
            nominal,
            partial(rejected, n, differ, favour),
            2000,
        )
        for n, differ in _FEW
        for said, measure, nominal, favour in (
            ("as often for either", "level", 0.05, 0.5),
            ("17 of 20 for one", "power", None, 0.85),
        )
    ),
)
