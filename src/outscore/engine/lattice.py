"""Sums that are exact, and few: statistics as integers times a step, equal rows as counts.

Integers below 2^53 add without error in float64, so sums do not depend on the order of items, on the size of blocks
or on threads, and equal scores stay equal. Integer, decimal and simple fractional statistics are represented
exactly; other real numbers are rounded to a grid of powers of two, as fine as leaves room for the sum. A mean of n of
them moves by half a unit at most, which is n/2^51 of the largest value, and as a rule by some √n times less: 4e-15 of
it where n = 1,000, 4e-14 where n = 100,000. Scores that differ by less than 1e-12 of their size are ties in any case
(``extreme.tolerance``).

Sums of independent binomial multiples on a lattice: what permuting whole-number statistics at random comes to.

A law is built from additions of non-negative numbers only, so each cell is as accurate, relatively, as any other; an
FFT would lose everything below 1e-16 of the largest. Items with equal steps are taken together: k of them move the sum
by 0 to k steps, binomially, so that a law costs as many convolutions as there are distinct steps, not items. The
additions of one of them are one matrix product (overlap-add), several times faster than shifted sums. Cells are left
out only beyond bounds that hold for certain (Hoeffding 1963).
"""

from __future__ import annotations

import math
import sys

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


MOST_CELLS = 2**20
"""Cells of the largest lattice; to make a law of so many takes about 150 MB and a quarter of a second."""

REFUSED = sys.maxsize
"""The cost of what cannot be held."""

LEAST = 1e-300
"""The smallest probability that is looked for."""

_SCALE = 900  # masses are held times 2^900, so that the far tail does not come near the end of doubles
_SHARE = 1e-30  # what may be left out of the smallest tail that is asked for
_FEW_ON_A_LINE, _FEW_IN_A_PLANE = 20, 3  # for so few taps, sums of shifted grids are faster than the product
# measured in table updates of 2 ns: a cell of a shifted sum, a cell of a product with its copies, and one step
_SHIFTED, _COPIED, _MULTIPLIED, _STEP = 0.2, 2.0, 0.03, 15.0


@dataclass(frozen=True)
class MassGrid:
    """Masses on a rectangle of whole numbers.

    Attributes:
        mass: shape ``(r, s)``.
        low: shape ``(2,)``, what the first cell stands for.
        lost: a bound on the mass outside of the rectangle, 0 where there is none.
    """

    mass: Float
    low: Int
    lost: float


def lattice_sum(steps: Int, counts: Int, least: float = LEAST) -> MassGrid:
    """The law of Σ_j K_j steps_j with independent K_j ~ Binomial(counts_j, ½).

    Relative accuracy of any tail of mass ``least`` or more: about Σ counts rounding errors of 1e-16, in practice 1e-14.

    Args:
        steps: shape ``(u, 2)``, whole numbers of either sign, none of them (0, 0).
        counts: shape ``(u,)``.
        least: the smallest tail that matters, at least 1e-300; what is left out is below 1e-30 of it.
    """
    order = _order(steps)
    reach, lost = _reach(len(steps), least)
    # low is what the first cell stands for, the mean and variance are those of the sum so far
    mass, low = np.full((1, 1), math.ldexp(1.0, _SCALE)), np.zeros(2, dtype=np.int64)
    mean, variance, whole = np.zeros(2), np.zeros(2), True
    for j in order:
        taps, first = binomial(int(counts[j]), reach)
        mass = _spread(mass, taps, int(steps[j, 0]), int(steps[j, 1]))
        low = low + first * steps[j] + np.minimum(steps[j], 0) * (taps.size - 1)
        mean, variance = mean + counts[j] * steps[j] / 2, variance + counts[j] * np.square(steps[j], dtype=float) / 4
        # what lies farther out is next to nothing, wherever later steps would take it: the bound holds after each step,
        # for each coordinate by itself
        half = reach * np.sqrt(variance)
        start = np.maximum(np.floor(mean - half).astype(np.int64) - low, 0)
        stop = np.maximum(np.ceil(mean + half).astype(np.int64) - low + 1, 0)
        inside = mass[start[0] : stop[0], start[1] : stop[1]]
        whole = whole and taps.size == counts[j] + 1 and inside.shape == mass.shape
        mass, low = inside, low + start
    return MassGrid(np.ldexp(mass, -_SCALE), low, 0.0 if whole else lost)


