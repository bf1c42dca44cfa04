"""Means of one number per item: any score (COMET, a judge's, a loss), accuracy, exact match and win rate.

Scores that are normalised task by task are aggregated as rliable does (Agarwal et al. 2021).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import MeanOfItems, WithWeights, item_weights, mean_statistics, score_column

DESCRIBES = re.compile(
    r"(?i)((n|num|output|input|prompt|completion|response|total|reasoning)_)?"
    r"(tokens|words|chars|characters|length|(token|word|char)_count)|num_?(q|ret|nonrel_judged_ret|rel(\(.*)?)"
)
"""Columns of these names say how long an output is, or how many documents there are, however good they are."""
PREFERENCES = ("preference", "win")
"""Columns of preferences."""


@metric("mean")
@dataclass(frozen=True)
class Mean(MeanOfItems):
    """Mean of one number per item.

    Statistics per item: ``[weight * value, weight]``.

    Args:
        column: the column that holds the numbers; by default ``score``, or the only one.
        weight: a column of weights; by default every item weighs the same.
        lower: lower is better.
        tested: lengths (tokens, words, characters) and numbers of documents describe, unless tested as other means are.
    """

    unit: ClassVar[str] = "units of the score"
    citation: ClassVar[str] = "the arithmetic mean"
    example: ClassVar[str] = "mean:column=comet"

    column: str = ""
    weight: str = ""
    lower: bool = False
    tested: bool = False

    @property
    def descriptive(self) -> bool:
        return not self.tested and DESCRIBES.fullmatch(self.column) is not None

    @property
    def direction(self) -> bool | None:
        return None if self.descriptive and not self.lower else not self.lower

    @property
    def higher_is_better(self) -> bool:
        return not self.lower

    @property
    def label(self) -> str:
        plain = self == Mean(column=self.column)
        return self.column if self.column and plain else super().label

    def values(self, items: Items) -> Float:
        return score_column(items, self.column, self.name)

    def statistics(self, items: Items) -> Float:
        if not self.weight:
            return super().statistics(items)
        values = self.values(items)
        return mean_statistics(values, item_weights(items, self.weight, self.name))


@metric("accuracy")
@dataclass(frozen=True)
class Accuracy(WithWeights, MeanOfItems):
    """Proportion of items whose whole prediction equals a gold label, or whose score is 1.

    Statistics per item: ``[right, 1]``. Given texts and gold labels it compares them, a line of several tags as one
    label (``token_accuracy`` counts each of them); given a column of scores it reads that, every value from 0 to 1 (a
    proportion is credit for a part of the item).

    Args:
        column: the column of 0/1 scores; by default ``accuracy``, ``score``, or the only one.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = ("acc", "accuracy_score")
    unit: ClassVar[str] = "share 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "share of right answers"
    example: ClassVar[str] = "accuracy"
    of_labels: ClassVar[bool] = True

    column: str = ""

    def values(self, items: Items) -> Float:
        if items.outputs is not None and items.references and not self.column:
            gold = zip(*items.references, strict=True)
            right = [self._right(output, answers) for output, answers in zip(items.outputs, gold, strict=True)]
            return np.array(right, dtype=np.float64)
        if items.outputs is not None and not items.columns:
            raise InputError(
                f"{self.name} compares predictions with gold labels, but there are none",
                remedy="add -r GOLD_FILE, in Python references=",
            )
        values = score_column(items, self.column, self.name)
        return _from_0_to_1(values, f"{self.name} reads scores", "use -m mean for scores on another scale")

    def counts(self, items: Items) -> Float:
        return MeanOfItems.statistics(self, items)

    def normalize(self, text: str) -> str:
        """A prediction or gold label as it is compared: without blanks around it."""
        return text.strip()

    def _right(self, output: str, answers: Sequence[str]) -> bool:
        # a stream that has nothing for this item says nothing: an empty output is right only where all are empty
        accepted = {self.normalize(answer) for answer in answers} - {""} or {""}
        return self.normalize(output) in accepted


@metric("exact_match")
@dataclass(frozen=True)
class ExactMatch(Accuracy):
    """Proportion of items whose whole output equals a reference, however the blanks are; 0-1.

    Statistics per item: ``[right, 1]``. For sequences of tags it is the proportion of sentences without any error.

    Args:
        column: the column of 0/1 scores, where there are no texts; by default ``exact_match``, ``score``, or the only
            one.
        lowercase: fold case before comparing.
        weight: a column of weights of the items; by default every item weighs the same.
    """

    also: ClassVar[tuple[str, ...]] = ("em", "exact")
    unit: ClassVar[str] = "share 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "share of outputs without any error"
    example: ClassVar[str] = "exact_match:lowercase=true"
    of_labels: ClassVar[bool] = False

    lowercase: bool = False

    def normalize(self, text: str) -> str:
        plain = " ".join(text.split())
        return plain.lower() if self.lowercase else plain


