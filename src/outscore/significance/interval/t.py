"""Student's interval: of items, of clusters, or of runs and items together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, IntervalMethod, constant, finite, interval
from outscore.significance.means import TTest, cluster_t, paired_t


@interval("t")
@dataclass(frozen=True)
class TInterval(IntervalMethod):
    """Student's t interval of a mean of items; CR2 with clusters; crossed over runs and items with several runs.

    Args:
        runs: ``new``, several runs vary like items, so that the interval speaks of the methods; or ``fixed``, it speaks
            of these runs.
    """

    formula: ClassVar[str] = (
        "d̄ ± t s_d/√n, t with n - 1 degrees of freedom; with clusters √V for s_d/√n, V the CR2 variance; with runs "
        "the variance and degrees of freedom of the crossed test"
    )
    applies: ClassVar[str] = "means of items with 30 items or more, and any score with several runs, the default there"
    needs: ClassVar[str] = "a mean in which every item counts the same, or two runs of each system or more; no strata"
    citation: ClassVar[str] = "Student 1908; Pustejovsky & Tipton 2018; Miller 2024"

    runs: Literal["new", "fixed"] = "new"

    def holds_runs(self, estimate: Estimate) -> bool:
        return super().holds_runs(estimate) and not self._crosses(estimate)

    def refuses(self, estimate: Estimate) -> str | None:
        if estimate.stratified:
            return "t takes items as drawn from all strata together; use --interval bca or delta"
        if estimate.panel.plain_mean or self._crosses(estimate):
            return None
        return f"{estimate.panel.name} has no score of its own for each item, which t needs; use --interval jackknife"

    def find(self, estimate: Estimate) -> Found:
        if self._crosses(estimate):
            return _reported(estimate, estimate.over_runs, "crossed t interval over runs and items")
        labels = estimate.panel.design.labels
        if labels is None:
            return _reported(estimate, paired_t(estimate.of_items, level=estimate.level), "t interval")
        return _reported(estimate, cluster_t(estimate.of_items, labels, level=estimate.level), "CR2 t interval")

    def _crosses(self, estimate: Estimate) -> bool:
        return self.runs == "new" and min(estimate.n_runs) > 1


def _reported(estimate: Estimate, found: TTest, method: str) -> Found:
    if found.degenerate in ("zero_variance", "identical_outputs"):
        return constant(estimate)
    return finite(found.low, found.high, method)
