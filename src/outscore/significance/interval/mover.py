"""The interval of an average over classes, from an interval of each class."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.metrics import safe_ratio
from outscore.significance.contrast import Contrast
from outscore.significance.interval import Found, IntervalMethod, interval
from outscore.significance.p_values import student_quantile
from outscore.significance.proportions import Ends, wilson_of

_SHRUNKEN_BY = 2
"""Items by which correlations of classes are taken for smaller: of n items of a class n/(n + 2) is left.

Of two or three items they are known too poorly to make an interval short: a gain of recall from .3 to .7 in a class of
2 items of 200, one of three classes, is covered in .85 of the cases with them as they are, in .90 so (1,000 sets).
"""
_SPREAD = 1e12  # effective items of a class from which on its units differ by rounding alone


@interval("mover")
@dataclass(frozen=True)
class Mover(IntervalMethod):
    """Wilson's intervals of the classes, whose distances from the scores are added as standard errors are.

    Each class counts for as many items as its variance shows, never more than there are; where all are right or all
    wrong, for the items (clusters) that it has. So a class of two items makes the interval wide even if both are right,
    which every variance of the sample takes for certain. It keeps to the limits, and never is one point.
    """

    formula: ClassVar[str] = (
        "θ - √(v' R v)/C, v_c = θ_c - l_c with l_c the lower end of Wilson's interval of class c (of a gain the upper "
        "end for the baseline), R the correlations of the classes, those off the diagonal times √(n_c n_d/((n_c + 2) "
        "(n_d + 2))), n_c items that hold class c; the upper end likewise"
    )
    applies: ClassVar[str] = (
        "averages over classes (macro F1, macro recall ...), rare classes above all; the default there"
    )
    needs: ClassVar[str] = "an average over two classes or more, one run of each system, no strata"
    citation: ClassVar[str] = "Zou & Donner 2008; Wilson 1927"

    def refuses(self, estimate: Contrast) -> str | None:
        if estimate.stats.averaged is None:
            return f"mover needs an average over classes, which {estimate.stats.name} is not; use --interval auto"
        if max(estimate.n_runs) > 1:
            return "mover takes one run of each system; use --interval t"
        return self.refuses_strata(estimate, "bca or delta")

    def find(self, estimate: Contrast) -> Found:
        quantile = student_quantile(estimate.level, estimate.n_units - 1)
        sides = [_find_side(estimate, system, sign, quantile) for system, sign in estimate.signed]
        moves = np.concatenate([side.moves for side in sides], axis=1)
        known = np.concatenate([side.known for side in sides])
        low = _length(moves, np.concatenate([side.below for side in sides]), known)
        high = _length(moves, np.concatenate([side.above for side in sides]), known)
        return (estimate.value - low, estimate.value + high), "MOVER interval", ()


@dataclass(frozen=True)
class _Side:
    """The classes of one system, as they enter the estimate.

    Attributes:
        below, above: how far the ends of each class lie from its score ``(m,)``.
        moves: what units add to each class ``(units, m)``, of length 1, zeros where they differ in nothing.
        known: how far its correlations with others are taken as known ``(m,)``.
    """

    below: Float
    above: Float
    moves: Float
    known: Float


def _find_side(estimate: Contrast, system: int, sign: float, quantile: float) -> _Side:
    stats = estimate.stats
    averaged = stats.averaged
    assert averaged is not None
    numerators, denominators = averaged.sums(stats.rows[system][0] * stats.steps)
    totals = denominators.sum(axis=0)
    ratios = np.clip(safe_ratio(numerators.sum(axis=0), totals), 0.0, 1.0)
    adds = safe_ratio(numerators - ratios * denominators, totals)
    squares, seen = (adds**2).sum(axis=0), (denominators > 0).sum(axis=0)
    n = len(adds)
    worth = safe_ratio(ratios * (1 - ratios), squares * n / (n - 1))
    worth = np.where((worth > 0) & (worth < _SPREAD), np.minimum(worth, totals), seen)
    ends = np.array([_ends(r, w, quantile) for r, w in zip(ratios.tolist(), worth.tolist(), strict=True)])
    scale = averaged.scale / len(ratios)
    ways = scale * np.abs(ends - ratios[:, None]).T
    below, above = ways if sign > 0 else ways[::-1]
    return _Side(below, above, sign * safe_ratio(adds, np.sqrt(squares)), seen / (seen + _SHRUNKEN_BY))


def _ends(ratio: float, worth: float, quantile: float) -> Ends:
    return wilson_of(ratio, worth, quantile) if worth > 0 else (0.0, 1.0)


def _length(moves: Float, ways: Float, known: Float) -> float:
    """√(v' R v) of the ways v ``(m,)``, R the correlations of the moves as far as they are known."""
    together = moves @ (ways * np.sqrt(known))
    alone = (1 - known * (moves**2).sum(axis=0)) * ways**2
    return math.sqrt(float(together @ together) + float(alone.sum()))
