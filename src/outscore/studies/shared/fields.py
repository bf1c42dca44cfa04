"""A field of research with real tests: what they find at each level, with the power held or with the same test sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from outscore.power.plans.t import TDesign
from outscore.power.ppv import ResearchField

FIXED, SAME, CERTAIN = "power held", "same test sets", "everything found"
"""The power as the level falls: it is held, as by the formula; or falls, too; or is 1 at any level."""

NEAR = 0.8
"""A p is just significant from this proportion of the level on."""

_SMALLEST, _LARGEST = 1e-9, 0.5
_HALVINGS = 60


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A field whose tests are two-sided paired t tests of normal differences.

    Attributes:
        odds: true hypotheses for each null one; ``power`` of the tests at ``alpha``.
        items: of each test set.
    """

    odds: float
    power: float
    items: int
    alpha: float

    @property
    def field(self) -> ResearchField:
        """The field of the formula."""
        return ResearchField(odds=self.odds, power=self.power)

    def shift(self, part: str, level: float) -> float:
        """The true gain over its standard error, where it is one."""
        if part == CERTAIN:
            return 100.0
        return _detectable(level if part == FIXED else self.alpha, self.items, self.power)

    def power_at(self, part: str, level: float) -> float:
        """The power of the test at this level."""
        if part == FIXED:
            return self.power
        design = self._design(level)
        return max(design.power(self.items, self.shift(part, level) * design.error(self.items)).power, _SMALLEST)

    def ppv(self, part: str, level: float) -> float:
        """The proportion of true ones among the significant."""
        return ResearchField(odds=self.odds, power=self.power_at(part, level)).ppv(level)

    def cutoff(self, wanted: float) -> float | None:
        """The level at which the same test sets have this predictive value; None where none has."""
        if self.ppv(SAME, _SMALLEST) < wanted or self.ppv(SAME, _LARGEST) > wanted:
            return None
        low, high = math.log(_SMALLEST), math.log(_LARGEST)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            enough = self.ppv(SAME, math.exp(middle)) >= wanted
            low, high = (middle, high) if enough else (low, middle)
        return math.exp(low)

    def proportion_near(self) -> float:
        """The proportion of true ones where p lies just below alpha, from ``NEAR`` times alpha on."""
        shift = self.shift(FIXED, self.alpha)
        designs = [self._design(level) for level in (self.alpha, NEAR * self.alpha)]
        power, less = (one.power(self.items, shift * one.error(self.items)).power for one in designs)
        true = self.odds * (power - less)
        return true / (true + (1 - NEAR) * self.alpha)

    @staticmethod
    def _design(level: float) -> TDesign:
        return TDesign(sd=1.0, alpha=level)


@cache
def _detectable(level: float, items: int, power: float) -> float:
    """The gain over its standard error that a test at this level has this power for."""
    design = TDesign(sd=1.0, alpha=level)
    return design.detectable(items, power) / design.error(items)
