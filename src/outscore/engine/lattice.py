"""Sums that are exact: statistics as integers times a step.

Integers below 2^53 add without error in float64, so sums do not depend on the order of items, on the size of blocks
or on threads, and equal scores stay equal. Integer, decimal and simple fractional statistics are represented
exactly; other real numbers are rounded to a grid of powers of two, as fine as leaves room for the sum. A mean of n of
them moves by half a unit at most, which is n/2^51 of the largest value, and as a rule by some √n times less: 4e-15 of
it where n = 1,000, 4e-14 where n = 100,000. Scores that differ by less than 1e-12 of their size are ties in any case
(``extreme.tolerance``).
"""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.lazy import dataclass

_LARGEST = 2.0**53
_EPSILON = 2.0**-52
_LARGEST_EXPONENT = 1000.0
_DENOMINATORS = (
    *(10.0**k for k in range(13)),
    2.0,
    3.0,
    4.0,
    6.0,
    7.0,
    8.0,
    9.0,
    11.0,
    12.0,
    16.0,
    24.0,
    32.0,
    48.0,
    60.0,
    64.0,
)


@dataclass(frozen=True)
class Lattice:
    """Statistics ``(..., n, k)`` as integers times one step for each column.

    Attributes:
        integers: whole numbers held in float64, ``(..., n, k)``.
        steps: ``(k,)``; statistics = integers * steps.
        exact: ``(k,)``; False where real numbers were rounded to the grid.
    """

    integers: Float
    steps: Float
    exact: Bool


def lattice(statistics: Float, copies: int = 1) -> Lattice:
    """The lattice of an array of statistics ``(..., n, k)``, one step for each of the k columns.

    Args:
        statistics: finite numbers.
        copies: how many times n rows may be added up, e.g. over runs; the grid leaves room for them.
    """
    n, k = statistics.shape[-2:]
    integers = np.empty_like(statistics)
    steps, exact = np.empty(k), np.empty(k, dtype=bool)
    for j in range(k):
        integers[..., j], steps[j], exact[j] = _column(statistics[..., j], n * copies)
    return Lattice(integers, steps, exact)


def _column(values: Float, n: int) -> tuple[Float, float, bool]:
    largest = float(np.max(np.abs(values), initial=0.0))
    # sums of two systems and their differences stay below 2^53 too
    room = _LARGEST / (4 * max(n, 1) * max(largest, 1e-300))
    rounded = np.rint(values)
    if room >= 1 and (rounded == values).all():
        return rounded, 1.0, True
    ordered = np.sort(values, axis=None)
    distinct = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]
    rounding = 4 * _EPSILON * np.abs(distinct)
    for denominator in _DENOMINATORS:
        if denominator > room:
            continue
        # within a few rounding errors: 0.1 + 0.2 is meant to be 0.3
        if (np.abs(np.rint(distinct * denominator) / denominator - distinct) <= rounding).all():
            return np.rint(values * denominator), 1.0 / denominator, True
    # a power of two scales without rounding, so that only what lies beyond the grid is lost
    denominator = 2.0 ** min(np.floor(np.log2(room)), _LARGEST_EXPONENT)
    return np.rint(values * denominator), 1.0 / denominator, False
