"""Laws and sampling of labellings of two samples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float
from outscore.engine.runtime import Runtime
from outscore.significance.two_samples import (
    hypergeometric_law,
    statistics_at_random,
    subset_sum_cost,
    subset_sum_law,
    subset_sums,
    two_sample_law,
)
from tests.engine.test_exact import assert_law, law_by_counting

samples = st.lists(st.integers(-5, 5), min_size=1, max_size=5)


@given(x=samples, y=samples)
def test_two_sample_law_is_the_law_of_all_labellings(x: list[int], y: list[int]) -> None:
    pooled, n, m = x + y, len(x), len(y)
    twin = law_by_counting(
        Fraction(sum(chosen), n) - Fraction(sum(pooled) - sum(chosen), m) for chosen in combinations(pooled, n)
    )
    assert_law(two_sample_law(x, y), twin)


@pytest.mark.parametrize(
    "call",
    [
        lambda: subset_sum_cost([1, 2, 3], 3),
        lambda: subset_sum_cost([5], 0),
    ],
)
def test_nothing_to_choose_costs_nothing(call: Callable[[], int]) -> None:
    assert call() == 0


@pytest.mark.parametrize("values", [[4, 7, 9], [1, 1, 5, 9], [0, 0, 2], [3, 3, 3], [-4, 0, 10, 2]])
def test_the_cost_of_subset_sums_is_items_times_sizes_times_sums(values: list[int]) -> None:
    for size in range(len(values) + 1):
        unit = math.gcd(*(v - min(values) for v in values)) or 1
        reach = sum(sorted(v - min(values) for v in values)[::-1][:size]) // unit
        expected = 0 if size in (0, len(values)) else len(values) * (size + 1) * (reach + 1)
        assert subset_sum_cost(values, size) == expected


@pytest.mark.parametrize("values", [[4, 7, 9], [1, 1, 5, 9], [-4, 0, 10, 2, 2]])
def test_subset_sums_are_those_of_all_subsets(values: list[int]) -> None:
    for size in range(len(values) + 1):
        counted = Counter(sum(chosen) for chosen in combinations(values, size))
        law = subset_sum_law(values, size)
        assert law.support.tolist() == sorted(counted)
        ways = [counted[s] / math.comb(len(values), size) for s in sorted(counted)]
        np.testing.assert_allclose(law.mass, ways, rtol=1e-12)
        pairs = np.stack([values, np.square(values)], axis=1).astype(float)
        every = [pairs[list(chosen)].sum(axis=0).tolist() for chosen in combinations(range(len(values)), size)]
        assert sorted(subset_sums(pairs, size).tolist()) == sorted(every)


@pytest.mark.parametrize(
    ("n", "m", "marked"),
    [(3, 4, 2), (3, 4, 5), (1, 1, 1), (5, 2, 6), (4, 4, 0), (4, 4, 8), (400, 300, 690), (2, 9, 11)],
)
def test_marked_values_fall_to_a_sample_by_the_hypergeometric_law(n: int, m: int, marked: int) -> None:
    law = hypergeometric_law(n, m, marked)
    assert law.support.tolist() == list(range(max(0, marked - m), min(marked, n) + 1))
    np.testing.assert_allclose(law.mass, stats.hypergeom(n + m, marked, n).pmf(law.support), rtol=1e-10)


def test_random_labellings_do_not_depend_on_the_size_of_blocks() -> None:
    def first(labels: Float) -> Float:
        return np.asarray(labels @ np.arange(9.0))

    one, _ = statistics_at_random(first, 4, 5, 700, 3, Runtime(block=16))
    other, _ = statistics_at_random(first, 4, 5, 700, 3, Runtime(jobs=2))
    np.testing.assert_array_equal(one, other)
    assert len(np.unique(one)) > 10
