"""Plans that draw the scores of fake items.

O'Connor's recipe: make a fake data set of size N with the hoped-for gain, run the test, see whether it is found; and
BLEU without a pilot, where what each segment contributes to the gain follows a Laplace law with a peak at 0.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.design import Design
from outscore.metrics.mean import Mean
from outscore.power.plans import Plan, plan
from outscore.power.simulation import SimulationSource
from outscore.significance.statistics import Statistics


@dataclass(frozen=True)
class Fake(Plan):
    """A plan that draws a score for each item under both systems; its field ``test`` names the test that is run."""

    null: ClassVar[str] = "that of the test, see outscore list tests"
    procedure: ClassVar[str] = "named by the option test"

    @property
    @abstractmethod
    def named(self) -> str:
        """The test that is run, by name; ``auto`` chooses as ``compare`` does."""

    @abstractmethod
    def scores(self, n: int, effect: float, draw: np.random.Generator) -> tuple[Float, Float]:
        """Scores ``(n,)`` of the baseline and of the system."""


@dataclass(frozen=True)
class FakeItems(SimulationSource):
    """Test sets of fake items with this gain."""

    plan: Fake
    effect: float

    @property
    def identity(self) -> str:
        return f"{self.plan.label} {self.effect!r}"

    def stats(self, n: int, draw: np.random.Generator) -> Statistics:
        both = [np.stack([values, np.ones(n)], axis=-1)[None] for values in self.plan.scores(n, self.effect, draw)]
        return Statistics(self.plan.name, both, Mean().score, Design(n), per_item=True)


@plan("fake")
@dataclass(frozen=True)
class FakeData(Fake):
    """Simulated power on fake data: answers that are right or wrong, or normal differences; by default the bootstrap.

    Args:
        p10: proportion of items that the system has right and the baseline wrong; ``p01`` the reverse. Their difference
            is the gain.
        sd: standard deviation of normal differences, instead of p10 and p01; the gain is then given by itself.
        test: the test to be run; auto chooses as ``compare`` does.
    """

    unit: ClassVar[str] = "unit of the scores"
    citation: ClassVar[str] = "O'Connor 2015, NLP evaluation (lecture)"

    p10: float | None = None
    p01: float | None = None
    sd: float | None = None
    test: str = "bootstrap"

    def __post_init__(self) -> None:
        if self.p10 is None or self.p01 is None:
            if self.sd is None or not self.sd > 0 or self.p10 is not None or self.p01 is not None:
                raise UsageError("fake needs either p10 and p01, as in fake:p10=0.1,p01=0.05, or sd above 0")
        elif self.sd is not None or min(self.p10, self.p01) < 0 or self.p10 + self.p01 > 1:
            raise UsageError("fake: p10 and p01 are proportions of items, together at most 1, and leave no room for sd")

    @property
    def named(self) -> str:
        return self.test

    @property
    def assumes(self) -> str:
        if self.sd is not None:
            return f"independent normal differences with standard deviation {self.sd:g}"
        return f"independent items; the system alone is right on {self.p10:g}, the baseline alone on {self.p01:g}"

    def effect(self, given: float | None) -> float:
        if self.p10 is None or self.p01 is None:
            return super().effect(given)
        return self.gain_of_proportions(self.p10, self.p01, given)

    def scores(self, n: int, effect: float, draw: np.random.Generator) -> tuple[Float, Float]:
        if self.p10 is None or self.p01 is None:
            assert self.sd is not None, "checked when made"
            return np.zeros(n), draw.normal(effect, self.sd, size=n)
        at = draw.random(n)
        return ((at >= self.p10) & (at < self.p10 + self.p01)).astype(float), (at < self.p10).astype(float)


@plan("bleu")
@dataclass(frozen=True)
class BleuPlan(Fake):
    """Simulated power for a gain in BLEU by a mixture of a Laplace law and identical outputs.

    To swap the systems' outputs on a segment changes the gain by a Laplace variable with location -2 Δ / (n (1 -
    p0)) and scale b0 / n, or, with probability p0, not at all; so a segment contributes a Laplace variable with
    location Δ / (1 - p0) and scale b0 / 2 to a gain that is the mean of them (Card et al. 2020, §5).

    Args:
        p0: proportion of segments on which a swap changes nothing.
        b0: scale of what a swap does, times the number of segments; both defaults are the authors' example.
        test: of the simulated segments; auto chooses as ``compare`` does.
    """

    unit: ClassVar[str] = "BLEU 0-100"
    citation: ClassVar[str] = "Card et al. 2020, With Little Power Comes Great Responsibility, §5"

    p0: float = 0.13
    b0: float = 25.8
    test: str = "auto"

    def __post_init__(self) -> None:
        if not (0 <= self.p0 < 1 and self.b0 > 0):
            raise UsageError("bleu: p0 is a proportion from 0 to below 1, b0 above 0")

    @property
    def named(self) -> str:
        return self.test

    @property
    def assumes(self) -> str:
        return (
            f"a swap on a segment changes nothing with probability {self.p0:g}, else the gain by a Laplace "
            f"variable of scale {self.b0:g} / items"
        )

    def scores(self, n: int, effect: float, draw: np.random.Generator) -> tuple[Float, Float]:
        gains = draw.laplace(effect / (1 - self.p0), self.b0 / 2, size=n) * (draw.random(n) >= self.p0)
        return np.zeros(n), gains
