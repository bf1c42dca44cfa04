"""Laws of test statistics without sampling: enumeration and dynamic programmes over permutations.

A dynamic programme adds one item at a time to the law of the sum so far, which is a table over whole numbers: the shift
algorithm (Streitberg & Röhmel 1986). So 2^n permutations cost n times the range of the sum, as long as it is a sum of
integers; a score that is no sum, or a ratio of two, is enumerated after equal items are collapsed.

Every law is built from additions of non-negative numbers only, so a tail of 1e-40 is as accurate, relatively,
as one of a half; an FFT would lose everything below 1e-16 (Zmigrod et al. 2022 and their published code do).
The lattices are in ``binomial``, laws of two independent samples in ``two_samples``, of the bootstrap in
``exact_bootstrap``. What counts as "at least as extreme as"
is decided in ``extreme``, never here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from outscore.base.arrays import Array, Float, Int, ScoreFunction
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.lattice import LEAST, binomial, lattice_cost, lattice_sum

MOST_UPDATES = 200_000_000
"""State updates of a dynamic programme above which a caller should sample instead: at most half a second."""

MOST_ASSIGNMENTS = 2**20
"""Permutations above which a caller should sample instead of enumerating."""

_BLOCK = 2**11  # assignments that are scored at once
_ENOUGH_ROWS = 64  # if these are all different, there are more permutations than could be enumerated
_DENSE = 16  # integers up to this many times their number are counted by a table
_EXACT = 2.0**53  # integers up to here are exact
_CUMULATIVE_SLACK = 1e-12


@dataclass(frozen=True)
class DiscreteLaw:
    """A discrete probability law.

    Attributes:
        support: shape ``(m,)``, increasing; points of mass zero are left out.
        mass: shape ``(m,)``, their probabilities.
        lost: a bound on the mass that was left out far from the middle.
    """

    support: Float
    mass: Float
    lost: float = 0.0

    def mean(self) -> float:
        """The expectation."""
        return float(self.support @ self.mass)

    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(float((self.support - self.mean()) ** 2 @ self.mass))

    def quantile(self, q: float) -> float:
        """The least support point v with P(T <= v) >= q, rounding of the sum forgiven up to 1e-12."""
        cumulative = np.cumsum(self.mass)
        place = int(np.searchsorted(cumulative, q - _CUMULATIVE_SLACK, side="left"))
        return float(self.support[min(place, self.support.size - 1)])

    def scale(self, factor: float, shift: float = 0.0) -> DiscreteLaw:
        """The law of ``factor * T + shift`` for a positive factor."""
        return DiscreteLaw(self.support * factor + shift, self.mass, self.lost)

    def negate(self) -> DiscreteLaw:
        """The law of ``-T``."""
        return DiscreteLaw(-self.support[::-1], self.mass[::-1], self.lost)


def law_of(values: Array, mass: Array, lost: float = 0.0) -> DiscreteLaw:
    """The law that puts ``mass[i]`` on ``values[i]``; equal values are merged, empty points left out."""
    kept = mass > 0
    values, mass = values[kept].astype(np.float64), mass[kept]
    if not (values[1:] > values[:-1]).all():
        order = np.argsort(values)
        values, mass = values[order], mass[order]
        first = np.flatnonzero(np.concatenate([[True], values[1:] > values[:-1]]))
        values, mass = values[first], np.add.reduceat(mass, first)
    return DiscreteLaw(values, mass, lost)


def integers(values: Array | Sequence[float]) -> Int:
    """The values as 64-bit integers.

    Raises:
        UsageError: one of them is no integer, or does not fit a double exactly.
    """
    array = np.asarray(values, dtype=np.float64)
    rounded = np.rint(array)
    if not np.array_equal(array, rounded) or (array.size and np.abs(array).max() > 2**53):
        raise UsageError("an exact law needs integers below 2^53; bring decimals to a lattice first")
    return rounded.astype(np.int64)


def distinct(whole: Int) -> tuple[Int, Int]:
    """Distinct non-negative integers in increasing order, and how often each occurs."""
    if int(whole.max(initial=0)) > _DENSE * whole.size:
        return np.unique(whole, return_counts=True)
    counts = np.bincount(whole)
    values = np.flatnonzero(counts)
    return values, counts[values]


# --- permuting within pairs ---------------------------------------------------------------------------------


def flip_law(differences: Array | Sequence[float], least: float = LEAST) -> DiscreteLaw:
    """The law of Σ ±d_i over all 2^n equally likely signs: the null law of paired integer differences.

    Null hypothesis: the two systems are exchangeable within each item (H_exch). The law is that of 2U - Σ|d|
    with U = Σ_v v K_v over the distinct values v of |d|, K_v ~ Binomial(count of v, ½), on the lattice of their
    greatest common divisor.

    Args:
        differences: shape ``(n,)``, integers; zeros do not matter.
        least: the smallest tail that matters, see ``binomial.lattice_sum``.

    Raises:
        UsageError: a difference is no integer.
    """
    values, counts = _distinct_sizes(differences)
    if not values.size:
        return DiscreteLaw(np.zeros(1), np.ones(1))
    unit = math.gcd(*values.tolist())
    grid = lattice_sum(_project(values // unit), counts, least)
    total = int((values * counts).sum())
    reached = 2 * unit * (np.arange(len(grid.mass)) + grid.low[0]) - total
    return law_of(reached, grid.mass[:, 0], grid.lost)


def flip_cost(differences: Array | Sequence[float], least: float = LEAST) -> int:
    """Number of state updates that ``flip_law`` makes; compare it with ``MOST_UPDATES``."""
    values, counts = _distinct_sizes(differences)
    if not values.size:
        return 0
    return lattice_cost(_project(values // math.gcd(*values.tolist())), counts, least)


def swap_law(a_rows: Float, b_rows: Float, score: ScoreFunction) -> DiscreteLaw:
    """The law of score(ΣA*) - score(ΣB*) over all swaps of whole statistic rows, by enumeration.

    Null hypothesis: the two systems are exchangeable within each item (H_exch). A swap keeps ΣA* + ΣB*, so
    rows matter through A_i - B_i only: zero differences are dropped and k equal ones (up to sign) contribute
    Binomial(k, ½) swaps.

    Args:
        a_rows: shape ``(n, k)``, statistics of system A.
        b_rows: shape ``(n, k)``, statistics of system B.
        score: sums ``(..., k)`` to scores ``(...)``.
    """
    total = a_rows.sum(axis=0) + b_rows.sum(axis=0)
    return Swaps.of(a_rows, b_rows).law(lambda a_star: score(a_star) - score(total - a_star))


@dataclass(frozen=True)
class Swaps:
    """All swaps of the rows of two systems, after equal differences are collapsed.

    Attributes:
        steps, counts: ``(u, k)`` and ``(u,)``, the distinct differences up to sign, and how often each occurs.
        total: ``(k,)``, the sums of both systems together, which no swap changes.
    """

    steps: Array
    counts: Int
    total: Float

    @classmethod
    def of(cls, a_rows: Float, b_rows: Float) -> Swaps:
        """The swaps of rows ``(n, k)``."""
        return cls(*_distinct_swaps(a_rows - b_rows), a_rows.sum(axis=0) + b_rows.sum(axis=0))

    @property
    def size(self) -> int:
        """The number of assignments that ``law`` scores."""
        return _assignments(self.counts)

    def law(self, statistic: ScoreFunction) -> DiscreteLaw:
        """The law of a statistic of ΣA*.

        Args:
            statistic: sums ``(..., k)`` of the permuted first system to values ``(...)``: the opposite at the sums of
                the second, or infinite there too.
        """
        steps, counts = self.steps, self.counts
        # The start is A* with every swap made against the canonical direction; integer sums stay exact. Each swap in
        # that direction adds its step: a sum over few of the distinct steps, moved by each sum over the others.
        start = (self.total - counts @ steps) / 2
        inner = max(1, int(np.searchsorted(np.cumprod(counts + 1.0), _BLOCK, side="right")))
        inner_sums, inner_mass = _all_sums(steps[:inner], counts[:inner], start)
        outer_sums, outer_mass = _all_sums(steps[inner:], counts[inner:], np.zeros_like(start))
        values = np.empty((outer_mass.size, inner_mass.size))
        at_once = max(1, _BLOCK // inner_mass.size)
        half = -(-outer_mass.size // 2)  # in the other, in reverse order, all swaps are made that are not made here
        for first in range(0, half, at_once):
            here = slice(first, min(first + at_once, half))
            shifted = outer_sums[:, here, None] + inner_sums[:, None]
            values[here] = statistic(shifted.reshape(len(shifted), -1).T).reshape(shifted.shape[1:])
        turned = values[: outer_mass.size - half][::-1, ::-1]
        values[half:] = np.where(np.isinf(turned), turned, -turned)
        return law_of(values.ravel(), np.multiply.outer(outer_mass, inner_mass).ravel())


def swap_size(a_rows: Float, b_rows: Float) -> int:
    """Number of assignments that ``swap_law`` scores, after equal differences are collapsed.

    Above ``MOST_ASSIGNMENTS`` it is a lower bound, from some of the rows.
    """
    moved = _find_moved(a_rows - b_rows)
    some = moved[:: -(-len(moved) // _ENOUGH_ROWS) or 1]  # from everywhere, as like items stand together
    size = _assignments(_distinct_swaps(some)[1])
    return size if size > MOST_ASSIGNMENTS or len(moved) <= _ENOUGH_ROWS else _assignments(_distinct_swaps(moved)[1])


def _assignments(counts: Int) -> int:
    return math.prod(int(c) + 1 for c in counts)


def ratio_swap_law(
    a_num: Array, a_den: Array, b_num: Array, b_den: Array, scale: float = 1.0, least: float = LEAST
) -> DiscreteLaw:
    """The law of ``scale * (ΣnA*/ΣdA* - ΣnB*/ΣdB*)`` over all swaps of (numerator, denominator) pairs.

    Null hypothesis: H_exch. Swaps keep the totals of A and B together, so the two sums of A are the whole
    state, two dimensions in place of four. A ratio with denominator zero is zero. Micro-F1 is num = 2tp,
    den = 2tp + fp + fn.

    Args:
        a_num: shape ``(n,)``, integers; the other three likewise.
        a_den: denominators of system A.
        b_num: numerators of system B.
        b_den: denominators of system B.
        scale: factor of the metric's unit, e.g. 100.
        least: the smallest tail that matters, see ``binomial.lattice_sum``.
    """
    a, b = _pairs(a_num, a_den), _pairs(b_num, b_den)
    steps, counts = _distinct_swaps(a - b)
    units, slope, lattice = _upright(steps, counts)
    grid = lattice_sum(lattice, counts, least)
    # the cells left out here hold together no more than what was left out before
    kept = np.nonzero(grid.mass > grid.lost / grid.mass.size)
    totals = a.sum(axis=0) + b.sum(axis=0)
    start = (totals - counts @ steps) // 2
    num, den = (grid.low[i] + kept[i] for i in range(2))
    den = start[1] + units[1] * (den + slope * num)
    num = start[0] + units[0] * num
    value = ratio(num, den) - ratio(totals[0] - num, totals[1] - den)
    return law_of(scale * value, grid.mass[kept], 2 * grid.lost)


def ratio_swap_cost(a_num: Array, a_den: Array, b_num: Array, b_den: Array, least: float = LEAST) -> int:
    """Number of state updates that ``ratio_swap_law`` makes; compare it with ``MOST_UPDATES``."""
    steps, counts = _distinct_swaps(_pairs(a_num, a_den) - _pairs(b_num, b_den))
    _, _, lattice = _upright(steps, counts)
    return lattice_cost(lattice, counts, least)


def ratio(num: Array, den: Array) -> Float:
    """``num / den``, zero where the denominator is zero."""
    return np.divide(num, den, out=np.zeros(np.broadcast(num, den).shape), where=np.asarray(den) != 0)


# --- rows and lattices --------------------------------------------------------------------------------------


def _distinct_sizes(differences: Array | Sequence[float]) -> tuple[Int, Int]:
    """Distinct non-zero |d| and how often each occurs."""
    values, counts = distinct(np.abs(integers(differences)))
    return values[values > 0], counts[values > 0]


def _find_moved(differences: Array) -> Array:
    return differences[np.any(differences != 0, axis=1)]


def _distinct_swaps(differences: Array) -> tuple[Array, Int]:
    """Distinct non-zero rows up to sign, each with its first non-zero entry positive, and how often they occur."""
    moved = _find_moved(differences)
    if not len(moved):
        return moved, np.zeros(0, dtype=np.int64)
    first = np.take_along_axis(moved, np.argmax(moved != 0, axis=1)[:, None], axis=1)
    return _distinct_rows(moved * np.sign(first))


def _distinct_rows(rows: Array) -> tuple[Array, Int]:
    """Distinct rows in increasing order, and how often each occurs.

    Weighted sums, where exact and different, tell rows apart and sort far faster.
    """
    weights = _weights(rows.shape[1])
    if float(np.abs(rows).max()) * float(weights.sum()) < _EXACT and (np.rint(rows) == rows).all():
        _, firsts, places, counts = np.unique(
            rows @ weights, return_index=True, return_inverse=True, return_counts=True
        )
        found = rows[firsts]
        if (found[places] == rows).all():
            order = np.lexsort(found.T[::-1])
            return found[order], counts[order]
    found, counts = np.unique(rows, axis=0, return_counts=True)
    return found, counts


@lru_cache
def _weights(columns: int) -> Float:
    return np.random.default_rng(0).integers(1, 2**20, columns).astype(np.float64)


def _project(values: Int) -> Int:
    """Steps along the first of two coordinates."""
    return np.stack([values, np.zeros_like(values)], axis=1)


def _upright(steps: Int, counts: Int) -> tuple[Int, int, Int]:
    """Lattice coordinates in which the two sums are as little correlated as whole numbers allow.

    A numerator and its denominator move together, so that most of their rectangle would be empty. The least-squares
    slope, rounded, is taken off the second: a shear, which is exact and may be undone.

    Returns:
        units ``(2,)``, a slope, and steps ``(u, 2)``: the steps are units * (first, second + slope * first).
    """
    units = _common_divisors(steps)
    lattice = steps // units
    first, second = lattice.T.astype(np.float64)
    spread = float(counts @ first**2)
    slope = round(float(counts @ (first * second)) / spread) if spread else 0
    return units, slope, lattice - np.outer(lattice[:, 0], [0, slope])


def _all_sums(steps: Array, counts: Int, start: Float) -> tuple[Float, Float]:
    """All start + Σ k_j steps_j with 0 <= k_j <= counts_j, and their probabilities under k_j ~ Bin(counts_j, ½).

    Sums ``(k, sums)``, as what is made of them is made column by column.
    """
    sums, mass = np.asarray(start, dtype=np.float64)[:, None], np.ones(1)
    for step, count in zip(steps, counts.tolist(), strict=True):
        sums = (sums[:, None] + (step[:, None] * np.arange(count + 1.0))[:, :, None]).reshape(len(sums), -1)
        taps, first = binomial(count, math.sqrt(count) + 1)
        held = np.zeros(count + 1)
        held[first : first + taps.size] = taps
        mass = np.multiply.outer(held, mass).ravel()
    return sums, mass


def _pairs(num: Array, den: Array) -> Int:
    return np.stack([integers(num), integers(den)], axis=1)


def _common_divisors(steps: Int) -> Int:
    """The greatest common divisor of each column, 1 for a column of zeros."""
    columns: Iterable[list[int]] = np.abs(steps).T.tolist()
    return np.array([math.gcd(*column) or 1 for column in columns], dtype=np.int64)
