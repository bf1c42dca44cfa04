"""Which ranks the systems of a leaderboard can have: rank sets and tiers from corrected tests, and bootstrap ranks.

Rank 1 is the best. ``better[i, j]`` says that system i is significantly better than j, by p-values that are corrected
over all pairs; what follows from it holds for all systems at once, at that level.
"""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.lazy import dataclass
from outscore.engine.intervals import quantile

_ROWS = 1024  # of resampled scores that are ranked at once: memory stays that of the ranks


@dataclass(frozen=True, kw_only=True)
class RankSets:
    """The ranks that each system can have, as far as the tests say.

    Attributes:
        best: ``(k,)`` the best rank a system can have.
        worst: ``(k,)`` the worst one. With probability 1 - alpha all true ranks lie between.
        leaders: systems that can have rank 1.
    """

    best: tuple[int, ...]
    worst: tuple[int, ...]
    leaders: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class BootstrapRanks:
    """Ranks in resampled test sets: descriptive, each system by itself, and wrong where true scores are nearly equal.

    Attributes:
        intervals: for each system the lowest and highest rank of the central proportion of the resampled test sets.
        mean: ``(k,)`` mean rank.
        first: ``(k,)`` proportion of the resampled test sets in which a system is best, ties split.
        scores: ``(B, k)`` those that were ranked.
    """

    intervals: tuple[tuple[int, int], ...]
    mean: Float
    first: Float
    scores: Float

    @property
    def beats(self) -> Float:
        """``(k, k)`` share of the test sets in which system i scores above j, ties half."""
        columns = self.scores.T
        return np.array([[((a > b) + 0.5 * (a == b)).mean() for b in columns] for a in columns])


def rank_sets(better: Bool) -> RankSets:
    """Simultaneous rank sets: from one plus the systems that are better, to k minus those that are worse.

    They hold all true ranks with probability 1 - alpha (Al Mohamad, Goeman & van Zwet 2022; Mogstad et al. 2024).
    """
    best = 1 + better.sum(axis=0)
    worst = len(better) - better.sum(axis=1)
    return RankSets(
        best=tuple(best.tolist()), worst=tuple(worst.tolist()), leaders=tuple(np.flatnonzero(best == 1).tolist())
    )


def tiers(scores: Float, better: Bool) -> list[tuple[int, ...]]:
    """Groups of systems in decreasing order of their scores; every system is better than all of every later group.

    Args:
        scores: ``(k,)``, greater is better.
        better: ``(k, k)``.
    """
    order = np.argsort(-scores, kind="stable")
    sorted_better = better[np.ix_(order, order)]
    ends = [i for i in range(1, len(order)) if sorted_better[:i, i:].all()]
    return [tuple(group.tolist()) for group in np.split(order, ends)]


def letters(scores: Float, better: Bool) -> list[str]:
    """A compact letter display: systems that share a letter are not significantly different (Piepho 2004).

    Args:
        scores: ``(k,)``, the first letters go to the best.
        better: ``(k, k)``.
    """
    order = np.argsort(-scores, kind="stable").tolist()
    differ = (better | better.T)[np.ix_(order, order)]
    # a group is a number with a bit for each place; one that is not split stays, as no part can hold all of it
    groups = [(1 << len(order)) - 1]
    for i, j in np.argwhere(np.triu(differ)).tolist():
        both = 1 << i | 1 << j
        split = [group for group in groups if group & both == both]
        if split:
            groups = [group for group in groups if group & both != both]
            parts = dict.fromkeys(group & ~(1 << place) for group in split for place in (i, j))
            others = [*groups, *parts]
            groups += [part for part in parts if not any(part & other == part != other for other in others)]
    members = sorted([place for place in range(len(order)) if group >> place & 1] for group in groups)
    shown = {s: "".join(_letter(n) for n, group in enumerate(members) if i in group) for i, s in enumerate(order)}
    return [shown[s] for s in range(len(scores))]


def bootstrap_ranks(scores: Float, level: float = 0.95) -> BootstrapRanks:
    """Ranks of resampled scores; intervals from the inverse of their distribution function.

    Args:
        scores: ``(B, k)``, greater is better, all systems on the same resampled test sets.
        level: proportion of the test sets within each interval.
    """
    ranks = np.empty(scores.shape)
    for first in range(0, len(scores), _ROWS):
        _rank_rows(scores[first : first + _ROWS], ranks[first : first + _ROWS])
    ends = quantile(ranks, np.array([(1 - level) / 2, (1 + level) / 2]), 1, axis=0)
    top = ranks == 1
    return BootstrapRanks(
        intervals=tuple((int(low), int(high)) for low, high in ends.T), mean=ranks.mean(axis=0),
        first=(top / top.sum(axis=1, keepdims=True)).mean(axis=0), scores=scores,
    )  # fmt: skip


def _rank_rows(scores: Float, ranks: Float) -> None:
    """One plus the number of greater scores of each row, into ``ranks``."""
    order = np.argsort(-scores, axis=1)
    ordered = np.take_along_axis(scores, order, axis=1)
    falls = np.zeros(scores.shape, dtype=np.int64)
    falls[:, 1:] = np.where(ordered[:, 1:] < ordered[:, :-1], np.arange(1, scores.shape[1]), 0)
    np.put_along_axis(ranks, order, 1.0 + np.maximum.accumulate(falls, axis=1), axis=1)


def _letter(number: int) -> str:
    """a ... z, then A ... Z, then numbers in brackets."""
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return alphabet[number] if number < len(alphabet) else f"({number + 1})"
