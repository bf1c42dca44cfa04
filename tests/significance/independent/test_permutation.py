"""Permutations of two samples against loops over all labellings."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.engine.runtime import Runtime
from outscore.significance import Outcome
from outscore.significance.independent import UNEQUAL_SPREADS, IndependentSamples, independent_tests, permutation
from outscore.significance.independent.brunner_munzel import brunner_munzel, permuted_brunner_munzel
from outscore.significance.independent.permutation import PermutedLabels
from outscore.significance.two_samples import statistics_at_random, statistics_of_all
from tests.examples import examples
from tests.laws.support import settings
from tests.significance.independent.test_brunner_munzel import few, relative_effect_t, welch_t
from tests.significance.independent.test_samples import run, samples


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


def mean_difference(x: list[float], y: list[float]) -> float:
    return sum(x) / len(x) - sum(y) / len(y)


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


@pytest.mark.parametrize(("n", "m"), [(2, 2), (2, 3), (4, 4), (5, 1)])
def test_the_smallest_p_of_labellings(n: int, m: int) -> None:
    for alternative in ALTERNATIVES:
        twice = 2 if n == m and alternative == "two-sided" else 1
        assert permutation.smallest_p(n, m, alternative) == pytest.approx(twice / math.comb(n + m, n))


def test_whole_numbers_have_the_law_of_their_sums_whichever_sample_is_smaller() -> None:
    # too many labellings to enumerate, so that sums are counted one by one
    draw = np.random.default_rng(2)
    x, y = draw.integers(0, 6, 14).astype(float), draw.integers(0, 7, 19).astype(float)
    for one, other in ((x, y), (y, x)):
        held = permutation.PermutedLabels(one, other, False)
        law = held.law
        assert law is not None
        ways: dict[tuple[int, int], int] = {(0, 0): 1}
        for value in held.columns[:, 0].astype(int).tolist():
            for (taken, total), count in list(ways.items()):
                if taken < len(one):
                    key = (taken + 1, total + value)
                    ways[key] = ways.get(key, 0) + count
        whole = {total: count for (taken, total), count in ways.items() if taken == len(one)}
        number = math.comb(33, len(one))
        assert law.support.tolist() == sorted(whole)
        assert law.mass == pytest.approx([whole[total] / number for total in sorted(whole)])
        centre = len(one) * float(held.columns[:, 0].sum()) / 33
        for side in ALTERNATIVES:
            p, least = held.p(law, side)
            at = held.observed
            share = {
                "greater": sum(c for t, c in whole.items() if t >= at),
                "less": sum(c for t, c in whole.items() if t <= at),
                "two-sided": sum(c for t, c in whole.items() if abs(t - centre) >= abs(at - centre) - 1e-9),
            }[side]
            assert p == pytest.approx(share / number) and 0 < least <= p


@pytest.mark.parametrize(("n", "wide", "said"), [(29, 2.1, True), (29, 1.9, False), (30, 2.5, False), (9, 2.5, True)])
def test_spreads_are_unequal_from_twice_on_in_few_numbers(n: int, wide: float, said: bool) -> None:
    base = np.linspace(-1, 1, 40)
    system = np.linspace(-1, 1, n)
    system *= wide * base.std() / system.std()
    for one, other in ((system, base), (base, system)):
        made = IndependentSamples(system=one, baseline=other, unit="item", settings=settings(49))
        outcome = independent_tests.make("permutation:exact=never").run(made)
        assert (UNEQUAL_SPREADS in outcome.notes) == said
    assert math.isnan(brunner_munzel(np.array([1.0]), np.array([2.0, 0.0])).p)
