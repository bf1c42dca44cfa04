"""Exact tests are exact: over all relabellings of a small data set P(p <= alpha) <= alpha, a theorem without exception.

Every relabelling that the null hypothesis makes equally likely is tested in turn, by the real test. The share of
relabellings with p <= alpha is compared with alpha at every p that occurs; there are no false alarms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from outscore.base.arrays import Float, Int
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.engine.sampling import Engine
from outscore.significance import EXACT, tests
from outscore.significance.gain import GainContrast
from outscore.significance.statistics import Statistics
from tests.examples import first
from tests.laws.support import corpus_stats, experiment, f1_stats, mean_stats, p_of, settings

RNG = np.random.default_rng(2024)
SLOW = pytest.mark.slow
SIDES = ("two-sided", "greater", pytest.param("less", marks=SLOW))
"""What holds on one side is seldom wrong on the other alone."""


@pytest.fixture(autouse=True)
def same_numbers_in_any_order() -> None:
    """Every test draws the same numbers, whatever ran before it in the same process."""
    RNG.bit_generator.state = np.random.default_rng(2024).bit_generator.state


Build = Callable[[list[Float], Int | None], Statistics]


def root_of_squares(sums: Float) -> Float:
    """A score that is no ratio and no mean."""
    return np.asarray(np.sqrt(sums[..., 0] ** 2 + sums[..., 1] + 1.0) / (1.0 + sums[..., 2]))


def scores(values: Float) -> tuple[Build, Float]:
    """The build of a mean, and its rows ``(2, runs, items)``."""
    return mean_stats, values


DATA: dict[str, tuple[Build, Float]] = {
    "whole numbers with ties": scores(RNG.integers(-3, 4, size=(2, 1, 9)).astype(float)),
    "right or wrong": scores(RNG.integers(0, 2, size=(2, 1, 9)).astype(float)),
    "decimals": scores(RNG.choice([0.1, 0.2, 0.3, 0.7], size=(2, 1, 8))),
    "real numbers": scores(RNG.normal(size=(2, 1, 8))),
    "real numbers of three runs": scores(RNG.normal(size=(2, 3, 8))),
    "whole numbers of two runs": scores(RNG.integers(0, 5, size=(2, 2, 8)).astype(float)),
    "F1": (f1_stats, RNG.poisson([2.0, 0.7, 0.9], size=(2, 1, 8, 3)).astype(float)),
    "F1 of two runs": (f1_stats, RNG.poisson([2.0, 0.7, 0.9], size=(2, 2, 7, 3)).astype(float)),
    "another score of sums": (
        lambda systems, labels: corpus_stats(systems, root_of_squares, labels),
        RNG.poisson([2.0, 0.7, 0.9], size=(2, 1, 8, 3)).astype(float),
    ),
}


PICKED = ("decimals", "F1 of two runs", "another score of sums")
"""The others differ in their numbers only."""


def relabelled(
    build: Build, rows: Float, alternative: Alternative, labels: Int | None = None
) -> Iterator[GainContrast]:
    """All exchanges of the two systems within items, or within whole clusters; runs of an item move together."""
    items = rows.shape[2]
    units = np.arange(items) if labels is None else labels
    for bits in product([False, True], repeat=int(units.max()) + 1):
        swap = np.array(bits)[units]
        moved = rows.copy()
        moved[:, :, swap] = rows[::-1][:, :, swap]
        yield GainContrast(experiment(build(list(moved), labels), settings=settings(99, 1, alternative)), 0, 1)


def holds_at_every_level(p: Float) -> bool:
    """P(p <= alpha) <= alpha for all alpha: it is enough to look at the p-values that occur."""
    return all(float((p <= alpha * (1 + 1e-9)).mean()) <= alpha * (1 + 1e-9) for alpha in p)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("name", first(DATA, *PICKED, others=SLOW))
def test_exact_randomization_never_exceeds_any_level(name: str, alternative: Alternative) -> None:
    build, rows = DATA[name]
    test = tests.make("randomization")
    outcomes = [test.run(pair) for pair in relabelled(build, rows, alternative)]
    assert {outcome.p_kind for outcome in outcomes} == {EXACT}
    p = np.array([outcome.p_value for outcome in outcomes])
    assert holds_at_every_level(p)
    assert p.min() <= 2 * 0.5 ** (rows.shape[2] - 3)  # and it can reject


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", ["whole numbers with ties", "real numbers", "F1", "another score of sums"])
def test_exact_randomization_of_clusters_never_exceeds_any_level(name: str, alternative: Alternative) -> None:
    build, rows = DATA[name]
    labels = np.array([0, 0, 1, 2, 2, 3, 4, 5, 5])[: rows.shape[2]]
    p = np.array([p_of(tests.make("randomization"), pair) for pair in relabelled(build, rows, alternative, labels)])
    assert p.size == 2 ** (int(labels.max()) + 1)
    assert holds_at_every_level(p)


@pytest.mark.parametrize("name", [pytest.param("real numbers", marks=SLOW), "real numbers of three runs"])
def test_exact_randomization_without_ties_uses_up_its_level(name: str) -> None:
    build, rows = DATA[name]
    p = np.sort([p_of(tests.make("randomization"), pair) for pair in relabelled(build, rows, "greater")])
    np.testing.assert_allclose(p, np.arange(1, p.size + 1) / p.size, rtol=1e-12)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("spec", ["wilcoxon:variant=exact", "sign", "wilcoxon:variant=exact,zeros=pratt"])
@pytest.mark.parametrize(
    "name",
    [
        "decimals",
        *(pytest.param(n, marks=SLOW) for n in ("whole numbers with ties", "right or wrong", "real numbers")),
    ],
)
def test_exact_rank_tests_never_exceed_any_level(name: str, spec: str, alternative: Alternative) -> None:
    build, rows = DATA[name]
    p = np.array([p_of(tests.make(spec), pair) for pair in relabelled(build, rows, alternative)])
    assert holds_at_every_level(p)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_exact_mcnemar_never_exceeds_any_level(alternative: Alternative) -> None:
    build, rows = DATA["right or wrong"]
    p = np.array([p_of(tests.make("mcnemar:variant=exact"), pair) for pair in relabelled(build, rows, alternative)])
    assert holds_at_every_level(p)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("runs", [(3, 3), (4, 4), (2, 5)])
def test_the_permutation_of_runs_never_exceeds_any_level(runs: tuple[int, int], alternative: Alternative) -> None:
    total = sum(runs)
    values = RNG.integers(0, 4, size=(total, 6)).astype(float)
    p: list[float] = []
    for chosen in combinations(range(total), runs[0]):
        rest = [r for r in range(total) if r not in chosen]
        stats = mean_stats([values[rest], values[list(chosen)]])
        pair = GainContrast(experiment(stats, settings=settings(1, 1, alternative)), 0, 1)
        p.append(p_of(tests.make("runs:variant=permutation"), pair))
    assert holds_at_every_level(np.array(p))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["cyclic", "iid"])
@pytest.mark.parametrize("n_resamples", first([19, 99], 19))
@pytest.mark.parametrize("seeds", first([4, 20], 4))
def test_the_added_one_makes_sampled_randomization_valid_at_any_number_of_resamples(
    seeds: int, n_resamples: int, engine: Engine
) -> None:
    # over permutations *and* seeds the sampled p is valid (Phipson & Smyth 2010); a share of 256 x 20 dependent
    # p-values stays below alpha + .03 (of 256 x 4 below alpha + .067: 12 standard errors if independent); false alarm:
    # below 1e-6
    build, rows = DATA["real numbers"]
    p: list[float] = []
    for seed in range(seeds):
        for pair in relabelled(build, rows, "greater"):
            stats = pair.stats
            made = replace(settings(n_resamples, 1000 * seed + len(p), "greater"), engine=engine)
            again = GainContrast(experiment(stats, settings=made), 0, 1)
            p.append(p_of(tests.make("randomization:exact=never"), again))
    found = np.array(p)
    assert found.min() >= 1 / (n_resamples + 1) or engine == "cyclic"  # which draws more
    for alpha in (0.05, 0.1, 0.25):
        assert float((found <= alpha + 1e-9).mean()) <= alpha + 0.03
