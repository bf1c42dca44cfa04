"""Permutations within blocks: counted, sampled, and too many."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from outscore.base.rng import stream
from outscore.significance.omnibus import block_ranks, omnibus_tests, permutation_exceedances, permutation_p
from tests.significance.omnibus.test_omnibus import of_items

TABLES = [
    [[0, 1, 2], [0, 2, 1], [1, 0, 2]],
    [[1, 1, 0], [0, 1, 0]],
    [[0, 1], [0, 1], [1, 0]],
    [[0, 1, 2]] * 3,
    [[1, 1]],
    [[1, 0, 0], [1, 0, 0], [0, 1, 0]], [[2, 1, 0], [2, 0, 1], [1, 2, 0], [2, 1, 0]],
    [[1, 1, 0], [1, 0, 1], [1, 1, 1]], [[3, 0], [0, 3], [3, 0], [3, 0]], [[1, 0, 0, 2], [1, 0, 0, 2], [1, 0, 0, 2]],
    [[1, 1], [1, 1]], [[5, 0, 0]],
    [[6, 1, 2], [5, 0, 1], [0, 0, 9]],
]  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_permutations_within_blocks_are_counted(table: list[list[int]]) -> None:
    given = np.array(table)
    observed = int((given.sum(axis=0) ** 2).sum())
    every = [
        int((np.array(orders).sum(axis=0) ** 2).sum()) for orders in product(*(permutations(block) for block in table))
    ]
    expected = sum(one >= observed for one in every) / len(every)
    assert permutation_p(given) == pytest.approx(expected)
    drawn = permutation_exceedances(given, 2000, 3)
    # five standard errors
    assert drawn.total / drawn.drawn == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 2000))
    ranks = [[len(row) + 1 - r for r in stats.rankdata(row)] for row in table]
    assert block_ranks(given.astype(float)).tolist() == [[2 * r for r in block] for block in ranks]


@pytest.mark.parametrize(("k", "known"), [(7, True), (8, False)])
def test_orders_of_up_to_seven_systems_are_written_out(k: int, known: bool) -> None:
    table = np.zeros((3, k), dtype=np.int64)
    table[0, 0] = table[1, 0] = table[2, 1] = 1
    found = permutation_p(table)
    # two of three marks, or all, fall to one system
    assert found == pytest.approx(1 - (k - 1) * (k - 2) / k**2) if known else found is None
    table[2] = table[0]
    assert permutation_p(table) == pytest.approx(1 / k**2)


def looped_p(table: list[tuple[int, ...]]) -> Fraction:
    """Slow twin: every assignment of every block counts once."""
    observed = sum(sum(column) ** 2 for column in zip(*table, strict=True))
    reached = total = 0
    for orders in product(*(list(permutations(block)) for block in table)):
        total += 1
        reached += sum(sum(column) ** 2 for column in zip(*orders, strict=True)) >= observed
    return Fraction(reached, total)


block = st.integers(2, 3).flatmap(lambda k: st.lists(st.tuples(*[st.integers(0, 3)] * k), min_size=1, max_size=5))


@hypothesis_settings(max_examples=60)
@given(block)
def test_the_permutation_law_counts_all_exchanges(table: list[tuple[int, ...]]) -> None:
    found = permutation_p(np.array(table, dtype=np.int64))
    assert found == pytest.approx(float(looped_p(table)), rel=1e-12)


def test_sampled_exchanges_agree_with_the_enumeration() -> None:
    # 40,000 draws, five standard errors: false alarm 6e-7
    rng = np.random.default_rng(10)
    for table in (rng.integers(0, 2, (14, 4)), block_ranks(rng.normal(size=(7, 4)))):
        exact = permutation_p(table)
        assert exact is not None
        exceedances = permutation_exceedances(table, 40_000, 3)
        assert exceedances.total / exceedances.drawn == pytest.approx(
            exact, abs=5 * math.sqrt(exact * (1 - exact) / 40_000)
        )
        assert permutation_exceedances(table, 40_000, 3) == exceedances


def test_what_is_too_large_is_not_enumerated() -> None:
    rng = np.random.default_rng(11)
    assert permutation_p(rng.integers(0, 9, (5, 8))) is None
    assert permutation_p(block_ranks(rng.normal(size=(200, 5)))) is None
    agreed = np.tile(np.arange(9), (4, 1))
    assert permutation_p(agreed) == pytest.approx(math.factorial(9) ** -3.0)
    found = omnibus_tests.make("friedman:law=f").run(of_items(np.tile(np.arange(3.0), (5, 1))))
    assert found.p_value == pytest.approx(6.0**-4)
    assert found.p_kind == "exact"


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=5))
def test_ranks_within_blocks_are_mid_ranks_from_the_best(rows: list[list[int]]) -> None:
    found = block_ranks(np.array(rows, dtype=float))
    expected = [2 * stats.rankdata(-np.array(row)) for row in rows]
    assert found.tolist() == np.array(expected).tolist()


def test_permutations_of_one_block_of_random_numbers_are_those_of_its_seed() -> None:
    table = np.array([[0, 1, 2], [2, 1, 0], [0, 2, 2], [1, 0, 2]])
    observed = int((table.sum(axis=0) ** 2).sum())
    drawn = stream(5, "permutation within blocks", 0).permuted(np.tile(table, (500, 1, 1)), axis=2)
    expected = sum(int((one.sum(axis=0) ** 2).sum()) >= observed for one in drawn)
    found = permutation_exceedances(table, 500, 5)
    assert (found.counts.tolist(), found.sizes.tolist()) == ([expected], [500])


@pytest.mark.parametrize("unit", [1, 1000])
def test_numbers_on_a_grid_cost_as_much_as_their_steps(unit: int) -> None:
    table = np.array([[1, 0, 0]] * 6 + [[0, 1, 0]] * 2)
    assert permutation_p(unit * table) == pytest.approx(permutation_p(table) or 0.0)
    counts = np.random.default_rng(5).multinomial(8, [1 / 3] * 3, 40000)
    share = float(((counts**2).sum(axis=1) >= 40).mean())
    assert permutation_p(unit * table) == pytest.approx(share, abs=0.012)


@pytest.mark.parametrize(("most", "known"), [(333, True), (5000, False)])
def test_sums_in_a_long_reach_are_too_many(most: int, known: bool) -> None:
    table = np.array([[most, 1, 0]] * 5 + [[1, most, 0]])
    found = permutation_p(table)
    assert known == (6 * (6 * most) ** 2 / 6 <= 2**22)
    assert (found is not None) == known
    if found is not None:
        # five of six agree on the largest, or all of them: 3 and 6 · 2 · 3 of 3^6 places
        assert 3 / 3**6 < found < (3 + 36) / 3**6 + 1e-9
