"""The interval of a share on the logit scale, with the design's own variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.significance.estimate import Estimate
from outscore.significance.interval import UNDEFINED, Covers, Found, IntervalMethod, interval
from outscore.significance.interval.unvarying import scaled, share_of, unvarying
from outscore.significance.means import TTest, cluster_t, paired_t, t_from
from outscore.significance.p_values import student_quantile
from outscore.significance.proportions import logit_of


@interval("logit")
@dataclass(frozen=True)
class Logit(IntervalMethod):
    """Student's interval of a score between two limits, made on the logit scale, which has none.

    The variance is that of the items, of the clusters (CR2), or of runs and items together; of the score of a ranking
    it is the jackknife's, with as many degrees of freedom as the rarer label has items, less one: with 10 and 20
    positives of 200 items AUC of .96 is covered in .92 of sets, by t of all items in .76 and .83, by BCa in .89 and .9.
    Answers that are right or wrong never count for more items than there are. Where nothing varies it is Wilson's
    interval of as many items as there are units, or units with the rarer label.
    """

    covers: ClassVar[Covers] = "score"
    of_counts: ClassVar[bool] = True
    formula: ClassVar[str] = (
        "logit⁻¹(logit p ± t/√(n_eff p (1 - p))), p the score as a share of its range, n_eff = p (1 - p)/V, V the "
        "variance of the t interval; of a ranking that of the jackknife; V = 0: (p + t²/(2G) ± t √(p (1 - p)/G + "
        "t²/(4G²)))/(1 + t²/G), G units"
    )
    applies: ClassVar[str] = (
        "means of values between known limits, in clusters and over runs too, and scores of rankings, the default "
        "there; right or wrong answers in clusters or over runs"
    )
    needs: ClassVar[str] = "two items (clusters) or more, values that have a lowest and a highest one, no strata"
    citation: ClassVar[str] = "Korn & Graubard 1998; Franco et al. 2019"

    def holds_runs(self, estimate: Estimate) -> bool:
        return False

    def refuses(self, estimate: Estimate) -> str | None:
        if estimate.stratified:
            return "logit takes items as drawn from all strata together; use --interval bca"
        ranking = not estimate.panel.of_sums and max(estimate.n_runs) == 1
        if not estimate.bounded or not (estimate.panel.plain_mean or ranking):
            what = f"a mean or ranking of values between known limits, which {estimate.panel.name} here is not"
            return f"logit needs {what}; use --interval bca or t"
        return None

    def find(self, estimate: Estimate) -> Found:
        if estimate.n_units < 2:
            return UNDEFINED
        share, width = share_of(estimate)
        found, called = _spread(estimate)
        if found.degenerate or not 0 < share < 1:
            return unvarying(estimate)
        worth = share * (1 - share) * (width / found.se) ** 2
        if estimate.right_or_wrong:
            worth = min(worth, estimate.panel.design.n_items * max(estimate.n_runs))
        return scaled(estimate, logit_of(share, worth, student_quantile(estimate.level, found.df))), called, ()


def _spread(estimate: Estimate) -> tuple[TTest, str]:
    if not estimate.panel.of_sums:
        n, without = estimate.n_units, estimate.without_units
        pseudo = np.full_like(without, estimate.value) if np.ptp(without) <= estimate.slack else without
        error = paired_t((n - 1) * pseudo).se
        return t_from(estimate.value, error, max(estimate.panel.n_decisive - 1, 1)), "logit jackknife t interval"
    if max(estimate.n_runs) > 1:
        return estimate.over_runs, "logit t interval over runs and items"
    labels = estimate.panel.design.labels
    if labels is None:
        return paired_t(estimate.of_items), "logit t interval"
    return cluster_t(estimate.of_items, labels), "logit CR2 t interval"
