"""Coefficients of correlation against scipy and plain loops, with ties, gaps and numbers that do not vary."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as hs
from scipy import stats

from outscore.base.arrays import Float
from outscore.significance import coefficients, correlation
from outscore.significance.coefficients import accuracy, calibrated_accuracy, kendall, kendall_c, pearson, spearman


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall, kendall_c])
def test_a_constant_measurement_has_no_correlation(coefficient: Callable[[Float, Float], Float]) -> None:
    x, y = np.full((1, 5), 0.1) + np.array([0, 1e-17, 0, 0, 0]), np.arange(5.0)[None, :]
    assert np.isnan(coefficient(x, y)).all()


def test_numbers_that_differ_by_rounding_tie() -> None:
    x = np.array([[0.1 + 0.2, 0.3, 0.5]])
    y = np.array([[1.0, 1.0, 2.0]])
    assert kendall(x, y)[0] == pytest.approx(1.0)
    assert spearman(x, y)[0] == pytest.approx(1.0)
    assert accuracy(x, y)[0] == 1.0


def accuracy_by_loops(x: Float, y: Float, epsilon: float) -> float:
    right = total = 0
    for a, b in zip(x, y, strict=True):
        for i, j in itertools.combinations(range(len(a)), 2):
            side = 0.0 if abs(a[i] - a[j]) <= epsilon else float(np.sign(a[i] - a[j]))
            right += side == np.sign(b[i] - b[j])
            total += 1
    return right / total


@given(hs.integers(0, 10_000), hs.integers(1, 3), hs.integers(2, 6))
@hypothesis_settings(max_examples=60)
def test_the_calibrated_threshold_is_the_best_of_all_and_the_smallest(seed: int, groups: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 8, (groups, n)) / 4, rng.integers(0, 3, (groups, n)).astype(float)
    candidates = {0.0} | {abs(a - b) for row in x for a, b in itertools.combinations(row.tolist(), 2)}
    best = max(candidates, key=lambda e: (accuracy_by_loops(x, y, e), -e))
    found, epsilon = calibrated_accuracy(x, y)
    assert found == pytest.approx(accuracy_by_loops(x, y, best))
    assert epsilon == best
    assert accuracy(x, y, epsilon).mean() == pytest.approx(found)


def test_differences_by_rounding_are_ties_of_a_coefficient_and_the_border_is_one() -> None:
    x, y = np.array([[0.0, 1e-12, 1.0]]), np.array([[0.0, 1.0, 2.0]])
    assert coefficients.kendall(x, y)[0] == pytest.approx(2 / math.sqrt(2 * 3))
    assert coefficients.kendall(np.array([[0.0, 1.1e-12, 1.0]]), y)[0] == pytest.approx(1.0)
    assert coefficients.kendall_c(x, y)[0] == pytest.approx(2 * 2 * 2 / (9 * 1))
    assert np.isnan(coefficients.pearson(np.array([[1.0, 1.0 + 9e-13]]), np.array([[0.0, 1.0]]))[0])


@pytest.mark.parametrize("n", [5, 60, 200, 201])
def test_coefficients_are_those_of_scipy(n: int) -> None:
    draw = np.random.default_rng(n)
    x = draw.integers(0, 1 + n // 3, (2, n)).astype(float)
    y = x + draw.integers(0, 6, (2, n)).astype(float)
    for row in range(2):
        for name, theirs in {
            "pearson": stats.pearsonr(x[row], y[row]).statistic,
            "spearman": stats.spearmanr(x[row], y[row]).statistic,
            "kendall": stats.kendalltau(x[row], y[row]).statistic,
            "kendall-c": stats.kendalltau(x[row], y[row], variant="c").statistic,
        }.items():
            assert coefficients.COEFFICIENTS[name](x, y)[row] == pytest.approx(float(theirs), rel=1e-9), name
        pairs = list(combinations(range(n), 2))
        for epsilon in (0.0, 1.0):
            right = sum(
                y[row, i] == y[row, j]
                if abs(x[row, i] - x[row, j]) <= epsilon
                else (x[row, i] - x[row, j]) * (y[row, i] - y[row, j]) > 0
                for i, j in pairs
            )
            assert coefficients.accuracy(x, y, epsilon)[row] == pytest.approx(right / len(pairs))


def test_a_difference_as_large_as_the_threshold_and_rounding_is_a_tie() -> None:
    x, y = np.array([[0.0, 1e-12, 1.0]]), np.array([[0.0, 0.0, 1.0]])
    assert coefficients.accuracy(x, y)[0] == 1.0
    assert coefficients.accuracy(np.array([[0.0, 2.0, 1.0]]), np.array([[0.0, 0.0, 0.0]]), 1.0)[0] == 2 / 3
    values = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 5.0], [np.nan] * 3, [1.0, 2.0, 6.0]])
    assert correlation.mean_of_known(values)[[0, 1, 3]] == pytest.approx([2.0, 5.0, 3.0])
    assert np.isnan(correlation.mean_of_known(values)[2])


def test_a_coefficient_of_rows_with_gaps_is_that_of_what_is_known() -> None:
    nan = math.nan
    x = np.array([[1.0, 2.0, 4.0, 3.0], [1.0, nan, 2.0, 5.0], [nan, nan, 1.0, nan], [2.0, nan, 2.5, 1.0]])
    y = np.array([[2.0, 1.0, 5.0, 3.0], [0.0, 9.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, nan, 2.0]])
    found = coefficients.correlate_known(coefficients.pearson, x, y)
    assert found[0] == pytest.approx(float(np.corrcoef(x[0], y[0])[0, 1]))
    assert found[1] == pytest.approx(float(np.corrcoef([1.0, 2.0, 5.0], [0.0, 2.0, 1.0])[0, 1]))
    assert np.isnan(found[2]) and found[3] == pytest.approx(-1.0)
    assert np.isnan(coefficients.correlate_known(coefficients.pearson, x[2:3], y[2:3])).all()


@pytest.mark.parametrize("name", sorted(coefficients.COEFFICIENTS))
def test_rows_with_as_many_gaps_are_done_together_and_each_is_as_alone(name: str) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 6, (300, 7)) / 3, rng.normal(size=(300, 7)).round(1)
    x[rng.random(x.shape) < 0.2] = np.nan
    calls = []

    def counted(a: Float, b: Float) -> Float:
        calls.append(a.shape)
        return coefficients.COEFFICIENTS[name](a, b)

    found = coefficients.correlate_known(counted, x, y)
    there = [~np.isnan(row) for row in x]
    alone = [
        coefficients.COEFFICIENTS[name](p[None, t], q[None, t])[0] if t.sum() > 1 else np.nan
        for p, q, t in zip(x, y, there, strict=True)
    ]
    np.testing.assert_array_equal(found, alone)
    assert len(calls) <= 6, "thousands of rows, one by one, take minutes"


def test_a_coefficient_needs_two_things_of_which_both_measurements_are_there() -> None:
    x = np.array([[1.0, math.nan, 3.0], [1.0, math.nan, 3.0], [1.0, 2.0, 3.0]])
    y = np.array([[5.0, 6.0, math.nan], [5.0, 6.0, 8.0], [5.0, 6.0, 8.0]])
    sizes = coefficients.correlate_known(lambda a, b: np.full(len(a), float(a.shape[1])), x, y)
    np.testing.assert_array_equal(sizes, [math.nan, 2.0, 3.0])
    found = coefficients.accuracy(x, y)
    np.testing.assert_array_equal(found, [math.nan, 1.0, 1.0])
