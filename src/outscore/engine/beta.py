"""The normal and the beta law, and with it the binomial and Student's, from the standard library.

``scipy.special`` takes as long to import as numpy does, and a comparison of right and wrong answers asks it for four
numbers. The regularised incomplete beta function is a continued fraction (Didonato & Morris 1992) by Lentz's method;
the factor in front is a binomial probability by its saddle-point expansion (Loader 2000), which loses no digits where
the counts are large.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from outscore.base.arrays import Float

_EXACT = 1000
"""Sizes below which a binomial tail is summed in whole numbers."""

_ROUNDING = 2.0**-52
_TINY = 1e-300
_NEAR = 1e-10  # the step after so small a one is below rounding
_FARTHEST = 700.0  # the largest logarithm of odds that are doubles


_STANDARD = NormalDist()


def normal_cdf(z: float) -> float:
    """Φ(z), accurate in both tails."""
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_ppf(p: float) -> float:
    """Φ⁻¹(p); ±inf at 0 and 1."""
    if p <= 0 or p >= 1:
        return math.copysign(math.inf, p - 0.5)
    return _STANDARD.inv_cdf(p)


@lru_cache(maxsize=64)  # tests of one table ask for the same tail several times
def binomial_cdf(k: int, n: int) -> float:
    """P(X <= k) for X ~ Binomial(n, ½)."""
    if k >= n:
        return 1.0
    if k < 0:
        return 0.0
    if n >= _EXACT:
        return beta_cdf(0.5, n - k, k + 1)
    term = total = 1
    for i in range(k):
        term = term * (n - i) // (i + 1)
        total += term
    return total / (1 << n)


def student_cdf(t: float, df: float) -> float:
    """P(T <= t) for Student's law with ``df`` degrees of freedom, accurate in the lower tail; both may be infinite."""
    if math.isnan(t) or math.isnan(df) or df <= 0:
        return math.nan
    if math.isinf(t) or math.isinf(df):
        return normal_cdf(t)
    square = t * t
    two_tails = _lower_tail(df / 2, 0.5, df / (df + square), square / (df + square))
    return two_tails / 2 if t < 0 else 1 - two_tails / 2


def beta_cdf(x: float, a: float, b: float, rest: float | None = None) -> float:
    """P(X <= x) for X ~ Beta(a, b); ``rest`` is 1 - x, where the caller knows it better."""
    return 0.0 if x <= 0 else 1.0 if x >= 1 and not rest else _lower_tail(a, b, x, 1 - x if rest is None else rest)


def beta_ppf(p: float, a: float, b: float) -> float:
    """The x below which Beta(a, b) has the probability ``p``."""
    return float(p > 0) if p <= 0 or p >= 1 else 1 / (1 + math.exp(-_log_odds(p, a, b)))


@lru_cache(maxsize=1024)  # simulations ask for one quantile on every data set
def student_quantile(level: float, df: float) -> float:
    """The t that |T| stays below with the probability ``level``: T²/df are the odds of Beta(½, df/2)."""
    return math.sqrt(df * math.exp(_log_odds(level, 0.5, df / 2)))


def _log_odds(p: float, a: float, b: float) -> float:
    """log(x/(1 - x)) of the quantile x: Newton's steps on the logarithm of the smaller tail.

    The steps halve the bracket where they would leave it.
    """
    if p > 0.5:
        return -_log_odds(1 - p, b, a)
    low, high, at = -_FARTHEST, _FARTHEST, _near_quantile(p, a, b)
    while True:
        x, y = 1 / (1 + math.exp(-at)), 1 / (1 + math.exp(at))
        tail, density = _lower_tail(a, b, x, y), _density(a, b, x, y)
        low, high = (low, at) if tail > p else (at, high)
        step = tail * math.log(tail / p) / density if tail > 0 and density > 0 else math.inf
        if abs(step) <= _NEAR:
            return at - step
        if high - low <= _NEAR:
            return at
        at = at - step if low < at - step < high else (low + high) / 2


