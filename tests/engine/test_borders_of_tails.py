"""Tilts, quantiles, ties, errors of sampled p and digits of whole numbers, beside their definitions."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats

from outscore.engine import extreme, montecarlo
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.engine.gammas import largest_probabilities, mean_ratio, positive_probability, quantile
from outscore.engine.lattice import lattice
from outscore.engine.saddlepoint import Cumulant, draw_cumulant, draw_tail, flip_cumulant, flip_tail, tilt_to

RNG = np.random.default_rng(20)
EPSILON = 2.0**-52

# saddlepoints and gammas


def test_next_to_the_ends_a_tail_is_more_than_one_atom_and_less_than_all() -> None:
    atom = 2.0**-12
    for below, ways in ((2, 13), (4, 79)):
        found = flip_tail([1] * 12, 12 - below, 2.0)
        assert found == pytest.approx(ways * atom, rel=0.05)
        less = (ways - math.comb(12, below // 2)) * atom
        assert 1 - flip_tail([1] * 12, -12 + below, 2.0) == pytest.approx(less, rel=0.2)


def counting(cumulant: Cumulant) -> tuple[Cumulant, list[float]]:
    asked: list[float] = []

    def counted(theta: float) -> tuple[float, float, float]:
        asked.append(theta)
        return cumulant(theta)

    return counted, asked


@pytest.mark.parametrize("share", [-0.999, -0.9, -0.3, -1e-3, 1e-6, 0.2, 0.5, 0.8, 0.99, 0.99999])
def test_the_tilt_has_the_mean_that_is_asked_for_and_is_found_by_newtons_steps(share: float) -> None:
    sizes = np.array([1.0, 2.0, 2.0, 5.0, 9.0])
    points, chances = np.array([0.0, 1.0, 7.0]), np.array([0.5, 0.3, 0.2])
    half = 5 * 3.5
    for cumulant, mean in (
        (flip_cumulant(sizes), share * sizes.sum()),
        (draw_cumulant(points, chances, 5), half + share * half),
    ):
        counted, asked = counting(cumulant)
        theta = tilt_to(counted, mean)
        assert cumulant(theta)[1] == pytest.approx(mean, rel=1e-9)
        near = optimize.brentq(lambda t, k=cumulant, m=mean: k(t)[1] - m, theta - 1, theta + 1, xtol=1e-13)
        assert theta == pytest.approx(near, rel=1e-7, abs=1e-9)
        assert len(asked) <= 24


def test_a_tilt_is_found_by_halving_where_the_variance_is_lost() -> None:
    """Far out all but one sum has vanished in rounding."""
    assert tilt_to(lambda t: (math.log(math.cosh(t)), math.tanh(t), 1.0 if t == 0 else 0.0), 0.5) == pytest.approx(
        math.atanh(0.5)
    )


def test_large_numbers_in_sixty_fourths_are_exact() -> None:
    """There is no room for a million parts of a unit, which would hold them too."""
    found = lattice(np.array([[3e9 + 1 / 64]]))
    assert found.exact[0] and found.units[0] == 1 / 64
    assert found.integers[0, 0] == 64 * 3e9 + 1


def test_a_number_alone_has_the_room_of_one() -> None:
    """There are tenths for it; with another one beside it only thirds, which it is as far as it is known."""
    one, two = lattice(np.array([[2e14 + 0.3]])), lattice(np.array([[2e14 + 0.3]] * 2))
    assert one.exact[0] and one.units[0] == 0.1
    assert two.units[0] == 1 / 3


def test_cumulants_are_logs_of_mean_exponentials_with_their_derivatives() -> None:
    sizes, points, chances = np.array([1.0, 2.0, 2.0]), np.array([0.0, 1.0, 7.0]), np.array([0.5, 0.3, 0.2])
    for theta in (-0.7, -0.01, 0.0, 0.3, 1.1):
        level, mean, variance = flip_cumulant(sizes)(theta)
        assert level == pytest.approx(sum(math.log(math.cosh(theta * d)) for d in sizes), abs=1e-14)
        assert mean == pytest.approx(sum(d * math.tanh(theta * d) for d in sizes), abs=1e-14)
        assert variance == pytest.approx(sum((d / math.cosh(theta * d)) ** 2 for d in sizes))
        level, mean, variance = draw_cumulant(points, chances, 4)(theta)
        weights = chances * np.exp(theta * points)
        tilted = weights / weights.sum()
        centre = float(tilted @ points)
        assert level == pytest.approx(4 * math.log(weights.sum()), abs=1e-14)
        assert (mean, variance) == pytest.approx((4 * centre, 4 * float(tilted @ (points - centre) ** 2)))


@pytest.mark.parametrize(
    ("at", "expected"), [(-10.0, 1.0), (-9.6, 1.0), (10.0, 2.0**-4), (9.6, 2.0**-4), (10.4, 2.0**-4), (10.6, 0.0)]
)
def test_beyond_the_ends_a_tail_is_certain_one_atom_or_nothing(at: float, expected: float) -> None:
    assert flip_tail([1, 2, 3, -4, 0], at, 2.0) == expected
    # four draws of 0 to 5, of which 5 is one in four: from 0 to 20, with as much room around the ends
    drawn = {1.0: 1.0, 2.0**-4: 0.25**4, 0.0: 0.0}[expected]
    assert draw_tail([0, 0, 5, 1], at + 10, 2.0) == pytest.approx(drawn, rel=1e-12)


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


# what is at least as extreme


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_ties_and_what_lies_within_the_slack_are_at_least_as_extreme(alternative: Alternative) -> None:
    values = np.array([-3.0, -2.0, -1.5, -1.0, 0.0, 1.0, 1.5, 2.0, 3.0])
    for observed, slack, centre in product((-1.5, 0.0, 1.0, 2.0), (0.0, 0.5), (0.0, 0.5)):
        expected = {
            "greater": [v >= observed - slack for v in values],
            "less": [v <= observed + slack for v in values],
            "two-sided": [abs(v - centre) >= abs(observed - centre) - slack for v in values],
        }[alternative]
        options = {"centre": centre, "alternative": alternative, "slack": slack}
        assert extreme.is_as_extreme(values, observed, **options).tolist() == expected  # type: ignore[arg-type]
        assert int(extreme.count(values, observed, **options)) == sum(expected)  # type: ignore[arg-type]
        mass = np.full(values.size, 1 / values.size)
        tail = extreme.tail_mass(values, mass, observed, **options)  # type: ignore[arg-type]
        assert tail == pytest.approx(sum(expected) / values.size)
    assert extreme.count_beyond(values, 1.5, slack=0.5) == 1
    assert extreme.count_beyond(values, 1.5, slack=0.25) == 2


def test_positions_count_below_and_not_above_in_each_batch() -> None:
    values, marks = np.array([[0.0, 1.0, 2.0, 3.0], [5.0, 5.0, 4.0, 9.0]]), np.array([[1.0, 2.5], [5.0, 4.0]])
    slack = np.array([0.0, 1.0])
    found = extreme.count_positions(values, marks, slack, batches=2)
    for batch, s, q in product(range(2), range(2), range(2)):
        part = values[s, 2 * batch : 2 * batch + 2]
        expected = [(part < marks[s, q] - slack[s]).sum(), (part <= marks[s, q] + slack[s]).sum()]
        assert found[batch, s, q].tolist() == expected
    many = np.zeros((1, 2**16))
    assert extreme.count_positions(many, np.zeros((1, 1)), np.zeros(1)).ravel().tolist() == [0, 2**16]
    assert extreme.count_positions(many[:, 1:], np.zeros((1, 1)), np.zeros(1)).ravel().tolist() == [0, 2**16 - 1]


def test_tolerance_is_a_part_in_1e12_of_the_size() -> None:
    assert [extreme.tolerance(s) for s in (0.0, 1.0, 250.0)] == [1e-312, 1e-12, 2.5e-10]
    assert [extreme.p_from_count(h, 9) for h in (0, 4, 9)] == [0.1, 0.5, 1.0]
    assert [extreme.p_from_count(h, 9, doubled=True) for h in (0, 4, 7)] == [0.2, 1.0, 1.0]


# how sure a sampled p is


@pytest.mark.parametrize(("b", "drawn"), [(0, 20), (5, 20), (20, 20), (3, 999)])
def test_errors_and_intervals_of_sampled_p(b: int, drawn: int) -> None:
    p, plus = b / drawn, (b + 1) / (drawn + 1)
    assert montecarlo.standard_error(b, drawn) == pytest.approx(math.sqrt(p * (1 - p) / drawn))
    assert montecarlo.standard_error_plus_one(b, drawn) == pytest.approx(math.sqrt(plus * (1 - plus) / (drawn + 1)))
    for level in (0.9, 0.99):
        theirs = stats.binomtest(b, drawn).proportion_ci(level, "exact")
        assert montecarlo.exceedance_interval(b, drawn, level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
        for alpha in (0.001, 0.05, 0.25, 0.5, 0.9):
            assert montecarlo.decision_stable(b, drawn, alpha, level) == (not theirs.low <= alpha <= theirs.high)
    sure = montecarlo.Exceedances(np.array([b]), np.array([drawn]))
    assert (sure.spread, sure.error) == (1.0, montecarlo.standard_error_plus_one(b, drawn))
    assert sure.interval(0.9) == montecarlo.exceedance_interval(b, drawn, 0.9)
    exact_p = np.mean([stats.binom(drawn, j / 8).cdf(b) for j in range(1, 9)])
    assert montecarlo.phipson_smyth(b, drawn, 8) == pytest.approx(exact_p)


@pytest.mark.parametrize("counts", [[1, 4, 3], [0, 5], [2, 2, 2, 2], [0, 0], [5, 5], [3]])
def test_what_hangs_together_is_worth_less_by_the_variance_between_batches(counts: list[int]) -> None:
    found = montecarlo.Exceedances(np.array(counts), np.full(len(counts), 5), independent=False)
    b, drawn, n = sum(counts), 5 * len(counts), len(counts)
    share = b / drawn
    spread = 1.0
    if n > 1 and 0 < b < drawn:
        between = sum((c - share * 5) ** 2 for c in counts) * n / (n - 1) / drawn**2
        spread = between / (share * (1 - share) / drawn)
    assert found.spread == pytest.approx(spread)
    plus, least = ((k + 1) / (drawn + 1) for k in (b, 0))
    errors = [math.sqrt(p * (1 - p) / (drawn + 1)) for p in (plus, least)]
    assert found.error == pytest.approx(max(errors[0] * math.sqrt(spread), errors[1]))
    z, df = stats.norm.ppf(0.975), max(n - 1, 1)
    wider = 1 + (z**2 + 1) / (4 * df) + (5 * z**4 + 16 * z**2 + 3) / (96 * df**2)
    worth = max(1.0, spread) * wider**2
    assert found.interval(0.95) == pytest.approx(montecarlo.exceedance_interval(b / worth, drawn / worth, 0.95))
