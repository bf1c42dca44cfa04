"""The Wald interval of a share, and of a paired difference of shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance import notes
from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, paired_wald, wald


@interval("wald")
@dataclass(frozen=True)
class Wald(Counted):
    """A share, or a paired difference of shares, plus and minus z standard errors."""

    formula: ClassVar[str] = (
        "p ± z √(p (1 - p)/n); of a gain: (b - c)/n ± z √(b + c - (b - c)²/n)/n, b and c items that only the system, "
        "only the baseline gets right"
    )
    applies: ClassVar[str] = (
        "only to reproduce older numbers: near 0 and 1, and where the systems differ on few items, it covers too little"
    )
    citation: ClassVar[str] = "Laplace 1812; Brown, Cai & DasGupta 2001"
    called: ClassVar[str] = "Wald interval"

    def find(self, estimate: Estimate) -> Found:
        ends, method, _ = super().find(estimate)
        return ends, method, (notes.WALD,)

    def ends(self, estimate: Estimate) -> Ends:
        if estimate.what == "score":
            right, n = estimate.counts
            return wald(right, n, estimate.level)
        _, b, c, n = estimate.counts
        return paired_wald(b, c, n, estimate.level)
