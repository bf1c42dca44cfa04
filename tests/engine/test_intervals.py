"""Intervals of replicates by their definitions, where the textbook formula breaks down, and their symmetries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.errors import UsageError
from outscore.engine import intervals
from outscore.engine.extreme import ALTERNATIVES, Alternative

RNG = np.random.default_rng(20)


REPLICATES = np.sort(RNG.normal(1.0, 2.0, 39).round(1))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("kind", [1, 6, 7])
def test_ends_are_the_quantiles_of_their_definitions(kind: intervals.Quantile, level: float) -> None:
    n, ordered = REPLICATES.size, [float(one) for one in REPLICATES]

    def order(at: float) -> float:
        """The order statistic at a place from 1 on, interpolated."""
        at = min(max(at, 1.0), float(n))
        below = math.floor(at + 1e-9)
        return ordered[below - 1] + (at - below) * (ordered[min(below, n - 1)] - ordered[below - 1])

    tails = ((1 - level) / 2, (1 + level) / 2)
    low, high = (order({1: math.ceil(n * q - 1e-9), 6: (n + 1) * q, 7: 1 + (n - 1) * q}[kind]) for q in tails)
    found = intervals.percentile(REPLICATES, level, kind=kind)
    assert (found.low, found.high) == pytest.approx((low, high))
    turned = intervals.basic(0.7, REPLICATES, level, kind=kind)
    assert (turned.low, turned.high) == pytest.approx((1.4 - high, 1.4 - low))
    errors = np.full(n, 0.5)
    pivots = intervals.studentized(0.7, 0.25, REPLICATES, errors, level, kind=kind)
    ends = (0.7 - 0.25 * (high - 0.7) / 0.5, 0.7 - 0.25 * (low - 0.7) / 0.5)
    assert (pivots.low, pivots.high) == pytest.approx(ends)


def test_normal_intervals_of_replicates() -> None:
    sd, mean = float(np.std(REPLICATES, ddof=1)), float(REPLICATES.mean())
    z = float(stats.norm.ppf(0.95))
    plain, moved = (intervals.normal(0.7, REPLICATES, 0.9, bias_corrected=one) for one in (False, True))
    assert (plain.low, plain.high) == pytest.approx((0.7 - z * sd, 0.7 + z * sd))
    assert (moved.low, moved.high) == pytest.approx((1.4 - mean - z * sd, 1.4 - mean + z * sd))
    slides = intervals.oconnor(REPLICATES)
    assert (slides.low, slides.high) == pytest.approx((mean - 2 * sd, mean + 2 * sd))
    assert slides.level == pytest.approx(stats.norm.cdf(2) - stats.norm.cdf(-2))


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_simultaneous_intervals_are_of_the_largest_deviation_of_all(level: float) -> None:
    rng = np.random.default_rng(20)
    others = rng.normal(0.0, 5.0, REPLICATES.size)
    still = np.full(REPLICATES.size, 3.0)
    series = [(0.7, REPLICATES), (-0.2, others), (3.0, still)]
    largest = intervals.largest_deviation(series)
    moves = [np.abs(values - t0) / np.std(values, ddof=1) for t0, values in series[:2]]
    np.testing.assert_allclose(largest, np.maximum(*moves))
    found = intervals.simultaneous(0.7, REPLICATES, largest, level)
    half = float(np.quantile(largest, level, method="weibull")) * float(np.std(REPLICATES, ddof=1))
    assert (found.low, found.high, found.level) == pytest.approx((0.7 - half, 0.7 + half, level))


@pytest.mark.parametrize("t0", [0.3, 1.0, float(REPLICATES[7])])
@pytest.mark.parametrize("slack", [0.0, 0.15])
def test_bca_is_efrons(t0: float, slack: float) -> None:
    rng = np.random.default_rng(20)
    values = rng.exponential(1.0, 12)
    jackknife = (values.sum() - values) / 11
    equal = sum(abs(r - t0) <= slack for r in REPLICATES)
    below = sum(r < t0 and abs(r - t0) > slack for r in REPLICATES)
    z0 = stats.norm.ppf((below + equal / 2) / REPLICATES.size)
    influence = jackknife.mean() - jackknife
    a = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    found = intervals.bca_constants(t0, REPLICATES, jackknife, 0.9, slack=slack)
    levels = [
        float(stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))) for z in (-1.6448536269514722, 1.6448536269514722)
    ]
    assert (found.z0, found.acceleration) == pytest.approx((z0, a))
    assert (found.low_level, found.high_level) == pytest.approx(tuple(levels))
    whole = intervals.bca(t0, REPLICATES, jackknife, 0.9, slack=slack)
    ends = np.quantile(REPLICATES, np.clip(levels, 1 / 40, 39 / 40), method="weibull")
    assert (whole.low, whole.high) == pytest.approx(tuple(ends))


@pytest.mark.parametrize(
    ("replicates", "corrected"),
    [
        ([0.95, 1.0, 2.0], False),  # equal to the score within the slack is not below it
        ([0.85, 1.0, 2.0], True),
        ([0.5, 0.7, 0.95], True),  # nor are then all of them below
        ([0.5, 0.7, 0.85], False),
        ([0.95, 1.0, 1.05], False),
        ([0.95, 1.0, 1.06], False),
    ],
)
def test_bca_needs_replicates_below_the_score_and_others(replicates: list[float], corrected: bool) -> None:
    found = intervals.bca(1.0, np.array(replicates), np.array([0.9, 1.0, 1.4]), slack=0.1)
    assert (found.method, found.fallback == "") == (("bca", True) if corrected else ("percentile", False))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_studentized_test_counts_pivots_and_those_without_error(alternative: Alternative) -> None:
    replicates, errors = np.array([0.5, 1.0, 2.0, 3.5, -1.0]), np.array([1.0, 0.5, 0.5, 0.0, 2.0])
    for null in (None, 0.0, 0.5):
        observed = (1.0 - (null or 0.0)) / 0.5
        pivots = [(r - 1.0) / e if e else math.inf for r, e in zip(replicates, errors, strict=True)]
        hit = {
            "greater": sum(p >= observed for p in pivots),
            "less": sum(p <= observed or p == math.inf for p in pivots),
            "two-sided": sum(abs(p) >= abs(observed) for p in pivots),
        }[alternative]
        options = {} if null is None else {"null_value": null}
        counted = intervals.studentized_extreme(1.0, 0.5, replicates, errors, alternative=alternative, **options)
        assert int(counted.sum()) == hit


def test_a_replicate_without_error_at_the_score_itself_shows_no_distance() -> None:
    replicates, errors = np.array([1.0, 1.0, 1.0, 3.0, -1.0]), np.array([0.0, 0.0, 0.0, 1.0, 1.0])
    found = intervals.studentized(1.0, 0.5, replicates, errors, 0.5, kind=1)
    assert (found.low, found.high, found.method) == (1.0, 1.0, "studentized")


SKEWED = np.random.default_rng(3).gamma(2.0, size=199)


JACKKNIFE = np.random.default_rng(4).normal(size=30)


def test_bca_without_variation_is_the_flagged_percentile_interval() -> None:
    found = intervals.bca(0.5, np.full(99, 0.5), np.full(10, 0.5))
    assert (found.low, found.high, found.method) == (0.5, 0.5, "percentile")
    assert "equal" in found.fallback


@pytest.mark.parametrize("t0", [-1.0, 1e6])
def test_bca_with_all_replicates_on_one_side_falls_back(t0: float) -> None:
    found = intervals.bca(t0, SKEWED, JACKKNIFE)
    plain = intervals.percentile(SKEWED)
    assert (found.low, found.high, found.method) == (plain.low, plain.high, "percentile")
    assert found.fallback


def test_bca_levels_are_clamped_to_the_range_of_the_replicates() -> None:
    t0 = float(np.sort(SKEWED)[-2])
    found = intervals.bca(t0, SKEWED, JACKKNIFE, 0.999)
    assert found.method == "bca"
    assert found.high == SKEWED.max()
    clamped = intervals.bca(t0, SKEWED, JACKKNIFE, 0.999, kind=7)
    edge = SKEWED.size / (SKEWED.size + 1)
    assert clamped.high == intervals.quantile(SKEWED, edge, 7) < SKEWED.max()


@given(shift=st.floats(-100, 100), factor=st.floats(0.01, 100))
def test_intervals_move_with_the_scale(shift: float, factor: float) -> None:
    t0 = float(np.median(SKEWED))
    for method in (
        lambda t, r, j: intervals.normal(t, r),
        lambda t, r, j: intervals.oconnor(r),
        lambda t, r, j: intervals.percentile(r),
        lambda t, r, j: intervals.basic(t, r),
        intervals.bca,
    ):
        one = method(t0, SKEWED, JACKKNIFE)
        other = method(t0 * factor + shift, SKEWED * factor + shift, JACKKNIFE * factor + shift)
        expected = (one.low * factor + shift, one.high * factor + shift)
        assert (other.low, other.high) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_studentized_without_usable_errors_says_so() -> None:
    found = intervals.studentized(1.5, 0.7, SKEWED, np.zeros(SKEWED.size))
    assert found.method == "percentile"
    assert "zero" in found.fallback


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_replicates_without_error_count_against_rejection(alternative: Alternative) -> None:
    t0 = -9.0 if alternative == "less" else 9.0
    errors = np.ones(99)
    errors[:9] = 0.0
    counted = intervals.studentized_extreme(t0, 1.0, np.full(99, t0), errors, alternative=alternative)
    assert counted.tolist() == [True] * 9 + [False] * 90


def test_identical_outputs_have_studentized_p_one() -> None:
    assert intervals.studentized_extreme(0.0, 0.0, np.zeros(99), np.zeros(99)).all()


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_level_is_a_probability(level: float) -> None:
    with pytest.raises(UsageError, match="level"):
        intervals.percentile(SKEWED, level)


def test_bca_without_influence_has_no_acceleration() -> None:
    """Where no item matters, as all are the same, there is nothing to accelerate by, and no division by 0."""
    parts = intervals.bca_constants(0.5, np.linspace(0.1, 0.9, 41), np.full(8, 0.5))
    assert parts.acceleration == 0.0
    assert parts.z0 == pytest.approx(0.0, abs=1e-12)
    assert (parts.low_level, parts.high_level) == pytest.approx((0.025, 0.975))


def test_bca_at_the_pole_of_its_levels_ends_at_the_largest_replicate() -> None:
    """Where acceleration times (z0 + z) is 1 the level is the limit, 1, and nothing is divided by 0."""
    replicates = np.where(np.arange(1000) < 998, 0.0, 1.0)
    jackknife = np.where(np.arange(67) == 0, -1.0, 0.0)
    level = 0.9988863738287334  # where the two meet to the last digit; its neighbours, should another machine round so
    for _ in range(5):
        level = math.nextafter(level, 0.0)
    for _ in range(11):
        parts = intervals.bca_constants(0.5, replicates, jackknife, level)
        assert parts.high_level == 1.0
        level = math.nextafter(level, 1.0)
