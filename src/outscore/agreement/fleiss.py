"""Fleiss' kappa, and Scott's pi, which is the same for two raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.agreement import RatingMeasure, Weighted, coefficient
from outscore.agreement.ratings import LabelTable
from outscore.agreement.shares import by_shares
from outscore.base.arrays import Array


@coefficient("fleiss")
@dataclass(frozen=True)
class Fleiss(Weighted):
    """Fleiss' kappa: any number of raters, who need not be the same persons for every unit.

    Args:
        weights: ``none``; ``linear`` or ``quadratic``: credit falls with the distance of two labels, or its square.
    """

    corrects: ClassVar[str] = "raters who guess, all with the frequencies that the labels have over all raters"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e = Σ π_q², π the shares of the labels, averaged over "
        "units"
    )
    citation: ClassVar[str] = "Fleiss 1971, Measuring nominal scale agreement among many raters; Gwet 2014"

    @property
    def title(self) -> str:
        return self._titled("Fleiss' κ")

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit = ratings.credit(self.weights)

        def expected(shares: Array) -> Array:
            return np.asarray(((shares @ credit) * shares).sum(axis=-1))

        return by_shares(ratings, credit, expected)


@coefficient("scott")
@dataclass(frozen=True)
class Scott(Fleiss):
    """Scott's pi: two raters, whose frequencies of labels are taken for the same.

    Args:
        weights: ``none``; ``linear`` or ``quadratic``: credit falls with the distance of two labels, or its square.
    """

    corrects: ClassVar[str] = "two raters who guess, both with the frequencies that the labels have over both"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the share of units with equal labels, P_e = Σ π_q², π the shares of the labels of"
        " both raters together"
    )
    citation: ClassVar[str] = "Scott 1955, Reliability of content analysis: the case of nominal scale coding"

    @property
    def title(self) -> str:
        return self._titled("Scott's π")

    def refuses(self, ratings: LabelTable) -> str | None:
        if len(ratings.raters) != 2:
            return f"{self.label} is of two raters and there are {len(ratings.raters)}; use fleiss"
        return super().refuses(ratings)
