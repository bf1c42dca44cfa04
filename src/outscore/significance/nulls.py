"""Null versions of a pair: the same data, changed so that the gain to be found is known and all else stays.

A test should reject on them in a proportion alpha of cases, an interval should cover the known gain in a proportion 1 -
alpha. Clusters, strata, runs, ties and shapes are those of the data; what is made anew is what the version is named
after.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.design import Design
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.statistics import Statistics

NOT_PERMUTED = Note(
    code="not_exchanged",
    text="the systems have different numbers of runs, so their outputs cannot be permuted item by item",
    remedy="give as many runs of each system to have that null version too",
)
NOT_RESAMPLED = Note(
    code="not_redrawn",
    text=(
        "items of a ranking are not resampled: beside copies of themselves they rank otherwise than beside new items"
    ),
    remedy="",
)
GAIN_LEFT = Note(
    code="gain_left",
    text=(
        "the gain is so large that no weighting takes it away and leaves half of the items in effect: where items are "
        "resampled, intervals are judged by whether they hold that gain, and the level is not measured"
    ),
    remedy="",
)
RUNS_MODELLED = Note(
    code="runs_modelled",
    text=(
        "new runs are drawn from a normal law with the variance between the runs that were given, and items enter by "
        "their part in the score (jackknife pseudo-values)"
    ),
    remedy="a handful of runs tells that variance roughly: give more runs for a closer audit",
)

_LEAST_SHARE = 0.5
"""Units that a weighting must leave in effect; with fewer the data are no longer those of the user."""

_STEEPEST = 64.0
_HALVINGS = 80


class UnitsOfPair:
    """Of a pair, what is drawn from."""

    pair: GainContrast

    @cached_property
    def _both(self) -> list[Float]:
        """Statistics ``(runs, items, k)`` of the baseline and of the system."""
        stats = self.pair.stats
        return [stats.items[s] * stats.steps for s in (self.pair.baseline, self.pair.system)]

    @cached_property
    def _units(self) -> DesignUnits:
        return DesignUnits(self.pair.stats.design)


@dataclass(frozen=True)
class NullVersion(UnitsOfPair, ABC):
    """One way to make null versions of a pair.

    Args:
        pair: the data.
        blind: the versions keep their clusters, but whoever looks at them is not told of them.
    """

    name: ClassVar[str]
    words: ClassVar[str]
    purpose: ClassVar[str] = ""
    """Names the random numbers of the versions, where ``name`` does not."""

    pair: GainContrast
    blind: bool = False

    @property
    def truth(self) -> float:
        """The gain that is there to be found: 0, unless said otherwise."""
        return 0.0

    @property
    def holds(self) -> bool:
        """Whether there is no gain, so that every rejection is an error."""
        return self.truth == 0.0

    @abstractmethod
    def statistics(self, draw: np.random.Generator) -> tuple[list[Float], Design]:
        """Statistics ``(runs, items, k)`` of the baseline and of the system, and their design."""

    def version(self, draw: np.random.Generator) -> GainContrast:
        """A null version, with resamples of its own; equal generators give equal versions."""
        statistics, design = self.statistics(draw)
        settings = replace(self.pair.settings, seed=int(draw.integers(2**31)))
        stats = self.stats(statistics, replace(design, labels=None) if self.blind else design)
        return GainContrast(Resamples(("baseline", "system"), [stats], 0, settings), 0, 1)

    def stats(self, statistics: list[Float], design: Design) -> Statistics:
        """The metric of the pair on other statistics."""
        return self.pair.stats.replace_values(statistics, design)


@dataclass(frozen=True)
class Permuted(NullVersion):
    """Both systems' outputs permuted at random, unit by unit, all runs of an item together."""

    name: ClassVar[str] = "permuted"
    purpose: ClassVar[str] = "exchanged"
    words: ClassVar[str] = "these items, the systems' outputs permuted at random within each"

    def statistics(self, draw: np.random.Generator) -> tuple[list[Float], Design]:
        design = self.pair.stats.design
        moved = draw.random(design.n_units) < 0.5
        of_items = moved if design.labels is None else moved[design.labels]
        baseline, system = self._both
        there = of_items[None, :, None]
        return [np.where(there, system, baseline), np.where(there, baseline, system)], design


@dataclass(frozen=True)
class BootstrapNull(NullVersion):
    """Units drawn with replacement from the data as they are: the gain of the data is that of the population."""

    name: ClassVar[str] = "resampled"
    purpose: ClassVar[str] = "redrawn"
    words: ClassVar[str] = "items drawn again with replacement, the gain left as it is"

    @property
    def truth(self) -> float:
        return self.pair.gain

    @property
    def weights(self) -> Float:
        """How often each unit is drawn ``(units,)``, on average."""
        return np.ones(self.pair.n_units)

    def statistics(self, draw: np.random.Generator) -> tuple[list[Float], Design]:
        items, design = self._units.resample(draw, self.weights)
        return [whole[:, items] for whole in self._both], design


