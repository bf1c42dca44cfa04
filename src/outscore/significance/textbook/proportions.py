"""Intervals for one proportion, for a difference of paired proportions, and tests of two independent ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.significance.textbook.tails import checked_level, normal_p, normal_quantile

Ends = tuple[float, float]

# --- one proportion ----------------------------------------------------------------------------------------


def wald(x: int, n: int, level: float = 0.95) -> Ends:
    """p̂ ± z √(p̂(1 - p̂)/n), not clipped; its coverage near 0 and 1 is poor (Laplace 1812)."""
    _check(x, n)
    p = x / n
    half = normal_quantile(level) * math.sqrt(p * (1 - p) / n)
    return p - half, p + half


def wilson(x: int, n: int, level: float = 0.95) -> Ends:
    """Score interval: the p with |p̂ - p| <= z √(p(1 - p)/n) (Wilson 1927; Newcombe 1998a, method 3)."""
    _check(x, n)
    return wilson_of(x / n, n, normal_quantile(level))


def wilson_of(share: float, n: float, z: float) -> Ends:
    """Wilson's interval of a share of ``n`` effective items at any quantile ``z``, Student's for instance."""
    scale = 1 + z * z / n
    centre = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - half) / scale if share > 0 else 0.0, (centre + half) / scale if share < 1 else 1.0


def logit_of(share: float, n: float, t: float) -> Ends:
    """logit⁻¹(logit p̂ ± t/√(n p̂(1 - p̂))) of a share between 0 and 1 of ``n`` effective items, n = p̂(1 - p̂)/V.

    Source: Korn & Graubard 1998; R's svyciprop.
    """
    from scipy import special

    centre, half = float(special.logit(share)), t / math.sqrt(n * share * (1 - share))
    return float(special.expit(centre - half)), float(special.expit(centre + half))


def wilson_cc(x: int, n: int, level: float = 0.95) -> Ends:
    """Score interval with continuity correction (Newcombe 1998a, method 4)."""
    _check(x, n)
    z = normal_quantile(level)
    p, scale = x / n, 2 * (n + z * z)

    def end(sign: int) -> float:
        inner = z * z - sign * 2 - 1 / n + 4 * p * (n * (1 - p) + sign)
        return (2 * n * p + z * z - sign * (1 + z * math.sqrt(inner))) / scale

    return end(1) if x else 0.0, end(-1) if x < n else 1.0


def clopper_pearson(x: int, n: int, level: float = 0.95) -> Ends:
    """Exact interval by inverting both binomial tails (Clopper & Pearson 1934)."""
    from scipy import special

    _check(x, n)
    alpha = (1 - checked_level(level)) / 2
    low = float(special.betaincinv(x, n - x + 1, alpha)) if x else 0.0
    return low, float(special.betaincinv(x + 1, n - x, 1 - alpha)) if x < n else 1.0


def agresti_coull(x: int, n: int, level: float = 0.95) -> Ends:
    """Wald interval after adding z²/2 successes and failures (Agresti & Coull 1998), not clipped."""
    _check(x, n)
    z = normal_quantile(level)
    size = n + z * z
    p = (x + z * z / 2) / size
    half = z * math.sqrt(p * (1 - p) / size)
    return p - half, p + half


def jeffreys(x: int, n: int, level: float = 0.95) -> Ends:
    """Equal-tailed Beta(x + ½, n - x + ½) interval, 0 and 1 as ends at x = 0 and n (Brown, Cai & DasGupta 2001)."""
    from scipy import special

    _check(x, n)
    alpha = (1 - checked_level(level)) / 2
    low, high = special.betaincinv(x + 0.5, n - x + 0.5, [alpha, 1 - alpha])
    return float(low) if x else 0.0, float(high) if x < n else 1.0


PROPORTION_INTERVALS: dict[str, Callable[[int, int, float], Ends]] = {
    "wald": wald, "wilson": wilson, "wilson-cc": wilson_cc, "clopper-pearson": clopper_pearson,
    "agresti-coull": agresti_coull, "jeffreys": jeffreys,
}  # fmt: skip

# --- the same items twice: b right only for the system, c right only for the baseline, n items --------------


def paired_wald(b: int, c: int, n: int, level: float = 0.95) -> Ends:
    """(b - c)/n ± z √(b + c - (b - c)²/n)/n; too narrow where b + c is small."""
    _check(b + c, n)
    half = normal_quantile(level) * math.sqrt(b + c - (b - c) ** 2 / n) / n
    return (b - c) / n - half, (b - c) / n + half


def bonett_price(b: int, c: int, n: int, level: float = 0.95) -> Ends:
    """Wald interval after adding one to both discordant counts (Bonett & Price 2012), not clipped."""
    _check(b + c, n)
    p, q = (b + 1) / (n + 2), (c + 1) / (n + 2)
    half = normal_quantile(level) * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return p - q - half, p - q + half


def tango(b: int, c: int, n: int, level: float = 0.95) -> Ends:
    """Score interval for a paired difference (Tango 1998): the D with |b - c - nD| <= z √(n(2q̂ + D(1 - D))).

    q̂ is the restricted maximum-likelihood estimate of P(baseline only) at difference D, by his quadratic.
    Stays informative without discordant pairs: ±z²/(n + z²).
    """
    _check(b + c, n)
    z = normal_quantile(level)
    return _tango_low(b, c, n, z), -_tango_low(c, b, n, z)


def tango_score(b: float, c: float, n: float, delta: float) -> float:
    """z of the score test.

    Null hypothesis: P(system only) - P(baseline only) = D, here ``delta`` (Tango 1998).

    (b - c - nD)/√(n(2q̂ + D(1 - D))); infinite where D leaves no variance, 0 where it leaves no distance either.
    """
    error = math.sqrt(n * tango_spread(b, c, n, delta))
    distance = b - c - n * delta
    return distance / error if error else math.copysign(math.inf, distance) if distance else 0.0


def tango_spread(b: float, c: float, n: float, delta: float) -> float:
    """2q̂ + D(1 - D), the variance of one item's difference where its expectation is D, here ``delta``."""
    linear = -b - c + (2 * n - b + c) * delta
    root = math.sqrt(max(linear**2 + 8 * n * c * delta * (1 - delta), 0.0))
    return max((root - linear) / (2 * n) + delta * (1 - delta), 0.0)


