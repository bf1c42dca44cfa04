"""Student's and Welch's t and the z with known deviation, with intervals and effect sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.significance.textbook.tails import normal_p, normal_quantile, student_p, student_quantile

Degenerate = Literal["", "identical_outputs", "zero_variance", "n_too_small"]
"""Why a statistic says less than it seems to; the empty string if nothing is wrong."""


@dataclass(frozen=True, kw_only=True)
class TTest:
    """A t or z test of a difference of means.

    Attributes:
        statistic: t or z; 0 if all differences are zero, ±inf if they are constant, NaN if there are too few.
        df: degrees of freedom; infinite for z.
        p: p-value on the side of ``alternative``.
        estimate: the difference of means.
        se: its standard error.
        low: lower end of the two-sided interval, whatever the alternative.
        high: upper end.
        level: level of the interval.
        alternative: the side.
        degenerate: reason to distrust the numbers, or the empty string.
    """

    statistic: float
    df: float
    p: float
    estimate: float
    se: float
    low: float
    high: float
    level: float
    alternative: Alternative
    degenerate: Degenerate = ""


def paired_t(differences: Float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Paired t test.

    Null hypothesis H_mean: the expected difference is zero over the population of items.

    t = d̄/(s/√n) with n - 1 degrees of freedom; interval d̄ ± t_{1-α/2} s/√n. Assumes independent items and
    differences near normal or n large (Student 1908).

    Args:
        differences: shape ``(n,)``, system minus baseline.
        alternative: the side.
        level: level of the interval.
    """
    n = differences.size
    mean = float(differences.mean()) if n else math.nan
    se = float(differences.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return t_from(mean, se, n - 1, alternative=alternative, level=level)


def t_from(
    estimate: float,
    se: float,
    df: float,
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    scale: float = 0.0,
) -> TTest:
    """The t test of an estimate with its standard error; ``df`` may be infinite (z) or fractional.

    ``scale`` is the size of the numbers whose difference the estimate is; what is below ten times their rounding error,
    or that of the estimate, is 0.

    Degenerate inputs: estimate 0 with se 0 gives t = 0, p = 1; another estimate with se 0 gives t = ±inf; no
    se or df < 1e-9 gives NaN.
    """
    least = 10 * np.finfo(float).eps * max(abs(estimate), scale)
    if math.isnan(se) or math.isnan(estimate) or not df > 0:
        statistic, p, half = math.nan, math.nan, math.nan
        degenerate: Degenerate = "n_too_small"
    elif se <= least:
        estimate = 0.0 if abs(estimate) <= least else estimate
        statistic = math.copysign(math.inf, estimate) if estimate else 0.0
        p = student_p(statistic, 1.0, alternative) if estimate else 1.0
        half, degenerate = 0.0, "zero_variance" if estimate else "identical_outputs"
    else:
        statistic, degenerate = estimate / se, ""
        p = normal_p(statistic, alternative) if math.isinf(df) else student_p(statistic, df, alternative)
        half = se * (normal_quantile(level) if math.isinf(df) else student_quantile(level, df))
    return TTest(
        statistic=statistic, df=df, p=p, estimate=estimate, se=se, low=estimate - half, high=estimate + half,
        level=level, alternative=alternative, degenerate=degenerate,
    )  # fmt: skip


def paired_z(differences: Float, sigma: float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Paired z test with known σ of the differences.

    Null hypothesis H_mean. z = d̄/(σ/√n).

    Never put an estimated deviation in the place of σ: at n = 10 the size is then .083 instead of .05.

    Raises:
        UsageError: σ is not positive.
    """
    if not sigma > 0:
        raise UsageError(f"sigma={sigma}: a z test needs the known, positive deviation of the differences")
    n = differences.size
    mean = float(differences.mean()) if n else math.nan
    return t_from(mean, sigma / math.sqrt(n) if n else math.nan, math.inf, alternative=alternative, level=level)


def welch(x: Float, y: Float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Welch's t test of two independent samples.

    Null hypothesis: equal means; variances may differ (Welch 1947).

    t = (x̄ - ȳ)/√(s_x²/n + s_y²/m), degrees of freedom by Welch and Satterthwaite.
    """
    parts = [_variance(v) / v.size for v in (x, y)]
    se = math.sqrt(sum(parts))
    below = sum(part**2 / (v.size - 1) for part, v in zip(parts, (x, y), strict=True) if v.size > 1)
    df = se**4 / below if below > 0 else float(x.size + y.size - 2)
    scale = float(max(np.abs(x).max(), np.abs(y).max()))
    return t_from(float(x.mean() - y.mean()), se, df, alternative=alternative, level=level, scale=scale)


def student(x: Float, y: Float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Student's t test of two independent samples.

    Null hypothesis: equal means, equal variances assumed.
    """
    df = x.size + y.size - 2
    squares = sum(float(((v - v.mean()) ** 2).sum()) for v in (x, y))
    se = math.sqrt(squares / df * (1 / x.size + 1 / y.size)) if df > 0 else math.nan
    scale = float(max(np.abs(x).max(), np.abs(y).max()))
    return t_from(float(x.mean() - y.mean()), se, df, alternative=alternative, level=level, scale=scale)


def cohen_dz(differences: Float) -> float:
    """Standardised mean difference of pairs, d̄/s with ddof 1; NaN if it is undefined (n < 2, or no variance)."""
    sd = float(differences.std(ddof=1)) if differences.size > 1 else math.nan
    return float(differences.mean()) / sd if sd > 0 else math.nan


def hedges_gz(differences: Float) -> float:
    """d_z times J(n - 1), which makes it unbiased under normality (Hedges 1981); NaN for n < 3."""
    return cohen_dz(differences) * hedges_j(differences.size - 1) if differences.size > 2 else math.nan


def hedges_j(df: int) -> float:
    """J(m) = Γ(m/2) / (√(m/2) Γ((m - 1)/2)), exactly."""
    from scipy import special

    return math.exp(float(special.gammaln(df / 2) - special.gammaln((df - 1) / 2))) / math.sqrt(df / 2)


def _variance(values: Float) -> float:
    return float(values.var(ddof=1)) if values.size > 1 else math.nan
