"""The numbers of one comparison, and the resamples drawn from them once and shared by all tests, metrics and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np

from outscore.base.arrays import Bool, Float, ScoreFunction
from outscore.engine.bootstrap import bootstrap, redraw
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.extreme import Positions
from outscore.engine.intervals import largest_deviation
from outscore.engine.montecarlo import Exceedances
from outscore.significance.panel import Panel, scales, whole_runs
from outscore.significance.proportions import ClusteredShares, clustered_shares
from outscore.significance.relabelled import Relabelled
from outscore.significance.settings import Settings
from outscore.significance.studentized import with_errors

_ROUNDING = 1e-8


class Experiment:
    """All panels of a comparison with the resamples that are drawn from them.

    Args:
        systems: names; ``baseline`` is the index of the one compared against.
        panels: one for each metric, all over the same items and design.
        all_pairs: compare every two systems, the later one with the earlier, not only all with the baseline.
    """

    def __init__(
        self,
        systems: Sequence[str],
        panels: Sequence[Panel],
        baseline: int,
        settings: Settings,
        *,
        all_pairs: bool = False,
    ) -> None:
        self.systems, self.panels, self.baseline, self.settings = tuple(systems), tuple(panels), baseline, settings
        self.design = panels[0].design
        self.interrupted = False
        order = [baseline, *(s for s in range(len(systems)) if s != baseline)]
        self.pairs = [(s, b) for i, b in enumerate(order if all_pairs else order[:1]) for s in order[i + 1 :]]

    def pair(self, panel: int, system: int, baseline: int | None = None) -> PairedComparison:
        """The numbers that a test of one system against another, the baseline unless said, sees."""
        return PairedComparison(self, panel, system, self.baseline if baseline is None else baseline)

    def redrawn(self, panel: int, system: int, baseline: int) -> Positions:
        """How gains with units resampled and runs kept lie to 2δ and 0; all come from the same weights."""
        number = panel * len(self.pairs) + self._places[system, baseline]
        return self._redrawn.series(number)

    def redrawn_scores(self, panel: int, system: int) -> Float:
        """Scores ``(runs, kept)`` of all runs of a system on resampled test sets."""
        return self._redrawn.values[self._columns[panel, system]]

    @property
    def has_runs(self) -> bool:
        """Whether any system has several runs."""
        return any(runs > 1 for panel in self.panels for runs in panel.runs)

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        """Where each pair stands; to look for it takes long where there are half a million."""
        return {pair: place for place, pair in enumerate(self.pairs)}

    @cached_property
    def largest_gain(self) -> Float:
        """The largest deviation of any gain on each resampled test set ``(kept,)``, in standard errors."""
        pairs = [self.pair(p, *pair) for p in range(len(self.panels)) for pair in self.pairs]
        return largest_deviation((pair.gain, pair.redrawn) for pair in pairs)

    @cached_property
    def largest_score(self) -> Float:
        """The largest deviation of any score on each resampled test set ``(kept,)``, in standard errors."""
        return largest_deviation(
            (float(scores.mean()), self.redrawn_scores(p, s).mean(axis=0))
            for p, panel in enumerate(self.panels)
            for s, scores in enumerate(panel.run_scores)
        )

    def exceedances(self, counted: Bool) -> Exceedances:
        """How many of the resampled test sets that are kept count ``(kept,)``."""
        return self._redrawn.exceedances(counted)

    @cached_property
    def _columns(self) -> dict[tuple[int, int], slice]:
        """Where the resampled scores of each panel and system stand."""
        ends = np.cumsum([runs for panel in self.panels for runs in panel.runs]).tolist()
        keys = [(p, s) for p, panel in enumerate(self.panels) for s in range(len(panel.runs))]
        return {key: slice(start, end) for key, start, end in zip(keys, [0, *ends], ends, strict=False)}

    @cached_property
    def _redrawn(self) -> Draws:
        drawn = self._bootstrap() if all(p.of_sums for p in self.panels) else self._redraw()
        return self.noting(drawn)

    def _bootstrap(self) -> Draws:
        groups = [rows for panel in self.panels for rows in panel.groups]
        owners = [panel for panel in self.panels for _ in panel.groups]

        def score(sums: Iterator[Float]) -> Float:
            # copied, as a score may be a column of sums, which the next sums overwrite
            return np.stack([panel.score(of_run).copy() for panel, of_run in zip(owners, sums, strict=True)])

        return bootstrap(groups, score, self.design, self.settings.sampling, self._accumulator)

    def _redraw(self) -> Draws:
        panels = [panel.redrawn() for panel in self.panels]

        def score(counts: Float) -> Float:
            return np.concatenate([panel(counts) for panel in panels])

        return redraw(self.design, score, self.settings.sampling, self._accumulator, cells=self.design.n_items)

    @property
    def _accumulator(self) -> Accumulator:
        groups = list(self._columns)
        series = [(p, *pair) for p in range(len(self.panels)) for pair in self.pairs]
        gains = np.array([self.panels[p].gain(s, b) for p, s, b in series])
        return Accumulator(
            groups=tuple(self._columns.values()),
            first=np.array([groups.index((p, s)) for p, s, _ in series]),
            second=np.array([groups.index((p, b)) for p, _, b in series]),
            marks=np.stack([2 * gains, np.zeros(len(gains))], axis=1),
            slack=np.array([self.panels[p].slack(s, b) for p, s, b in series]),
            signs=np.array([self.panels[p].sign for p, _, _ in series]),
        )

    def randomized(self, panel: int, system: int, baseline: int, *, studentized: bool = False) -> Positions:
        """How gains of relabelled test sets lie to the pooled gain, or to the gain whose t is that of the gain.

        Every pair sees the same exchanges.
        """
        if (panel, studentized) not in self._randomized:
            held = self.panels[panel]
            marks = np.array([self.pair(panel, *p).relabelled.threshold for p in self.pairs]) if studentized else None
            drawn = held.randomized(self.pairs, self.settings.sampling, marks)
            self._randomized[panel, studentized] = self.noting(drawn)
        return self._randomized[panel, studentized].series(self._places[system, baseline])

    @cached_property
    def _randomized(self) -> dict[tuple[int, bool], Draws]:
        return {}

    def noting(self, drawn: Draws) -> Draws:
        """The same draws; where the user has interrupted them, nothing else is drawn longer."""
        if drawn.interrupted:
            self.stop_at(int(drawn.sizes.sum()))
        return drawn

    def stop_at(self, n_resamples: int) -> None:
        """The user has interrupted: what is still to be drawn gets as many resamples as were done."""
        self.interrupted = True
        self.settings = replace(self.settings, n_resamples=n_resamples)


class PairedComparison:
    """One system against another, as a rule the baseline, under one metric: what a test sees."""

    def __init__(self, experiment: Experiment, panel: int, system: int, baseline: int) -> None:
        self.experiment = experiment
        self.panel_index, self.panel = panel, experiment.panels[panel]
        self.system, self.baseline = system, baseline
        self._level: float | None = None

    def at(self, level: float) -> Self:
        """The same pair, whose intervals and decisions are at another level than those of the comparison.

        What was computed of it is shared.

        Args:
            level: nominal coverage of its intervals, 0.95 for instance.
        """
        moved = copy(self)
        moved._level = level
        return moved

    @property
    def settings(self) -> Settings:
        held = self.experiment.settings
        return held if self._level is None else replace(held, alpha=1 - self._level)

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
    def stratified(self) -> bool:
        """Units come in strata that are resampled in fixed numbers."""
        return self.panel.design.stratified

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
        return self.panel.gain(self.system, self.baseline)

    @cached_property
    def slack(self) -> float:
        """Rounding tolerance for comparing gains."""
        return self.panel.slack(self.system, self.baseline)

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
        of_a, of_b = scales(*self.n_runs)
        found = np.asarray(self.panel.sign * (a.sum(axis=0) * of_a - b.sum(axis=0) * of_b))
        # values that were rounded to the grid, once in every run, are off by half of its unit each
        rounded = not self.panel.exact[0] and np.ptp(found) <= 2 * math.lcm(*self.n_runs)
        return np.full_like(found, np.rint(found.mean())) if rounded else found

    @property
    def difference_unit(self) -> float:
        return float(self.panel.units[0]) / math.lcm(*self.n_runs)

    @cached_property
    def binary(self) -> bool:
        """Every item is simply right or wrong, one run each."""
        return not self.has_runs and self.right_or_wrong

    @property
    def right_or_wrong(self) -> bool:
        """Every item is simply right or wrong in every run of both systems."""
        return self.panel.right_or_wrong[self.system] and self.panel.right_or_wrong[self.baseline]

    @cached_property
    def discordant(self) -> tuple[int, int]:
        """Items that only the system, and that only the baseline has right; of a binary pair."""
        d = self.differences
        return int((d > 0).sum()), int((d < 0).sum())

    @cached_property
    def clustered_shares(self) -> ClusteredShares:
        """The score tests of a binary pair whose items come in two clusters or more."""
        labels = self.panel.design.labels
        assert labels is not None
        return clustered_shares(*self.discordant, self.differences, labels)

    @cached_property
    def n_different(self) -> int:
        """Units on which the systems differ at all: what randomization can exchange."""
        return self.panel.n_different(self.system, self.baseline)

    @property
    def redrawn(self) -> Float:
        """Bootstrap gains ``(kept,)``, units resampled, runs kept: the first, or all while they are no millions."""
        system, baseline = (self.experiment.redrawn_scores(self.panel_index, s) for s in (self.system, self.baseline))
        if self.has_runs:
            system, baseline = system.mean(axis=0), baseline.mean(axis=0)
        return np.asarray(self.panel.sign * (system - baseline)).ravel()

    @property
    def redrawn_positions(self) -> Positions:
        """All bootstrap gains, as they lie to twice the gain and to 0."""
        return self.experiment.redrawn(self.panel_index, self.system, self.baseline)

    @cached_property
    def joint(self) -> tuple[Float, ScoreFunction]:
        """Statistics of both systems side by side ``(units, 2k)``, summed over runs, and the gain of their sums."""
        a, b, units = self.whole
        k, function = a.shape[1], self.panel.function

        def gain(sums: Float) -> Float:
            return np.asarray(self.panel.sign * (function(sums[..., :k] * units) - function(sums[..., k:] * units)))

        return np.concatenate([a, b], axis=1), gain

    @cached_property
    def contributions(self) -> Float:
        """Influence of each unit on the gain to first order ``(units,)``; zeros where they differ by rounding alone."""
        system, baseline = (self.panel.contributions[s] for s in (self.system, self.baseline))
        moved = np.asarray(self.panel.sign * (system - baseline))
        noise = _ROUNDING * (np.linalg.norm(system) + np.linalg.norm(baseline))
        return moved if np.linalg.norm(moved) > noise else np.zeros_like(moved)

    @cached_property
    def constant(self) -> bool:
        """A mean whose gain is the same on every unit and in every run, and not 0: no variance can be estimated."""
        if not self.panel.plain_mean or self.identical or abs(self.gain) <= self.slack:
            return False
        spread = max(float(np.ptp(self.panel.run_scores[s])) for s in (self.system, self.baseline))
        return spread <= self.slack and not self.contributions.any()

    @cached_property
    def studentized(self) -> tuple[Draws, float]:
        """Resampled gains with their standard errors, and the standard error of the gain."""
        drawn, error = with_errors(*self.joint, self.panel.design, self.settings)
        return self.experiment.noting(drawn), error

    @property
    def randomized_positions(self) -> Positions:
        """Gains of randomly relabelled test sets, as they lie to the pooled gain."""
        return self.experiment.randomized(self.panel_index, self.system, self.baseline)

    @property
    def rescaled_positions(self) -> Positions:
        """The same gains, as they lie to the one whose t is that of the gain, see ``Relabelled.threshold``."""
        return self.experiment.randomized(self.panel_index, self.system, self.baseline, studentized=True)

    @cached_property
    def relabelled(self) -> Relabelled:
        """The studentized permutations of the statistics averaged over runs; only of scores of sums."""
        return Relabelled.of(self.panel, self.system, self.baseline)

    @cached_property
    def pooled_gain(self) -> float:
        """The gain of the statistics averaged over runs, which randomization exchanges; it is ``gain`` for one run."""
        return self.panel.pooled_gain(self.system, self.baseline)

    @cached_property
    def jackknife(self) -> Float:
        """Gains ``(units,)`` without each unit in turn."""
        system, baseline = (self.panel.without_units[s].mean(axis=0) for s in (self.system, self.baseline))
        return np.asarray(self.panel.sign * (system - baseline))
