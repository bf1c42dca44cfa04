"""One-way analysis of variance over runs, and all pairs by Tukey's honest significant difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from outscore.base.notes import Note
from outscore.significance import ASYMPTOTIC, notes
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, PostHoc, omnibus_test
from outscore.significance.textbook.anova import Difference, one_way, run_variance, tukey

_VERY_DIFFERENT = 4.0  # variances of two systems


@omnibus_test("anova")
@dataclass(frozen=True)
class Anova(OmnibusTest):
    """Do the means of the systems vary more than runs of one system do? F test; pairs by Tukey's HSD.

    The intervals of the pairs hold together, at one level for all of them.
    """

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

    def question(self, groups: Groups) -> str:
        return independent_question(groups)

    def refuses(self, groups: Groups) -> str | None:
        if max(v.size for v in groups.values) < 2:
            return "anova needs several runs of a system, but every system has one; use compare on the items"
        return in_blocks("anova", groups)

    def run(self, groups: Groups) -> OmnibusFinding:
        if groups.constant:
            return identical()
        found = one_way(groups.values)
        parts = run_variance(groups.values)
        said: list[Note] = []
        if found.degenerate:
            said.append(notes.ZERO_VARIANCE)
        variances = [float(v.var(ddof=1)) for v in groups.values if v.size > 1]
        if max(variances) > _VERY_DIFFERENT * min(variances):
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
            pairs=() if found.degenerate else post_hoc(tukey(groups.values, 1 - groups.settings.alpha)),
            pairs_method="Tukey HSD",
            notes=tuple(said),
        )


def independent_question(groups: Groups) -> str:
    """The question that a test of independent groups answers, in words."""
    if groups.unit == "run":
        return "does any system differ, on new runs and this very test set? (items fixed)"
    return "does any system differ, on new items of its own?"


def in_blocks(name: str, groups: Groups) -> str | None:
    """Why numbers that belong to the same items are refused by a test of independent groups."""
    if groups.blocks:
        return f"{name} takes numbers as independent, but these belong to the same items; use friedman or cochran-q"
    return None


def identical() -> OmnibusFinding:
    """The finding where there is nothing to test."""
    return OmnibusFinding(p_value=1.0, p_kind=ASYMPTOTIC, notes=(notes.IDENTICAL,))


def post_hoc(differences: Sequence[Difference]) -> tuple[PostHoc, ...]:
    """The pairs that have an answer, the later system against the earlier one."""
    return tuple(
        PostHoc(system=d.second, baseline=d.first, gain=d.estimate, p_adjusted=d.p, ci=d.ci)
        for d in differences
        if not math.isnan(d.p)
    )
