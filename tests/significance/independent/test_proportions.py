"""Proportions of two samples against scipy."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance.independent import independent_tests
from outscore.significance.independent import proportions as two_shares
from outscore.significance.independent.proportions import fisher_p, two_proportions
from tests.significance.independent.test_samples import codes, run, samples


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_fishers_p_is_a_share_of_tables_and_at_most_one(alternative: Alternative) -> None:
    for n1, n2 in ((1, 1), (3, 5), (6, 6), (9, 4), (12, 13)):
        for x1, x2 in product(range(n1 + 1), range(n2 + 1)):
            p = fisher_p(x1, n1, x2, n2, alternative)
            theirs = stats.fisher_exact(np.array([[x1, n1 - x1], [x2, n2 - x2]]), alternative=alternative).pvalue
            assert 0 < p <= 1
            assert p == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize(
    ("x1", "n1", "x2", "n2"), [(3, 9, 7, 10), (0, 4, 4, 4), (5, 8, 5, 8), (2, 30, 9, 31), (4, 9, 5, 11)]
)
def test_two_proportions_by_chi_squares(x1: int, n1: int, x2: int, n2: int) -> None:
    table = np.array([[x1, n1 - x1], [x2, n2 - x2]])
    for method, yates in (("chi2", False), ("chi2-yates", True)):
        theirs = stats.chi2_contingency(table, correction=yates)
        found = two_proportions(x1, n1, x2, n2, method=method)  # type: ignore[arg-type]
        assert found == pytest.approx((theirs.statistic, theirs.pvalue))
    odds, _ = two_proportions(x1, n1, x2, n2)
    below = (n1 - x1) * x2
    assert odds == (x1 * (n2 - x2) / below if below else math.inf)


@pytest.mark.parametrize("method", ["z", "chi2", "chi2-yates", "fisher"])
def test_equal_certain_proportions_have_p_one(method: two_shares.TwoMethod) -> None:
    statistic, p = two_shares.two_proportions(5, 5, 7, 7, method=method)
    assert p == pytest.approx(1.0)
    assert math.isnan(statistic)


scipy_stats: Any = stats  # whose overloads know every type but that of the alternative


def test_proportions_are_scipys() -> None:
    x, y = [1.0] * 30 + [0.0] * 12, [1.0] * 18 + [0.0] * 19
    table = [[30, 12], [18, 19]]
    data = samples(x, y)
    assert run("fisher", data).p_value == pytest.approx(scipy_stats.fisher_exact(table)[1])
    for yates in (False, True):
        expected = scipy_stats.chi2_contingency(table, correction=yates)
        found = run(f"chi2:yates={str(yates).lower()}", data)
        assert found.p_value == pytest.approx(expected.pvalue)
        assert found.effect["statistic"] == pytest.approx(expected.statistic)
    z = run("two-proportions", data)
    assert z.p_value == pytest.approx(run("chi2", data).p_value)
    assert z.effect["statistic"] == pytest.approx(math.sqrt(float(run("chi2", data).effect["statistic"] or 0)))
    assert (z.effect["right_system"], z.effect["right_baseline"]) == (30, 18)


def test_errors_that_count_downwards_are_right_or_wrong_too() -> None:
    """Where lower is better the numbers are signed: 0 is right and -1 wrong."""
    up, down = samples([1, 1, 0, 1], [0, 0, 1, 0]), samples([0, 0, -1, 0], [-1, -1, 0, -1])
    for name in ("fisher", "chi2", "two-proportions"):
        assert run(name, up) == run(name, down)


def test_tests_of_proportions_refuse_other_numbers() -> None:
    for name in ("fisher", "chi2", "two-proportions"):
        refusal = independent_tests.make(name).refuses(samples([0.5, 1.0], [0.0, 1.0]))
        assert refusal is not None
        assert "use welch or permutation" in refusal


def test_small_expected_counts_are_said() -> None:
    data = samples([1.0] * 3 + [0.0] * 20, [1.0] + [0.0] * 20)
    assert "small_expected_counts" in codes(run("chi2", data))
    assert not run("fisher", data).notes


def test_small_expected_counts_are_those_of_the_smaller_sample() -> None:
    """Four are expected right among the eight of one system, fifty among the hundred of the other."""
    few, many = [1.0, 0.0] * 4, [1.0, 0.0] * 50
    for data in (samples(few, many), samples(many, few)):
        assert "small_expected_counts" in codes(run("chi2", data))
    assert "small_expected_counts" not in codes(run("chi2", samples(many, many)))
