"""Permutation test of two independent samples (Fisher 1935; Pitman 1937; Janssen 1997)."""

from __future__ import annotations

import math
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED, Note
from outscore.engine import exact
from outscore.engine.exact import DiscreteLaw
from outscore.engine.extreme import Alternative, count, tail_mass
from outscore.engine.lattice import lattice
from outscore.engine.montecarlo import Exceedances
from outscore.significance import EXACT, Outcome, make_outcome, two_samples
from outscore.significance.independent import (
    UNEQUAL_SPREADS,
    IndependentSamples,
    IndependentTest,
    independent_test,
    indifferent,
    shape_notes,
)
from outscore.significance.two_samples import statistics_at_random

_FEW = 30

_EPSILON = float(np.finfo(float).eps)

_LARGEST = 1e300  # what stands for an infinite statistic, so that two of them can be compared

_ROUNDING = 1e-9


@independent_test("permutation")
@dataclass(frozen=True)
class Permutation(IndependentTest):
    """Deal the pooled numbers to the two systems at random: how often is their difference as large?

    The law is exact where it can be had: two distinct values, up to two million labellings, sums of whole numbers.

    Args:
        statistic: ``studentized``, Welch's t, which holds its level for equal means of unequal variances too, if
            samples are not small; ``mean``, the difference of the means, is a test of equal distributions only.
        exact: ``auto`` takes the exact law where it is affordable, ``never`` samples.
    """

    null: ClassVar[str] = (
        "both systems' numbers come from one distribution; studentized and from many numbers: they have equal means"
    )
    formula: ClassVar[str] = (
        "p = P(|t*| ≥ |t|), t* = (Ā* - B̄*)/√(s_A*²/n + s_B*²/m) after permuting the labels of the n + m numbers at "
        "random; mean: t* = Ā* - B̄*"
    )
    applies: ClassVar[str] = (
        "independent samples of any shape and any size: exact under equal distributions, and the first choice for a "
        "handful of runs"
    )
    needs: ClassVar[str] = "one or more runs, or items, of each system; four of each for a p below .05"
    citation: ClassVar[str] = "Fisher 1935; Pitman 1937; Janssen 1997; Phipson & Smyth 2010"

    statistic: Literal["studentized", "mean"] = "studentized"
    exact: Literal["auto", "never"] = "auto"

    def run(self, samples: IndependentSamples) -> Outcome:
        if samples.constant:
            return indifferent(EXACT)
        settings, side = samples.settings, samples.settings.alternative
        # one number has no variance of its own
        studentized = self.statistic == "studentized" and min(samples.sizes) > 1
        permuted = PermutedLabels(samples.system, samples.baseline, studentized)
        # of equal distributions it is exact, whatever their shape; of equal means it is not
        shape = (*shape_notes(samples), *_spread_notes(samples)) if studentized else ()
        law = permuted.law if self.exact == "auto" else None
        if law is not None:
            p, least = permuted.p(law, side)
            return Outcome(p_value=p, p_kind=EXACT, p_min=least, notes=shape)
        draws, interrupted = statistics_at_random(
            lambda labels: permuted.statistic(labels @ permuted.columns),
            *samples.sizes,
            settings.n_resamples,
            settings.seed,
            settings.runtime,
        )
        exceedances = Exceedances(np.array([permuted.exceedances(draws, side)]), np.array([draws.size]))
        said = (*shape, *((INTERRUPTED,) if interrupted else ()))
        return make_outcome(exceedances, p_min=smallest_p(*samples.sizes, side), effect={}, notes=said)


def _spread_notes(samples: IndependentSamples) -> tuple[Note, ...]:
    spreads = sorted((float(samples.system.std()), float(samples.baseline.std())))
    few = min(samples.sizes) < _FEW
    return (UNEQUAL_SPREADS,) if few and spreads[1] > 2 * spreads[0] else ()


