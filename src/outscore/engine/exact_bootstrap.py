"""Ideal bootstrap laws, those of infinitely many resamples: by enumeration, by FFT, or in closed form.

The sum of a resample is the sum of n independent draws from the n observed values, so its law is the n-th convolution
power of their histogram: the n-th power of its Fourier transform, its characteristic function. That needs whole numbers
on a lattice that is not too long. Other scores are enumerated, where counts of distinct items are few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from outscore.base.arrays import Array, Float, Int, ScoreFunction
from outscore.base.lazy import dataclass
from outscore.engine.exact import DiscreteLaw, distinct, integers, law_of
from outscore.engine.lattice import LEAST
from outscore.engine.saddlepoint import Cumulant, draw_cumulant

MOST_COUNT_VECTORS = 20_000
"""Count vectors above which ``bootstrap_law`` should give way to sampling: about a hundredth of a second."""

MOST_CELLS = 2**19
"""Length of the lattice above which ``bootstrap_sum_law`` should give way to sampling: a tenth of a second or two."""

_MOST_DIRECT = 1024  # cells up to which convolution by addition takes less than about half a millisecond
_STEP_SD = 5.0  # distance between neighbouring tilts, in standard deviations of the wider tilted law
_SHARE = 1e-13  # what may be left out of the smallest tail that is asked for
_WRAPPED = 40.0  # mass outside of the window of one FFT, below exp(-40) = 4e-18
_FAINT = 1e-20  # a characteristic function that is taken for zero
_AT_ONCE = 2**20  # cells of the windows that are transformed together
_NOISE = 1e-15  # what an FFT leaves, relative to the largest mass, where the tilted mass is zero


def bootstrap_law(systems: Float, score: ScoreFunction) -> DiscreteLaw:
    """The ideal bootstrap law of a score, or of a difference of scores, by enumeration of count vectors.

    All n^n resamples of the items (with replacement, the same for both systems) fall into C(n + u - 1, n)
    vectors of counts over the u distinct items; each has its multinomial probability. Seven distinct items have 1,716
    vectors, seven of three kinds 36. All of them are held at once, with their sums.

    Args:
        systems: shape ``(1, n, k)`` for score(A), or ``(2, n, k)`` for score(A) - score(B).
        score: sums ``(..., k)`` to scores ``(...)``.
    """
    rows, counts = np.unique(np.moveaxis(systems, 0, 1), axis=0, return_counts=True)
    n = systems.shape[1]
    drawn = _count_vectors(n, rows.shape[0])
    log_factorial = np.array([math.lgamma(k + 1) for k in range(n + 1)])
    log_ways = log_factorial[n] - log_factorial[drawn].sum(axis=1) + drawn @ np.log(counts / n)
    sums = np.tensordot(drawn.astype(np.float64), rows.astype(np.float64), axes=1)
    values = score(sums[:, 0])
    return law_of(values - score(sums[:, 1]) if systems.shape[0] == 2 else values, np.exp(log_ways))


def bootstrap_size(systems: Float) -> int:
    """Number of count vectors that ``bootstrap_law`` scores; compare it with ``MOST_COUNT_VECTORS``."""
    # without counts numpy imports its masked arrays, which takes longer than this
    distinct = len(np.unique(np.moveaxis(systems, 0, 1), axis=0, return_counts=True)[0])
    return math.comb(systems.shape[1] + distinct - 1, distinct - 1)


def bootstrap_sum_law(values: Array | Sequence[float], n_draws: int | None = None, least: float = LEAST) -> DiscreteLaw:
    """The law of the sum of n draws with replacement from the given integers: nδ* of the bootstrap.

    The n-th convolution power of the pmf. Short lattices are convolved by addition of non-negative terms,
    which keeps every tail to about n·eps. Long ones go through the FFT, which is accurate relative to the largest mass
    only: so the pmf is tilted, π_θ ∝ π e^{θd}, with tilted means a few standard deviations apart, each tilted law gets
    the window in which it lives, and every point is taken from the tilt in which it is most probable (Keich 2005 tilts
    once, to the one value whose tail is asked for). Neighbouring means are five standard deviations apart at most, so
    that a point lies within some 2.5 of the mean of its tilt, where no mass is small beside the largest: relative
    accuracy of tails about 1e-10 down to ``least``, in the cases tried 1e-12, as an n-th power multiplies errors by n.

    Cost: for each tilt two FFTs of its window, 20 to 30 standard deviations of the sum. There are 7 tilts for tails
    down to 1e-16 and 15 to 30 down to 1e-300.

    Args:
        values: shape ``(n,)``, integers.
        n_draws: number of draws; the number of values if not given.
        least: the smallest tail that matters, at least 1e-300.

    Raises:
        UsageError: a value is no integer.
    """
    low, unit, points, counts = _points(values)
    n = int(counts.sum()) if n_draws is None else n_draws
    if points.size == 1:
        return DiscreteLaw(np.array([float(low * n)]), np.ones(1))
    pmf = counts / counts.sum()
    if n * int(points[-1]) < _MOST_DIRECT:
        first, mass, lost = 0, _power(points, pmf, n), 0.0
    else:
        first, mass, lost = _tilted_power(points, pmf, n, least)
    return law_of(unit * np.arange(first, first + mass.size, dtype=np.float64) + low * n, mass, lost)


def bootstrap_sum_cost(values: Array | Sequence[float], n_draws: int | None = None, least: float = LEAST) -> float:
    """Number of cells of the lattice of ``bootstrap_sum_law``; compare it with ``MOST_CELLS``."""
    _, _, points, counts = _points(values)
    n = int(counts.sum()) if n_draws is None else n_draws
    spread = float(np.average((points - np.average(points, weights=counts)) ** 2, weights=counts))
    return min(n * float(points[-1]), 2 * _bernstein(n * spread, float(points[-1]), _is_far(least))) + 1


def _count_vectors(n: int, cells: int) -> Int:
    """All vectors of ``cells`` counts that add to n, shape ``(C(n + cells - 1, cells - 1), cells)``."""
    found, left = np.zeros((1, 0), dtype=np.int64), np.array([n])
    for _ in range(cells - 1):
        # each vector so far goes on with 0, 1, ... up to what is left
        parents = np.repeat(np.arange(len(left)), left + 1)
        ends = np.cumsum(left + 1)
        taken = np.arange(ends[-1]) - (ends - left - 1)[parents]
        found, left = np.column_stack([found[parents], taken]), left[parents] - taken
    return np.column_stack([found, left])


def _points(values: Array | Sequence[float]) -> tuple[int, int, Int, Int]:
    """The least value and the unit, and in units above the least the distinct values with their counts."""
    whole = integers(values)
    low = int(whole.min())
    above, counts = distinct(whole - low)
    unit = math.gcd(*above.tolist()) or 1
    return low, unit, above // unit, counts


def _power(points: Int, pmf: Float, n: int) -> Float:
    """The n-th convolution power by repeated squaring, with additions only (``np.convolve`` is no FFT)."""
    square = np.zeros(int(points[-1]) + 1)
    square[points] = pmf
    product = np.ones(1)
    while True:
        if n & 1:
            product = np.convolve(product, square)
        n >>= 1
        if not n:
            return product
        square = np.convolve(square, square)


@dataclass(frozen=True)
class _Tilt:
    """A sum under the law tilted by θ: K(θ) = log E e^{θS}, mean K'(θ) and variance K''(θ).

    The masses of the tilted law are those of the sum times e^{θs - K(θ)}.
    """

    theta: float
    level: float
    mean: float
    variance: float

    @property
    def rate(self) -> float:
        """-log of what the tail beyond the mean can hold at most (Chernoff)."""
        return self.theta * self.mean - self.level


def _tilted_power(points: Int, pmf: Float, n: int, least: float) -> tuple[int, Float, float]:
    """The n-th convolution power by FFT, each point from the tilt in which it is most probable.

    Returns:
        the first point, the masses from there on, and a bound on the mass elsewhere.
    """
    edge = n * int(points[-1])
    # sums are counted from a whole number near their mean, so that K(θ) and θs are small numbers
    middle = round(float(points @ pmf))
    centred = points - middle
    shift = n * middle
    tilts = _tilts(draw_cumulant(centred.astype(np.float64), pmf, n), -shift, edge - shift, _is_far(least))
    # where two neighbouring tilts make a point as probable: e^{θs - K(θ)} is the same for both
    inner = [(b.level - a.level) / (b.theta - a.theta) for a, b in pairwise(tilts)]
    bounds = np.ceil([_end(tilts[0], -shift), *inner, _end(tilts[-1], edge - shift) + 1]).astype(np.int64)
    mass = np.zeros(int(bounds[-1] - bounds[0]))
    widest = max(_bernstein(t.variance, float(points[-1]), _WRAPPED) for t in tilts)
    size = _quick_length(min(2 * widest, edge) + 1)
    together = max(1, _AT_ONCE // size)
    for start in range(0, len(tilts), together):
        block = tilts[start : start + together]
        laws = _windows(block, centred, pmf, n, size)
        for tilt, law, first, last in zip(block, laws, bounds[start:], bounds[start + 1 :], strict=False):
            at = np.arange(first, last)
            # the window is a circle: a point stands at its remainder, and what else does is negligible there
            mass[at - bounds[0]] = law[at % size] * np.exp(tilt.level - tilt.theta * at)
    lost = sum(math.exp(-t.rate) for t in (tilts[0], tilts[-1]) if t.rate > _is_far(least))
    return int(bounds[0]) + shift, mass, lost


def _windows(tilts: Sequence[_Tilt], centred: Int, pmf: Float, n: int, size: int) -> Float:
    """The laws of the sum under each tilt, modulo the window: shape ``(tilts, size)``."""
    theta, level = (np.array([getattr(t, name) for t in tilts])[:, None] for name in ("theta", "level"))
    tilted = np.zeros((len(tilts), size))
    tilted[:, centred % size] = pmf * np.exp(theta * centred - level / n)
    wave = np.fft.rfft(tilted)
    # far from the origin the n-th power of the wave vanishes, and a logarithm is the dearer part of it
    loud = np.nonzero(wave.real**2 + wave.imag**2 > _FAINT ** (2 / n))
    power = np.zeros_like(wave)
    power[loud] = np.exp(n * np.log(wave[loud]))
    laws = np.fft.irfft(power, size)
    # rounding leaves masses of either sign where there are none, which the way back from the tilt would blow up
    laws[laws < _NOISE * laws.max(axis=1, keepdims=True)] = 0.0
    return np.asarray(laws)


def _quick_length(least: float) -> int:
    """A length of which the FFT is quick: 4, 5 or 6 times a power of two."""
    power = 1 << max(math.ceil(math.log2(least)) - 3, 1)
    return next(power * factor for factor in (4, 5, 6, 8) if power * factor >= least)


def _tilts(cumulant: Cumulant, low: int, high: int, far: float) -> list[_Tilt]:
    """Tilts in increasing order whose means cover the range of the sum, out to tails of exp(-far)."""
    middle = _Tilt(0.0, *cumulant(0.0))
    found = [middle]
    for direction, edge in ((-1.0, low), (1.0, high)):
        tilt = middle
        while tilt.rate <= far and abs(edge - tilt.mean) > 0.5:
            step = _STEP_SD / math.sqrt(tilt.variance)
            following = _move(tilt, direction * step, cumulant)
            while abs(following.mean - tilt.mean) > _STEP_SD * math.sqrt(max(tilt.variance, following.variance)):
                step /= 2
                following = _move(tilt, direction * step, cumulant)
            tilt = following
            found.append(tilt)
    return sorted(found, key=lambda t: t.theta)


def _move(tilt: _Tilt, step: float, cumulant: Cumulant) -> _Tilt:
    return _Tilt(tilt.theta + step, *cumulant(tilt.theta + step))


def _end(tilt: _Tilt, edge: int) -> float:
    """Where the masses of an outermost tilt end: at the edge of the support, or at its mean."""
    return float(edge) if abs(edge - tilt.mean) <= 0.5 else tilt.mean


def _is_far(least: float) -> float:
    return -math.log(least) - math.log(_SHARE)


def _bernstein(variance: float, reach: float, log_tail: float) -> float:
    """Bound of a sum's distance from its mean, passed with probability exp(-log_tail) at most, on either side.

    The terms are independent and within ``reach`` of their means (Bernstein 1946).
    """
    linear = log_tail * reach / 3
    return linear + math.sqrt(linear**2 + 2 * log_tail * variance)
