"""The place that decides "at least as extreme as" for one statistic: sides, ties, and the one that is added.

Ties count (``>=``). Values that differ by rounding alone are ties: comparisons carry a tolerance.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.engine.montecarlo import Exceedances

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def tail_of(alpha: float, alternative: Alternative) -> float:
    """The level of one tail."""
    return alpha / 2 if alternative == "two-sided" else alpha


def tolerance(scale: float) -> float:
    """How far two equal statistics of this magnitude may lie apart after rounding.

    Far below the smallest step of any corpus score on real data, far above the error of a sum and a quotient: the sums
    are exact (``lattice``), so that only the few operations of a score on them round.
    """
    return 1e-12 * max(scale, 1e-300)


def is_as_extreme(
    values: Float, observed: Float | float, *, centre: Float | float = 0.0, alternative: Alternative, slack: float
) -> Bool:
    """Which ``values`` are at least as extreme as ``observed``, ties within ``slack`` included.

    Two-sided is symmetric about ``centre``: ``|T* - c| >= |T - c|``. Broadcasts.
    """
    if alternative == "greater":
        return np.asarray(values >= np.asarray(observed) - slack)
    if alternative == "less":
        return np.asarray(values <= np.asarray(observed) + slack)
    return np.asarray(np.abs(values - centre) >= np.abs(np.asarray(observed) - centre) - slack)


def count_positions(values: Float, marks: Float, slack: Float, batches: int = 1) -> Int:
    """How many of the values ``(s, b)`` lie below each mark ``(s, q)``, and how many not above it.

    Args:
        slack: ``(s,)`` values so near to a mark are equal to it.
        batches: parts of equal size that the values are counted in.

    Returns:
        Counts ``(batches, s, q, 2)``.
    """
    found = np.empty((batches, *marks.shape, 2), dtype=np.int64)
    # 16 bits hold the counts of fewer than 65,536 values, and add up faster
    wide = np.uint16 if values.shape[-1] < 2**16 else np.int64
    for q in range(marks.shape[1]):
        low, high = (marks[:, q] - slack)[:, None], (marks[:, q] + slack)[:, None]
        for side, lying in enumerate((values < low, values <= high)):
            # a sum of bytes is several times faster than a count of booleans along an axis
            octets = lying.view(np.uint8).reshape(len(values), batches, -1)
            found[:, :, q, side] = np.add.reduce(octets, axis=2, dtype=wide).T
    return found


@dataclass(frozen=True)
class Positions:
    """How the draws of a statistic lie to some marks, batch by batch.

    Attributes:
        counts: ``(batches, q, 2)`` draws below each mark, and draws not above it.
        sizes: ``(batches,)`` draws of each batch.
        independent: whether the draws of a batch are independent of each other.
    """

    counts: Int
    sizes: Int
    independent: bool

    def count_at_most(self, mark: int) -> Exceedances:
        return self._exceedances(self.counts[:, mark, 1])

    def count_at_least(self, mark: int) -> Exceedances:
        return self._exceedances(self.sizes - self.counts[:, mark, 0])

    def count_below(self, mark: int) -> Exceedances:
        return self._exceedances(self.counts[:, mark, 0])

    def count_above(self, mark: int) -> Exceedances:
        return self._exceedances(self.sizes - self.counts[:, mark, 1])

    def count_as_extreme(
        self, observed: int, mirrored: int, alternative: Alternative, *, positive: bool
    ) -> Exceedances:
        """Draws at least as extreme as a mark, which lies on the positive side of the centre or not.

        Args:
            observed: number of the mark; ``mirrored``: of the one as far on the other side of the centre.
        """
        if alternative == "greater":
            return self.count_at_least(observed)
        if alternative == "less":
            return self.count_at_most(observed)
        high, low = (observed, mirrored) if positive else (mirrored, observed)
        both = self.count_at_least(high).counts + self.count_at_most(low).counts
        return self._exceedances(np.minimum(both, self.sizes))  # at the centre itself everything lies on both sides

    def smaller_tail(self, null_value: int, alternative: Alternative) -> tuple[Exceedances, bool]:
        """Draws of an estimate on the wrong side of a mark, and whether that is one of two tails, to be doubled."""
        below, above = self.count_at_most(null_value), self.count_at_least(null_value)
        if alternative == "two-sided":
            return min(below, above, key=lambda exceedances: exceedances.total), True
        return (below, False) if alternative == "greater" else (above, False)

    def _exceedances(self, counts: Int) -> Exceedances:
        return Exceedances(counts, self.sizes, self.independent)


def count(
    draws: Float, observed: Float | float, *, centre: Float | float = 0.0, alternative: Alternative, slack: float
) -> Int:
    """Number of draws (first axis) at least as extreme as the observed value."""
    exceedances = is_as_extreme(draws, observed, centre=centre, alternative=alternative, slack=slack)
    return np.asarray(exceedances.sum(axis=0), dtype=np.int64)


def count_beyond(draws: Float, observed: float, *, slack: float) -> int:
    """Number of draws strictly above ``observed``: for algorithms that are reproduced as printed, never for our own."""
    return int((draws > observed + slack).sum())


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
    exceedances = is_as_extreme(support, observed, centre=centre, alternative=alternative, slack=slack)
    # all of a law is certain, whatever its masses add up to
    return 1.0 if exceedances.all() else float(min(1.0, mass[exceedances].sum()))
