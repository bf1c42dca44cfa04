"""The basic bootstrap interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.engine import intervals
from outscore.significance.estimate import Estimate
from outscore.significance.interval import interval
from outscore.significance.interval.resampled import Resampled


@interval("basic")
@dataclass(frozen=True)
class Basic(Resampled):
    """The percentile interval mirrored at the estimate: what redrawing adds to the estimate is taken off it.

    Args:
        quantile: definition of a sample quantile by Hyndman and Fan 1996: 6, 7 (R's and numpy's) or 1.
    """

    formula: ClassVar[str] = "[2θ - q(1 - α/2), 2θ - q(α/2)], q the quantiles of the redrawn values θ*"
    applies: ClassVar[str] = (
        "200 items or more and an estimate that may be biased; it can leave the scale of the metric"
    )
    citation: ClassVar[str] = "Davison & Hinkley 1997, eq. 5.6"

    quantile: intervals.Quantile = 6

    def from_replicates(self, estimate: Estimate) -> intervals.Interval:
        return intervals.basic(estimate.value, estimate.redrawn, estimate.level, kind=self.quantile)
