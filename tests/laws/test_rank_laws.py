"""Rank sets hold all true ranks, tiers keep equal systems together, and bootstrap ranks do neither.

Bounds fail a right program with probability 1e-6. Five systems whose items share their difficulty; 40 items, few for
bootstrap laws. A level of 6 % in place of 5 % leaves room for what the bootstrap of so few items is off.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.data.judgments import Preferences
from outscore.results.leaderboard import Leaderboard
from tests.laws.support import least, most

LEVEL = 0.06
TRUTHS = {
    "all equal": (0.0, 0.0, 0.0, 0.0, 0.0),
    "two groups": (0.5, 0.5, 0.0, 0.0, 0.0),
    "all different": (1.0, 0.75, 0.5, 0.25, 0.0),
}


def boards(means: tuple[float, ...], trials: int, n: int = 40) -> list[Leaderboard]:
    rng = np.random.default_rng(11)
    found = []
    for trial in range(trials):
        scores = rng.normal(size=n) + rng.normal(size=(len(means), n)) + np.array(means)[:, None]
        data = {str(i): row for i, row in enumerate(scores)}
        found.append(outscore.rank(data, test="t", n_resamples=200, seed=trial, jobs=1))
    return found


def true_ranks(means: tuple[float, ...]) -> list[tuple[int, int]]:
    """Best and worst rank of each: equal systems share all ranks of their group."""
    return [(1 + sum(b > a for b in means), sum(b >= a for b in means)) for a in means]


@pytest.mark.slow
@pytest.mark.parametrize("truth", TRUTHS)
def test_rank_sets_cover_all_true_ranks_and_tiers_split_no_equal_systems(truth: str) -> None:
    means, trials = TRUTHS[truth], 400
    ranks = true_ranks(means)
    missed = split = 0
    for result in boards(means, trials):
        places = {int(place.system): place for place in result.places}
        missed += any(places[s].best > low or places[s].worst < high for s, (low, high) in enumerate(ranks))
        split += any(
            places[a].tier != places[b].tier for a, b in combinations(range(len(means)), 2) if means[a] == means[b]
        )
    assert missed / trials <= most(LEVEL, trials)
    assert split <= missed


@pytest.mark.slow
def test_bootstrap_ranks_miss_true_ranks_where_scores_are_nearly_equal() -> None:
    """The reason why they are only described: their 95 % hold all five ranks far less often than the rank sets do."""
    means = tuple(1e-9 * s for s in range(5, 0, -1))
    trials, held, sets = 200, 0, 0
    for result in boards(means, trials):
        held += all(p.bootstrap[0] <= int(p.system) + 1 <= p.bootstrap[1] for p in result.places)
        sets += all(p.best <= int(p.system) + 1 <= p.worst for p in result.places)
    assert sets / trials >= least(1 - LEVEL, trials)
    assert held / trials <= 0.80


def copied_votes(rng: np.random.Generator, theta: Float, prompts: int, copies: int) -> Preferences:
    """Every pair judged once on each prompt, and the judgment repeated, so that only prompts are independent."""
    k = len(theta)
    pairs = np.array(list(combinations(range(k), 2)))
    first, second = np.tile(np.repeat(pairs, copies, axis=0), (prompts, 1)).T
    chance = 1 / (1 + np.exp(theta[pairs[:, 1]] - theta[pairs[:, 0]]))
    won = rng.random((prompts, len(pairs))) < chance
    return Preferences(
        systems=tuple(map(str, range(k))),
        items=tuple(map(str, range(prompts))),
        item=np.repeat(np.arange(prompts), copies * len(pairs)),
        first=first,
        second=second,
        outcome=np.repeat(np.where(won, 1.0, -1.0).ravel(), copies),
        about={},
        sources=(),
    )


@pytest.mark.slow
def test_intervals_of_ratings_cover_when_judgments_of_a_prompt_hang_together() -> None:
    rng = np.random.default_rng(5)
    theta = np.array([0.6, 0.2, -0.2, -0.6])
    trials, held, alone = 400, np.zeros(4), np.zeros(4)
    for _ in range(trials):
        votes = copied_votes(rng, theta, prompts=40, copies=3)
        result = outscore.rank(votes, n_resamples=20, jobs=1)
        ends = [score.ci or (math.nan, math.nan) for score in result.scores]
        held += [low <= value <= high for (low, high), value in zip(ends, theta, strict=True)]
        # as if every judgment were independent: narrower by the root of the copies
        middles = [(high + low) / 2 for low, high in ends]
        halves = [(high - low) / 2 / math.sqrt(3) for low, high in ends]
        alone += [abs(m - value) <= h for m, h, value in zip(middles, halves, theta, strict=True)]
    assert (held / trials >= least(0.94, trials)).all()
    assert (alone / trials <= 0.85).all()


@pytest.mark.slow
def test_equal_systems_are_seldom_told_apart_by_their_ratings() -> None:
    rng = np.random.default_rng(6)
    trials = 300
    wrong = sum(
        any(place.best > 1 for place in outscore.rank(copied_votes(rng, np.zeros(4), 40, 2), n_resamples=200).places)
        for _ in range(trials)
    )
    assert wrong / trials <= most(LEVEL, trials)
