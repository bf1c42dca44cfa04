"""The adjusted Wald interval of a share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate
from outscore.significance.interval import Covers, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, agresti_coull


@interval("agresti-coull")
@dataclass(frozen=True)
class AgrestiCoull(Counted):
    """The Wald interval of a share after adding z²/2 right and z²/2 wrong items."""

    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "p̃ ± z √(p̃ (1 - p̃)/ñ), ñ = n + z², p̃ = (x + z²/2)/ñ, x of n items right"
    applies: ClassVar[str] = "accuracies with 40 items or more; close to Wilson's, a little wider near 0 and 1"
    citation: ClassVar[str] = "Agresti & Coull 1998"
    called: ClassVar[str] = "Agresti-Coull interval"

    def ends(self, estimate: Estimate) -> Ends:
        right, n = estimate.counts
        return agresti_coull(right, n, estimate.level)
