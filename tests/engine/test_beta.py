"""The beta, binomial and Student laws from the standard library, against scipy's and exact sums."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from outscore.engine.beta import (
    _near_quantile,
    beta_cdf,
    beta_ppf,
    binomial_cdf,
    normal_ppf,
    student_cdf,
    student_quantile,
)

SHAPES = [(0.05, 300.0), (0.5, 0.5), (0.5, 499.5), (2.0, 0.5), (1.0, 2446.0), (50.0, 60.0), (12.0, 9990.0), (5e5, 6e5)]


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_the_beta_law_is_that_of_scipy(a: float, b: float) -> None:
    mean = a / (a + b)
    deviation = math.sqrt(mean * (1 - mean) / (a + b + 1))
    for z in (-6, -2, -0.3, 0, 0.3, 2, 6):
        x = mean + z * deviation
        assert beta_cdf(x, a, b) == pytest.approx(float(special.betainc(a, b, min(max(x, 0), 1))), rel=1e-11)
    for p in (1e-8, 0.005, 0.025, 0.3, 0.5, 0.975, 0.995):
        assert beta_ppf(p, a, b) == pytest.approx(float(special.betaincinv(a, b, p)), rel=1e-10)
    assert (beta_ppf(0.0, a, b), beta_ppf(1.0, a, b)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("a", "b", "within"),
    [
        (1, 0.5, 0.3),
        (4, 0.5, 2e-3),
        (15, 0.5, 2e-5),
        (500, 0.5, 1e-11),
        (20, 7, 2e-3),
        (50, 400, 2e-4),
        (300, 5000, 1e-5),
    ],
)
def test_newtons_steps_begin_near_the_quantile(a: float, b: float, within: float) -> None:
    for p in (0.01, 0.05, 0.1, 0.3):
        x = float(special.betaincinv(a, b, p))
        assert _near_quantile(p, a, b) == pytest.approx(math.log(x / (1 - x)), abs=within)


@pytest.mark.parametrize("n", [1, 2, 7, 30, 999, 1000, 1001, pytest.param(4000, marks=pytest.mark.slow)])
def test_binomial_tails_are_sums_of_whole_numbers(n: int) -> None:
    for k in {0, n // 4, n // 2 - 1, n // 2, n - 1} - {-1}:
        exact = Fraction(sum(math.comb(n, i) for i in range(k + 1)), 2**n)
        assert binomial_cdf(k, n) == pytest.approx(float(exact), rel=1e-13)
    assert (binomial_cdf(-1, n), binomial_cdf(n, n)) == (0.0, 1.0)


def test_a_large_binomial_tail_is_half_less_the_points_between() -> None:
    k, n = 582_344, 1_164_723
    points = [
        math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) - n * math.log(2))
        for i in range(k + 1, n // 2 + 1)
    ]
    assert binomial_cdf(k, n) == pytest.approx(0.5 - math.fsum(points), rel=1e-10)


@pytest.mark.parametrize("df", [1.0, 2.5, 30.0, 999.0, 1e6])
def test_students_law_is_that_of_scipy(df: float) -> None:
    for t in np.linspace(-8, 8, 17):
        assert student_cdf(float(t), df) == pytest.approx(float(special.stdtr(df, t)), rel=1e-11)


@pytest.mark.parametrize("df", [1, 2, 19, 99, 498, 10**5])
def test_normal_statistics_with_the_p_values_of_students_law_are_those_of_scipy(df: int) -> None:
    t = np.sinh(np.linspace(-3.0, 5.0, 161))
    expected = -special.ndtri(special.stdtr(df, -t))
    ours = [-normal_ppf(student_cdf(-one, df)) for one in t.tolist()]
    assert ours == pytest.approx(expected.tolist(), rel=1e-12, abs=1e-12)


def test_students_law_at_its_ends() -> None:
    assert (student_cdf(-math.inf, 5.0), student_cdf(math.inf, 5.0), student_cdf(0.0, 5.0)) == (0.0, 1.0, 0.5)
    assert student_cdf(-1.96, math.inf) == pytest.approx(0.025, rel=1e-3)
    assert math.isnan(student_cdf(math.nan, 5.0))
    assert math.isnan(student_cdf(1.0, 0.0))


def test_quantiles_are_exact_to_rounding_wherever_the_last_step_ends() -> None:
    draw = np.random.default_rng(1)
    for a, b, p in zip(draw.uniform(1, 60, 400), draw.uniform(1, 60, 400), draw.uniform(0.01, 0.99, 400), strict=True):
        assert beta_ppf(p, a, b) == pytest.approx(float(special.betaincinv(a, b, p)), rel=3e-12, abs=0)


@pytest.mark.parametrize("df", [1.0, 2.0, 3.5, 30.0, 1e6])
def test_students_quantiles_are_those_of_scipy_near_either_end_too(df: float) -> None:
    for level in (0.05, 0.5, 0.95, 0.999, 1 - 1e-10):
        expected = -float(special.stdtrit(df, (1 - level) / 2))
        assert student_quantile(level, df) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize(("a", "b"), [(50.0, 60.0), (12.0, 9990.0), (5e5, 6e5)])
def test_quantiles_far_out_are_found_although_the_first_steps_leave_all_mass_behind(a: float, b: float) -> None:
    for p in (1e-300, 1e-30, 1e-12):
        assert beta_ppf(p, a, b) == pytest.approx(float(special.betaincinv(a, b, p)), rel=1e-12, abs=0)


def test_a_quantile_below_all_doubles_is_the_least_that_can_be_told() -> None:
    """x to the power of .01 is 1e-8 at x = 1e-800."""
    assert 0 < beta_ppf(1e-8, 0.01, 1.0) < 1e-300
