"""O'Connor's recipe: make a fake data set of size N with the hoped-for gain, run the test, see whether it is found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.power.plans import plan
from outscore.power.plans.simulated import Fake


@plan("fake")
@dataclass(frozen=True)
class FakeData(Fake):
    """Simulated power on fake data: answers that are right or wrong, or normal differences; by default the bootstrap.

    Args:
        p10: share of items that the system has right and the baseline wrong; ``p01`` the reverse. Their difference is
            the gain.
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
                raise UsageError("fake needs either p10 and p01, or sd above 0")
        elif self.sd is not None or min(self.p10, self.p01) < 0 or self.p10 + self.p01 > 1:
            raise UsageError("fake: p10 and p01 are shares of items, together at most 1, and leave no room for sd")

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
        own = self.p10 - self.p01
        if given is not None and not math.isclose(given, own, abs_tol=1e-9):
            raise UsageError(f"fake: p10 - p01 is {own:g}, but --effect is {given:g}; leave one of them out")
        return own

    def scores(self, n: int, effect: float, draw: np.random.Generator) -> tuple[Float, Float]:
        if self.p10 is None or self.p01 is None:
            assert self.sd is not None, "checked when made"
            return np.zeros(n), draw.normal(effect, self.sd, size=n)
        at = draw.random(n)
        return ((at >= self.p10) & (at < self.p10 + self.p01)).astype(float), (at < self.p10).astype(float)
