"""One-way analysis of variance over runs, with one variance or with Welch's, and the pairs that follow it.

Groups are arrays ``(n_s,)`` of numbers, one array for each system. Pairs come in the order (0, 1), (0, 2), ... (1, 2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.significance import ASYMPTOTIC, notes
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, PostHoc, omnibus_test
from outscore.significance.p_values import f_p, range_p, range_quantile

Degenerate = Literal["", "identical_outputs", "zero_variance"]


@dataclass(frozen=True)
class IndependentGroups(OmnibusTest):
    """A test of systems whose numbers are independent of each other."""

    def question(self, groups: Groups) -> str:
        if groups.unit == "run":
            return "does any system differ, on new runs and this very test set? (items fixed)"
        return "does any system differ, on new items of its own?"

    def refuses(self, groups: Groups) -> str | None:
        if groups.blocks:
            return (
                f"{self.name} takes numbers as independent, but these belong to the same items; use friedman or "
                "cochran-q"
            )
        return None


@omnibus_test("anova")
@dataclass(frozen=True)
class Anova(IndependentGroups):
    """Do the means of the systems vary more than runs of one system do? F test; pairs by Tukey's HSD.

    The intervals of the pairs hold together, at one level for all of them.
    """

    also: ClassVar[tuple[str, ...]] = ("f", "f_oneway", "tukey", "tukey_hsd", "one_way_anova")
    null: ClassVar[str] = "all systems have the same expected score over new runs"
    formula: ClassVar[str] = (
        "F = (Σ n_k (x̄_k - x̄)²/(K - 1)) / (Σ (n_k - 1) s_k²/(N - K)), with K - 1 and N - K degrees of freedom; "
        "pairs: √2 |x̄_j - x̄_k|/(s √(1/n_j + 1/n_k)) by the studentized range of K"
    )
    applies: ClassVar[str] = (
        "several systems with several independent runs each, scored on one test set; runs are near normal and vary by "
        "the same amount under every system"
    )
    needs: ClassVar[str] = "two or more systems, and two or more runs of at least one of them"
    citation: ClassVar[str] = "Fisher 1925; Tukey 1953; Kramer 1956"

    def refuses(self, groups: Groups) -> str | None:
        if max(v.size for v in groups.values) < 2:
            return "anova needs several runs of a system, but every system has one; use compare on the items"
        return super().refuses(groups)

    def run(self, groups: Groups) -> OmnibusFinding:
        if groups.constant:
            return identical()
        found = analyse_one_way(groups.values)
        parts = run_variance(groups.values)
        said: list[Note] = []
        if found.degenerate:
            said.append(notes.ZERO_VARIANCE)
        variances = [float(v.var(ddof=1)) for v in groups.values if v.size > 1]
        if max(variances) > notes.VERY_UNEQUAL * min(variances):
            said.append(notes.UNEQUAL_SPREAD)
        return OmnibusFinding(
            p_value=None if found.degenerate else found.p,
            p_kind=ASYMPTOTIC,
            effect={
                "statistic": None if found.degenerate else found.statistic,
                "df": found.df,
                "df_within": found.df_within,
                "variance_within": parts.within,
                "variance_between": parts.between,
            },
            pairs=() if found.degenerate else answered(tukey(groups.values, 1 - groups.settings.alpha)),
            pairs_method="Tukey HSD",
            notes=tuple(said),
        )


@omnibus_test("welch-anova")
@dataclass(frozen=True)
class WelchAnova(IndependentGroups):
    """Do the means of the systems vary more than their runs do, each system with a variance of its own?

    Pairs by Games and Howell, with simultaneous intervals.
    """

    also: ClassVar[tuple[str, ...]] = ("games_howell",)
    null: ClassVar[str] = "all systems have the same expected score over new runs"
    formula: ClassVar[str] = (
        "F = (Σ w_k (x̄_k - x̃)²/(K - 1)) / (1 + 2 (K - 2) Λ/(K² - 1)), w_k = n_k/s_k², x̃ = Σ w_k x̄_k/Σ w, Λ = Σ (1"
        " - w_k/Σ w)²/(n_k - 1), with K - 1 and (K² - 1)/(3 Λ) degrees of freedom"
    )
    applies: ClassVar[str] = (
        "several systems with several independent runs each, scored on one test set; runs are near normal and may vary "
        "more under one system than under another"
    )
    needs: ClassVar[str] = "two or more systems with two or more runs each"
    citation: ClassVar[str] = "Welch 1951; Games & Howell 1976"

    def refuses(self, groups: Groups) -> str | None:
        for name, values in zip(groups.names, groups.values, strict=True):
            if values.size < 2:
                return f"welch-anova needs two runs of each system, but {name} has one; use anova, or give more runs"
        return super().refuses(groups)

    def run(self, groups: Groups) -> OmnibusFinding:
        if groups.constant:
            return identical()
        found = welch_one_way(groups.values)
        if found.degenerate:
            return OmnibusFinding(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.ZERO_VARIANCE,))
        return OmnibusFinding(
            p_value=found.p,
            p_kind=ASYMPTOTIC,
            effect={"statistic": found.statistic, "df": found.df, "df_within": found.df_within},
            pairs=answered(games_howell(groups.values, 1 - groups.settings.alpha)),
            pairs_method="Games-Howell",
        )


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
class RunVariance:
    """Variance components of runs in systems: ``within`` systems, and ``between`` them, which may be negative."""

    within: float
    between: float


def analyse_one_way(groups: Sequence[Float]) -> OneWay:
    """One-way analysis of variance.

    Null hypothesis: equal means; equal variances are assumed (Fisher 1925).

    F = (SS_between/(k - 1)) / (SS_within/(N - k)).

    Raises:
        UsageError: fewer than two groups, an empty group, or no group with two numbers.
    """
    between, within, df_within = checked_groups(groups, least=1)
    df = len(groups) - 1
    statistic, degenerate = _quotient(between / df, within / df_within, groups)
    return OneWay(
        statistic=statistic, df=df, df_within=df_within, degenerate=degenerate, p=f_p(statistic, df, df_within)
    )


def run_variance(groups: Sequence[Float]) -> RunVariance:
    """Variance components by the mean squares: between = (MS_between - MS_within)/n₀ (Searle et al. 1992, §3.6).

    n₀ = (N - Σn²/N)/(k - 1), which is n where all groups have as many numbers.
    """
    between, within, df_within = checked_groups(groups, least=1)
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
    checked_groups(groups, least=2)
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


def tukey(groups: Sequence[Float], level: float = 0.95) -> list[PostHoc]:
    """All pairs by Tukey's honest significant difference, with simultaneous intervals (Tukey 1953; Kramer 1956).

    Null hypotheses: equal means of two groups; equal variances are assumed. |difference|/se refers to the studentized
    range of k means, se = √(MS_within (1/n + 1/m)/2). Family-wise error holds under any set of true null hypotheses.
    """
    _, within, df = checked_groups(groups, least=1)
    errors = [math.sqrt(within / df / 2 * (1 / g.size + 1 / h.size)) for g, h in combinations(groups, 2)]
    return _compare_by_range(groups, errors, [df] * len(errors), level)


def games_howell(groups: Sequence[Float], level: float = 0.95) -> list[PostHoc]:
    """All pairs as by Tukey, but each with its own variances and degrees of freedom (Games & Howell 1976).

    se = √((s²/n + t²/m)/2), degrees of freedom by Welch and Satterthwaite. For unequal variances; its family-wise error
    is near its level, a little above for very small groups.
    """
    checked_groups(groups, least=2)
    errors, dfs = [], []
    for g, h in combinations(groups, 2):
        parts = [float(v.var(ddof=1)) / v.size for v in (g, h)]
        errors.append(math.sqrt(sum(parts) / 2))
        below = sum(part**2 / (v.size - 1) for part, v in zip(parts, (g, h), strict=True))
        dfs.append(sum(parts) ** 2 / below if below else math.nan)
    return _compare_by_range(groups, errors, dfs, level)


def checked_groups(groups: Sequence[Float], least: int, *, spare: bool = True) -> tuple[float, float, int]:
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


def _compare_by_range(
    groups: Sequence[Float], errors: Sequence[float], dfs: Sequence[float], level: float
) -> list[PostHoc]:
    """Pairs by the studentized range of all groups; without variance p is 1 for equal means and NaN for others."""
    k, found = len(groups), []
    least = math.sqrt(_rounding(groups))
    for (i, j), error, df in zip(combinations(range(k), 2), errors, dfs, strict=True):
        gain = float(groups[j].mean() - groups[i].mean())
        if error <= least:
            p = 1.0 if abs(gain) <= least else math.nan
            found.append(PostHoc(system=j, baseline=i, gain=gain, p_adjusted=p))
            continue
        half = range_quantile(level, k, df) * error
        p = range_p(abs(gain) / error, k, df)
        found.append(PostHoc(system=j, baseline=i, gain=gain, p_adjusted=p, ci=(gain - half, gain + half)))
    return found


def identical() -> OmnibusFinding:
    """The finding where there is nothing to test."""
    return OmnibusFinding(p_value=1.0, p_kind=ASYMPTOTIC, notes=(notes.IDENTICAL,))


def answered(pairs: Sequence[PostHoc]) -> tuple[PostHoc, ...]:
    """The pairs that have an answer."""
    return tuple(pair for pair in pairs if not math.isnan(pair.p_adjusted))
