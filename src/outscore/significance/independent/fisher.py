"""Fisher's exact test of two independent proportions (Fisher 1935)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import Outcome
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.proportions import NEEDS, compared, not_binary


@independent_test("fisher")
@dataclass(frozen=True)
class Fisher(IndependentTest):
    """How probable is a table at least as unlikely as this one, given how many items there are and are right in all?"""

    null: ClassVar[str] = "both systems are right with the same probability"
    formula: ClassVar[str] = (
        "p = the sum of the hypergeometric probabilities of all tables with these margins that are no likelier than "
        "this one"
    )
    applies: ClassVar[str] = (
        "right or wrong answers of two systems to different items, few or many; it never exceeds its level, and is "
        "conservative with few items"
    )
    needs: ClassVar[str] = NEEDS
    citation: ClassVar[str] = "Fisher 1935; interval: Newcombe 1998"

    def refuses(self, samples: IndependentSamples) -> str | None:
        return not_binary(self.name, samples)

    def run(self, samples: IndependentSamples) -> Outcome:
        return compared(samples, "fisher")
