"""Accuracy: the share of items that are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import mean_statistics, score_column


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
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "share of right answers"
    example: ClassVar[str] = "accuracy"
    per_item: ClassVar[bool] = True
    of_labels: ClassVar[bool] = True

    column: str = ""

    def statistics(self, items: Items) -> Float:
        if items.outputs is not None and items.references and not self.column:
            gold = zip(*items.references, strict=True)
            right = [self._right(output, answers) for output, answers in zip(items.outputs, gold, strict=True)]
            return mean_statistics(np.array(right, dtype=np.float64))
        if items.outputs is not None and not items.columns:
            raise InputError(
                f"{self.name} compares predictions with gold labels, but there are none",
                remedy="add -r GOLD_FILE, in Python references=",
            )
        values = score_column(items, self.column, self.name)
        outside = np.flatnonzero((values < 0) | (values > 1))
        if outside.size:
            raise InputError(
                f"{self.name} reads scores from 0 to 1, but item {outside[0] + 1} has {values[outside[0]]:g}",
                item=int(outside[0]),
                remedy="use -m mean for scores on another scale",
            )
        return mean_statistics(values)

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 0], sums[..., 1])

    def same(self, text: str) -> str:
        """A prediction or gold label as it is compared: without blanks around it."""
        return text.strip()

    def _right(self, output: str, answers: Sequence[str]) -> bool:
        # a stream that has nothing for this item says nothing: an empty output is right only where all are empty
        accepted = {self.same(answer) for answer in answers} - {""} or {""}
        return self.same(output) in accepted
