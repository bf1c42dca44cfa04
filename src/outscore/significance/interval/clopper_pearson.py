"""The exact interval of a share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, clopper_pearson


@interval("clopper-pearson")
@dataclass(frozen=True)
class ClopperPearson(Counted):
    """The exact binomial interval of a share: its coverage is never below its level, and as a rule above."""

    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "[Beta⁻¹(α/2; x, n - x + 1), Beta⁻¹(1 - α/2; x + 1, n - x)], x of n items right"
    applies: ClassVar[str] = "accuracies whose interval must not fall short of its level at any price in width"
    citation: ClassVar[str] = "Clopper & Pearson 1934"
    called: ClassVar[str] = "Clopper-Pearson interval"

    def ends(self, estimate: Estimate) -> Ends:
        right, n = estimate.counts
        return clopper_pearson(right, n, estimate.level)
