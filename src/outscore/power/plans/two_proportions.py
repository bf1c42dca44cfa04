"""Two systems that are right or wrong on items of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from outscore.base.errors import UsageError
from outscore.power.chance import PowerAtSize
from outscore.power.plans import Closed, Question, plan, signed, smallest_gain
from outscore.power.proportions import two_proportions_chance


@plan("two-proportions")
@dataclass(frozen=True)
class TwoProportionsPlan(Closed):
    """Power of the test of two independent proportions by the normal law; on shared items ``mcnemar`` needs fewer.

    Args:
        baseline: accuracy of the baseline.
        strict: two-sided power counts rejections on the wrong side; false leaves them out, as R's default does.
    """

    null: ClassVar[str] = "both systems are right equally often"
    procedure: ClassVar[str] = "two proportions"
    unit: ClassVar[str] = "accuracy 0-1"
    sizes: ClassVar[str] = "items of each system"
    citation: ClassVar[str] = "Fleiss, Levin & Paik 2003"

    baseline: float
    strict: bool = True

    @property
    def assumes(self) -> str:
        return f"the systems answer different items, and the baseline is right on {self.baseline:g} of them"

    def effect(self, given: float | None) -> float:
        effect = super().effect(given)
        if not 0 <= self.baseline + effect <= 1:
            raise UsageError(f"a gain of {effect:g} over an accuracy of {self.baseline:g} leaves the range 0 to 1")
        return effect

    def chance(self, n: float, question: Question) -> PowerAtSize:
        return two_proportions_chance(
            self.baseline + question.effect,
            self.baseline,
            n,
            alpha=question.alpha,
            alternative=question.alternative,
            strict=self.strict,
        )

    def detectable(self, n: float, question: Question) -> float | None:
        side = question.alternative
        most = self.baseline if side == "less" else 1 - self.baseline

        def enough(gain: float) -> bool:
            effect = signed(gain, side)
            if {self.baseline, self.baseline + effect} == {0.0, 1.0}:
                return True  # nothing varies, and nothing can be taken for luck
            return self.chance(n, replace(question, effect=effect)).power >= question.target

        return smallest_gain(enough, most)
