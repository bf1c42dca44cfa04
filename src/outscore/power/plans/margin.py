"""Two equal systems that are right or wrong on the same items: power to show that neither is worse by a margin."""

from __future__ import annotations

from bisect import bisect_left
from typing import ClassVar

import numpy as np
from scipy import special

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.normal import normal_ppf
from outscore.power.plans import Closed, PowerAtSize, Question, plan, smallest
from outscore.power.plans.mcnemar import discordant_law
from outscore.significance.equivalence import items_of_margin
from outscore.significance.proportions import tango_score

_FAR, _FEW = 2.0, 100
"""Times off, and items, that the approximation of the number of items surely is not."""


@plan("margin")
@dataclass(frozen=True)
class MarginPlan(Closed):
    """Exact power of the score test of a margin, which ``compare --margin`` makes of right or wrong answers.

    The test takes the variance that a loss as large as the margin would have, so that where few answers differ it needs
    more items than a gain of that size does by McNemar's test.

    Args:
        agreement: proportion of items on which both systems are right or both wrong.
    """

    null: ClassVar[str] = "the system is worse by the margin or more"
    procedure: ClassVar[str] = "score test of a margin"
    kind: ClassVar[str] = "exact"
    unit: ClassVar[str] = "accuracy 0-1"
    citation: ClassVar[str] = "Tango 1998"

    agreement: float

    def __post_init__(self) -> None:
        if not 0 < self.agreement < 1:
            raise UsageError(f"agreement {self.agreement:g}: expected a proportion between 0 and 1, such as 0.9")

    @property
    def assumes(self) -> str:
        return f"independent items; equal systems, which agree on {self.agreement:.4g} of them"

    def power(self, n: float, question: Question) -> PowerAtSize:
        """A number D of discordant items has its binomial law, and half of them favour the system."""
        pairs, mass = discordant_law(int(n), 1 - self.agreement)
        z = -normal_ppf(question.alpha)

        def fewest(of: int) -> int:
            return bisect_left(range(of + 1), z, key=lambda b: tango_score(b, of - b, int(n), -question.effect))

        most_against = pairs - np.array([fewest(int(of)) for of in pairs])
        found = np.where(most_against >= 0, special.bdtr(np.maximum(most_against, 0), pairs, 0.5), 0.0)
        return PowerAtSize(power=min(float(mass @ found), 1.0), wrong=0.0, size=None)

    def items(self, question: Question) -> float | None:
        if question.alternative != "greater" or not 0 < question.effect < 1:
            raise UsageError("margin is one-sided: give the margin as --effect, with --alternative greater")
        z, more = -normal_ppf(question.alpha), normal_ppf(question.target)
        near = items_of_margin(1 - self.agreement, question.effect, z, more)

        def enough(n: int) -> bool:
            if not near / _FAR < n + _FEW < near * _FAR:
                return n > near
            return self.power(n, question).power >= question.target

        return smallest(enough)

    def detectable(self, n: float, question: Question) -> None:
        del n, question
