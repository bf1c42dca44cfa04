"""Accuracy: the share of items that are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.columns import mean_statistics, score_column


@metric("accuracy")
@dataclass(frozen=True)
class Accuracy(Metric):
    """Share of items whose prediction equals a gold label, or whose score is 1.

    Statistics per item: ``[right, 1]``. Given texts and gold labels it compares them; given a column of scores it
    reads that, every value from 0 to 1 (a share is credit for a part of the item).

    Args:
        column: the column of 0/1 scores; by default ``accuracy``, ``score``, or the only one.
    """

    unit: ClassVar[str] = "share 0-1"
    citation: ClassVar[str] = "share of right answers"
    example: ClassVar[str] = "accuracy"
    per_item: ClassVar[bool] = True

    column: str = ""

    def statistics(self, items: Items) -> Float:
        if items.outputs is not None and items.references and not self.column:
            gold = zip(*items.references, strict=True)
            right = [o.strip() in {g.strip() for g in gs} for o, gs in zip(items.outputs, gold, strict=True)]
            return mean_statistics(np.array(right, dtype=np.float64))
        if items.outputs is not None and not items.columns:
            raise InputError(
                "accuracy compares predictions with gold labels, but there are none", remedy="add -r GOLD_FILE"
            )
        values = score_column(items, self.column, self.name)
        outside = np.flatnonzero((values < 0) | (values > 1))
        if outside.size:
            raise InputError(
                f"accuracy reads scores from 0 to 1, but item {outside[0] + 1} has {values[outside[0]]:g}",
                remedy="use -m mean for scores on another scale",
            )
        return mean_statistics(values)

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 0], sums[..., 1])
