"""The interval of a ratio, or of an average over classes, from an interval of each of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.metrics import safe_ratio
from outscore.significance.contrast import Contrast
from outscore.significance.interval import Found, IntervalMethod, interval
from outscore.significance.p_values import student_quantile
from outscore.significance.proportions import wilson_of, worth_of

_SHRUNKEN_BY = 2
"""Items by which correlations of classes are taken for smaller: of n items of a class n/(n + 2) is left.

Of two or three items they are known too poorly to make an interval short: a gain of recall from .3 to .7 in a class of
2 items of 200, one of three classes, is covered in .85 of the cases with them as they are, in .90 so (1,000 sets).
"""
_FEW = 5  # right or wrong ones, from which on variances of samples say how far they can be off
_ENOUGH_UNITS = 10  # fewer are permuted, all of them
_FARTHEST, _NEAR = 40.0, 1e-9  # quantiles
_SPREAD = 1e12  # effective items of a class from which on its units differ by rounding alone


@interval("mover")
@dataclass(frozen=True)
class Mover(IntervalMethod):
    """Wilson's intervals of the classes, whose distances from the scores are added as standard errors are.

    Each class, or ratio, counts for as many items as its variance shows, never more than there are; where all are right
    or all wrong, for the items (clusters) that it has. So a class of two items makes the interval wide even if both are
    right, which every variance of the sample takes for certain. It keeps to the limits, and never is one point.
    """

    formula: ClassVar[str] = (
        "θ - √(v' R v)/C, v_c = θ_c - l_c with l_c the lower end of Wilson's interval of class c (of a gain the upper "
        "end for the baseline), R the correlations of the classes, those off the diagonal times √(n_c n_d/((n_c + 2) "
        "(n_d + 2))), n_c items that hold class c; the upper end likewise; of a score not nearer than Wilson's of θ"
    )
    applies: ClassVar[str] = (
        "averages over classes (macro F1, macro recall ...), rare classes above all, and ratios of few wrong or few "
        "right ones: the default there"
    )
    needs: ClassVar[str] = "a ratio between 0 and 1 or an average over classes, one run of each system, no strata"
    citation: ClassVar[str] = "Zou & Donner 2008; Wilson 1927"

    def refuses(self, estimate: Contrast) -> str | None:
        if max(estimate.n_runs) > 1:
            return "mover takes one run of each system; use --interval t"
        shares = all(math.isfinite(estimate.stats.fewest[system]) for system, _ in estimate.signed)
        if estimate.stats.averaged is None and not shares:
            return (
                f"mover needs a ratio whose numerator lies between 0 and its denominator on every item, or an average "
                f"over classes, which {estimate.stats.name} is not; use --interval auto"
            )
        return self.refuses_strata(estimate, "bca or delta")

    def find(self, estimate: Contrast) -> Found:
        sides = [_Side.of(estimate, system, sign) for system, sign in estimate.signed]
        quantile = student_quantile(estimate.level, estimate.n_units - 1)
        below, above = _lengths(sides, quantile)
        if len(sides) == 1:
            ways = sides[0].together(quantile)
            below, above = max(below, ways[0]), max(above, ways[1])
        return (estimate.value - below, estimate.value + above), "MOVER interval", ()


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
    """The quantile whose interval ends at ``null``, negative where the gain lies below it; found by halving.

    1 - 2 P(T >= its size), T with n_units - 1 degrees of freedom, is the highest level at which the interval leaves
    out ``null``: so the test and the interval are one law.
    """
    sides, distance = [_Side.of(gain, *one) for one in gain.signed], gain.value - null
    near, far = 0.0, _FARTHEST
    while far - near > _NEAR:
        at = (near + far) / 2
        near, far = (at, far) if abs(distance) > _lengths(sides, at)[distance < 0] else (near, at)
    return math.copysign(near, distance)


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
class _Side:
    """The classes of one system, as they enter the estimate.

    Attributes:
        ratios: of each class, as proportions ``(m,)``; ``worth``: as many items would tell as much.
        scale: of a proportion in the estimate, with its sign; ``all_worth``: as many items tell as much as all classes.
        moves: what units add to each class ``(units, m)``, of length 1, zeros where they differ in nothing.
        known: how far its correlations with others are taken as known ``(m,)``.
    """

    ratios: Float
    worth: Float
    scale: float
    moves: Float
    known: Float
    all_worth: float

    @classmethod
    def of(cls, estimate: Contrast, system: int, sign: float) -> _Side:
        numerators, denominators, scale = _of_units(estimate, system)
        ratios, adds, worth = worth_of(numerators, denominators)
        worth, seen = worth * (len(adds) - 1) / len(adds), (denominators > 0).sum(axis=0)
        # that of classes is counted in items, of other ratios in what nobody knows
        most = math.inf if estimate.stats.averaged is None else denominators.sum(axis=0)
        worth = np.where((worth > 0) & (worth < _SPREAD), np.minimum(worth, most), seen)
        moves = sign * safe_ratio(adds, np.sqrt((adds**2).sum(axis=0)))
        share, n = float(ratios.mean()), len(adds)
        error = float((adds.mean(axis=1) ** 2).sum()) * n / (n - 1)
        all_worth = share * (1 - share) / error if error * _SPREAD > share * (1 - share) else 0.0
        return cls(ratios, worth, sign * scale, moves, seen / (seen + _SHRUNKEN_BY), all_worth)

    def together(self, quantile: float) -> tuple[float, float]:
        """How far the ends of Wilson's interval of the average lie below and above it, 0 where no unit differs.

        Ends of classes that are added as if each class alone were so far off miss what many have in common: of four
        classes of 50 items, 1.5 % of them wrong, recall lay above the upper one in .11 of sets, now .04.
        """
        share = float(self.ratios.mean())
        low, high = wilson_of(share, self.all_worth, quantile) if self.all_worth > 0 else (share, share)
        whole = abs(self.scale) * len(self.ratios)
        return whole * (share - low), whole * (high - share)

    def ways(self, quantile: float) -> Float:
        """How far the ends of each class lie below and above its score ``(2, m)``."""
        known = zip(self.ratios.tolist(), self.worth.tolist(), strict=True)
        ends = [wilson_of(ratio, worth, quantile) if worth > 0 else (0.0, 1.0) for ratio, worth in known]
        found = abs(self.scale) * np.abs(np.array(ends) - self.ratios[:, None]).T
        return found if self.scale > 0 else found[::-1]


def _lengths(sides: Sequence[_Side], quantile: float) -> tuple[float, float]:
    """How far the ends lie below and above: √(v' R v) of the ways v ``(m,)``, R the correlations of the moves as far as
    they are known.
    """
    moves = np.concatenate([side.moves for side in sides], axis=1)
    known = np.concatenate([side.known for side in sides])
    below, above = (_length(moves, way, known) for way in np.concatenate([s.ways(quantile) for s in sides], axis=1))
    return below, above


def _length(moves: Float, ways: Float, known: Float) -> float:
    together = moves @ (ways * np.sqrt(known))
    alone = (1 - known * (moves**2).sum(axis=0)) * ways**2
    return math.sqrt(float(together @ together) + float(alone.sum()))
