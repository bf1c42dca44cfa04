"""Power of McNemar's test against complete enumeration, its bounds, and what planners know of it."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.errors import UsageError
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.power.plans.mcnemar import (
    _laws,
    agreement_bounds,
    connor_power,
    discordant_proportions,
    mcnemar_power,
)
from outscore.significance.discordant import DiscordantPairs, Method
from tests.examples import first
from tests.power.closed_forms import connor_items

METHODS: tuple[Method, ...] = ("chi2", "midp", "exact", "chi2-cc")
SIZES = list(range(500, 5001, 500))


def enumerated(
    p10: float, p01: float, n: int, method: Method, alternative: Alternative, alpha: float
) -> tuple[float, float]:
    """Slow twin: every (b, c), its trinomial probability, and the test itself."""
    power = right = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if DiscordantPairs(b, c).p(method, alternative) <= alpha:
                ways = math.comb(n, b) * math.comb(n - b, c)
                chance = ways * p10**b * p01**c * max(1 - p10 - p01, 0.0) ** (n - b - c)
                power += chance
                claim = {"greater": 1, "less": -1, "two-sided": b - c}[alternative]
                right += chance * (claim * (p10 - p01) > 0)
    return power, right


@given(
    st.sampled_from([(0.3, 0.1), (0.05, 0.2), (0.15, 0.15), (0.4, 0.0), (0.0, 0.35), (0.6, 0.4), (1.0, 0.0)]),
    st.integers(1, 22),
    st.sampled_from(METHODS),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from([0.01, 0.05, 0.1, 0.3, 0.8, 0.999]),
)
def test_power_is_the_chance_of_all_outcomes_that_the_test_rejects(
    shares: tuple[float, float], n: int, method: Method, alternative: Alternative, alpha: float
) -> None:
    found = mcnemar_power(*shares, n, method=method, alternative=alternative, alpha=alpha)
    expected = enumerated(*shares, n, method, alternative, alpha)
    assert (found.power[0], found.right_side[0]) == pytest.approx(expected, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("alternative", first(ALTERNATIVES, "two-sided", others=pytest.mark.slow))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alpha", [0.02, 1e-9])
def test_power_of_larger_sets_is_that_of_the_whole_double_sum(
    alpha: float, method: Method, alternative: Alternative
) -> None:
    # all discordant numbers, none left out, critical values from the test's own p-values
    n, p10, p01 = 400, 0.08, 0.05
    expected = 0.0
    for pairs in range(161):  # 23 standard deviations above the mean
        favours = np.arange(pairs + 1)
        p = [DiscordantPairs(int(b), pairs - int(b)).p(method, alternative) for b in favours]
        rejected = favours[np.array(p) <= alpha]
        expected += stats.binom.pmf(pairs, n, p10 + p01) * stats.binom.pmf(rejected, pairs, p10 / (p10 + p01)).sum()
    found = mcnemar_power(p10, p01, n, method=method, alternative=alternative, alpha=alpha)
    assert found.power[0] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_a_curve_is_its_points(method: Method) -> None:
    curve = mcnemar_power(0.06, 0.04, [*SIZES, 7, 1_000_000], method=method)
    for n, power, right in zip(curve.n, curve.power, curve.right_side, strict=True):
        point = mcnemar_power(0.06, 0.04, int(n), method=method)
        assert (point.power[0], point.right_side[0]) == pytest.approx((power, right), rel=1e-13)


def test_the_curve_of_a_two_point_gain() -> None:
    # enumeration with scipy's binomial quantiles: .2496, .4787, .7915 and .9936 at 500, 1,000, 2,000 and 5,000
    curve = mcnemar_power(0.06, 0.04, SIZES, method="exact").power
    assert curve[[0, 1, 3, 9]] == pytest.approx([0.24960, 0.47872, 0.79145, 0.99363], abs=5e-6)
    assert all(a < b for a, b in pairwise(curve))


@given(st.floats(0.005, 0.3), st.integers(2, 3000), st.sampled_from([0.01, 0.05, 0.1]))
def test_the_exact_test_holds_its_level_and_is_the_most_careful(share: float, n: int, alpha: float) -> None:
    exact, midp, chi2 = (
        mcnemar_power(share, share, n, method=method, alpha=alpha).power[0] for method in ("exact", "midp", "chi2")
    )
    assert exact <= alpha
    assert exact <= midp
    assert exact <= chi2 + 1e-15


@pytest.mark.parametrize("method", METHODS)
def test_the_two_sides_of_one_test_sum_to_the_two_sided_one(method: Method) -> None:
    two = mcnemar_power(0.05, 0.03, SIZES, method=method, alpha=0.1)
    greater, less = (
        mcnemar_power(0.05, 0.03, SIZES, method=method, alternative=side, alpha=0.05) for side in ("greater", "less")
    )
    np.testing.assert_allclose(greater.power + less.power, two.power, rtol=1e-13)
    np.testing.assert_allclose(greater.power, two.right_side, rtol=1e-13)
    np.testing.assert_array_equal(less.right_side, 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_power_is_the_same_seen_from_the_other_system(method: Method) -> None:
    one = mcnemar_power(0.07, 0.04, SIZES, method=method, alternative="greater")
    other = mcnemar_power(0.04, 0.07, SIZES, method=method, alternative="less")
    np.testing.assert_allclose(one.power, other.power, rtol=1e-12)
    np.testing.assert_allclose(one.right_side, other.right_side, rtol=1e-12)


def test_systems_that_never_differ_cannot_be_told_apart() -> None:
    found = mcnemar_power(0.0, 0.0, [1, 100, 10_000])
    assert found.power.tolist() == found.right_side.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("p10", [0.02, 0.1, 0.3])
def test_connor_is_near_the_exact_power_of_the_chi_square_test(p10: float) -> None:
    p01 = p10 / 2
    n = math.ceil(connor_items(p10, p01, 0.8))
    assert connor_power(p10, p01, n) == pytest.approx(0.8, abs=2e-3)
    assert mcnemar_power(p10, p01, n, method="chi2").right_side[0] == pytest.approx(0.8, abs=0.02)


def test_connor_needs_a_gain_on_the_claimed_side() -> None:
    assert math.isinf(connor_items(0.05, 0.05))
    assert math.isinf(connor_items(0.05, 0.1, alternative="greater"))
    assert connor_items(0.05, 0.1, alternative="less") == connor_items(0.1, 0.05, alternative="greater")
    assert connor_items(0.1, 0.05, alternative="greater") < connor_items(0.1, 0.05)
    assert connor_power(0.05, 0.1, 200) == connor_power(0.1, 0.05, 200) > 0.4
    with pytest.raises(UsageError, match="differences that vary"):
        connor_power(0.0, 0.0, 100)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_accuracies_and_agreement_give_shares_that_reproduce_them(acc_a: float, acc_b: float, part: float) -> None:
    least, most = agreement_bounds(acc_a, acc_b)
    agreement = least + part * (most - least)
    p10, p01 = discordant_proportions(acc_a, acc_b, agreement)
    assert p10 - p01 == pytest.approx(acc_a - acc_b, abs=1e-12)
    assert 1 - p10 - p01 == pytest.approx(agreement, abs=1e-12)
    # both right is what is left of either accuracy, both wrong what is left of either error
    assert -1e-12 <= p10 <= min(acc_a, 1 - acc_b) + 1e-12
    assert -1e-12 <= p01 <= min(acc_b, 1 - acc_a) + 1e-12


def test_bounds_of_agreement_are_those_of_the_two_by_two_table() -> None:
    assert agreement_bounds(0.9, 0.8) == pytest.approx((0.7, 0.9))
    assert discordant_proportions(0.9, 0.8, 0.9) == pytest.approx((0.1, 0.0), abs=1e-15)
    assert discordant_proportions(0.9, 0.8, 0.7) == pytest.approx((0.2, 0.1))
    for agreement in (0.69, 0.91):
        with pytest.raises(UsageError, match=r"allow 0\.7 to 0\.9"):
            discordant_proportions(0.9, 0.8, agreement)
    with pytest.raises(UsageError, match="expected a proportion"):
        agreement_bounds(90, 0.8)


@pytest.mark.parametrize(
    ("shares", "options", "message"),
    [
        ((-0.1, 0.2), {}, "proportions of items"),
        ((0.6, 0.5), {}, "proportions of items"),
        ((math.nan, 0.5), {}, "proportions of items"),
        ((0.1, 0.2), {"alpha": 0.0}, "between 0 and 1"),
        ((0.1, 0.2), {"method": "wald"}, "expected chi2, midp, exact or chi2-cc"),
        ((0.1, 0.2), {"n": 0}, "at least 1 item"),
    ],
)
def test_what_is_no_plan_is_refused(shares: tuple[float, float], options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        mcnemar_power(*shares, **{"n": 10, **options})  # type: ignore[arg-type]


@pytest.mark.parametrize("gain", [0.0, 0.0001, 0.0004])
def test_a_thinned_law_has_the_power_of_the_whole_one(gain: float, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = (0.1 + gain, 0.1)
    whole = mcnemar_power(*pairs, [1_500_000, 2_000_000])  # 14,000 numbers of pairs, and some more
    monkeypatch.setattr("outscore.power.plans.mcnemar._DENSE", 2_000)
    _laws.cache_clear()
    thinned = mcnemar_power(*pairs, [1_500_000, 2_000_000])
    _laws.cache_clear()
    for name in ("power", "right_side", "size"):
        assert getattr(thinned, name) == pytest.approx(getattr(whole, name), rel=1e-4, abs=1e-6), name
