"""Scores of class labels: precision, recall and F, averaged over classes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal, Self

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError, join, suggestion
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Averaged, check_option, metric, safe_ratio
from outscore.metrics.shared.columns import NO_COUNTS, WithWeights, column
from outscore.metrics.shared.labels import (
    count_in_sets,
    escape,
    find_classes,
    gold_classes,
    has_counts,
    one_hot,
    read_label_sets,
    read_labels,
    unescape,
)


@dataclass(frozen=True)
class ClassMetric(WithWeights):
    """A score of one class, averaged over the classes of the gold labels.

    The score of a class is a ratio of sums of its true positives, false positives and false negatives. A domain, or one
    data set of several, is scored by itself, over the classes that its own gold labels have.
    """

    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "van Rijsbergen 1979, Information Retrieval"
    of_labels: ClassVar[bool] = True

    average: Literal["macro", "weighted", "micro", "each", "samples"] = "macro"
    of: str = ""
    separator: str = ""
    tp: str = "tp"
    fp: str = "fp"
    fn: str = "fn"
    _classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_option("," not in self.of, self, "of", "the name of a class, a comma in it written %2C")
        check_option(not self.of or self.average == "macro", self, "average", "no average together with of=CLASS")
        samples = "separator=SEPARATOR of the labels of an item; of one label each, the mean over items is accuracy"
        check_option(self.average != "samples" or bool(self.separator), self, "average", samples)

    @abstractmethod
    def class_weights(self) -> tuple[Float, Float]:
        """Weights ``(3,)`` of ``[tp, fp, fn]`` in the numerator and in the denominator of the score of a class."""

    @property
    def needs_gold(self) -> bool:
        return not self.separator

    def prepare(self, runs: Sequence[Items]) -> tuple[Self, ...]:
        if self._has_counts(runs[0]):
            return (self,)
        if self.average in ("micro", "samples"):
            return (replace(self, _classes=gold_classes(runs, self.name, self.separator)),)
        if self.of:
            return (replace(self, _classes=(self._find_class(gold_classes(runs, self.name, self.separator)),)),)
        classes = find_classes(runs, self.name, self.separator)
        if self.average == "each":
            return tuple(replace(self, average="macro", of=escape(c), _classes=(c,)) for c in classes)
        return (replace(self, _classes=classes),)

    def counts(self, items: Items) -> Float:
        if self._has_counts(items):
            return np.stack([column(items, c, self.name, NO_COUNTS) for c in (self.tp, self.fp, self.fn)], axis=-1)
        if self.average == "each":
            raise UsageError(f"{self.label} is one metric for each class: take them from prepare()")
        if self.separator:
            classes = () if self.average in ("micro", "samples") else self._classes or self.prepare([items])[0]._classes
            counts = _triples(*count_in_sets(*read_label_sets(items, self.name, self.separator), classes))
            if self.average == "samples":  # of what this makes of it an item has the same score
                counts = _triples(self.score(counts), *[1 - self.score(counts)] * 2)
            return counts
        gold, predicted = read_labels(items, self.name)
        if self.average == "micro":
            right = np.array([g == p for g, p in zip(gold, predicted, strict=True)])[:, None]
            return _triples(right, ~right, ~right)
        classes = self._classes or self.prepare([items])[0]._classes
        is_gold, is_predicted = one_hot(gold, classes), one_hot(predicted, classes)
        return _triples(is_gold & is_predicted, is_predicted & ~is_gold, is_gold & ~is_predicted)

    def score(self, sums: Float) -> Float:
        classes = sums.shape[-1] // 3
        all_classes = np.ones(classes)
        counts = sums.reshape(-1, 3)  # products with flat tables take a fraction of the time of those with stacks
        numerator, denominator = self.class_weights()
        scores = safe_ratio(counts @ numerator, counts @ denominator).reshape(*sums.shape[:-1], classes)
        if self.average == "weighted":
            gold = (counts[:, 0] + counts[:, 2]).reshape(scores.shape)
            return safe_ratio((gold * scores) @ all_classes, gold @ all_classes)
        return np.asarray(scores @ all_classes / classes)

    def as_average(self) -> Averaged | None:
        if self.average != "macro" or len(self._classes) < 2:
            return None
        gold = np.array([1.0, 0.0, 1.0])
        return Averaged(*self.class_weights(), gold, weighted=bool(self.weight), names=self._classes)

    def ratio(self) -> tuple[Float, Float, float] | None:
        """The score as a ratio where there is one row of counts: columns, micro, or one class."""
        if self.average == "each" or (self.average not in ("micro", "samples") and len(self._classes) > 1):
            return None
        return (*self.class_weights(), 1.0)

    def signature(self, items: Items) -> str:
        if self._has_counts(items):
            return f"{self.label}|counts:{self.tp},{self.fp},{self.fn}"
        return self.label if self.of else f"{self.label}|average:{self.average}|classes:{len(self._classes)}"

    def _has_counts(self, items: Items) -> bool:
        return not self.of and self.average in ("macro", "micro") and has_counts(items, (self.tp, self.fp, self.fn))

    def _find_class(self, classes: tuple[str, ...]) -> str:
        """The class that ``of`` names."""
        wanted = unescape(self.of)
        if wanted not in classes:
            raise UsageError(
                f"{self.name}:of={self.of}: no gold label is {wanted!r}{suggestion(wanted, classes)} "
                f"(there are {join(classes)})"
            )
        return wanted


def _triples(tp: Array, fp: Array, fn: Array) -> Float:
    return np.stack([tp, fp, fn], axis=-1).reshape(len(tp), -1).astype(np.float64)


@metric("precision")
@dataclass(frozen=True)
class Precision(ClassMetric):
    """True positives over everything predicted as the class, 0-1, averaged over the gold classes.

    Statistics per item: ``[tp, fp, fn]`` of each class. A class that nothing is predicted as has precision 0.

    Args:
        average: ``macro``, the mean over the gold classes; ``weighted`` by their frequency; ``micro``, all items
            together; ``each``, one score for each class; ``samples``, the mean over items of several labels.
        of: the one class whose score is wanted; in its name a comma is written %2C and a percent sign %25.
        separator: between the labels of an item that may have several, or none; a comma is written %2C.
        tp, fp, fn: columns of counts that another program made; read where there are no labels, or all three are there.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = (
        "macro_precision",
        "precision_score",
        "micro_precision:average=micro",
        "weighted_precision:average=weighted",
        "ppv",
    )
    unit: ClassVar[str] = "precision 0-1"
    example: ClassVar[str] = "precision:average=micro"

    def class_weights(self) -> tuple[Float, Float]:
        return np.array([1.0, 0.0, 0.0]), np.array([1.0, 1.0, 0.0])


