"""The numbers of one metric: statistics of every system and run as whole numbers, and what is resampled from them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from typing import ClassVar, Self

import numpy as np

from outscore.base.arrays import Float, Int, ScoreFunction
from outscore.base.lazy import dataclass
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.extreme import tolerance
from outscore.engine.lattice import Lattice, lattice
from outscore.engine.resampling import differing_units, randomize, randomize_columns
from outscore.engine.sampling import Sampling
from outscore.metrics import Averaged
from outscore.significance.proportions import worth_of
from outscore.significance.studentized import influences, slopes

OBSERVED, MIRRORED = 0, 1
"""Marks of resampled gains: as far from the centre as the gain is, on its side and on the other.

Of permuted test sets, whose centre is 0, they are δ and -δ; of bootstrap ones, whose centre is δ, they are 2δ and 0.
"""

Pairs = Sequence[tuple[int, int]]
"""Numbers of the systems that are compared, and of what each is compared with."""


class Statistics:
    """One metric of a comparison: the statistics of every system and run, as whole numbers.

    Args:
        name: label of the metric.
        statistics: for each system an array ``(runs, items, k)``; numbers of runs may differ.
        score: sums ``(..., k)`` to scores ``(...)``.
        design: what is resampled together.
        higher_is_better: direction of the metric.
        per_item: the score is a mean of items and the statistics are ``[weight * value, weight]``.
        ratio: the metric as a ratio of two sums, where it is one.
        averaged: the metric as a mean of such ratios, one for each class, where it is one.
        score_of_part: from the statistics ``(items, k)`` of some items to their score alone; by default the same.
        limits: the lowest and the highest score that there can be, where there are such.
        by_chance: from statistics ``(items, k)`` to the error of answers by chance, see ``error_by_chance`` of metrics.
    """

    of_sums: ClassVar[bool] = True
    """The score is a function of summed statistics; of a ``RankedStatistics`` it is not."""

    def __init__(
        self,
        name: str,
        statistics: Sequence[Float],
        score: Callable[..., Float],
        design: Design,
        *,
        higher_is_better: bool = True,
        per_item: bool = False,
        ratio: tuple[Float, Float, float] | None = None,
        averaged: Averaged | None = None,
        score_of_part: Callable[[Float], Callable[..., Float]] | None = None,
        limits: tuple[float, float] | None = None,
        by_chance: Callable[[Float], tuple[float, float]] | None = None,
    ) -> None:
        self.name, self.design, self.ratio, self.limits = name, design, ratio, limits
        self.averaged, self.score_of_part, self.by_chance = averaged, score_of_part, by_chance
        self.sign = 1.0 if higher_is_better else -1.0
        self.runs = [len(s) for s in statistics]
        held = self._find_lattice(np.concatenate(list(statistics)))
        self.steps, self.exact, self.function = held.steps, held.exact, score
        bounds = np.cumsum(self.runs)[:-1]
        self.items: list[Float] = np.split(held.integers, bounds)
        self.per_item = per_item
        """A mean of items, whose statistics are ``[weight * value, weight]``."""
        self.plain_mean = per_item and bool(np.all(held.integers[..., 1] * self.steps[1] == 1.0))
        """A mean in which every item weighs the same, so that each item has a score of its own."""
        self.kept_t: dict[tuple[int, int], tuple[float, float | None]] = {}
        """By pair, see ``find_t``."""
        self.kept_classes: dict[int, tuple[Float, Float, Float, float]] = {}
        """By system, see ``Rao``."""

    def _find_lattice(self, statistics: Float) -> Lattice:
        # systems with different numbers of runs are brought to their least common multiple, see ``sum_runs``
        return lattice(statistics, copies=math.lcm(*self.runs))

    @property
    def ratios(self) -> tuple[Float, Float, float] | None:
        """Weights ``(k, m)`` of the numerators and of the denominators of m ratios, and the factor of their sum, which
        is the score; None where it is no such sum.
        """
        if self.ratio is not None:
            above, below, scale = self.ratio
            return above[:, None], below[:, None], scale
        return None if self.averaged is None else self.averaged.weights(len(self.steps))

    @cached_property
    def fewest(self) -> list[float]:
        """For each system, in independent ones, the right or the wrong of what its ratio is divided by, if fewer.

        Infinite where a numerator does not lie between 0 and its denominator on every unit, all of these are 0, or
        there are runs.
        """
        if self.ratio is None or max(self.runs) > 1:
            return [math.inf] * len(self.runs)
        found = []
        for runs in self.rows:
            num, den = (runs[0] @ (self.steps * weights) for weights in self.ratio[:2])
            share = num.min() >= 0 and bool((num <= den * (1 + 1e-9)).all())
            right, _, worth = worth_of(num, den)
            found.append(float(worth * min(right, 1 - right)) if share and den.any() else math.inf)
        return found

    @cached_property
    def right_or_wrong(self) -> list[bool]:
        """For each system whether every item of every run has a score of its own that is 0 or 1."""
        unit, of_shares = self.steps[0], self.plain_mean and self.limits in (None, (0.0, 1.0))
        return [of_shares and bool(np.isin(items[..., 0] * unit, (0.0, 1.0)).all()) for items in self.items]

    @cached_property
    def both_right(self) -> Float:
        """``(systems, systems)`` items that two systems both have right, one run each."""
        right = np.stack([items[0, :, 0] * self.steps[0] for items in self.items])
        return np.asarray(right @ right.T)

    @cached_property
    def rows(self) -> list[Float]:
        """For each system ``(runs, units, k)``: statistics summed within clusters."""
        return [self.design.gather(s) for s in self.items]

    @cached_property
    def pooled(self) -> list[Float]:
        """For each system ``(units, k)``: the statistics of its units summed over its runs."""
        return [rows.sum(axis=0) if len(rows) > 1 else rows[0] for rows in self.rows]

    @cached_property
    def _totals(self) -> list[Float]:
        """For each system ``(k,)``: the statistics summed over runs and units."""
        return [pooled.sum(axis=0) for pooled in self.pooled]

    @property
    def n_decisive(self) -> int:
        """Units that a score rests on: all, but of a ranking no more than its rarer label has."""
        return self.design.n_units

    def score(self, sums: Float) -> Float:
        """Scores ``(...)`` of sums of whole-number statistics ``(..., k)``."""
        return self.function(sums if self._counted else sums * self.steps)

    @cached_property
    def _counted(self) -> bool:
        """Whether the whole numbers are the statistics themselves."""
        return bool((self.steps == 1.0).all())

    @cached_property
    def run_scores(self) -> list[Float]:
        """For each system the scores of its runs ``(runs,)``."""
        return [self.score(rows.sum(axis=1)) for rows in self.rows]

    @cached_property
    def without_units(self) -> list[Float]:
        """For each system the scores of its runs without each unit in turn ``(runs, units)``."""
        return [self.score(rows.sum(axis=1, keepdims=True) - rows) for rows in self.rows]

    def leave_one_out(self, system: int) -> Float:
        """Scores of the runs of a system without each item in turn ``(runs, items)``, whatever the units are."""
        items = self.items[system]
        return self.score(items.sum(axis=1, keepdims=True) - items)

    @cached_property
    def pseudo_values(self) -> list[Float]:
        """Jackknife pseudo-values ``(runs, units)`` of each system; of a plain mean they are the item scores."""
        n = self.design.n_units
        return [
            n * whole[:, None] - (n - 1) * without
            for without, whole in zip(self.without_units, self.run_scores, strict=True)
        ]

    @cached_property
    def contributions(self) -> list[Float]:
        """For each system what its units add to its score to first order ``(units,)``, see ``influences``."""
        if self.plain_mean:
            means = [rows[:, 0] * (self.steps[0] / (runs * self.design.n_items)) for rows, runs in self._pooled_runs]
            sizes = self.rows[0][0, :, 1] * (self.steps[1] / self.design.n_items)
            return [mean - sizes * mean.sum() for mean in means]
        return [influences(rows, self._pooled_score(runs)) for rows, runs in self._pooled_runs]

    @cached_property
    def shares(self) -> list[Float]:
        """For each system the proportion of its sums that each unit holds ``(units,)``: of a ratio of what it is
        divided by, of other scores of all sums, each as much as the score depends on it.
        """
        return [_shares(self._sizes(rows, runs), self.design) for rows, runs in self._pooled_runs]

    def _sizes(self, rows: Float, runs: int) -> Float:
        if self.per_item:
            return rows[:, 1]
        if self.ratio is not None:
            return np.asarray(rows @ (self.steps * self.ratio[1]))
        return np.abs(rows) @ np.abs(slopes(rows, self._pooled_score(runs)))

    @property
    def _pooled_runs(self) -> list[tuple[Float, int]]:
        return list(zip(self.pooled, self.runs, strict=True))

    def _pooled_score(self, runs: int) -> ScoreFunction:
        """From sums over all runs of a system to its score."""
        return lambda sums: self.function(sums * (self.steps / runs))

    @property
    def groups(self) -> list[Float]:
        """Statistics ``(units, k)`` of all runs of all systems in turn."""
        return [run for runs in self.rows for run in runs]

    def make_bootstrap_scorer(self) -> Callable[[Float], Float]:
        """From how often units were drawn ``(b, units)`` to the scores of all runs of all systems ``(runs, b)``."""
        groups = self.groups
        return lambda counts: np.stack([self.score(counts @ rows) for rows in groups])

    def randomize(self, pairs: Pairs, sampling: Sampling, marks: Float | None = None) -> Draws:
        """Gains of randomly permuted test sets for all pairs, counted at marks ``(pairs,)`` and at minus these.

        They are counted at the pooled gains unless other marks are given.
        """
        groups = self.pooled
        if self.plain_mean:
            # the gain of a mean is a difference of what each system has by itself
            first, second = np.array(pairs).T
            accumulator = self._randomized_accumulator(pairs, len(groups), first, second, marks)
            return randomize(groups, self._permute_means, sampling, accumulator)
        accumulator = self._randomized_accumulator(
            pairs, len(pairs), np.arange(len(pairs)), np.full(len(pairs), -1), marks
        )
        sides = [_Sides.of(self, *pair) for pair in pairs]
        if len(pairs) < len(groups):  # fewer columns, of which more are constant, are those of the differences

            def score_differences(sums: Iterator[Float]) -> Float:
                return np.stack([side.gains(moved) for side, moved in zip(sides, sums, strict=True)])

            differ = differing_units(groups)
            moving = [
                side.subtract(groups[i][differ], groups[j][differ]) for side, (i, j) in zip(sides, pairs, strict=True)
            ]
            return randomize_columns(moving, score_differences, sampling, accumulator)

        def score(sums: Iterator[Float]) -> Float:
            moved = [part.copy(order="K") for part in sums]
            return np.stack(
                [side.gains(side.subtract(moved[i], moved[j])) for side, (i, j) in zip(sides, pairs, strict=True)]
            )

        return randomize(groups, score, sampling, accumulator)

    def _permute_means(self, sums: Iterator[Float]) -> Float:
        means = []
        for rows, moved in zip(self.rows, sums, strict=True):
            value = rows[..., 0].sum() - 2 * moved[:, 0]
            means.append(value * (self.sign * self.steps[0] / (len(rows) * self.design.n_items)))
        return np.stack(means)

    def _randomized_accumulator(
        self, pairs: Pairs, columns: int, first: Int, second: Int, marks: Float | None
    ) -> Accumulator:
        marks = np.array([self.pooled_gain(*pair) for pair in pairs]) if marks is None else marks
        slack = np.array([self.slack(*pair) for pair in pairs])
        groups = tuple(slice(c, c + 1) for c in range(columns))
        return Accumulator(groups, first, second, np.stack([marks, -marks], axis=1), slack)

    @cached_property
    def digest(self) -> bytes:
        """The same for the same metric, numbers, scores (to nine digits, as a metric may change) and design alone."""
        found = hashlib.sha256(repr((self.name, self.sign, self.steps.tolist(), self.runs)).encode())
        found.update(repr([f"{score:.9g}" for scores in self.run_scores for score in scores]).encode())
        for numbers in (*self.items, self.design.labels, self.design.strata):
            found.update(b"none" if numbers is None else np.ascontiguousarray(numbers).tobytes())
        return found.digest()

    def gain(self, system: int, baseline: int) -> float:
        """Mean score over runs of the system minus that of the baseline, positive is better."""
        return float(self.sign * (self.run_scores[system].mean() - self.run_scores[baseline].mean()))

    def slack(self, system: int, baseline: int) -> float:
        """Rounding tolerance for comparing gains of two systems."""
        return tolerance(float(max(np.abs(self.run_scores[s]).max() for s in (system, baseline))))

    def pooled_gain(self, system: int, baseline: int) -> float:
        """Gain of the statistics averaged over runs."""
        own, other = scales(self.runs[system], self.runs[baseline])
        steps = self.steps / (self.runs[system] * own)
        a, b = self._totals[system] * own, self._totals[baseline] * other
        return float(self.sign * (self.function(a * steps) - self.function(b * steps)))

    def restrict(self, items: Int, design: Design | None = None) -> Self:
        """The statistics of some items, by their numbers; ``design`` is of these, by default what is left of it."""
        part = self.replace_statistics(
            [whole[:, items] for whole in self.items], self.design.restrict(items) if design is None else design
        )
        if self.score_of_part is not None:
            part.function = self.score_of_part(part.items[0][0] * part.steps)
        if self.averaged is not None:
            part.averaged = self.averaged.restrict(part.items[0][0] * part.steps)
        return part

    def replace_statistics(self, wholes: Sequence[Float], design: Design) -> Self:
        """The same metric on other whole numbers, ``(runs, items, k)`` for each system, in the steps of this one's."""
        return self.replace_values([whole * self.steps for whole in wholes], design)

    def replace_values(self, statistics: Sequence[Float], design: Design) -> Self:
        """The same metric on other statistics, ``(runs, items, k)`` for each system."""
        return type(self)(
            self.name,
            statistics,
            self.function,
            design,
            higher_is_better=self.sign > 0,
            per_item=self.per_item,
            ratio=self.ratio,
            averaged=self.averaged,
            score_of_part=self.score_of_part,
            limits=self.limits,
            by_chance=self.by_chance,
        )

    def n_different(self, system: int, baseline: int) -> int:
        """Units on which two systems differ at all."""
        own, other = scales(self.runs[system], self.runs[baseline])
        a, b = self.pooled[system], self.pooled[baseline]
        differ = a != b if own == other else a * own != b * other
        return int(reduce(np.logical_or, differ.T).sum())  # columns are few, and rows many


