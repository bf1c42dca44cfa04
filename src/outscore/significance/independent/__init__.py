"""Named tests of two samples that are independent of each other, one file for each test or family of tests.

A sample holds runs, or items that nobody shares.

Such a test sees ``IndependentSamples``: one number for each run, or for each item, of two systems. Where both systems
answered the same items, the tests of pairs are stronger, and the items cannot be taken for independent samples.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.registry import Registry
from outscore.engine.extreme import tolerance
from outscore.significance import Named, Outcome
from outscore.significance.settings import Settings

Unit = Literal["run", "item"]


@dataclass(frozen=True, kw_only=True)
class IndependentSamples:
    """The numbers measured on two systems, taken as independent samples.

    Attributes:
        system, baseline: ``(n,)`` and ``(m,)`` numbers, signed so that more is better. Numbers that tie are equal as
            floats.
        unit: what one number stands for: the score of a ``run`` on the whole test set, or of an ``item``.
        settings: side, level, resampling.
        shared: both systems answered the same items, so the samples are not independent.
        by_item: ``(n, items)`` and ``(m, items)``, of runs of a mean of items the numbers of these, signed alike.
    """

    system: Float
    baseline: Float
    unit: Unit
    settings: Settings
    shared: bool = False
    by_item: tuple[Float, Float] | None = None

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of the system and of the baseline."""
        return self.system.size, self.baseline.size

    @cached_property
    def gain(self) -> float:
        """Mean of the system minus mean of the baseline."""
        return float(self.system.mean() - self.baseline.mean())

    @cached_property
    def slack(self) -> float:
        """Rounding tolerance for comparing differences of means."""
        return tolerance(float(max(np.abs(self.system).max(), np.abs(self.baseline).max())))

    @cached_property
    def constant(self) -> bool:
        """All numbers of both systems are the same: there is nothing to test.

        Samples that are equal number by number are not: independent ones could have come in any order, and every test
        gives them its own p.
        """
        return bool((self.system == self.system[0]).all() and (self.baseline == self.system[0]).all())

    @cached_property
    def pooled(self) -> Float:
        """``(n + m,)`` the numbers of the system, then those of the baseline."""
        return np.concatenate([self.system, self.baseline])

    @cached_property
    def binary(self) -> bool:
        """Every number says right or wrong: 1 or 0, or, where fewer is better, 0 or -1."""
        return any(bool(np.isin(self.pooled, values).all()) for values in ((0.0, 1.0), (-1.0, 0.0)))

    @cached_property
    def right(self) -> tuple[int, int]:
        """How many numbers of the system and of the baseline are right, where they are right or wrong."""
        best = 0.0 if self.pooled.min() < 0 else 1.0
        return int((self.system == best).sum()), int((self.baseline == best).sum())


@dataclass(frozen=True)
class IndependentTest(Named):
    """One named test of two independent samples."""

    def question(self, samples: IndependentSamples) -> str:
        """The question that the test answers for these samples, in words."""
        if samples.unit == "run":
            return "do new runs differ on this very test set? (items fixed)"
        return "do the systems differ on new items of their own?"

    def refuses(self, samples: IndependentSamples) -> str | None:
        """Why the test cannot answer for these samples, with what to use instead; None if it can, as by default."""
        return None

    @abstractmethod
    def run(self, samples: IndependentSamples) -> Outcome:
        """The outcome for samples that are not refused."""


independent_tests: Registry[IndependentTest] = Registry(
    "test of independent samples",
    "outscore.significance.independent",
    "outscore.independent_tests",
    families={
        "welch": "t_tests",
        "student": "t_tests",
        "fisher": "proportions",
        "chi2": "proportions",
        "two-proportions": "proportions",
    },
)
independent_test = independent_tests.register
