"""Gwet's AC1 and AC2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.agreement import RatingMeasure, Weighted, coefficient
from outscore.agreement.ratings import LabelTable
from outscore.agreement.shares import by_shares
from outscore.base.arrays import Array


@coefficient("gwet")
@dataclass(frozen=True)
class Gwet(Weighted):
    """Gwet's AC1, or AC2 with weights: less swayed by one label that dominates than the kappas.

    Args:
        weights: ``none``; ``linear`` or ``quadratic``: credit falls with the distance of two labels, or its square.
    """

    corrects: ClassVar[str] = "raters who guess only where a unit is hard, with labels that are seldom all the same"
    null: ClassVar[str] = ""
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e = Σ π_q (1 - π_q)/(Q - 1), π the shares of the Q "
        "labels, averaged over units"
    )
    citation: ClassVar[str] = (
        "Gwet 2008, Computing inter-rater reliability and its variance in the presence of high agreement"
    )

    @property
    def title(self) -> str:
        return self._titled("Gwet's AC1" if self.weights == "none" else "Gwet's AC2")

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit, q = ratings.credit(self.weights), len(ratings.labels)
        scale = float(credit.sum()) / max(q * (q - 1), 1)

        def expected(shares: Array) -> Array:
            return np.asarray(scale * (shares * (1 - shares)).sum(axis=-1))

        return by_shares(ratings, credit, expected)
