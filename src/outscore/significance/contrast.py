"""The estimand of an interval or a test: the gain of a pair or the score of a system, and how it varies."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from dataclasses import field
from typing import ClassVar, Literal, Self

import numpy as np

from outscore.base.arrays import Float, ScoreFunction
from outscore.base.lazy import dataclass
from outscore.engine.draws import Draws
from outscore.engine.sampling import Sampling
from outscore.significance.resamples import DrawRequest, Resamples
from outscore.significance.settings import Settings
from outscore.significance.studentized import DrawsWithErrors, influences, resample_with_errors

What = Literal["gain", "score"]


class Contrast(ABC):
    """A gain or a score, and how it varies over items and runs.

    Attributes:
        resamples: all systems under all metrics, and what was drawn from them.
        metric_index: number of the metric; ``stats`` its statistics.
    """

    what: ClassVar[What]

    def __init__(self, resamples: Resamples, metric_index: int) -> None:
        self.resamples, self.metric_index, self.stats = resamples, metric_index, resamples.by_metric[metric_index]

    def on(self, resamples: Resamples) -> Self:
        """The same, of systems from which more was drawn; what was computed of it is shared."""
        if resamples is self.resamples:
            return self
        moved = copy(self)
        moved.resamples = resamples
        return moved

    def drawing(self, needs: Iterable[DrawRequest]) -> Self:
        """The same with what is needed drawn, unless it was drawn before."""
        return self.on(self.resamples.draw(needs))

    @property
    def settings(self) -> Settings:
        return self.resamples.settings

    @property
    def level(self) -> float:
        """Nominal coverage of its interval."""
        return 1 - self.settings.alpha

    @property
    def n_items(self) -> int:
        return self.stats.design.n_items

    @property
    def n_units(self) -> int:
        """Items, or clusters where items come in clusters."""
        return self.stats.design.n_units

    @property
    def clustered(self) -> bool:
        return self.stats.design.labels is not None

    @property
    def stratified(self) -> bool:
        """Units come in strata that are resampled in fixed numbers."""
        return self.stats.design.stratified

    @property
    def has_runs(self) -> bool:
        return max(self.n_runs) > 1

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
        """Every item is simply right or wrong, one run each."""
        return self.right_or_wrong and not self.has_runs

    @property
    def limits(self) -> tuple[float, float] | None:
        """The lowest and the highest value that it can have, None where there are none or they are not known."""
        limits = self.stats.limits or ((0.0, 1.0) if self.right_or_wrong else None)
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
    def bootstrap_values(self) -> Float:
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
    def largest(self) -> Float:
        """The largest deviation of all gains, or all scores, of the experiment on each resampled test set."""

    @property
    @abstractmethod
    def influences(self) -> Float:
        """The influence of each unit on it, to first order ``(units,)``; only of scores of sums."""

    @property
    def shares(self) -> Float:
        """The proportion of the sums that each unit holds ``(units,)``, of a gain those of both by their variances."""
        adds, held = ([of[system] for system, _ in self.signed] for of in (self.stats.contributions, self.stats.shares))
        squares = np.array([float(one @ one) for one in adds])
        parts = squares / squares.sum() if squares.any() else np.full(len(held), 1 / len(held))
        return np.asarray(sum(part * share for part, share in zip(parts, held, strict=True)))

    @property
    def n_effective(self) -> float:
        """As many units with equal shares would tell as much (Kish 1965)."""
        return 1 / float((self.shares**2).sum())

    @property
    def studentized_bootstrap(self) -> StudentizedBootstrap:
        """The declaration of its values on resampled test sets with their standard errors; only of scores of sums."""
        return StudentizedBootstrap(self.metric_index, self.signed, self)

    @property
    def studentized(self) -> DrawsWithErrors:
        """Those draws."""
        drawn = self.resamples[self.studentized_bootstrap]
        assert isinstance(drawn, DrawsWithErrors)
        return drawn


@dataclass(frozen=True)
class StudentizedBootstrap(DrawRequest):
    """An estimate on resampled test sets, each value with its standard error."""

    metric_index: int
    signed: tuple[tuple[int, float], ...]
    of: Contrast = field(compare=False, repr=False)

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        return resample_with_errors(*self.of.joint, systems.design, sampling)


class ScoreContrast(Contrast):
    """The score of one system under one metric, both by their numbers."""

    what: ClassVar[What] = "score"

    def __init__(self, resamples: Resamples, metric_index: int, system: int) -> None:
        super().__init__(resamples, metric_index)
        self.system = system

    @property
    def n_runs(self) -> tuple[int, ...]:
        return (self.stats.runs[self.system],)

    @property
    def value(self) -> float:
        return float(self.stats.run_scores[self.system].mean())

    @property
    def slack(self) -> float:
        return 1e-12 * max(1.0, abs(self.value))

    @property
    def identical(self) -> bool:
        return False

    @property
    def right_or_wrong(self) -> bool:
        return self.stats.right_or_wrong[self.system]

    @property
    def counts(self) -> tuple[int, ...]:
        return round(float(self.of_items.sum())), self.n_items

    @property
    def of_items(self) -> Float:
        return np.asarray(self.stats.items[self.system][..., 0].mean(axis=0) * self.stats.steps[0])

    @property
    def bootstrap_values(self) -> Float:
        scores = self.resamples.bootstrap_scores(self.metric_index, self.system)
        return np.asarray(scores[0] if len(scores) == 1 else scores.mean(axis=0))

    @property
    def without_units(self) -> Float:
        return np.asarray(self.stats.without_units[self.system].mean(axis=0))

    @property
    def signed(self) -> tuple[tuple[int, float], ...]:
        return ((self.system, 1.0),)

    @property
    def joint(self) -> tuple[Float, ScoreFunction]:
        rows, function = self.stats.rows[self.system], self.stats.function
        steps = self.stats.steps / len(rows)
        return rows.sum(axis=0), lambda sums: function(sums * steps)

    @property
    def influences(self) -> Float:
        return influences(*self.joint)

    @property
    def largest(self) -> Float:
        return self.resamples.largest_score
