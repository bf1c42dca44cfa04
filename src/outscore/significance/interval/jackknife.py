"""The jackknife interval, for every score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, IntervalMethod, constant, finite, interval
from outscore.significance.means import paired_t


@interval("jackknife")
@dataclass(frozen=True)
class Jackknife(IntervalMethod):
    """A t interval over the pseudo-values of the units, n times the estimate less n - 1 times that without the unit."""

    formula: ClassVar[str] = (
        "J̄ ± t s_J/√n, J_i = n θ - (n - 1) θ₋ᵢ with θ₋ᵢ the value without item i, t with n - 1 degrees of freedom"
    )
    applies: ClassVar[str] = (
        "any smooth score, rankings (AUC, average precision) too, where it is the default for gains"
    )
    needs: ClassVar[str] = "two items (clusters) or more, no strata"
    citation: ClassVar[str] = "Quenouille 1956; Tukey 1958; Miller 1974"

    def refuses(self, estimate: Estimate) -> str | None:
        if estimate.stratified:
            return "jackknife takes items as drawn from all strata together; use --interval bca"
        return None

    def find(self, estimate: Estimate) -> Found:
        n, without = estimate.n_units, estimate.without_units
        if np.ptp(without) <= estimate.slack:
            return constant(estimate)
        found = paired_t(n * estimate.value - (n - 1) * without, level=estimate.level)
        return finite(found.low, found.high, "t interval over jackknife pseudo-values")