@metric("recall")
@dataclass(frozen=True)
class Recall(ClassMetric):
    """True positives over all items of the class, 0-1, averaged over the gold classes.

    Statistics per item: ``[tp, fp, fn]`` of each class. A class that a resample has no item of has recall 0.

    Args:
        average: ``macro``, the mean over the gold classes (balanced accuracy); ``weighted`` by their frequency;
            ``micro``, all items together; ``each``, one score for each class; ``samples``, the mean over items of
            several labels.
        of: the one class whose score is wanted; in its name a comma is written %2C and a percent sign %25.
        separator: between the labels of an item that may have several, or none; a comma is written %2C.
        tp, fp, fn: columns of counts that another program made; read where there are no labels, or all three are there.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = (
        "macro_recall",
        "recall_score",
        "micro_recall:average=micro",
        "weighted_recall:average=weighted",
        "sensitivity",
        "balanced_accuracy",
    )
    unit: ClassVar[str] = "recall 0-1"
    example: ClassVar[str] = "recall:average=weighted"

    def class_weights(self) -> tuple[Float, Float]:
        return np.array([1.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0])


@metric("f1")
@dataclass(frozen=True)
class F1(ClassMetric):
    """Harmonic mean of precision and recall of a class, 0-1, averaged over the gold classes.

    Statistics per item: ``[tp, fp, fn]`` of each class. A class without any positive, gold or predicted, has F1 0.

    Args:
        average: ``macro``, the mean over the gold classes; ``weighted`` by their frequency; ``micro``, all items
            together; ``each``, one score for each class; ``samples``, the mean over items of several labels.
        of: the one class whose score is wanted; in its name a comma is written %2C and a percent sign %25.
        separator: between the labels of an item that may have several, or none; a comma is written %2C.
        tp, fp, fn: columns of counts that another program made; read where there are no labels, or all three are there.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = (
        "f1_score",
        "macro_f1",
        "f1_macro",
        "micro_f1:average=micro",
        "f1_micro:average=micro",
        "weighted_f1:average=weighted",
        "f1_weighted:average=weighted",
        "f_measure",
    )
    unit: ClassVar[str] = "F1 0-1"
    example: ClassVar[str] = "f1:average=each"

    def class_weights(self) -> tuple[Float, Float]:
        return np.array([2.0, 0.0, 0.0]), np.array([2.0, 1.0, 1.0])


@metric("fbeta")
@dataclass(frozen=True)
class FBeta(ClassMetric):
    """F-beta of true positives, false positives and false negatives, 0-1, averaged over the gold classes.

    Statistics per item: ``[tp, fp, fn]`` of each class. Without any positive, gold or predicted, the score is 0.

    Args:
        beta: weight of recall; 1 is F1.
        average: ``macro``, the mean over the gold classes; ``weighted`` by their frequency; ``micro``, all items
            together; ``each``, one score for each class; ``samples``, the mean over items of several labels.
        of: the one class whose score is wanted; in its name a comma is written %2C and a percent sign %25.
        separator: between the labels of an item that may have several, or none; a comma is written %2C.
        tp, fp, fn: columns of counts that another program made; read where there are no labels, or all three are there.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = ("f{beta}", "fbeta_score")
    unit: ClassVar[str] = "F 0-1"
    example: ClassVar[str] = "fbeta:beta=2"

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option(0 <= self.beta <= 10**6, self, "beta", "a number of 0 or more")

    def class_weights(self) -> tuple[Float, Float]:
        squared = self.beta**2
        return np.array([1 + squared, 0.0, 0.0]), np.array([1 + squared, 1.0, squared])
