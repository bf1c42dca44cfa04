"""A t test of means, paired or of two samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.power.chance import PowerAtSize
from outscore.power.plans import Closed, Question, plan, whole
from outscore.power.student import TDesign


@plan("t")
@dataclass(frozen=True)
class TPlan(Closed):
    """Power of a t test by the noncentral t law.

    Args:
        sd: standard deviation of the differences item by item; of the scores of each system where not paired.
        paired: both systems answer the same items; otherwise n items each.
        strict: two-sided power counts rejections on the wrong side; false leaves them out, as R's default does.
    """

    null: ClassVar[str] = "the mean difference on new items is 0"
    unit: ClassVar[str] = "unit of the scores"
    citation: ClassVar[str] = "Student 1908; Cohen 1988"

    sd: float
    paired: bool = True
    strict: bool = True

    @property
    def procedure(self) -> str:  # type: ignore[override]
        return "paired t" if self.paired else "two-sample t"

    @property
    def assumes(self) -> str:
        of = "the differences" if self.paired else "the scores of each system"
        return f"{of} are independent and near normal, with standard deviation {self.sd:g}"

    def chance(self, n: float, question: Question) -> PowerAtSize:
        return self._design(question).chance(n, question.effect)

    def items(self, question: Question) -> float | None:
        return whole(self._design(question).items(question.effect, question.target))

    def detectable(self, n: float, question: Question) -> float | None:
        return self._design(question).detectable(n, question.target)

    def _design(self, question: Question) -> TDesign:
        return TDesign(
            sd=self.sd,
            paired=self.paired,
            alpha=question.alpha,
            alternative=question.alternative,
            strict=self.strict,
        )
