"""Several independent samples, as a rule runs of several systems: is there a difference, and between which?

Groups are arrays ``(n_s,)`` of numbers, one array for each system. Pairs come in the order (0, 1), (0, 2), ... (1, 2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.significance.p_values import chi2_p, f_p, holm, normal_p, range_p, range_quantile

Degenerate = Literal["", "identical_outputs", "zero_variance"]


@dataclass(frozen=True, kw_only=True)
class OneWay:
    """A test of several means, or of several distributions.

    Attributes:
        statistic: F, or H of Kruskal and Wallis; 0 if all numbers are equal, infinite if no group varies.
        df: degrees of freedom of the groups, k - 1.
        df_within: degrees of freedom of the denominator; infinite where there is none.
        p: p-value.
        degenerate: ``identical_outputs`` (all numbers are equal), ``zero_variance`` (no group varies, or for
            Welch's F one of them does not), or the empty string.
    """

    statistic: float
    df: int
    df_within: float
    p: float
    degenerate: Degenerate = ""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Two of the groups after all were tested together.

    Attributes:
        first, second: numbers of the groups, the first below the second.
        estimate: what the second has more than the first: means, or mean ranks.
        p: adjusted over all pairs.
        ci: simultaneous interval of the estimate, where the method has one.
    """

    first: int
    second: int
    estimate: float
    p: float
    ci: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class RunVariance:
    """Variance components of runs in systems: ``within`` systems, and ``between`` them, which may be negative."""

    within: float
    between: float


def one_way(groups: Sequence[Float]) -> OneWay:
    """One-way analysis of variance.

    Null hypothesis: equal means; equal variances are assumed (Fisher 1925).

    F = (SS_between/(k - 1)) / (SS_within/(N - k)).

    Raises:
        UsageError: fewer than two groups, an empty group, or no group with two numbers.
    """
    between, within, df_within = _squares(groups, least=1)
    df = len(groups) - 1
    statistic, degenerate = _quotient(between / df, within / df_within, groups)
    return OneWay(
        statistic=statistic, df=df, df_within=df_within, degenerate=degenerate, p=f_p(statistic, df, df_within)
    )


def run_variance(groups: Sequence[Float]) -> RunVariance:
    """Variance components by the mean squares: between = (MS_between - MS_within)/n₀ (Searle et al. 1992, §3.6).

    n₀ = (N - Σn²/N)/(k - 1), which is n where all groups have as many numbers.
    """
    between, within, df_within = _squares(groups, least=1)
    sizes = np.array([g.size for g in groups], dtype=np.float64)
    df = len(groups) - 1
    typical = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / df
    inside = within / df_within
    return RunVariance(within=inside, between=(between / df - inside) / float(typical))


def welch_one_way(groups: Sequence[Float]) -> OneWay:
    """Welch's analysis of variance.

    Null hypothesis: equal means; variances may differ (Welch 1951).

    Raises:
        UsageError: fewer than two groups, or a group of fewer than two numbers.
    """
    _squares(groups, least=2)
    k = len(groups)
    means, variances = _moments(groups)
    if not (variances > _rounding(groups)).all():
        equal = bool(np.ptp(means) == 0.0) and not variances.any()
        return OneWay(
            statistic=0.0 if equal else math.nan, df=k - 1, df_within=math.nan, p=1.0 if equal else math.nan,
            degenerate="identical_outputs" if equal else "zero_variance",
        )  # fmt: skip
    sizes = np.array([g.size for g in groups])
    weights = sizes / variances
    centre = float((weights * means).sum() / weights.sum())
    imbalance = float(((1 - weights / weights.sum()) ** 2 / (sizes - 1)).sum()) / (k**2 - 1)
    statistic = float((weights * (means - centre) ** 2).sum()) / ((k - 1) * (1 + 2 * (k - 2) * imbalance))
    df_within = 1 / (3 * imbalance)
    return OneWay(statistic=statistic, df=k - 1, df_within=df_within, p=f_p(statistic, k - 1, df_within))


def tukey(groups: Sequence[Float], level: float = 0.95) -> list[Difference]:
    """All pairs by Tukey's honest significant difference, with simultaneous intervals (Tukey 1953; Kramer 1956).

    Null hypotheses: equal means of two groups; equal variances are assumed. |difference|/se refers to the studentized
    range of k means, se = √(MS_within (1/n + 1/m)/2). Family-wise error holds under any set of true null hypotheses.
    """
    _, within, df = _squares(groups, least=1)
    errors = [math.sqrt(within / df / 2 * (1 / g.size + 1 / h.size)) for g, h in combinations(groups, 2)]
    return _of_range(groups, errors, [df] * len(errors), level)


def games_howell(groups: Sequence[Float], level: float = 0.95) -> list[Difference]:
    """All pairs as by Tukey, but each with its own variances and degrees of freedom (Games & Howell 1976).

    se = √((s²/n + t²/m)/2), degrees of freedom by Welch and Satterthwaite. For unequal variances; its family-wise error
    is near its level, a little above for very small groups.
    """
    _squares(groups, least=2)
    errors, dfs = [], []
    for g, h in combinations(groups, 2):
        parts = [float(v.var(ddof=1)) / v.size for v in (g, h)]
        errors.append(math.sqrt(sum(parts) / 2))
        below = sum(part**2 / (v.size - 1) for part, v in zip(parts, (g, h), strict=True))
        dfs.append(sum(parts) ** 2 / below if below else math.nan)
    return _of_range(groups, errors, dfs, level)


def kruskal_wallis(groups: Sequence[Float]) -> OneWay:
    """Kruskal and Wallis' test on ranks.

    Null hypothesis: all samples come from one distribution.

    H = 12/(N(N + 1)) Σ R_s²/n_s - 3(N + 1) over mid-ranks, divided by 1 - Σ(t³ - t)/(N³ - N) for ties, referred to
    χ²_{k-1} (Kruskal & Wallis 1952).
    """
    _squares(groups, least=1, spare=False)
    sums, ties, n = _rank_sums(groups)
    df = len(groups) - 1
    if ties == 1.0:
        return OneWay(statistic=0.0, df=df, df_within=math.inf, p=1.0, degenerate="identical_outputs")
    parts = sum(float(r) ** 2 / g.size for r, g in zip(sums, groups, strict=True))
    statistic = (12 / (n * (n + 1)) * parts - 3 * (n + 1)) / (1 - ties)
    return OneWay(statistic=statistic, df=df, df_within=math.inf, p=chi2_p(statistic, df))


def dunn(groups: Sequence[Float]) -> list[Difference]:
    """All pairs by the difference of their mean ranks among all numbers, p-values by Holm (Dunn 1964; Holm 1979).

    z = (R̄_s - R̄_t)/√(N(N + 1)/12 (1 - ties)(1/n + 1/m)), ties as in ``kruskal_wallis``.
    """
    sums, ties, n = _rank_sums(groups)
    means = [float(r) / g.size for r, g in zip(sums, groups, strict=True)]
    pairs = list(combinations(range(len(groups)), 2))
    spread = n * (n + 1) / 12 * (1 - ties)
    raw = []
    for i, j in pairs:
        error = math.sqrt(spread * (1 / groups[i].size + 1 / groups[j].size))
        raw.append(normal_p((means[j] - means[i]) / error) if error else 1.0)
    adjusted = holm(np.array(raw))
    return [
        Difference(first=i, second=j, estimate=means[j] - means[i], p=float(p))
        for (i, j), p in zip(pairs, adjusted, strict=True)
    ]


def _squares(groups: Sequence[Float], least: int, *, spare: bool = True) -> tuple[float, float, int]:
    """Sums of squares between and within groups, and the degrees of freedom of the latter."""
    if len(groups) < 2 or min(g.size for g in groups) < least:
        raise UsageError(f"a comparison of several groups needs two of them, with {least} or more numbers in each")
    together = np.concatenate(groups)
    df = together.size - len(groups)
    if spare and df < 1:
        raise UsageError("an analysis of variance needs a group with two or more numbers")
    between = sum(g.size * (float(g.mean()) - float(together.mean())) ** 2 for g in groups)
    return between, sum(float(((g - g.mean()) ** 2).sum()) for g in groups), df


def _moments(groups: Sequence[Float]) -> tuple[Float, Float]:
    return np.array([g.mean() for g in groups]), np.array([g.var(ddof=1) for g in groups])


def _rounding(groups: Sequence[Float]) -> float:
    """Mean squares up to here are rounding errors of equal numbers."""
    return (10 * np.finfo(float).eps * max(float(np.abs(g).max()) for g in groups)) ** 2


def _quotient(between: float, within: float, groups: Sequence[Float]) -> tuple[float, Degenerate]:
    if within > _rounding(groups):
        return between / within, ""
    return (math.inf, "zero_variance") if between > _rounding(groups) else (0.0, "identical_outputs")


def _of_range(groups: Sequence[Float], errors: Sequence[float], dfs: Sequence[float], level: float) -> list[Difference]:
    """Pairs by the studentized range of all groups; without variance p is 1 for equal means and NaN for others."""
    k, found = len(groups), []
    least = math.sqrt(_rounding(groups))
    for (i, j), error, df in zip(combinations(range(k), 2), errors, dfs, strict=True):
        gain = float(groups[j].mean() - groups[i].mean())
        if error <= least:
            found.append(Difference(first=i, second=j, estimate=gain, p=1.0 if abs(gain) <= least else math.nan))
            continue
        half = range_quantile(level, k, df) * error
        p = range_p(abs(gain) / error, k, df)
        found.append(Difference(first=i, second=j, estimate=gain, p=p, ci=(gain - half, gain + half)))
    return found


def _rank_sums(groups: Sequence[Float]) -> tuple[Float, float, int]:
    """Sums of mid-ranks, the share Σ(t³ - t)/(N³ - N) that ties take (1 if all are equal), and N."""
    together = np.concatenate(groups)
    _, place, counts = np.unique(together, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[place]
    n = together.size
    taken = float((counts.astype(np.float64) ** 3 - counts).sum()) / (float(n) ** 3 - n) if n > 1 else 1.0
    sums = np.array([part.sum() for part in np.split(ranks, np.cumsum([g.size for g in groups])[:-1])])
    return sums, taken, n
