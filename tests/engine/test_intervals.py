"""Intervals and Monte-Carlo rules where the textbook formula breaks down, and their symmetries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import UsageError
from outscore.engine import intervals, montecarlo
from outscore.engine.extreme import ALTERNATIVES, Alternative

REPLICATES = np.random.default_rng(3).gamma(2.0, size=199)
JACKKNIFE = np.random.default_rng(4).normal(size=30)


def test_bca_without_variation_is_the_flagged_percentile_interval() -> None:
    found = intervals.bca(0.5, np.full(99, 0.5), np.full(10, 0.5))
    assert (found.low, found.high, found.method, found.degenerate) == (0.5, 0.5, "percentile", True)
    assert "equal" in found.fallback


@pytest.mark.parametrize("t0", [-1.0, 1e6])
def test_bca_with_all_replicates_on_one_side_falls_back(t0: float) -> None:
    found = intervals.bca(t0, REPLICATES, JACKKNIFE)
    plain = intervals.percentile(REPLICATES)
    assert (found.low, found.high, found.method) == (plain.low, plain.high, "percentile")
    assert found.fallback
    assert not found.degenerate


def test_bca_levels_are_clamped_to_the_range_of_the_replicates() -> None:
    t0 = float(np.sort(REPLICATES)[-2])
    found = intervals.bca(t0, REPLICATES, JACKKNIFE, 0.999)
    assert found.method == "bca"
    assert found.high == REPLICATES.max()
    clamped = intervals.bca(t0, REPLICATES, JACKKNIFE, 0.999, kind=7)
    edge = REPLICATES.size / (REPLICATES.size + 1)
    assert clamped.high == intervals.quantile(REPLICATES, edge, 7) < REPLICATES.max()


@given(shift=st.floats(-100, 100), factor=st.floats(0.01, 100))
def test_intervals_move_with_the_scale(shift: float, factor: float) -> None:
    t0 = float(np.median(REPLICATES))
    for method in (
        lambda t, r, j: intervals.normal(t, r),
        lambda t, r, j: intervals.oconnor(r),
        lambda t, r, j: intervals.percentile(r),
        lambda t, r, j: intervals.basic(t, r),
        intervals.bca,
    ):
        one = method(t0, REPLICATES, JACKKNIFE)
        other = method(t0 * factor + shift, REPLICATES * factor + shift, JACKKNIFE * factor + shift)
        expected = (one.low * factor + shift, one.high * factor + shift)
        assert (other.low, other.high) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_basic_is_percentile_mirrored_at_the_estimate() -> None:
    plain, mirrored = intervals.percentile(REPLICATES, 0.9), intervals.basic(1.5, REPLICATES, 0.9)
    assert (mirrored.low, mirrored.high) == (3.0 - plain.high, 3.0 - plain.low)


def test_studentized_with_constant_errors_is_basic() -> None:
    errors = np.full(REPLICATES.size, 0.7)
    found, basic = intervals.studentized(1.5, 0.7, REPLICATES, errors), intervals.basic(1.5, REPLICATES)
    assert (found.low, found.high) == pytest.approx((basic.low, basic.high))


def test_studentized_without_usable_errors_says_so() -> None:
    found = intervals.studentized(1.5, 0.7, REPLICATES, np.zeros(REPLICATES.size))
    assert found.method == "percentile"
    assert "zero" in found.fallback


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_replicates_without_error_count_against_rejection(alternative: Alternative) -> None:
    t0 = -9.0 if alternative == "less" else 9.0
    errors = np.ones(99)
    errors[:9] = 0.0
    found = intervals.studentized_test(t0, 1.0, np.full(99, t0), errors, alternative=alternative)
    assert (found.undefined, found.exceedances, found.p) == (9, 9, 0.1)


def test_identical_outputs_have_studentized_p_one() -> None:
    assert intervals.studentized_test(0.0, 0.0, np.zeros(99), np.zeros(99)).p == 1.0


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_level_is_a_probability(level: float) -> None:
    with pytest.raises(UsageError, match="level"):
        intervals.percentile(REPLICATES, level)


def test_exceedance_interval_covers_its_count() -> None:
    assert montecarlo.exceedance_interval(0, 10)[0] == 0.0
    assert montecarlo.exceedance_interval(10, 10)[1] == 1.0
    low, high = montecarlo.exceedance_interval(30, 100)
    mirrored = montecarlo.exceedance_interval(70, 100)
    assert (1 - high, 1 - low) == pytest.approx(mirrored)
    with pytest.raises(UsageError):
        montecarlo.exceedance_interval(11, 10)


def test_decision_gets_stable_with_more_resamples() -> None:
    assert not montecarlo.decision_stable(4, 100)
    assert montecarlo.decision_stable(4000, 100_000)


def test_standard_error_of_nothing_is_undefined() -> None:
    assert math.isnan(montecarlo.standard_error(0, 0))


@given(exceedances=st.lists(st.booleans(), max_size=60), stop_at=st.integers(1, 5), most=st.integers(0, 40))
def test_sequential_p_equals_its_definition(exceedances: list[bool], stop_at: int, most: int) -> None:
    seen = exceedances[:most]
    places = [i for i, hit in enumerate(seen, 1) if hit]
    expected = stop_at / places[stop_at - 1] if len(places) >= stop_at else (len(places) + 1) / (len(seen) + 1)
    found = montecarlo.besag_clifford(exceedances, stop_at, most)
    assert found.p == expected
    assert found.stopped_early == (len(places) >= stop_at)


def test_sequential_p_draws_no_more_than_it_needs() -> None:
    stream = iter([True, True, False, True])
    montecarlo.besag_clifford(stream, 2)
    assert list(stream) == [False, True]


def test_exact_p_of_few_relabellings_is_below_the_added_one() -> None:
    assert montecarlo.phipson_smyth(3, 99, 20) < 4 / 100
    assert montecarlo.phipson_smyth(3, 99, 10**6) == pytest.approx(4 / 100, rel=1e-4)


def test_the_largest_deviation_is_in_standard_deviations_of_each_score() -> None:
    """By the definition, resample by resample; a score that does not vary is left out."""
    rng = np.random.default_rng(7)
    drawn = [(0.3, rng.normal(0.4, 2.0, 12)), (-5.0, rng.normal(-5.0, 0.01, 12)), (1.0, np.full(12, 1.0))]
    found = intervals.largest_deviation(drawn)
    for b in range(12):
        parts = []
        for t0, replicates in drawn[:2]:
            mean = sum(replicates) / 12
            deviation = math.sqrt(sum((x - mean) ** 2 for x in replicates) / 11)
            parts.append(abs(replicates[b] - t0) / deviation)
        assert found[b] == pytest.approx(max(parts))


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


@pytest.mark.parametrize("batches", [12, 20, 50])
def test_hits_of_few_batches_are_worth_less_by_the_square_of_students_quantile_to_the_normal(batches: int) -> None:
    """The variance between batches is known by ``batches - 1`` degrees of freedom."""
    stats = pytest.importorskip("scipy.stats")
    sizes = np.full(batches, 1000)
    counts = np.where(np.arange(batches) % 2 == 0, 20, 80)
    exceedances = montecarlo.Exceedances(counts, sizes, independent=False)
    worth = exceedances.spread * (stats.t.ppf(0.995, batches - 1) / stats.norm.ppf(0.995)) ** 2
    low, high = exceedances.interval(0.99)
    expected = montecarlo.exceedance_interval(exceedances.total / worth, exceedances.drawn / worth, 0.99)
    assert (low, high) == pytest.approx(expected, rel=0.01)