def _tango_low(b: float, c: float, n: int, z: float) -> float:
    """Lower end of Tango's interval: the D below (b - c)/n whose score is ``z``."""
    return border(lambda delta: tango_score(b, c, n, delta) > z, -1.0, (b - c) / n)


def border(before: Callable[[float], bool], low: float, high: float) -> float:
    """Where, between ``low`` and ``high``, ``before`` turns false, to the last digit."""
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if before(middle) else (low, middle)
    return middle


def newcombe_paired(both: int, b: int, c: int, n: int, level: float = 0.95) -> Ends:
    """Hybrid score interval of a paired difference: both Wilson intervals, joined by the correlation φ of the table.

    Its numerator is corrected for continuity where it is positive (Newcombe 1998c, method 10).

    Args:
        both: items that both systems got right; b only the system, c only the baseline, of n.
    """
    _check(both + b + c, n)
    neither = n - both - b - c
    p, q = (both + b) / n, (both + c) / n
    (low1, high1), (low2, high2) = wilson(both + b, n, level), wilson(both + c, n, level)
    margins = (both + b) * (c + neither) * (both + c) * (b + neither)
    product = both * neither - b * c
    moved = product if product < 0 else max(product - n / 2, 0.0)
    phi = moved / math.sqrt(margins) if margins else 0.0

    def distance(own: float, other: float) -> float:
        return math.sqrt(max(own**2 - 2 * phi * own * other + other**2, 0.0))

    return p - q - distance(p - low1, high2 - q), p - q + distance(high1 - p, q - low2)


def prob_better(b: int, c: int, prior: float = 1.0) -> float:
    """P(π10 > π01) with a Dirichlet(prior, ...) on the paired 2×2 table: P(Beta(b + prior, c + prior) > ½)."""
    from scipy import special

    return float(special.betainc(c + prior, b + prior, 0.5))


# --- two independent samples: x1 of n1 against x2 of n2 -----------------------------------------------------

TwoMethod = Literal["fisher", "chi2", "chi2-yates", "z"]


@dataclass(frozen=True, kw_only=True)
class TwoProportionsResult:
    """A test of two independent proportions.

    Attributes:
        statistic: χ² for the chi2 methods, z for z, the odds ratio of the table for fisher; NaN if it is 0/0.
        p: p-value on the side of ``alternative``.
        estimate: x1/n1 - x2/n2.
        low: lower end of Newcombe's hybrid score interval.
        high: upper end.
        level: level of the interval.
        method: the method.
        alternative: the side.
    """

    statistic: float
    p: float
    estimate: float
    low: float
    high: float
    level: float
    method: TwoMethod
    alternative: Alternative


