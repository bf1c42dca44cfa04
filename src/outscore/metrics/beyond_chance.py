"""Agreement of labels with the gold beyond chance: coefficients of all classes together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar, Literal, Self

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import metric, safe_ratio
from outscore.metrics.shared.columns import NO_COUNTS, WithWeights, column, number
from outscore.metrics.shared.labels import find_classes, has_counts, one_hot, read_labels

_FEW_DIFFER = 20  # items of equal disagreement


@metric("kappa")
@dataclass(frozen=True)
class Kappa(WithWeights):
    """Agreement with the gold labels beyond what the frequencies of the classes give by chance; 1 is best.

    Statistics per item: ``[agreement, gold class 1..K, disagreement with class 1..K, the largest of these]``: whether
    the prediction is another class or, with weights, how far from it; agreement is what is left of the largest. Where
    chance alone gives no disagreement, the score is 0.

    Args:
        weights: ``none``; ``linear`` or ``quadratic`` for labels that are numbers, whose disagreement is their
            distance, or its square.
        tp, fp, fn, tn: columns of counts of two classes that another program made; read where there are no labels, or
            all four are there.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = ("cohen_kappa", "cohen_kappa_score", "qwk:weights=quadratic")
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

    def prepare(self, runs: Sequence[Items]) -> tuple[Self, ...]:
        if has_counts(runs[0], _columns(self)):
            return (self,)
        classes = find_classes(runs, self.name)
        if self.weights != "none":
            for run in runs:
                for what, labels in zip(("gold label", "prediction"), read_labels(run, self.name), strict=True):
                    self._numbers(labels, what)
        return (replace(self, _classes=classes),)

    def counts(self, items: Items) -> Float:
        if has_counts(items, _columns(self)):
            tp, fp, fn, tn = (column(items, c, self.name, NO_COUNTS) for c in _columns(self))
            return np.stack([tp + tn, tp + fn, fp + tn, fn + tn, tp + fp, tp + fp + fn + tn], axis=-1)
        ready = self if self._classes else self.prepare([items])[0]
        gold, predicted = read_labels(items, self.name)
        is_gold, distances = one_hot(gold, ready._classes), ready._distances(predicted)
        # agreement, so that an item with an error holds no more of the sums than others
        most = distances.max(axis=-1, keepdims=True)
        agreement = most - (is_gold * distances).sum(axis=-1, keepdims=True)
        return np.concatenate([agreement, is_gold, distances, most], axis=-1)

    def score(self, sums: Float) -> Float:
        observed, (gold, distances) = sums[..., -1] - sums[..., 0], np.split(sums[..., 1:-1], 2, axis=-1)
        by_chance = (gold * distances).sum(axis=-1)
        return safe_ratio(by_chance - observed * gold.sum(axis=-1), by_chance)

    def error_by_chance(self, statistics: Float) -> tuple[float, float]:
        if self.weights != "none" and self._classes:
            return _spread_of_slips(statistics)
        sums = statistics.sum(axis=0)
        gold, distances = np.split(safe_ratio(sums[1:-1], sums[-1]), 2)
        return _spread_by_chance(gold, 1 - distances)[1], math.inf

    def gold_items(self, statistics: Float) -> Iterable[tuple[str, int]]:
        gold, distances = np.split(statistics[:, 1:-1], 2, axis=1)
        return _count_fewest(self._classes, gold > 0, distances == 0)

    def _distances(self, predicted: Sequence[str]) -> Float:
        """How far each prediction is from each class, ``(items, K)``."""
        if self.weights == "none":
            return (~one_hot(predicted, self._classes)).astype(np.float64)
        apart = self._numbers(predicted, "prediction")[:, None] - self._numbers(self._classes, "class")
        return np.abs(apart) if self.weights == "linear" else apart**2

    def _numbers(self, labels: Sequence[str], what: str) -> Float:
        values = np.array([number(label) for label in labels])
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            raise InputError(
                f"{self.label} needs labels that are numbers, but the {what} of item {wrong[0] + 1} is "
                f"{labels[wrong[0]]!r}",
                item=int(wrong[0]),
                remedy="write it as a number, or use kappa without weights",
            )
        return values


