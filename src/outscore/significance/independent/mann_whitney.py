"""The Mann-Whitney test, exact with ties (Wilcoxon 1945; Mann & Whitney 1947)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.extreme import Alternative, tail_mass
from outscore.significance import ASYMPTOTIC, EXACT, Outcome, notes
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test, indifferent
from outscore.significance.two_samples import subset_sum_cost, subset_sum_law
from outscore.significance.wilcoxon import HALF_TIE, Method, chosen_law, double_ranks, normal_tail


@independent_test("mann-whitney")
@dataclass(frozen=True)
class MannWhitney(IndependentTest):
    """Are the ranks of the two systems mixed evenly? Ties share mid-ranks, and the law is conditional on them.

    Also known as Wilcoxon's rank-sum test. The effect holds the probability of superiority, with ties counted half, and
    the Hodges-Lehmann shift.

    Args:
        variant: ``auto`` is exact while that is affordable, else normal; ``exact``, ``normal``, ``normal-cc``.
    """

    also: ClassVar[tuple[str, ...]] = ("mannwhitneyu", "u", "rank_sum", "wilcoxon_rank_sum", "mwu")
    null: ClassVar[str] = "both systems' numbers come from one distribution"
    formula: ClassVar[str] = (
        "U = #{A > B} + ½ #{A = B} over all n m pairs of numbers; p from the law of U over all labellings of the "
        "pooled mid-ranks; normal: z = (U - n m/2)/s_U, s_U corrected for ties"
    )
    applies: ClassVar[str] = (
        "independent samples of numbers of which only the order means something, or with outliers; where the systems "
        "vary by different amounts brunner-munzel is the right test"
    )
    needs: ClassVar[str] = "one or more runs, or items, of each system; four of each for a p below .05"
    citation: ClassVar[str] = "Wilcoxon 1945; Mann & Whitney 1947; Hodges & Lehmann 1963"

    variant: Literal["auto", "exact", "normal", "normal-cc"] = "auto"

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC if self.variant.startswith("normal") else EXACT)
        side = samples.settings.alternative
        found = mann_whitney(samples.system, samples.baseline, method=self.variant, alternative=side)
        return replace(found, effect={**found.effect, "shift": shift(samples.system, samples.baseline)})


def mann_whitney(x: Float, y: Float, *, method: Method = "auto", alternative: Alternative = "two-sided") -> Outcome:
    """Mann-Whitney test of two independent samples, with U of the first, #{x > y} + ½ #{x = y}, as its statistic.

    Null hypothesis: both come from one distribution.

    ``exact``: conditional on the ties, by dynamic programme on doubled ranks; ``normal``: tie-corrected
    variance; ``normal-cc``: with continuity correction ½; ``auto``: exact where affordable (Mann & Whitney
    1947).

    Args:
        x: shape ``(n,)``.
        y: shape ``(m,)``.
        method: as above.
        alternative: the side; ``greater`` means that x tends to be larger.
    """
    n, m = x.size, y.size
    if not n or not m:
        raise UsageError("the Mann-Whitney test needs values in both samples")
    ranks = double_ranks(np.concatenate([x, y]))
    chosen = chosen_law(method, subset_sum_cost(ranks, n) if method == "auto" else 0)
    observed = float(ranks[:n].sum())
    u = observed / 2 - n * (n + 1) / 2
    varied = bool((ranks != ranks[0]).any())
    p, least = 1.0, 1.0 if chosen == "exact" else None
    if chosen == "exact" and varied:
        law = subset_sum_law(ranks, n)
        centre = float(n * (n + m + 1))

        def tail(at: float) -> float:
            return tail_mass(law.support, law.mass, at, centre=centre, alternative=alternative, slack=HALF_TIE)

        p, least = tail(observed), min(tail(float(end)) for end in law.support[[0, -1]])
    elif varied:
        _, ties = np.unique(ranks, return_counts=True)
        size = n + m
        tie_part = float((ties.astype(np.float64) ** 3 - ties).sum()) / (size * (size - 1))
        sd = math.sqrt(n * m / 12 * (size + 1 - tie_part))
        p = normal_tail(u - n * m / 2, sd, chosen, alternative)
    superiority = u / (n * m)
    return Outcome(
        p_value=p,
        p_kind=EXACT if chosen == "exact" else ASYMPTOTIC,
        p_min=least,
        favours=superiority - 0.5,
        effect={"statistic": u, "superiority": superiority},
        notes=(notes.NOT_A_MEAN_TEST,),
    )


def shift(x: Float, y: Float) -> float:
    """The Hodges-Lehmann estimate of how far x lies above y: the median of all differences x_i - y_j.

    Found by bisection over how many differences lie at or below a value, so that they need not be held.

    Source: Hodges & Lehmann 1963, eq. 4.4.
    """
    x, y = np.sort(x), np.sort(y)
    pairs = x.size * y.size

    def order(k: int) -> float:
        low, high = float(x[0] - y[-1]), float(x[-1] - y[0])
        while True:
            middle = low + (high - low) / 2
            if not low < middle < high:
                return high if _pairs_at_most(x, y, low) < k else low
            low, high = (middle, high) if _pairs_at_most(x, y, middle) < k else (low, middle)

    return (order((pairs + 1) // 2) + order(pairs // 2 + 1)) / 2


def _pairs_at_most(x: Float, y: Float, at: float) -> int:
    """Number of differences x_i - y_j at or below ``at``; both samples sorted."""
    return int(np.searchsorted(x, y + at, side="right").sum())
