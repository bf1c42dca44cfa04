"""Average precision: the area under the steps of the precision-recall curve (Buckley & Voorhees 2000)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.metrics import metric, safe_ratio
from outscore.metrics.shared.ranked import Ranked, steps


@metric("average_precision")
@dataclass(frozen=True)
class AveragePrecision(Ranked):
    """Mean over positive items of the precision among the items ranked as high or higher, without interpolation.

    Statistics per item: ``[label, number]``; the score is of their ranking, not of their sums. Items with equal numbers
    are ranked together. A resample without a positive item has the score 0 for every system.

    Args:
        positive: the gold label of positive items; by default labels are 1/0 or true/false.
        column: the column of numbers, higher for positive items; by default ``average_precision``, ``score``, or the
            only one.
    """

    unit: ClassVar[str] = "AP 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Buckley & Voorhees 2000, Evaluating evaluation measure stability"
    example: ClassVar[str] = "average_precision:column=p"

    def score_weighted(self, statistics: Float, weights: Float) -> Float:
        _, positive, negative = steps(statistics, weights)
        found = np.cumsum(positive, axis=-1)
        precision = safe_ratio(found, found + np.cumsum(negative, axis=-1))
        return safe_ratio(np.einsum("...i,...i->...", positive, precision), found[..., -1])
