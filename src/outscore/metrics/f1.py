"""F1: the harmonic mean of precision and recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.metrics import metric
from outscore.metrics.shared.classes import ClassMetric


@metric("f1")
@dataclass(frozen=True)
class F1(ClassMetric):
    """Harmonic mean of precision and recall of a class, 0-1, averaged over the gold classes.

    Statistics per item: ``[tp, fp, fn]`` of each class. A class without any positive, gold or predicted, has F1 0.

    Args:
        average: ``macro``, the mean over the gold classes; ``weighted`` by their frequency; ``micro``, all items
            together; ``each``, one score for each class.
        of: the one class whose score is wanted; in its name a comma is written %2C and a percent sign %25.
        tp, fp, fn: columns of counts that another program made; read where there are no labels, or all three are there.
        _classes: the gold classes, found by ``prepared``.
    """

    unit: ClassVar[str] = "F1 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "van Rijsbergen 1979, Information Retrieval"
    example: ClassVar[str] = "f1:average=each"

    def of_class(self) -> tuple[Float, Float]:
        return np.array([2.0, 0.0, 0.0]), np.array([2.0, 1.0, 1.0])
