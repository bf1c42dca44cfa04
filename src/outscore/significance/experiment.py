"""The numbers of one comparison, and the resamples drawn from them once and shared by all tests, metrics and pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from outscore.base.arrays import Float, ScoreFunction
from outscore.engine.bootstrap import bootstrap
from outscore.engine.design import Design
from outscore.engine.extreme import tolerance
from outscore.engine.lattice import lattice
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

    def __init__(
        self,
        name: str,
        statistics: Sequence[Float],
        score: ScoreFunction,
        design: Design,
        *,
        higher_is_better: bool = True,
        per_item: bool = False,
        ratio: tuple[Float, Float, float] | None = None,
    ) -> None:
        self.name, self.design, self.ratio = name, design, ratio
        self.sign = 1.0 if higher_is_better else -1.0
        self.runs = [len(s) for s in statistics]
        # systems with different numbers of runs are brought to their least common multiple, see ``whole_runs``
        held = lattice(np.concatenate(list(statistics)), copies=math.lcm(*self.runs))
        self.units, self.exact, self.function = held.units, held.exact, score
        bounds = np.cumsum(self.runs)[:-1]
        self.items: list[Float] = np.split(held.integers, bounds)
        self.plain_mean = per_item and bool(np.all(held.integers[..., 1] * self.units[1] == 1.0))
        """A mean in which every item weighs the same, so that each item has a score of its own."""

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
    def pseudo_values(self) -> list[Float]:
        """Jackknife pseudo-values ``(runs, units)`` of each system; of a plain mean they are the item scores."""
        values = []
        for rows, whole in zip(self.rows, self.run_scores, strict=True):
            n = rows.shape[1]
            without = self.score(rows.sum(axis=1, keepdims=True) - rows)
            values.append(n * whole[:, None] - (n - 1) * without)
        return values


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
        blocks, slices, start = [], [], 0
        for panel in self.panels:
            rows = np.concatenate(panel.rows)
            runs, units, k = rows.shape
            blocks.append(rows.transpose(1, 0, 2).reshape(units, runs * k))
            slices.append((panel, slice(start, start + runs * k), (runs, k)))
            start += runs * k

        def score(sums: Float) -> Float:
            return np.concatenate([p.score(sums[:, s].reshape(-1, *shape)) for p, s, shape in slices], axis=1)

        scores = self._sample(lambda: bootstrap(np.concatenate(blocks, axis=1), score, *self._sampling))
        result, start = [], 0
        for panel in self.panels:
            ends = start + np.cumsum(panel.runs)
            result.append(np.split(scores[:, start : ends[-1]], ends[:-1] - start, axis=1))
            start = int(ends[-1])
        return result

    def randomized(self, panel: int) -> Float:
        """Gains ``(B, systems)`` of randomly relabelled test sets; every pair sees the same exchanges."""
        if panel not in self._randomized:
            self._randomized[panel] = self._randomize(self.panels[panel])
        return self._randomized[panel]

    @cached_property
    def _randomized(self) -> dict[int, Float]:
        return {}

    def _randomize(self, panel: Panel) -> Float:
        pairs = [whole_runs(panel, s, self.baseline) for s in range(len(self.systems))]
        differences = np.concatenate([b - a for a, b, _ in pairs], axis=1)
        totals = [(a.sum(axis=0), b.sum(axis=0), units) for a, b, units in pairs]
        k = len(panel.units)

        def score(moved: Float) -> Float:
            gains = []
            for s, (a, b, units) in enumerate(totals):
                first = a + moved[:, s * k : (s + 1) * k]
                gains.append(panel.sign * (panel.function(first * units) - panel.function((a + b - first) * units)))
            return np.stack(gains, axis=1)

        return self._sample(lambda: randomize(differences, score, *self._sampling))

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
        a, b, _ = self.whole
        return int(np.any(a != b, axis=1).sum())

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
        a, b, units = self.whole
        score = self.panel.function
        return float(self.panel.sign * (score(a.sum(axis=0) * units) - score(b.sum(axis=0) * units)))

    @cached_property
    def jackknife(self) -> Float:
        """Gains ``(units,)`` without each unit in turn."""
        total = []
        for s in (self.system, self.baseline):
            rows = self.panel.rows[s]
            total.append(self.panel.score(rows.sum(axis=1, keepdims=True) - rows).mean(axis=0))
        return np.asarray(self.panel.sign * (total[0] - total[1]))
