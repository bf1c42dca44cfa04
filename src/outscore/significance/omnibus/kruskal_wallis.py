"""Kruskal and Wallis' test of several independent samples by their ranks, and all pairs by Dunn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import ASYMPTOTIC, notes
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, omnibus_test
from outscore.significance.omnibus.anova import identical, in_blocks, independent_question, post_hoc
from outscore.significance.textbook.anova import dunn, kruskal_wallis


@omnibus_test("kruskal-wallis")
@dataclass(frozen=True)
class KruskalWallis(OmnibusTest):
    """Do the ranks of the systems' numbers among all numbers differ? Ties are corrected for.

    Pairs by Dunn's test of the difference of mean ranks among all numbers, ``rank_difference``, corrected by Holm; the
    gain shown is that of the means, and no word is given where the two point apart.
    """

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

    def question(self, groups: Groups) -> str:
        return independent_question(groups)

    def refuses(self, groups: Groups) -> str | None:
        if max(v.size for v in groups.values) < 2:
            return "kruskal-wallis needs several runs of a system, but every system has one; use compare on the items"
        return in_blocks("kruskal-wallis", groups)

    def run(self, groups: Groups) -> OmnibusFinding:
        if groups.constant:
            return identical()
        found = kruskal_wallis(groups.values)
        return OmnibusFinding(
            p_value=found.p,
            p_kind=ASYMPTOTIC,
            effect={"statistic": found.statistic, "df": found.df},
            pairs=post_hoc(dunn(groups.values)),
            pairs_method="Dunn, Holm",
            notes=(notes.POOL,),
        )
