"""A family of data: how systems are drawn without a difference and with one, and which null hypotheses then hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples
from outscore.significance.omnibus import Groups
from outscore.significance.settings import Settings

Data = GainContrast | IndependentSamples | Groups
SIZES = (10, 20, 30, 50, 100, 200, 500, 1000)
RUN_SIZES = (3, 5, 10, 20, 50)
TARGET = 0.65
"""Power that the effect of a family gives the t or F test that knows its shape."""


@dataclass(frozen=True)
class Family:
    """One row of the grid.

    Attributes:
        name: short, for the tables.
        words: what is drawn.
        kind: ``pairs``, ``samples`` or ``groups``: which tests see it.
        holds: codes of the null hypotheses that are true of it without an effect, see ``procedures.NULLS``.
        draw: generator, size, with an effect or without, and settings to what a test sees.
        gain: size to the true gain with the effect; None where there is no gain.
        sigma: size to the standard deviation of the differences of items, for a test that knows it.
        sizes: numbers of items, or of runs of a system.
        members: items of a cluster.
    """

    name: str
    words: str
    kind: str
    holds: frozenset[str]
    draw: Callable[[np.random.Generator, int, bool, Settings], Data]
    gain: Callable[[int], float] | None = None
    sigma: Callable[[int], float] | None = None
    sizes: tuple[int, ...] = SIZES
    members: int = 1


@lru_cache
def noncentrality(df: float) -> float:
    """Difference in standard errors at which a two-sided t test at .05 has the power ``TARGET``."""
    from scipy import optimize, stats

    bound = stats.t.isf(0.025, df)
    # the other tail is empty where the power is that large
    return float(optimize.brentq(lambda c: stats.nct.sf(bound, df, c) - TARGET, 0.5, 60.0))


@lru_cache
def f_noncentrality(numerator: int, denominator: int) -> float:
    """Noncentrality at which an F test at .05 has the power ``TARGET``."""
    from scipy import optimize, stats

    bound = stats.f.isf(0.05, numerator, denominator)
    return float(optimize.brentq(lambda c: stats.ncf.sf(bound, numerator, denominator, c) - TARGET, 0.1, 500.0))
