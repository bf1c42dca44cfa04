"""Wilson's score interval of a share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, wilson, wilson_cc


@interval("wilson")
@dataclass(frozen=True)
class Wilson(Counted):
    """Wilson's score interval of a share: all shares that a score test would not reject.

    Args:
        continuity: with continuity correction, which makes it wider and hardly ever too narrow.
    """

    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "(p + z²/(2n) ± z √(p (1 - p)/n + z²/(4n²)))/(1 + z²/n), p the share of right items"
    applies: ClassVar[str] = "accuracies of any number of items, the default there"
    citation: ClassVar[str] = "Wilson 1927; Newcombe 1998, Statistics in Medicine 17:857"
    called: ClassVar[str] = "Wilson interval"

    continuity: bool = False

    def ends(self, estimate: Estimate) -> Ends:
        right, n = estimate.counts
        return (wilson_cc if self.continuity else wilson)(right, n, estimate.level)
