"""The tests of independent samples against their definitions in plain loops, scipy, and degenerate data."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.engine.runtime import Runtime
from outscore.engine.two_samples import hypergeometric_law, statistics_at_random, statistics_of_all, subset_sums
from outscore.significance import Outcome
from outscore.significance.independent import IndependentSamples, Unit, independent_tests
from outscore.significance.independent.brunner_munzel import brunner_munzel, permuted_brunner_munzel, placements
from outscore.significance.independent.interval import gain_interval
from outscore.significance.independent.mann_whitney import shift
from outscore.significance.independent.permutation import PermutedLabels
from outscore.significance.settings import Settings
from tests.examples import examples

scipy_stats: Any = stats  # whose overloads know every type but that of the alternative


def samples(
    x: object,
    y: object,
    *,
    unit: Unit = "item",
    shared: bool = False,
    alternative: Alternative = "two-sided",
    n_resamples: int = 999,
) -> IndependentSamples:
    made = Settings(alternative=alternative, n_resamples=n_resamples)
    system, baseline = (np.asarray(v, dtype=float) for v in (x, y))
    return IndependentSamples(system=system, baseline=baseline, unit=unit, settings=made, shared=shared)


def run(name: str, data: IndependentSamples) -> Outcome:
    made = independent_tests.make(name)
    assert made.refuses(data) is None
    return made.run(data)


def codes(found: Outcome) -> set[str]:
    return {note.code for note in found.notes}


# --- slow twins ---------------------------------------------------------------------------------------------


def welch_t(x: list[float], y: list[float]) -> float:
    """Welch's t by its formula, as far from 0 as can be where neither sample varies."""
    means = [sum(v) / len(v) for v in (x, y)]
    errors = [sum((a - mean) ** 2 for a in v) / (len(v) - 1) / len(v) for v, mean in zip((x, y), means, strict=True)]
    distance = means[0] - means[1]
    if sum(errors) < 1e-15:
        return math.copysign(math.inf, distance) if abs(distance) > 1e-15 else 0.0
    return distance / math.sqrt(sum(errors))


def mean_difference(x: list[float], y: list[float]) -> float:
    return sum(x) / len(x) - sum(y) / len(y)


def relative_effect_t(x: list[float], y: list[float]) -> float:
    """The Brunner-Munzel statistic from all pairs."""
    of_x = [sum((b < a) + (a == b) / 2 for b in y) / len(y) for a in x]
    of_y = [sum((a < b) + (a == b) / 2 for a in x) / len(x) for b in y]
    t = welch_t(of_x, of_y)  # the same standard error, around the mean of p and 1 - p
    return t if math.isinf(t) else t / 2


def slow_permutation_p(x: list[float], y: list[float], statistic: object, alternative: Alternative) -> float:
    """All labellings in a plain loop; ties count, within rounding."""
    assert callable(statistic)
    pooled = [*x, *y]
    observed, exceedances, every = statistic(x, y), 0, 0
    for chosen in itertools.combinations(range(len(pooled)), len(x)):
        first = [pooled[i] for i in chosen]
        second = [pooled[i] for i in range(len(pooled)) if i not in chosen]
        value = statistic(first, second)
        slack = 0.0 if math.isinf(observed) else 1e-9
        extreme = {
            "greater": value >= observed - slack,
            "less": value <= observed + slack,
            "two-sided": abs(value) >= abs(observed) - slack,
        }[alternative]
        exceedances, every = exceedances + extreme, every + 1
    return exceedances / every


few = st.lists(st.integers(0, 5).map(lambda v: v / 10), min_size=2, max_size=5)


@hypothesis_settings(max_examples=examples(60))
@given(x=few, y=few, alternative=st.sampled_from(ALTERNATIVES))
def test_exact_permutation_is_the_loop_over_all_labellings(
    x: list[float], y: list[float], alternative: Alternative
) -> None:
    if len({*x, *y}) == 1:
        return
    data = samples(x, y, alternative=alternative)
    for name, statistic in (
        ("permutation", welch_t),
        ("permutation:statistic=mean", mean_difference),
        ("brunner-munzel:variant=permutation", relative_effect_t),
    ):
        found = run(name, data)
        assert found.p_kind == "exact"
        assert found.p_value == pytest.approx(slow_permutation_p(x, y, statistic, alternative), rel=1e-9), name
        assert found.p_value is not None
        assert found.p_min is not None
        assert found.p_min <= found.p_value * (1 + 1e-9)


