"""Tests of runs: Welch's t over their scores, and permutations of their labels."""

from __future__ import annotations

import itertools
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import outscore
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import runs, tests
from outscore.significance import tests as registry
from outscore.significance.runs import median_run, run_permutation_p, run_welch
from tests.laws import support
from tests.laws.support import pairing, settings
from tests.run_tables import additive
from tests.significance.pairs import RUNS_A, RUNS_B, every_side, verdict
from tests.significance.test_bootstrap import codes_of
from tests.significance.test_wilcoxon import share_of_values

small_samples = st.lists(st.integers(0, 4), min_size=1, max_size=5)


sides = st.sampled_from(ALTERNATIVES)


@given(x=small_samples, y=small_samples, alternative=sides)
def test_run_permutation_by_all_labellings(x: list[int], y: list[int], alternative: Alternative) -> None:
    pooled = x + y

    def gap(chosen: tuple[int, ...]) -> Fraction:
        return Fraction(sum(chosen), len(x)) - Fraction(sum(pooled) - sum(chosen), len(y))

    every = [gap(chosen) for chosen in combinations(pooled, len(x))]
    found = run_permutation_p(np.array(x) / 10, np.array(y) / 10, alternative)
    assert found == pytest.approx(share_of_values(every, gap(tuple(x)), Fraction(0), alternative))


def test_median_run_is_the_upper_middle_and_the_first_of_equals() -> None:
    assert median_run(np.array([3.0, 1.0, 2.0, 4.0])) == 0
    assert median_run(np.array([2.0, 1.0, 2.0])) == 0
    assert median_run(np.array([5.0, 1.0, 3.0])) == 2


def test_runs_that_do_not_vary_have_no_error_however_many_there_are() -> None:
    for numbers in ((2, 3), (3, 2), (4, 4)):
        a, b = (additive(np.full((r, 5), value)) for r, value in zip(numbers, (1.0, 0.5), strict=True))
        assert run_welch(a, b).degenerate == "zero_variance"


def test_item_and_run_tests_see_items_alone_or_runs_alone() -> None:
    draw = np.random.default_rng(8)
    a, b = (additive(draw.normal(size=(3, 6)) + k) for k in range(2))
    items = stats.ttest_rel(a.values.mean(axis=0), b.values.mean(axis=0))
    found = registry.make("t").run(support.pairing(a.values, b.values, support.settings()))
    expected = (items.statistic, items.pvalue, 5)
    assert (found.effect["statistic"], found.p_value, found.effect["df"]) == pytest.approx(expected)
    theirs = stats.ttest_ind(a.run_scores, b.run_scores, equal_var=False)
    welch = runs.run_welch(a, b)
    assert (welch.statistic, welch.p) == pytest.approx((theirs.statistic, theirs.pvalue))


@pytest.mark.parametrize("runs", [(4, 9), (5, 5), (2, 3), (9, 4)])
def test_few_runs_are_fewer_than_five(runs: tuple[int, int]) -> None:
    draw = np.random.default_rng(2)
    a, b = (draw.normal(size=(r, 31)) + draw.normal(size=(r, 1)) for r in runs)
    found = codes_of(tests.make("crossed").run(pairing(a, b, settings(49))))
    assert ("few_runs" in found) == (min(runs) < 5) and "few_items" not in found
    assert ("unequal_runs" in found) == (runs[0] != runs[1] and min(runs) < 5)


@every_side
def test_runs_is_welch_over_the_run_scores(alternative: Alternative) -> None:
    few = RUNS_B[:3]
    theirs = scipy.stats.ttest_ind(few.mean(axis=1), RUNS_A.mean(axis=1), equal_var=False, alternative=alternative)
    ours = verdict(RUNS_A, few, "runs", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.effect["df"] == pytest.approx(theirs.df, rel=1e-9)
    if alternative == "two-sided":
        assert ours.ci == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-9)


@every_side
def test_two_or_three_runs_against_more_have_little_more_freedom_than_twice_theirs(alternative: Alternative) -> None:
    theirs = scipy.stats.ttest_ind(RUNS_B.mean(axis=1), RUNS_A.mean(axis=1), equal_var=False, alternative=alternative)
    ours = verdict(RUNS_A, RUNS_B, "runs", alternative=alternative)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.effect["df"] == pytest.approx(min(theirs.df, 4 * (1 + 2 / (len(RUNS_B) - 1))), rel=1e-9)
    assert "unequal_runs" in ours.notes


@every_side
def test_runs_can_permute_the_labels_of_the_runs(alternative: Alternative) -> None:
    scores = np.concatenate([RUNS_A.mean(axis=1), RUNS_B.mean(axis=1)])
    observed = scores[3:].mean() - scores[:3].mean()
    gains = []
    for first in itertools.combinations(range(7), 3):
        rest = [i for i in range(7) if i not in first]
        gains.append(scores[rest].mean() - scores[list(first)].mean())
    tail = {"greater": np.array(gains) >= observed - 1e-12, "less": np.array(gains) <= observed + 1e-12}
    tail["two-sided"] = np.abs(gains) >= abs(observed) - 1e-12
    ours = verdict(RUNS_A, RUNS_B, "runs:variant=permutation", alternative=alternative)
    assert ours.p_value == pytest.approx(np.mean(tail[alternative]))
    assert ours.p_kind == "exact"
    assert ours.p_min == pytest.approx(1 / 35)


def test_three_runs_each_cannot_reach_5_percent_by_permutation() -> None:
    found = verdict(RUNS_A, RUNS_A + 100, "runs:variant=permutation")
    assert found.p_value == found.p_min == pytest.approx(0.1)
    assert "alpha_unattainable" in found.notes


@pytest.mark.parametrize("test", ["runs", "crossed"])
def test_runs_whose_scores_are_the_same_but_for_rounding_do_not_differ(test: str) -> None:
    """The same numbers in another order have means that differ in the last digit, and no spread over runs."""
    for seed in range(20):
        numbers = np.random.default_rng(seed).normal(0, 0.37, 61)
        other = np.random.default_rng(seed + 1).permutation(numbers)
        if test == "crossed":
            other = numbers
        result = outscore.compare({"base": [numbers] * 10, "new": [other] * 7}, test=test)
        assert result.pairs[0].p_value == 1


def test_the_interval_beside_exchanged_runs_is_that_of_runs() -> None:
    rng = np.random.default_rng(5)
    data = {s: (rng.normal(size=40) + rng.normal(size=(4, 1))).tolist() for s in ("a", "b")}
    welch, exchanged = (outscore.compare(data, test=t).pairs[0] for t in ("runs", "runs:variant=permutation"))
    assert exchanged.ci == welch.ci
    assert exchanged.ci_method == "Welch t interval over runs"