@dataclass(frozen=True)
class _Sides:
    """Sums of two systems over all units, from which permuted test sets differ by what is swapped.

    Attributes:
        stats: the metric.
        first, both: ``(k,)`` whole numbers of the system, and of both systems together, on a common scale.
        scales: what brings the sums over runs of each to that scale.
        steps: ``(k,)`` of the numbers, as means over runs.
    """

    stats: Statistics
    first: Float
    both: Float
    scales: tuple[int, int]
    steps: Float

    @classmethod
    def of(cls, stats: Statistics, system: int, baseline: int) -> _Sides:
        runs = stats.runs[system]
        own, other = scales(runs, stats.runs[baseline])
        first, second = stats._totals[system] * own, stats._totals[baseline] * other
        return cls(stats, first, first + second, (own, other), stats.steps / (runs * own))

    def subtract(self, moved: Float, moved_baseline: Float) -> Float:
        """How much more the system has than the baseline of statistics ``(..., k)``, on the common scale."""
        own, other = self.scales
        return moved - moved_baseline if own == other == 1 else moved * own - moved_baseline * other

    def gains(self, moved: Float) -> Float:
        """Gains ``(b,)`` where units are swapped of which the system has so much more ``(b, k)``."""
        first = self.first - moved
        second = self.both - first
        if (self.steps != 1.0).any():
            first *= self.steps
            second *= self.steps
        return np.asarray(self.stats.sign * (self.stats.function(first) - self.stats.function(second)))


def _shares(sizes: Float, design: Design) -> Float:
    """Sizes as proportions of their sum; where there is none, the numbers of items."""
    total = float(sizes.sum())
    if not (0 < total < math.inf and sizes.min() >= 0):
        labels = design.labels
        sizes = np.ones(design.n_units) if labels is None else np.bincount(labels).astype(np.float64)
        total = float(design.n_items)
    return np.asarray(sizes / total)


def scales(runs: int, others: int) -> tuple[int, int]:
    """The factors by which the sums over runs of two systems are multiplied to be on a common scale."""
    common = math.lcm(runs, others)
    return common // runs, common // others


def sum_runs(stats: Statistics, system: int, baseline: int) -> tuple[Float, Float, Float]:
    """Both systems' statistics summed over their runs, at equal weight.

    Returns:
        system's and baseline's whole numbers ``(units, k)`` on a common scale, and the steps ``(k,)`` that make each
        the mean over runs.
    """
    runs = stats.runs[system]
    own, other = scales(runs, stats.runs[baseline])
    return stats.pooled[system] * own, stats.pooled[baseline] * other, stats.steps / (runs * own)
