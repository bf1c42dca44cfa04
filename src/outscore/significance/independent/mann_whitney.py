"""The Mann-Whitney test, exact with ties (Wilcoxon 1945; Mann & Whitney 1947)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.significance import ASYMPTOTIC, EXACT, Outcome, notes
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.interval import indifferent
from outscore.significance.textbook.ranks import mann_whitney, shift


@independent_test("mann-whitney")
@dataclass(frozen=True)
class MannWhitney(IndependentTest):
    """Are the ranks of the two systems mixed evenly? Ties share mid-ranks, and the law is conditional on them.

    Also known as Wilcoxon's rank-sum test. The effect holds the probability of superiority, with ties counted half, and
    the Hodges-Lehmann shift.

    Args:
        variant: ``auto`` is exact while that is affordable, else normal; ``exact``, ``normal``, ``normal-cc``.
    """

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

    def refuses(self, samples: IndependentSamples) -> str | None:
        return None

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(ASYMPTOTIC if self.variant.startswith("normal") else EXACT)
        side = samples.settings.alternative
        found = mann_whitney(samples.system, samples.baseline, method=self.variant, alternative=side)
        return Outcome(
            p_value=found.p,
            p_kind=EXACT if found.method == "exact" else ASYMPTOTIC,
            p_min=found.min_p,
            effect={
                "statistic": found.u,
                "superiority": found.superiority,
                "shift": shift(samples.system, samples.baseline),
            },
            notes=(notes.NOT_A_MEAN_TEST,),
        )
