"""The only place that decides "at least as extreme as": sides, ties, and the one that is added.

Ties count (``>=``). Values that differ by rounding alone are ties: comparisons carry a tolerance.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from outscore.base.arrays import Bool, Float, Int

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def tolerance(scale: float) -> float:
    """How far two equal statistics of this magnitude may lie apart after rounding (SPEC §0.2).

    Far below the smallest step of any corpus score on real data, far above the error of a sum and a quotient.
    """
    return 1e-12 * max(scale, 1e-300)


def at_least_as_extreme(
    values: Float, observed: Float | float, *, centre: Float | float = 0.0, alternative: Alternative, slack: float
) -> Bool:
    """Which ``values`` are at least as extreme as ``observed``, ties within ``slack`` included.

    Two-sided is symmetric about ``centre``: ``|T* - c| >= |T - c|`` (SPEC §0). Broadcasts.
    """
    if alternative == "greater":
        return np.asarray(values >= np.asarray(observed) - slack)
    if alternative == "less":
        return np.asarray(values <= np.asarray(observed) + slack)
    return np.asarray(np.abs(values - centre) >= np.abs(np.asarray(observed) - centre) - slack)


def count(
    draws: Float, observed: Float | float, *, centre: Float | float = 0.0, alternative: Alternative, slack: float
) -> Int:
    """Number of draws (first axis) at least as extreme as the observed value."""
    hits = at_least_as_extreme(draws, observed, centre=centre, alternative=alternative, slack=slack)
    return np.asarray(hits.sum(axis=0), dtype=np.int64)


def count_beyond(draws: Float, observed: float, *, slack: float) -> int:
    """Number of draws strictly above ``observed``: for algorithms that are reproduced as printed, never for our own."""
    return int((draws > observed + slack).sum())


def count_equal_tailed(draws: Float, null_value: float, *, alternative: Alternative, slack: float) -> tuple[int, bool]:
    """Draws of an estimate that lie on the wrong side of ``null_value``, and whether the count is of one of two tails.

    ``greater`` counts draws at or below it, ``less`` at or above; ``two-sided`` the smaller of both, to be doubled.
    """
    below = int((draws <= null_value + slack).sum())
    above = int((draws >= null_value - slack).sum())
    if alternative == "two-sided":
        return min(below, above), True
    return (below, False) if alternative == "greater" else (above, False)


def p_from_count(exceedances: int, n_resamples: int, *, doubled: bool = False) -> float:
    """``(b + 1) / (B + 1)``, never 0 (Phipson & Smyth 2010); twice that, at most 1, for one of two tails."""
    p = (exceedances + 1) / (n_resamples + 1)
    return min(1.0, 2 * p) if doubled else p


def tail_mass(
    support: Float,
    mass: Float,
    observed: float,
    *,
    centre: float = 0.0,
    alternative: Alternative = "two-sided",
    slack: float = 0.0,
) -> float:
    """Probability under a discrete law of a value at least as extreme as the observed one, at most 1."""
    hits = at_least_as_extreme(support, observed, centre=centre, alternative=alternative, slack=slack)
    return float(min(1.0, mass[hits].sum()))