@dataclass(frozen=True)
class Centred(BootstrapNull):
    """Units drawn with replacement, with weights that take the gain away.

    The weights fall off exponentially with what each unit contributes to the gain, just so steeply that the weighted
    gain is 0 (exponential tilting: Efron 1981; Davison & Hinkley 1997, §4.4). All values stay what they are, so
    that ties stay ties, right or wrong stays right or wrong, and skewed differences stay skewed, for any score.
    """

    name: ClassVar[str] = "centred"
    purpose: ClassVar[str] = ""
    words: ClassVar[str] = "items drawn again with replacement, weighted so that the expected gain is 0"

    @property
    def truth(self) -> float:
        return 0.0

    @property
    def weights(self) -> Float:
        found = self._tilted
        assert found is not None, "asked whether it is possible first"
        return found

    @property
    def possible(self) -> bool:
        """Whether some weighting takes the gain away and leaves half of the units in effect."""
        return self._tilted is not None

    @cached_property
    def _tilted(self) -> Float | None:
        pair, units = self.pair, self._units
        influence = -pair.stats.design.centre(pair.without_units)
        spread = float(influence.std())
        if abs(pair.gain) <= pair.slack:
            return np.ones(pair.n_units)
        if spread == 0.0:
            return None
        steps = influence / spread
        score = pair.stats.make_bootstrap_scorer()
        ends = np.cumsum([0, *pair.stats.runs])

        def gain(weights: Float) -> float:
            runs = score(weights[None])[:, 0]
            means = [runs[ends[s] : ends[s + 1]].mean() for s in (pair.system, pair.baseline)]
            return float(pair.stats.sign * (means[0] - means[1]))

        side = np.sign(pair.gain)
        flat, steep = 0.0, 1 / 64
        while side * gain(units.tilt(-side * steep * steps)) > 0:
            flat, steep = steep, 2 * steep
            if steep > _STEEPEST:
                return None
        for _ in range(_HALVINGS):
            middle = (flat + steep) / 2
            flat, steep = (middle, steep) if side * gain(units.tilt(-side * middle * steps)) > 0 else (flat, middle)
        weights = units.tilt(-side * steep * steps)
        share = weights.sum() ** 2 / (weights**2).sum() / pair.n_units
        return weights if share >= _LEAST_SHARE else None


@dataclass(frozen=True)
class _OfRuns(NullVersion):
    """Versions of several runs, from the parts of the items' (pseudo-)values: system, run, item, and what is left.

    A score that is no mean of items enters by its jackknife pseudo-values, so that the version is a mean. New runs
    deviate normally, with the variance between runs that is left when what the items explain is taken off; a handful of
    runs tells no more of their law.
    """

    def stats(self, statistics: list[Float], design: Design) -> Statistics:
        held = self.pair.stats
        return Statistics(held.name, statistics, _mean, design, higher_is_better=held.sign > 0, per_item=True)

    @cached_property
    def components(self) -> list[SystemComponents]:
        """Those of the baseline and of the system."""
        return [SystemComponents.of(self.pair, s) for s in (self.pair.baseline, self.pair.system)]

    def _join(self, values: list[Float]) -> list[Float]:
        """Statistics of means of values ``(runs, items)``."""
        return [np.stack([v, np.ones_like(v)], axis=-1) for v in values]


@dataclass(frozen=True)
class NewRuns(_OfRuns):
    """New runs on the very same items: on average over runs the systems are on a par there."""

    name: ClassVar[str] = "new_runs"
    words: ClassVar[str] = "new runs on these very items, on which the systems are on a par"

    def statistics(self, draw: np.random.Generator) -> tuple[list[Float], Design]:
        design = self.pair.stats.design
        values = []
        for part in self.components:
            runs = part.residual.shape[0]
            which = self._units.unit_numbers(draw.integers(runs, size=(runs, design.n_units)))
            # what is left sums to 0 over runs, so that drawn values vary too little by (runs - 1) / runs
            left = np.take_along_axis(part.residual, which, axis=0) * np.sqrt(runs / (runs - 1))
            values.append(part.of_items + left + part.deviations(draw))
        return self._join(values), design


