"""Tails of sums of gamma variables against exact fractions, the beta law and definitions in plain sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from outscore.significance.bayes.gammas import largest_probabilities, mean_ratio, positive_probability, quantile
from tests.engine.exact_laws import bayesian_mean_tail
from tests.examples import examples

tenths = st.integers(-30, 30).map(lambda k: k / 8)


@hypothesis_settings(max_examples=examples(60))
@given(st.lists(tenths, min_size=2, max_size=25))
def test_a_sum_of_exponentials_is_the_divided_difference_in_fractions(scales: list[float]) -> None:
    expected = bayesian_mean_tail(scales)
    assert positive_probability(np.array(scales), np.ones(len(scales))) == pytest.approx(expected, rel=1e-9, abs=1e-30)


@hypothesis_settings(max_examples=examples(60))
@given(st.integers(1, 4000), st.integers(1, 4000), st.sampled_from([0.05, 0.5, 1.0]))
def test_two_gammas_are_a_beta(a: int, b: int, scale: float) -> None:
    shapes = np.array([a, b]) * scale + 0.5
    expected = float(special.betainc(shapes[1], shapes[0], 0.5))
    assert positive_probability(np.array([1.0, -1.0]), shapes) == pytest.approx(expected, abs=1e-13)
    better, worse = largest_probabilities(shapes)
    assert better == pytest.approx(expected, abs=1e-9)
    assert better + worse == pytest.approx(1, abs=1e-15)


def test_equal_scales_are_one_gamma_of_the_sum_of_their_shapes() -> None:
    apart = positive_probability(np.array([0.7] * 5 + [-0.3] * 9 + [0.0]), np.ones(15))
    together = positive_probability(np.array([0.7, -0.3]), np.array([5.0, 9.0]))
    assert apart == pytest.approx(together, rel=1e-14)


def test_far_tails_keep_their_digits() -> None:
    scales = np.array([1.0, 2.0] + [-1.0] * 60)
    expected = bayesian_mean_tail(scales.tolist())
    assert 1e-30 < expected < 1e-10
    assert positive_probability(scales, np.ones(62)) == pytest.approx(expected, rel=1e-9)


def test_small_shapes_against_a_rule_of_nodes() -> None:
    """P(0.2 U + V > 1000 W) is the mean of W's chance to lie below, at the nodes of U and V (Gauss & Laguerre)."""
    shapes = np.array([5.0, 0.01, 0.1])
    (u, of_u), (v, of_v) = (special.roots_genlaguerre(60, shape - 1) for shape in shapes[:2])
    below = special.gammainc(shapes[2], (0.2 * u[:, None] + v) / 1000)
    expected = float(of_u @ below @ of_v / (of_u.sum() * of_v.sum()))
    assert positive_probability(np.array([0.2, 1.0, -1000.0]), shapes) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("shapes", [(3.0, 1.0, 2.0), (0.5, 40.0, 38.0), (700.0, 690.0, 20.0), (0.0, 2.0, 3.0)])
def test_the_largest_of_three_by_adaptive_integration(shapes: tuple[float, ...]) -> None:
    found = largest_probabilities(np.array(shapes))
    for i, own in enumerate(shapes):
        others = [k for j, k in enumerate(shapes) if j != i and k > 0]

        def height(v: float, own: float = own, others: list[float] = others) -> float:
            x = float(special.gammaincinv(own, v))
            return math.prod(float(special.gammainc(k, x)) for k in others)

        expected = integrate.quad(height, 0, 1, epsabs=1e-11, limit=400)[0] if own else 0.0
        assert found[i] == pytest.approx(expected, abs=1e-8)


def test_the_mean_of_a_ratio_is_that_of_many_draws() -> None:
    sums, sizes = np.array([3.0, -1.0, 4.0, 2.0]), np.array([2.0, 1.0, 5.0, 1.0])
    weights = np.random.default_rng(0).standard_exponential((400_000, 4))
    ratios = weights @ sums / (weights @ sizes)
    # 5 standard errors: a false alarm in 10^6
    assert mean_ratio(sums, sizes, np.ones(4)) == pytest.approx(ratios.mean(), abs=5 * ratios.std() / 400_000**0.5)
    assert mean_ratio(sums, np.ones(4), np.ones(4)) == 2


