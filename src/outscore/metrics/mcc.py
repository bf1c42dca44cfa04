"""Matthews' correlation coefficient, for two classes or more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.classes import counted_elsewhere, few_classes, labelled, one_hot
from outscore.metrics.shared.columns import column


@metric("mcc")
@dataclass(frozen=True)
class Mcc(Metric):
    """Correlation of gold and predicted classes, -1 to 1; 0 is chance.

    Statistics per item: ``[right, gold class 1..K, predicted class 1..K, predicted another]``. Predictions outside of
    the gold classes count together as one class more. Where gold or predictions are all of one class, the score is 0.

    Args:
        tp, fp, fn, tn: columns of counts of two classes that another program made; read where there are no labels, or
            all four are there.
        _classes: the gold classes, found by ``prepared``.
    """

    unit: ClassVar[str] = "MCC -1 to 1"
    limits: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)
    citation: ClassVar[str] = (
        "Matthews 1975; Gorodkin 2004, Comparing two K-category assignments by a K-category correlation coefficient"
    )
    example: ClassVar[str] = "mcc"
    of_labels: ClassVar[bool] = True

    tp: str = "tp"
    fp: str = "fp"
    fn: str = "fn"
    tn: str = "tn"
    _classes: tuple[str, ...] = ()

    def prepared(self, cells: Sequence[Items]) -> tuple[Self, ...]:
        if counted_elsewhere(cells[0], self._columns):
            return (self,)
        return (replace(self, _classes=few_classes(cells, self.name)),)

    def statistics(self, items: Items) -> Float:
        if counted_elsewhere(items, self._columns):
            tp, fp, fn, tn = (column(items, c, self.name) for c in self._columns)
            return np.stack([tp + tn, tp + fn, fp + tn, tp + fp, fn + tn, np.zeros_like(tp)], axis=-1)
        classes = self._classes or few_classes([items], self.name)
        gold, predicted = (one_hot(labels, classes) for labels in labelled(items, self.name))
        right = (gold & predicted).any(axis=-1, keepdims=True)
        outside = ~predicted.any(axis=-1, keepdims=True)
        return np.concatenate([right, gold, predicted, outside], axis=-1).astype(np.float64)

    def score(self, sums: Float) -> Float:
        right, (gold, predicted), outside = sums[..., 0], np.split(sums[..., 1:-1], 2, axis=-1), sums[..., -1]
        n, answers = gold.sum(axis=-1), predicted.sum(axis=-1) + outside
        both = right * n - (gold * predicted).sum(axis=-1)
        of_gold = (gold * (n[..., None] - gold)).sum(axis=-1)
        # of their own sum, which stays theirs where sums are moved one by one: all of one class has no slope then
        of_predicted = (predicted * (answers[..., None] - predicted)).sum(axis=-1) + outside * (answers - outside)
        return safe_ratio(both, np.sqrt(np.maximum(of_gold * of_predicted, 0.0)))

    @property
    def _columns(self) -> tuple[str, ...]:
        return self.tp, self.fp, self.fn, self.tn
