"""Pearson's χ² test of a two-by-two table (Pearson 1900; Yates 1934)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import Outcome
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.proportions import NEEDS, compared, not_binary


@independent_test("chi2")
@dataclass(frozen=True)
class Chi2(IndependentTest):
    """How far are the counts of right and wrong items from what equal shares would give?

    Without Yates' correction it is the square of ``two-proportions``.

    Args:
        yates: bring the counts nearer to what is expected by up to one half, which makes the test conservative.
    """

    null: ClassVar[str] = "both systems are right with the same probability"
    formula: ClassVar[str] = (
        "χ² = Σ (O - E)²/E over the four counts of right and wrong items, E those of equal shares, with 1 degree of "
        "freedom; yates: |O - E| less ½"
    )
    applies: ClassVar[str] = (
        "right or wrong answers of two systems to different items, at least five expected of each kind"
    )
    needs: ClassVar[str] = NEEDS
    citation: ClassVar[str] = "Pearson 1900; Yates 1934; interval: Newcombe 1998"

    yates: bool = False

    def refuses(self, samples: IndependentSamples) -> str | None:
        return not_binary(self.name, samples)

    def run(self, samples: IndependentSamples) -> Outcome:
        return compared(samples, "chi2-yates" if self.yates else "chi2")
