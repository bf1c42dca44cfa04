"""Two systems that are right or wrong on items of their own: power of the test of two proportions by the normal law.

Null hypothesis: both systems are right equally often. The gain is standardized by the pooled variance under the null
hypothesis and by the variances of both under the alternative, as in R's ``power.prop.test``.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy import special

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.beta import normal_ppf
from outscore.engine.extreme import Alternative, tail_of
from outscore.power.plans import (
    Closed,
    PowerAtSize,
    Question,
    partial_moments,
    plan,
    sign_gain,
    smallest,
    smallest_gain,
)
from outscore.power.plans.mcnemar import discordant_law
from outscore.significance.equivalence import root_of_items
from outscore.significance.proportions import tango_score

_FAR, _FEW = 2.0, 100
"""Times, and items, by which the approximation is surely not off."""


def two_proportions_power(
    rate: float,
    baseline: float,
    n: float,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    strict: bool = True,
) -> PowerAtSize:
    """The chance of a rejection on n items of each system; n need not be whole.

    Args:
        rate: share that the system gets right; ``baseline`` that of the baseline.
        n: items of each system.
        alpha: level; ``alternative``: the side, ``greater`` claims that the system is better.
        strict: rejections on the wrong side count too, which R leaves out by default.

    Raises:
        UsageError: a rate outside 0 to 1, or no variance.
    """
    pooled, apart = _deviations(rate, baseline)
    gain, z = rate - baseline, -normal_ppf(tail_of(alpha, alternative))
    error, bound = apart / math.sqrt(n), z * pooled / apart
    sides = [side for side, without in ((1, "less"), (-1, "greater")) if alternative != without]
    sizes, powers = zip(*(partial_moments(side * gain / error, bound) for side in sides), strict=True)
    wrong = sum(power for side, power in zip(sides, powers, strict=True) if side * gain < 0)
    return PowerAtSize(
        power=sum(powers) if strict else sum(powers) - wrong,
        wrong=wrong if strict else 0.0,
        size=error * sum(sizes) / sum(powers) if sum(powers) > 0 else None,
    )


def _deviations(rate: float, baseline: float) -> tuple[float, float]:
    """Standard deviation of the gain times √n, with the pooled rate and with both."""
    if not (0 <= rate <= 1 and 0 <= baseline <= 1):
        raise UsageError(f"accuracies {baseline:g} and {rate:g}: expected proportions from 0 to 1")
    mean = (rate + baseline) / 2
    variance = rate * (1 - rate) + baseline * (1 - baseline)
    if variance == 0:
        raise UsageError(f"accuracies {baseline:g} and {rate:g}: the normal approximation needs answers that vary")
    return math.sqrt(2 * mean * (1 - mean)), math.sqrt(variance)


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
    also: ClassVar[tuple[str, ...]] = ("proportions", "two_proportion", "prop", "two_sample_proportions")
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

    def power(self, n: float, question: Question) -> PowerAtSize:
        return two_proportions_power(
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

        def power(gain: float) -> float:
            effect = sign_gain(gain, side)
            if {self.baseline, self.baseline + effect} == {0.0, 1.0}:
                return 1.0  # nothing varies, and nothing can be taken for luck
            return self.power(n, replace(question, effect=effect)).power

        return smallest_gain(power, question.target, most)


@plan("margin")
@dataclass(frozen=True)
class MarginPlan(Closed):
    """Exact power of the score test of a margin, which ``compare --margin`` makes of right or wrong answers.

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
        near = root_of_items(1 - self.agreement, question.effect, z, more) ** 2

        def enough(n: int) -> bool:
            if not near / _FAR - _FEW < n < near * _FAR + _FEW:
                return n > near
            return self.power(n, question).power >= question.target

        return smallest(enough)

    def detectable(self, n: float, question: Question) -> None:
        del n, question
