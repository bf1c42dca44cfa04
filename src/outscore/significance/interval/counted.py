"""What the intervals of right-or-wrong items have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, IntervalMethod
from outscore.significance.textbook.proportions import Ends


@dataclass(frozen=True)
class Counted(IntervalMethod):
    """An interval of a share of right items, or of a difference of two such shares, from counts of items.

    Class attributes:
        called: what the interval is called in a result.
    """

    of_counts: ClassVar[bool] = True
    needs: ClassVar[str] = "an answer that is right or wrong on each item, one run, no clusters, no strata"
    called: ClassVar[str]

    def refuses(self, estimate: Estimate) -> str | None:
        if not estimate.binary:
            what = f"each item right or wrong, and one run, which {estimate.panel.name} here does not have"
            return f"{self.name} needs {what}; use --interval auto"
        if estimate.clustered:
            return f"{self.name} takes items as independent, but they come in clusters; use --interval t or bca"
        if estimate.stratified:
            return f"{self.name} takes items as drawn from all strata together; use --interval bca or delta"
        return None

    def find(self, estimate: Estimate) -> Found:
        low, high = self.ends(estimate)
        least = -1.0 if estimate.what == "gain" else 0.0
        return (max(low, least), min(high, 1.0)), self.called, ()

    @abstractmethod
    def ends(self, estimate: Estimate) -> Ends:
        """The ends from the counts of the estimate; what lies outside the scale is cut off."""
