"""BLEU without a pilot: what each segment contributes to the gain follows a Laplace law with a peak at 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.power.plans import plan
from outscore.power.plans.simulated import Fake


@plan("bleu")
@dataclass(frozen=True)
class BleuPlan(Fake):
    """Simulated power for a gain in BLEU by a mixture of a Laplace law and identical outputs.

    To exchange the systems' outputs on a segment changes the gain by a Laplace variable with location -2 Δ / (n (1 -
    p0)) and scale b0 / n, or, with probability p0, not at all; so a segment contributes a Laplace variable with
    location Δ / (1 - p0) and scale b0 / 2 to a gain that is the mean of them (Card et al. 2020, §5).

    Args:
        p0: share of segments on which an exchange changes nothing.
        b0: scale of what an exchange does, times the number of segments; both defaults are the authors' example.
        test: of the simulated segments; auto chooses as ``compare`` does.
    """

    unit: ClassVar[str] = "BLEU 0-100"
    citation: ClassVar[str] = "Card et al. 2020, With Little Power Comes Great Responsibility, §5"

    p0: float = 0.13
    b0: float = 25.8
    test: str = "auto"

    def __post_init__(self) -> None:
        if not (0 <= self.p0 < 1 and self.b0 > 0):
            raise UsageError("bleu: p0 is a share from 0 to below 1, b0 above 0")

    @property
    def named(self) -> str:
        return self.test

    @property
    def assumes(self) -> str:
        return (
            f"an exchange on a segment changes nothing with probability {self.p0:g}, else the gain by a Laplace "
            f"variable of scale {self.b0:g} / items"
        )

    def scores(self, n: int, effect: float, draw: np.random.Generator) -> tuple[Float, Float]:
        gains = draw.laplace(effect / (1 - self.p0), self.b0 / 2, size=n) * (draw.random(n) >= self.p0)
        return np.zeros(n), gains
