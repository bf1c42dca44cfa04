"""Brunner and Munzel's test against scipy and the definition."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance.independent import IndependentSamples, brunner_munzel, independent_tests
from outscore.significance.independent.brunner_munzel import permuted_brunner_munzel, placements
from outscore.significance.settings import Settings
from tests.examples import examples
from tests.significance.independent.test_samples import run, samples


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_brunner_and_munzels_test_is_scipys(alternative: Alternative) -> None:
    for x, y in (([3, 1, 4, 4], [2, 2, 5]), ([1, 2, 2, 7, 9], [3, 3, 1, 8]), ([0, 0, 1], [1, 0, 2, 1])):
        samples = np.array(x, dtype=float), np.array(y, dtype=float)
        found = brunner_munzel.brunner_munzel(*samples, alternative=alternative)
        theirs = stats.brunnermunzel(x, y, alternative=alternative)
        share = np.mean([(a > b) + (a == b) / 2 for a, b in product(x, y)])
        assert (found.estimate + 0.5, found.p) == pytest.approx((share, float(theirs.pvalue)))
        half = stats.t(found.df).ppf(0.975) * found.se
        assert (found.low + 0.5, found.high + 0.5) == pytest.approx((share - half, share + half))
        made = Settings(alternative=alternative, alpha=0.025 if alternative != "two-sided" else 0.05)
        given = IndependentSamples(system=samples[0], baseline=samples[1], unit="item", settings=made)
        shown = independent_tests.make("brunner-munzel:variant=t").run(given).effect
        half = stats.t(found.df).ppf(1 - made.alpha / 2) * found.se
        ends = max(0, share - half), min(1, share + half)
        assert (shown["superiority_ci_low"], shown["superiority_ci_high"]) == pytest.approx(ends)
        assert found.statistic == pytest.approx((share - 0.5) / found.se)
        pooled, labels = np.array(x + y, dtype=float), np.zeros((1, len(x) + len(y)))
        labels[0, : len(x)] = 1
        assert brunner_munzel.permuted_brunner_munzel(pooled, labels)[0] == pytest.approx(found.statistic)


def test_samples_apart_have_all_degrees_of_freedom() -> None:
    found = brunner_munzel.brunner_munzel(np.array([5.0, 6.0, 7.0]), np.array([1.0, 2.0]))
    assert (found.estimate, found.df, found.se) == (0.5, 3.0, 0.0)


few = st.lists(st.integers(0, 5).map(lambda v: v / 10), min_size=2, max_size=5)


def welch_t(x: list[float], y: list[float]) -> float:
    """Welch's t by its formula, as far from 0 as can be where neither sample varies."""
    means = [sum(v) / len(v) for v in (x, y)]
    errors = [sum((a - mean) ** 2 for a in v) / (len(v) - 1) / len(v) for v, mean in zip((x, y), means, strict=True)]
    distance = means[0] - means[1]
    if sum(errors) < 1e-15:
        return math.copysign(math.inf, distance) if abs(distance) > 1e-15 else 0.0
    return distance / math.sqrt(sum(errors))


def relative_effect_t(x: list[float], y: list[float]) -> float:
    """The Brunner-Munzel statistic from all pairs."""
    of_x = [sum((b < a) + (a == b) / 2 for b in y) / len(y) for a in x]
    of_y = [sum((a < b) + (a == b) / 2 for a in x) / len(x) for b in y]
    t = welch_t(of_x, of_y)  # the same standard error, around the mean of p and 1 - p
    return t if math.isinf(t) else t / 2


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


def test_placements_are_shares_of_pairs() -> None:
    np.testing.assert_array_equal(placements(np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0])), [0.0, 0.25, 1.0])


def test_samples_that_do_not_overlap_get_a_permutation_p_however_many() -> None:
    data = samples(np.arange(20.0) + 100, np.arange(20.0), n_resamples=499)
    found = run("brunner-munzel", data)
    assert (found.p_value, found.p_kind) == (1 / 500, "monte-carlo")
    assert found.effect == {"exceedances": 0, "superiority": 1.0}