@dataclass(frozen=True)
class PermutedLabels:
    """Two samples whose labels are permuted, and the statistic of a labelling.

    The statistic is the sum of the first sample, which orders labellings as the difference of means does; or Welch's t,
    which is valid for equal means of unequal variances too, if samples are large (Janssen 1997).

    Attributes:
        x, y: ``(n,)`` and ``(m,)`` values.
        studentized: take Welch's t.
    """

    x: Float
    y: Float
    studentized: bool

    @cached_property
    def columns(self) -> Float:
        """``(n + m, 2)`` values as whole numbers near 0, and their squares: what a labelling adds up."""
        whole = lattice(np.concatenate([self.x, self.y])[:, None]).integers[:, 0]
        values = whole - np.rint(whole.mean())
        return np.stack([values, values**2], axis=1)

    @cached_property
    def observed(self) -> float:
        """The statistic of the labels as they are."""
        return float(self.statistic(self.columns[: self.x.size].sum(axis=0, keepdims=True))[0])

    @property
    def centre(self) -> float:
        """The mean of the statistic over all labellings, or where its sign turns."""
        return 0.0 if self.studentized else self.x.size * float(self._totals[0]) / len(self.columns)

    def statistic(self, sums: Float) -> Float:
        """The statistic ``(...)`` of labellings whose first sample adds up to ``sums (..., 2)``."""
        if not self.studentized:
            return np.asarray(sums[..., 0])
        n, m = self.x.size, self.y.size
        others = self._totals - sums
        distance = sums[..., 0] / n - others[..., 0] / m
        square = sum(_spread(part, size) for part, size in ((sums, n), (others, m)))
        found = np.copysign(np.where(distance == 0, 0.0, _LARGEST), distance)
        return np.divide(distance, np.sqrt(square), out=found, where=square > 0)

    @cached_property
    def law(self) -> DiscreteLaw | None:
        """The law of the statistic over all labellings, None where it is too dear.

        Two distinct values: hypergeometric. Sums: a dynamic programme over whole numbers. Both: enumeration.
        """
        n, m = self.x.size, self.y.size
        values = self.columns[:, 0]
        low, high = float(values.min()), float(values.max())
        marked = values == high
        if (marked | (values == low)).all():
            upper = two_samples.hypergeometric_law(n, m, int(marked.sum()))
            sums = np.outer(upper.support, self._square(high)) + np.outer(n - upper.support, self._square(low))
            return exact.law_of(self.statistic(sums), upper.mass)
        if two_samples.two_sample_size(n, m) <= two_samples.MOST_COMBINATIONS:
            statistics = self.statistic(two_samples.subset_sums(self.columns, n))
            return exact.law_of(statistics, np.full(statistics.size, 1 / statistics.size))
        if self.studentized or two_samples.subset_sum_cost(values, min(n, m)) > exact.MOST_UPDATES:
            return None
        law = two_samples.subset_sum_law(values, min(n, m))
        return law if n <= m else law.negate().scale(1.0, float(self._totals[0]))

    def p(self, law: DiscreteLaw, alternative: Alternative) -> tuple[float, float]:
        """The exact p-value, and the smallest that another labelling could have had."""

        def tail(at: float) -> float:
            return tail_mass(
                law.support, law.mass, at, centre=self.centre, alternative=alternative, slack=self._slack(at)
            )

        return tail(self.observed), min(tail(float(end)) for end in law.support[[0, -1]])

    def exceedances(self, draws: Float, alternative: Alternative) -> int:
        """How many of these statistics are at least as extreme as the observed one."""
        slack = self._slack(self.observed)
        return int(count(draws, self.observed, centre=self.centre, alternative=alternative, slack=slack))

    @cached_property
    def _totals(self) -> Float:
        return np.asarray(self.columns.sum(axis=0))

    @staticmethod
    def _square(value: float) -> Float:
        return np.array([value, value**2])

    def _slack(self, at: float) -> float:
        """Sums are whole, and so are n + m times their distances from the centre: less than that is rounding."""
        if self.studentized:
            return _ROUNDING * max(1.0, abs(at))
        return max(0.25 / len(self.columns), 8 * _EPSILON * max(abs(at), abs(self.centre)))


def _spread(sums: Float, size: int) -> Float:
    """Squared standard errors ``(...)`` of means, from sums and sums of squares ``(..., 2)``; 0 for rounding noise."""
    total, square = sums[..., 0], sums[..., 1]
    around = square - total**2 / size
    return np.where(around > 1e-12 * square, around, 0.0) / (size * max(size - 1, 1))


def smallest_p(n: int, m: int, alternative: Alternative) -> float:
    """The smallest p-value that labellings of n + m distinct values can give."""
    mirrored = 2 if n == m and alternative == "two-sided" else 1
    return mirrored / math.comb(n + m, n)
