"""Means of independent items, of items in clusters (sandwich, CR2) and of two samples: errors, t tests, intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.extreme import Alternative
from outscore.significance import notes
from outscore.significance.p_values import normal_p, normal_quantile, student_p, student_quantile

_ROUNDING = 1e-12

Degenerate = Literal["", "identical_outputs", "zero_variance", "n_too_small"]
"""Why a statistic says less than it seems to; the empty string if nothing is wrong."""


@dataclass(frozen=True, kw_only=True)
class TTest:
    """A t or z test of a difference of means.

    Attributes:
        statistic: t or z; 0 if all differences are zero, ±inf if they are constant, NaN if there are too few.
        df: degrees of freedom; infinite for z.
        p: p-value on the side that was asked for.
        estimate: the difference of means.
        se: its standard error.
        low: lower end of the two-sided interval, whatever the alternative.
        high: upper end.
        degenerate: reason to distrust the numbers, or the empty string.
    """

    statistic: float
    df: float
    p: float
    estimate: float
    se: float
    low: float
    high: float
    degenerate: Degenerate = ""


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
        degenerate=degenerate,
    )  # fmt: skip


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


def welch(x: Float, y: Float, *, alternative: Alternative = "two-sided", level: float = 0.95) -> TTest:
    """Welch's t test of two independent samples.

    Null hypothesis: equal means; variances may differ (Welch 1947).

    t = (x̄ - ȳ)/√(s_x²/n + s_y²/m), degrees of freedom by Welch and Satterthwaite.
    """
    scale = float(max(np.abs(x).max(), np.abs(y).max()))
    return welch_from(
        float(x.mean() - y.mean()), (_variance(x), _variance(y)), (x.size, y.size), alternative=alternative,
        level=level, scale=scale,
    )  # fmt: skip


def welch_from(
    gain: float,
    variances: tuple[float, float],
    sizes: tuple[int, int],
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    scale: float = 0.0,
) -> TTest:
    """Welch's t test from the difference of two means, the variances of both samples and their sizes."""
    parts = [variance / n for variance, n in zip(variances, sizes, strict=True)]
    se = math.sqrt(sum(parts))
    below = sum(part**2 / (n - 1) for part, n in zip(parts, sizes, strict=True) if n > 1)
    df = se**4 / below if below > 0 else float(sum(sizes) - 2)
    return t_from(gain, se, df, alternative=alternative, level=level, scale=scale)


def _variance(values: Float) -> float:
    return float(values.var(ddof=1)) if values.size > 1 else math.nan


Kind = Literal["CR0", "CR1", "CR2"]


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """How a mean of clustered items varies.

    Attributes:
        mean: Σd/n over items.
        n: items.
        n_clusters: clusters, G.
        se_iid: standard error as if items were independent (ddof 1).
        se_cr0: √(Σ_g (Σ_{i∈g}(d_i - d̄))²)/n (Liang & Zeger 1986; Miller 2024).
        se_cr1: CR0 times √(G/(G - 1)).
        se_cr2: bias-reduced (Bell & McCaffrey 2002).
        df_cr2: Satterthwaite degrees of freedom of CR2; G - 1 for equal clusters.
        icc: intraclass correlation by one-way ANOVA; may be negative; NaN if undefined.
        design_effect: the variance of the mean over that of as many independent items: n·v/(s² + v), where v is the
            square of ``se_cr2`` and s² the variance with divisor n, which clusters make too small by v. Of clusters
            that are alike but for their size it is 1 + (m̄ - 1)·icc with m̄ = Σm²/Σm (Kish 1965); where large clusters
            vary otherwise than small ones, that product errs by any factor and can be negative.
        n_effective: n / design_effect, or n where that effect is 0.
    """

    mean: float
    n: int
    n_clusters: int
    se_iid: float
    se_cr0: float
    se_cr1: float
    se_cr2: float
    df_cr2: float
    icc: float
    design_effect: float
    n_effective: float