@metric("win_rate")
@dataclass(frozen=True)
class WinRate(MeanOfItems):
    """Mean preference in percent; the preference of an item is 0 for the baseline, 1 for the system, 0.5 for a tie.

    Statistics per item: ``[100 * weight * preference, weight]``. Where nothing is decided the win rate is 50.

    Args:
        column: the column of preferences; by default ``preference``, ``win``, ``win_rate``, ``score``, or the only one.
        weight: a column of weights; by default every item weighs the same.
        ties: ``half``: a tie is half a win; ``drop``: items at exactly 0.5 do not count.
    """

    unit: ClassVar[str] = "percent 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Li et al. 2023, AlpacaEval"
    example: ClassVar[str] = "win_rate:ties=drop"

    column: str = ""
    weight: str = ""
    ties: Literal["half", "drop"] = "half"

    def values(self, items: Items) -> Float:
        wanted = self.column or next((name for name in PREFERENCES if name in items.columns), "")
        remedy = "write 0 for the baseline, 1 for the system and 0.5 for a tie"
        return _from_0_to_1(score_column(items, wanted, self.name), "win_rate reads preferences", remedy)

    def statistics(self, items: Items) -> Float:
        values = self.values(items)
        weights = np.ones_like(values) if not self.weight else item_weights(items, self.weight, self.name)
        if self.ties == "drop":
            weights = np.where(values == 0.5, 0.0, weights)
        return mean_statistics(100 * values, weights)

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 0], sums[..., 1], empty=50.0)


def _from_0_to_1(values: Float, what: str, remedy: str) -> Float:
    """The values, which are refused if one is outside of 0 to 1."""
    outside = np.flatnonzero((values < 0) | (values > 1))
    if outside.size:
        raise InputError(
            f"{what} from 0 to 1, but item {outside[0] + 1} has {values[outside[0]]:g}",
            item=int(outside[0]),
            remedy=remedy,
        )
    return values


_CITATION = "Agarwal et al. 2021, Deep reinforcement learning at the edge of the statistical precipice"
_CUT = 0.25
_ROUNDING = 1e-9


@metric("iqm")
@dataclass(frozen=True)
class InterquartileMean(Metric):
    """Mean of the middle half of the items' scores: a quarter of them, rounded down, is cut off at either end.

    Statistics per item: ``[value, value]``; the score is of their order, not of their sums. rliable takes all runs on
    all tasks together: let each be an item, ``-c item=task+run``, with ``--strata task`` for its intervals.

    Args:
        column: the column of scores; by default ``iqm``, ``score``, or the only one.
        lower: lower is better.
    """

    also: ClassVar[tuple[str, ...]] = ("interquartile_mean", "trimmed_mean")
    unit: ClassVar[str] = "units of the score"
    citation: ClassVar[str] = _CITATION
    example: ClassVar[str] = "iqm"
    ranked: ClassVar[bool] = True

    column: str = ""
    lower: bool = False

    @property
    def higher_is_better(self) -> bool:
        return not self.lower

    def statistics(self, items: Items) -> Float:
        values = score_column(items, self.column, self.name)
        return np.stack([values, values], axis=-1)

    def score(self, sums: Float) -> Float:
        raise TypeError(f"{self.name} is no function of sums: call score_weighted")

    def score_weighted(self, statistics: Float, weights: Float) -> Float:
        order = np.argsort(statistics[:, 0], kind="stable")
        weights = weights[..., order]
        upto = np.cumsum(weights, axis=-1)
        total = upto[..., -1:]
        cut = np.floor(_CUT * total + _ROUNDING)
        kept = np.clip(upto, cut, total - cut) - np.clip(upto - weights, cut, total - cut)
        return safe_ratio(kept @ statistics[order, 0], kept.sum(axis=-1))


@metric("optimality_gap")
@dataclass(frozen=True)
class OptimalityGap(MeanOfItems):
    """Mean of how far items stay below a target; what lies above it counts no more than the target.

    Statistics per item: ``[gap, 1]``.

    Args:
        target: the score from which on more is no gain; 1 where scores are normalised.
        column: the column of scores; by default ``optimality_gap``, ``score``, or the only one.
    """

    unit: ClassVar[str] = "units of the score"
    citation: ClassVar[str] = _CITATION
    example: ClassVar[str] = "optimality_gap:target=1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, np.inf)

    target: float = 1.0
    column: str = ""

    @property
    def higher_is_better(self) -> bool:
        return False

    def values(self, items: Items) -> Float:
        return np.maximum(self.target - score_column(items, self.column, self.name), 0.0)
