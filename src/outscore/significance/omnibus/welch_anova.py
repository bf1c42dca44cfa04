"""Welch's analysis of variance over runs, and all pairs by Games and Howell: variances may differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import ASYMPTOTIC, notes
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, omnibus_test
from outscore.significance.omnibus.anova import identical, in_blocks, independent_question, post_hoc
from outscore.significance.textbook.anova import games_howell, welch_one_way


@omnibus_test("welch-anova")
@dataclass(frozen=True)
class WelchAnova(OmnibusTest):
    """Do the means of the systems vary more than their runs do, each system with a variance of its own?

    Pairs by Games and Howell, with simultaneous intervals.
    """

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

    def question(self, groups: Groups) -> str:
        return independent_question(groups)

    def refuses(self, groups: Groups) -> str | None:
        for name, values in zip(groups.names, groups.values, strict=True):
            if values.size < 2:
                return f"welch-anova needs two runs of each system, but {name} has one; use anova, or give more runs"
        return in_blocks("welch-anova", groups)

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
            pairs=post_hoc(games_howell(groups.values, 1 - groups.settings.alpha)),
            pairs_method="Games-Howell",
        )
