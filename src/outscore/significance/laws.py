"""Exact laws of the gain of a pair, without sampling, wherever they cost about half a second or less."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from outscore.base.arrays import Float
from outscore.engine import exact, exact_bootstrap
from outscore.engine.exact import DiscreteLaw
from outscore.engine.extreme import Alternative, tail_mass
from outscore.engine.lattice import LEAST
from outscore.engine.saddlepoint import flip_tail
from outscore.significance.gain import GainContrast
from outscore.significance.p_values import clip_tiny

_LARGEST = 2.0**52  # sums of whole numbers are exact up to twice this
_SOME = 16  # rows that mostly tell how many kinds there are
_MARGIN = 1e-10  # how much thinner than normal a tail may be before the law has to be made again
# where the saddlepoint is within two per cent of the exact p, by comparison: units that differ at least, proportion of
# one of them in the variance at most, and permutations in the tail at least
_FEWEST, _HEAVIEST, _COUNTABLE = 30, 0.2, 1000


def randomization_law(pair: GainContrast) -> DiscreteLaw | None:
    """The law of ``pair.pooled_gain`` over all permutations of the systems' outputs, None where it is too dear.

    Sums of whole numbers by a dynamic programme, ratios of two whole sums by one in two dimensions, any score by
    enumeration when few units differ. Tails at ``pair.pooled_gain`` are accurate to 1e-12; in tails far
    beyond it some mass may be left out, ``law.lost`` at most.
    """
    if not pair.stats.of_sums:
        return None
    a, b, units = pair.whole
    if pair.stats.plain_mean:
        moved, unit = (a - b)[:, 0], float(units[0]) / pair.n_items
        law = _deepen(
            pair,
            moved,
            lambda least: exact.flip_cost(moved, least),
            lambda least: exact.flip_law(moved, least).scale(unit),
        )
        if law is not None:
            return law
    if exact.swap_size(a, b) <= exact.MOST_ASSIGNMENTS:
        law = _orient(exact.swap_law(a, b, lambda sums: pair.stats.function(sums * units)), pair)
        return law if _thinner_tail(pair, law) > 0 else None
    return _ratio_law(pair)


def smallest_p(pair: GainContrast, law: DiscreteLaw, alternative: Alternative) -> float:
    """The smallest p-value that a randomization law can give; a lower bound for a law with mass left out."""
    if law.lost or pair.stats.plain_mean:
        sides = 2 if alternative == "two-sided" else 1
        return min(1.0, clip_tiny(sides * 0.5**pair.n_different))
    ends = float(law.support[0]), float(law.support[-1])
    most = max(ends, key=abs) if alternative == "two-sided" else ends[0 if alternative == "less" else 1]
    return tail_mass(law.support, law.mass, most, alternative=alternative, slack=pair.slack)


def bootstrap_law(pair: GainContrast) -> DiscreteLaw | None:
    """The law of the bootstrap gain under infinitely many resamples, None where it is too dear.

    Means of whole numbers, over items or over clusters of equal size, by Fourier transforms with tilted tails, accurate
    to 1e-10 wherever p is above 1e-300; any score by enumeration when units are few or alike.
    """
    if not pair.stats.of_sums:
        return None
    if pair.stats.plain_mean and _equal_sizes(pair):
        a, b, units = pair.whole
        moved = pair.stats.sign * (a - b)[:, 0]
        if exact_bootstrap.bootstrap_sum_cost(moved) <= exact_bootstrap.MOST_CELLS:
            return exact_bootstrap.bootstrap_sum_law(moved).scale(float(units[0]) / pair.n_items)
    return _enumerate(pair)


def saddlepoint_p(pair: GainContrast, alternative: Alternative) -> float | None:
    """The randomization p-value of a plain mean by the saddlepoint, None where it does not apply.

    For real-valued differences and clusters too. A gain as large as it could be has the exact p-value. It does not
    apply to few units, to units of which one outweighs the others, and next to the largest possible gain.
    """
    if not pair.stats.plain_mean or pair.n_different == 0:
        return None
    a, b, _ = pair.whole
    moved = pair.stats.sign * (a - b)[:, 0]
    moved = moved[moved != 0]
    total = float(moved.sum())
    span = 2.0 * float(np.gcd.reduce(moved.astype(np.int64)))
    at = {"greater": total, "less": -total, "two-sided": abs(total)}[alternative]
    tail = flip_tail(moved, at, span)
    atom = 0.5**moved.size
    at_the_edge = abs(total) == float(np.abs(moved).sum())
    if not at_the_edge and (
        moved.size < _FEWEST
        or float((moved**2).max()) > _HEAVIEST * float((moved**2).sum())
        or tail < _COUNTABLE * atom
    ):
        return None
    p = min(1.0, 2 * tail) if alternative == "two-sided" else tail
    return clip_tiny(p)


def _ratio_law(pair: GainContrast) -> DiscreteLaw | None:
    if pair.stats.ratio is None:
        return None
    numerator, denominator, scale = pair.stats.ratio
    a, b, units = pair.whole
    # runs were summed, not averaged: a ratio does not mind, and the sums stay whole
    sums = [rows * (units / units.min()) @ weights for rows in (a, b) for weights in (numerator, denominator)]
    if not all(np.array_equal(s, np.rint(s)) and np.abs(s).sum() < _LARGEST for s in sums):
        return None
    a_num, a_den, b_num, b_den = sums
    together = float((a_num + b_num).sum() / max((a_den + b_den).sum(), 1.0))
    return _deepen(
        pair,
        a_num - b_num - together * (a_den - b_den),
        lambda least: exact.ratio_swap_cost(a_num, a_den, b_num, b_den, least),
        lambda least: _orient(exact.ratio_swap_law(a_num, a_den, b_num, b_den, scale, least), pair),
    )


def _deepen(
    pair: GainContrast, moved: Float, cost: Callable[[float], int], make: Callable[[float], DiscreteLaw]
) -> DiscreteLaw | None:
    """A law that is accurate as far out as the gain lies.

    Made for tails as small as a normal law would have there, and again for smaller ones where that was not enough. None
    where it is too dear, or the tail beyond double precision.

    Args:
        moved: what each unit can move the gain by, to first order.
    """
    spread = float(moved @ moved)
    distance = float(moved.sum()) ** 2 / spread if spread else 0.0
    least = max(math.exp(-distance / 2) * _MARGIN, LEAST)
    while cost(least) <= exact.MOST_UPDATES:
        law = make(least)
        tail = _thinner_tail(pair, law)
        if tail >= least or (tail > 0 and law.lost == 0):
            return law
        if least <= LEAST:
            return None
        least = max(least**2, LEAST)
    return None


def _thinner_tail(pair: GainContrast, law: DiscreteLaw) -> float:
    """The probability of a gain as large as the observed one, or as small."""
    sides: tuple[Alternative, ...] = ("greater", "less")
    return min(tail_mass(law.support, law.mass, pair.pooled_gain, alternative=s, slack=pair.slack) for s in sides)


def _orient(law: DiscreteLaw, pair: GainContrast) -> DiscreteLaw:
    """The law of the gain from that of the difference of scores."""
    return law if pair.stats.sign > 0 else law.negate()


def _equal_sizes(pair: GainContrast) -> bool:
    """Every unit weighs the same, so that a mean of resampled units has a fixed denominator."""
    weights = pair.whole[0][:, 1]
    return bool((weights == weights[0]).all())


def _enumerate(pair: GainContrast) -> DiscreteLaw | None:
    stats = pair.stats
    systems = stats.rows[pair.system], stats.rows[pair.baseline]
    runs, k = len(systems[0]), len(stats.steps)
    rows = np.concatenate([s.transpose(1, 0, 2).reshape(pair.n_units, -1) for s in systems], axis=1)

    def gain(sums: Float) -> Float:
        scores = stats.score(sums.reshape(len(sums), -1, k))
        return np.asarray(stats.sign * (scores[:, :runs].mean(axis=1) - scores[:, runs:].mean(axis=1)))

    if any(exact_bootstrap.bootstrap_size(r[None]) > exact_bootstrap.MOST_COUNT_VECTORS for r in (rows[:_SOME], rows)):
        return None
    return exact_bootstrap.bootstrap_law(rows[None], gain)
