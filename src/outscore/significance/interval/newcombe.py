"""Newcombe's hybrid score interval of a paired difference of shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.textbook.proportions import Ends, newcombe_paired


@interval("newcombe")
@dataclass(frozen=True)
class Newcombe(Counted):
    """Both Wilson intervals joined by the correlation of the answers (Newcombe's method 10 for paired data)."""

    covers: ClassVar[Covers] = "gain"
    applies: ClassVar[str] = "gains in accuracy with 30 items or more; it uses the items on which the systems agree too"
    citation: ClassVar[str] = "Newcombe 1998, Statistics in Medicine 17:2635; Fagerland et al. 2014"
    called: ClassVar[str] = "Newcombe interval"

    def ends(self, estimate: Estimate) -> Ends:
        both, b, c, n = estimate.counts
        return newcombe_paired(both, b, c, n, estimate.level)
