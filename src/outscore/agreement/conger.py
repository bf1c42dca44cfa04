"""Conger's kappa of several raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.agreement import RatingMeasure, Weighted, coefficient, looked_up
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Array


@coefficient("conger")
@dataclass(frozen=True)
class Conger(Weighted):
    """Conger's kappa: Cohen's for any number of raters, with the chance agreement of all pairs averaged.

    Args:
        weights: ``none``; ``linear`` or ``quadratic``: credit falls with the distance of two labels, or its square.
    """

    corrects: ClassVar[str] = "raters who guess, each with the frequencies of labels of their own"
    formula: ClassVar[str] = (
        "(P_a - P_e)/(1 - P_e), P_a the percent agreement, P_e the mean over all pairs of raters of Σ p_q p'_q, p and"
        " p' their shares of the labels"
    )
    citation: ClassVar[str] = (
        "Conger 1980, Integration and generalization of kappas for multiple raters; Gwet 2014, Handbook of inter-rater "
        "reliability"
    )

    @property
    def title(self) -> str:
        return self._titled("Conger's κ")

    def refuses(self, ratings: LabelTable) -> str | None:
        if ratings.exchangeable:
            return f"{self.label} needs persons, and the columns are slots; use fleiss, krippendorff or gwet"
        return super().refuses(ratings)

    def measure(self, ratings: LabelTable) -> RatingMeasure:
        credit, shape = ratings.credit(self.weights), ratings.chosen.shape
        agreed = ratings.agreement_of_units(credit)
        rows = np.column_stack([agreed, ratings.pairable, ratings.chosen.reshape(len(agreed), -1)]).astype(np.float64)

        def parts(sums: Array) -> tuple[Array, Array]:
            counts = sums[..., 2:].reshape(*sums.shape[:-1], *shape[1:])
            totals = counts.sum(axis=-1, keepdims=True)
            # a rater of few units may be missing in a resample, and then has no part in it
            there = totals.real > 0
            shares = np.where(there, counts / np.where(there, totals, 1), 0)
            raters, together = there.sum(axis=(-1, -2)), shares.sum(axis=-2)
            all_pairs = ((together @ credit) * together).sum(axis=-1)
            with_self = ((shares @ credit) * shares).sum(axis=(-1, -2))
            return sums[..., 0] / sums[..., 1], (all_pairs - with_self) / (raters * (raters - 1))

        return RatingMeasure(rows=rows, parts=parts, pairable=ratings.pairable, credit=looked_up(credit), own=True)
