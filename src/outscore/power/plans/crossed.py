"""Claims about methods: new runs and new items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from outscore.power.chance import PowerAtSize
from outscore.power.crossed import Variances
from outscore.power.plans import Closed, Question, plan, signed, smallest_gain

_FAR = 1e3  # standard errors


@plan("crossed")
@dataclass(frozen=True)
class CrossedPlan(Closed):
    """Power of the crossed t test with several runs of each system, from variance components.

    Args:
        run: variance between runs of the score of a system; ``item`` of what an item does to one system only;
            ``residual`` of what is left. A pilot with several runs gives them.
        runs: runs of each system.
    """

    null: ClassVar[str] = "the methods do not differ over new runs and new items"
    procedure: ClassVar[str] = "crossed t"
    unit: ClassVar[str] = "unit of the scores"
    citation: ClassVar[str] = "Clark et al. 2011 (the question); Welch 1947; Miller 2024"

    run: float
    item: float
    residual: float
    runs: int = 5

    @property
    def assumes(self) -> str:
        return (
            f"{self.runs} runs of each system; variance {self.run:.3g} between runs, {self.item:.3g} between items "
            f"within a system, {self.residual:.3g} left"
        )

    @property
    def variances(self) -> Variances:
        """The components."""
        return Variances(run=self.run, item=self.item, residual=self.residual)

    def chance(self, n: float, question: Question) -> PowerAtSize:
        return self.variances.chance(question.effect, self.runs, n, question.alpha, question.alternative)

    def detectable(self, n: float, question: Question) -> float | None:
        side = question.alternative

        def enough(gain: float) -> bool:
            return self.chance(n, replace(question, effect=signed(gain, side))).power >= question.target

        return smallest_gain(enough, _FAR * self.variances.error(self.runs, n))
