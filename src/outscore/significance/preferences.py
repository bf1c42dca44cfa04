"""Systems by judgments between two of them: expected wins (Koehn 2012), and ratings by maximum likelihood.

Ratings are those of Bradley & Terry 1952, with ties of Davidson 1970. With d the difference of two ratings, the first
wins, loses or ties with chances in the proportion e^(d/2) : e^(-d/2) : ν. A judgment adds y = ½, -½ or 0 to the
statistic of its pair; where ties count half, ν is 0 and only y is fitted.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.significance.means import satterthwaite
from outscore.significance.p_values import student_quantile
from outscore.significance.proportions import Ends, wilson_of

Ties = Literal["half", "davidson"]

_STEPS = 100

_CONVERGED = 1e-10  # gradient, as a proportion of the judgments

_SMALLEST_STEP = 2.0**-30

_NOTHING = 1e-20  # variance of proportions, below which it is rounding


def expected_wins(wins: Float) -> Float:
    """Expected wins ``(..., systems)``: the mean over the other systems of wins over wins and losses (Koehn 2012).

    Pairs without a decided judgment are left out; NaN where a system has no other pair.

    Args:
        wins: ``(..., systems, systems)``, how often the row is preferred to the column.
    """
    shares = win_proportions(wins)
    known = np.isfinite(shares)
    number = known.sum(axis=-1)
    found = np.full(number.shape, np.nan)
    np.divide(np.where(known, shares, 0.0).sum(axis=-1), number, out=found, where=number > 0)
    return found


def win_proportions(wins: Float) -> Float:
    """Wins over wins and losses ``(..., systems, systems)``; NaN where there are neither, and on the diagonal."""
    decided = wins + np.swapaxes(wins, -1, -2)
    shares = np.full(wins.shape, np.nan)
    np.divide(wins, decided, out=shares, where=decided > 0)
    diagonal = np.arange(wins.shape[-1])
    shares[..., diagonal, diagonal] = np.nan
    return shares


def wins_interval(wins: Float, losses: Float, level: float) -> Ends | None:
    """Wilson's interval of a system's expected wins, or of its wins over one other, by effective judgments.

    The variance is that of the linear parts of the units, CR2 by the proportion of decided judgments that each holds;
    n effective judgments would have it, at most as many as were decided. Where no unit differs, units are judgments.

    Args:
        wins, losses: ``(units, others)`` against each other system; units are independent items or clusters.

    Returns:
        The ends, at Student's quantile with Satterthwaite's degrees of freedom; None below two units with a decision.

    Source: Wilson 1927; Korn & Graubard 1998 for effective numbers; Pustejovsky & Tipton 2018 for CR2.
    """
    decided = wins + losses
    told, met = decided.any(axis=1), decided.any(axis=0)
    if told.sum() < 2:
        return None
    wins, decided = wins[np.ix_(told, met)], decided[np.ix_(told, met)]
    totals, weights = decided.sum(axis=0), decided.sum(axis=1) / decided.sum()
    shares = wins.sum(axis=0) / totals
    linear = ((wins - shares * decided) / totals).mean(axis=1)
    mean, variance = float(shares.mean()), float((linear**2 / (1 - weights)).sum())
    n = mean * (1 - mean) / variance if variance > _NOTHING else 1 / float((weights**2).sum())
    return wilson_of(mean, min(n, float(decided.sum())), student_quantile(level, satterthwaite(weights)))


@dataclass(frozen=True, kw_only=True)
class BradleyTerry:
    """The fit.

    Attributes:
        ratings: ``(k,)`` log odds with mean 0: a system that is d higher wins e^d times as often as it loses.
        influence: ``(units, k)``, what each unit contributes to the ratings; every column sums to 0. The ratings of a
            resampled set of units are, to first order, the ratings plus the influence of what was drawn.
        tie: ν, as chances of a tie between equal systems go, ν : 2; None where ties count half or there are none.
    """

    ratings: Float
    influence: Float
    tie: float | None

    @property
    def errors(self) -> Float:
        """Standard errors ``(k,)`` of the ratings: sandwich over units, with the factor G/(G - 1)."""
        units = len(self.influence)
        return np.asarray(np.sqrt(units / (units - 1) * (self.influence**2).sum(axis=0)))


def find_groups(first: Int, second: Int, k: int) -> list[tuple[int, ...]]:
    """The systems that judgments tie together, directly or through others; more than one group has no common scale.

    Args:
        first, second: ``(n,)`` numbers of the two systems of each judgment.
        k: number of systems.
    """
    met = np.zeros((k, k), dtype=np.bool_)
    met[first, second] = met[second, first] = True
    reached = _close_transitively(met)
    return list(dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in reached))


def find_separated(first: Int, second: Int, outcome: Float, k: int) -> tuple[tuple[int, ...], bool] | None:
    """Systems whose ratings are infinite, as no other ever beat or tied them, or they none; None where there are none.

    Ratings are finite where every system can be reached from every other by wins and ties (Ford 1957). Of several such
    groups it is the smallest.

    Args:
        first, second, k: as in ``find_groups``; all systems in one part.
        outcome: ``(n,)`` 1 where the first is preferred, -1 where the second is, 0 for a tie.

    Returns:
        The systems, and whether they are above all others rather than below.
    """
    reached = _close_transitively(_find_above(first, second, outcome, k))
    found = []
    for up in (True, False):
        over = reached if up else reached.T
        for system in range(k):
            if not (over[:, system] & ~over[system]).any() and not over[:, system].all():
                found.append((tuple(np.flatnonzero(over[:, system]).tolist()), up))
    return min(found, key=lambda group: len(group[0]), default=None)


def has_unbounded_ties(first: Int, second: Int, outcome: Float, k: int) -> bool:
    """Whether no finite ν and ratings fit best although ties tie all systems together.

    ν and the ratings can grow together, without making what was seen less likely, unless wins outnumber ties on some
    way round from a system back to itself.
    """
    steps = np.full((k, k), np.inf)
    tied = outcome == 0
    steps[first[tied], second[tied]] = steps[second[tied], first[tied]] = 1.0
    for mark, winner, loser in ((1, first, second), (-1, second, first)):
        steps[winner[outcome == mark], loser[outcome == mark]] = -1.0
    for middle in range(k):
        steps = np.minimum(steps, steps[:, middle, None] + steps[None, middle])
        if (steps.diagonal() < 0).any():
            return False
    return True


def bradley_terry(first: Int, second: Int, outcome: Float, units: Int, k: int, *, ties: Ties = "half") -> BradleyTerry:
    """Maximum-likelihood ratings and what each unit contributes to them.

    Args:
        first, second, outcome, k: as in ``find_separated``.
        units: ``(n,)`` numbers from 0 of what is independent: prompts, documents.
        ties: ``half`` a win for each of the two; or ``davidson``, an outcome of their own (Davidson 1970).

    Raises:
        UsageError: there are no finite ratings; ``find_groups``, ``find_separated`` and ``has_unbounded_ties`` say why.
    """
    free = ties == "davidson" and bool((outcome == 0).any())
    finite = len(find_groups(first, second, k)) == 1 and find_separated(first, second, outcome, k) is None
    if not finite or not (outcome != 0).any() or (free and has_unbounded_ties(first, second, outcome, k)):
        raise UsageError("these judgments have no finite ratings")
    pair, where = np.unique(first * k + second, return_inverse=True)
    seen = np.stack([np.bincount(where, outcome == mark, len(pair)).astype(np.float64) for mark in (1, 0, -1)])
    model = _Model(pair // k, pair % k, k, free)
    theta = np.zeros(k + 1)
    value = model.log_likelihood(theta, seen)
    for _ in range(_STEPS):
        gradient, information = model.derivatives(theta, seen)
        if np.abs(gradient).max() <= _CONVERGED * len(first):
            break
        step, size = np.linalg.pinv(information, hermitian=True) @ gradient, 1.0
        while (after := model.log_likelihood(theta + size * step, seen)) < value and size > _SMALLEST_STEP:
            size /= 2
        theta, value = theta + size * step, after
    _, information = model.derivatives(theta, seen)
    return BradleyTerry(
        ratings=theta[:k] - theta[:k].mean(),
        influence=(model.scores(theta, where, outcome, units) @ np.linalg.pinv(information, hermitian=True))[:, :k],
        tie=math.exp(theta[k]) if free else None,
    )


@dataclass(frozen=True)
class _Model:
    """The likelihood of pairs ``(m,)`` of systems; parameters are k ratings and log ν, which is free or -∞."""

    first: Int
    second: Int
    k: int
    free: bool

    def probabilities(self, theta: Float) -> Float:
        """Chances ``(3, m)`` that the first wins, of a tie, and that the second wins."""
        d = theta[self.first] - theta[self.second]
        tie = np.full_like(d, theta[self.k] if self.free else -np.inf)
        weights = np.stack([d / 2, tie, -d / 2])
        weights = np.exp(weights - weights.max(axis=0))
        return np.asarray(weights / weights.sum(axis=0))

    def log_likelihood(self, theta: Float, seen: Float) -> float:
        """Of outcomes ``(3, m)``; a tie without ν is half a win for each."""
        win, tie, loss = np.log(np.maximum(self.probabilities(theta), np.finfo(float).tiny))
        of_ties = tie if self.free else (win + loss) / 2
        return float((seen[0] * win + seen[1] * of_ties + seen[2] * loss).sum())

    def derivatives(self, theta: Float, seen: Float) -> tuple[Float, Float]:
        """Gradient ``(k + 1,)`` and information ``(k + 1, k + 1)``."""
        win, tie, loss = self.probabilities(theta)
        n, mean = seen.sum(axis=0), (win - loss) / 2
        gradient, information = np.zeros(self.k + 1), np.zeros((self.k + 1, self.k + 1))
        slope = (seen[0] - seen[2]) / 2 - n * mean
        curve = n * ((win + loss) / 4 - mean**2)
        for one, other, sign in ((self.first, self.second, 1.0), (self.second, self.first, -1.0)):
            np.add.at(gradient, one, sign * slope)
            np.add.at(information, (one, one), curve)
            np.add.at(information, (one, other), -curve)
            np.add.at(information[self.k], one, -sign * n * mean * tie)
        if self.free:
            gradient[self.k] = float((seen[1] - n * tie).sum())
            information[self.k, self.k] = float((n * tie * (1 - tie)).sum())
        information[:, self.k] = information[self.k]
        return gradient, information

    def scores(self, theta: Float, where: Int, outcome: Float, units: Int) -> Float:
        """Gradients ``(units, k + 1)`` of what each unit says; ``where`` is the pair of each judgment."""
        win, tie, loss = self.probabilities(theta)
        found = np.zeros((int(units.max()) + 1, self.k + 1))
        residual = outcome / 2 - ((win - loss) / 2)[where]
        np.add.at(found, (units, self.first[where]), residual)
        np.add.at(found, (units, self.second[where]), -residual)
        if self.free:
            np.add.at(found, (units, np.full(len(units), self.k)), (outcome == 0) - tie[where])
        return found


def _find_above(first: Int, second: Int, outcome: Float, k: int) -> Bool:
    """``(k, k)``, whether the row ever beat or tied the column."""
    found = np.zeros((k, k), dtype=np.bool_)
    found[first[outcome >= 0], second[outcome >= 0]] = True
    found[second[outcome <= 0], first[outcome <= 0]] = True
    return found


def _close_transitively(edges: Bool) -> Bool:
    """Transitive closure, everything reaching itself."""
    found = edges | np.eye(len(edges), dtype=np.bool_)
    for middle in range(len(found)):
        found |= found[:, middle, None] & found[None, middle]
    return found
