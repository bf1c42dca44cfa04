"""The delta method, for ratios and all other smooth scores of sums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, IntervalMethod, constant, finite, interval
from outscore.significance.means import t_from


@interval("delta")
@dataclass(frozen=True)
class Delta(IntervalMethod):
    """A t interval with the variance of the linearised score (infinitesimal jackknife); nothing is drawn.

    Of a plain mean it is the t interval. With clusters the linear parts are summed within them; with strata the
    variance is that within strata.
    """

    formula: ClassVar[str] = (
        "θ ± t √(n/(n - 1) Σ L_i²), L_i = f'(S) · (s_i - S/n) for a score f of sums S = Σ s_i, t with n - 1 degrees "
        "of freedom"
    )
    applies: ClassVar[str] = (
        "ratios, F, BLEU and other smooth scores of sums: the default below 200 items (clusters); the quickest"
    )
    needs: ClassVar[str] = "a score of sums (a mean, a ratio, F, BLEU ...), two items (clusters) or more"
    citation: ClassVar[str] = "Jaeckel 1972; Davison & Hinkley 1997, §2.7.2; Miller 2024"

    def refuses(self, estimate: Estimate) -> str | None:
        if estimate.panel.of_sums:
            return None
        return f"delta needs a score of sums, which {estimate.panel.name} is not; use --interval jackknife"

    def find(self, estimate: Estimate) -> Found:
        design = estimate.panel.design
        squares = design.centred(estimate.influences) ** 2
        strata = design.strata_of_units
        parts = [float(squares[units].sum()) * len(units) / max(len(units) - 1, 1) for units in strata]
        if not any(parts):
            return constant(estimate)
        found = t_from(estimate.value, math.sqrt(sum(parts)), design.n_units - len(strata), level=estimate.level)
        return finite(found.low, found.high, "delta method interval")
