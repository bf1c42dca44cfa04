"""Analysis of variance of several systems, plain and Welch's, and its pairs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from outscore.base.errors import UsageError
from outscore.significance.independent.t_tests import student
from outscore.significance.omnibus import PostHoc, anova, omnibus_tests
from outscore.significance.omnibus.friedman import friedman
from outscore.significance.omnibus.kruskal_wallis import kruskal_wallis
from tests.significance.omnibus.test_omnibus import of_runs


@pytest.mark.parametrize("value", [0.0, 0.5])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_systems_that_all_items_treat_alike_have_their_degrees_of_freedom(k: int, value: float) -> None:
    groups = [np.full(3, value)] * k
    for test in (anova.analyse_one_way, anova.welch_one_way, kruskal_wallis):
        same = test(groups)
        assert (same.statistic, same.df, same.p, same.degenerate) == (0.0, k - 1, 1.0, "identical_outputs")
    for test in (anova.analyse_one_way, anova.welch_one_way):
        apart = test([np.full(3, float(s)) for s in range(k)])
        assert (apart.df, apart.degenerate) == (k - 1, "zero_variance")


def test_welchs_analysis_is_his_formula() -> None:
    groups = [np.array(g) for g in ([1.0, 2.0, 4.5], [2.0, 3.5, 3.0, 5.0], [6.0, 4.0])]
    k, w = 3, [g.size / g.var(ddof=1) for g in groups]
    centre = sum(a * g.mean() for a, g in zip(w, groups, strict=True)) / sum(w)
    left = sum((1 - a / sum(w)) ** 2 / (g.size - 1) for a, g in zip(w, groups, strict=True))
    top = sum(a * (g.mean() - centre) ** 2 for a, g in zip(w, groups, strict=True)) / (k - 1)
    welch = anova.welch_one_way(groups)
    assert welch.statistic == pytest.approx(top / (1 + 2 * (k - 2) / (k**2 - 1) * left))
    assert (welch.df, welch.df_within) == pytest.approx((2, (k**2 - 1) / (3 * left)))
    assert welch.p == pytest.approx(float(stats.f(2, welch.df_within).sf(welch.statistic)))


def test_groups_that_do_not_vary_have_no_p() -> None:
    groups = of_runs([1.0, 1.0], [2.0, 2.0], [3.0, 3.0])
    for name in ("anova", "welch-anova"):
        found = omnibus_tests.make(name).run(groups)
        assert found.p_value is None
        assert "zero_variance" in {n.code for n in found.notes}
    one = of_runs([1.0, 1.0, 1.0], [2.0, 3.0, 4.0])
    assert omnibus_tests.make("welch-anova").run(one).p_value is None
    assert omnibus_tests.make("anova").run(one).p_value is not None


def test_anova_of_two_groups_is_students_t() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=5), rng.normal(size=7)
    t = student(a, b)
    found = anova.analyse_one_way([a, b])
    assert found.statistic == pytest.approx(t.statistic**2)
    assert found.p == pytest.approx(t.p)
    (pair,) = anova.tukey([b, a])
    assert pair.p_adjusted == pytest.approx(t.p, rel=1e-6)
    assert pair.ci == pytest.approx((t.low, t.high), rel=1e-6)


def test_one_way_statistics_are_scipys() -> None:
    rng = np.random.default_rng(7)
    groups = [rng.normal(s, 1 + s, n).round(1) for s, n in ((0, 4), (0.5, 6), (1, 9), (0, 3))]
    for ours, others in ((anova.analyse_one_way(groups), stats.f_oneway), (kruskal_wallis(groups), stats.kruskal)):
        expected = others(*groups)
        assert (ours.statistic, ours.p) == pytest.approx((expected.statistic, expected.pvalue))
    theirs = stats.tukey_hsd(*groups)
    limits = theirs.confidence_interval(0.9)
    for d in anova.tukey(groups, 0.9):
        assert d.p_adjusted == pytest.approx(theirs.pvalue[d.system, d.baseline], rel=1e-5)
        ends = [np.asarray(end)[d.system, d.baseline] for end in (limits.low, limits.high)]
        assert d.ci == pytest.approx(tuple(ends), rel=1e-4)
    values = rng.normal(size=(9, 4)).round(1)
    assert friedman(values).p_chi2 == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)


def test_games_howell_of_two_groups_is_welchs_t() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=5), rng.normal(1, 3, size=7)
    (pair,) = anova.games_howell([b, a])
    theirs = stats.ttest_ind(a, b, equal_var=False)
    assert pair.p_adjusted == pytest.approx(theirs.pvalue, rel=1e-6)
    assert pair.ci == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-6)


def test_too_few_numbers_are_a_usage_error() -> None:
    with pytest.raises(UsageError, match="two of them"):
        anova.analyse_one_way([np.ones(3)])
    with pytest.raises(UsageError):
        anova.welch_one_way([np.array([1.0, 2.0])])
    with pytest.raises(UsageError, match="two or more numbers"):
        anova.analyse_one_way([np.ones(1), np.ones(1)])
    with pytest.raises(UsageError, match="2 or more"):
        anova.welch_one_way([np.ones(1), np.arange(3.0)])
    with pytest.raises(UsageError, match="two blocks"):
        friedman(np.ones((1, 3)))


@pytest.mark.slow
def test_welchs_f_holds_its_level_where_the_plain_f_does_not() -> None:
    # runs of the smaller group vary four times as much: 4,000 replicates, binomial quantiles 1e-6
    rng, plain, welch = np.random.default_rng(14), 0, 0
    for _ in range(4000):
        groups = [rng.normal(0, s, n) for s, n in ((4, 5), (1, 15), (1, 15))]
        plain += anova.analyse_one_way(groups).p <= 0.05
        welch += anova.welch_one_way(groups).p <= 0.05
    assert welch <= stats.binom.isf(1e-6, 4000, 0.06)
    assert plain >= stats.binom.ppf(1e-6, 4000, 0.15)


def test_rounding_is_that_of_the_largest_numbers() -> None:
    """A sum that is off by one last digit does not vary, though another group holds zeros only."""
    found = anova.analyse_one_way([np.zeros(2), np.array([0.1 + 0.2, 0.3])])
    assert (found.degenerate, found.statistic) == ("zero_variance", math.inf)


@pytest.mark.parametrize("compare", [anova.tukey, anova.games_howell])
def test_groups_without_variance_are_equal_or_have_no_answer(compare: Callable[..., list[PostHoc]]) -> None:
    same, apart, other = compare([np.full(3, 1.0), np.full(4, 1.0), np.full(2, 3.0)])
    assert (same.p_adjusted, same.ci, same.gain) == (1.0, None, 0.0)
    assert math.isnan(apart.p_adjusted)
    assert (apart.ci, apart.gain, other.gain) == (None, 2.0, 2.0)


def test_one_number_beside_two_is_enough_for_an_analysis_of_variance() -> None:
    groups = [np.array([1.0, 2.0]), np.array([4.0])]
    found, theirs = anova.analyse_one_way(groups), stats.f_oneway(*groups)
    assert (found.statistic, found.p) == pytest.approx((float(theirs.statistic), float(theirs.pvalue)))
    assert anova.welch_one_way([np.array([1.0, 2.0]), np.array([1.0, 4.0])]).p < 1
    ranks = kruskal_wallis([np.array([1.0]), np.array([4.0]), np.array([4.0, 5.0])])
    other = stats.kruskal([1.0], [4.0], [4.0, 5.0])
    assert (ranks.statistic, ranks.p) == pytest.approx((float(other.statistic), float(other.pvalue)))


@pytest.mark.parametrize("sizes", [(3, 3), (3, 3, 3, 3), (2, 5, 4), (1, 2, 6)])
def test_the_variance_between_runs_is_by_mean_squares(sizes: tuple[int, ...]) -> None:
    draw = np.random.default_rng(sum(sizes))
    runs = [draw.normal(k, 1.0, n) for k, n in enumerate(sizes)]
    whole, k = sum(sizes), len(sizes)
    grand = np.concatenate(runs).mean()
    between = sum(g.size * (g.mean() - grand) ** 2 for g in runs) / (k - 1)
    within = sum(((g - g.mean()) ** 2).sum() for g in runs) / (whole - k)
    typical = (whole - sum(n**2 for n in sizes) / whole) / (k - 1)
    found = anova.run_variance(runs)
    assert found.within == pytest.approx(within)
    assert found.between == pytest.approx((between - within) / typical)


def test_large_numbers_that_are_equal_but_for_rounding_do_not_vary() -> None:
    x = 3e5
    near = np.array([x, x * (0.1 + 0.2) / 0.3, x])
    assert anova.analyse_one_way([near, near]).degenerate == "identical_outputs"
    tiny = anova.analyse_one_way([np.array([1e-9, 2e-9, 4e-9]), np.array([5e-9, 3e-9, 9e-9])])
    theirs = stats.f_oneway([1.0, 2, 4], [5.0, 3, 9])
    assert (tiny.statistic, tiny.p) == pytest.approx((float(theirs.statistic), float(theirs.pvalue)))
