"""What is resampled together: single items, or clusters of items that are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Float, Int


@dataclass(frozen=True)
class Design:
    """The units of resampling.

    Attributes:
        n_items: items in the test set.
        labels: ``(n_items,)`` number of the cluster of each item, 0 .. G-1, or None when items are independent.
    """

    n_items: int
    labels: Int | None = None

    @classmethod
    def clustered(cls, names: Sequence[str]) -> Design:
        """Clusters from their names, one for each item."""
        _, labels = np.unique(np.asarray(names, dtype=object).astype(str), return_inverse=True)
        return cls(len(names), labels.astype(np.int64))

    @property
    def n_units(self) -> int:
        """Number of items, or of clusters where there are any."""
        return self.n_items if self.labels is None else int(self.labels.max()) + 1

    def gather(self, statistics: Float) -> Float:
        """Statistics ``(..., items, k)`` summed within units: ``(..., units, k)``."""
        if self.labels is None:
            return statistics
        order = np.argsort(self.labels, kind="stable")
        starts = np.searchsorted(self.labels[order], np.arange(self.n_units))
        return np.add.reduceat(statistics[..., order, :], starts, axis=-2)
