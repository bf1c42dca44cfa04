"""Saddlepoint tails come near the exact laws from the middle to 1e-60, and are exact at the ends of the support."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from scipy import optimize

from outscore.engine.exact import DiscreteLaw, flip_law
from outscore.engine.exact_bootstrap import bootstrap_sum_law
from outscore.engine.saddlepoint import (
    Cumulant,
    draw_cumulant,
    flip_cumulant,
    flip_tail,
    lattice_tail,
    tilt_to,
)
from tests.engine.exact_laws import draw_tail

D = np.random.default_rng(1).integers(-9, 10, 300).astype(float)


def points(law: DiscreteLaw) -> list[tuple[float, float]]:
    """Lattice points and their exact tails, a few standard deviations apart."""
    places = np.searchsorted(law.support, law.mean() + law.sd() * np.arange(-3.0, 27.0))
    return [(float(law.support[i]), float(law.mass[i:].sum())) for i in places if i < law.support.size]


@pytest.mark.parametrize("unit", [1.0, 3.0, 0.125])
def test_flip_tails_are_within_half_a_per_cent_of_the_exact(unit: float) -> None:
    for at, exact in points(flip_law(D)):
        if exact > 1e-60:
            assert flip_tail(unit * D, unit * at, 2 * unit) == pytest.approx(exact, rel=5e-3, abs=0)


def test_draw_tails_are_within_half_a_per_cent_of_the_exact() -> None:
    for at, exact in points(bootstrap_sum_law(D)):
        if exact > 1e-60:
            assert draw_tail(D, at, 1.0) == pytest.approx(exact, rel=5e-3, abs=0)


def test_the_formula_is_smooth_through_the_mean() -> None:
    """Its limit at the mean joins the formula on either side: a gamma law of shape 50, its mean taken to 0."""

    def cumulant(theta: float) -> tuple[float, float, float]:
        return -50 * math.log(1 - theta) - 50 * theta, 50 / (1 - theta) - 50, 50 / (1 - theta) ** 2

    beyond, just_beyond, just_within, within = (
        lattice_tail(cumulant, z * math.sqrt(50), 1e-9) for z in (1.2e-3, 1.1e-3, 0.9e-3, 0.8e-3)
    )
    slope = (just_within - just_beyond) / 2
    assert within - just_within == pytest.approx(slope, rel=1e-2)
    assert just_beyond - beyond == pytest.approx(slope, rel=1e-2)
    assert within == pytest.approx(scipy.stats.gamma(50).sf(50 + 0.8e-3 * math.sqrt(50)), rel=1e-4)


def test_next_to_the_ends_a_tail_is_more_than_one_atom_and_less_than_all() -> None:
    atom = 2.0**-12
    for below, ways in ((2, 13), (4, 79)):
        found = flip_tail([1] * 12, 12 - below, 2.0)
        assert found == pytest.approx(ways * atom, rel=0.05)
        less = (ways - math.comb(12, below // 2)) * atom
        assert 1 - flip_tail([1] * 12, -12 + below, 2.0) == pytest.approx(less, rel=0.2)


@pytest.mark.parametrize("rare", [1e-6, 1e-10])
def test_where_the_formula_would_be_more_than_all_a_tail_is_1(rare: float) -> None:
    assert lattice_tail(draw_cumulant(np.array([0.0, 1.0]), np.array([rare, 1 - rare]), 1), 1.0, 1.0) == 1


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
