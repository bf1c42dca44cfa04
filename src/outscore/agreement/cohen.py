"""Cohen's kappa of two raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.agreement import RatingMeasure, Weighted, coefficient, looked_up
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Array


@coefficient("cohen")
@dataclass(frozen=True)
class Cohen(Weighted):
    """Cohen's kappa of two raters, over the units that both have rated.

    Args:
        weights: ``none``; ``linear`` or ``quadratic``: credit falls with the distance of two labels, or its square.
    """

    corrects: ClassVar[str] = "two raters who guess, each with the frequencies of labels of their own"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the share of units with equal labels, P_e = Σ p_q p'_q, p and p' the shares of "
        "the labels of the two raters"
    )
    citation: ClassVar[str] = (
        "Cohen 1960, A coefficient of agreement for nominal scales; Cohen 1968, Weighted kappa; "
        "Fleiss, Cohen & Everitt 1969, Large sample standard errors of kappa and weighted kappa"
    )
    large_sample: ClassVar[bool] = True

    @property
    def title(self) -> str:
        return self._titled("Cohen's κ")

    def refuses(self, ratings: LabelTable) -> str | None:
        if ratings.exchangeable:
            return f"{self.label} needs two persons, and the columns are slots; use fleiss, krippendorff or gwet"
        if len(ratings.raters) != 2:
            return f"{self.label} is of two raters and there are {len(ratings.raters)}; use conger, or see the pairs"
        return super().refuses(ratings)

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit, q = ratings.credit(self.weights), len(ratings.labels)
        both = ratings.pairable[:, None]
        first, second = (np.where(both, ratings.chosen[:, rater], 0.0) for rater in (0, 1))
        agreed = ((first @ credit) * second).sum(axis=1)

        def parts(sums: Array) -> tuple[Array, Array]:
            n = sums[..., 1:2]
            rows, columns = sums[..., 2 : 2 + q] / n, sums[..., 2 + q :] / n
            return sums[..., 0] / n[..., 0], ((rows @ credit) * columns).sum(axis=-1)

        rows = np.column_stack([agreed, both, first, second])
        return RatingMeasure(rows=rows, parts=parts, credit=looked_up(credit), own=True)
