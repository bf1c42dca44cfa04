"""A mean of items that come in clusters: robust standard errors, small-sample t, intraclass correlation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.significance.textbook.proportions import Ends, border, tango_score, tango_spread
from outscore.significance.textbook.student import TTest, t_from
from outscore.significance.textbook.tails import student_p, student_quantile

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
        design_effect: 1 + (m̄ - 1)·icc with m̄ = Σm²/Σm, the size of the cluster of a random item (Kish 1965); the mean
            size n/G would leave out that large clusters weigh more.
        design_effect_from_se: CR0 variance over the iid variance with divisor n.
        n_effective: n / design_effect, or n where that effect is below 1/n.
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
    design_effect_from_se: float
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
    effect = 1 + (float((sizes**2).sum()) / n - 1) * icc
    variance = float(values.var())
    several = g > 1
    shrink = 1 - sizes / n
    return Clusters(
        mean=mean,
        n=n,
        n_clusters=g,
        se_iid=float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan,
        se_cr0=cr0 if several else math.nan,
        se_cr1=cr0 * math.sqrt(g / (g - 1)) if several else math.nan,
        se_cr2=math.sqrt(float((sums**2 / shrink).sum())) / n if several else math.nan,
        df_cr2=satterthwaite(sizes) if several else math.nan,
        icc=icc,
        design_effect=effect,
        design_effect_from_se=cr0**2 * n / variance if several and variance > 0 else math.nan,
        n_effective=n / max(effect, 1 / n) if not math.isnan(effect) else math.nan,
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


@dataclass(frozen=True)
class ClusteredShares:
    """Score tests of a paired difference of shares whose items come in clusters, and the interval that they make.

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


def clustered_shares(b: int, c: int, differences: Float, labels: Array) -> ClusteredShares:
    """The score tests of right or wrong items in two clusters or more.

    Args:
        b, c: as in ``ClusteredShares``.
        differences: shape ``(n,)``, 1, 0 or -1.
        labels: shape ``(n,)``, cluster of each item.
    """
    return ClusteredShares(b, c, differences.size, np.unique(labels).size, cluster_t(differences, labels))


def satterthwaite(sizes: Float) -> float:
    """n²/(Σ n_g² + Σ_{g≠h} u_g u_h), u_g = n_g²/(n - n_g): (tr P)²/tr P² of ``clusters_of``."""
    n = float(sizes.sum())
    u = sizes**2 / (n - sizes)
    return float(n**2 / ((sizes**2).sum() + u.sum() ** 2 - (u**2).sum()))


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
