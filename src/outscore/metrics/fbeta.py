"""Micro-averaged F-beta from counts (van Rijsbergen 1979)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.columns import column


@metric("fbeta")
@dataclass(frozen=True)
class FBeta(Metric):
    """F-beta of the summed true positives, false positives and false negatives, 0-1.

    Statistics per item: ``[tp, fp, fn]``. Without any positive, gold or predicted, the score is 0.

    Args:
        beta: weight of recall; 1 is F1.
        tp, fp, fn: columns of the counts.
    """

    unit: ClassVar[str] = "F 0-1"
    citation: ClassVar[str] = "van Rijsbergen 1979, Information Retrieval"
    example: ClassVar[str] = "fbeta:beta=2"

    beta: float = 1.0
    tp: str = "tp"
    fp: str = "fp"
    fn: str = "fn"

    def __post_init__(self) -> None:
        check_option(0 <= self.beta <= 10**6, self, "beta", "a number of 0 or more")

    def statistics(self, items: Items) -> Float:
        return np.stack([column(items, c, self.name) for c in (self.tp, self.fp, self.fn)], axis=-1)

    def score(self, sums: Float) -> Float:
        numerator, denominator, _ = self.ratio()
        return safe_ratio(sums @ numerator, sums @ denominator)

    def ratio(self) -> tuple[Float, Float, float]:
        squared = self.beta**2
        return np.array([1 + squared, 0.0, 0.0]), np.array([1 + squared, 1.0, squared]), 1.0
