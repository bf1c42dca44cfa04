"""The equal-tailed Bayesian interval of a share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, jeffreys


@interval("jeffreys")
@dataclass(frozen=True)
class Jeffreys(Counted):
    """The equal-tailed interval of a share from the Beta(½, ½) prior."""

    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "[Beta⁻¹(α/2; x + ½, n - x + ½), Beta⁻¹(1 - α/2; x + ½, n - x + ½)], x of n items right"
    applies: ClassVar[str] = "accuracies, in the mean over all of them close to its level; below it for some"
    citation: ClassVar[str] = "Brown, Cai & DasGupta 2001"
    called: ClassVar[str] = "Jeffreys interval"

    def ends(self, estimate: Estimate) -> Ends:
        right, n = estimate.counts
        return jeffreys(right, n, estimate.level)
