"""Forking paths: many analyses of the same two systems, by several metrics, on subsets of the items or growing samples.

All analyses see the same random permutations of the systems' outputs, so their p-values have a joint law. Whoever
permutes a permuted test set gets one of the same permutations: their law is that of every null version too, and what a
free choice among the analyses does on null versions is counted without resampling any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.beta import normal_ppf
from outscore.engine.draws import Accumulator
from outscore.engine.extreme import Alternative, count, p_from_count, tolerance
from outscore.engine.resampling import randomize_by_swaps
from outscore.engine.sampling import Sampling
from outscore.multiplicity.adjust import adjust, max_step_down
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics, scales
from outscore.studies import Spec
from outscore.studies.choices import Which
from outscore.studies.choices.rates import Rate
from outscore.studies.shared.material import Material

Analysis = tuple[Statistics, Bool | None]
"""A metric, and which items ``(items,)`` it is taken of; None for all."""

_SLACK = 1e-12


@dataclass(frozen=True, kw_only=True)
class ForkingPaths:
    """Several analyses of two systems, among which an analyst could have chosen.

    Attributes:
        gains: ``(analyses,)`` as observed, of statistics averaged over runs.
        draws: ``(analyses, B)`` gains of randomly permuted test sets, jointly drawn.
        versions: ``(analyses, R)`` gains of null versions, which are permuted test sets too, drawn for themselves.
        slack: ``(analyses,)`` how far equal gains may lie apart.
        alternative: sides of the test.
    """

    gains: Float
    draws: Float
    versions: Float
    slack: Float
    alternative: Alternative

    @cached_property
    def p(self) -> Float:
        """``(analyses,)`` p of each analysis for itself: (b + 1) / (B + 1), ties count."""
        hits = [
            count(draws, gain, alternative=self.alternative, slack=float(slack))
            for draws, gain, slack in zip(self.draws, self.gains, self.slack, strict=True)
        ]
        return np.array([p_from_count(int(hit), self.draws.shape[1]) for hit in hits])

    @property
    def holm(self) -> Float:
        """``(analyses,)`` p corrected over all analyses, whatever their dependence (Holm 1979)."""
        return adjust(self.p, "holm")

    @cached_property
    def joint(self) -> Float:
        """``(analyses,)`` p corrected over all analyses by the step-down maximum of their gains; at least p itself.

        Each gain is in units of its own spread under permutations (Westfall & Young 1993).
        """
        found = max_step_down(self._apply_side(self.gains[:, None])[:, 0], self._apply_side(self.draws).T)
        return np.maximum(found, self.p)

    @cached_property
    def null_p(self) -> Float:
        """``(analyses, R)`` p of each analysis on each null version."""
        sides = self._side(self.draws), self._side(self.versions)
        return np.stack([_p_of(*pair) for pair in zip(sides[0], sides[1] - self.slack[:, None], strict=True)])

    @cached_property
    def null_joint(self) -> Float:
        """``(analyses, R)`` p of each analysis on each null version, against the maximum over all."""
        largest = self._apply_side(self.draws).max(axis=0)
        return np.stack([_p_of(largest, values - _SLACK) for values in self._apply_side(self.versions)])

    @cached_property
    def correlations(self) -> Float:
        """``(analyses, analyses)`` between gains under permutations; 0 with an analysis in which nothing varies."""
        held = self.draws / self._spread[:, None]
        return np.asarray(np.clip(held @ held.T / self.draws.shape[1], -1.0, 1.0))

    def rates_of_each(self, alpha: float) -> list[Rate]:
        """How often each analysis rejects on null versions."""
        return [self.rate(p <= alpha) for p in self.null_p]

    def rate_of_any(self, alpha: float) -> Rate:
        """How often the smallest p of all analyses is at most alpha on null versions: what a free choice finds."""
        return self.rate(np.any(self.null_p <= alpha, axis=0))

    def rate_by_holm(self, alpha: float) -> Rate:
        """As ``rate_of_any``, of the p corrected by Holm: the smallest of m is multiplied by m."""
        return self.rate(self.null_p.min(axis=0) * len(self.null_p) <= alpha)

    def rate_by_joint_law(self, alpha: float) -> Rate:
        """As ``rate_of_any``, of the p corrected jointly."""
        return self.rate(np.any(self.null_joint <= alpha, axis=0))

    def free_choice(self, alpha: float) -> dict[str, Any]:
        """Findings of a free choice on null versions, before and after correction, and the normal law of the first."""
        return {
            "free": self.rate_of_any(alpha).to_plain(),
            "after_holm": self.rate_by_holm(alpha).to_plain(),
            "after_joint": self.rate_by_joint_law(alpha).to_plain(),
            "normal": p_by_normal_law(self.correlations, alpha, self.alternative),
        }

    def rate(self, happened: Bool | np.bool) -> Rate:
        """Of something that happened on some versions ``(R,)``."""
        return Rate.of(np.asarray(happened), self.draws.shape[1])

    @cached_property
    def _spread(self) -> Float:
        spread = np.sqrt((self.draws**2).mean(axis=1))
        # a gain that varies by rounding alone does not vary
        return np.where(spread > self.slack, spread, np.inf)

    def _side(self, gains: Float) -> Float:
        if self.alternative == "two-sided":
            return np.abs(gains)
        return gains if self.alternative == "greater" else -gains

    def _apply_side(self, gains: Float) -> Float:
        return np.asarray(self._side(gains) / self._spread[:, None])


def _p_of(draws: Float, values: Float) -> Float:
    """(b + 1) / (B + 1) for each value, b being the draws that reach it."""
    below = np.searchsorted(np.sort(draws), values, side="left")
    return np.asarray((len(draws) - below + 1) / (len(draws) + 1))


def analyse(
    analyses: Sequence[Analysis],
    system: int,
    baseline: int,
    settings: Settings,
    versions: int = 0,
) -> ForkingPaths:
    """Analyses of a system and a baseline, by permutations that they share.

    Args:
        analyses: metrics, and subsets of the items of their common design; none of them empty. A metric that ranks the
            items is taken of all of them.
        settings: sides, resamples and seed; all runs of an item move together.
        versions: number of null versions, drawn with a child of the seed.
    """
    by_metric = [_Held(stats, items, system, baseline) for stats, items in analyses]

    def draw(n: int, seed: int) -> Float:
        # independent permutations: a metric that ranks the items sees the same ones
        return _draw(by_metric, replace(settings.sampling, n_resamples=n, seed=seed, engine="iid"))

    own = int(stream(settings.seed, "versions").integers(2**31))
    return ForkingPaths(
        gains=np.array([held.gain for held in by_metric]),
        draws=draw(settings.n_resamples, settings.seed),
        versions=draw(versions, own) if versions else np.empty((len(by_metric), 0)),
        slack=np.array([held.slack for held in by_metric]),
        alternative=settings.alternative,
    )


class _Held:
    """One analysis: sums of the baseline and the system, and what each unit moves when it is permuted."""

    def __init__(self, stats: Statistics, items: Bool | None, system: int, baseline: int) -> None:
        self.stats, self.pair = stats, (system, baseline)
        if not stats.of_sums:
            self.gain, self.slack, self.moved = stats.pooled_gain(*self.pair), stats.slack(*self.pair), None
            return
        runs = stats.runs[system], stats.runs[baseline]
        sides = [stats.items[s].sum(axis=0) * scale for s, scale in zip(self.pair, scales(*runs), strict=True)]
        if items is not None:
            sides = [side * items[:, None] for side in sides]
        self.steps = stats.steps / (runs[0] * scales(*runs)[0])
        self.sums = [side.sum(axis=0) for side in sides]
        self.moved = stats.design.gather(sides[1] - sides[0])
        self.gain = float(self.gains(np.zeros_like(self.sums[0])))
        self.slack = tolerance(max(abs(float(stats.function(side * self.steps))) for side in self.sums))

    def gains(self, moved: Float) -> Float:
        """Where permuted units bring the system ``moved (..., k)``."""
        first, second = self.sums[0] + moved, self.sums[1] - moved
        function, steps = self.stats.function, self.steps
        return np.asarray(self.stats.sign * (function(first * steps) - function(second * steps)))


def _draw(analyses: Sequence[_Held], sampling: Sampling) -> Float:
    """``(analyses, B)`` gains of permuted test sets."""
    moved = [held.moved for held in analyses if held.moved is not None]
    found: list[Float] = []
    if moved:
        columns = np.concatenate(moved, axis=1)
        ends = np.cumsum([part.shape[1] for part in moved])[:-1]
        summed = [held for held in analyses if held.moved is not None]

        def score(swaps: Float) -> Float:
            parts = np.split(swaps @ columns, ends, axis=1)
            return np.stack([held.gains(part) for held, part in zip(summed, parts, strict=True)])

        cells = max(columns.shape)
        found = list(randomize_by_swaps(len(columns), score, sampling, Accumulator.nothing(), cells).values)
    rows = iter(found)
    all_rows = [
        held.stats.randomize([held.pair], sampling).values[0] if held.moved is None else next(rows) for held in analyses
    ]
    return np.stack([row[: min(map(len, all_rows))] for row in all_rows])


def p_by_normal_law(correlations: Float, alpha: float, alternative: Alternative) -> float | None:
    """P(some |Z| > c) for normal statistics with these correlations: what a free choice should find.

    None where there are more than forty, which take long. The integral is by quasi-random points, to about 1e-4.
    """
    from scipy.stats import multivariate_normal

    k = len(correlations)
    if k == 1 or k > 40:
        return alpha if k == 1 else None
    side = 2 if alternative == "two-sided" else 1
    c = -normal_ppf(alpha / side)
    lower = np.full(k, -c if side == 2 else -np.inf)
    held = correlations.copy()
    np.fill_diagonal(held, 1.0)
    law: Any = multivariate_normal(np.zeros(k), held, allow_singular=True, seed=0)
    law.maxpts, law.abseps = 50_000, 1e-4  # as arguments they are of later versions
    return float(1 - law.cdf(np.full(k, c), lower_limit=lower))


def equal_steps(number: int) -> Float:
    """Correlations of the gains of a sample that has grown by so many equal steps: √(i / j) (Armitage et al. 1969)."""
    size = np.arange(1, number + 1)
    return np.asarray(np.sqrt(np.minimum.outer(size, size) / np.maximum.outer(size, size)))


@dataclass(frozen=True)
class Match:
    """Two systems on one test set.

    Attributes:
        system, baseline: names.
        part: value of the column whose values are test sets of their own; None for the whole.
    """

    system: str
    baseline: str
    part: str | None = None

    @classmethod
    def of(cls, spec: Spec) -> Match:
        """The match of a cell."""
        return cls(spec["system"], spec["baseline"], spec["part"])

    @property
    def name(self) -> str:
        """As ``new - base``, after the name of the part."""
        pair = f"{self.system} - {self.baseline}"
        return pair if self.part is None else f"{self.part}: {pair}"

    def select(self, material: Material, by: str) -> tuple[Material, int, int]:
        """The subset of the items, and the numbers of the system and of the baseline."""
        numbers = material.systems.index(self.system), material.systems.index(self.baseline)
        if self.part is None:
            return material, *numbers
        here = np.asarray(material.column(by, "--by"), dtype=object) == self.part
        return material.restrict(np.flatnonzero(here)), *numbers


def make_matches(material: Material, which: Which, by: str) -> list[Match]:
    """All pairs on each part; ``by`` is a column, or empty.

    Raises:
        UsageError: there is one system only, or no such column.
    """
    parts = list(dict.fromkeys(material.column(by, "--by"))) if by else [None]
    pairs = pairs_of(material, which)
    return [Match(system, baseline, part) for part in parts for system, baseline in pairs]


def name_items(material: Material, by: str) -> str:
    """On what: so many items, and in how many parts."""
    items = inflect(material.n_items, "item")
    return f"{items} in {inflect(len(set(material.column(by, '--by'))), 'part')} ({by})" if by else items


def pairs_of(material: Material, which: Which) -> list[tuple[str, str]]:
    """Names of system and baseline of each pair.

    Raises:
        UsageError: there is one system only.
    """
    names = material.systems
    if len(names) < 2:
        raise UsageError(f"one system ({names[0]!r}) has no pairs: give at least two")
    return [(s, b) for i, b in enumerate(names if which == "all" else names[:1]) for s in names[i + 1 :]]


def refuse_ranked(material: Material) -> None:
    """Raises UsageError where a metric ranks all items together, so that a part of them has no score of its own."""
    ranked = next((stats.name for stats in material.by_metric if not stats.of_sums), None)
    if ranked is not None:
        raise UsageError(f"{ranked} ranks all items together, which subsets of them do not show: give another metric")
