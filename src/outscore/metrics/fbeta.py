"""F-beta: precision and recall, recall weighing more or less (van Rijsbergen 1979)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.metrics import check_option, metric
from outscore.metrics.shared.classes import ClassMetric


@metric("fbeta")
@dataclass(frozen=True)
class FBeta(ClassMetric):
    """F-beta of true positives, false positives and false negatives, 0-1, averaged over the gold classes.

    Statistics per item: ``[tp, fp, fn]`` of each class. Without any positive, gold or predicted, the score is 0.

    Args:
        beta: weight of recall; 1 is F1.
        average: ``macro``, the mean over the gold classes; ``weighted`` by their frequency; ``micro``, all items
            together; ``each``, one score for each class.
        of: the one class whose score is wanted; in its name a comma is written %2C and a percent sign %25.
        tp, fp, fn: columns of counts that another program made; read where there are no labels, or all three are there.
        _classes: the gold classes, found by ``prepared``.
    """

    unit: ClassVar[str] = "F 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "van Rijsbergen 1979, Information Retrieval"
    example: ClassVar[str] = "fbeta:beta=2"

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option(0 <= self.beta <= 10**6, self, "beta", "a number of 0 or more")

    def of_class(self) -> tuple[Float, Float]:
        squared = self.beta**2
        return np.array([1 + squared, 0.0, 0.0]), np.array([1 + squared, 1.0, squared])
