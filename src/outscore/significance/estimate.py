"""The estimate of an interval: the gain of a pair or the score of a system, with all that says how it would vary."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float, ScoreFunction
from outscore.significance.crossed import RunTable, crossed_mean, crossed_t, replicated
from outscore.significance.experiment import Experiment, PairedComparison
from outscore.significance.means import TTest
from outscore.significance.panel import Panel
from outscore.significance.studentized import influences, with_errors

What = Literal["gain", "score"]


@dataclass(frozen=True, kw_only=True)
class BootstrapValues:
    """Resampled values with the standard error of each.

    Attributes:
        centre: what they vary around.
        error: standard error on the data.
        values, errors: ``(B,)``.
    """

    centre: float
    error: float
    values: Float
    errors: Float


class Estimate(ABC):
    """A gain or a score, and how it varies over items and runs."""

    what: ClassVar[What]

    def __init__(self, experiment: Experiment, panel: Panel) -> None:
        self.experiment, self.panel = experiment, panel

    @property
    def level(self) -> float:
        """Nominal coverage, 1 - alpha."""
        return 1 - self.experiment.settings.alpha

    @property
    def n_units(self) -> int:
        """Items, or clusters where items come in clusters."""
        return self.panel.design.n_units

    @property
    def clustered(self) -> bool:
        return self.panel.design.labels is not None

    @property
    def stratified(self) -> bool:
        return self.panel.design.stratified

    @property
    @abstractmethod
    def n_runs(self) -> tuple[int, ...]:
        """Runs of each system in it."""

    @property
    @abstractmethod
    def value(self) -> float:
        """The gain or score itself, a mean over runs."""

    @property
    @abstractmethod
    def slack(self) -> float:
        """How far equal values may lie apart by rounding."""

    @property
    @abstractmethod
    def identical(self) -> bool:
        """It is a gain of two systems with the same statistics on every item."""

    @property
    @abstractmethod
    def right_or_wrong(self) -> bool:
        """Every item is simply right or wrong in every run."""

    @property
    def binary(self) -> bool:
        """Every item is simply right or wrong, one run."""
        return self.right_or_wrong and max(self.n_runs) == 1

    @property
    def limits(self) -> tuple[float, float] | None:
        """The lowest and the highest value that it can have, None where there are none or they are not known."""
        limits = self.panel.limits or ((0.0, 1.0) if self.right_or_wrong else None)
        if limits is None or self.what == "score":
            return limits
        return limits[0] - limits[1], limits[1] - limits[0]

    @property
    def bounded(self) -> bool:
        """Whether it has a lowest and a highest value."""
        return self.limits is not None and all(map(math.isfinite, self.limits))

    @property
    @abstractmethod
    def counts(self) -> tuple[int, ...]:
        """The counts of items that a binary estimate is made from.

        Of a score the right items and all items; of a gain the items that both systems got right, only the system,
        only the baseline, and all items.
        """

    @property
    @abstractmethod
    def of_items(self) -> Float:
        """Its value on each item ``(items,)``, a mean over runs; only of a plain mean."""

    @property
    @abstractmethod
    def redrawn(self) -> Float:
        """Its values ``(kept,)`` on resampled test sets, runs kept."""

    @property
    @abstractmethod
    def without_units(self) -> Float:
        """Its values ``(units,)`` without each unit in turn."""

    @property
    @abstractmethod
    def signed(self) -> tuple[tuple[int, float], ...]:
        """The number of each system in it, and the sign with which its score enters."""

    @property
    @abstractmethod
    def joint(self) -> tuple[Float, ScoreFunction]:
        """Statistics ``(units, k)`` pooled over runs, and the function that makes the estimate of their sums."""

    @property
    @abstractmethod
    def over_runs(self) -> TTest:
        """Its crossed t over runs and items; only with two runs of each system or more."""

    @property
    @abstractmethod
    def largest(self) -> Float:
        """The largest deviation of all gains, or all scores, of the experiment on each resampled test set."""

    @cached_property
    def studentized(self) -> BootstrapValues:
        """Its values on resampled test sets with their standard errors; only of scores of sums."""
        rows, statistic = self.joint
        drawn, error = with_errors(rows, statistic, self.panel.design, self.experiment.settings)
        values, errors = self.experiment.noting(drawn).values
        return BootstrapValues(centre=float(statistic(rows.sum(axis=0))), error=error, values=values, errors=errors)

    @property
    def influences(self) -> Float:
        """The influence of each unit on it, to first order ``(units,)``; only of scores of sums."""
        return influences(*self.joint)


class GainEstimand(Estimate):
    """The gain of a pair."""

    what: ClassVar[What] = "gain"

    def __init__(self, pair: PairedComparison) -> None:
        super().__init__(pair.experiment, pair.panel)
        self.pair = pair

    @property
    def level(self) -> float:
        return self.pair.settings.coverage

    @property
    def n_runs(self) -> tuple[int, ...]:
        return self.pair.n_runs

    @property
    def value(self) -> float:
        return self.pair.gain

    @property
    def slack(self) -> float:
        return self.pair.slack

    @property
    def identical(self) -> bool:
        return self.pair.identical

    @property
    def right_or_wrong(self) -> bool:
        return self.pair.right_or_wrong

    @property
    def counts(self) -> tuple[int, ...]:
        right = [self.panel.items[s][0, :, 0] > 0 for s in (self.pair.system, self.pair.baseline)]
        system, baseline = right if self.panel.sign > 0 else [~r for r in right]
        both, only, other = system & baseline, system & ~baseline, baseline & ~system
        return int(both.sum()), int(only.sum()), int(other.sum()), self.pair.n_items

    @property
    def of_items(self) -> Float:
        return self.pair.differences

    @property
    def redrawn(self) -> Float:
        return self.pair.redrawn

    @property
    def without_units(self) -> Float:
        return self.pair.jackknife

    @property
    def signed(self) -> tuple[tuple[int, float], ...]:
        return (self.pair.system, self.panel.sign), (self.pair.baseline, -self.panel.sign)

    @property
    def joint(self) -> tuple[Float, ScoreFunction]:
        return self.pair.joint

    @property
    def influences(self) -> Float:
        return self.pair.contributions

    @property
    def over_runs(self) -> TTest:
        system, baseline = (replicated(self.pair, s) for s in (self.pair.system, self.pair.baseline))
        return crossed_t(system, baseline, level=self.level).test

    @property
    def largest(self) -> Float:
        return self.experiment.largest_gain


class ScoreEstimand(Estimate):
    """The score of one system under one metric, both by their numbers."""

    what: ClassVar[What] = "score"

    def __init__(self, experiment: Experiment, panel_index: int, system: int) -> None:
        super().__init__(experiment, experiment.panels[panel_index])
        self.panel_index, self.system = panel_index, system

    @property
    def n_runs(self) -> tuple[int, ...]:
        return (self.panel.runs[self.system],)

    @property
    def value(self) -> float:
        return float(self.panel.run_scores[self.system].mean())

    @property
    def slack(self) -> float:
        return 1e-12 * max(1.0, abs(self.value))

    @property
    def identical(self) -> bool:
        return False

    @property
    def right_or_wrong(self) -> bool:
        return self.panel.right_or_wrong[self.system]

    @property
    def counts(self) -> tuple[int, ...]:
        return round(float(self.of_items.sum())), self.panel.design.n_items

    @property
    def of_items(self) -> Float:
        return np.asarray(self.panel.items[self.system][..., 0].mean(axis=0) * self.panel.units[0])

    @property
    def redrawn(self) -> Float:
        scores = self.experiment.redrawn_scores(self.panel_index, self.system)
        return np.asarray(scores[0] if len(scores) == 1 else scores.mean(axis=0))

    @property
    def without_units(self) -> Float:
        return np.asarray(self.panel.without_units[self.system].mean(axis=0))

    @property
    def signed(self) -> tuple[tuple[int, float], ...]:
        return ((self.system, 1.0),)

    @property
    def joint(self) -> tuple[Float, ScoreFunction]:
        rows, function = self.panel.rows[self.system], self.panel.function
        units = self.panel.units / len(rows)
        return rows.sum(axis=0), lambda sums: function(sums * units)

    @property
    def over_runs(self) -> TTest:
        runs, values = self.panel.run_scores[self.system], self.panel.pseudo_values[self.system]
        return crossed_mean(RunTable(run_scores=runs, values=values), level=self.level).test

    @property
    def largest(self) -> Float:
        return self.experiment.largest_score
