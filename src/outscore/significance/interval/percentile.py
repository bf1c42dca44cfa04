"""The percentile interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.engine import intervals
from outscore.significance.estimate import Estimate
from outscore.significance.interval import interval
from outscore.significance.interval.resampled import Resampled


@interval("percentile")
@dataclass(frozen=True)
class Percentile(Resampled):
    """From the alpha/2 to the 1 - alpha/2 quantile of the redrawn values.

    Args:
        quantile: definition of a sample quantile by Hyndman and Fan 1996: 6, 7 (R's and numpy's) or 1.
    """

    formula: ClassVar[str] = "[q(α/2), q(1 - α/2)], q the quantiles of the redrawn values θ*"
    applies: ClassVar[str] = "200 items or more and little bias; it is what most programs print"
    citation: ClassVar[str] = "Efron & Tibshirani 1993, §13.3; Koehn 2004"

    quantile: intervals.Quantile = 6

    def from_replicates(self, estimate: Estimate) -> intervals.Interval:
        return intervals.percentile(estimate.redrawn, estimate.level, kind=self.quantile)
