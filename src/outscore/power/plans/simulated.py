"""The base of plans that draw the scores of fake items."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.metrics.mean import Mean
from outscore.power.plans import Plan
from outscore.power.simulation import SimulationSource
from outscore.significance.panel import Panel


@dataclass(frozen=True)
class Fake(Plan):
    """A plan that draws a score for each item under both systems; its field ``test`` names the test that is run."""

    null: ClassVar[str] = "that of the test, see outscore tests"
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

    def panel(self, n: int, draw: np.random.Generator) -> Panel:
        both = [np.stack([values, np.ones(n)], axis=-1)[None] for values in self.plan.scores(n, self.effect, draw)]
        return Panel(self.plan.name, both, Mean().score, Design(n), per_item=True)
