"""The score interval of a ratio, of an average of ratios over classes, or of the gain in one of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.metrics import safe_ratio
from outscore.significance.contrast import Contrast
from outscore.significance.interval import Found, IntervalMethod, interval
from outscore.significance.means import satterthwaite
from outscore.significance.p_values import student_quantile
from outscore.significance.proportions import worth_of

_SHRUNKEN_BY = 2
"""Items by which correlations of classes are taken for smaller: of n items of a class n/(n + 2) is left.

Of two or three items they are known too poorly to make an interval short: a gain of recall from .3 to .7 in a class of
2 items of 200, one of three classes, is covered in .85 of the cases with them as they are, in .90 so (1,000 sets).
"""
_FEW = 5  # right or wrong ones, from which on variances of samples say how far they can be off
_ENOUGH_UNITS = 10  # fewer are permuted, all of them
_FARTHEST = 40.0  # quantile
_NEAR = 1e-9
_SPREAD = 1e12  # effective items of a class from which on its units differ by rounding alone
_UNSEEN = 1e-3  # items that a class counts for of which there is none
_STEPS, _CLOSE = 100, 1e-13


@interval("rao")
@dataclass(frozen=True)
class Rao(IntervalMethod):
    """The values whose distance from the estimate is no farther than their own standard errors allow.

    Of one ratio it is Wilson's interval. For a value away from the estimate each class moves as far as its variance
    there and its weight in the average pull it, and the standard error is that of the moved classes. So a class of two
    items makes the interval wide even if both are right, which every variance of the sample takes for certain; and of
    twenty classes that are nearly all right no one does. It keeps to the limits, and never is one point.

    Each class, or ratio, counts for as many items as its variance shows, never more than there are; where all are right
    or all wrong, for the items (clusters) that it has. In clusters the variance and the degrees of freedom are CR2's.
    """

    formula: ClassVar[str] = (
        "the x with |θ - x| ≤ t √(v' R v), v_c = a_c √(x_c (1 - x_c)/n_c), a_c the weight of class c (of the baseline "
        "negative), n_c its effective items, x_c with n_c (θ_c - x_c) = λ a_c x_c (1 - x_c), λ so that Σ a_c x_c = x, "
        "R the correlations of the classes, those off the diagonal times √(m_c m_d/((m_c + 2) (m_d + 2))), m_c items "
        "that hold class c"
    )
    applies: ClassVar[str] = (
        "averages over classes (macro F1, macro recall ...), and ratios of few wrong or few right ones: the default "
        "there"
    )
    needs: ClassVar[str] = "a ratio between 0 and 1 or an average over classes, one run of each system, no strata"
    citation: ClassVar[str] = "Rao 1948; Martín Andrés et al. 2011; Wilson 1927"

    def refuses(self, estimate: Contrast) -> str | None:
        if max(estimate.n_runs) > 1:
            return "rao takes one run of each system; use --interval t"
        shares = all(math.isfinite(estimate.stats.fewest[system]) for system, _ in estimate.signed)
        if estimate.stats.averaged is None and not shares:
            return (
                f"rao needs a ratio whose numerator lies between 0 and its denominator on every item, or an average "
                f"over classes, which {estimate.stats.name} is not; use --interval auto"
            )
        return self.refuses_strata(estimate, "bca or delta")

    def find(self, estimate: Contrast) -> Found:
        classes, quantile = _Classes.of(estimate), student_quantile(estimate.level, df_of(estimate))
        below, above = (classes.reach(quantile, towards) for towards in (-1, 1))
        return (estimate.value - below, estimate.value + above), "Rao score interval", ()


def suits(estimate: Contrast) -> bool:
    """Whether it is an average over classes, or a ratio of few, so that its score interval is the best there is."""
    return (estimate.stats.averaged is not None and Rao().refuses(estimate) is None) or is_of_few(estimate)


def is_of_few(estimate: Contrast) -> bool:
    """Whether a ratio of one of the systems rests on few wrong, or few right, of what it alone is divided by.

    A system that makes 12 claims, all of them right, has a variance of 0 in every sample of it, be it permuted or drawn
    again: equal precisions of .9 (12 claims against 400, 1,000 items) were told apart in 35 % of sets.
    """
    stats, systems = estimate.stats, [system for system, _ in estimate.signed]
    fewest = [stats.fewest[system] for system in systems]
    if min(fewest) > _FEW - _NEAR or max(fewest) == math.inf or estimate.n_units < _ENOUGH_UNITS:
        return False
    if stats.plain_mean or estimate.stratified:
        return False
    # where all are divided by the same, relabelling outputs is a symmetry
    return len({_of_units(estimate, system)[1].tobytes() for system in systems}) > 1


def quantile_of(gain: Contrast, null: float = 0.0) -> float:
    """The quantile whose interval ends at ``null``, negative where the gain lies below it.

    1 - 2 P(T >= its size), T with ``df_of`` degrees of freedom, is the highest level at which the interval leaves
    out ``null``: so the test and the interval are one law.
    """
    distance = gain.value - null
    return math.copysign(_Classes.of(gain).quantile(abs(distance), -1 if distance > 0 else 1), distance)


def df_of(estimate: Contrast) -> float:
    """Degrees of freedom: units less 1; of clusters those of CR2 by what the ratios are divided by (Pustejovsky 2018).

    With 4 clusters of 60 and 26 of 3 and 29 degrees of freedom equal macro F1 were told apart in 14 % of sets.
    """
    if not estimate.clustered or estimate.n_units < 3:
        return estimate.n_units - 1
    sizes = np.sum([_of_units(estimate, system)[1].sum(axis=1) for system, _ in estimate.signed], axis=0)
    return satterthwaite(sizes) if sizes.max() < sizes.sum() else 1.0


def _of_units(estimate: Contrast, system: int) -> tuple[Float, Float, float]:
    """Numerators and denominators ``(units, m)``, and the factor of the sum of their ratios."""
    stats = estimate.stats
    rows = stats.rows[system][0] * stats.steps
    if stats.averaged is not None:
        above, below = stats.averaged.sums(rows)
        return above, below, stats.averaged.scale / above.shape[1]
    assert stats.ratio is not None
    above, below, scale = stats.ratio
    return (rows @ above)[:, None], (rows @ below)[:, None], scale


@dataclass(frozen=True)
class _Classes:
    """The classes of one system, or of both, as they enter the estimate.

    Attributes:
        ratios: of each class, as proportions ``(m,)``; ``worth``: as many items would tell as much.
        weights: of a proportion in the estimate, with its sign ``(m,)``.
        moves: what units add to each class ``(units, m)``, of length 1, zeros where they differ in nothing; times the
            roots of how far its correlations with others are taken as known.
    """

    ratios: Float
    worth: Float
    weights: Float
    moves: Float

    @classmethod
    def of(cls, estimate: Contrast) -> _Classes:
        sides, kept = [], estimate.stats.kept_classes
        for system, sign in estimate.signed:
            if system not in kept:  # once, and not for each pair that it is in
                kept[system] = cls._of_system(estimate, system)
            ratios, worth, moves, scale = kept[system]
            sides.append((ratios, worth, np.full(len(ratios), sign * scale), moves))
        return cls(*(np.concatenate(parts, axis=-1) for parts in zip(*sides, strict=True)))

    @staticmethod
    def _of_system(estimate: Contrast, system: int) -> tuple[Float, Float, Float, float]:
        numerators, denominators, scale = _of_units(estimate, system)
        ratios, adds, worth = worth_of(numerators, denominators)
        if estimate.clustered:
            # CR2: a cluster that holds much of a class draws its ratio towards itself
            adds = adds / np.sqrt(np.maximum(1 - safe_ratio(denominators, denominators.sum(axis=0)), 1 / len(adds)))
            worth = safe_ratio(ratios * (1 - ratios), (adds**2).sum(axis=0))
        else:
            worth = worth * (len(adds) - 1) / len(adds)
        seen = (denominators > 0).sum(axis=0).astype(float)
        # that of classes is counted in items, of other ratios in what nobody knows
        averaged, most = estimate.stats.averaged, denominators.sum(axis=0)
        if averaged is None:
            most = np.full(len(ratios), math.inf)
        elif (effective := averaged.effective(estimate.stats.items[system][0] * estimate.stats.steps)) is not None:
            # in many samples of few heavy items these are all right, and say nothing of how far they can be off
            seen, most = np.minimum(seen, effective[0]), safe_ratio(most, effective[1])
        worth = np.where((worth > 0) & (worth < _SPREAD), np.minimum(worth, most), np.maximum(seen, _UNSEEN))
        moves = safe_ratio(adds, np.sqrt((adds**2).sum(axis=0))) * np.sqrt(seen / (seen + _SHRUNKEN_BY))
        return ratios, worth, moves, scale

    def reach(self, quantile: float, towards: int) -> float:
        """How far the end lies away on the side ``towards``, at a quantile of the standardised distance."""

        def at(force: float) -> float:
            distance, error = self._move(force, towards)
            return distance / error / quantile if error else 0.0

        return self._move(_solve(at, self._start), towards)[0] if quantile and self._way(towards) else 0.0

    def quantile(self, distance: float, towards: int) -> float:
        """The quantile at which the end lies so far away."""
        if not 0 < distance < self._way(towards) * (1 - _NEAR):
            return _FARTHEST if distance else 0.0
        _, error = self._move(_solve(lambda force: self._move(force, towards)[0] / distance, self._start), towards)
        return min(distance / error, _FARTHEST) if error else _FARTHEST

    @property
    def _start(self) -> float:
        return float((self.worth / np.abs(self.weights)).min())

    def _shares(self, towards: int) -> Float:
        """Proportions of which each would fall for the estimate to move ``towards``."""
        return np.where(self.weights * towards < 0, self.ratios, 1 - self.ratios)

    def _way(self, towards: int) -> float:
        return float(np.abs(self.weights) @ self._shares(towards))

    def _move(self, force: float, towards: int) -> tuple[float, float]:
        """How far the estimate has moved where every class is pulled so, and its standard error there.

        A class that is pulled by λ goes to the x with n (θ - x) = λ |a| x (1 - x), where its likelihood falls as
        steeply as the average asks.
        """
        shares, size = self._shares(towards), np.abs(self.weights)
        total = self.worth + force * size
        root = np.sqrt(np.maximum(total**2 - 4 * force * size * self.worth * shares, 0.0))
        moved = np.minimum(2 * self.worth * shares / (total + root), shares)
        errors = self.weights * np.sqrt(moved * (1 - moved) / self.worth)
        alone = (1 - (self.moves**2).sum(axis=0)) @ errors**2
        return float(size @ (shares - moved)), math.sqrt(float(((self.moves @ errors) ** 2).sum() + alone))


def _solve(value: Callable[[float], float], start: float) -> float:
    """Where a function that rises from 0 without end is 1, by secants of its logarithm within a bracket."""

    def log(x: float) -> float:
        found = value(math.exp(x))
        return math.log(found) if found > 0 else -math.inf

    at, step = math.log(start), 0.0
    low = high = None
    before: tuple[float, float] | None = None
    for _ in range(_STEPS):
        found = log(at)
        low, high = (at, high) if found < 0 else (low, at)
        if abs(found) < _CLOSE or (low is not None and high is not None and high - low < _CLOSE):
            break
        slope = 1.0
        if before is not None and math.isfinite(found) and found != before[1]:
            slope = (at - before[0]) / (found - before[1])
        before = (at, found) if math.isfinite(found) else None
        step = at - found * slope if math.isfinite(found) else math.inf
        if low is not None and high is not None and not low < step < high:
            step = (low + high) / 2
        elif low is None or high is None:
            step = min(max(step, at - 3), at + 3)
        at = step
    return math.exp(at)
