"""Aggregates of scores that are normalised task by task, as rliable defines them (Agarwal et al. 2021)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import MeanOfItems, score_column

_CITATION = "Agarwal et al. 2021, Deep reinforcement learning at the edge of the statistical precipice"
_CUT = 0.25


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
        cut = np.floor(_CUT * total)
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
