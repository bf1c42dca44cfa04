"""Scores of a ranking: items with a gold label and a number, from the highest number down, no threshold chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import column, number, score_column

_TRUTH = {"1": 1.0, "true": 1.0, "1.0": 1.0, "0": 0.0, "false": 0.0, "0.0": 0.0}


@dataclass(frozen=True)
class Ranked(Metric):
    """Base of the metrics of a ranking: ``[label, number]`` of each item, and the steps of its curve."""

    ranked: ClassVar[bool] = True
    of_labels: ClassVar[bool] = True

    positive: str = ""
    column: str = ""

    def prepare(self, runs: Sequence[Items]) -> tuple[Metric, ...]:
        labels = {label for run in runs for label in gold_labels(run, self.positive, self.name).tolist()}
        if len(labels) == 1:
            only = "positive" if labels == {1.0} else "negative"
            raise InputError(
                f"{self.name} needs positive and negative items, but every item is {only}",
                remedy="give items of both kinds, or name the positive label: positive=LABEL",
            )
        return (self,)

    def statistics(self, items: Items) -> Float:
        labels = gold_labels(items, self.positive, self.name)
        return np.stack([labels, ranking_numbers(items, self.column, self.name)], axis=-1)

    def score(self, sums: Float) -> Float:
        raise TypeError(f"{self.name} is no function of sums: call score_weighted")


def gold_labels(items: Items, positive: str, of: str) -> Float:
    """1 for each positive item and 0 for each negative one, ``(items,)``.

    Args:
        positive: the label of positive items; empty for 1/0 and true/false.
        of: the metric that asks, for the messages.

    Raises:
        InputError: no gold labels, several for one item, or some that are neither true nor false.
    """
    labels = one_label_each(items, of)
    if positive:
        return np.array([label == positive for label in labels], dtype=np.float64)
    wrong = next((i for i, label in enumerate(labels) if label.lower() not in _TRUTH), None)
    if wrong is not None:
        raise InputError(
            f"{of} reads gold labels 1 and 0, or true and false, but item {wrong + 1} has {labels[wrong][:60]!r}",
            item=wrong,
            remedy=f"name the positive label: {of}:positive=LABEL; or, with a column of numbers for each label, use "
            "multiclass_auc",
        )
    return np.array([_TRUTH[label.lower()] for label in labels])


def one_label_each(items: Items, of: str) -> list[str]:
    """The gold label of each item, without blanks around it.

    Raises:
        InputError: no gold labels, or several for one item.
    """
    if len(items.references) != 1:
        found = f"{len(items.references)} columns of them" if items.references else "no gold labels"
        raise InputError(
            f"{of} needs one gold label for each item, but there are {found}",
            remedy="add -r GOLD_FILE, in Python references=, or a column 'label'",
        )
    return [label.strip() for label in items.references[0]]


def ranking_numbers(items: Items, wanted: str, of: str) -> Float:
    """The numbers ``(items,)`` that rank the items: a column, or outputs that are numbers.

    Raises:
        InputError: there is no such column, or an output is no finite number.
    """
    if wanted:
        return column(items, wanted, of)
    if items.columns or items.outputs is None:
        return score_column(items, "", of)
    values = np.array([number(output) for output in items.outputs], dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        raise InputError(
            f"{of} ranks items by a number, but item {wrong[0] + 1} has {items.outputs[wrong[0]][:60]!r}",
            item=int(wrong[0]),
            remedy="give a column 'score' with one number for each item",
        )
    return values


def steps(statistics: Float, weights: Float) -> tuple[Float, Float, Float]:
    """The curve of a ranking, one step for each distinct number, from the highest down.

    Args:
        statistics: ``(items, 2)``, label and number of each item.
        weights: ``(..., items)``, how often each item counts.

    Returns:
        The distinct numbers ``(steps,)``, and the weight of positive and of negative items with each of them, both
        ``(..., steps)``.
    """
    order = np.argsort(-statistics[:, 1], kind="stable")
    labels, numbers = statistics[order].T
    starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])
    weights = weights[..., order]
    positive, negative = weights * labels, weights * (1 - labels)
    if len(starts) < len(numbers):
        positive, negative = (np.add.reduceat(part, starts, axis=-1) for part in (positive, negative))
    return numbers[starts], positive, negative


def area(statistics: Float, weights: Float) -> Float:
    """The area under the curve of such a ranking, see ``steps``; that of a coin where there are no two classes."""
    _, positive, negative = steps(statistics, weights)
    all_positive, all_negative = positive.sum(axis=-1), negative.sum(axis=-1)
    below = all_negative[..., None] - np.cumsum(negative, axis=-1) + negative / 2
    won = np.einsum("...i,...i->...", positive, below)
    return safe_ratio(won, all_positive * all_negative, empty=0.5)


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

    also: ClassVar[tuple[str, ...]] = ("roc_auc", "auroc", "roc_auc_score", "c_statistic")
    unit: ClassVar[str] = "AUC 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Hanley & McNeil 1982, The meaning and use of the area under a ROC curve"
    example: ClassVar[str] = "auc:positive=spam"

    def score_weighted(self, statistics: Float, weights: Float) -> Float:
        return area(statistics, weights)


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

    also: ClassVar[tuple[str, ...]] = ("ap", "auprc", "pr_auc", "average_precision_score")
    unit: ClassVar[str] = "AP 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Buckley & Voorhees 2000, Evaluating evaluation measure stability"
    example: ClassVar[str] = "average_precision:column=p"

    def score_weighted(self, statistics: Float, weights: Float) -> Float:
        _, positive, negative = steps(statistics, weights)
        found = np.cumsum(positive, axis=-1)
        precision = safe_ratio(found, found + np.cumsum(negative, axis=-1))
        return safe_ratio(np.einsum("...i,...i->...", positive, precision), found[..., -1])
