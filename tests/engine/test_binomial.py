"""Sums of binomial multiples on a lattice equal their slow twin in whole numbers, cell by cell."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outscore.engine.binomial import MOST_CELLS, REFUSED, MassGrid, binomial, lattice_cost, lattice_sum
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


def made(rows: Rows, least: float = 1e-300) -> MassGrid:
    table = np.array(rows, dtype=np.int64)
    return lattice_sum(table[:, :2], table[:, 2], least)


def assert_grid(grid: MassGrid, rows: Rows) -> None:
    total = 2 ** sum(count for *_, count in rows)
    expected = np.zeros_like(grid.mass)
    for (x, y), number in ways(rows).items():
        expected[x - grid.low[0], y - grid.low[1]] = float(Fraction(number, total))
    np.testing.assert_allclose(grid.mass, expected, rtol=1e-13, atol=0)


steps = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 6)).filter(lambda s: s[:2] != (0, 0))


@given(rows=st.lists(steps, min_size=1, max_size=4))
def test_every_cell_is_the_number_of_ways(rows: Rows) -> None:
    grid = made(rows)
    assert grid.lost == 0
    assert_grid(grid, rows)


many = st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(20, 30)).filter(lambda s: s[:2] != (0, 0))


@settings(max_examples=examples(30))
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
