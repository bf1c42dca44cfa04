"""Shares near their limits, right or wrong answers in few or unequal clusters: coverage, level, power of defaults.

Bounds are binomial quantiles at 1e-6 of the rates named beside them (``support.least`` and ``most``), so that each test
fails a right program with that chance over the choice of seeds. Each test was seen to fail on version 0.1.0.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from outscore.base.arrays import Float, Int
from outscore.significance.choose import choose
from outscore.significance.confidence import gain_interval, score_interval
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from tests.laws.support import experiment, f1_stats, least, mean_stats, most, p_of, repeated, settings

EQUAL, FEW, FEWER, UNEQUAL = [10] * 20, [10] * 8, [10] * 5, [40] * 5 + [2] * 20


def labels_of(sizes: list[int]) -> Int:
    return np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)


def answers(rng: np.random.Generator, sizes: list[int], share: float, icc: float) -> Float:
    """Right or wrong: each cluster has a chance of its own from a beta law with that mean."""
    strength = (1 - icc) / icc
    chance = rng.beta(share * strength, (1 - share) * strength, len(sizes))
    return (rng.random(sum(sizes)) < chance[labels_of(sizes)]).astype(float)


def of_shares(rng: np.random.Generator, trials: int, sizes: list[int], share: float, icc: float) -> Resamples:
    """As many systems as trials; nothing is drawn for their intervals."""
    systems = [answers(rng, sizes, share, icc)[None] for _ in range(trials)]
    return experiment(mean_stats(systems, labels_of(sizes)), settings=settings(1))


def pairs(trials: int, sizes: list[int], disagreement: float, wins: float, icc: float = 0.3) -> Iterator[GainContrast]:
    """Right or wrong answers that differ on some items, some clusters more, with wins that go together."""
    rng, labels, strength = np.random.default_rng(7), labels_of(sizes), (1 - icc) / icc
    for _ in range(trials):
        differ = rng.random(sum(sizes)) < rng.beta(4 * disagreement, 4 * (1 - disagreement), len(sizes))[labels]
        won = rng.random(sum(sizes)) < rng.beta(wins * strength, (1 - wins) * strength, len(sizes))[labels]
        system, baseline = (differ & won).astype(float), (differ & ~won).astype(float)
        yield GainContrast(experiment(mean_stats([baseline[None], system[None]], labels), settings=settings(1)), 0, 1)


@pytest.mark.parametrize(
    ("sizes", "share", "covered"),
    # CR2 t: .68, .69, .68
    [
        pytest.param(EQUAL, 0.98, 0.95, id="20 of 10", marks=pytest.mark.slow),
        pytest.param(FEW, 0.95, 0.95, id="8 of 10", marks=pytest.mark.slow),
        pytest.param(UNEQUAL, 0.95, 0.93, id="5 of 40 and 20 of 2"),
        # most hold no wrong answer: note few_clusters_apart
        pytest.param([10] * 60, 0.98, 0.905, id="60 of 10", marks=pytest.mark.slow),
    ],
)
def test_a_clustered_share_near_one_is_covered(sizes: list[int], share: float, covered: float) -> None:
    trials = 1000
    scores = of_shares(np.random.default_rng(1), trials, sizes, share, 0.3)
    found = [score_interval(scores, 0, s)[0] for s in range(trials)]
    assert np.mean([e is not None and 0 <= e[0] <= share <= e[1] <= 1 for e in found]) >= least(covered, trials)


def test_a_clustered_share_in_the_middle_is_covered_by_no_more_than_it_should() -> None:
    trials = 1000  # true coverage .958
    scores = of_shares(np.random.default_rng(2), trials, EQUAL, 0.5, 0.3)
    ends = [score_interval(scores, 0, s)[0] or (0.0, 0.0) for s in range(trials)]
    held = float(np.mean([low <= 0.5 <= high for low, high in ends]))
    assert least(0.95, trials) <= held <= most(0.965, trials)


def test_a_mean_of_partial_credits_near_one_is_covered() -> None:
    trials, credits, chances = 1000, np.array([0, 0.25, 0.5, 0.75, 1]), np.array([0.02, 0.02, 0.03, 0.03, 0.9])
    systems = list(np.random.default_rng(3).choice(credits, (trials, 1, 20), p=chances))
    stats = mean_stats(systems)
    stats.limits = (0.0, 1.0)
    scores = experiment(stats, settings=settings(1))
    ends = [score_interval(scores, 0, s)[0] or (0.0, 0.0) for s in range(trials)]  # t covers .80
    held = float(np.mean([low <= credits @ chances <= high for low, high in ends]))
    assert held >= least(0.96, trials)
    assert max(high for _, high in ends) <= 1


@repeated(250, 1000)
def test_rare_gains_in_few_clusters_are_covered(reps: int) -> None:
    truth = 0.05 * (2 * 0.75 - 1)
    ends = [gain_interval(pair)[0] or (0.0, 0.0) for pair in pairs(reps, FEW, 0.05, 0.75)]
    assert np.mean([low <= truth <= high for low, high in ends]) >= least(0.97, reps)  # CR2 t: .79


@pytest.mark.parametrize(
    ("sizes", "found"),
    # true power .26, .44 and .86; exchanges of clusters: 0, .37 and .86
    [
        pytest.param(FEWER, 0.25, id="5 clusters", marks=pytest.mark.slow),
        pytest.param(FEW, 0.43, id="8 clusters"),
        pytest.param(EQUAL, 0.85, id="20 clusters", marks=pytest.mark.slow),
    ],
)
@repeated(300, 3000)
def test_the_default_in_few_clusters_has_the_power_of_cr2_t_and_holds_its_level(
    sizes: list[int], found: float, reps: int
) -> None:

    def rejected(wins: float) -> float:
        return float(np.mean([p_of(choose(pair).test, pair) <= 0.05 for pair in pairs(reps, sizes, 0.5, wins)]))

    assert rejected(0.5) <= most(0.055, reps)
    assert rejected(0.75) >= least(found, reps)


def counts(rng: np.random.Generator, sizes: list[int]) -> Float:
    """tp, fp, fn of each item ``(1, items, 3)``: each cluster has a recall and a rate of false finds of its own."""
    labels = labels_of(sizes)
    gold = 1 + rng.poisson(2.0, len(labels))
    found = rng.binomial(gold, rng.beta(2.8, 1.2, len(sizes))[labels])
    wrong = rng.poisson(0.3 * rng.gamma(2.0, 0.5, len(sizes))[labels] * gold)
    return np.stack([found, wrong, gold - found], axis=-1)[None].astype(float)


@repeated(None, 3000)
def test_gains_of_f1_in_unequal_clusters_are_covered(reps: int) -> None:
    # the sum of squares of clusters less one: .88
    rng, sizes = np.random.default_rng(8), [40, 30, 20, *[5] * 9]
    held = 0
    for _ in range(reps):
        stats = f1_stats([counts(rng, sizes), counts(rng, sizes)], labels_of(sizes))
        low, high = gain_interval(GainContrast(experiment(stats, settings=settings(1)), 0, 1))[0] or (0.0, 0.0)
        held += low <= 0 <= high
    assert held / reps >= least(0.945, reps)
