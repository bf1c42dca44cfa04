"""Ideal bootstrap laws: what infinitely many resamples would give, by enumeration, by FFT, or in closed
form.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from outscore.base.arrays import Array, Float, Int, ScoreFunction
from outscore.engine.exact import Law, integers, law_of

MOST_COUNT_VECTORS = 2_000_000
"""Count vectors above which ``bootstrap_law`` should give way to sampling."""

MOST_CELLS = 2**23
"""Length of the lattice above which ``bootstrap_sum_law`` should give way to sampling."""

_MOST_DIRECT = 32_768  # cells up to which convolution by addition takes less than about a tenth of a second
_STEP_SD = 2.0  # distance between neighbouring tilts, in standard deviations of the tilted law
_REACH = 690.0  # masses below exp(-690) = 1e-300 are not looked for
_NOISE = 1e-14  # per draw: what an FFT leaves where the tilted mass is zero


def bootstrap_law(systems: Float, score: ScoreFunction) -> Law:
    """The ideal bootstrap law of a score, or of a difference of scores, by enumeration of count vectors (SPEC
    3.3).

    All n^n resamples of the items (with replacement, the same for both systems) fall into C(n + u - 1, n)
    vectors of counts over the u distinct items; each has its multinomial probability.

    Args:
        systems: shape ``(1, n, k)`` for score(A), or ``(2, n, k)`` for score(A) - score(B).
        score: sums ``(..., k)`` to scores ``(...)``.
    """
    rows, counts = np.unique(np.moveaxis(systems, 0, 1), axis=0, return_counts=True)
    n = systems.shape[1]
    drawn = _count_vectors(n, rows.shape[0])
    factorial = np.array([float(math.factorial(k)) for k in range(n + 1)])
    # n! ∏ (c/n)^k / k!, with every factor an integer a double holds for the n this is meant for
    ways = factorial[n] / factorial[drawn].prod(axis=1) * (counts.astype(np.float64) ** drawn).prod(axis=1)
    sums = np.tensordot(drawn.astype(np.float64), rows.astype(np.float64), axes=1)
    values = score(sums[:, 0])
    return law_of(values - score(sums[:, 1]) if systems.shape[0] == 2 else values, ways / float(n) ** n)


def bootstrap_size(systems: Float) -> int:
    """Number of count vectors that ``bootstrap_law`` scores; compare it with ``MOST_COUNT_VECTORS``."""
    distinct = np.unique(np.moveaxis(systems, 0, 1), axis=0).shape[0]
    return math.comb(systems.shape[1] + distinct - 1, distinct - 1)


def bootstrap_sum_law(values: Array | Sequence[float], n_draws: int | None = None) -> Law:
    """The law of the sum of n draws with replacement from the given integers: nδ* of the bootstrap (SPEC
    3.3).

    The n-th convolution power of the pmf. Short lattices are convolved by addition of non-negative terms,
    which keeps every tail to about n·eps. Long ones go through the FFT, which is accurate to about n·eps of
    the largest mass only: so the pmf is tilted, π_θ ∝ π e^{θd}, with tilted means a few standard deviations
    apart, and every point is taken from the tilt in which it is most probable; relative accuracy of tails
    about 1e-10 down to 1e-300.

    Args:
        values: shape ``(n,)``, integers.
        n_draws: number of draws; the number of values if not given.

    Raises:
        UsageError: a value is no integer.
    """
    whole = integers(values)
    n = whole.size if n_draws is None else n_draws
    low, unit = int(whole.min()), _unit(whole)
    points, counts = np.unique((whole - low) // unit, return_counts=True)
    if points.size == 1:
        return Law(np.array([float(low * n)]), np.ones(1))
    pmf = counts / counts.sum()
    length = n * int(points[-1]) + 1
    mass = _power(points, pmf, n) if length <= _MOST_DIRECT else _tilted_mass(points, pmf, n)
    return law_of(unit * np.arange(length, dtype=np.float64) + low * n, mass)


def bootstrap_sum_cost(values: Array | Sequence[float], n_draws: int | None = None) -> int:
    """Number of cells of the lattice of ``bootstrap_sum_law``; compare it with ``MOST_CELLS``."""
    whole = integers(values)
    n = whole.size if n_draws is None else n_draws
    return n * (int(whole.max() - whole.min()) // _unit(whole)) + 1


def bayesian_mean_tail(values: Array | Sequence[float], above: float = 0.0) -> float:
    """P(Σ w_i x_i > c) under the Bayesian bootstrap, w ~ Dirichlet(1, ..., 1), in exact rational arithmetic
    (SPEC 3.7).

    The tail is the divided difference of (x - c)_+^{n-1} over the values (Rubin 1981; Diaconis and Efron 1987
    for the formula Σ_{x_i>c} ∏_{j≠i} (x_i - c)/(x_i - x_j) of distinct values); repeated values take
    derivatives, so ties are allowed. O(n²) operations on growing fractions: meant for n up to about a
    hundred.

    Args:
        values: shape ``(n,)``.
        above: the c of the tail.
    """
    x = sorted(Fraction(float(v)) for v in values)
    c, degree = Fraction(float(above)), len(x) - 1
    table = [_truncated_power(v - c, degree, 0) for v in x]
    for order in range(1, len(x)):
        table = [
            (table[i + 1] - table[i]) / (x[i + order] - x[i])
            if x[i + order] != x[i]
            else _truncated_power(x[i] - c, degree, order)
            for i in range(len(x) - order)
        ]
    return float(table[0])


def bayesian_mean_moments(values: Array | Sequence[float]) -> tuple[float, float]:
    """Posterior mean and variance of the mean under the Bayesian bootstrap: x̄ and Σ(x - x̄)²/(n (n + 1))
    (Rubin 1981).
    """
    x = np.asarray(values, dtype=np.float64)
    return float(x.mean()), float(x.var() / (x.size + 1))


def _truncated_power(distance: Fraction, degree: int, order: int) -> Fraction:
    """The ``order``-th derivative of x_+^degree over order!, at x = distance."""
    if distance <= 0:
        return Fraction(0)
    return math.comb(degree, order) * distance ** (degree - order)


def _count_vectors(n: int, cells: int) -> Int:
    """All vectors of ``cells`` counts that add to n, shape ``(C(n + cells - 1, cells - 1), cells)``: stars
    and bars.
    """
    size = math.comb(n + cells - 1, cells - 1)
    bars = np.fromiter(
        (bar for choice in combinations(range(n + cells - 1), cells - 1) for bar in choice),
        dtype=np.int64,
        count=size * (cells - 1),
    ).reshape(size, cells - 1)
    edges = np.pad(bars, ((0, 0), (1, 1)), constant_values=-1)
    edges[:, -1] = n + cells - 1
    return np.diff(edges, axis=1) - 1


def _unit(whole: Int) -> int:
    return math.gcd(*(whole - whole.min()).tolist()) or 1


def _power(points: Int, pmf: Float, n: int) -> Float:
    """The n-th convolution power by repeated squaring, with additions only."""
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


def _tilted_mass(points: Int, pmf: Float, n: int) -> Float:
    """The n-th convolution power by FFT, each point from the tilt in which it is most probable."""
    length = n * int(points[-1]) + 1
    best, log_mass = np.full(length, _NOISE * n), np.full(length, -np.inf)
    for theta in _tilts(points.astype(np.float64), pmf, n):
        power, level = _tilted_power(theta, points, pmf, n, length)
        share = power / power.max()
        sharper = np.nonzero(share > best)[0]
        best[sharper] = share[sharper]
        log_mass[sharper] = np.log(power[sharper]) + n * level - theta * sharper
    return np.asarray(np.exp(log_mass))


def _cumulant(theta: float, points: Float, pmf: Float) -> tuple[float, float, float]:
    """K(θ) = log Σ π e^{θd} with its first two derivatives, the tilted mean and variance."""
    exponent = theta * points
    top = float(exponent.max())
    weights = pmf * np.exp(exponent - top)
    total = float(weights.sum())
    mean = float(weights @ points) / total
    return top + math.log(total), mean, float(weights @ (points - mean) ** 2) / total


def _tilts(points: Float, pmf: Float, n: int) -> list[float]:
    """Values of θ whose tilted means cover the range of the sum, out to masses of about 1e-300."""
    found = [0.0]
    for direction in (1.0, -1.0):
        theta, edge = 0.0, n * (float(points[-1]) if direction > 0 else 0.0)
        while True:
            level, mean, variance = _cumulant(theta, points, pmf)
            target = n * mean + direction * max(_STEP_SD * math.sqrt(n * variance), 1.0)
            if direction * (edge - target) < 0.5:
                target = edge - direction * 0.5
            if direction * (target - n * mean) < 0.25 or n * (level - theta * mean) < -_REACH:
                break
            theta = _tilt_to(target / n, theta, direction, points, pmf)
            found.append(theta)
    return found


def _tilt_to(mean: float, start: float, direction: float, points: Float, pmf: Float) -> float:
    """The θ beyond ``start`` with K'(θ) = mean: bracketed, then Newton with bisection as its safeguard."""
    inner, width = start, 1.0 / float(points[-1])
    while direction * (_cumulant(start + direction * width, points, pmf)[1] - mean) < 0:
        inner, width = start + direction * width, 2 * width
    outer = start + direction * width
    theta = (inner + outer) / 2
    for _ in range(100):
        _, at, variance = _cumulant(theta, points, pmf)
        if abs(at - mean) < 1e-6 * math.sqrt(variance):  # a tilt need not be exact, only known
            break
        if direction * (at - mean) < 0:
            inner = theta
        else:
            outer = theta
        newton = theta + (mean - at) / variance if variance > 0 else math.inf
        theta = newton if min(inner, outer) < newton < max(inner, outer) else (inner + outer) / 2
    return theta


def _tilted_power(theta: float, points: Int, pmf: Float, n: int, length: int) -> tuple[Float, float]:
    """The law of the sum under the tilted pmf, by FFT, and K(θ)."""
    level = _cumulant(theta, points.astype(np.float64), pmf)[0]
    tilted = np.zeros(int(points[-1]) + 1)
    tilted[points] = pmf * np.exp(theta * points - level)
    size = 1 << (length - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(tilted, size) ** n, size)[:length], level
