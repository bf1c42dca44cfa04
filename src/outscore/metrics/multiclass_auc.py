"""AUC of more than two classes, as scikit-learn averages it: each class against the rest, or each two classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal, Self

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, join
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, metric
from outscore.metrics.ranked import area, one_label_each
from outscore.metrics.shared.columns import column


@metric("multiclass_auc")
@dataclass(frozen=True)
class MulticlassAuc(Metric):
    """Mean AUC of the gold classes, each ranked by a column of numbers of its own, such as its probability.

    Statistics per item: ``[class, numbers of class 1..K]``; the score is of their rankings, not of their sums. Where a
    resample lacks a class, its AUC is 0.5. It is the macro average of scikit-learn's ``roc_auc_score``.

    Args:
        multi: ``ovr``, each class against all others; ``ovo``, against each other one (Hand & Till).
        prefix: what the columns have before the name of the class, as in ``p_cat``.
        _classes: the gold classes, found by ``prepare``.
    """

    also: ClassVar[tuple[str, ...]] = ("roc_auc_ovr", "roc_auc_ovo:multi=ovo")
    unit: ClassVar[str] = "AUC 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Hand & Till 2001, A simple generalisation of the area under the ROC curve"
    example: ClassVar[str] = "multiclass_auc:multi=ovo"
    ranked: ClassVar[bool] = True
    of_labels: ClassVar[bool] = True

    multi: Literal["ovr", "ovo"] = "ovr"
    prefix: str = ""
    _classes: tuple[str, ...] = ()

    def prepare(self, runs: Sequence[Items]) -> tuple[Self, ...]:
        classes = tuple(sorted({label for run in runs for label in one_label_each(run, self.name)}))
        if len(classes) < 2 or "" in classes:
            raise InputError(
                f"{self.name} needs gold labels of two classes or more, one for each item, but has {join(classes)}",
                remedy="give items of several classes, and a label of each",
            )
        return (replace(self, _classes=classes),)

    def statistics(self, items: Items) -> Float:
        classes = self._classes or self.prepare([items])[0]._classes
        labels = [classes.index(label) for label in one_label_each(items, self.name)]
        numbers = [column(items, f"{self.prefix}{name}", self.name) for name in classes]
        return np.stack([np.array(labels, dtype=np.float64), *numbers], axis=-1)

    def score(self, sums: Float) -> Float:
        raise TypeError(f"{self.name} is no function of sums: call score_weighted")

    def score_weighted(self, statistics: Float, weights: Float) -> Float:
        of_class = (statistics[:, :1] == np.arange(statistics.shape[1] - 1)).T
        areas = []
        for c, members in enumerate(of_class):
            rows = np.stack([members, statistics[:, c + 1]], axis=-1)
            rest = [~members] if self.multi == "ovr" else np.delete(of_class, c, axis=0)
            areas += [area(rows, weights * (members | others)) for others in rest]
        return np.asarray(np.mean(areas, axis=0))
