"""The base of intervals of right-or-wrong items."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, IntervalMethod
from outscore.significance.proportions import Ends


@dataclass(frozen=True)
class Counted(IntervalMethod):
    """An interval of a share of right items, or of a difference of two such shares, from counts of items.

    Class attributes:
        called: what the interval is called in a result.
        in_clusters: it takes items that come in clusters.
    """

    of_counts: ClassVar[bool] = True
    needs: ClassVar[str] = "an answer that is right or wrong on each item, one run, no clusters, no strata"
    called: ClassVar[str]
    in_clusters: ClassVar[bool] = False

    def refuses(self, estimate: Estimate) -> str | None:
        if not estimate.binary:
            what = f"each item right or wrong, and one run, which {estimate.panel.name} here does not have"
            return f"{self.name} needs {what}; use --interval auto"
        if estimate.clustered and not self.in_clusters:
            instead = "logit" if estimate.what == "score" else "tango"
            return f"{self.name} takes items as independent, but they come in clusters; use --interval {instead} or t"
        if estimate.stratified:
            return f"{self.name} takes items as drawn from all strata together; use --interval bca or delta"
        return None

    def find(self, estimate: Estimate) -> Found:
        return self.ends(estimate), self.called, ()

    @abstractmethod
    def ends(self, estimate: Estimate) -> Ends:
        """The ends from the counts of the estimate, as its source has them."""
