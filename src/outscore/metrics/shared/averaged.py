"""A score that is the mean of the scores of classes, each a ratio of two sums."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from outscore.base.arrays import Bool, Float, Int


@dataclass(frozen=True)
class Averaged:
    """How the score of each class is made from its own columns, which all classes have alike, one after another.

    Attributes:
        above, below: weights ``(c,)`` of the columns of a class in the numerator and in the denominator of its score.
        gold: weights ``(c,)`` that count its gold items.
        scale: what the mean of the ratios is multiplied by.
        present: which classes count ``(m,)``; by default all.
        names: of all classes.
    """

    above: Float
    below: Float
    gold: Float
    scale: float = 1.0
    present: Bool | None = None
    names: tuple[str, ...] = ()

    def sums(self, statistics: Float) -> tuple[Float, Float]:
        """Numerators and denominators ``(..., m)`` of the classes that count, from statistics ``(..., m * c)``."""
        classes = self._classes(statistics)
        return classes @ self.above, classes @ self.below

    def score(self, sums: Float) -> Float:
        """Scores ``(...)`` of sums of statistics; 0 where no class counts."""
        above, below = self.sums(sums)
        ratios = np.divide(above, below, out=np.zeros(below.shape), where=below != 0)
        return np.asarray(self.scale * ratios.sum(axis=-1) / max(ratios.shape[-1], 1))

    def gold_items(self, statistics: Float) -> Int:
        """How many items have each class that counts in their gold ``(m,)``; from statistics ``(items, m * c)``."""
        return np.asarray((self._classes(statistics) @ self.gold > 0).sum(axis=0))

    @property
    def counting(self) -> tuple[str, ...]:
        """The names ``(m,)`` of the classes that count."""
        present = self.present
        return (
            self.names if present is None else tuple(n for n, there in zip(self.names, present, strict=True) if there)
        )

    def restrict(self, statistics: Float) -> Self:
        """The same mean over the classes that some items with these statistics have in their gold."""
        return replace(self, present=replace(self, present=None).gold_items(statistics) > 0)

    def _classes(self, statistics: Float) -> Float:
        classes = statistics.reshape(*statistics.shape[:-1], -1, len(self.above))
        return classes if self.present is None else classes[..., self.present, :]
