"""What is asked of single tests: samples equal by position, the e-value, a sequence whose gain turns round."""

from __future__ import annotations

import math

import numpy as np

import outscore
from holds.cell import Cell


def _shuffled(rng: np.random.Generator) -> float:
    """Whether p of equal samples stays what it is when one file is shuffled."""
    scores = rng.integers(0, 5, 6).astype(float)
    other = rng.permutation(scores)
    found = [
        outscore.compare({"a": scores, "b": b}, test="mann-whitney", unit="item", alternative="greater")
        .pairs[0]
        .p_value
        for b in (scores, other)
    ]
    return float(found[0] == found[1])


def _evidence(rng: np.random.Generator) -> float:
    """The e-value after 50 items of equal systems: what a fair bet makes of 1 on average."""
    a, b = (rng.random((2, 50)) < 0.5).astype(float)
    return outscore.Sequential().update(a, b).e_value


def _found(rng: np.random.Generator) -> float:
    """Whether a difference of equal systems is found at any of 500 items."""
    a, b = (rng.random((2, 500)) < 0.5).astype(float)
    return float(outscore.Sequential().update(a, b).p_value <= 0.05)


def _inside(rng: np.random.Generator) -> float:
    """Whether the ends stay in order around the gain that is shown, where the gain turns round half-way."""
    gains = np.concatenate([rng.choice([-1.0, 0.0, 1.0], 500, p=p) for p in ((0.05, 0.65, 0.3), (0.3, 0.65, 0.05))])
    last = outscore.Sequential().update(np.maximum(gains, 0.0), np.maximum(-gains, 0.0))
    assert last.ci is not None and last.gain is not None
    return float(last.ci[0] - 1e-12 <= last.gain <= last.ci[1] + 1e-12)


def _unbounded(rng: np.random.Generator) -> float:
    """Whether a live sequence without bounds claims a gain of skewed scores, 2 % of which carry all; nan if refused."""
    try:
        running = outscore.Sequential(bounds=None)
    except outscore.UsageError:
        return math.nan
    gains = rng.choice([-0.02, 0.98], 2000, p=[0.98, 0.02])
    for some in np.split(gains, 100):
        if running.update(some, np.zeros_like(some)).decision in ("better", "worse"):
            return 1.0
    return 0.0


CELLS = (
    Cell("independent samples", "equal by position, one file shuffled: the same p", "agreement", 1.0, _shuffled, 50),
    Cell("sequential", "mean e-value of equal systems, 50 items", "mean e-value", 1.0, _evidence),
    Cell("sequential", "betting, equal systems looked at after each of 500 items", "level", 0.05, _found, 300),
    Cell("sequential", "a gain that turns round: the gain shown lies inside", "agreement", 1.0, _inside, 50),
    Cell("sequential", "live without bounds, 2 % of items carry all", "level", 0.05, _unbounded),
)