def clusters_of(values: Float, labels: Array) -> Clusters:
    """Standard errors of a mean, robust to correlation within clusters, and how strong that correlation is.

    With one cluster everything that compares clusters is NaN. For the intercept-only model CR2 divides the
    square of each cluster's residual sum by 1 - n_g/n, and its degrees of freedom are (tr P)²/tr P² with P_gg
    = n_g and P_gh = -a_g a_h n_g n_h / n, a_g² = 1/(1 - n_g/n) (Pustejovsky & Tipton 2018).

    Args:
        values: shape ``(n,)``.
        labels: shape ``(n,)``, cluster of each item; any type that sorts.

    Raises:
        UsageError: lengths differ or there are no values.
    """
    if len(values) != len(labels) or not len(values):
        raise UsageError(f"{len(values)} values with {len(labels)} cluster labels")
    _, place = np.unique(labels, return_inverse=True)
    sizes = np.bincount(place.ravel()).astype(np.float64)
    n, g = values.size, sizes.size
    mean = float(values.mean())
    sums = np.bincount(place.ravel(), weights=values - mean)
    cr0 = math.sqrt(float((sums**2).sum())) / n
    icc = _icc(values, place.ravel(), sizes)
    variance = float(values.var())
    several = g > 1
    cr2 = float((sums**2 / (1 - sizes / n)).sum()) / n**2 if several else math.nan
    effect = n * cr2 / (variance + cr2) if variance > 0 else math.nan
    return Clusters(
        mean=mean,
        n=n,
        n_clusters=g,
        se_iid=float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan,
        se_cr0=cr0 if several else math.nan,
        se_cr1=cr0 * math.sqrt(g / (g - 1)) if several else math.nan,
        se_cr2=math.sqrt(cr2),
        df_cr2=satterthwaite(sizes) if several else math.nan,
        icc=icc,
        design_effect=effect,
        n_effective=n if effect == 0 else n / effect,
    )


