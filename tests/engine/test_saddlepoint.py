"""Saddlepoint tails come near the exact laws from the middle to 1e-60, and are exact at the ends of the support."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from outscore.engine.exact import DiscreteLaw, flip_law
from outscore.engine.exact_bootstrap import bootstrap_sum_law
from outscore.engine.saddlepoint import draw_tail, flip_tail, lattice_tail

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


def test_the_ends_of_the_support_are_exact() -> None:
    d = np.array([3.0, -1.0, 2.0, 0.0])
    assert flip_tail(d, 6.0, 2.0) == 1 / 8
    assert flip_tail(d, 8.0, 2.0) == 0.0
    assert flip_tail(d, -6.0, 2.0) == 1.0
    values = np.array([0.0, 1.0, 1.0, 4.0])
    assert draw_tail(values, 16.0, 1.0) == pytest.approx(4.0**-4)
    assert draw_tail(values, 17.0, 1.0) == 0.0
    assert draw_tail(values, 0.0, 1.0) == 1.0