@pytest.mark.parametrize(("n", "far"), [(200, 400), (1000, 1000), (1000, 2000), (100_000, 200_000)])
def test_one_heavy_term_against_many_light_ones(n: int, far: int) -> None:
    """P(G_n > r G_1) = 1 - (r/(1 + r))^n, of n exponentials against one."""
    found = positive_probability(np.array([1.0, -far]), np.array([float(n), 1.0]))
    assert found == pytest.approx(1 - (far / (1 + far)) ** n, rel=1e-10)


@pytest.mark.parametrize("spread", [1e-4, 0.02, 1.0, 300.0])
@pytest.mark.parametrize("level", [0.001, 0.025, 0.5, 0.8, 0.99])
def test_a_quantile_is_found_with_few_questions_where_its_law_is_about_normal(level: float, spread: float) -> None:
    law = stats.norm(3.0, spread)
    asked = []

    def above(c: float) -> float:
        asked.append(c)
        return float(law.sf(c))

    assert quantile(above, level, 3.0, spread) == pytest.approx(float(law.ppf(level)), abs=1e-9 * spread)
    assert len(asked) <= 12


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e4])
def test_a_quantile_is_as_exact_as_its_spread_is_small(scale: float) -> None:
    law = stats.gamma(0.7, scale=scale)
    for level in (0.05, 0.3, 0.9, 0.999):
        found = quantile(lambda c: float(law.sf(c)), level, 0.7 * scale, 0.84 * scale)
        assert found == pytest.approx(float(law.ppf(level)), rel=1e-8)


@pytest.mark.parametrize("spread", [0.1, 1.0])
@pytest.mark.parametrize("centre", [-2.0, 5.0])
def test_a_quantile_is_found_from_a_wrong_centre_too(centre: float, spread: float) -> None:
    law = stats.gamma(3.0)
    for level in (0.01, 0.5, 0.975):
        assert quantile(lambda c: float(law.sf(c)), level, centre, spread) == pytest.approx(float(law.ppf(level)))


@pytest.mark.parametrize("shapes", [(1.0, 1.0), (0.5, 2.0), (3.0, 0.7)])
def test_two_gammas_against_the_beta_law(shapes: tuple[float, float]) -> None:
    a, b = shapes
    for ratio in (0.01, 0.3, 1.0, 4.0, 50.0):
        # λ G_a > G_b just where G_a/(G_a + G_b) > 1/(1 + λ)
        expected = float(stats.beta(a, b).sf(1 / (1 + ratio)))
        assert positive_probability(np.array([ratio, -1.0]), np.array(shapes)) == pytest.approx(expected, rel=1e-9)
    mean = mean_ratio(np.array([2.0, 5.0]), np.array([1.0, 1.0]), np.array(shapes))
    assert mean == pytest.approx((2 * a + 5 * b) / (a + b))
    share = stats.beta(a, b)
    expected = float(share.expect(lambda w: (2 * w + 5 * (1 - w)) / (w + 3 * (1 - w))))
    assert mean_ratio(np.array([2.0, 5.0]), np.array([1.0, 3.0]), np.array(shapes)) == pytest.approx(expected, rel=1e-7)
    half = float(stats.beta(a, b).sf(0.5))
    assert largest_probabilities(np.array(shapes)).tolist() == pytest.approx([half, 1 - half], abs=1e-6)


@pytest.mark.parametrize(
    "scales", [(1.0, 1e-4, -1.0), (1.0, 1e-3, -0.3, -2e-3), (1e-4, -1.0, 0.5, -1e-6), (3.0, -1e-5), (1e-5, -3.0, 2e-5)]
)
def test_exponentials_of_very_unequal_scales_have_their_partial_fractions(scales: tuple[float, ...]) -> None:
    parts = [s ** (len(scales) - 1) / math.prod(s - other for other in scales if other != s) for s in scales if s > 0]
    found = positive_probability(np.array(scales), np.ones(len(scales)))
    assert found == pytest.approx(sum(parts), rel=1e-7)
    assert positive_probability(-np.array(scales), np.ones(len(scales))) == pytest.approx(
        1 - sum(parts), rel=1e-7, abs=1e-12
    )


def test_scales_of_one_sign_or_none_leave_nothing_to_chance() -> None:
    ones = np.ones(2)
    chances = [positive_probability(np.array(s), ones) for s in ([1.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [2.0, 1.0])]
    assert chances == [1.0, 0.0, 0.0, 1.0]
    assert largest_probabilities(np.array([0.0, 2.0])).tolist() == [0.0, 1.0]
    assert largest_probabilities(np.zeros(2)).tolist() == [0.0, 0.0]
