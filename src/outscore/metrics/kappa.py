"""Cohen's kappa of predictions and gold labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.classes import counted_elsewhere, few_classes, labelled, one_hot
from outscore.metrics.shared.columns import column


@metric("kappa")
@dataclass(frozen=True)
class Kappa(Metric):
    """Agreement with the gold labels beyond what the frequencies of the classes give by chance; 1 is best.

    Statistics per item: ``[disagreement, gold class 1..K, disagreement with class 1..K]``: whether the prediction is
    another class or, with weights, how far from it. Where chance alone gives no disagreement, the score is 0.

    Args:
        weights: ``none``; ``linear`` or ``quadratic`` for labels that are numbers, whose disagreement is their
            distance, or its square.
        tp, fp, fn, tn: columns of counts of two classes that another program made; read where there are no labels, or
            all four are there.
        _classes: the gold classes, found by ``prepared``.
    """

    unit: ClassVar[str] = "kappa -1 to 1"
    limits: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)
    citation: ClassVar[str] = "Cohen 1960, A coefficient of agreement for nominal scales; Cohen 1968, Weighted kappa"
    example: ClassVar[str] = "kappa"
    of_labels: ClassVar[bool] = True

    weights: Literal["none", "linear", "quadratic"] = "none"
    tp: str = "tp"
    fp: str = "fp"
    fn: str = "fn"
    tn: str = "tn"
    _classes: tuple[str, ...] = ()

    def prepared(self, cells: Sequence[Items]) -> tuple[Self, ...]:
        if counted_elsewhere(cells[0], self._columns):
            return (self,)
        classes = few_classes(cells, self.name)
        if self.weights != "none":
            for cell in cells:
                for what, labels in zip(("gold label", "prediction"), labelled(cell, self.name), strict=True):
                    self._numbers(labels, what)
        return (replace(self, _classes=classes),)

    def statistics(self, items: Items) -> Float:
        if counted_elsewhere(items, self._columns):
            tp, fp, fn, tn = (column(items, c, self.name) for c in self._columns)
            return np.stack([fp + fn, tp + fn, fp + tn, fn + tn, tp + fp], axis=-1)
        ready = self if self._classes else self.prepared([items])[0]
        gold, predicted = labelled(items, self.name)
        is_gold, distances = one_hot(gold, ready._classes), ready._distances(predicted)
        return np.concatenate([(is_gold * distances).sum(axis=-1, keepdims=True), is_gold, distances], axis=-1)

    def score(self, sums: Float) -> Float:
        observed, (gold, distances) = sums[..., 0], np.split(sums[..., 1:], 2, axis=-1)
        by_chance = (gold * distances).sum(axis=-1)
        return safe_ratio(by_chance - observed * gold.sum(axis=-1), by_chance)

    def _distances(self, predicted: Sequence[str]) -> Float:
        """How far each prediction is from each class, ``(items, K)``."""
        if self.weights == "none":
            return (~one_hot(predicted, self._classes)).astype(np.float64)
        apart = self._numbers(predicted, "prediction")[:, None] - self._numbers(self._classes, "class")
        return np.abs(apart) if self.weights == "linear" else apart**2

    def _numbers(self, labels: Sequence[str], what: str) -> Float:
        values = np.array([_number(label) for label in labels])
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            raise InputError(
                f"{self.label} needs labels that are numbers, but the {what} of item {wrong[0] + 1} is "
                f"{labels[wrong[0]]!r}",
                item=int(wrong[0]),
                remedy="write it as a number, or use kappa without weights",
            )
        return values

    @property
    def _columns(self) -> tuple[str, ...]:
        return self.tp, self.fp, self.fn, self.tn


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return float("nan")
