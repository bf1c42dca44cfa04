"""The interval of lecture slides, kept to be compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from outscore.engine import intervals
from outscore.significance import notes
from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, interval
from outscore.significance.interval.resampled import Resampled


@interval("oconnor")
@dataclass(frozen=True)
class OConnor(Resampled):
    """The mean of the redrawn values plus and minus two of their standard deviations, at level .954, not 1 - alpha."""

    formula: ClassVar[str] = "the mean of the redrawn values θ* ± 2 of their standard deviations"
    applies: ClassVar[str] = (
        "only to reproduce older numbers: it is centred at the mean of the redrawn values, which doubles the bias of "
        "the estimate"
    )
    citation: ClassVar[str] = "O'Connor 2015 (lecture slides)"

    def find(self, estimate: Estimate) -> Found:
        ends, method, said = super().find(estimate)
        return ends, method, (*said, notes.OCONNOR)

    def from_replicates(self, estimate: Estimate) -> intervals.Interval:
        return replace(intervals.oconnor(estimate.redrawn), method="mean ± 2 sd")
