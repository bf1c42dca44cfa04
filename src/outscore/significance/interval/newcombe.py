"""Newcombe's hybrid score interval of a paired difference of shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, newcombe_paired


@interval("newcombe")
@dataclass(frozen=True)
class Newcombe(Counted):
    """Both Wilson intervals joined by the correlation of the answers (Newcombe's method 10 for paired data)."""

    covers: ClassVar[Covers] = "gain"
    formula: ClassVar[str] = (
        "from δ - √(a² - 2 φ a d + d²), a = p_A - l_A, d = u_B - p_B, to δ + √(e² - 2 φ e g + g²), e = u_A - p_A, g ="
        " p_B - l_B; l and u the ends of Wilson's intervals, φ the correlation of the answers"
    )
    applies: ClassVar[str] = "gains in accuracy with 30 items or more; it uses the items on which the systems agree too"
    citation: ClassVar[str] = "Newcombe 1998, Statistics in Medicine 17:2635; Fagerland et al. 2014"
    called: ClassVar[str] = "Newcombe interval"

    def ends(self, estimate: Estimate) -> Ends:
        both, b, c, n = estimate.counts
        return newcombe_paired(both, b, c, n, estimate.level)
