"""The beta law, and with it the binomial and Student's, from the standard library.

``scipy.special`` takes as long to import as numpy does, and a comparison of right and wrong answers asks it for four
numbers. The regularised incomplete beta function is a continued fraction (Didonato & Morris 1992) by Lentz's method;
the factor in front is a binomial probability by its saddle-point expansion (Loader 2000), which loses no digits where
the counts are large.
"""

from __future__ import annotations

import math

from outscore.engine.normal import normal_cdf, normal_ppf

_EXACT = 1000
"""Sizes below which a binomial tail is summed in whole numbers."""

_ROUNDING = 2.0**-52
_TINY = 1e-300
_STEPS = 1100  # halving alone comes through all doubles in so many


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


def beta_cdf(x: float, a: float, b: float) -> float:
    """P(X <= x) for X ~ Beta(a, b)."""
    return 0.0 if x <= 0 else 1.0 if x >= 1 else _lower_tail(a, b, x, 1 - x)


def beta_ppf(p: float, a: float, b: float) -> float:
    """The x below which Beta(a, b) has the probability ``p``: Newton's steps, halving where they leave the bracket."""
    if p <= 0 or p >= 1:
        return float(p > 0)
    low, high = 0.0, 1.0
    x = min(max(_first_guess(p, a, b), _TINY), 1 - _ROUNDING)
    for _ in range(_STEPS):
        excess = beta_cdf(x, a, b) - p
        if abs(excess) <= 2 * _ROUNDING * p:
            return x
        low, high = (low, x) if excess > 0 else (x, high)
        density = _density(a, b, x, 1 - x) / (x * (1 - x))
        step = excess / density if density else math.inf
        moved = x - step if low < x - step < high else (low + high) / 2
        if abs(moved - x) <= 2 * _ROUNDING * x:
            return moved
        x = moved
    return x


def _first_guess(p: float, a: float, b: float) -> float:
    """Abramowitz & Stegun 26.5.22; for parameters below 1 the power law at the nearer end."""
    if min(a, b) > 1:
        z = -normal_ppf(p)
        r = (z * z - 3) / 6
        s, t = 1 / (2 * a - 1), 1 / (2 * b - 1)
        h = 2 / (s + t)
        w = z * math.sqrt(h + r) / h - (t - s) * (r + 5 / 6 - 2 / (3 * h)) if h + r > 0 else 0.0
        return a / (a + b * math.exp(min(2 * w, 700.0)))
    whole = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    below = beta_cdf(a / (a + b), a, b)
    if p < below:
        return math.exp(min((math.log(p * a) + whole) / a, 0.0))
    return 1 - math.exp(min((math.log((1 - p) * b) + whole) / b, 0.0))


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
