"""Kruskal and Wallis' test of several independent samples by their ranks, and all pairs by Dunn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.significance import ASYMPTOTIC, notes
from outscore.significance.omnibus import Groups, OmnibusFinding, PostHoc, omnibus_test
from outscore.significance.omnibus.anova import (
    IndependentGroups,
    OneWay,
    answered,
    checked_groups,
    identical,
)
from outscore.significance.p_values import chi2_p, holm, normal_p
from outscore.significance.wilcoxon import double_ranks


@omnibus_test("kruskal-wallis")
@dataclass(frozen=True)
class KruskalWallis(IndependentGroups):
    """Do the ranks of the systems' numbers among all numbers differ? Ties are corrected for.

    Pairs by Dunn's test of the difference of mean ranks among all numbers, ``rank_difference``, corrected by Holm; the
    gain shown is that of the means, and no word is given where the two point apart.
    """

    also: ClassVar[tuple[str, ...]] = ("kruskal", "h", "dunn")
    null: ClassVar[str] = "the numbers of all systems come from one distribution"
    formula: ClassVar[str] = (
        "H = 12/(N (N + 1)) Σ n_k (R̄_k - (N + 1)/2)² / (1 - Σ (t³ - t)/(N³ - N)), t the sizes of ties; χ² with K - 1"
        " degrees of freedom"
    )
    applies: ClassVar[str] = (
        "several systems with independent runs (or items of their own) that are far from normal; with three runs each "
        "the χ² law is conservative"
    )
    needs: ClassVar[str] = "two or more systems, three or more numbers in all"
    citation: ClassVar[str] = "Kruskal & Wallis 1952; Dunn 1964; Holm 1979"

    def refuses(self, groups: Groups) -> str | None:
        if max(v.size for v in groups.values) < 2:
            return "kruskal-wallis needs several runs of a system, but every system has one; use compare on the items"
        return super().refuses(groups)

    def run(self, groups: Groups) -> OmnibusFinding:
        if groups.constant:
            return identical()
        found = kruskal_wallis(groups.values)
        return OmnibusFinding(
            p_value=found.p,
            p_kind=ASYMPTOTIC,
            effect={"statistic": found.statistic, "df": found.df},
            pairs=answered(dunn(groups.values)),
            pairs_method="Dunn, Holm",
            notes=(notes.POOL,),
        )


def kruskal_wallis(groups: Sequence[Float]) -> OneWay:
    """Kruskal and Wallis' test on ranks.

    Null hypothesis: all samples come from one distribution.

    H = 12/(N(N + 1)) Σ R_s²/n_s - 3(N + 1) over mid-ranks, divided by 1 - Σ(t³ - t)/(N³ - N) for ties, referred to
    χ²_{k-1} (Kruskal & Wallis 1952).
    """
    checked_groups(groups, least=1, spare=False)
    sums, ties, n = _rank_sums(groups)
    df = len(groups) - 1
    if ties == 1.0:
        return OneWay(statistic=0.0, df=df, df_within=math.inf, p=1.0, degenerate="identical_outputs")
    parts = sum(float(r) ** 2 / g.size for r, g in zip(sums, groups, strict=True))
    statistic = (12 / (n * (n + 1)) * parts - 3 * (n + 1)) / (1 - ties)
    return OneWay(statistic=statistic, df=df, df_within=math.inf, p=chi2_p(statistic, df))


def dunn(groups: Sequence[Float]) -> list[PostHoc]:
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
        PostHoc(system=j, baseline=i, gain=means[j] - means[i], p_adjusted=float(p))
        for (i, j), p in zip(pairs, adjusted, strict=True)
    ]


def _rank_sums(groups: Sequence[Float]) -> tuple[Float, float, int]:
    """Sums of mid-ranks, the proportion Σ(t³ - t)/(N³ - N) that ties take (1 if all are equal), and N."""
    together = np.concatenate(groups)
    ranks = double_ranks(together) / 2
    counts = np.unique_counts(ranks).counts
    n = together.size
    taken = float((counts.astype(np.float64) ** 3 - counts).sum()) / (float(n) ** 3 - n) if n > 1 else 1.0
    sums = np.array([part.sum() for part in np.split(ranks, np.cumsum([g.size for g in groups])[:-1])])
    return sums, taken, n
