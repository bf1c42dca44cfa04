"""Student's and Welch's t of two samples, and the interval beside them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import means
from outscore.significance.independent import gain_interval, t_tests
from outscore.significance.independent.t_tests import student as pooled_t
from tests.significance.independent.test_samples import run, samples


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_two_sample_t_are_those_of_scipy(alternative: Alternative) -> None:
    x, y = np.array([1.0, 2.5, 4.0, 4.5]), np.array([0.5, 2.0, 1.0])
    for test, equal in ((t_tests.student, True), (means.welch, False)):
        theirs = stats.ttest_ind(x, y, equal_var=equal, alternative=alternative)
        found = test(x, y, alternative=alternative)
        assert (found.statistic, found.p, found.df) == pytest.approx((theirs.statistic, theirs.pvalue, theirs.df))
        both = stats.ttest_ind(x, y, equal_var=equal).confidence_interval()
        assert (found.low, found.high) == pytest.approx((both.low, both.high))


@pytest.mark.parametrize("test", [means.welch, pooled_t])
def test_degenerate_two_sample_t(test: object) -> None:
    same = test(np.ones(3), np.ones(4))  # type: ignore[operator]
    apart = test(np.ones(3), np.zeros(4), alternative="less")  # type: ignore[operator]
    alone = test(np.ones(1), np.zeros(1))  # type: ignore[operator]
    assert (same.statistic, same.p, same.degenerate) == (0.0, 1.0, "identical_outputs")
    assert (apart.statistic, apart.p, apart.degenerate) == (math.inf, 1.0, "zero_variance")
    assert alone.degenerate == "n_too_small"


scipy_stats: Any = stats  # whose overloads know every type but that of the alternative


def test_one_number_of_each_system_is_too_few_for_a_t_test() -> None:
    for name in ("welch", "student"):
        assert run(name, samples([1.0], [0.0])).p_value is None


def test_the_interval_of_a_gain_is_newcombes_or_welchs() -> None:
    ends, method, _ = gain_interval(samples([1, 1, 0, 1], [0, 0, 1, 0]))
    assert method == "Newcombe score interval"
    assert ends is not None
    assert ends[0] < 0.5 < ends[1]
    ends, method, _ = gain_interval(samples([1.5, 2.0, 1.0], [0.0, 0.7]))
    expected = stats.ttest_ind([1.5, 2.0, 1.0], [0.0, 0.7], equal_var=False).confidence_interval()
    assert ends == pytest.approx((expected.low, expected.high))
    assert method == "Welch t interval"
    assert gain_interval(samples([1.5], [0.0, 0.7]))[:2] == (None, "undefined")
    ends, method, said = gain_interval(samples([2.0, 2.0], [0.5, 0.5]))
    assert (ends, method, [n.code for n in said]) == ((1.5, 1.5), "degenerate", ["constant_samples"])
