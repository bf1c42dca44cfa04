"""Intervals of one proportion, of a difference of paired ones, in clusters too, and of two independent ones."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.beta import beta_ppf
from outscore.engine.extreme import Alternative
from outscore.metrics import safe_ratio
from outscore.significance.means import TTest, cluster_t
from outscore.significance.p_values import check_level, normal_quantile, student_p, student_quantile

Ends = tuple[float, float]

# --- one proportion ----------------------------------------------------------------------------------------


def wald(x: int, n: int, level: float = 0.95) -> Ends:
    """p̂ ± z √(p̂(1 - p̂)/n), not clipped; its coverage near 0 and 1 is poor (Laplace 1812)."""
    check_counts(x, n)
    p = x / n
    half = normal_quantile(level) * math.sqrt(p * (1 - p) / n)
    return p - half, p + half


def wilson(x: int, n: int, level: float = 0.95) -> Ends:
    """Score interval: the p with |p̂ - p| <= z √(p(1 - p)/n) (Wilson 1927; Newcombe 1998a, method 3)."""
    check_counts(x, n)
    return wilson_of(x / n, n, normal_quantile(level))


def wilson_of(share: float, n: float, z: float) -> Ends:
    """Wilson's interval of a proportion of ``n`` effective items at any quantile ``z``, Student's for instance."""
    scale = 1 + z * z / n
    centre = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - half) / scale if share > 0 else 0.0, (centre + half) / scale if share < 1 else 1.0


def logit_of(share: float, n: float, t: float) -> Ends:
    """logit⁻¹(logit p̂ ± t/√(n p̂(1 - p̂))) of a proportion between 0 and 1 of ``n`` effective items, n = p̂(1 - p̂)/V.

    Source: Korn & Graubard 1998; R's svyciprop.
    """
    odds, half = share / (1 - share), min(t / math.sqrt(n * share * (1 - share)), 700.0)  # e to the 710 is no number
    return 1 / (1 + math.exp(half) / odds), 1 / (1 + math.exp(-half) / odds)


def worth_of(numerators: Float, denominators: Float) -> tuple[Float, Float, Float]:
    """Ratios of sums over units ``(n, ...)``, what each unit adds to them, and as how many items they vary."""
    totals = denominators.sum(axis=0)
    ratios = np.clip(safe_ratio(numerators.sum(axis=0), totals), 0.0, 1.0)
    adds = safe_ratio(numerators - ratios * denominators, totals)
    return ratios, adds, safe_ratio(ratios * (1 - ratios), (adds**2).sum(axis=0))


def wilson_cc(x: int, n: int, level: float = 0.95) -> Ends:
    """Score interval with continuity correction (Newcombe 1998a, method 4)."""
    check_counts(x, n)
    z = normal_quantile(level)
    p, scale = x / n, 2 * (n + z * z)

    def end(sign: int) -> float:
        inner = z * z - sign * 2 - 1 / n + 4 * p * (n * (1 - p) + sign)
        return (2 * n * p + z * z - sign * (1 + z * math.sqrt(inner))) / scale

    return end(1) if x else 0.0, end(-1) if x < n else 1.0


def clopper_pearson(x: int, n: int, level: float = 0.95, *, many: bool = False) -> Ends:
    """Exact interval by inverting both binomial tails (Clopper & Pearson 1934).

    Args:
        many: it is one of many, for which scipy is imported: it takes a fiftieth of the time.
    """
    check_counts(x, n)
    alpha, ppf = (1 - check_level(level)) / 2, beta_ppf
    if many:
        from scipy.special import betaincinv

        def ppf(p: float, a: float, b: float) -> float:
            return float(betaincinv(a, b, p))

    low = ppf(alpha, x, n - x + 1) if x else 0.0
    return low, ppf(1 - alpha, x + 1, n - x) if x < n else 1.0


def agresti_coull(x: int, n: int, level: float = 0.95) -> Ends:
    """Wald interval after adding z²/2 successes and failures (Agresti & Coull 1998), not clipped."""
    check_counts(x, n)
    z = normal_quantile(level)
    size = n + z * z
    p = (x + z * z / 2) / size
    half = z * math.sqrt(p * (1 - p) / size)
    return p - half, p + half


def jeffreys(x: int, n: int, level: float = 0.95) -> Ends:
    """Equal-tailed Beta(x + ½, n - x + ½) interval, 0 and 1 as ends at x = 0 and n (Brown, Cai & DasGupta 2001)."""
    check_counts(x, n)
    alpha = (1 - check_level(level)) / 2
    low, high = (beta_ppf(p, x + 0.5, n - x + 0.5) for p in (alpha, 1 - alpha))
    return low if x else 0.0, high if x < n else 1.0


PROPORTION_INTERVALS: dict[str, Callable[[int, int, float], Ends]] = {
    "wald": wald, "wilson": wilson, "wilson-cc": wilson_cc, "clopper-pearson": clopper_pearson,
    "agresti-coull": agresti_coull, "jeffreys": jeffreys,
}  # fmt: skip

_SECANTS = 20
_NEAR = 1e-13  # the secant's last step, within which bisection goes on to the last digit

# --- the same items twice: b right only for the system, c right only for the baseline, n items -------------


def paired_wald(b: int, c: int, n: int, level: float = 0.95) -> Ends:
    """(b - c)/n ± z √(b + c - (b - c)²/n)/n; too narrow where b + c is small."""
    check_counts(b + c, n)
    half = normal_quantile(level) * math.sqrt(b + c - (b - c) ** 2 / n) / n
    return (b - c) / n - half, (b - c) / n + half


def bonett_price(b: int, c: int, n: int, level: float = 0.95) -> Ends:
    """Wald interval after adding one to both discordant counts (Bonett & Price 2012), not clipped."""
    check_counts(b + c, n)
    p, q = (b + 1) / (n + 2), (c + 1) / (n + 2)
    half = normal_quantile(level) * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return p - q - half, p - q + half


def tango(b: float, c: float, n: float, level: float = 0.95) -> Ends:
    """Score interval for a paired difference (Tango 1998): the D with |b - c - nD| <= z √(n(2q̂ + D(1 - D))).

    q̂ is the restricted maximum-likelihood estimate of P(baseline only) at difference D, by his quadratic.
    Stays informative without discordant pairs: ±z²/(n + z²).
    """
    check_counts(b + c, n)
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


def _tango_low(b: float, c: float, n: float, z: float) -> float:
    """Lower end of Tango's interval: the D below (b - c)/n whose score is ``z``."""

    def before(delta: float) -> bool:
        return tango_score(b, c, n, delta) > z

    low, high = -1.0, (b - c) / n
    near, far = high - z * math.sqrt((b + c + 1) / n / n), high
    of_near, of_far = (tango_score(b, c, n, at) - z for at in (near, far))
    for _ in range(_SECANTS):
        if not -1.0 < near < high or of_near == of_far:
            return border(before, low, high)
        near, of_near, far, of_far = near - of_near * (near - far) / (of_near - of_far), 0.0, near, of_near
        of_near = tango_score(b, c, n, near) - z
        if abs(near - far) <= _NEAR:
            break
    ends = near - _NEAR, near + _NEAR
    return border(before, *(ends if before(ends[0]) and not before(ends[1]) else (low, high)))


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
    check_counts(both + b + c, n)
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


