"""The level of the tests against a margin where they are hardest to hold: a true gain exactly at the margin.

A simulated level must not exceed the binomial quantile at 1e-6 of the true level named beside it (false alarms: 1e-6
for each test); the level of the score test is summed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest

from outscore.significance import tests
from outscore.significance.equivalence import procedure, tost_paired_proportions
from outscore.significance.gain import GainContrast
from outscore.significance.proportions import tango_score
from tests.laws.support import (
    ALPHA,
    cluster_labels,
    clustered,
    discordant,
    experiment,
    exponential,
    f1_stats,
    least,
    most,
    normal,
    pairing,
    repeated,
    replicated,
    replicates,
    settings,
)

MARGIN = 0.2
PLAIN = settings(1)


def levels(pairs: Iterable[GainContrast], test: str, margin: float) -> tuple[float, float, float]:
    """How often H0: gain >= margin, H0: gain <= margin (as -margin of the other sign), and both of a TOST are rejected.

    The true gain is the margin, so that each of the first two is wrong at the rate of its level, and the interval at
    level 1 - 2 alpha misses the gain as often as both together; the third is the claim of equivalence.
    """
    below, above, both, number = 0, 0, 0, 0
    for pair in pairs:
        found = procedure(pair, tests.make(test)).tost(margin, ALPHA)
        assert found is not None
        below += found.high < margin
        above += found.low > margin
        both += found.p <= ALPHA
        assert (found.p_upper <= ALPHA) == (found.high < margin)
        number += 1
    return below / number, above / number, both / number


def items(n: int, labels: int | None = None, skewed: bool = False) -> Callable[[int, int], Iterator[GainContrast]]:
    draw = clustered(n, labels) if labels else exponential(n) if skewed else normal(n)

    def pairs(number: int, seed: int) -> Iterator[GainContrast]:
        numbers = None if labels is None else cluster_labels(n, labels)
        return replicates(lambda rng, k: draw(rng, k) + MARGIN, number, settings(1, seed), numbers)

    return pairs


def over_runs(n: int, runs: int, rho: float) -> Callable[[int, int], Iterator[GainContrast]]:
    def pairs(number: int, seed: int) -> Iterator[GainContrast]:
        rng = np.random.default_rng(seed)
        for _ in range(number):
            a, b = replicated(rng, n, runs, rho)
            yield pairing(a + MARGIN, b, PLAIN)

    return pairs


@pytest.mark.parametrize(
    ("test", "pairs", "true"),
    [
        pytest.param("t", items(10), 0.05, id="t-10"),
        pytest.param("t", items(50), 0.05, id="t-50"),
        pytest.param("t", items(100, 5), 0.055, id="clusters"),  # 20 of them
        pytest.param("crossed", over_runs(60, 5, 0.5), 0.055, id="runs-5", marks=pytest.mark.slow),
        pytest.param("crossed", over_runs(60, 3, 1.0), 0.055, id="runs-3", marks=pytest.mark.slow),
    ],
)
@repeated(400, 1500)
def test_each_side_holds_its_level_at_the_margin(
    test: str, pairs: Callable[[int, int], Iterator[GainContrast]], true: float, reps: int
) -> None:
    number = reps // 2 if test == "crossed" else reps
    below, above, both = levels(pairs(number, 4), test, MARGIN)
    assert below <= most(true, number)
    assert above <= most(true, number)
    assert both <= most(true, number)
    if true == 0.05:  # exact for normal differences: neither do they fall short
        assert below >= least(true, number)


def test_skewed_differences_miss_the_level_on_one_side_only() -> None:
    # exponential differences, 30 items: a small mean comes with a small deviation; .096 below and .024 above
    below, above, _ = levels(items(30, skewed=True)(1500, 5), "t", MARGIN)
    assert least(0.06, 1500) <= below <= most(0.12, 1500)
    assert above <= most(0.03, 1500)


def f1_pairs(n: int, number: int, seed: int) -> tuple[Iterator[GainContrast], float]:
    """Micro-F1 of two systems that find .75 and .65 of the gold items, and the true gain."""
    rates, spurious, gold = (0.65, 0.75), 0.5, 2.5
    truth = [2 * p * gold / (p * gold + spurious + gold) for p in rates]

    def pairs() -> Iterator[GainContrast]:
        rng = np.random.default_rng(seed)
        for _ in range(number):
            wanted = 1 + rng.poisson(gold - 1, n)
            found = [rng.binomial(wanted, p) for p in rates]
            counts = [np.stack([tp, rng.poisson(spurious, n), wanted - tp], -1)[None].astype(float) for tp in found]
            yield GainContrast(experiment(f1_stats(counts), settings=PLAIN), 0, 1)

    return pairs(), truth[1] - truth[0]


@pytest.mark.parametrize(("n", "true"), [(20, 0.065), (60, 0.06), pytest.param(200, 0.055, marks=pytest.mark.slow)])
@repeated(200, 800)
def test_corpus_scores_nearly_hold_their_level_on_both_sides(n: int, true: float, reps: int) -> None:
    pairs, truth = f1_pairs(n, reps, n)
    below, above, both = levels(pairs, "randomization", truth)
    assert max(below, above, both) <= most(true, reps)
    assert min(below, above) >= least(0.035, reps)


@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize("disagreement", [0.06, 0.2])
def test_the_score_test_nearly_holds_its_level(n: int, disagreement: float) -> None:
    margin = 0.05
    cells = discordant(n, (disagreement + margin) / 2, (disagreement - margin) / 2)
    tail = [(p, tost_paired_proportions(b, c, n, margin)) for b, c, p in cells]
    claimed = sum(p for p, found in tail if found.p <= ALPHA)
    below = sum(p for p, found in tail if found.p_upper <= ALPHA)
    assert claimed <= below <= 0.06  # summed, so no false alarm: .014 to .050, and .044 to .054 above
    above = sum(p for b, c, p in cells if tango_score(b, c, n, margin) >= 1.6449)
    assert above <= 0.06


@pytest.mark.nightly
@pytest.mark.parametrize("n", [10, 30, 100])
def test_levels_and_coverage_in_long_simulations(n: int) -> None:
    # t tests of normal differences: each side .05, coverage of the 90 % interval .90
    number = 10_000
    below, above, both = levels(items(n)(number, 8), "t", MARGIN)
    assert least(0.05, number) <= below <= most(0.05, number)
    assert least(0.05, number) <= above <= most(0.05, number)
    assert least(0.9, number) <= 1 - below - above <= most(0.9, number)
    assert both <= most(0.05, number)


@pytest.mark.nightly
@pytest.mark.parametrize(("runs", "rho"), [(3, 0.0), (5, 1.0), (10, 0.5)])
def test_levels_over_runs_in_long_simulations(runs: int, rho: float) -> None:
    # true one-sided sizes of the crossed t lie between .02 and .06
    number = 2500
    below, above, both = levels(over_runs(60, runs, rho)(number, 9), "crossed", MARGIN)
    assert max(below, above, both) <= most(0.06, number)
    assert min(below, above) >= least(0.02, number)
