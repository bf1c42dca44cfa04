"""Sums of binomial multiples on a lattice: as their slow twin in whole numbers, how far they reach, at what cost."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from outscore.engine.lattice import MOST_CELLS, REFUSED, MassGrid, binomial, lattice_cost, lattice_sum
from tests.examples import examples

Rows = list[tuple[int, int, int]]
"""Steps down and right, and how often."""


def ways(rows: Rows) -> dict[tuple[int, int], int]:
    """Number of subsets of all steps with each sum, by plain loops."""
    found: dict[tuple[int, int], int] = {(0, 0): 1}
    for down, right, count in rows:
        grown: dict[tuple[int, int], int] = defaultdict(int)
        for (x, y), number in found.items():
            for k in range(count + 1):
                grown[x + k * down, y + k * right] += number * math.comb(count, k)
        found = grown
    return found


def assert_grid(grid: MassGrid, rows: Rows) -> None:
    total = 2 ** sum(count for *_, count in rows)
    expected = np.zeros_like(grid.mass)
    for (x, y), number in ways(rows).items():
        expected[x - grid.low[0], y - grid.low[1]] = float(Fraction(number, total))
    np.testing.assert_allclose(grid.mass, expected, rtol=1e-13, atol=0)


def made(rows: Rows, least: float = 1e-300) -> MassGrid:
    table = np.array(rows, dtype=np.int64)
    return lattice_sum(table[:, :2], table[:, 2], least)


steps = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 6)).filter(lambda s: s[:2] != (0, 0))


@given(rows=st.lists(steps, min_size=1, max_size=4))
def test_every_cell_is_the_number_of_ways(rows: Rows) -> None:
    grid = made(rows)
    assert grid.lost == 0
    assert_grid(grid, rows)


many = st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(20, 30)).filter(lambda s: s[:2] != (0, 0))


@hypothesis_settings(max_examples=examples(30))
@given(rows=st.lists(many, min_size=2, max_size=3), line=st.booleans())
def test_every_cell_of_many_equal_steps(rows: Rows, line: bool) -> None:
    rows = [(down or right, 0, count) for down, right, count in rows] if line else rows
    assert_grid(made(rows), rows)


def test_cells_of_1e_70_are_as_accurate_as_any() -> None:
    rows = [(1, 0, 90), (2, 1, 90), (0, 1, 60)]
    grid = made(rows)
    assert grid.mass[-1, -1] == pytest.approx(2.0**-240, rel=1e-13, abs=0)
    assert_grid(grid, rows)


@pytest.mark.parametrize("least", [1e-3, 1e-20])
def test_what_is_left_out_is_below_its_bound(least: float) -> None:
    rows = [(1, 0, 900), (2, 1, 700), (0, 3, 300), (1, -1, 100)]
    whole, part = made(rows), made(rows, least)
    assert part.mass.size < whole.mass.size / 4
    assert part.lost == pytest.approx(1e-30 * least)
    place = part.low - whole.low
    window = whole.mass[place[0] : place[0] + part.mass.shape[0], place[1] : place[1] + part.mass.shape[1]]
    assert whole.mass.sum() - window.sum() < 1e-15
    missing = window - part.mass
    assert missing[missing > 1e-9 * window].sum() < part.lost
    held = window > 1e-9 * least
    np.testing.assert_allclose(part.mass[held], window[held], rtol=1e-12)


@given(count=st.integers(1, 400))
def test_binomial_is_the_number_of_ways(count: int) -> None:
    mass, first = binomial(count, math.sqrt(count) + 1)
    assert first == 0
    np.testing.assert_allclose(mass, [float(Fraction(math.comb(count, k), 2**count)) for k in range(count + 1)], 1e-12)


def test_cost_is_infinite_where_memory_would_not_do() -> None:
    one = np.array([1])
    assert lattice_cost(np.array([[MOST_CELLS, 0]]), one) == REFUSED
    assert lattice_cost(np.array([[2**60, -(2**60)]]), one) == REFUSED
    assert lattice_cost(np.array([[1500, 1]]), one) < 1e6


def test_no_steps_leave_one_cell() -> None:
    grid = lattice_sum(np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.int64))
    assert (grid.mass.tolist(), grid.low.tolist(), grid.lost) == ([[1.0]], [0, 0], 0.0)


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


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0]])
def test_steps_on_a_line_cost_what_all_before_them_have_spread_the_shortest_first(order: list[int]) -> None:
    steps, counts = np.array([[1, 0], [3, 0], [4, 0]]), np.array([5, 4, 2])
    cells = (1 + 5) * 6 + (1 + 5 + 12) * 5 + (1 + 5 + 12 + 8) * 3
    assert lattice_cost(steps[order], counts[order]) == math.ceil(0.2 * cells + 3 * 15)


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
