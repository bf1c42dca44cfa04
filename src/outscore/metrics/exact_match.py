"""Exact match: the share of items whose whole output is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.metrics import metric
from outscore.metrics.accuracy import Accuracy


@metric("exact_match")
@dataclass(frozen=True)
class ExactMatch(Accuracy):
    """Share of items whose whole output equals a reference, however the blanks are; 0-1.

    Statistics per item: ``[right, 1]``. For sequences of tags it is the share of sentences without any error.

    Args:
        column: the column of 0/1 scores, where there are no texts; by default ``exact_match``, ``score``, or the only
            one.
        lowercase: fold case before comparing.
    """

    unit: ClassVar[str] = "share 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "share of outputs without any error"
    example: ClassVar[str] = "exact_match:lowercase=true"
    of_labels: ClassVar[bool] = False

    lowercase: bool = False

    def same(self, text: str) -> str:
        plain = " ".join(text.split())
        return plain.lower() if self.lowercase else plain
