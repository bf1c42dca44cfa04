"""Precision: how much of what was predicted is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.metrics import metric
from outscore.metrics.shared.classes import ClassMetric


@metric("precision")
@dataclass(frozen=True)
class Precision(ClassMetric):
    """True positives over everything predicted as the class, 0-1, averaged over the gold classes.

    Statistics per item: ``[tp, fp, fn]`` of each class. A class that nothing is predicted as has precision 0.

    Args:
        average: ``macro``, the mean over the gold classes; ``weighted`` by their frequency; ``micro``, all items
            together; ``each``, one score for each class.
        of: the one class whose score is wanted; in its name a comma is written %2C and a percent sign %25.
        tp, fp, fn: columns of counts that another program made; read where there are no labels, or all three are there.
        _classes: the gold classes, found by ``prepared``.
    """

    unit: ClassVar[str] = "precision 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "van Rijsbergen 1979, Information Retrieval"
    example: ClassVar[str] = "precision:average=micro"

    def of_class(self) -> tuple[Float, Float]:
        return np.array([1.0, 0.0, 0.0]), np.array([1.0, 1.0, 0.0])
