"""Bennett's S."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.agreement import RatingMeasure, Weighted, coefficient
from outscore.agreement.ratings import LabelTable
from outscore.agreement.shares import by_shares
from outscore.base.arrays import Array


@coefficient("bennett")
@dataclass(frozen=True)
class Bennett(Weighted):
    """Bennett's S, or Brennan and Prediger's kappa; for two labels it is the PABAK.

    Args:
        weights: ``none``; ``linear`` or ``quadratic``: credit falls with the distance of two labels, or its square.
    """

    corrects: ClassVar[str] = "raters who guess, with all labels of the scheme equally often"
    null: ClassVar[str] = ""
    formula: ClassVar[str] = "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e = 1/Q of Q labels"
    citation: ClassVar[str] = (
        "Bennett et al. 1954, Communications through limited-response questioning; Brennan & Prediger 1981"
    )

    @property
    def title(self) -> str:
        return self._titled("Bennett's S")

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit = ratings.credit(self.weights)

        def expected(shares: Array) -> Array:
            return np.full(shares.shape[:-1], credit.mean())

        return by_shares(ratings, credit, expected)