@dataclass(frozen=True)
class NewRunsAndItems(_OfRuns):
    """New runs on new items: items are drawn with replacement, with what each means for either system."""

    name: ClassVar[str] = "new_runs_and_items"
    words: ClassVar[str] = "new runs on items drawn again, the expected gain over both being 0"

    def statistics(self, draw: np.random.Generator) -> tuple[list[Float], Design]:
        items, design = self._units.resample(draw, np.ones(self.pair.n_units))
        drawn = DesignUnits(design)
        values = []
        for part in self.components:
            # permuted between runs: the mean over runs of an item holds its proportion of what is left already
            order = drawn.unit_numbers(np.argsort(draw.random((part.residual.shape[0], design.n_units)), axis=0))
            left = np.take_along_axis(part.residual[:, items], order, axis=0)
            values.append(part.of_items[items] + left + part.deviations(draw))
        return self._join(values), design


@dataclass(frozen=True)
class SystemComponents:
    """The components of one system's values, less its own mean.

    Attributes:
        of_items: ``(items,)`` means over runs; they sum to 0.
        residual: ``(runs, items)`` what neither run nor item explains.
        between_runs: variance of a run's score that the items do not explain, at least 0.
    """

    of_items: Float
    residual: Float
    between_runs: float

    @classmethod
    def of(cls, pair: GainContrast, system: int) -> SystemComponents:
        stats = pair.stats
        scores, n = stats.run_scores[system], pair.n_items
        values = n * scores[:, None] - (n - 1) * stats.leave_one_out(system)
        grand = values.mean()
        of_items = values.mean(axis=0) - grand
        residual = values - values.mean(axis=1, keepdims=True) - of_items
        of_units = DesignUnits(stats.design).sums(residual)
        explained = (of_units**2).sum() / ((len(scores) - 1) * n**2)
        return cls(of_items, residual, max(0.0, float(scores.var(ddof=1) - explained)))

    def deviations(self, draw: np.random.Generator) -> Float:
        """Of new runs ``(runs, 1)``."""
        return draw.normal(0.0, np.sqrt(self.between_runs), (len(self.residual), 1))


class DesignUnits:
    """The units of a design, to be drawn with their items."""

    def __init__(self, design: Design) -> None:
        self.design = design

    @cached_property
    def _members(self) -> list[Int]:
        labels = self.design.labels
        assert labels is not None
        order = np.argsort(labels, kind="stable")
        return np.split(order, np.cumsum(np.bincount(labels))[:-1])

    def unit_numbers(self, values: Int) -> Int:
        """Numbers of the units ``(..., units)`` as those of their items ``(..., items)``."""
        return values if self.design.labels is None else values[..., self.design.labels]

    def sums(self, values: Float) -> Float:
        """Values of items ``(runs, items)`` summed within units ``(runs, units)``."""
        return self.design.gather(values[..., None])[..., 0]

    def tilt(self, exponents: Float) -> Float:
        """Weights proportional to the exponentials, which average 1 in each stratum."""
        weights = np.empty_like(exponents)
        for units in self.design.strata_of_units:
            grown = np.exp(exponents[units] - exponents[units].max())
            weights[units] = grown * (len(units) / grown.sum())
        return weights

    def resample(self, draw: np.random.Generator, weights: Float) -> tuple[Int, Design]:
        """Numbers of the items of units drawn with replacement, as many from each stratum, and their design."""
        drawn = np.concatenate(
            [draw.choice(units, len(units), p=weights[units] / len(units)) for units in self.design.strata_of_units]
        )
        return self.chosen(drawn)

    def chosen(self, units: Int) -> tuple[Int, Design]:
        """Numbers of the items of some units, each as often as it is named, and their design."""
        strata = self.design.strata
        if self.design.labels is None:
            return units, Design(len(units), None, None if strata is None else strata[units])
        members = [self._members[unit] for unit in units]
        items = np.concatenate(members)
        labels = np.repeat(np.arange(len(units)), [len(m) for m in members])
        return items, Design(len(items), labels, None if strata is None else strata[items])


def null_versions(pair: GainContrast, *, blind: bool = False) -> list[NullVersion]:
    """The ways to make null versions that suit a pair.

    Labels are permuted where both systems have as many runs. Runs are made anew where both systems have at least two,
    else units are resampled, if the score is one of sums: a resampled ranking holds items beside their own copies,
    which new items would not be. The gain is weighted away where that leaves half of the units in effect; elsewhere it
    stays, and only intervals can be judged.
    """
    found: list[NullVersion] = []
    if pair.n_runs[0] == pair.n_runs[1]:
        found.append(Permuted(pair, blind))
    if min(pair.n_runs) >= 2:
        found += [NewRuns(pair, blind), NewRunsAndItems(pair, blind)]
    elif pair.stats.of_sums:
        centred = Centred(pair, blind)
        found.append(centred if centred.possible else BootstrapNull(pair, blind))
    return found


def _mean(sums: Float) -> Float:
    return np.asarray(sums[..., 0] / sums[..., 1])