def _near_quantile(p: float, a: float, b: float) -> float:
    """Log odds near the quantile: of Student's law by Fisher & Cornish 1960, else by Abramowitz & Stegun, 26.5.22."""
    if b == 0.5 and a >= 1:
        n, z = 2 * a, -normal_ppf(p / 2)
        t = z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        return math.log(n / (t + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)) ** 2)
    if min(a, b) < 1:
        return math.log(a / b)
    y, c, d = -normal_ppf(p), 1 / (2 * a - 1), 1 / (2 * b - 1)
    h, part = 2 / (c + d), (y * y - 3) / 6
    root = math.sqrt(max(h + part, 0.0))
    return math.log(a / b) - 2 * (y * root / h - (d - c) * (part + 5 / 6 - 2 / (3 * h)))


def _lower_tail(a: float, b: float, x: float, y: float) -> float:
    """I_x(a, b), with y = 1 - x, which the caller may know better."""
    if x > (a + 1) / (a + b + 2):
        return 1 - _lower_tail(b, a, y, x) if y > 0 else 1.0
    return _density(a, b, x, y) / _continued_fraction(a, b, x, y) if x > 0 else 0.0


def _density(a: float, b: float, x: float, y: float) -> float:
    """x^a y^b / B(a, b), through C(a + b, a) x^a y^b."""
    n = a + b
    exponent = _stirling_error(n) - _stirling_error(a) - _stirling_error(b) - _deviance(a, n * x) - _deviance(b, n * y)
    return math.exp(exponent) * math.sqrt(a * b / (2 * math.pi * n))


def _continued_fraction(a: float, b: float, x: float, y: float) -> float:
    """Didonato & Morris 1992, eq. 9: x^a y^b / B(a, b) over the tail, where x lies below the mean."""
    d, m = 0.0, 0
    value = c = _away_from_zero(a * (a * y - b * x + 1) / (a + 1))
    while True:
        m += 1
        between = a + 2 * m - 1
        over = (a + m - 1) * (a + b + m - 1) * m * (b - m) * x * x / (between * between)
        under = m + m * (b - m) * x / between + (a + m) * (a * y - b * x + 1 + m * (2 - x)) / (between + 2)
        d = 1 / _away_from_zero(under + over * d)
        c = _away_from_zero(under + over / c)
        value *= c * d
        if abs(c * d - 1) < _ROUNDING:
            return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def _stirling_error(n: float) -> float:
    """log Γ(n + 1) less Stirling's formula for it."""
    if n < 16:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2
    square = n * n
    series = 1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square
    return series / n


def _deviance(x: float, mean: float) -> float:
    """x log(x/mean) + mean - x, without cancellation where x is near the mean."""
    far = x - mean
    if abs(far) >= 0.1 * (x + mean):
        return x * math.log(x / mean) - far
    v = far / (x + mean)
    total, term, k = far * v, 2 * x * v, 1
    while True:
        term *= v * v
        k += 2
        new = total + term / k
        if new == total:
            return total
        total = new


_GRID = np.sinh(np.linspace(0.0, math.asinh(1e4), 2**11))  # statistics whose normal ones are computed
_PART = 2**7  # of the grid, computed at once


def student_to_normal(t: Float, df: int) -> Float:
    """Normal statistics ``(m,)`` with the p-values of these statistics of Student's law."""
    return np.array([-normal_ppf(student_cdf(-one, df)) for one in t.tolist()])


def student_to_normal_by_table(t: Float, df: int) -> Float:
    """As ``student_to_normal`` of many statistics, from a table; those beyond it, as without a standard error, are
    infinite."""
    sizes = np.abs(t)
    largest = float(sizes.max(initial=0.0, where=sizes <= _GRID[-1]))
    parts = int(np.searchsorted(_GRID, largest)) // _PART + 1
    found = np.interp(sizes, _GRID[: parts * _PART], _table(df, parts), right=np.inf)
    return np.asarray(np.copysign(found, t))


@lru_cache(maxsize=256)  # simulations ask for one table on every data set
def _table(df: int, parts: int) -> Float:
    """The normal statistics of the first parts of the grid: the farthest are seldom asked for, and cost as much."""
    before = [_table(df, parts - 1)] if parts > 1 else []
    return np.concatenate([*before, student_to_normal(_GRID[(parts - 1) * _PART : parts * _PART], df)])
