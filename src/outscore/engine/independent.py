"""Independent resampling: every resample has weights of its own, and one product adds up all columns at once.

The slow twin of cyclic resampling, for whom resamples must be independent of each other: as papers and other programs
draw them, by ``--engine iid``. It is the quicker one where few distinct rows are drawn in place of many units
(``bootstrap``). n weights and n q products for each resample, with q distinct columns of all groups; memory is the
weights of the resamples handled at once, and their sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from outscore.base.arrays import Array, Float, Int
from outscore.base.lazy import dataclass
from outscore.engine.lattice import Columns
from outscore.engine.weights import ATOM, bootstrap_counts, multinomial_counts, swaps

_EXACT_FLOAT32 = 2.0**24

Weights = Callable[[int], Float]
"""The weights of one atom ``(ATOM, units)`` from its number."""


@dataclass(frozen=True)
class Independent:
    """Independent resamples of groups of columns, the same resamples for all of them.

    Attributes:
        groups: whole-number statistics, ``(units, k)`` each; k may differ.
        weights: how the weights of one atom are drawn.
        total: the largest sum of the weights of a resample.
    """

    groups: Sequence[Float]
    weights: Weights
    total: int

    atom = ATOM
    """Resamples that one random stream gives."""

    @property
    def units(self) -> int:
        return len(self.groups[0])

    @cached_property
    def _columns(self) -> Columns:
        return Columns.of(np.concatenate(self.groups, axis=1))

    @cached_property
    def _matrix(self) -> Array:
        """The columns to be added up, and ones for the weights themselves ``(units, q + 1)``."""
        distinct = self._columns.distinct
        # float32 holds every partial sum exactly where none can be larger than this, in half of the time
        kind = np.float32 if self.total * float(np.abs(distinct).max(initial=1.0)) < _EXACT_FLOAT32 else np.float64
        return np.concatenate([distinct, np.ones((1, self.units))]).T.astype(kind)

    def sums(self, atoms: range) -> Iterator[Float]:
        """Resampled sums ``(b, k)`` of each group in turn; b is the length of ``atoms`` times ``atom``."""
        weights = np.concatenate([self.weights(atom) for atom in atoms])
        added = (weights.astype(self._matrix.dtype, copy=False) @ self._matrix).T.astype(np.float64, order="C")
        sums = self._columns.sums(added[:-1], added[-1])
        yield from np.split(sums, np.cumsum([rows.shape[1] for rows in self.groups])[:-1], axis=1)


def resample(strata: Sequence[Int], seed: int) -> Weights:
    """How often each unit is drawn, within each stratum as many as there are."""
    if len(strata) == 1:
        return lambda atom: bootstrap_counts(len(strata[0]), seed, atom)

    def weights(atom: int) -> Float:
        counts = np.empty((ATOM, sum(len(units) for units in strata)))
        for h, units in enumerate(strata):
            counts[:, units] = bootstrap_counts(len(units), seed, atom, f"bootstrap of stratum {h}")
        return counts

    return weights


def resample_rows(multiplicity: Int, seed: int) -> Weights:
    """How often each distinct row is drawn, where it occurs so many times."""
    return lambda atom: multinomial_counts(multiplicity, seed, atom)


def permute(n: int, seed: int, purpose: str) -> Weights:
    """Which units swap their systems."""
    return lambda atom: swaps(n, seed, atom, purpose)
