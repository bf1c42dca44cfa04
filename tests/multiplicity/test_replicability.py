"""Counts of data sets: properties, the side of a p-value, and the level of the count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.errors import UsageError
from outscore.multiplicity.replicability import Combination, fisher, replicability, simes, stouffer, to_one_side

p_values = st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=9)


COMBINATIONS: tuple[Combination, ...] = ("bonferroni", "fisher", "stouffer")


@given(p_values, st.sampled_from([0.01, 0.05, 0.3]))
def test_bonferronis_count_is_the_number_of_data_sets_that_holm_names(p: list[float], alpha: float) -> None:
    found = replicability(p, alpha=alpha)
    assert found.count == len(found.identified)


@given(p_values, st.sampled_from(COMBINATIONS), st.randoms())
def test_p_grows_with_the_number_and_does_not_depend_on_the_order(
    p: list[float], combination: Combination, shuffled: object
) -> None:
    found = replicability(p, combination=combination)
    assert (np.diff(found.p_monotone) >= 0).all()
    assert (found.p_monotone >= found.p).all()
    assert found.p[-1] == pytest.approx(max(p))
    back = replicability(p[::-1], combination=combination)
    np.testing.assert_allclose(back.p, found.p, rtol=1e-9)
    assert back.count == found.count


@given(p_values)
def test_combinations_are_scipys(p: list[float]) -> None:
    assert fisher(p).p == pytest.approx(stats.combine_pvalues(p, "fisher").pvalue, rel=1e-9)
    if max(p) < 1:
        weights = np.arange(1, len(p) + 1)
        theirs = stats.combine_pvalues(p, "stouffer", weights=weights).pvalue
        assert stouffer(p, weights).p == pytest.approx(theirs, rel=1e-9)
    assert simes(p).p == pytest.approx(min(1.0, *(len(p) * v / (i + 1) for i, v in enumerate(sorted(p))), 1.0))


def test_p_values_of_zero_are_refused() -> None:
    for bad in ([0.0, 0.5], [], [1.5], [float("nan")]):
        with pytest.raises(UsageError, match="above 0"):
            replicability(bad)


@given(st.floats(0, 1), st.floats(-1, 1))
def test_a_two_sided_p_is_halved_on_the_side_of_the_gain_only(p: float, gain: float) -> None:
    greater, less = to_one_side(p, gain), to_one_side(p, gain, "less")
    if gain > 0:
        assert (greater, less) == (p / 2, 1 - p / 2)
    if gain < 0:
        assert (less, greater) == (p / 2, 1 - p / 2)
    with pytest.raises(UsageError, match="side"):
        to_one_side(p, gain, "two-sided")


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_more_data_sets_than_have_an_effect_are_counted_in_five_percent_of_cases_at_most(
    combination: Combination,
) -> None:
    # 3 of 8 independent data sets have a gain of 3 standard errors: 2,000 replicates, binomial quantile 1e-6
    rng = np.random.default_rng(1)
    gains = np.array([3.0] * 3 + [0.0] * 5)
    counts = [replicability(stats.norm.sf(rng.normal(gains)), combination=combination).count for _ in range(2000)]
    assert np.mean(np.array(counts) > 3) <= stats.binom.isf(1e-6, 2000, 0.05) / 2000
    assert np.mean(counts) > 0.9


LEVELS = (0.01, 0.05, 0.1)


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("combination", ["bonferroni", "fisher", "stouffer"])
def test_a_data_set_whose_p_is_alpha_exactly_counts(alpha: float, combination: Combination) -> None:
    found = replicability([0.5, alpha / 2], alpha=alpha)
    assert (found.count, found.identified) == (1, (1,))
    single = replicability([alpha], alpha=alpha)
    assert (single.count, single.identified) == (1, (0,))
    assert replicability([alpha * 1.001], alpha=alpha, combination=combination).count == 0


@pytest.mark.parametrize(
    ("side", "gain", "expected"),
    [("greater", 0.0, 0.1), ("less", 0.0, 0.1), ("greater", 1.0, 0.1), ("greater", -1.0, 0.9), ("less", 1.0, 0.9)],
)
def test_no_gain_at_all_lies_on_both_sides(side: str, gain: float, expected: float) -> None:
    assert to_one_side(0.2, gain, side) == pytest.approx(expected)  # type: ignore[arg-type]
