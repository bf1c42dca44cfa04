"""Exact laws of resamples equal their slow twins, by counting, by powers and by transforms."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.engine import exact, exact_bootstrap
from outscore.engine.exact import DiscreteLaw
from outscore.engine.exact_bootstrap import (
    _power,
    _quick_length,
    _tilted_power,
    bootstrap_law,
    bootstrap_size,
    bootstrap_sum_cost,
    bootstrap_sum_law,
)
from outscore.engine.lattice import binomial
from outscore.significance.laws import bootstrap_law as bootstrap_law_of_pair
from tests.engine.exact_laws import bayesian_mean_moments, bayesian_mean_tail
from tests.engine.test_exact import Masses, assert_law, law_by_counting
from tests.laws.support import pairing, settings


@given(pairs=st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), min_size=1, max_size=5))
def test_bootstrap_law_is_the_law_of_all_resamples(pairs: list[tuple[int, int]]) -> None:
    n = len(pairs)
    twin = law_by_counting(
        Fraction(sum(p[0] for p in drawn), sum(p[1] for p in drawn)) for drawn in product(pairs, repeat=n)
    )
    systems = np.array([pairs], dtype=float)
    assert_law(bootstrap_law(systems, lambda s: exact.ratio(s[..., 0], s[..., 1])), twin)
    distinct = len(set(pairs))
    assert bootstrap_size(systems) == math.comb(n + distinct - 1, distinct - 1)


def test_bootstrap_law_resamples_both_systems_together() -> None:
    a, b = np.array([[1.0], [2.0]]), np.array([[0.0], [5.0]])
    law = bootstrap_law(np.stack([a, b]), lambda s: s[..., 0])
    assert_law(law, law_by_counting([2, -2, -2, -6]))


def powers(values: list[int], n: int) -> Masses:
    """The law of a sum of n draws, by repeated convolution of integer counts."""
    states: dict[int, int] = {0: 1}
    for _ in range(n):
        grown: dict[int, int] = defaultdict(int)
        for s, ways in states.items():
            for v in values:
                grown[s + v] += ways
        states = grown
    return {Fraction(s): Fraction(ways, len(values) ** n) for s, ways in states.items()}


@hypothesis_settings()
@given(values=st.lists(st.integers(-9, 9), min_size=1, max_size=5), n=st.integers(1, 12))
def test_bootstrap_sum_law_is_the_law_of_all_draws(values: list[int], n: int) -> None:
    law = bootstrap_sum_law(values, n)
    assert_law(law, powers(values, n))
    assert law.lost == 0


@pytest.mark.parametrize("values", [[0] * 40 + [1, 1000], [0] * 99 + [1], [0, 1] * 30 + [-50], [7, 7]])
def test_bootstrap_sum_law_with_rare_large_values(values: list[int]) -> None:
    assert_law(bootstrap_sum_law(values, 15), powers(values, 15))


@pytest.mark.parametrize(
    ("values", "n"),
    [
        ([0, 0, 1], 30),
        ([-1, 0, 0, 0, 1, 1], 900),
        (list(range(-5, 6)), 400),
        ([-3, 14, 14, 13, -24, 22], 200),
        ([0] * 40 + [1, 100], 60),
    ],
)
def test_tilted_fft_equals_convolution_by_addition(values: list[int], n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_bootstrap, "_MOST_DIRECT", 10**6)
    direct = bootstrap_sum_law(values, n)
    monkeypatch.setattr(exact_bootstrap, "_MOST_DIRECT", 0)
    tilted = bootstrap_sum_law(values, n)
    for one, other in zip(tails(direct), tails(tilted, direct.support), strict=True):
        held = one > 1e-280
        np.testing.assert_allclose(other[held], one[held], rtol=1e-9)


def tails(law: DiscreteLaw, at: Float | None = None) -> tuple[Float, Float]:
    """P(T <= v) and P(T >= v) at every v, each summed from its own end."""
    at = law.support if at is None else at
    up = np.concatenate([[0.0], np.cumsum(law.mass)])
    down = np.concatenate([[0.0], np.cumsum(law.mass[::-1])])[::-1]
    below = np.searchsorted(law.support, at, side="right")
    above = np.searchsorted(law.support, at, side="left")
    return up[below], down[above]


@hypothesis_settings()
@given(values=st.lists(st.integers(0, 9) | st.integers(0, 300), min_size=2, max_size=8), n=st.integers(1, 30))
def test_tilted_fft_equals_convolution_of_any_values(values: list[int], n: int) -> None:
    points, counts = np.unique(np.array(values) - min(values), return_counts=True)
    if points.size == 1:
        return
    pmf = counts / counts.sum()
    direct = _power(points, pmf, n)
    first, mass, lost = _tilted_power(points, pmf, n, 1e-300)
    assert (first, mass.size, lost) == (0, direct.size, 0.0)
    for turn in (slice(None), slice(None, None, -1)):
        np.testing.assert_allclose(np.cumsum(mass[turn]), np.cumsum(direct[turn]), rtol=1e-10)


@pytest.mark.parametrize("n", [1_000, 100_000])
def test_tilted_fft_of_many_draws_is_the_binomial(n: int) -> None:
    law = bootstrap_sum_law([0, 1], n)
    mass, first = binomial(n, 37.0)
    twin = DiscreteLaw(first + np.arange(mass.size, dtype=float), mass)
    for one, other in zip(tails(twin), tails(law, twin.support), strict=True):
        held = one > 1e-280
        np.testing.assert_allclose(other[held], one[held], rtol=1e-10)


def test_a_bootstrap_law_for_large_tails_says_what_it_leaves_out() -> None:
    values = np.random.default_rng(4).integers(-50, 51, 1000)
    whole, part = bootstrap_sum_law(values), bootstrap_sum_law(values, least=1e-6)
    assert part.support.size < whole.support.size / 2
    assert bootstrap_sum_cost(values, least=1e-6) < bootstrap_sum_cost(values)
    assert 0 < part.lost <= 1e-18
    for q in (1e-6, 0.025, 0.5, 0.975):
        assert part.quantile(q) == whole.quantile(q)
        x = whole.quantile(q)
        assert part.mass[part.support <= x].sum() == pytest.approx(whole.mass[whole.support <= x].sum(), rel=1e-10)


@pytest.mark.parametrize("n", [71, 74, 85])
def test_what_a_bootstrap_law_says_to_leave_out_is_left_out(n: int) -> None:
    """Also where that is one sum at either end, next to where the last tilt is."""
    points, pmf = np.array([0, 1]), np.array([0.5, 0.5])
    first, mass, lost = _tilted_power(points, pmf, n, 1e-6)
    outside = np.delete(_power(points, pmf, n), np.arange(first, first + mass.size)).sum()
    assert first > 0
    assert 0 < outside <= lost


def test_bootstrap_law_of_many_draws_of_few_kinds() -> None:
    """Masses that overflow as factorials: the law of the sum by two routes."""
    values = np.array([0.0] * 400 + [1.0] * 60 + [-1.0] * 40)
    counted = bootstrap_law(values[None, :, None], lambda s: s[..., 0])
    power = bootstrap_sum_law(values)
    assert bootstrap_size(values[None, :, None]) == math.comb(502, 2)
    for one, other in zip(tails(power), tails(counted, power.support), strict=True):
        held = one > 1e-250
        np.testing.assert_allclose(other[held], one[held], rtol=1e-9)


def test_bootstrap_sum_law_reaches_1e_200() -> None:
    law = bootstrap_sum_law([0, 0, 0, 1], 500)
    n, k = 500, 480
    tail = sum(Fraction(math.comb(n, j) * 3 ** (n - j), 4**n) for j in range(k, n + 1))
    assert float(tail) < 1e-200
    assert law.mass[law.support >= k].sum() == pytest.approx(float(tail), rel=1e-9, abs=0)


def test_bayesian_tail_of_random_weights() -> None:
    values, c = [0.5, -1.0, 2.0, 2.0, -0.25, -0.25], 0.3
    weights = np.random.default_rng(7).dirichlet(np.ones(len(values)), 200_000)
    share = float((weights @ np.array(values) > c).mean())
    assert bayesian_mean_tail(values, c) == pytest.approx(share, abs=0.005)  # 4.5 standard errors


def test_the_cost_of_a_short_bootstrap_law_is_the_number_of_points_it_may_have() -> None:
    """Sums of n draws of 0 or 3: from none to all."""
    for n in (1, 2, 5):
        law = bootstrap_sum_law([0, 3], n)
        assert bootstrap_sum_cost([0, 3], n) == law.support.size == n + 1


@pytest.mark.parametrize("n", [2, 3, 40])
def test_the_lattice_of_a_bootstrap_is_as_long_as_the_sum_or_as_bernsteins_bound(n: int) -> None:
    values = [3, 5] * (n // 2) + [3] * (n % 2) + [103]
    points, size = np.array(values) / 2 - 1.5, len(values)
    log_tail = -math.log(1e-300) - math.log(1e-13)
    linear = log_tail * 50 / 3
    window = 2 * (linear + math.sqrt(linear**2 + 2 * log_tail * size * points.var()))
    assert bootstrap_sum_cost(values) == pytest.approx(min(50 * size, window) + 1, rel=1e-12)
    assert bootstrap_sum_cost(values, 10_000) == pytest.approx(
        2 * (linear + math.sqrt(linear**2 + 2 * log_tail * 10_000 * points.var())) + 1, rel=1e-12
    )


@pytest.mark.parametrize(("largest", "held"), [pytest.param(13_107, True, marks=pytest.mark.slow), (13_108, False)])
def test_a_bootstrap_is_exact_on_lattices_of_2_19_cells_at_most(largest: int, held: bool) -> None:
    values = np.array([*range(39), largest], dtype=float)
    assert (40 * largest + 1 <= 2**19) == held
    assert (bootstrap_law_of_pair(pairing(values[None], np.zeros((1, 40)), settings(99))) is not None) == held


@pytest.mark.parametrize("least", [*range(8, 70), 95, 96, 97, 1024, 1025, 1280, 1281, 1536, 1537, 4096.5])
def test_transforms_have_the_next_length_that_is_4_5_or_6_times_a_power_of_two(least: float) -> None:
    lengths = sorted(f * 2**k for f in (4, 5, 6) for k in range(1, 14))
    assert _quick_length(least) == next(length for length in lengths if length >= least)


def test_moments_of_the_bayesian_bootstrap() -> None:
    mean, variance = bayesian_mean_moments([1.0, 4.0, 4.0, 11.0])
    assert (mean, variance) == pytest.approx((5.0, (16 + 1 + 1 + 36) / (4 * 5)))
