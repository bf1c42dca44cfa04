"""The normal interval: the estimate and its bootstrap standard error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.engine import intervals
from outscore.significance.estimate import Estimate
from outscore.significance.interval import interval
from outscore.significance.interval.resampled import Resampled


@interval("normal")
@dataclass(frozen=True)
class Normal(Resampled):
    """The estimate plus and minus z bootstrap standard errors.

    Args:
        bias_corrected: first subtract the bias, the mean of the redrawn values minus the estimate.
    """

    formula: ClassVar[str] = (
        "θ ± z s*, s* the standard deviation of the redrawn values θ*; bias_corrected: 2θ less the mean of θ*, in "
        "place of θ"
    )
    applies: ClassVar[str] = "200 items or more and an estimate whose law is near normal, which few items do not give"
    citation: ClassVar[str] = "Davison & Hinkley 1997, eq. 5.5"

    bias_corrected: bool = False

    def from_replicates(self, estimate: Estimate) -> intervals.Interval:
        return intervals.normal(estimate.value, estimate.redrawn, estimate.level, bias_corrected=self.bias_corrected)
