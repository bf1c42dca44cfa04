"""The studentized bootstrap interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.engine import intervals
from outscore.significance.estimate import Estimate
from outscore.significance.interval import interval
from outscore.significance.interval.resampled import Resampled
from outscore.significance.resamples import DrawRequest


@interval("studentized")
@dataclass(frozen=True)
class StudentizedInterval(Resampled):
    """Bootstrap-t: quantiles of how far redrawn values lie from the estimate, each in its own standard error.

    The standard errors are those of the linearised score (infinitesimal jackknife).

    Args:
        quantile: definition of a sample quantile by Hyndman and Fan 1996: 6, 7 (R's and numpy's) or 1.
    """

    formula: ClassVar[str] = (
        "[θ - se q(1 - α/2), θ - se q(α/2)], q the quantiles of (θ* - θ)/se*, se* the standard error in the resample"
    )
    applies: ClassVar[str] = "scores of sums with few items, where the law of the score is skewed"
    needs: ClassVar[str] = "a score of sums (a mean, a ratio, F, BLEU ...), two items (clusters) or more"
    citation: ClassVar[str] = "Hall 1992; Davison & Hinkley 1997, §5.2.1"
    few: ClassVar[bool] = True

    quantile: intervals.Quantile = 6

    def refuses(self, estimate: Estimate) -> str | None:
        if estimate.panel.of_sums:
            return None
        return f"studentized needs a score of sums, which {estimate.panel.name} is not; use --interval jackknife"

    def draws(self, estimate: Estimate) -> Sequence[DrawRequest]:
        return (estimate.studentized_bootstrap,)

    def replicates(self, estimate: Estimate) -> Float:
        values, _ = estimate.studentized.values
        return np.asarray(values)

    def from_replicates(self, estimate: Estimate) -> intervals.Interval:
        drawn = estimate.studentized
        values, errors = drawn.values
        found = intervals.studentized(drawn.centre, drawn.error, values, errors, estimate.level, kind=self.quantile)
        # the score of pooled runs is not quite the mean of their scores
        moved = estimate.value - drawn.centre
        return replace(found, low=found.low + moved, high=found.high + moved)
