"""Alignment error rate (Och & Ney 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.base.notation.links import LINKS
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.alignment import link_statistics


@metric("aer")
@dataclass(frozen=True)
class Aer(Metric):
    """Alignment error rate ``1 - (|A and S| + |A and P|) / (|A| + |S|)`` over all sentence pairs, 0-100.

    Statistics per item: ``[links A, sure links S, links that are sure, links that are sure or possible]``. Lower is
    better; without any links, gold or found, it is 0.
    """

    unit: ClassVar[str] = "AER 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Och & Ney 2003, A Systematic Comparison of Various Statistical Alignment Models"
    example: ClassVar[str] = "aer"
    reads: ClassVar[str] = LINKS

    @property
    def higher_is_better(self) -> bool:
        return False

    def statistics(self, items: Items) -> Float:
        return link_statistics(items, self.name)

    def score(self, sums: Float) -> Float:
        numerator, denominator, scale = self.ratio()
        return scale * safe_ratio(sums @ numerator, sums @ denominator)

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 1.0, -1.0, -1.0]), np.array([1.0, 1.0, 0.0, 0.0]), 100.0
