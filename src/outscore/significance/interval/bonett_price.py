"""The adjusted Wald interval of a paired difference of shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, bonett_price


@interval("bonett-price")
@dataclass(frozen=True)
class BonettPrice(Counted):
    """The Wald interval of a paired difference of shares after adding one item that only each system got right."""

    covers: ClassVar[Covers] = "gain"
    formula: ClassVar[str] = (
        "p_b - p_c ± z √((p_b + p_c - (p_b - p_c)²)/(n + 2)), p_b = (b + 1)/(n + 2), p_c = (c + 1)/(n + 2), b and c "
        "items that only the system, only the baseline gets right"
    )
    applies: ClassVar[str] = (
        "gains in accuracy, where a formula for the back of an envelope is wanted; a little too wide"
    )
    citation: ClassVar[str] = "Bonett & Price 2012"
    called: ClassVar[str] = "Bonett-Price interval"

    def ends(self, estimate: Estimate) -> Ends:
        _, b, c, n = estimate.counts
        return bonett_price(b, c, n, estimate.level)
