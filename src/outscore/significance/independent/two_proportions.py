"""The z-test of two independent proportions, with their pooled variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import Outcome
from outscore.significance.independent import IndependentSamples, IndependentTest, independent_test
from outscore.significance.independent.proportions import NEEDS, compared, not_binary


@independent_test("two-proportions")
@dataclass(frozen=True)
class TwoProportions(IndependentTest):
    """Difference of the shares of right items over its standard error under equal shares."""

    null: ClassVar[str] = "both systems are right with the same probability"
    formula: ClassVar[str] = "z = (p_A - p_B)/√(p (1 - p)(1/n + 1/m)), p the share of right items among all n + m"
    applies: ClassVar[str] = (
        "right or wrong answers of two systems to different items, at least five expected of each kind"
    )
    needs: ClassVar[str] = NEEDS
    citation: ClassVar[str] = "Fleiss, Levin & Paik 2003, §3.2; interval: Newcombe 1998"

    def refuses(self, samples: IndependentSamples) -> str | None:
        return not_binary(self.name, samples)

    def run(self, samples: IndependentSamples) -> Outcome:
        return compared(samples, "z")