def lattice_cost(steps: Int, counts: Int, least: float = LEAST) -> int:
    """The cost of ``lattice_sum`` in table updates of about 2 ns, ``REFUSED`` above ``MOST_CELLS``."""
    if not len(steps):
        return 0
    order = _order(steps)
    sizes, times = np.abs(steps[order]).astype(np.float64), counts[order].astype(np.float64)
    reach, _ = _reach(len(steps), least)
    taps = np.minimum(times, 2 * np.ceil(reach * np.sqrt(times / 4))) + 1
    span = np.cumsum(sizes * times[:, None], axis=0)
    window = 2 * reach * np.sqrt(np.cumsum(sizes**2 * times[:, None], axis=0) / 4)
    widths = np.minimum(span, window) + 1
    before = np.concatenate([np.ones((1, 2)), widths[:-1]])
    cells = (before + sizes * (taps - 1)[:, None]).prod(axis=1)
    if cells.max() > MOST_CELLS:
        return REFUSED
    few = _FEW_IN_A_PLANE if steps.any(axis=0).all() else _FEW_ON_A_LINE
    # a product is as deep as its shorter factor
    depth = np.minimum(taps, before.prod(axis=1))
    each = np.where(taps <= few, _SHIFTED * taps, _COPIED + _MULTIPLIED * depth)
    return math.ceil(float(cells @ each) + _STEP * len(steps))


def binomial(count: int, reach: float) -> tuple[Float, int]:
    """Masses of Binomial(count, ½) within ``reach`` standard deviations, and the first k that has one.

    By ratios from the middle outwards: log-gammas would cost four digits at count = 5000.
    """
    width = math.ceil(reach * math.sqrt(count / 4))
    middle = count // 2
    up = np.arange(middle, min(middle + width, count))
    upper = np.concatenate([[1.0], np.cumprod((count - up) / (up + 1.0))])
    down = np.arange(middle, max(middle - width, 0), -1)
    lower = np.cumprod(down / (count - down + 1.0))[::-1]
    mass = np.concatenate([lower, upper])
    return mass / mass.sum(), middle - lower.size


def _reach(steps: int, least: float) -> tuple[float, float]:
    """How many standard deviations are kept, and a bound on all that is left out.

    A sum of ±½ c_i strays t standard deviations with probability at most 2 exp(-t²/2), in each of two coordinates and
    each binomial, after each step: six such tails a step.
    """
    log_lost = math.log(least) + math.log(_SHARE)
    return math.sqrt(2 * (math.log(6 * max(steps, 1)) - log_lost)), max(math.exp(log_lost), math.ulp(0.0))


def _order(steps: Int) -> Int:
    """Short steps first: the lattice stays small as long as it can."""
    return np.argsort((steps.astype(np.float64) ** 2).sum(axis=1), kind="stable")


def _spread(mass: Float, taps: Float, down: int, right: int) -> Float:
    """Σ_k taps_k times the masses moved by k steps ``(down, right)``, on a grid that begins at the least corner.

    Additions only, as many as cells times taps; a product of matrices makes them at the speed of BLAS.
    """
    # a step down or to the right, or both, is made of any other by turning and mirroring the grid
    if down == 0:
        return _spread(mass.T, taps, right, 0).T
    if down < 0:
        return _spread(mass[::-1], taps, -down, right)[::-1]
    if right < 0:
        return _spread(mass[:, ::-1], taps, down, -right)[:, ::-1]
    if taps.size <= (_FEW_ON_A_LINE if 1 in mass.shape else _FEW_IN_A_PLANE):
        return _shift(mass, taps, down, right)
    # in a row-major grid of this width a step is one distance: the grid becomes a table with rows of that length, and
    # to move is to go down by whole rows
    height, width = mass.shape[0], mass.shape[1] + right * (taps.size - 1)
    distance = down * width + right
    rows = -(-height * width // distance)
    block = min(rows, taps.size - 1)
    blocks = -(-rows // block)
    table = np.zeros(blocks * block * distance)
    table[: height * width].reshape(height, width)[:, : mass.shape[1]] = mass
    # the table in blocks of rows: each block becomes the taps as a band matrix times it, and is taller by what the taps
    # move it, which is added to the block below
    columns = table.reshape(blocks, block, distance).transpose(1, 0, 2).reshape(block, blocks * distance)
    spread = (_band(taps, block) @ columns).reshape(-1, blocks, distance)
    if blocks == 1:
        moved = spread
    else:
        moved = np.zeros((blocks + 1, block, distance))
        moved[:-1] = spread[:block].transpose(1, 0, 2)
        moved[1:] += spread[block:].transpose(1, 0, 2)
    height += down * (taps.size - 1)
    return moved.reshape(-1)[: height * width].reshape(height, width)


def _shift(mass: Float, taps: Float, down: int, right: int) -> Float:
    height, width = mass.shape
    moved = np.zeros((height + down * (taps.size - 1), width + right * (taps.size - 1)))
    part = np.empty_like(mass)  # once: to ask for so much memory anew takes as long as to fill it
    for k, tap in enumerate(taps):
        moved[k * down : k * down + height, k * right : k * right + width] += np.multiply(mass, tap, out=part)
    return moved


def _band(taps: Float, columns: int) -> Float:
    """The matrix ``(columns + taps - 1, columns)`` that has the taps from the diagonal downwards."""
    padded = np.zeros((columns, columns + taps.size))
    padded[:, : taps.size] = taps
    return padded.reshape(-1)[: columns * (columns + taps.size - 1)].reshape(columns, -1).T
