"""Wilcoxon's signed-rank test, exact with ties (Wilcoxon 1945)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, test
from outscore.significance.experiment import PairedComparison
from outscore.significance.sign import rank_notes
from outscore.significance.student import NO_ITEM_SCORES
from outscore.significance.textbook.ranks import wilcoxon


@test("wilcoxon")
@dataclass(frozen=True)
class Wilcoxon(Test):
    """Are the ranks of wins and losses balanced? Ties share mid-ranks, and the law is conditional on them.

    Args:
        variant: ``auto`` is exact while that is affordable, else normal; ``exact``, ``normal``, ``normal-cc``.
        zeros: items without a difference: left out (``drop``) or ranked and then left out (``pratt``).
    """

    null: ClassVar[str] = "differences are distributed symmetrically about 0"
    formula: ClassVar[str] = (
        "W = Σ r over the items with d > 0, r the mid-rank of |d|; p from the law of W under random signs of the "
        "ranks; normal: z = (W - Σ r/2)/√(Σ r²/4)"
    )
    applies: ClassVar[str] = (
        "differences whose order of size means something and whose distribution is symmetric; over data sets (five or"
        " more) rather than items; items are independent"
    )
    needs: ClassVar[str] = "a score for each item; six items that differ for a two-sided p below .05"
    citation: ClassVar[str] = "Wilcoxon 1945"

    variant: Literal["auto", "exact", "normal", "normal-cc"] = "auto"
    zeros: Literal["drop", "pratt"] = "drop"

    def refuses(self, pair: PairedComparison) -> str | None:
        return None if pair.panel.plain_mean else f"{pair.panel.name} {NO_ITEM_SCORES}"

    def run(self, pair: PairedComparison) -> Outcome:
        side = pair.settings.alternative
        # whole numbers: ranks of equal differences tie exactly
        found = wilcoxon(pair.whole_differences, method=self.variant, zeros=self.zeros, alternative=side)
        exact = found.method == "exact" or pair.identical
        sides = 2 if side == "two-sided" else 1
        return Outcome(
            p_value=found.p,
            p_kind=EXACT if exact else ASYMPTOTIC,
            p_min=min(1.0, sides * 0.5**found.n_nonzero) if exact else None,
            effect={"rank_biserial": found.rank_biserial, "w_plus": found.w_plus},
            notes=rank_notes(pair),
        )
