"""Area under the ROC curve (Hanley & McNeil 1982)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.metrics import metric, safe_ratio
from outscore.metrics.shared.ranked import Ranked, steps


@metric("auc")
@dataclass(frozen=True)
class Auc(Ranked):
    """Chance that a positive item has a higher number than a negative one; a tie is one half.

    Statistics per item: ``[label, number]``; the score is of their ranking, not of their sums. A resample without a
    positive or without a negative item ranks nothing: its score is 0.5, that of a coin, for every system, so it counts
    for no difference and widens the interval.

    Args:
        positive: the gold label of positive items; by default labels are 1/0 or true/false.
        column: the column of numbers, higher for positive items; by default ``auc``, ``score``, or the only one.
    """

    unit: ClassVar[str] = "AUC 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Hanley & McNeil 1982, The meaning and use of the area under a ROC curve"
    example: ClassVar[str] = "auc:positive=spam"

    def score_weighted(self, statistics: Float, weights: Float) -> Float:
        _, positive, negative = steps(statistics, weights)
        all_positive, all_negative = positive.sum(axis=-1), negative.sum(axis=-1)
        below = all_negative[..., None] - np.cumsum(negative, axis=-1) + negative / 2
        won = np.einsum("...i,...i->...", positive, below)
        return safe_ratio(won, all_positive * all_negative, empty=0.5)
