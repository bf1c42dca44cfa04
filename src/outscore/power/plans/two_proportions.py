"""Two systems that are right or wrong on items of their own: power of the test of two proportions by the normal law.

Null hypothesis: both systems are right equally often. The gain is standardized by the pooled variance under the null
hypothesis and by the variances of both under the alternative, as in R's ``power.prop.test``.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.extreme import Alternative, tail_of
from outscore.engine.normal import normal_ppf
from outscore.power.plans import (
    Closed,
    PowerAtSize,
    Question,
    partial_moments,
    plan,
    sign_gain,
    smallest_gain,
)


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
