"""The common measure of coefficients whose chance agreement comes from the proportions of the labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from outscore.agreement import RatingMeasure, looked_up
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Array, Float


def by_shares(ratings: LabelTable, credit: Float, expected: Callable[[Array], Array]) -> RatingMeasure:
    """A measure whose expected agreement is a function of the shares of the labels ``(..., labels)``.

    Shares are averaged over all units, those with a single rating included (Gwet 2014, §5.3).
    """
    whole = np.ones(len(ratings.codes))
    rows = np.column_stack([ratings.agreement_of_units(credit), ratings.pairable, ratings.shares, whole])

    def parts(sums: Array) -> tuple[Array, Array]:
        return sums[..., 0] / sums[..., 1], expected(sums[..., 2:-1] / sums[..., -1:])

    return RatingMeasure(rows=rows, parts=parts, pairable=ratings.pairable, credit=looked_up(credit))
