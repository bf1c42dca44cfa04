"""The base of intervals from bootstrap resamples of the test set."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.notes import Note
from outscore.engine.intervals import Interval
from outscore.significance import notes
from outscore.significance.estimate import Estimate
from outscore.significance.interval import Found, IntervalMethod, constant, finite
from outscore.significance.resamples import BOOTSTRAP, DrawRequest

_FEW_ITEMS = replace(notes.FEW_ITEMS, remedy="more items, or --interval t")


@dataclass(frozen=True)
class Resampled(IntervalMethod):
    """An interval from the values of an estimate on bootstrap resamples of the test set; runs are kept.

    Class attributes:
        few: it keeps its level with fewer than 30 units.
    """

    needs: ClassVar[str] = "two items (clusters) or more"
    few: ClassVar[bool] = False

    def refuses(self, estimate: Estimate) -> str | None:
        return None

    def draws(self, estimate: Estimate) -> Sequence[DrawRequest]:
        return (BOOTSTRAP,)

    def find(self, estimate: Estimate) -> Found:
        if np.ptp(self.replicates(estimate)) <= estimate.slack:
            return constant(estimate)
        found = self.from_replicates(estimate)
        said: tuple[Note, ...] = ()
        if estimate.n_units < 30 and not self.few:
            said += (notes.FEW_CLUSTERS if estimate.clustered else _FEW_ITEMS,)
        if found.fallback:
            said += (notes.BCA_FALLBACK if found.fallback.startswith("bca") else notes.STUDENTIZED_FALLBACK,)
        return finite(found.low, found.high, f"{found.method} bootstrap interval", *said)

    def replicates(self, estimate: Estimate) -> Float:
        """The values ``(B,)`` it is made from."""
        return estimate.redrawn

    @abstractmethod
    def from_replicates(self, estimate: Estimate) -> Interval:
        """The interval of an estimate that varies."""
