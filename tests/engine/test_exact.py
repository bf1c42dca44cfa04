"""Exact laws equal their slow twins: plain loops over all relabellings or resamples, written from the
definition.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine import exact, exact_bootstrap, two_samples
from outscore.engine.binomial import REFUSED, binomial
from outscore.engine.exact import DiscreteLaw

Masses = dict[Fraction, Fraction]


def law_by_counting(values: Iterable[Fraction | int]) -> Masses:
    counts: dict[Fraction, int] = defaultdict(int)
    for value in values:
        counts[Fraction(value)] += 1
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items()}


def assert_law(law: DiscreteLaw, expected: Masses, rtol: float = 1e-12, slack: float = 1e-12) -> None:
    """The same tail from every point, in both directions, relatively; points within ``slack`` are one."""
    for point in expected:
        for exceedances, twin in (
            (law.support >= float(point) - slack, sum(m for v, m in expected.items() if v >= point)),
            (law.support <= float(point) + slack, sum(m for v, m in expected.items() if v <= point)),
        ):
            assert law.mass[exceedances].sum() == pytest.approx(float(twin), rel=rtol, abs=0)
    assert (np.diff(law.support) > 0).all()
    assert law.mass.sum() == pytest.approx(1.0, rel=1e-12)


small_integers = st.lists(st.integers(-9, 9), min_size=1, max_size=9)


@given(d=small_integers, factor=st.integers(1, 7))
def test_flip_law_is_the_law_of_all_signs(d: list[int], factor: int) -> None:
    d = [factor * v for v in d]
    twin = law_by_counting(
        sum(s * v for s, v in zip(signs, d, strict=True)) for signs in product((1, -1), repeat=len(d))
    )
    assert_law(exact.flip_law(d), twin)


@pytest.mark.parametrize("values", [[1, 2], [2, 3, 7], [5]])
def test_flip_law_keeps_relative_accuracy_at_1e_60(values: list[int]) -> None:
    d = (values * 230)[:230]
    states: dict[int, int] = {0: 1}
    for v in d:
        grown: dict[int, int] = defaultdict(int)
        for s, count in states.items():
            grown[s + v] += count
            grown[s - v] += count
        states = grown
    law = exact.flip_law(d)
    assert law.mass[-1] == pytest.approx(2.0**-230, rel=1e-12, abs=0)
    for cut in (0.3, 0.6, 0.9):
        x = cut * sum(d)
        ways = Fraction(sum(w for s, w in states.items() if s >= x), 2 ** len(d))
        assert law.mass[law.support >= x].sum() == pytest.approx(float(ways), rel=1e-12, abs=0)


def test_flip_law_of_many_items_is_affordable() -> None:
    d = np.random.default_rng(1).integers(-5, 6, 2000)
    law = exact.flip_law(d)
    assert exact.flip_cost(d) < exact.MOST_UPDATES
    assert law.sd() == pytest.approx(math.sqrt((d**2).sum()), rel=1e-10)
    assert exact.flip_cost(np.arange(1, 20_000)) > exact.MOST_UPDATES


def test_flip_law_of_a_hundred_thousand_equal_sizes() -> None:
    d = np.ones(100_000)
    law = exact.flip_law(d)
    assert law.sd() == pytest.approx(math.sqrt(d.size), rel=1e-9)
    assert exact.flip_cost(d) < exact.MOST_UPDATES / 100


@pytest.mark.parametrize("values", [[1e12, 1.0, 2.0], [2.0**53, 3.0, 4.0], [2.0**53 - 1] * 5 + [1.0, 3.0]])
def test_lattices_of_too_many_steps_are_refused_before_they_are_made(values: list[float]) -> None:
    zero = np.zeros(len(values))
    assert exact.flip_cost(values) == REFUSED
    assert exact.ratio_swap_cost(np.array(values), zero, zero, zero) == REFUSED
    assert exact_bootstrap.bootstrap_sum_cost(values) > exact_bootstrap.MOST_CELLS


def test_a_law_for_large_tails_is_cheaper_and_says_what_it_leaves_out() -> None:
    d = np.random.default_rng(2).integers(-50, 51, 1000)
    whole, part = exact.flip_law(d), exact.flip_law(d, least=1e-6)
    assert part.support.size < whole.support.size / 2
    assert exact.flip_cost(d, 1e-6) < exact.flip_cost(d)
    assert part.lost == pytest.approx(1e-36, rel=1e-9, abs=0)
    for z in (0.0, 2.0, 4.0):
        x = z * whole.sd()
        assert part.mass[part.support >= x].sum() == pytest.approx(whole.mass[whole.support >= x].sum(), rel=1e-13)


def test_no_difference_leaves_one_point() -> None:
    law = exact.flip_law([0, 0])
    assert (law.support.tolist(), law.mass.tolist(), exact.flip_cost([0])) == ([0.0], [1.0], 0)


@pytest.mark.parametrize("bad", [[0.5], [2.0**54]])
def test_only_integers_have_an_exact_law(bad: list[float]) -> None:
    with pytest.raises(UsageError, match="integers"):
        exact.flip_law(bad)


rows = st.integers(1, 6).flatmap(lambda n: st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=n, max_size=n))


def swapped_sums(rows: list[tuple[int, int, int, int]]) -> Iterable[tuple[int, int, int, int]]:
    """(ΣnA, ΣdA, ΣnB, ΣdB) for every swap of rows (nA, dA, nB, dB)."""
    for swaps in product((False, True), repeat=len(rows)):
        a = [(r[2:] if swap else r[:2]) for r, swap in zip(rows, swaps, strict=True)]
        b = [(r[:2] if swap else r[2:]) for r, swap in zip(rows, swaps, strict=True)]
        yield sum(x for x, _ in a), sum(y for _, y in a), sum(x for x, _ in b), sum(y for _, y in b)


def fraction(num: int, den: int) -> Fraction:
    return Fraction(num, den) if den else Fraction(0)


@given(rows=rows)
def test_ratio_laws_are_the_law_of_all_swaps(rows: list[tuple[int, int, int, int]]) -> None:
    twin = law_by_counting(fraction(a, b) - fraction(c, d) for a, b, c, d in swapped_sums(rows))
    table = np.array(rows, dtype=float)
    assert_law(exact.ratio_swap_law(*table.T), twin)
    assert_law(exact.swap_law(table[:, :2], table[:, 2:], lambda s: exact.ratio(s[..., 0], s[..., 1])), twin)


@given(rows=rows)
def test_swap_law_of_a_nonlinear_score(rows: list[tuple[int, int, int, int]]) -> None:
    twin = law_by_counting(a * a * (b + 1) - c * c * (d + 1) for a, b, c, d in swapped_sums(rows))
    table = np.array(rows, dtype=float)
    law = exact.swap_law(table[:, :2], table[:, 2:], lambda s: s[..., 0] ** 2 * (s[..., 1] + 1))
    assert_law(law, twin)


def test_swap_law_in_several_blocks_with_many_repeats() -> None:
    # 15 distinct differences cross the block size; the repeated one makes a binomial count; a tie is dropped
    a = np.array([[2.0**i] for i in range(15)] + [[0.0]] * 3 + [[5.0]])
    b = np.array([[0.0]] * 15 + [[1.0]] * 3 + [[5.0]])
    law = exact.swap_law(a, b, lambda s: s[..., 0])
    assert exact.swap_size(a, b) == 2**14 * 5
    flips = exact.flip_law((a - b).ravel())
    np.testing.assert_array_equal(law.support, flips.support)
    np.testing.assert_allclose(law.mass, flips.mass, rtol=1e-12)


def test_swap_law_of_thousands_of_equal_pairs_does_not_overflow() -> None:
    a, b = np.ones((3000, 1)), np.zeros((3000, 1))
    law = exact.swap_law(a, b, lambda s: s[..., 0])
    assert exact.swap_size(a, b) == 3001
    assert law.sd() == pytest.approx(math.sqrt(3000), rel=1e-10)


def test_costs_see_the_unit_and_equal_differences() -> None:
    d = np.random.default_rng(3).integers(1, 40, 200).astype(float)
    zero = np.zeros(200)
    assert exact.flip_cost(7 * d) == exact.flip_cost(-d) == exact.ratio_swap_cost(d, zero, zero, zero)
    assert exact.flip_cost(np.repeat(d, 2)) < 8 * exact.flip_cost(d)


@pytest.mark.parametrize(
    "least", [1e-300, pytest.param(1e-41, marks=pytest.mark.slow), pytest.param(1e-14, marks=pytest.mark.slow)]
)
def test_ratio_law_keeps_relative_accuracy_at_1e_40(least: float) -> None:
    """Against whole numbers: three kinds of differences, each relabelling of them has ∏ C(count, k) equals."""
    kinds = [(1, 0, 400), (1, 1, 300), (0, 1, 2)]
    a = np.repeat([(3 + num, 5 + den) for num, den, _ in kinds], [count for *_, count in kinds], axis=0)
    b = np.tile([3, 5], (702, 1))
    totals = (a + b).sum(axis=0)
    k = np.indices([count + 1 for *_, count in kinds]).reshape(3, -1)
    num, den = b.sum(axis=0)[0] + k[0] + k[1], b.sum(axis=0)[1] + k[1] + k[2]
    values = num / den - (totals[0] - num) / (totals[1] - den)
    combs = [[math.comb(count, i) for i in range(count + 1)] for *_, count in kinds]
    ways = [combs[0][x] * combs[1][y] * combs[2][z] for x, y, z in k.T.tolist()]
    law = exact.ratio_swap_law(a[:, 0], a[:, 1], b[:, 0], b[:, 1], least=least)
    for tail in (0.3, 1e-5, 1e-13, 1e-25, 1e-40):
        if tail < least:
            continue
        at = float(law.support[np.searchsorted(-np.cumsum(law.mass[::-1])[::-1], -tail)])
        twin = Fraction(sum(w for w, held in zip(ways, values >= at - 1e-12, strict=True) if held), 2**702)
        assert 0 < twin <= tail * 1.001
        assert law.mass[law.support >= at - 1e-12].sum() == pytest.approx(float(twin), rel=1e-12, abs=0)
    assert (law.lost == 0) == (least == 1e-300)


samples = st.lists(st.integers(-5, 5), min_size=1, max_size=5)


@given(x=samples, y=samples)
def test_two_sample_law_is_the_law_of_all_labellings(x: list[int], y: list[int]) -> None:
    pooled, n, m = x + y, len(x), len(y)
    twin = law_by_counting(
        Fraction(sum(chosen), n) - Fraction(sum(pooled) - sum(chosen), m) for chosen in combinations(pooled, n)
    )
    assert_law(two_samples.two_sample_law(x, y), twin)


@given(values=st.lists(st.integers(-6, 6), min_size=1, max_size=9), share=st.floats(0, 1))
def test_subset_sum_law_is_the_law_of_all_subsets(values: list[int], share: float) -> None:
    size = round(share * len(values))
    twin = law_by_counting(sum(chosen) for chosen in combinations(values, size))
    assert_law(two_samples.subset_sum_law(values, size), twin)


@given(pairs=st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 3)), min_size=1, max_size=5))
def test_bootstrap_law_is_the_law_of_all_resamples(pairs: list[tuple[int, int]]) -> None:
    n = len(pairs)
    twin = law_by_counting(
        Fraction(sum(p[0] for p in drawn), sum(p[1] for p in drawn)) for drawn in product(pairs, repeat=n)
    )
    systems = np.array([pairs], dtype=float)
    assert_law(exact_bootstrap.bootstrap_law(systems, lambda s: exact.ratio(s[..., 0], s[..., 1])), twin)
    distinct = len(set(pairs))
    assert exact_bootstrap.bootstrap_size(systems) == math.comb(n + distinct - 1, distinct - 1)


def test_bootstrap_law_resamples_both_systems_together() -> None:
    a, b = np.array([[1.0], [2.0]]), np.array([[0.0], [5.0]])
    law = exact_bootstrap.bootstrap_law(np.stack([a, b]), lambda s: s[..., 0])
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


@settings()
@given(values=st.lists(st.integers(-9, 9), min_size=1, max_size=5), n=st.integers(1, 12))
def test_bootstrap_sum_law_is_the_law_of_all_draws(values: list[int], n: int) -> None:
    assert_law(exact_bootstrap.bootstrap_sum_law(values, n), powers(values, n))


@pytest.mark.parametrize("values", [[0] * 40 + [1, 1000], [0] * 99 + [1], [0, 1] * 30 + [-50], [7, 7]])
def test_bootstrap_sum_law_with_rare_large_values(values: list[int]) -> None:
    assert_law(exact_bootstrap.bootstrap_sum_law(values, 15), powers(values, 15))


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
    direct = exact_bootstrap.bootstrap_sum_law(values, n)
    monkeypatch.setattr(exact_bootstrap, "_MOST_DIRECT", 0)
    tilted = exact_bootstrap.bootstrap_sum_law(values, n)
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


@settings()
@given(values=st.lists(st.integers(0, 9) | st.integers(0, 300), min_size=2, max_size=8), n=st.integers(1, 30))
def test_tilted_fft_equals_convolution_of_any_values(values: list[int], n: int) -> None:
    points, counts = np.unique(np.array(values) - min(values), return_counts=True)
    if points.size == 1:
        return
    pmf = counts / counts.sum()
    direct = exact_bootstrap._power(points, pmf, n)
    first, mass, lost = exact_bootstrap._tilted_power(points, pmf, n, 1e-300)
    assert (first, mass.size, lost) == (0, direct.size, 0.0)
    for turn in (slice(None), slice(None, None, -1)):
        np.testing.assert_allclose(np.cumsum(mass[turn]), np.cumsum(direct[turn]), rtol=1e-10)


@pytest.mark.parametrize("n", [1_000, 100_000])
def test_tilted_fft_of_many_draws_is_the_binomial(n: int) -> None:
    law = exact_bootstrap.bootstrap_sum_law([0, 1], n)
    mass, first = binomial(n, 37.0)
    twin = DiscreteLaw(first + np.arange(mass.size, dtype=float), mass)
    for one, other in zip(tails(twin), tails(law, twin.support), strict=True):
        held = one > 1e-280
        np.testing.assert_allclose(other[held], one[held], rtol=1e-10)


def test_a_bootstrap_law_for_large_tails_says_what_it_leaves_out() -> None:
    values = np.random.default_rng(4).integers(-50, 51, 1000)
    whole, part = exact_bootstrap.bootstrap_sum_law(values), exact_bootstrap.bootstrap_sum_law(values, least=1e-6)
    assert part.support.size < whole.support.size / 2
    assert exact_bootstrap.bootstrap_sum_cost(values, least=1e-6) < exact_bootstrap.bootstrap_sum_cost(values)
    assert 0 < part.lost <= 1e-18
    for q in (1e-6, 0.025, 0.5, 0.975):
        assert part.quantile(q) == whole.quantile(q)
        x = whole.quantile(q)
        assert part.mass[part.support <= x].sum() == pytest.approx(whole.mass[whole.support <= x].sum(), rel=1e-10)


def test_bootstrap_law_of_many_draws_of_few_kinds() -> None:
    """Masses that overflow as factorials: the law of the sum by two routes."""
    values = np.array([0.0] * 400 + [1.0] * 60 + [-1.0] * 40)
    counted = exact_bootstrap.bootstrap_law(values[None, :, None], lambda s: s[..., 0])
    power = exact_bootstrap.bootstrap_sum_law(values)
    assert exact_bootstrap.bootstrap_size(values[None, :, None]) == math.comb(502, 2)
    for one, other in zip(tails(power), tails(counted, power.support), strict=True):
        held = one > 1e-250
        np.testing.assert_allclose(other[held], one[held], rtol=1e-9)


def test_bootstrap_sum_law_reaches_1e_200() -> None:
    law = exact_bootstrap.bootstrap_sum_law([0, 0, 0, 1], 500)
    n, k = 500, 480
    tail = sum(Fraction(math.comb(n, j) * 3 ** (n - j), 4**n) for j in range(k, n + 1))
    assert float(tail) < 1e-200
    assert law.mass[law.support >= k].sum() == pytest.approx(float(tail), rel=1e-9, abs=0)


def test_bayesian_tail_of_random_weights() -> None:
    values, c = [0.5, -1.0, 2.0, 2.0, -0.25, -0.25], 0.3
    weights = np.random.default_rng(7).dirichlet(np.ones(len(values)), 200_000)
    share = float((weights @ np.array(values) > c).mean())
    assert exact_bootstrap.bayesian_mean_tail(values, c) == pytest.approx(share, abs=0.005)  # 4.5 standard errors


def test_quantile_is_the_inverse_cdf() -> None:
    law = DiscreteLaw(np.array([1.0, 2.0, 4.0]), np.array([0.1, 0.2, 0.7]))
    assert [law.quantile(q) for q in (0.05, 0.1, 0.11, 0.3, 0.31, 1.0)] == [1, 1, 2, 2, 4, 4]
    moved = law.scale(10.0, 1.0)
    assert (moved.mean(), moved.sd()) == pytest.approx((10 * law.mean() + 1, 10 * law.sd()))


@pytest.mark.parametrize(
    "call",
    [
        lambda: two_samples.subset_sum_cost([1, 2, 3], 3),
        lambda: two_samples.subset_sum_cost([5], 0),
    ],
)
def test_nothing_to_choose_costs_nothing(call: Callable[[], int]) -> None:
    assert call() == 0


def test_ratio_with_denominator_zero_is_zero() -> None:
    found: Float = exact.ratio(np.array([1.0, 3.0]), np.array([0.0, 2.0]))
    assert found.tolist() == [0.0, 1.5]


def test_a_ratio_law_leaves_out_twice_what_its_lattice_does() -> None:
    """Once beyond the lattice, and as much again in the faintest of its cells."""
    d, zero = np.random.default_rng(2).integers(-50, 51, 1000), np.zeros(1000, dtype=int)
    of_sums, of_ratios = exact.flip_law(d, least=1e-6), exact.ratio_swap_law(d, zero, zero, zero, least=1e-6)
    assert of_ratios.lost == pytest.approx(2 * of_sums.lost, rel=1e-9, abs=0)


def test_the_cost_of_a_short_bootstrap_law_is_the_number_of_points_it_may_have() -> None:
    """Sums of n draws of 0 or 3: from none to all."""
    for n in (1, 2, 5):
        law = exact_bootstrap.bootstrap_sum_law([0, 3], n)
        assert exact_bootstrap.bootstrap_sum_cost([0, 3], n) == law.support.size == n + 1
