"""Exact laws and what they cost, beside all cases counted one by one and formulas written out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine import exact, two_samples
from outscore.engine.binomial import REFUSED, binomial, lattice_cost, lattice_sum
from outscore.engine.exact import DiscreteLaw, law_of
from outscore.engine.exact_bootstrap import (
    _quick_length,
    bayesian_mean_moments,
    bootstrap_law,
    bootstrap_size,
    bootstrap_sum_cost,
    bootstrap_sum_law,
)
from outscore.significance.laws import bootstrap_law as bootstrap_law_of_pair
from tests.laws.support import pairing, settings

RNG = np.random.default_rng(20)
EPSILON = 2.0**-52

# binomial multiples on a lattice


@pytest.mark.parametrize("reach", [0.5, 1.0, 2.0, 3.7, 100.0])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 10, 33, 100])
def test_binomial_masses_reach_so_many_standard_deviations_from_the_middle(count: int, reach: float) -> None:
    width, middle = math.ceil(reach * math.sqrt(count) / 2), count // 2
    first, last = max(middle - width, 0), min(middle + width, count)
    mass, low = binomial(count, reach)
    law = stats.binom(count, 0.5).pmf(np.arange(first, last + 1))
    assert low == first
    np.testing.assert_allclose(mass, law / law.sum(), rtol=1e-12)


@pytest.mark.parametrize(("size", "count"), [(3, 5), (7, 19), (7, 20), (2, 60), (1, 15), (41943, 25), (100, 19)])
def test_the_cost_of_one_step_is_its_cells_times_that_of_a_shift_or_a_product(size: int, count: int) -> None:
    cells, taps = 1 + size * count, count + 1
    each = 0.2 * taps if taps <= 20 else 2.0 + 0.03  # a product with one cell is one deep
    assert lattice_cost(np.array([[size, 0]]), np.array([count])) == math.ceil(cells * each + 15)
    assert lattice_cost(np.array([[size, 0], [0, 0]])[:0], np.array([], dtype=int)) == 0


@pytest.mark.parametrize(("down", "right", "count"), [(3, 2, 2), (3, 2, 3), (1, 1, 30)])
def test_the_cost_of_one_step_in_a_plane(down: int, right: int, count: int) -> None:
    cells, taps = (1 + down * count) * (1 + right * count), count + 1
    each = 0.2 * taps if taps <= 3 else 2.0 + 0.03
    assert lattice_cost(np.array([[down, right]]), np.array([count])) == math.ceil(cells * each + 15)


def test_the_cost_of_two_steps_adds_the_second_on_the_grid_of_the_first() -> None:
    # the shorter step first: 1 + 2 * 30 cells, then 61 + 5 * 40; the products are 1 and 41 deep
    expected = 61 * 2.03 + (61 + 200) * (2.0 + 0.03 * 41) + 2 * 15
    assert lattice_cost(np.array([[5, 0], [2, 0]]), np.array([40, 30])) == math.ceil(expected)


def reach_of(steps: int, least: float) -> float:
    """Standard deviations that are kept: 2 exp(-t²/2) for each of two coordinates and two cuts, 1e-30 of the tail."""
    return math.sqrt(2 * (math.log(6 * steps) - math.log(least) - math.log(1e-30)))


@pytest.mark.parametrize("least", [1e-5, 1e-50, 1e-300])
@pytest.mark.parametrize("counts", [(1000, 1001), (5000, 30), (20, 4000), (9, 9)])
def test_what_lies_beyond_all_reach_is_neither_kept_nor_paid_for(counts: tuple[int, int], least: float) -> None:
    reach, cost, width, span, variance, mean = reach_of(2, least), 30.0, 1.0, 0, 0.0, 0.0
    for size, count in zip((1, 3), counts, strict=True):
        taps = min(count, 2 * math.ceil(reach * math.sqrt(count / 4))) + 1
        cells = width + size * (taps - 1)
        cost += cells * (0.2 * taps if taps <= 20 else 2.0 + 0.03 * min(taps, width))
        span, variance, mean = span + size * count, variance + size**2 * count / 4, mean + size * count / 2
        width = min(span, 2 * reach * math.sqrt(variance)) + 1
    steps = np.array([[1, 0], [3, 0]])
    assert lattice_cost(steps, np.array(counts), least) == math.ceil(cost)
    grid = lattice_sum(steps, np.array(counts), least)
    half = reach * math.sqrt(variance)
    ends = max(math.floor(mean - half), 0), min(math.ceil(mean + half), span)
    assert grid.low[0] >= ends[0]
    assert grid.low[0] + len(grid.mass) - 1 <= ends[1]
    if counts == (1000, 1001) and least == 1e-5:  # both are cut, so that the window is the narrower one
        assert (grid.low[0], len(grid.mass)) == (ends[0], ends[1] - ends[0] + 1)
    assert (grid.lost == 0.0) == (max(counts) < reach**2 and half >= mean)
    assert grid.mass.sum() == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(("size", "count", "cells"), [(41943, 25, 2**20), (65536, 16, 2**20 + 1)])
def test_a_lattice_may_have_2_20_cells_and_no_more(size: int, count: int, cells: int) -> None:
    assert 1 + size * count == cells
    refused = lattice_cost(np.array([[size, 0]]), np.array([count])) == REFUSED
    assert refused == (cells > 2**20)


@pytest.mark.parametrize("counts", [(1, 1), (2, 3), (21, 2), (4, 25), (30, 30)])
@pytest.mark.parametrize("steps", [((1, 0), (3, 0)), ((2, 1), (-1, 3)), ((1, -2), (-3, -1)), ((0, 2), (0, -1))])
def test_a_sum_of_two_steps_has_the_mass_of_both_counts(
    steps: tuple[tuple[int, int], ...], counts: tuple[int, int]
) -> None:
    grid = lattice_sum(np.array(steps), np.array(counts))
    expected: Counter[tuple[int, int]] = Counter()
    for i, j in product(range(counts[0] + 1), range(counts[1] + 1)):
        place = (i * steps[0][0] + j * steps[1][0], i * steps[0][1] + j * steps[1][1])
        expected[place] += math.comb(counts[0], i) * math.comb(counts[1], j)
    found = {
        (int(r + grid.low[0]), int(c + grid.low[1])): grid.mass[r, c] * 2.0 ** sum(counts)
        for r, c in np.argwhere(grid.mass > 0).tolist()
    }
    assert found.keys() == expected.keys()
    for place, ways in expected.items():
        assert found[place] == pytest.approx(ways, rel=1e-12)
    assert grid.lost == 0.0


# exact laws


@pytest.mark.parametrize("values", [[4, 7, 9], [1, 1, 5, 9], [0, 0, 2], [3, 3, 3], [-4, 0, 10, 2]])
def test_the_cost_of_subset_sums_is_items_times_sizes_times_sums(values: list[int]) -> None:
    for size in range(len(values) + 1):
        unit = math.gcd(*(v - min(values) for v in values)) or 1
        reach = sum(sorted(v - min(values) for v in values)[::-1][:size]) // unit
        expected = 0 if size in (0, len(values)) else len(values) * (size + 1) * (reach + 1)
        assert two_samples.subset_sum_cost(values, size) == expected


@pytest.mark.parametrize("values", [[4, 7, 9], [1, 1, 5, 9], [-4, 0, 10, 2, 2]])
def test_subset_sums_are_those_of_all_subsets(values: list[int]) -> None:
    for size in range(len(values) + 1):
        counted = Counter(sum(chosen) for chosen in combinations(values, size))
        law = two_samples.subset_sum_law(values, size)
        assert law.support.tolist() == sorted(counted)
        ways = [counted[s] / math.comb(len(values), size) for s in sorted(counted)]
        np.testing.assert_allclose(law.mass, ways, rtol=1e-12)
        sums = two_samples.subset_sums(np.array(values, dtype=float)[:, None], size)[:, 0]
        assert Counter(sums.tolist()) == counted


def swapped(a: Float, b: Float, statistic: Callable[[Float], float]) -> Counter[float]:
    found: Counter[float] = Counter()
    for chosen in product((False, True), repeat=len(a)):
        sums = np.where(np.array(chosen)[:, None], b, a).sum(axis=0)
        found[round(statistic(sums), 9)] += 1
    return found


@pytest.mark.parametrize("seed", range(6))
def test_relabelled_rows_have_the_statistics_of_all_swaps(seed: int) -> None:
    draw = np.random.default_rng(seed)
    a, b = draw.integers(1, 4, (2, 7, 2)).astype(float)
    a[0] = b[0]  # a row that changes nothing
    total = (a + b).sum(axis=0)

    def of(sums: Float) -> float:
        return float(sums[..., 0] / sums[..., 1] - 0.3 * sums[..., 0])

    def gain(sums: Float) -> float:
        other = total - sums
        return float(sums[..., 0] / sums[..., 1] - other[..., 0] / other[..., 1])

    def many(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums[..., 1] - 0.3 * sums[..., 0])

    laws = {
        "any": (exact.permutation_law(a, b, many), swapped(a, b, of)),
        "gain": (exact.swap_law(a, b, lambda s: np.asarray(s[..., 0] / s[..., 1])), swapped(a, b, gain)),
        "ratio": (exact.ratio_swap_law(a[:, 0], a[:, 1], b[:, 0], b[:, 1]), swapped(a, b, gain)),
    }
    for name, (law, expected) in laws.items():
        merged: Counter[float] = Counter()
        for value, mass in zip(law.support, law.mass, strict=True):
            merged[round(float(value), 9) + 0.0] += mass * 2**7
        assert sorted(merged) == pytest.approx(sorted(expected), abs=1e-8), name
        for value in expected:
            near = min(merged, key=lambda one: abs(one - value))
            assert merged[near] == pytest.approx(expected[value], rel=1e-9), name
    rows = [tuple((d if d[d != 0][0] > 0 else -d).tolist()) for d in a - b if d.any()]
    assert exact.swap_size(a, b) == math.prod(n + 1 for n in Counter(rows).values())


@pytest.mark.parametrize(("n", "m", "marked"), [(3, 4, 2), (3, 4, 5), (1, 1, 1), (5, 2, 6), (4, 4, 0), (4, 4, 8)])
def test_marked_values_fall_to_a_sample_by_the_hypergeometric_law(n: int, m: int, marked: int) -> None:
    law = two_samples.hypergeometric_law(n, m, marked)
    assert law.support.tolist() == list(range(max(0, marked - m), min(marked, n) + 1))
    np.testing.assert_allclose(law.mass, stats.hypergeom(n + m, marked, n).pmf(law.support), rtol=1e-10)


@pytest.mark.parametrize("values", [[0, 5], [7, 7], [0], [1, 2, 3, 3], [1, 32], [1, 33], [0, 0, 48], [0, 0, 49]])
def test_distinct_values_are_counted_by_a_table_or_by_sorting(values: list[int]) -> None:
    found, counts = exact.distinct(np.array(values))
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == Counter(values)


def test_numbers_for_exact_laws_are_whole_and_at_most_2_53() -> None:
    assert exact.integers([2.0**53, -(2.0**53), 3.0]).tolist() == [2**53, -(2**53), 3]
    for bad in ([2.0**53 + 2], [0.5]):
        with pytest.raises(UsageError, match="integers below"):
            exact.integers(bad)


def test_a_law_has_the_moments_and_quantiles_of_its_masses() -> None:
    law = law_of(np.array([3.0, 1.0, 3.0, 7.0, 9.0]), np.array([0.25, 0.1, 0.25, 0.4, 0.0]))
    assert law.support.tolist() == [1.0, 3.0, 7.0]
    assert law.mass.tolist() == pytest.approx([0.1, 0.5, 0.4])
    assert law.mean() == pytest.approx(4.4)
    assert law.sd() == pytest.approx(math.sqrt(0.1 * 3.4**2 + 0.5 * 1.4**2 + 0.4 * 2.6**2))
    assert [law.quantile(q) for q in (0.0, 0.1, 0.1 + 5e-13, 0.1 + 5e-12, 0.6, 0.61, 1.0)] == [1, 1, 1, 3, 3, 7, 7]
    turned = law.scale(2.0, 1.0).negate()
    assert turned.support.tolist() == [-15.0, -7.0, -3.0]
    assert turned.mass.tolist() == pytest.approx([0.4, 0.5, 0.1])
    assert DiscreteLaw(law.support, law.mass, 0.25).scale(2.0).negate().lost == 0.25


@pytest.mark.parametrize("values", [[0, 1, 3], [2, 2, 5, 9], [4, 4], [0, 0, 0, 7], [1, 5, 5, 5, 13]])
@pytest.mark.parametrize("draws", [None, 1, 2, 5])
def test_sums_of_draws_are_counted(values: list[int], draws: int | None) -> None:
    n = len(values) if draws is None else draws
    law = bootstrap_sum_law(values, draws)
    counted = Counter(sum(drawn) for drawn in product(values, repeat=n))
    assert law.support.tolist() == sorted(counted)
    np.testing.assert_allclose(law.mass, [counted[s] / len(values) ** n for s in sorted(counted)], rtol=1e-12)


@pytest.mark.parametrize("values", [[0.0, 1.0, 3.0], [2.0, 2.0, 5.0, 9.0]])
def test_a_bootstrap_law_is_that_of_all_resamples(values: list[float]) -> None:
    x = np.array(values)
    rows = np.stack([np.stack([x, np.ones_like(x)], axis=1), np.stack([x[::-1] / 2, np.ones_like(x)], axis=1)])
    law = bootstrap_law(rows, lambda sums: np.asarray(sums[..., 0] / sums[..., 1]))
    pairs = rows[0, :, 0] - rows[1, :, 0]
    counted = Counter(round(float(np.mean(drawn)), 9) for drawn in product(pairs.tolist(), repeat=len(x)))
    merged: Counter[float] = Counter()
    for value, mass in zip(law.support, law.mass, strict=True):
        merged[round(float(value), 9)] += mass * len(x) ** len(x)
    assert {k: round(v, 6) for k, v in merged.items()} == dict(counted)
    distinct = len({tuple(map(tuple, pair)) for pair in np.moveaxis(rows, 0, 1).tolist()})
    assert bootstrap_size(rows) == math.comb(len(x) + distinct - 1, distinct - 1)


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


@pytest.mark.parametrize(("largest", "held"), [(13_107, True), (13_108, False)])
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