@dataclass(frozen=True)
class ClusteredProportions:
    """Score tests of a paired difference of proportions whose items come in clusters, and the interval that they make.

    Between 0 and the estimate the variance is CR2's, so that the p-value of no difference is that of ``cluster_t``.
    Beyond them it changes with the difference as the restricted variance of Tango's (1998) score does, so that no
    difference below -1 or above 1 is left. Where the clusters show no variance the effective number of items is that of
    the clusters, as if each were one item.

    Attributes:
        b: items that only the system has right; c: only the baseline; n: all items.
        n_clusters: clusters, two or more.
        found: CR2 t test of the difference.
    """

    b: int
    c: int
    n: int
    n_clusters: int
    found: TTest

    @property
    def n_effective(self) -> float:
        """Independent items with the same variance; as many as clusters where these show none."""
        if self.found.degenerate:
            return self.n_clusters
        return tango_spread(self.b, self.c, self.n, self.found.estimate) / self.found.se**2

    def statistic(self, delta: float) -> float:
        """z of the score test of a difference ``delta``; infinite where it leaves no variance."""
        if self.found.degenerate:
            share = self.n_clusters / self.n
            return tango_score(self.b * share, self.c * share, self.n_clusters, delta)
        d = self.found.estimate
        near = min(max(delta, min(0.0, d)), max(0.0, d))
        spread, own = (tango_spread(self.b, self.c, self.n, at) for at in (delta, near))
        distance = d - delta
        return distance / (self.found.se * math.sqrt(spread / own)) if spread else math.copysign(math.inf, distance)

    def p(self, delta: float, alternative: Alternative) -> float:
        """p-value of a difference ``delta``."""
        return student_p(self.statistic(delta), self.found.df, alternative)

    def ends(self, level: float) -> Ends:
        """All differences that the two-sided test at 1 - level does not reject."""
        t = student_quantile(level, self.found.df)
        d = (self.b - self.c) / self.n
        return border(lambda at: self.statistic(at) > t, -1.0, d), border(lambda at: self.statistic(at) >= -t, d, 1.0)


def clustered_proportions(b: int, c: int, differences: Float, labels: Array) -> ClusteredProportions:
    """The score tests of right or wrong items in two clusters or more.

    Args:
        b, c: as in ``ClusteredProportions``.
        differences: shape ``(n,)``, 1, 0 or -1.
        labels: shape ``(n,)``, cluster of each item.
    """
    return ClusteredProportions(b, c, differences.size, np.unique(labels).size, cluster_t(differences, labels))


# --- two independent samples: x1 of n1 against x2 of n2 ----------------------------------------------------


def newcombe(x1: int, n1: int, x2: int, n2: int, level: float = 0.95) -> Ends:
    """Hybrid score interval of a difference of independent proportions (Newcombe 1998b, method 10)."""
    p, q = x1 / n1, x2 / n2
    (low1, high1), (low2, high2) = wilson(x1, n1, level), wilson(x2, n2, level)
    return p - q - math.hypot(p - low1, high2 - q), p - q + math.hypot(high1 - p, q - low2)


def check_counts(x: float, n: float) -> None:
    if not 0 <= x <= n or n < 1:
        raise UsageError(f"{x} of {n}: expected 0 <= x <= n and n >= 1")
