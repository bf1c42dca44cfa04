"""The share of pairs of ratings that agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.agreement import RatingMeasure, Weighted, coefficient, looked_up
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Array


@coefficient("percent")
@dataclass(frozen=True)
class Percent(Weighted):
    """The share of pairs of ratings of a unit that agree, averaged over units.

    Args:
        weights: ``none``; ``linear`` or ``quadratic``: credit falls with the distance of two labels, or its square.
    """

    corrects: ClassVar[str] = "nothing: raters who guess agree often where labels are few"
    null: ClassVar[str] = ""
    formula: ClassVar[str] = "P_a = the mean over units of the share of their pairs of ratings that agree"
    citation: ClassVar[str] = "Gwet 2014, Handbook of inter-rater reliability"

    @property
    def title(self) -> str:
        return self._titled("Percent agreement")

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit = ratings.credit(self.weights)
        agreed = ratings.agreement_of_units(credit)

        def parts(sums: Array) -> tuple[Array, Array]:
            return sums[..., 0] / sums[..., 1], np.zeros(sums.shape[:-1])

        rows = np.column_stack([agreed, ratings.pairable]).astype(np.float64)
        return RatingMeasure(rows=rows, parts=parts, credit=looked_up(credit))
