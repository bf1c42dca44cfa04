"""The gain of one system over another under one metric: what a test sees, and how large it is, whatever its p."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Self, TypeVar

import numpy as np

from outscore.base.arrays import Float, ScoreFunction
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.draws import Draws
from outscore.engine.extreme import Alternative, Positions, tolerance
from outscore.engine.sampling import Sampling
from outscore.results.pairs import WinCounts
from outscore.significance.contrast import Contrast, What
from outscore.significance.means import shape_notes
from outscore.significance.proportions import ClusteredProportions, clustered_proportions
from outscore.significance.resamples import DrawRequest, Permutations, Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import scales, sum_runs
from outscore.significance.studentized_sums import StudentizedSums, find_t

_ROUNDING, _EQUAL = 1e-8, 1e-9
_FEW_PAIRS = 100
_ALIKE = 1e-7  # of the largest part of a gain
_FEW_DIFFERENT = 20  # units that add to the gain otherwise than most do
_FEW_VALUES = 9  # what a unit can add to a difference of proportions: right, wrong or not asked, under each system


@dataclass(frozen=True)
class PermutedT(DrawRequest):
    """The gain of a pair in its own standard error, on randomly permuted test sets; ``side`` as in ``Settings``."""

    metric_index: int
    pair: tuple[int, int]
    side: Alternative

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        of = StudentizedSums.of(systems.by_metric[self.metric_index], *self.pair)
        # a test reads how they lie to the gain; the values of half a million pairs would not fit into memory
        return replace(of.draw(sampling, self.side), values=np.empty((1, 0)))


T = TypeVar("T")


class kept_of_few(cached_property[T]):  # noqa: N801 - a decorator
    """A cached property of the size of the items; those of all pairs of a board would fill the memory."""

    def __get__(self, pair: GainContrast, owner: type | None = None) -> T:  # type: ignore[override]
        kept = pair is None or len(pair.resamples.pairs) <= _FEW_PAIRS
        return super().__get__(pair, owner) if kept else self.func(pair)


class GainContrast(Contrast):
    """The gain of one system over another, as a rule the baseline, under one metric: what a test sees."""

    what: ClassVar[What] = "gain"

    def __init__(self, resamples: Resamples, metric_index: int, system: int, baseline: int | None = None) -> None:
        super().__init__(resamples, metric_index)
        self.system, self.baseline = system, resamples.baseline if baseline is None else baseline
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
        held = self.resamples.settings
        return held if self._level is None else replace(held, alpha=1 - self._level)

    @property
    def level(self) -> float:
        return self.settings.coverage

    @property
    def n_runs(self) -> tuple[int, int]:
        """Runs of the system and of the baseline."""
        return self.stats.runs[self.system], self.stats.runs[self.baseline]

    @cached_property
    def gain(self) -> float:
        """Mean score over runs of the system minus that of the baseline, positive is better."""
        return self.stats.gain(self.system, self.baseline)

    @property
    def value(self) -> float:
        return self.gain

    @cached_property
    def slack(self) -> float:
        """Rounding tolerance for comparing gains."""
        return self.stats.slack(self.system, self.baseline)

    @kept_of_few
    def whole(self) -> tuple[Float, Float, Float]:
        """Statistics summed over runs, see ``sum_runs``."""
        return sum_runs(self.stats, self.system, self.baseline)

    @cached_property
    def identical(self) -> bool:
        """Every item has the same statistics under both systems, but for rounding: in the same runs, in any order."""
        a, b = self.stats.items[self.system], self.stats.items[self.baseline]
        if len(a) == len(b):
            if len(a) == 1 and abs(self.gain) > self.slack:
                return False  # equal statistics have equal scores
            return self._agree(a, b) or (len(a) > 1 and _have_same_runs(a, b))
        return bool((a == a[0]).all() and (b == a[0]).all())

    def _agree(self, a: Float, b: Float) -> bool:
        """Whether statistics are equal, those that are on no grid of their own but for rounding."""
        if self.stats.exact.all():
            return bool(np.array_equal(a, b))
        apart, largest = (np.abs(one).max(axis=(0, 1)) for one in (a - b, np.concatenate([a, b])))
        return bool((apart <= np.where(self.stats.exact, 0.0, tolerance(1.0) * largest)).all())

    @kept_of_few
    def differences(self) -> Float:
        """``(items,)`` score of the system minus score of the baseline on each item, averaged over runs, signed.

        Only where every item has a score of its own (``stats.plain_mean``). Whole numbers times ``difference_unit``.
        """
        return self.whole_differences * self.difference_unit

    @kept_of_few
    def whole_differences(self) -> Float:
        """``differences`` as whole numbers, item by item even where items come in clusters."""
        a, b = self.stats.items[self.system][..., 0], self.stats.items[self.baseline][..., 0]
        of_a, of_b = scales(*self.n_runs)
        if self.has_runs:
            a, b = a.sum(axis=0) * of_a, b.sum(axis=0) * of_b
        found = np.asarray(self.stats.sign * (a - b)).reshape(-1)
        # values that were rounded to the grid, once in every run, are off by half of its unit each
        rounded = not self.stats.exact[0] and np.ptp(found) <= 2 * math.lcm(*self.n_runs)
        return np.full_like(found, np.rint(found.mean())) if rounded else found

    @cached_property
    def shape_notes(self) -> tuple[Note, ...]:
        """Warnings about ``differences`` that a t test judges badly."""
        return tuple(shape_notes(self.differences, least=20 if max(self.n_runs) > 1 else 100))

    @property
    def difference_unit(self) -> float:
        return float(self.stats.steps[0]) / math.lcm(*self.n_runs)

    @property
    def right_or_wrong(self) -> bool:
        """Every item is simply right or wrong in every run of both systems."""
        return self.stats.right_or_wrong[self.system] and self.stats.right_or_wrong[self.baseline]

    @cached_property
    def discordant(self) -> tuple[int, int]:
        """Items that only the system, and that only the baseline has right; of a binary pair."""
        right, s, b = self.stats.both_right, self.system, self.baseline
        alone = round(right[s, s] - right[s, b]), round(right[b, b] - right[s, b])
        return alone if self.stats.sign > 0 else alone[::-1]

    @cached_property
    def clustered_proportions(self) -> ClusteredProportions:
        """The score tests of a binary pair whose items come in two clusters or more."""
        labels = self.stats.design.labels
        assert labels is not None
        return clustered_proportions(*self.discordant, self.differences, labels)

    @cached_property
    def n_different(self) -> int:
        """Units on which the systems differ at all: what randomization can permute."""
        return self.stats.n_different(self.system, self.baseline)

    @property
    def can_be_skewed(self) -> bool:
        """Whether this is a mean, or a score of sums, whose interval skewed differences of items mislead.

        Right or wrong answers to independent items have differences of one size, never skewed if the means are equal.
        """
        return self.stats.of_sums and not self.identical and (self.clustered or not self.binary)

    @property
    def counts(self) -> tuple[int, ...]:
        against = self.system if self.identical else self.baseline  # the same runs may stand in another order
        right = [self.stats.items[s][0, :, 0] > 0 for s in (self.system, against)]
        system, baseline = right if self.stats.sign > 0 else [~r for r in right]
        both, only, other = system & baseline, system & ~baseline, baseline & ~system
        return int(both.sum()), int(only.sum()), int(other.sum()), self.n_items

    @property
    def of_items(self) -> Float:
        return self.differences

    @property
    def bootstrap_values(self) -> Float:
        return self.resamples.bootstrap_gains(self.metric_index, self.system, self.baseline)

    @property
    def bootstrap_positions(self) -> Positions:
        """All bootstrap gains, as they lie to twice the gain and to 0."""
        return self.resamples.bootstrap_positions(self.metric_index, self.system, self.baseline)

    @property
    def signed(self) -> tuple[tuple[int, float], ...]:
        return (self.system, self.stats.sign), (self.baseline, -self.stats.sign)

    @property
    def largest(self) -> Float:
        return self.resamples.largest_gain

    @kept_of_few
    def joint(self) -> tuple[Float, ScoreFunction]:
        """Statistics of both systems side by side ``(units, 2k)``, summed over runs, and the gain of their sums."""
        a, b, units = self.whole
        k, function = a.shape[1], self.stats.function

        def gain(sums: Float) -> Float:
            return np.asarray(self.stats.sign * (function(sums[..., :k] * units) - function(sums[..., k:] * units)))

        return np.concatenate([a, b], axis=1), gain

    @kept_of_few
    def influences(self) -> Float:
        """Influence of each unit on the gain to first order ``(units,)``; zeros where they differ by rounding alone."""
        system, baseline = (self.stats.contributions[s] for s in (self.system, self.baseline))
        moved = np.asarray(self.stats.sign * (system - baseline))
        noise = _ROUNDING * (np.linalg.norm(system) + np.linalg.norm(baseline)) + self.slack / math.sqrt(self.n_units)
        return moved if np.linalg.norm(moved) > noise else np.zeros_like(moved)

    def _above_and_below(self) -> tuple[Float, Float, Float]:
        """Differences ``(units,)`` of the numerators of a ratio of two sums, or a mean, and both denominators."""
        above, below = np.eye(2) if self.stats.ratio is None else self.stats.ratio[:2]
        a, b, units = self.whole
        return (a - b) @ (units * above), a @ (units * below), b @ (units * below)

    @cached_property
    def equal_denominators(self) -> bool:
        """The score is a ratio of two sums, or a mean, whose denominators are equal unit by unit."""
        if not self.stats.of_sums or (self.stats.ratio is None and not self.stats.per_item):
            return False
        _, of_system, of_baseline = self._above_and_below()
        return bool(np.abs(of_system - of_baseline).max() <= _EQUAL * np.abs(of_system).max())

    @property
    def spread_in_steps(self) -> float:
        """The standard deviation of the sum of differences with permuted signs, in the least one of a unit; 0 where the
        gain varies with none. Of equal denominators.
        """
        differences = np.abs(self._above_and_below()[0])
        least = float(differences.min(where=differences > 0, initial=math.inf))
        return float(np.linalg.norm(differences)) / least if self.influences.any() else 0.0

    @property
    def has_t(self) -> bool:
        """A mean, or one of items that weigh differently, alike for both systems, one run each; not in strata."""
        weighted = self.stats.of_sums and not (self.stats.plain_mean or self.has_runs or self.stratified)
        return self.stats.plain_mean or (weighted and self.equal_denominators)

    @cached_property
    def constant(self) -> bool:
        """A mean whose gain is the same on every unit and in every run, and not 0: no variance can be estimated."""
        if not self.has_t or self.identical or abs(self.gain) <= self.slack:
            return False
        spread = max(float(np.ptp(self.stats.run_scores[s])) for s in (self.system, self.baseline))
        return spread <= self.slack and not self.influences.any()

    @property
    def permutations(self) -> Permutations:
        """The gains of randomly permuted test sets, as they are declared."""
        return Permutations(self.metric_index)

    @cached_property
    def permutations_of_t(self) -> DrawRequest:
        """The declaration of permutations of t: of gains whose errors follow from them, or of t itself."""
        if find_t(self.stats, self.system, self.baseline)[1] is not None:
            return Permutations(self.metric_index, studentized=True)
        return PermutedT(self.metric_index, (self.system, self.baseline), self.settings.alternative)

    def permuted(self, need: DrawRequest) -> Positions:
        """How the permutations of that declaration lie to the gain, or to the one whose t is that of the gain."""
        number = 0 if isinstance(need, PermutedT) else self.resamples.places[self.system, self.baseline]
        return self.resamples[need].series(number)

    @cached_property
    def t(self) -> float:
        """The gain of the statistics averaged over runs in its standard error, see ``StudentizedSums.t``."""
        return find_t(self.stats, self.system, self.baseline)[0]

    @kept_of_few
    def studentized_sums(self) -> StudentizedSums:
        """The studentized permutations of the statistics averaged over runs; only of scores of sums."""
        return StudentizedSums.of(self.stats, self.system, self.baseline)

    @cached_property
    def pooled_gain(self) -> float:
        """The gain of the statistics averaged over runs, which randomization permutes; it is ``gain`` for one run."""
        return self.stats.pooled_gain(self.system, self.baseline)

    @kept_of_few
    def without_units(self) -> Float:
        """Gains ``(units,)`` without each unit in turn."""
        system, baseline = (self.stats.without_units[s].mean(axis=0) for s in (self.system, self.baseline))
        return np.asarray(self.stats.sign * (system - baseline))


def _have_same_runs(a: Float, b: Float) -> bool:
    """Whether the runs ``(runs, items, k)`` of two systems are the same, in another order or not."""
    one, other = (np.sort(runs.reshape(len(runs), -1).sum(axis=1)) for runs in (a, b))  # quick, and tells most apart
    return bool(np.array_equal(one, other)) and sorted(map(_bytes_of, a)) == sorted(map(_bytes_of, b))


def _bytes_of(run: Float) -> bytes:
    return (run + 0.0).tobytes()  # -0 is 0


def varies_enough(pair: GainContrast) -> bool:
    """Whether every resample tells the standard error of the gain.

    It does not where few units vary: a resample may hold none of them, and has no standard error, or far too small a
    one. So it is of items that are simply right or wrong, or do not count, in accuracy, in recall or precision of one
    class; their tests know their laws. With standard errors of such resamples a recall of .95 was found better than one
    of .05 in 44 % of sets (150 items, 37 of the class), where Holm finds all.
    """
    adds = pair.influences
    if pair.binary or not adds.any():
        return False
    _, counts = np.unique(np.rint(adds / (_ALIKE * np.abs(adds).max())), return_counts=True)
    few = counts.size <= _FEW_VALUES and not pair.stats.plain_mean
    alike = int(counts.max()) if counts.max() > 1 else 0
    return not few and int(counts.sum()) - alike >= _FEW_DIFFERENT


Effect = dict[str, float | int | str | None]


def standard_effect(pair: GainContrast) -> Effect:
    """Counts of wins, losses and ties where items have scores of their own, and the gain in standard deviations.

    ``d_z`` is the mean difference over the standard deviation of the differences; for a corpus score the differences
    are those of jackknife pseudo-values, so it is the gain over its jackknife error times the root of n.
    """
    if not pair.stats.plain_mean:
        return _corpus_effect(pair)
    d = pair.differences
    counts = WinCounts(int((d > 0).sum()), int((d < 0).sum()), int((d == 0).sum()))
    effect: Effect = {**vars(counts)}
    if len(d) > 1 and np.ptp(d) > 0:
        effect |= {"d_z": cohen_dz(d), "hedges_gz": hedges_gz(d)}
    return effect


def _corpus_effect(pair: GainContrast) -> Effect:
    n = pair.n_units
    effect: Effect = {"n_different": pair.n_different}
    if n > 1:
        error = math.sqrt((n - 1) * float(pair.without_units.var()))
        if error > pair.slack:
            effect |= {"d_z": pair.gain / (error * math.sqrt(n)), "se_jackknife": error}
    return effect


def cohen_dz(differences: Float) -> float:
    """Standardised mean difference of pairs, d̄/s with ddof 1; NaN if it is undefined (n < 2, or no variance)."""
    sd = float(differences.std(ddof=1)) if differences.size > 1 else math.nan
    return float(differences.mean()) / sd if sd > 0 else math.nan


def hedges_gz(differences: Float) -> float:
    """d_z times J(n - 1), which makes it unbiased under normality (Hedges 1981); NaN for n < 3."""
    return cohen_dz(differences) * hedges_j(differences.size - 1) if differences.size > 2 else math.nan


def hedges_j(df: int) -> float:
    """J(m) = Γ(m/2) / (√(m/2) Γ((m - 1)/2)), exactly."""
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