@hypothesis_settings(max_examples=examples(60))
@given(x=few, y=few, seed=st.integers(0, 100))
def test_relabelled_statistics_are_those_of_the_relabelled_samples(x: list[float], y: list[float], seed: int) -> None:
    pooled = np.array([*x, *y])
    labels = np.zeros((1, pooled.size))
    labels[0, np.random.default_rng(seed).permutation(pooled.size)[: len(x)]] = 1
    first, second = pooled[labels[0] == 1], pooled[labels[0] == 0]
    found = float(permuted_brunner_munzel(pooled, labels)[0])
    expected = relative_effect_t(first.tolist(), second.tolist())
    assert found == (math.copysign(1e300, expected) if math.isinf(expected) else pytest.approx(expected, abs=1e-9))


def test_the_law_of_two_distinct_values_is_that_of_all_labellings() -> None:
    x, y = [1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0]
    for studentized in (False, True):
        relabelling = PermutedLabels(np.array(x), np.array(y), studentized)
        columns, statistic = relabelling.columns, relabelling.statistic
        every = statistic(statistics_of_all(lambda labels, held=columns: labels @ held, 4, 3))  # type: ignore[misc]
        assert relabelling.law is not None
        for alternative in ALTERNATIVES:
            p, _ = relabelling.p(relabelling.law, alternative)
            assert p == pytest.approx(relabelling.exceedances(every, alternative) / every.size, rel=1e-12)


def test_the_hypergeometric_law_is_scipys() -> None:
    for n, m, marked in ((5, 7, 4), (400, 300, 690), (3, 3, 0), (2, 9, 11)):
        law = hypergeometric_law(n, m, marked)
        expected = stats.hypergeom(n + m, marked, n).pmf(law.support)
        np.testing.assert_allclose(law.mass, expected, rtol=1e-9)
        assert law.mass.sum() == pytest.approx(1, abs=1e-12)


def test_subset_sums_are_those_of_every_subset() -> None:
    rows = np.random.default_rng(3).integers(0, 9, size=(7, 2)).astype(float)
    expected = [rows[list(chosen)].sum(axis=0).tolist() for chosen in itertools.combinations(range(7), 3)]
    assert sorted(subset_sums(rows, 3).tolist()) == sorted(expected)


def test_three_routes_to_the_law_of_a_sum_agree() -> None:
    rng = np.random.default_rng(7)
    x, y = rng.integers(0, 6, 9) / 4, rng.integers(1, 7, 11) / 4
    relabelling = PermutedLabels(x, y, studentized=False)
    enumerated = relabelling.law
    assert enumerated is not None
    longer = PermutedLabels(np.tile(x, 3), np.tile(y, 3), studentized=False)
    assert longer.law is not None, "whole numbers have a dynamic programme where labellings are too many"
    draws, _ = statistics_at_random(
        lambda labels: longer.statistic(labels @ longer.columns), 27, 33, 20_000, 1, Runtime()
    )
    p, _ = longer.p(longer.law, "two-sided")
    # five standard errors: a false alarm in 10^6
    assert abs(longer.exceedances(draws, "two-sided") / 20_000 - p) < 5 * math.sqrt(p * (1 - p) / 20_000)
    mirrored = PermutedLabels(np.tile(y, 3), np.tile(x, 3), studentized=False)
    assert mirrored.law is not None
    assert mirrored.p(mirrored.law, "two-sided")[0] == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize("name", ["permutation", "permutation:statistic=mean", "brunner-munzel:variant=permutation"])
def test_sampled_labellings_come_near_to_the_exact_law(name: str) -> None:
    rng = np.random.default_rng(11)
    x, y = rng.normal(0.6, 1, 8), rng.normal(0, 2, 7)
    exact = run(name, samples(x, y)).p_value
    assert exact is not None
    data = samples(x, y, n_resamples=20_000)
    relabelling = PermutedLabels(x, y, studentized="mean" not in name)
    if name.startswith("permutation"):
        separator = "," if ":" in name else ":"
        found = run(f"{name}{separator}exact=never", data)
        assert (found.p_kind, found.n_resamples) == ("monte-carlo", 20_000)
        assert found.p_value is not None
        assert found.p_error == pytest.approx(math.sqrt(found.p_value * (1 - found.p_value) / 20_001), rel=1e-6)
        assert relabelling.exceedances(np.array([relabelling.observed]), "two-sided") == 1
    else:
        draws, _ = statistics_at_random(
            lambda labels: permuted_brunner_munzel(data.pooled, labels), 8, 7, 20_000, 5, Runtime()
        )
        observed = brunner_munzel(x, y).statistic
        found_p = float((np.abs(draws) >= abs(observed) - 1e-9).mean())
        found = Outcome(p_value=found_p, p_kind="monte-carlo")
    assert found.p_value is not None
    assert abs(found.p_value - exact) < 5 * math.sqrt(exact * (1 - exact) / 20_000)


