"""The level of every registered test of independent samples under its null hypothesis.

False alarms: ``most`` and ``least`` are binomial quantiles at 1e-6 (see ``support``). Seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.significance.independent import IndependentSamples, independent_tests
from outscore.significance.settings import Settings
from tests.examples import first
from tests.laws.support import ALPHA, SLACK, least, most

Draw = Callable[[np.random.Generator], tuple[Float, Float]]

EXACT_LEVEL = ("permutation", "permutation:statistic=mean", "mann-whitney", "brunner-munzel")
"""Tests that never exceed their level where both samples come from one distribution."""

NEARLY = {"welch": 0.052, "student": 0.05, "unpaired-bootstrap": 0.05, "brunner-munzel:variant=t": 0.065}
"""Upper bounds of the true sizes with 10 and 15 normal numbers."""

PROPORTIONS = {"fisher": 0.05, "chi2": 0.062, "chi2:yates=true": 0.05, "two-proportions": 0.062}
"""Upper bounds of the true sizes with 30 and 40 items, half of them right."""
LONG = pytest.mark.nightly


def rejections(name: str, draw: Draw, reps: int, seed: int = 0, n_resamples: int = 199) -> float:
    """Share of p-values at or below alpha."""
    test, rng = independent_tests.make(name), np.random.default_rng(seed)
    rejected = 0
    for k in range(reps):
        x, y = draw(rng)
        made = Settings(n_resamples=n_resamples, seed=seed + k)
        p = test.run(IndependentSamples(system=x, baseline=y, unit="item", settings=made)).p_value
        rejected += p is not None and p <= ALPHA + SLACK
    return rejected / reps


def normal(n: int, m: int, spread: float = 1.0) -> Draw:
    """Equal means; the first sample has ``spread`` times the standard deviation of the second."""
    return lambda rng: (rng.normal(0, spread, n), rng.normal(0, 1, m))


def ties(n: int, m: int) -> Draw:
    return lambda rng: (rng.integers(0, 3, n).astype(float), rng.integers(0, 3, m).astype(float))


def test_every_registered_test_has_its_level_measured() -> None:
    measured = {name.partition(":")[0] for name in (*EXACT_LEVEL, *NEARLY, *PROPORTIONS)}
    elsewhere = {"aso", "prob-better"}  # about runs, measured beside them
    assert set(independent_tests.names()) <= measured | elsewhere


@pytest.mark.parametrize("name", EXACT_LEVEL)
@pytest.mark.parametrize("draw", [normal(5, 6), ties(6, 5)], ids=["normal", "ties"])
def test_level_of_exact_tests_of_a_few_numbers(name: str, draw: Draw) -> None:
    # false alarm: 1e-6
    assert rejections(name, draw, 150) <= most(ALPHA, 150)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT_LEVEL)
@pytest.mark.parametrize("draw", [normal(6, 7), ties(7, 6), normal(12, 20)], ids=["normal", "ties", "sampled"])
def test_level_of_exact_tests_closely(name: str, draw: Draw) -> None:
    # false alarm: 1e-6
    assert rejections(name, draw, 1000) <= most(ALPHA, 1000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bound"), [pytest.param(*one, marks=LONG if "bootstrap" in one[0] else ()) for one in NEARLY.items()]
)
def test_size_of_approximations_with_ten_and_fifteen_numbers(name: str, bound: float) -> None:
    # false alarm: 2e-6
    found = rejections(name, normal(10, 15), 3000, seed=4)
    assert least(0.03, 3000) <= found <= most(bound, 3000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["welch", "permutation", pytest.param("unpaired-bootstrap", marks=LONG), "brunner-munzel:variant=t"]
)
def test_unequal_variances_do_not_mislead_the_studentized_tests(name: str) -> None:
    """Small noisy samples beside large quiet ones; false alarm: 1e-6 for a true size of .065."""
    assert rejections(name, normal(15, 45, 3.0), 2000, seed=7) <= most(0.065, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["student", "permutation:statistic=mean", "mann-whitney:variant=normal"])
def test_unequal_variances_mislead_the_others_as_the_manual_says(name: str) -> None:
    """They reject more often than the studentized ones may; false alarm: 1e-6 for a true size of .1."""
    assert rejections(name, normal(15, 45, 3.0), 1000, seed=7) >= least(0.1, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["shift", "percentile"])
@pytest.mark.parametrize("reps", first([500, 2000], 500))
def test_a_plain_bootstrap_of_ten_numbers_rejects_too_often(form: str, reps: int) -> None:
    """What the note ``small_samples`` says; false alarms: 2e-6 for a true size of .06 to .1."""
    found = rejections(f"unpaired-bootstrap:form={form}", normal(10, 10), reps, seed=2)
    assert least(0.055, reps) <= found <= most(0.1, reps)


@pytest.mark.parametrize(("name", "bound"), PROPORTIONS.items())
def test_size_of_tests_of_proportions(name: str, bound: float) -> None:
    # no false alarm: summed over both binomial laws, down to tables of probability 1e-5
    n, m = 30, 40
    test, made = independent_tests.make(name), Settings()
    laws = [stats.binom(size, 0.5).pmf(np.arange(size + 1)) for size in (n, m)]
    size = 0.0
    for a, b in zip(*np.nonzero(np.outer(*laws) > 1e-5), strict=True):
        x, y = (np.repeat([1.0, 0.0], [right, of - right]) for right, of in ((a, n), (b, m)))
        p = test.run(IndependentSamples(system=x, baseline=y, unit="item", settings=made)).p_value
        assert p is not None
        size += float(laws[0][a] * laws[1][b]) * (p <= ALPHA)
    assert 0.02 <= size <= bound