def cluster_t(
    values: Float,
    labels: Array,
    *,
    kind: Kind = "CR2",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TTest:
    """t test of a mean of clustered items.

    Null hypothesis H_mean over the population of clusters.

    CR2 takes Satterthwaite degrees of freedom, CR1 and CR0 take G - 1. Never refer CR0 to the normal law:
    with four clusters the size is .18.

    Args:
        values: shape ``(n,)``, differences.
        labels: shape ``(n,)``, cluster of each item.
        kind: CR2, CR1 or CR0.
        alternative: the side.
        level: level of the interval.
    """
    found = clusters_of(values, labels)
    if kind not in ("CR0", "CR1", "CR2"):
        raise UsageError(f"kind={kind!r}: expected CR0, CR1 or CR2")
    se = {"CR0": found.se_cr0, "CR1": found.se_cr1, "CR2": found.se_cr2}[kind]
    df = found.df_cr2 if kind == "CR2" else found.n_clusters - 1
    return t_from(found.mean, se, df, alternative=alternative, level=level)


def satterthwaite(sizes: Float) -> float:
    """n²/(Σ n_g² + Σ_{g≠h} u_g u_h), u_g = n_g²/(n - n_g): (tr P)²/tr P² of ``clusters_of``."""
    n = float(sizes.sum())
    u = sizes**2 / (n - sizes)
    return float(n**2 / ((sizes**2).sum() + u.sum() ** 2 - (u**2).sum()))


OF_UNEQUAL_RUNS = (
    "for runs in different numbers to the second order of Aspin, of two or three runs at most 2f(1 + f/F), f and F the "
    "least and the most R - 1"
)
"""The rule of ``freedom``, for the formulas of the tests that call it."""


def freedom(
    parts: Sequence[float], runs: Sequence[int], items: float = 0.0, units: float = 0, twice: float = 0.0
) -> float:
    """Degrees of freedom of a variance that runs and items make, by Satterthwaite, at least those of the poorest part.

    Where the numbers of runs differ, those are too many just when the few runs of one system happen to agree: 2 runs
    against 20 reject in 12 % of cases at a nominal 5 %, 5 against 50 in 6 %. From four runs on, the next term of the
    expansion mends it (see ``_next_term``). For two and three that term is no use, so the runs have at most
    2 f (1 + f/F) degrees of freedom, f = min R - 1 and F = max R - 1, and their proportion of the variance is no less
    than that which the run variance pooled over both systems gives them. Both fade where the numbers get alike, as
    Satterthwaite's are few enough there. All chosen by simulation; the levels stand in the note ``unequal_runs``.

    Args:
        parts: what the runs of each system contribute, s²/R.
        runs: R of each system.
        items: what the items contribute.
        units: number of independent items, or what has their degrees of freedom; 0 where the items are fixed.
        twice: what runs and items both hold, and is taken off once.
    """
    of_items = items**2 / (units - 1) if units else 0.0

    def df_of(of_runs: float, below: float) -> float:
        below += of_items
        return max(of_runs + items - twice, items) ** 2 / below if below > 0 else math.inf

    total = sum(parts)
    below = sum(v**2 / (r - 1) for v, r in zip(parts, runs, strict=True))
    found = df_of(total, below)
    every = [r - 1 for r in [*runs, units] if r]
    few, many = min(runs) - 1, max(runs) - 1
    if few < many and few >= _EXPANDED and below > 0:
        found = 1 / (1 / found + (1 - few / many) * _next_term([*parts, items][: len(every)], every, few))
        found = found if 0 < found < sum(every) else sum(every)
    elif few < many:
        most = 2 * few * (1 + few / many)
        pooled = pool_runs(parts, runs) * sum(1 / r for r in runs)
        found = min(df_of(total, max(below, total**2 / most)), df_of(pooled, pooled**2 / most))
    # a sum of variances has at least the degrees of freedom of its poorest part; what was subtracted must not undo that
    return max(found, min(every))


_EXPANDED = 3
"""From so many degrees of freedom on, a variance is precise enough for the expansion of ``_next_term``."""


def _next_term(parts: Sequence[float], every: Sequence[float], few: float) -> float:
    """The second order of Welch's expansion, added to 1/df, at the two-sided 5 % point.

    With shares c of the variance and degrees of freedom f, the critical value is z(1 + (1 + z²)/4 Σc²/f + ...)
    (Aspin 1948); Satterthwaite's t agrees to first order, and to second order with what is added here. One share of 1
    adds nothing. What lowers the degrees of freedom is taken 1 + 1/f times, as the third order goes on in that
    direction (by simulation; worst level of 4 against 20 runs .054 in place of .062).
    """
    whole, z2 = sum(parts), _TWO_SIDED**2
    first, second, third = (
        sum((v / whole) ** power / f**order for v, f in zip(parts, every, strict=True))
        for power, order in ((2, 1), (2, 2), (3, 2))
    )
    cubic, square = 4 * (3 + 5 * z2 + z2**2) / 3, 4 * (3 + 7 * z2 + 2 * z2**2) / 6
    found = (cubic * third - square * first**2) / (1 + z2) - 2 * second
    return found * (1 + 1 / few) if found > 0 else found


_TWO_SIDED = 1.959964
"""The normal point of a two-sided test at 5 %."""


def pool_runs(parts: Sequence[float], runs: Sequence[int]) -> float:
    """One variance of runs from those of the systems' means, s²/R, by their degrees of freedom."""
    return sum(v * r * (r - 1) for v, r in zip(parts, runs, strict=True)) / sum(r - 1 for r in runs)


def _icc(values: Float, place: Array, sizes: Float) -> float:
    """(MSB - MSW)/(MSB + (n0 - 1) MSW) with n0 = (n - Σn_g²/n)/(G - 1) (Donner 1986)."""
    n, g = values.size, sizes.size
    if g < 2 or n == g:
        return math.nan
    means = np.bincount(place, weights=values) / sizes
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (g - 1)
    within = float(((values - means[place]) ** 2).sum()) / (n - g)
    typical = (n - float((sizes**2).sum()) / n) / (g - 1)
    whole = between + (typical - 1) * within
    return (between - within) / whole if whole > 0 else math.nan


def is_skewed(d: Float) -> bool:
    """Cochran's rule for numbers of which a mean is judged."""
    spread = d.std()
    varies = spread > _ROUNDING * np.abs(d).max(initial=0.0)
    if not varies:
        return False
    far = (d - d.mean()) / spread
    return bool(len(d) < 25 * np.mean(far * far * far) ** 2)


def shape_notes(d: Float, *, least: int = 100) -> list[Note]:
    """Warnings about differences whose mean a t-test judges badly; that a few decide is said of so many at least."""
    if len(d) < 2 or d.std() == 0:
        return []
    said = [notes.SKEWED] if is_skewed(d) else []
    squares = np.sort(d**2)[::-1]
    top = max(1, len(d) // 100)
    if len(d) >= least and squares[:top].sum() > 0.5 * squares.sum() and np.count_nonzero(d) > top:
        said.append(notes.HEAVY if len(d) >= 100 else notes.ONE_DECIDES)
    return said