def test_random_labellings_do_not_depend_on_the_size_of_blocks() -> None:
    def first(labels: Float) -> Float:
        return np.asarray(labels @ np.arange(9.0))

    one, _ = statistics_at_random(first, 4, 5, 700, 3, Runtime(block=16))
    other, _ = statistics_at_random(first, 4, 5, 700, 3, Runtime(jobs=2))
    np.testing.assert_array_equal(one, other)
    assert len(np.unique(one)) > 10


@pytest.mark.parametrize("form", ["studentized", "shift", "percentile"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_bootstrap_is_the_loop_over_redrawn_samples(form: str, alternative: Alternative) -> None:
    """Every one of 4^4 x 3^3 redrawn pairs of samples in a plain loop, against sampling within five standard errors."""
    x, y = [0.0, 1.0, 2.5, 3.0], [0.0, 1.0, 0.5]

    def error(first: list[float], second: list[float]) -> float:
        return math.sqrt(sum(np.var(v, ddof=1) / len(v) for v in (first, second)))

    gain, se = mean_difference(x, y), error(x, y)
    exceedances = {"greater": 0.0, "less": 0.0, "two-sided": 0.0}
    every = 0
    for first in itertools.product(x, repeat=4):
        for second in itertools.product(y, repeat=3):
            drawn, own = mean_difference(list(first), list(second)), error(list(first), list(second))
            moved, far = drawn - gain, gain
            if form == "studentized":
                stuck = own < 1e-12
                moved, far = (0.0 if stuck else moved / own), gain / se
                seen = {"greater": stuck or moved >= far - 1e-9, "less": stuck or moved <= far + 1e-9}
                seen["two-sided"] = stuck or abs(moved) >= abs(far) - 1e-9
            elif form == "shift":
                seen = {"greater": moved >= far - 1e-9, "less": moved <= far + 1e-9}
                seen["two-sided"] = abs(moved) >= abs(far) - 1e-9
            else:
                seen = {"greater": drawn <= 1e-9, "less": drawn >= -1e-9, "two-sided": drawn <= 1e-9}
            exceedances = {side: exceedances[side] + seen[side] for side in exceedances}
            every += 1
    ideal = exceedances[alternative] / every
    if form == "percentile" and alternative == "two-sided":
        ideal = min(1.0, 2 * min(exceedances["greater"], exceedances["less"]) / every)
    found = run(f"unpaired-bootstrap:form={form}", samples(x, y, alternative=alternative, n_resamples=20_000))
    assert found.p_value is not None
    assert found.p_error is not None
    assert abs(found.p_value - ideal) < 5 * max(found.p_error, 2e-3)


# --- scipy --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_closed_forms_are_scipys(alternative: Alternative) -> None:
    rng = np.random.default_rng(2)
    for n, m, scale in ((15, 20, 1.0), (40, 16, 3.0)):
        x, y = rng.normal(0.4, scale, n).round(1), rng.normal(0, 1, m).round(1)
        data, side = samples(x, y, alternative=alternative), alternative
        assert run("welch", data).p_value == pytest.approx(
            scipy_stats.ttest_ind(x, y, equal_var=False, alternative=side)[1]
        )
        assert run("student", data).p_value == pytest.approx(scipy_stats.ttest_ind(x, y, alternative=side)[1])
        expected = scipy_stats.brunnermunzel(x, y, alternative=side)
        found = run("brunner-munzel:variant=t", data)
        assert found.p_value == pytest.approx(expected.pvalue)
        assert found.effect["statistic"] == pytest.approx(-expected.statistic)  # scipy's grows with the second sample
        normal = scipy_stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=False, alternative=side)
        assert run("mann-whitney:variant=normal", data).p_value == pytest.approx(normal.pvalue)
        assert run("mann-whitney", data).effect["statistic"] == normal.statistic


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


def test_the_shift_is_the_median_of_all_differences() -> None:
    rng = np.random.default_rng(4)
    for n, m in ((1, 1), (3, 4), (20, 31)):
        x, y = rng.normal(size=n), rng.integers(-3, 4, m).astype(float)
        assert shift(x, y) == pytest.approx(float(np.median(np.subtract.outer(x, y))), abs=1e-12)


def test_placements_are_shares_of_pairs() -> None:
    np.testing.assert_array_equal(placements(np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0])), [0.0, 0.25, 1.0])


