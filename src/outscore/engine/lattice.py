"""Sums that are exact, and few: statistics as integers times a step, equal rows as counts.

Integers below 2^53 add without error in float64, so sums do not depend on the order of items, on the size of blocks
or on threads, and equal scores stay equal. Integer, decimal and simple fractional statistics are represented
exactly; other real numbers are rounded to a grid of powers of two, as fine as leaves room for the sum. A mean of n of
them moves by half a unit at most, which is n/2^51 of the largest value, and as a rule by some √n times less: 4e-15 of
it where n = 1,000, 4e-14 where n = 100,000. Scores that differ by less than 1e-12 of their size are ties in any case
(``extreme.tolerance``).
"""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass

_CONSTANT = -1
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


def collapse(rows: Float) -> tuple[Float, Int]:
    """Distinct rows ``(u, c)`` of ``(n, c)`` and how often each occurs ``(u,)``, whatever the order of items."""
    plain = np.ascontiguousarray(rows + 0.0)  # -0.0 and 0.0 are the same row
    # rows as strings of bytes: sorted by one comparison each, in whatever order; np.unique along an axis takes longer
    keys = plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return plain[first], counts.astype(np.int64)


@dataclass(frozen=True)
class Columns:
    """Columns of whole numbers without those that are constant, or differ from another by a constant.

    The weighted sum of such a column is the other's sum plus the constant times the sum of the weights. Of the ten
    columns of BLEU eight are left, or six where no output has fewer than four words: the totals of words, bigrams,
    trigrams and fourgrams are then its length less 0, 1, 2 and 3.

    Attributes:
        distinct: ``(q, n)``, one row for each column that has to be added up.
        place: ``(k,)`` row of ``distinct`` for each column, or -1 for a constant.
        shift: ``(k,)`` what is added to it.
    """

    distinct: Float
    place: tuple[int, ...]
    shift: tuple[float, ...]

    @classmethod
    def of(cls, rows: Float) -> Columns:
        """The columns of ``(n, k)`` whole numbers."""
        columns = np.ascontiguousarray(rows.T)
        known: dict[bytes, int] = {}
        kept: list[Float] = []
        place, shift = [], []
        for column in columns:
            moved = column - column[0]
            if not moved.any():
                place.append(_CONSTANT)
                shift.append(float(column[0]))
                continue
            at = known.setdefault((moved + 0.0).tobytes(), len(kept))
            if at == len(kept):
                kept.append(column)
            place.append(at)
            shift.append(float(column[0] - kept[at][0]))
        return cls(np.array(kept).reshape(len(kept), len(rows)), tuple(place), tuple(shift))

    def sums(self, added: Float, weight: Float | float, out: Float | None = None) -> Float:
        """Sums of all columns ``(b, k)``, each column contiguous.

        Args:
            added: sums of the distinct ones ``(q, b)``.
            weight: sum of the weights, one for all resamples or ``(b,)``.
            out: ``(k, b)`` memory to write to.
        """
        if self.place == tuple(range(len(added))) and not any(self.shift):
            return added.T
        sums = np.empty((len(self.place), added.shape[1])) if out is None else out
        for row, place, shift in zip(sums, self.place, self.shift, strict=True):
            if place == _CONSTANT:
                row[:] = shift * weight
            elif shift:
                np.add(added[place], shift * weight, out=row)
            else:
                row[:] = added[place]
        return sums.T