def two_proportions(
    x1: int,
    n1: int,
    x2: int,
    n2: int,
    *,
    method: TwoMethod = "fisher",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TwoProportionsResult:
    """Test of two independent proportions.

    Null hypothesis: both are equal. Wrong for systems on the same items.

    ``fisher``: conditional on the margins, two-sided by least likely tables (Fisher 1935; R); ``z``: pooled;
    ``chi2``: its square; ``chi2-yates``: with |x - E| reduced by up to ½. One-sided chi2 takes the signed
    root.

    Raises:
        UsageError: counts outside 0..n, or an unknown method.
    """
    _check(x1, n1)
    _check(x2, n2)
    z = _pooled_z(x1, n1, x2, n2, yates=method == "chi2-yates")
    if method == "fisher":
        odds = x1 * (n2 - x2), (n1 - x1) * x2
        statistic = odds[0] / odds[1] if odds[1] else (math.inf if odds[0] else math.nan)
        p = fisher_p(x1, n1, x2, n2, alternative)
    elif method in ("chi2", "chi2-yates", "z"):
        statistic = z if method == "z" else z * z
        p = 1.0 if math.isnan(z) else normal_p(z, alternative)
    else:
        raise UsageError(f"method={method!r}: expected fisher, chi2, chi2-yates or z")
    low, high = newcombe(x1, n1, x2, n2, level)
    return TwoProportionsResult(
        statistic=statistic, p=p, estimate=x1 / n1 - x2 / n2, low=low, high=high, level=level, method=method,
        alternative=alternative,
    )  # fmt: skip


def fisher_p(x1: int, n1: int, x2: int, n2: int, alternative: Alternative = "two-sided") -> float:
    """Fisher's exact p: x1 is hypergeometric given the margins.

    Two-sided it sums the tables no likelier than the observed one.
    """
    right = x1 + x2
    k = np.arange(max(0, right - n2), min(n1, right) + 1)
    log_mass = _log_binom(n1, k) + _log_binom(n2, right - k)
    mass = np.exp(log_mass - log_mass.max())
    mass /= mass.sum()
    if alternative == "two-sided":
        # R's guard: tables within 1e-7 of the observed probability are ties
        return min(1.0, float(mass[mass <= mass[k == x1] * (1 + 1e-7)].sum()))
    return min(1.0, float(mass[k >= x1 if alternative == "greater" else k <= x1].sum()))


def two_wald(x1: int, n1: int, x2: int, n2: int, level: float = 0.95) -> Ends:
    """Difference ± z times the unpooled standard error."""
    p, q = x1 / n1, x2 / n2
    half = normal_quantile(level) * math.sqrt(p * (1 - p) / n1 + q * (1 - q) / n2)
    return p - q - half, p - q + half


def newcombe(x1: int, n1: int, x2: int, n2: int, level: float = 0.95) -> Ends:
    """Hybrid score interval of a difference of independent proportions (Newcombe 1998b, method 10)."""
    p, q = x1 / n1, x2 / n2
    (low1, high1), (low2, high2) = wilson(x1, n1, level), wilson(x2, n2, level)
    return p - q - math.hypot(p - low1, high2 - q), p - q + math.hypot(high1 - p, q - low2)


def _pooled_z(x1: int, n1: int, x2: int, n2: int, *, yates: bool) -> float:
    """(p1 - p2)/√(p(1 - p)(1/n1 + 1/n2)); with Yates |x1 - E| is first reduced by min(½, |x1 - E|)."""
    p = (x1 + x2) / (n1 + n2)
    if p in (0.0, 1.0):
        return math.nan
    distance = x1 - n1 * p
    reduced = math.copysign(max(abs(distance) - 0.5, 0.0), distance) if yates else distance
    return reduced * (1 / n1 + 1 / n2) / math.sqrt(p * (1 - p) * (1 / n1 + 1 / n2))


def _log_binom(n: int, k: Int) -> Float:
    from scipy import special

    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))


def _check(x: int, n: int) -> None:
    if not 0 <= x <= n or n < 1:
        raise UsageError(f"{x} of {n}: expected 0 <= x <= n and n >= 1")