# --- degenerate data ----------------------------------------------------------------------------------------

EVERY = (
    *("welch", "student", "permutation", "permutation:statistic=mean", "unpaired-bootstrap", "mann-whitney"),
    *("brunner-munzel", "brunner-munzel:variant=t", "fisher", "chi2", "two-proportions"),
)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_where_nothing_differs_p_is_1(name: str, alternative: Alternative) -> None:
    found = run(name, samples([1.0] * 5, [1.0] * 4, alternative=alternative))
    assert found.p_value == 1
    assert codes(found) == {"identical_outputs"}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("shared", [False, True])
def test_samples_equal_number_by_number_have_the_p_of_their_test(name: str, shared: bool) -> None:
    """The order of independent samples carries nothing: one file shuffled changes no p, also where it ties exactly."""
    x, y = [1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]
    for alternative in ALTERNATIVES:
        equal, shuffled = (run(name, samples(x, other, shared=shared, alternative=alternative)) for other in (x, y))
        assert "identical_outputs" not in codes(equal)
        near = 0.1 if name == "unpaired-bootstrap" else 1e-12  # 999 draws, which go by position: five errors of p
        assert equal.p_value == pytest.approx(shuffled.p_value, abs=near)
        assert (equal.p_value == 1) == (alternative == "two-sided")


def test_equal_samples_have_the_one_sided_p_of_scipy_and_r() -> None:
    three, two = [1.0, 2.0, 3.0], [1.0, 2.0]
    for x, name, expected in (
        (three, "student", 0.5),  # scipy.stats.ttest_ind
        (three, "welch", 0.5),
        (three, "mann-whitney", 0.7),  # R: coin::wilcox_test, exact
        (three, "permutation", 0.7),
        (two, "mann-whitney", 5 / 6),
    ):
        for alternative in ("greater", "less"):
            found = run(name, samples(x, x, shared=True, alternative=alternative))
            assert found.p_value == pytest.approx(expected, rel=1e-12), name


@pytest.mark.parametrize("name", [n for n in EVERY if not n.startswith("permutation:")])
def test_numbers_that_do_not_vary_have_no_p_but_from_counts(name: str) -> None:
    found = run(name, samples([1.0] * 4, [0.0] * 4))
    counted = name in ("permutation", "mann-whitney", "brunner-munzel", "fisher", "chi2", "two-proportions")
    if counted:
        assert found.p_value is not None
        exact = {"permutation": 2 / 70, "mann-whitney": 2 / 70, "brunner-munzel": 2 / 70, "fisher": 2 / 70}
        assert found.p_value == pytest.approx(exact.get(name, found.p_value))
    else:
        assert found.p_value is None
        assert codes(found) & {"constant_samples", "no_overlap"}


@pytest.mark.parametrize("name", EVERY)
def test_one_number_of_a_system_has_no_variance(name: str) -> None:
    found = run(name, samples([1.0], [0.0, 1.0, 0.0, 0.0]))
    if name in ("welch", "unpaired-bootstrap", "brunner-munzel", "brunner-munzel:variant=t"):
        assert found.p_value is None
        assert codes(found) == {"n_too_small"}
    else:
        assert found.p_value is not None
    assert run("permutation", samples([1.0], [0.0, 0.5, 0.2, 0.1])).p_value == pytest.approx(1 / 5)


def test_one_number_of_each_system_is_too_few_for_a_t_test() -> None:
    for name in ("welch", "student"):
        assert run(name, samples([1.0], [0.0])).p_value is None


def test_decimals_that_are_equal_tie() -> None:
    """.1 + .2 is no .3: with their rounding left in, labellings as extreme as the observed one would not be counted."""
    x, y = [0.1 + 0.2, 0.7, 0.6], [0.3, 0.1 * 7, 0.2]
    exact = samples([3, 7, 6], [3, 7, 2])
    assert run("permutation:statistic=mean", samples(x, y)).p_value == run("permutation:statistic=mean", exact).p_value
    assert run("permutation", samples(x, y)).p_value == pytest.approx(run("permutation", exact).p_value)


def test_samples_that_do_not_overlap_get_a_permutation_p_however_many() -> None:
    data = samples(np.arange(20.0) + 100, np.arange(20.0), n_resamples=499)
    found = run("brunner-munzel", data)
    assert (found.p_value, found.p_kind) == (1 / 500, "monte-carlo")
    assert found.effect == {"exceedances": 0, "superiority": 1.0}


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
