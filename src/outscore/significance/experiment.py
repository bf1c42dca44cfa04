"""The numbers of one comparison, and the resamples drawn from them once and shared by all tests, metrics and pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.bootstrap import bootstrap, redraw
from outscore.engine.design import Design
from outscore.engine.extreme import tolerance
from outscore.engine.lattice import Lattice, lattice
from outscore.engine.permutation import randomize
from outscore.engine.runtime import Runtime
from outscore.significance.settings import Settings
from outscore.significance.studentized import with_errors


class Panel:
    """One metric of a comparison: the statistics of every system and run, as whole numbers.

    Args:
        name: label of the metric.
        statistics: for each system an array ``(runs, items, k)``; numbers of runs may differ.
        score: sums ``(..., k)`` to scores ``(...)``.
        design: what is resampled together.
        higher_is_better: direction of the metric.
        per_item: the score is a mean of items and the statistics are ``[weight * value, weight]``.
        ratio: the metric as a ratio of two sums, where it is one.
    """

    of_sums: ClassVar[bool] = True
    """The score is a function of summed statistics; of a ``RankedPanel`` it is not."""

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
    ) -> None:
        self.name, self.design, self.ratio = name, design, ratio
        self.sign = 1.0 if higher_is_better else -1.0
        self.runs = [len(s) for s in statistics]
        held = self._whole_numbers(np.concatenate(list(statistics)))
        self.units, self.exact, self.function = held.units, held.exact, score
        bounds = np.cumsum(self.runs)[:-1]
        self.items: list[Float] = np.split(held.integers, bounds)
        self.plain_mean = per_item and bool(np.all(held.integers[..., 1] * self.units[1] == 1.0))
        """A mean in which every item weighs the same, so that each item has a score of its own."""

    def _whole_numbers(self, statistics: Float) -> Lattice:
        # systems with different numbers of runs are brought to their least common multiple, see ``whole_runs``
        return lattice(statistics, copies=math.lcm(*self.runs))

    @cached_property
    def rows(self) -> list[Float]:
        """For each system ``(runs, units, k)``: statistics summed within clusters."""
        return [self.design.gather(s) for s in self.items]

    def score(self, sums: Float) -> Float:
        """Scores ``(...)`` of sums of whole-number statistics ``(..., k)``."""
        return self.function(sums * self.units)

    @cached_property
    def run_scores(self) -> list[Float]:
        """For each system the scores of its runs ``(runs,)``."""
        return [self.score(rows.sum(axis=1)) for rows in self.rows]

    @cached_property
    def without_units(self) -> list[Float]:
        """For each system the scores of its runs without each unit in turn ``(runs, units)``."""
        return [self.score(rows.sum(axis=1, keepdims=True) - rows) for rows in self.rows]

    def without_items(self, system: int) -> Float:
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

    @property
    def columns(self) -> Float:
        """Statistics of all runs of all systems side by side ``(units, runs * k)``."""
        rows = np.concatenate(self.rows)
        return rows.transpose(1, 0, 2).reshape(rows.shape[1], -1)

    def score_columns(self, sums: Float) -> Float:
        """Scores of all runs of all systems ``(b, runs)`` from sums of ``columns``."""
        return self.score(sums.reshape(len(sums), sum(self.runs), -1))

    def redrawn(self) -> Callable[[Float], Float]:
        """From how often units were drawn ``(b, units)`` to the scores of all runs of all systems ``(b, runs)``."""
        columns = self.columns
        return lambda counts: self.score_columns(counts @ columns)

    def randomized(self, baseline: int, n_resamples: int, seed: int, runtime: Runtime) -> tuple[Float, bool]:
        """Gains ``(B, systems)`` of randomly relabelled test sets, and whether the work was interrupted."""
        pairs = [whole_runs(self, s, baseline) for s in range(len(self.runs))]
        differences = np.concatenate([b - a for a, b, _ in pairs], axis=1)
        totals = [(a.sum(axis=0), b.sum(axis=0), units) for a, b, units in pairs]
        k = len(self.units)

        def score(moved: Float) -> Float:
            gains = []
            for s, (a, b, units) in enumerate(totals):
                first = a + moved[:, s * k : (s + 1) * k]
                gains.append(self.sign * (self.function(first * units) - self.function((a + b - first) * units)))
            return np.stack(gains, axis=1)

        return randomize(differences, score, n_resamples, seed, runtime)

    def pooled_gain(self, system: int, baseline: int) -> float:
        """Gain of the statistics averaged over runs."""
        a, b, units = whole_runs(self, system, baseline)
        return float(self.sign * (self.function(a.sum(axis=0) * units) - self.function(b.sum(axis=0) * units)))

    def n_different(self, system: int, baseline: int) -> int:
        """Units on which two systems differ at all."""
        a, b, _ = whole_runs(self, system, baseline)
        return int(np.any(a != b, axis=1).sum())


class Experiment:
    """All panels of a comparison with the resamples that are drawn from them.

    Args:
        systems: names; ``baseline`` is the index of the one compared against.
        panels: one for each metric, all over the same items and design.
    """

    def __init__(self, systems: Sequence[str], panels: Sequence[Panel], baseline: int, settings: Settings) -> None:
        self.systems, self.panels, self.baseline, self.settings = tuple(systems), tuple(panels), baseline, settings
        self.design = panels[0].design
        self.interrupted = False

    def pair(self, panel: int, system: int) -> Pairing:
        """The numbers that a test of one system against the baseline sees."""
        return Pairing(self, panel, system)

    @cached_property
    def resampled(self) -> list[list[Float]]:
        """Bootstrap scores ``(B, runs)`` for each panel and system, all from the same weights."""
        scores = self._sample(self._bootstrap if all(p.of_sums for p in self.panels) else self._redraw)
        result, start = [], 0
        for panel in self.panels:
            ends = start + np.cumsum(panel.runs)
            result.append(np.split(scores[:, start : ends[-1]], ends[:-1] - start, axis=1))
            start = int(ends[-1])
        return result

    def _bootstrap(self) -> tuple[Float, bool]:
        blocks = [panel.columns for panel in self.panels]
        bounds = np.cumsum([block.shape[1] for block in blocks])[:-1]

        def score(sums: Float) -> Float:
            parts = zip(self.panels, np.split(sums, bounds, axis=1), strict=True)
            return np.concatenate([panel.score_columns(part) for panel, part in parts], axis=1)

        return bootstrap(np.concatenate(blocks, axis=1), score, *self._sampling)

    def _redraw(self) -> tuple[Float, bool]:
        panels = [panel.redrawn() for panel in self.panels]

        def score(counts: Float) -> Float:
            return np.concatenate([panel(counts) for panel in panels], axis=1)

        return redraw(self.design.n_units, score, *self._sampling, cells=self.design.n_items)

    def randomized(self, panel: int) -> Float:
        """Gains ``(B, systems)`` of randomly relabelled test sets; every pair sees the same exchanges."""
        if panel not in self._randomized:
            held = self.panels[panel]
            self._randomized[panel] = self._sample(lambda: held.randomized(self.baseline, *self._sampling))
        return self._randomized[panel]

    @cached_property
    def _randomized(self) -> dict[int, Float]:
        return {}

    def _sample(self, draw: Callable[[], tuple[Float, bool]]) -> Float:
        values, interrupted = draw()
        if interrupted:
            self.stop_at(len(values))
        return values

    def stop_at(self, n_resamples: int) -> None:
        """The user has interrupted: what is still to be drawn gets as many resamples as were done."""
        self.interrupted = True
        self.settings = replace(self.settings, n_resamples=n_resamples)

    @property
    def _sampling(self) -> tuple[int, int, Runtime]:
        return self.settings.n_resamples, self.settings.seed, self.settings.runtime


def whole_runs(panel: Panel, system: int, baseline: int) -> tuple[Float, Float, Float]:
    """Both systems' statistics summed over their runs, at equal weight.

    Returns:
        system's and baseline's whole numbers ``(units, k)`` on a common scale, and the units ``(k,)`` that make each
        the mean over runs.
    """
    a, b = panel.rows[system], panel.rows[baseline]
    common = math.lcm(len(a), len(b))
    return a.sum(axis=0) * (common // len(a)), b.sum(axis=0) * (common // len(b)), panel.units / common


class Pairing:
    """One system against the baseline under one metric: what a test sees."""

    def __init__(self, experiment: Experiment, panel: int, system: int) -> None:
        self.experiment = experiment
        self.panel_index, self.panel = panel, experiment.panels[panel]
        self.system, self.baseline = system, experiment.baseline

    @property
    def settings(self) -> Settings:
        return self.experiment.settings

    @property
    def n_items(self) -> int:
        return self.panel.design.n_items

    @property
    def n_units(self) -> int:
        """Items, or clusters where items come in clusters."""
        return self.panel.design.n_units

    @property
    def clustered(self) -> bool:
        return self.panel.design.labels is not None

    @property
    def n_runs(self) -> tuple[int, int]:
        """Runs of the system and of the baseline."""
        return self.panel.runs[self.system], self.panel.runs[self.baseline]

    @property
    def has_runs(self) -> bool:
        return max(self.n_runs) > 1

    @cached_property
    def gain(self) -> float:
        """Mean score over runs of the system minus that of the baseline, positive is better."""
        scores = self.panel.run_scores
        return float(self.panel.sign * (scores[self.system].mean() - scores[self.baseline].mean()))

    @cached_property
    def slack(self) -> float:
        """Rounding tolerance for comparing gains."""
        scores = self.panel.run_scores
        return tolerance(float(max(np.abs(scores[self.system]).max(), np.abs(scores[self.baseline]).max())))

    @cached_property
    def whole(self) -> tuple[Float, Float, Float]:
        """Statistics summed over runs, see ``whole_runs``."""
        return whole_runs(self.panel, self.system, self.baseline)

    @cached_property
    def identical(self) -> bool:
        """Every item has the same statistics under both systems (run by run where both have as many)."""
        a, b = self.panel.items[self.system], self.panel.items[self.baseline]
        if len(a) == len(b):
            return bool(np.array_equal(a, b))
        return bool((a == a[0]).all() and (b == a[0]).all())

    @cached_property
    def differences(self) -> Float:
        """``(items,)`` score of the system minus score of the baseline on each item, averaged over runs, signed.

        Only where every item has a score of its own (``panel.plain_mean``). Whole numbers times ``difference_unit``.
        """
        return self.whole_differences * self.difference_unit

    @cached_property
    def whole_differences(self) -> Float:
        """``differences`` as whole numbers, item by item even where items come in clusters."""
        a, b = self.panel.items[self.system][..., 0], self.panel.items[self.baseline][..., 0]
        common = math.lcm(len(a), len(b))
        return np.asarray(self.panel.sign * (a.sum(axis=0) * (common // len(a)) - b.sum(axis=0) * (common // len(b))))

    @property
    def difference_unit(self) -> float:
        return float(self.panel.units[0]) / math.lcm(*self.n_runs)

    @cached_property
    def binary(self) -> bool:
        """Every item is simply right or wrong, one run each."""
        both = np.concatenate([self.panel.items[self.system], self.panel.items[self.baseline]])[..., 0]
        values = both * self.panel.units[0]
        return self.panel.plain_mean and not self.has_runs and bool(np.isin(values, (0.0, 1.0)).all())

    @cached_property
    def n_different(self) -> int:
        """Units on which the systems differ at all: what randomization can exchange."""
        return self.panel.n_different(self.system, self.baseline)

    @property
    def resampled(self) -> Float:
        """Bootstrap gains ``(B,)``: units redrawn, runs kept."""
        panel = self.experiment.resampled[self.panel_index]
        return np.asarray(self.panel.sign * (panel[self.system].mean(axis=1) - panel[self.baseline].mean(axis=1)))

    @cached_property
    def studentized(self) -> tuple[Float, Float, float]:
        """Redrawn gains ``(B,)`` with their standard errors ``(B,)``, and the standard error of the gain."""
        a, b, units = self.whole
        k, function = a.shape[1], self.panel.function

        def gain(sums: Float) -> Float:
            return np.asarray(self.panel.sign * (function(sums[..., :k] * units) - function(sums[..., k:] * units)))

        values, errors, error, interrupted = with_errors(np.concatenate([a, b], axis=1), gain, self.settings)
        if interrupted:
            self.experiment.stop_at(len(values))
        return values, errors, error

    @property
    def randomized(self) -> Float:
        """Gains ``(B,)`` of randomly relabelled test sets."""
        return self.experiment.randomized(self.panel_index)[:, self.system]

    @cached_property
    def pooled_gain(self) -> float:
        """Gain of the statistics averaged over runs: what randomization exchanges. It is ``gain`` for one run."""
        return self.panel.pooled_gain(self.system, self.baseline)

    @cached_property
    def jackknife(self) -> Float:
        """Gains ``(units,)`` without each unit in turn."""
        system, baseline = (self.panel.without_units[s].mean(axis=0) for s in (self.system, self.baseline))
        return np.asarray(self.panel.sign * (system - baseline))
