"""The units of resampling: single items, or clusters of items that are not independent, within strata or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass


@dataclass(frozen=True)
class Design:
    """The units of resampling.

    Attributes:
        n_items: items in the test set.
        labels: ``(n_items,)`` number of the cluster of each item, 0 .. G-1, or None when items are independent.
        strata: ``(n_items,)`` number of the stratum of each item, 0 .. H-1, or None for one stratum: a bootstrap
            resamples as many units of each stratum as there are. Randomization does not mind, it moves no unit.
        names: what the clusters are called, by their number; empty where nobody said.
        cluster, stratum: what a cluster and a stratum are, as ``document``, for reports: nothing here depends on it.
            None where there are none. Items that each stand for a cluster have its word too, without ``labels``.
    """

    n_items: int
    labels: Int | None = None
    strata: Int | None = None
    names: tuple[str, ...] = ()
    cluster: str | None = None
    stratum: str | None = None

    @classmethod
    def named(
        cls,
        n_items: int,
        clusters: Sequence[str] | None = None,
        strata: Sequence[str] | None = None,
        *,
        cluster: str | None = None,
        stratum: str | None = None,
    ) -> Design:
        """Clusters and strata from their names, one for each item.

        Args:
            n_items, cluster, stratum: as of the class.
            clusters, strata: ``(n_items,)`` names, or None.

        Raises:
            UsageError: a cluster lies in several strata.
        """
        names, labels = ((), None) if clusters is None else _encode(clusters)
        parts = None if strata is None else _encode(strata)[1]
        if labels is not None and parts is not None:
            pairs = np.unique(np.stack([labels, parts]), axis=1)
            twice = np.flatnonzero(np.bincount(pairs[0]) > 1)
            if len(twice):
                name = np.asarray(clusters, dtype=object)[np.flatnonzero(labels == twice[0])[0]]
                raise UsageError(f"cluster {name!r} lies in several strata; give strata that keep clusters whole")
        return cls(n_items, labels, parts, names, cluster, stratum)

    @property
    def n_units(self) -> int:
        """Number of items, or of clusters where there are any."""
        return self.n_items if self.labels is None else int(self.labels.max()) + 1

    @property
    def n_alike(self) -> float:
        """How many units of equal size these count like: n²/Σm², m items of each."""
        sizes = np.ones(self.n_items) if self.labels is None else np.bincount(self.labels).astype(np.float64)
        return float(self.n_items**2 / (sizes**2).sum())

    @property
    def stratified(self) -> bool:
        """Whether there are several strata."""
        return self.strata is not None and bool((self.strata != self.strata[0]).any())

    @cached_property
    def strata_of_units(self) -> list[Int]:
        """The numbers of the units of each stratum; one stratum of all where there are none."""
        if self.strata is None:
            return [np.arange(self.n_units)]
        of_units = self.strata
        if self.labels is not None:
            of_units = np.empty(self.n_units, dtype=np.int64)
            of_units[self.labels] = self.strata
        return [np.flatnonzero(of_units == h) for h in range(int(of_units.max()) + 1)]

    def centre(self, values: Float) -> Float:
        """Numbers of the units ``(units,)`` less the mean of their stratum."""
        centred = values.copy()
        for units in self.strata_of_units:
            centred[units] -= values[units].mean()
        return centred

    def restrict(self, items: Int) -> Design:
        """The design of some of the items, by their numbers."""
        labels, strata = (
            None if numbers is None else np.unique(numbers[items], return_inverse=True)[1].astype(np.int64)
            for numbers in (self.labels, self.strata)
        )
        names = self.names
        if names and self.labels is not None:
            names = tuple(names[label] for label in np.unique(self.labels[items]))
        return replace(self, n_items=len(items), labels=labels, strata=strata, names=names)

    def gather(self, statistics: Float) -> Float:
        """Statistics ``(..., items, k)`` summed within units: ``(..., units, k)``."""
        if self.labels is None:
            return statistics
        # items cluster by cluster, so that each is one run to be added up; every number of a cluster has items
        order = np.argsort(self.labels, kind="stable")
        starts = np.searchsorted(self.labels[order], np.arange(self.n_units))
        return np.add.reduceat(statistics[..., order, :], starts, axis=-2)


def _encode(names: Sequence[str]) -> tuple[tuple[str, ...], Int]:
    """The distinct names, and the number of each among them."""
    found, numbers = np.unique(np.asarray(names, dtype=object).astype(str), return_inverse=True)
    return tuple(found.tolist()), numbers.astype(np.int64)