@metric("mcc")
@dataclass(frozen=True)
class Mcc(WithWeights):
    """Correlation of gold and predicted classes, -1 to 1; 0 is chance.

    Statistics per item: ``[right, gold class 1..K, predicted class 1..K, predicted another]``. Predictions outside of
    the gold classes count together as one class more. Where gold or predictions are all of one class, the score is 0.

    Args:
        tp, fp, fn, tn: columns of counts of two classes that another program made; read where there are no labels, or
            all four are there.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = ("matthews", "matthews_corrcoef", "phi")
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

    def prepare(self, runs: Sequence[Items]) -> tuple[Self, ...]:
        if has_counts(runs[0], _columns(self)):
            return (self,)
        return (replace(self, _classes=find_classes(runs, self.name)),)

    def counts(self, items: Items) -> Float:
        if has_counts(items, _columns(self)):
            tp, fp, fn, tn = (column(items, c, self.name, NO_COUNTS) for c in _columns(self))
            return np.stack([tp + tn, tp + fn, fp + tn, tp + fp, fn + tn, np.zeros_like(tp)], axis=-1)
        classes = self._classes or find_classes([items], self.name)
        gold, predicted = (one_hot(labels, classes) for labels in read_labels(items, self.name))
        right = (gold & predicted).any(axis=-1, keepdims=True)
        outside = ~predicted.any(axis=-1, keepdims=True)
        return np.concatenate([right, gold, predicted, outside], axis=-1).astype(np.float64)

    def gold_items(self, statistics: Float) -> Iterable[tuple[str, int]]:
        return _count_fewest(self._classes, *np.split(statistics[:, 1:-1] > 0, 2, axis=1))

    def error_by_chance(self, statistics: Float) -> tuple[float, float]:
        sums = statistics[:, 1:-1].sum(axis=0)
        return _spread_by_chance(*np.split(safe_ratio(2 * sums, sums.sum()), 2))[0], math.inf

    def score(self, sums: Float) -> Float:
        right, (gold, predicted), outside = sums[..., 0], np.split(sums[..., 1:-1], 2, axis=-1), sums[..., -1]
        n, answers = gold.sum(axis=-1), predicted.sum(axis=-1) + outside
        both = right * n - (gold * predicted).sum(axis=-1)
        of_gold = (gold * (n[..., None] - gold)).sum(axis=-1)
        # of their own sum, which stays theirs where sums are moved one by one: all of one class has no slope then
        of_predicted = (predicted * (answers[..., None] - predicted)).sum(axis=-1) + outside * (answers - outside)
        return safe_ratio(both, np.sqrt(np.maximum(of_gold * of_predicted, 0.0)))


def _spread_by_chance(gold: Float, predicted: Float) -> tuple[float, float]:
    """√items times the standard errors of Matthews' correlation and of kappa where labels are independent of the gold.

    From the proportions of the classes ``(K,)``: the right answers vary by tr(C D)/n, C and D the covariances of the
    labels (Fleiss, Cohen & Everitt 1969, eq. 9).
    """
    both = float(gold @ predicted)
    spread = both - gold @ predicted**2 - gold**2 @ predicted + both**2
    of_gold, of_predicted = 1 - gold @ gold, 1 - predicted @ predicted
    if not (spread > 0 and of_gold > 0 and of_predicted > 0):
        return 0.0, 0.0
    return math.sqrt(spread / (of_gold * of_predicted)), math.sqrt(spread) / (1 - both)


def _spread_of_slips(statistics: Float) -> tuple[float, float]:
    """The least error of weighted kappa and its degrees of freedom, by the kurtosis of what items add to it.

    The error is that of answers by chance; where few items make up the disagreement, which do not show how far slips
    go, that of slips to any label, as large a share of the answers as kappa lacks.
    """
    weights = statistics[:, 1 : statistics.shape[1] // 2].sum(axis=1)
    share, each = safe_ratio(weights, weights.sum()), safe_ratio(statistics, weights[:, None])
    off, (gold, distances) = each[:, -1] - each[:, 0], np.split(each[:, 1:-1], 2, axis=1)
    frequencies, of_class, disagreement = share @ gold, share @ distances, float(share @ off)
    if not disagreement > 0:
        return 0.0, math.inf
    alone, expected = distances @ frequencies, float(of_class @ frequencies)
    moved = (share * (off - disagreement / expected * (gold @ of_class + alone - expected))) ** 2
    few = disagreement**2 < _FEW_DIFFER * float(share**2 @ off**2)
    kappa, by_both = max(1 - disagreement / expected, 0.0) * few, of_class + alone[:, None] - expected
    guess, tilt = (float(share @ part**2 @ frequencies) for part in (distances - by_both, by_both))
    clear = float((2 * of_class - expected) ** 2 @ frequencies)
    spread = (guess + kappa**2 * tilt + kappa * (1 - kappa) * clear) / (1 - kappa)
    total, n = float(moved.sum()) ** 2, len(moved)
    df = float(n) if few else 2 * total / max(float(moved @ moved) - total / n, 1e-300)
    return math.sqrt(spread) / expected / (1 + kappa), df


def _count_fewest(classes: Sequence[str], gold: Bool, predicted: Bool) -> Iterable[tuple[str, int]]:
    """Classes with the number of their gold items, or of the answers that name them if these are fewer, but some."""
    counts = zip(gold.sum(axis=0).tolist(), predicted.sum(axis=0).tolist(), strict=True)
    return zip(classes, (min(of_gold, answers or of_gold) for of_gold, answers in counts), strict=False)


def _columns(metric: Kappa | Mcc) -> tuple[str, ...]:
    return metric.tp, metric.fp, metric.fn, metric.tn
