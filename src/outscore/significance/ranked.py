"""The numbers of a metric that scores a ranking of the items: it sees how often each item counts, never sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.engine.draws import Draws
from outscore.engine.lattice import Lattice
from outscore.engine.resampling import randomize_by_swaps
from outscore.engine.sampling import Sampling
from outscore.significance.statistics import Pairs, Statistics
from outscore.significance.wilcoxon import double_ranks

_BLOCK_CELLS = 2**21


class RankedStatistics(Statistics):
    """One metric of a comparison whose statistics behind the first rank the items of a run.

    Only the order of the items counts, so these statistics are replaced by their mid-ranks within the run. Two systems
    need not measure on one scale: what randomization permutes are the ranks they give an item (Venkatraman & Begg 1996;
    Bandos et al. 2005).

    Args:
        statistics: for each system an array ``(runs, items, k)``, all but the first of the k being ranked.
        score: statistics ``(items, k)`` and how often each item counts ``(..., items)`` to scores ``(...)``.
    """

    of_sums: ClassVar[bool] = False

    def _find_lattice(self, statistics: Float) -> Lattice:
        held = statistics.copy()
        for run in held:
            run[:, 1:] = np.apply_along_axis(double_ranks, 0, run[:, 1:])
        units = np.full(held.shape[-1], 0.5)
        units[0] = 1.0
        return Lattice(held, units, np.ones(len(units), dtype=bool))

    @cached_property
    def run_scores(self) -> list[Float]:
        everything = np.ones(self.design.n_items)
        return [self._weighted(system, everything) for system in range(len(self.runs))]

    @cached_property
    def without_units(self) -> list[Float]:
        return [self._leave_out(system, self._unit_of_item) for system in range(len(self.runs))]

    @cached_property
    def contributions(self) -> list[Float]:
        """By the jackknife: what is lost without the unit."""
        n = self.design.n_units
        means = [without.mean(axis=0) for without in self.without_units]
        return [(n - 1) / n * (mean.mean() - mean) for mean in means]

    @cached_property
    def n_decisive(self) -> int:
        labels = self.items[0][0, :, 0]
        values = np.unique(labels)
        if values.size != 2 and self.items[0].shape[-1] == 2:
            return self.design.n_units
        return min(np.unique(self._unit_of_item[labels == value]).size for value in values)

    def leave_one_out(self, system: int) -> Float:
        return self._leave_out(system, np.arange(self.design.n_items))

    def make_bootstrap_scorer(self) -> Callable[[Float], Float]:
        def score(counts: Float) -> Float:
            weights = self._item_weights(counts)
            scores = [self._weighted(system, weights) for system in range(len(self.runs))]
            return np.concatenate(scores, axis=-1).T

        return score

    def randomize(self, pairs: Pairs, sampling: Sampling, marks: Float | None = None) -> Draws:
        def score(swaps: Float) -> Float:
            weights = self._item_weights(swaps)
            return np.stack([self._gains(system, baseline, weights) for system, baseline in pairs])

        accumulator = self._randomized_accumulator(
            pairs, len(pairs), np.arange(len(pairs)), np.full(len(pairs), -1), marks
        )
        cells = self.design.n_items * 2 * max(self.runs)
        return randomize_by_swaps(self.design.n_units, score, sampling, accumulator, cells=cells)

    def pooled_gain(self, system: int, baseline: int) -> float:
        return float(self._gains(system, baseline, np.zeros(self.design.n_items)))

    def n_different(self, system: int, baseline: int) -> int:
        common = math.lcm(self.runs[system], self.runs[baseline])
        ranks = [np.repeat(self.items[s], common // self.runs[s], axis=0) for s in (system, baseline)]
        a, b = (np.sort(runs, axis=0) for runs in ranks)
        return len(np.unique(self._unit_of_item[np.any(a != b, axis=(0, 2))]))

    @property
    def _unit_of_item(self) -> Array:
        return np.arange(self.design.n_items) if self.design.labels is None else self.design.labels

    def _item_weights(self, weights: Float) -> Float:
        """Weights of units ``(b, units)`` as those of their items ``(b, items)``."""
        return weights if self.design.labels is None else weights[:, self.design.labels]

    def _weighted(self, system: int, weights: Float) -> Float:
        """Scores ``(..., runs)`` of a system whose items count ``weights (..., items)`` times."""
        return np.stack([self.function(run * self.steps, weights) for run in self.items[system]], axis=-1)

    def _leave_out(self, system: int, group: Array) -> Float:
        """Scores ``(runs, groups)`` without each group of items in turn, the others counting for it too.

        So the proportion that an interquartile mean cuts off stays the same.
        """
        groups = np.arange(group.max() + 1)
        parts = np.array_split(groups, -(-len(groups) * len(group) // _BLOCK_CELLS))
        left = [group != part[:, None] for part in parts]
        scores = [self._weighted(system, kept * (len(group) / kept.sum(axis=1, keepdims=True))) for kept in left]
        return np.concatenate(scores).T

    def _gains(self, system: int, baseline: int, swaps: Float) -> Float:
        """Gains ``(...)`` of the pooled runs where items are swapped, 1, or stay, 0: ``(..., items)``."""
        runs = self.runs[system], self.runs[baseline]
        pooled = np.concatenate([*self.items[system], *self.items[baseline]]) * self.steps
        # every run of a system counts for its share, in whole numbers
        shares = np.repeat(math.lcm(*runs) // np.array(runs), runs)[:, None]
        own = np.repeat([1.0, 0.0], runs)[:, None]
        first = shares * np.abs(own - swaps[..., None, :])
        scores = [self.function(pooled, weights.reshape(*swaps.shape[:-1], -1)) for weights in (first, shares - first)]
        return np.asarray(self.sign * (scores[0] - scores[1]))
