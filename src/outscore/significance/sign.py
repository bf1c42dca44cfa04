"""The sign test: wins against losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.base.notes import Note
from outscore.significance import EXACT, Outcome, Test, notes, test
from outscore.significance.experiment import PairedComparison
from outscore.significance.student import NO_ITEM_SCORES
from outscore.significance.textbook.binary import sign_test


@test("sign")
@dataclass(frozen=True)
class Sign(Test):
    """On more than half of the items where they differ, is one system better? Items without a difference are left out.

    Args:
        variant: ``exact`` or ``midp``.
    """

    null: ClassVar[str] = "a win is as likely as a loss"
    formula: ClassVar[str] = (
        "p = min(1, 2 P(X ≤ min(W, L))), X ~ Binomial(W + L, ½) with W wins and L losses; midp: p - P(X = min(W, L))"
    )
    applies: ClassVar[str] = (
        "only the direction of a difference means something, not its size; items are independent, and the claim is "
        "about wins, not about the mean"
    )
    needs: ClassVar[str] = "a score for each item; six items that differ for a two-sided p below .05"
    citation: ClassVar[str] = "Dror et al. 2018, The Hitchhiker's Guide to Testing Statistical Significance in NLP"

    variant: Literal["exact", "midp"] = "exact"

    def refuses(self, pair: PairedComparison) -> str | None:
        return None if pair.panel.plain_mean else f"{pair.panel.name} {NO_ITEM_SCORES}"

    def run(self, pair: PairedComparison) -> Outcome:
        found = sign_test(pair.differences, method=self.variant, alternative=pair.settings.alternative)
        return Outcome(
            p_value=1.0 if pair.identical else found.p,  # also one-sided, where a mid-p without any win is one half
            p_kind=EXACT,
            p_min=found.min_p,
            notes=rank_notes(pair),
        )


def rank_notes(pair: PairedComparison) -> tuple[Note, ...]:
    """The notes that belong to a test of signs or ranks."""
    if pair.identical:
        return (notes.IDENTICAL,)
    return (
        notes.NOT_A_MEAN_TEST,
        *((notes.TEST_IGNORES_CLUSTERS,) if pair.clustered else ()),
        *((notes.ITEMS_ONLY,) if pair.has_runs else ()),
    )
