"""Confidence intervals from bootstrap replicates, and the test that inverts the studentized one.

Notation: t0 the observed score, t* the replicates, level = 1 - 2α.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.beta import normal_cdf, normal_ppf
from outscore.engine.extreme import Alternative, is_as_extreme

Quantile = Literal[1, 6, 7]
"""Definition of a sample quantile by Hyndman and Fan 1996: 1 inverse cdf, 6 Weibull (default), 7 R's and
numpy's.
"""

_ROUNDING = 1e-12
_NUMPY_NAMES = {1: "inverted_cdf", 6: "weibull", 7: "linear"}


@dataclass(frozen=True)
class Interval:
    """A confidence interval.

    Attributes:
        low: lower end.
        high: upper end.
        level: nominal coverage, 0.95 for instance.
        method: the method that gave the ends; after a fallback not the one that was asked for.
        fallback: why another method stepped in, or the empty string.
    """

    low: float
    high: float
    level: float
    method: str
    fallback: str = ""


@dataclass(frozen=True, kw_only=True)
class BcaConstants:
    """The constants with which BCa adjusts the percentile levels, and the adjusted levels.

    Attributes:
        z0: bias correction, Φ⁻¹((#{t* < t0} + ½ #{t* = t0}) / B).
        acceleration: ΣL³ / (6 (ΣL²)^{3/2}), L_i = mean of the jackknife values minus the i-th.
        low_level: Φ(z0 + (z0 - z) / (1 - a (z0 - z))), before clamping.
        high_level: the same with +z.
    """

    z0: float
    acceleration: float
    low_level: float
    high_level: float


def quantile(values: Float, levels: float | Float, kind: Quantile = 6, axis: int | None = None) -> Float:
    """Sample quantiles of type 1, 6 or 7 (Hyndman & Fan 1996), of all values or along an axis.

    With type 6 choose B so that (B + 1) α is an integer.
    """
    return np.asarray(np.quantile(values, levels, axis=axis, method=_NUMPY_NAMES[kind]))  # type: ignore[call-overload]


def normal(t0: float, replicates: Float, level: float = 0.95, *, bias_corrected: bool = False) -> Interval:
    """t0 ± z·sd*, or t0 - bias ± z·sd* with bias = mean* - t0; sd* with B - 1 (Davison & Hinkley 1997, eq. 5.5)."""
    centre = 2 * t0 - float(replicates.mean()) if bias_corrected else t0
    half = _z(level) * float(replicates.std(ddof=1))
    name = "normal-bias-corrected" if bias_corrected else "normal"
    return Interval(centre - half, centre + half, level, name)


def oconnor(replicates: Float) -> Interval:
    """mean* ± 2 sd*, found in lecture slides; centred on mean* and not on t0, so kept for comparison only.

    Its level is that of two standard deviations of the normal law, .954.
    """
    centre, half = float(replicates.mean()), 2 * float(replicates.std(ddof=1))
    return Interval(centre - half, centre + half, math.erf(math.sqrt(2)), "oconnor")


def percentile(replicates: Float, level: float = 0.95, *, kind: Quantile = 6) -> Interval:
    """[q_α, q_{1-α}] of the replicates (Efron & Tibshirani 1993, §13.3)."""
    low, high = _ends(replicates, level, kind)
    return Interval(low, high, level, "percentile")


def basic(t0: float, replicates: Float, level: float = 0.95, *, kind: Quantile = 6) -> Interval:
    """[2t0 - q_{1-α}, 2t0 - q_α] (Davison & Hinkley 1997, eq. 5.6): t* - t0 is taken for t0 - the truth."""
    low, high = _ends(replicates, level, kind)
    return Interval(2 * t0 - high, 2 * t0 - low, level, "basic")


def bca_constants(
    t0: float, replicates: Float, jackknife: Float, level: float = 0.95, *, slack: float = 0.0
) -> BcaConstants:
    """Bias correction, acceleration and adjusted levels of BCa (Efron 1987; ties split in half).

    The percentile interval is right if some transform of the score is normal around the truth with a constant standard
    deviation. BCa allows for a median off by z0 of them, and for a standard deviation that changes with the truth, at
    the rate a, estimated by a sixth of the skewness of a sum of the influences. The transform need not be known.

    Args:
        t0: observed score.
        replicates: shape ``(B,)``.
        jackknife: shape ``(n,)``, scores without each item in turn.
        level: nominal coverage.
        slack: replicates this close to t0 are equal to it.
    """
    equal = np.abs(replicates - t0) <= slack
    below = float(((replicates < t0) & ~equal).sum()) + float(equal.sum()) / 2
    z0 = normal_ppf(below / replicates.size)
    influence = jackknife.mean() - jackknife
    spread = float((influence**2).sum()) ** 1.5
    acceleration = float((influence**3).sum()) / (6 * spread) if spread > 0 else 0.0
    levels = []
    for z in (-_z(level), _z(level)):
        stretch = 1 - acceleration * (z0 + z)  # beyond its zero the level is the last there is on this side
        levels.append(normal_cdf(z0 + (z0 + z) / stretch) if stretch > 0 else float(z > 0))
    return BcaConstants(z0=z0, acceleration=acceleration, low_level=levels[0], high_level=levels[1])


def bca(
    t0: float,
    replicates: Float,
    jackknife: Float,
    level: float = 0.95,
    *,
    kind: Quantile = 6,
    slack: float = 0.0,
) -> Interval:
    """Bias-corrected and accelerated interval (Efron 1987); arguments as in ``bca_constants``.

    Levels are clamped to [1/(B+1), B/(B+1)]. Where all replicates are equal, or all lie on one side of t0,
    the bias correction is undefined and the percentile interval is given, with the reason in ``fallback``.
    """
    if float(np.ptp(replicates)) <= slack:
        reason = "all replicates are equal"
    elif not bool((replicates < t0 - slack).any()) or bool((replicates < t0 - slack).all()):
        reason = "no replicate, or every one, lies below the observed score"
    else:
        parts = bca_constants(t0, replicates, jackknife, level, slack=slack)
        edge = 1 / (replicates.size + 1)
        levels = np.clip([parts.low_level, parts.high_level], edge, 1 - edge)
        low, high = quantile(replicates, levels, kind)
        return Interval(float(low), float(high), level, "bca")
    low, high = _ends(replicates, level, kind)
    return Interval(
        low=low,
        high=high,
        level=level,
        method="percentile",
        fallback=f"bca: {reason}",
    )


def studentized(
    t0: float,
    se0: float,
    replicates: Float,
    standard_errors: Float,
    level: float = 0.95,
    *,
    kind: Quantile = 6,
) -> Interval:
    """[t0 - q_{1-α} se0, t0 - q_α se0] with the quantiles of (t* - t0)/se* (Hall 1992).

    A t whose law depends little on the truth: one-sided errors of level fall with 1/n, where those of the percentile
    interval fall with 1/√n. The upper quantile makes the lower end, as a t* that is too large is a truth that is too
    small.

    Args:
        t0: observed score.
        se0: its standard error.
        replicates: shape ``(B,)``.
        standard_errors: shape ``(B,)``, se* of each replicate; where it is zero t* is ±inf (0 if t* = t0).
        level: nominal coverage.
        kind: definition of the quantile.
    """
    pivots = _pivots(t0, replicates, standard_errors)
    # An order statistic that is infinite must not be averaged with its neighbour into a NaN.
    finite = np.clip(pivots, -np.finfo(float).max / 4, np.finfo(float).max / 4)
    low, high = _ends(finite, level, kind)
    # what is interpolated between an infinite and a finite one is as good as infinite
    unbounded = max(abs(low), abs(high)) > np.finfo(float).max / 1e6
    if unbounded:
        result = percentile(replicates, level, kind=kind)
        reason = "studentized: too many replicates have standard error zero"
        return Interval(low=result.low, high=result.high, level=level, method="percentile", fallback=reason)
    return Interval(t0 - high * se0, t0 - low * se0, level, "studentized")


def largest_deviation(series: Iterable[tuple[float, Float]]) -> Float:
    """max |t* - t0| / sd* over several scores, of each resample ``(B,)``; what does not vary is left out.

    In standard deviations, so that scores of any unit stand side by side; that they share resamples keeps how they hang
    together.

    Args:
        series: t0 and replicates ``(B,)`` of each score, all from the same resamples; seen one by one.
    """
    largest: Float = np.zeros(1)  # stands for all resamples until a score varies
    for t0, replicates in series:
        error = float(replicates.std(ddof=1))
        # a score that varies by rounding alone does not vary
        if error > _ROUNDING * float(np.abs(replicates).max()):
            largest = np.maximum(largest, np.abs(replicates - t0) / error)
    return largest


def simultaneous(t0: float, replicates: Float, largest: Float, level: float = 0.95) -> Interval:
    """t0 ± c·sd*, c the quantile of the largest deviation: it covers jointly with the others.

    Source: Westfall & Young 1993; Davison & Hinkley 1997, §4.2.4.

    Args:
        t0, replicates: as in ``basic``.
        largest: of all scores that are to be covered together, see ``largest_deviation``.
        level: joint nominal coverage.
    """
    _z(level)  # refuses what is no level
    half = float(quantile(largest, level, 6)) * float(replicates.std(ddof=1))
    return Interval(t0 - half, t0 + half, level, "simultaneous")


def mover(first: Iterable[Any], second: Iterable[Any], r: float | Float = 0.0) -> tuple[Any, Any]:
    """Ends of a difference of two estimates ``(low, value, high)`` that correlate by ``r`` (Zou 2007)."""
    (low, value, high), (least, other, most) = first, second
    apart = np.sqrt(1 - np.square(r))
    down = np.hypot(value - low - r * (most - other), apart * (most - other))
    return value - other - down, value - other + np.hypot(high - value - r * (other - least), apart * (other - least))


def studentized_extreme(
    t0: float,
    se0: float,
    replicates: Float,
    standard_errors: Float,
    *,
    null_value: float = 0.0,
    alternative: Alternative = "two-sided",
    slack: float = 1e-12,
) -> Bool:
    """Which replicates are at least as extreme as observed, t* = (t* - t0)/se*.

    Under H_mean, expected score = ``null_value``.
    """
    observed = float(_pivots(null_value, np.array([t0]), np.array([se0]))[0])
    if observed == 0.0 and se0 == 0.0:
        return np.ones(replicates.size, dtype=bool)  # identical outputs: nothing speaks against the null
    pivots = _pivots(t0, replicates, standard_errors)
    # A replicate without spread counts as extreme, whatever the side: against the null's rejection.
    pivots[standard_errors == 0] = -np.inf if alternative == "less" else np.inf
    return is_as_extreme(pivots, observed, alternative=alternative, slack=slack)


def _z(level: float) -> float:
    if not 0 < level < 1:
        raise UsageError(f"level={level}: expected a number between 0 and 1")
    return normal_ppf((1 + level) / 2)


def _ends(values: Float, level: float, kind: Quantile) -> tuple[float, float]:
    _z(level)  # refuses what is no level
    # 1 - (1 + level)/2 keeps both levels mirror images of each other in floating point.
    upper = (1 + level) / 2
    low, high = quantile(values, np.array([1 - upper, upper]), kind)
    return float(low), float(high)


def _pivots(t0: float, replicates: Float, standard_errors: Float) -> Float:
    """(t* - t0)/se*, ±inf where se* is zero or undefined, and 0 where t* = t0 as well."""
    distance = replicates - t0
    limit = np.where(distance == 0, 0.0, np.copysign(np.inf, distance))
    return np.divide(distance, standard_errors, out=limit, where=standard_errors > 0)
