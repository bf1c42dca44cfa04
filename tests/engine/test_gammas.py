"""Tails of sums of gamma variables against exact fractions, the beta law and definitions in plain sums."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from outscore.engine.exact_bootstrap import bayesian_mean_tail
from outscore.engine.gammas import largest_probabilities, mean_ratio, positive_probability, quantile
from outscore.engine.reweighting import dirichlet_weights
from tests.examples import examples

tenths = st.integers(-30, 30).map(lambda k: k / 8)


@settings(max_examples=examples(60))
@given(st.lists(tenths, min_size=2, max_size=25))
def test_a_sum_of_exponentials_is_the_divided_difference_in_fractions(scales: list[float]) -> None:
    expected = bayesian_mean_tail(scales)
    assert positive_probability(np.array(scales), np.ones(len(scales))) == pytest.approx(expected, rel=1e-9, abs=1e-30)


@settings(max_examples=examples(60))
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


def test_one_sign_alone_is_certain() -> None:
    assert positive_probability(np.array([1.0, 2.0, 0.0]), np.ones(3)) == 1
    assert positive_probability(np.array([-1.0, 0.0]), np.ones(2)) == 0
    assert positive_probability(np.zeros(3), np.ones(3)) == 0


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


@pytest.mark.parametrize(("centre", "spread"), [(0.375, 0.16), (0.9, 0.01), (-3.0, 1.0)])
def test_the_quantile_is_where_the_rest_lies_above(centre: float, spread: float) -> None:
    law = stats.beta(3, 5)
    assert quantile(lambda c: float(law.sf(c)), 0.2, centre, spread) == pytest.approx(law.ppf(0.2), rel=1e-10)


@pytest.mark.parametrize("shapes", [np.ones(5), np.array([0.5, 1.0, 3.0])])
def test_weights_have_the_moments_of_a_dirichlet_law(shapes: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    drawn = np.concatenate([dirichlet_weights(shapes, 7, atom) for atom in range(4000)])
    total = shapes.sum()
    assert drawn.sum(axis=1) == pytest.approx(total)
    expected = stats.dirichlet(shapes)
    # 6 standard errors of a mean; of a variance by a bound on the fourth moment
    assert drawn.mean(axis=0) / total == pytest.approx(expected.mean(), abs=6 * (0.25 / len(drawn)) ** 0.5)
    assert drawn.var(axis=0) / total**2 == pytest.approx(expected.var(), rel=0.06)


def test_weights_do_not_depend_on_what_else_is_drawn() -> None:
    assert (dirichlet_weights(np.ones(9), 3, 5) == dirichlet_weights(np.ones(9), 3, 5)).all()
    assert (dirichlet_weights(np.ones(9), 3, 5) != dirichlet_weights(np.ones(9), 3, 6)).all()
    assert (dirichlet_weights(np.ones(9), 3, 5) != dirichlet_weights(np.ones(9), 4, 5)).all()


@pytest.mark.parametrize(("n", "far"), [(200, 400), (1000, 1000), (1000, 2000), (100_000, 200_000)])
def test_one_heavy_term_against_many_light_ones(n: int, far: int) -> None:
    """P(G_n > r G_1) = 1 - (r/(1 + r))^n, of n exponentials against one."""
    found = positive_probability(np.array([1.0, -far]), np.array([float(n), 1.0]))
    assert found == pytest.approx(1 - (far / (1 + far)) ** n, rel=1e-10)
