"""P-values: tails and quantiles of the usual laws, on the side that is asked for, and adjustment step by step."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine import beta
from outscore.engine.beta import normal_cdf, normal_ppf
from outscore.engine.extreme import Alternative


def clip_tiny(p: float) -> float:
    """A tail below the smallest double is small, not impossible."""
    return max(p, math.ulp(0.0))


def normal_p(z: float, alternative: Alternative = "two-sided") -> float:
    """P(Z >= z), P(Z <= z) or P(|Z| >= |z|) for a standard normal Z; NaN for a NaN."""
    signed = {"greater": -z, "less": z, "two-sided": -abs(z)}[alternative]
    return normal_cdf(signed) * (2.0 if alternative == "two-sided" else 1.0)


def student_p(t: float, df: float, alternative: Alternative = "two-sided") -> float:
    """P(T >= t), P(T <= t) or P(|T| >= |t|) for Student's law with ``df`` degrees of freedom; t may be infinite."""
    signed = {"greater": -t, "less": t, "two-sided": -abs(t)}[alternative]
    if math.isinf(signed):
        return float(signed > 0)
    return beta.student_cdf(signed, df) * (2.0 if alternative == "two-sided" else 1.0)


def chi2_p(statistic: float, df: int) -> float:
    """P(X >= statistic) for a χ² law."""
    from scipy import special

    return float(special.chdtrc(df, statistic))


def f_p(statistic: float, df: float, df_within: float) -> float:
    """P(X >= statistic) for an F law; the statistic may be infinite."""
    if math.isnan(statistic) or math.isnan(df) or math.isnan(df_within):
        return math.nan
    whole = df_within + df * statistic
    return beta.beta_cdf(df_within / whole, df_within / 2, df / 2, rest=df * statistic / whole)


def range_p(statistic: float, k: int, df: float) -> float:
    """P(X >= statistic) for the studentized range of k means; ``df`` may be infinite."""
    from scipy import stats

    return min(1.0, max(0.0, float(stats.studentized_range.sf(statistic, k, df))))


@lru_cache(maxsize=1024)  # all pairs of an analysis of variance ask for one
def range_quantile(level: float, k: int, df: float) -> float:
    """The value that the studentized range of k means exceeds with probability 1 - level."""
    from scipy import stats

    return float(stats.studentized_range.ppf(check_level(level), k, df))


def normal_quantile(level: float) -> float:
    """The z of a two-sided interval: Φ⁻¹((1 + level)/2)."""
    return normal_ppf((1 + check_level(level)) / 2)


def student_quantile(level: float, df: float) -> float:
    """The t of a two-sided interval of Student's law."""
    return beta.student_quantile(check_level(level), df)


def check_level(level: float) -> float:
    """The level itself.

    Raises:
        UsageError: it is not strictly between 0 and 1.
    """
    if not 0 < level < 1:
        raise UsageError(f"level={level}: expected a number between 0 and 1, such as 0.95")
    return level


def holm(p: Float) -> Float:
    """Step-down Bonferroni: family-wise error under any dependence (Holm 1979)."""
    return step_down(p, lambda ordered, left: np.minimum(1.0, left * ordered))


def step_down(p: Float, bound: Callable[[Float, Float], Float]) -> Float:
    """Adjusted p-values ``(m,)`` in the order of the raw ones, monotone and at most 1.

    Args:
        bound: p-values in increasing order, and how many hypotheses are left at each, to single-step bounds.
    """
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1, dtype=np.float64)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(bound(p[order], left)))
    return adjusted
