"""Tango's score interval of a paired difference of shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.textbook.proportions import Ends, tango


@interval("tango")
@dataclass(frozen=True)
class Tango(Counted):
    """Tango's score interval of a paired difference of shares: all differences that a score test would not reject."""

    covers: ClassVar[Covers] = "gain"
    formula: ClassVar[str] = (
        "all Δ with |b - c - n Δ| ≤ z √(n (2 q + Δ (1 - Δ))), b and c items that only the system, only the baseline "
        "gets right, q the likeliest share of the latter where the gain is Δ"
    )
    applies: ClassVar[str] = (
        "gains in accuracy of any number of items, the default there; it says something even if no item differs"
    )
    citation: ClassVar[str] = "Tango 1998; Fagerland et al. 2014"
    called: ClassVar[str] = "Tango score interval"

    def ends(self, estimate: Estimate) -> Ends:
        _, b, c, n = estimate.counts
        return tango(b, c, n, estimate.level)
