"""Numbers as whole multiples of a unit, whose sums are exact."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.engine.lattice import lattice
from tests.engine.test_cyclic import EPSILON


def column(values: list[float]) -> Float:
    return np.array(values)[:, None]


@pytest.mark.parametrize(
    ("values", "unit"),
    [
        ([1.0, 2.0, -5.0], 1.0),
        ([0.1, 0.2, 0.3, 0.7], 0.1),
        ([0.25, 12.5], 0.01),
        ([1 / 3, 2 / 3, 1.0], 1 / 3),
        ([1 / 7, 5 / 7], 1 / 7),
        ([1e-6, 0.5], 1e-6),
        ([1 / 3, 1 / 4], 1 / 12),
    ],
)
def test_decimals_and_simple_fractions_become_whole_numbers(values: list[float], unit: float) -> None:
    found = lattice(column(values))
    assert found.exact.tolist() == [True]
    assert found.steps[0] == pytest.approx(unit, rel=1e-15)
    np.testing.assert_array_equal(found.integers, np.rint(found.integers))
    np.testing.assert_allclose(found.integers[:, 0] * found.steps[0], values, rtol=1e-15)


def test_real_numbers_are_rounded_to_a_grid_below_their_own_rounding() -> None:
    rng = np.random.default_rng(7)
    values = rng.normal(size=(500, 1)) * 100
    found = lattice(values)
    assert found.exact.tolist() == [False]
    np.testing.assert_array_equal(found.integers, np.rint(found.integers))
    assert np.abs(found.integers).sum() < 2.0**53
    assert np.abs(found.integers * found.steps - values).max() <= 500 * 2.0**-51 * np.abs(values).max()


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
@given(seed=st.integers(0, 99))
def test_sums_do_not_depend_on_the_order_of_items(scale: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    held = lattice(rng.normal(size=(200, 1)) * scale).integers
    sums = {float(held[rng.permutation(200)].sum()) for _ in range(5)}
    sums.add(float(np.cumsum(held)[-1]))
    sums.add(math.fsum(held[:, 0].tolist()))
    assert len(sums) == 1


def test_decimals_that_tie_on_paper_tie_on_the_lattice() -> None:
    held = lattice(column([0.1, 0.2, 0.3])).integers[:, 0]
    assert held[0] + held[1] == held[2]
    assert 0.1 + 0.2 != 0.3


def test_every_column_has_its_own_unit() -> None:
    found = lattice(np.array([[1.0, 0.1, math.pi], [2.0, 0.3, math.e]]))
    assert found.exact.tolist() == [True, True, False]
    assert found.steps[:2].tolist() == [1.0, 0.1]


@pytest.mark.parametrize(
    "values",
    [
        [0.0, 0.0],
        [-0.0, 0.0],
        [1e-290, 0.0],
        [1e-320, 0.0],
    ],
)
def test_zeros_of_any_kind_are_zero(values: list[float]) -> None:
    found = lattice(column(values))
    assert np.isfinite(found.integers).all()
    assert np.isfinite(found.steps).all()
    np.testing.assert_allclose(found.integers[:, 0] * found.steps[0], [0.0, 0.0], atol=1e-280)


def test_large_numbers_in_sixty_fourths_are_exact() -> None:
    """There is no room for a million parts of a unit, which would hold them too."""
    found = lattice(np.array([[3e9 + 1 / 64]]))
    assert found.exact[0] and found.steps[0] == 1 / 64
    assert found.integers[0, 0] == 64 * 3e9 + 1


def test_a_number_alone_has_the_room_of_one() -> None:
    """There are tenths for it; with another one beside it only thirds, which it is as far as it is known."""
    one, two = lattice(np.array([[2e14 + 0.3]])), lattice(np.array([[2e14 + 0.3]] * 2))
    assert one.exact[0] and one.steps[0] == 0.1
    assert two.steps[0] == 1 / 3


@pytest.mark.parametrize(
    ("value", "exact_unit"),
    [(0.3, True), (0.3 * (1 + 3 * EPSILON), True), (0.3 * (1 - 3 * EPSILON), True), (0.3 * (1 + 8 * EPSILON), False)],
)
def test_decimals_are_whole_tenths_within_four_rounding_errors(value: float, exact_unit: bool) -> None:
    found = lattice(np.array([[value], [0.1], [1.0]]))
    assert (found.steps[0] == 0.1) == exact_unit
    assert bool(found.exact[0]) == exact_unit
    np.testing.assert_allclose(found.integers[:, 0] * found.steps[0], [value, 0.1, 1.0], rtol=1e-14)


@pytest.mark.parametrize("part", [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 16, 24, 32, 48, 60, 64, 10, 1000, 10**12])
def test_simple_fractions_are_whole_multiples_of_one(part: int) -> None:
    found = lattice(np.array([[1 / part], [3.0], [2.0]]))
    assert found.exact[0]
    assert Fraction(round(1 / found.steps[0])) % part == 0
    assert found.integers[:, 0].tolist() == [round(v / found.steps[0]) for v in (1 / part, 3.0, 2.0)]


@pytest.mark.parametrize(("rows", "copies"), [(3, 1), (3, 8), (100, 1)])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-12, 1e5])
def test_real_numbers_lie_on_the_finest_grid_whose_sums_stay_exact(rows: int, copies: int, scale: float) -> None:
    values = np.resize([math.pi, -math.e, 0.1234567891234], rows)[:, None] * scale
    found = lattice(values, copies)
    room = 2.0**53 / (4 * rows * copies * math.pi * scale)
    assert 1 / found.steps[0] == 2.0 ** math.floor(math.log2(room))
    assert not found.exact[0]


@pytest.mark.parametrize(("largest", "sixteenths"), [(2.0**46, True), (2.0**47, False)])
def test_a_unit_may_leave_just_enough_room_for_sums(largest: float, sixteenths: bool) -> None:
    found = lattice(np.array([[largest], [1 / 16]]))
    assert bool(found.exact[0]) == sixteenths
    assert (found.steps[0] == 1 / 16) == sixteenths


@pytest.mark.parametrize("part", [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 16, 24, 32, 48, 60, 64, 10, 1000, 10**12])
def test_where_there_is_room_for_no_smaller_unit_a_simple_fraction_is_one(part: int) -> None:
    values = np.zeros((1024, 1))
    values[:2, 0] = 1 / part, 2**41 // part
    found = lattice(values)
    assert found.exact[0] and found.steps[0] == 1 / part
    assert found.integers[:2, 0].tolist() == [1, 2**41 // part * part]


@pytest.mark.parametrize("denominator", [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 16, 24, 32, 48, 60, 64, 100, 10**6])
def test_numbers_of_a_grid_are_whole_multiples_of_its_unit(denominator: int) -> None:
    """Means of so many votes, shares in percent: ties among them are found in whole numbers."""
    rng = np.random.default_rng(denominator)
    whole = rng.integers(-3 * denominator, 3 * denominator, (40, 1))
    whole[:2] = [[1], [denominator - 1]]
    found = lattice(whole / denominator)
    assert found.exact.all()
    np.testing.assert_array_equal(np.rint(found.integers), found.integers)
    np.testing.assert_allclose(found.integers * found.steps, whole / denominator, rtol=1e-15)
