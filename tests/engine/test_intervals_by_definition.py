"""Intervals of replicates, lattices of numbers and weights of resamples, beside their definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from outscore.engine import intervals
from outscore.engine.collapse import Columns
from outscore.engine.cyclic import _Digits, smooth_length
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.engine.lattice import lattice
from outscore.engine.normal import normal_cdf, normal_ppf
from outscore.engine.weights import ATOM, bootstrap_counts, swaps

RNG = np.random.default_rng(20)
EPSILON = 2.0**-52

# intervals of replicates


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
    others = RNG.normal(0.0, 5.0, REPLICATES.size)
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
    values = RNG.exponential(1.0, 12)
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
        found = intervals.studentized_test(1.0, 0.5, replicates, errors, alternative=alternative, **options)
        assert (found.exceedances, found.n_resamples, found.undefined) == (hit, 5, 1)
        counted = intervals.studentized_extreme(1.0, 0.5, replicates, errors, alternative=alternative, **options)
        assert int(counted.sum()) == hit
        assert (found.statistic, found.p) == pytest.approx((observed, (hit + 1) / 6))


def test_a_replicate_without_error_at_the_score_itself_shows_no_distance() -> None:
    replicates, errors = np.array([1.0, 1.0, 1.0, 3.0, -1.0]), np.array([0.0, 0.0, 0.0, 1.0, 1.0])
    found = intervals.studentized(1.0, 0.5, replicates, errors, 0.5, kind=1)
    assert (found.low, found.high, found.method) == (1.0, 1.0, "studentized")


# lattices of numbers, lengths and digits


@pytest.mark.parametrize(
    ("value", "exact_unit"),
    [(0.3, True), (0.3 * (1 + 3 * EPSILON), True), (0.3 * (1 - 3 * EPSILON), True), (0.3 * (1 + 8 * EPSILON), False)],
)
def test_decimals_are_whole_tenths_within_four_rounding_errors(value: float, exact_unit: bool) -> None:
    found = lattice(np.array([[value], [0.1], [1.0]]))
    assert (found.units[0] == 0.1) == exact_unit
    assert bool(found.exact[0]) == exact_unit
    np.testing.assert_allclose(found.integers[:, 0] * found.units[0], [value, 0.1, 1.0], rtol=1e-14)


@pytest.mark.parametrize("part", [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 16, 24, 32, 48, 60, 64, 10, 1000, 10**12])
def test_simple_fractions_are_whole_multiples_of_one(part: int) -> None:
    found = lattice(np.array([[1 / part], [3.0], [2.0]]))
    assert found.exact[0]
    assert Fraction(round(1 / found.units[0])) % part == 0
    assert found.integers[:, 0].tolist() == [round(v / found.units[0]) for v in (1 / part, 3.0, 2.0)]


@pytest.mark.parametrize(("rows", "copies"), [(3, 1), (3, 8), (100, 1)])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-12, 1e5])
def test_real_numbers_lie_on_the_finest_grid_whose_sums_stay_exact(rows: int, copies: int, scale: float) -> None:
    values = np.resize([math.pi, -math.e, 0.1234567891234], rows)[:, None] * scale
    found = lattice(values, copies)
    room = 2.0**53 / (4 * rows * copies * math.pi * scale)
    assert 1 / found.units[0] == 2.0 ** math.floor(math.log2(room))
    assert not found.exact[0]


def test_lengths_of_transforms_have_small_prime_factors_alone() -> None:
    smooth = sorted(2**a * 3**b * 5**c for a, b, c in product(range(12), range(8), range(6)))
    for least in range(1, 130):
        assert smooth_length(least) == next(n for n in smooth if n >= least)


@pytest.mark.parametrize(("largest", "sixteenths"), [(2.0**46, True), (2.0**47, False)])
def test_a_unit_may_leave_just_enough_room_for_sums(largest: float, sixteenths: bool) -> None:
    found = lattice(np.array([[largest], [1 / 16]]))
    assert bool(found.exact[0]) == sixteenths
    assert (found.units[0] == 1 / 16) == sixteenths


@pytest.mark.parametrize("n", [2, 7, 64, 1000])
def test_digits_are_as_few_as_the_error_of_a_transform_allows(n: int) -> None:
    room = 0.125 / (4 * EPSILON * (math.log2(4 * n) + 1) * (2 * math.sqrt(n) + 8))
    for factor, digits in ((1 - 1e-6, 1), (1 + 1e-6, 2)):
        column = np.zeros(n)
        column[0] = math.floor(room * factor)
        found = _Digits.of(column[None])
        assert len(found.rows) == digits
        np.testing.assert_array_equal(found.join(found.rows)[0], column)


@pytest.mark.parametrize("n", [2, 64])
def test_digits_are_as_large_as_they_may_be(n: int) -> None:
    room = 0.125 / (4 * EPSILON * (math.log2(4 * n) + 1) * (2 * math.sqrt(n) + 8))
    base = 2.0 ** math.floor(math.log2(room / math.sqrt(n)))
    column = np.zeros(n)
    column[0] = 2.0**52
    expected = next(m for m in range(1, 60) if 2.0**52 / base ** (m - 1) <= room)
    assert len(_Digits.of(column[None]).rows) == expected


def test_a_column_with_a_zero_of_the_other_sign_is_the_same_column() -> None:
    found = Columns.of(np.array([[0.0, 0.0, 3.0], [1.0, 1.0, 4.0], [0.0, -0.0, 3.0]]))
    assert (len(found.distinct), found.place, found.shift) == (1, (0, 0, 0), (0.0, 0.0, 3.0))


# weights


@pytest.mark.parametrize("n", [1, 7, 8, 9, 499, 500, 700])
def test_counts_of_a_resample_add_up_and_swaps_are_fair(n: int) -> None:
    counts = bootstrap_counts(n, 5, 2)
    assert counts.shape == (ATOM, n)
    assert (counts.sum(axis=1) == n).all()
    if n >= 499:  # how many units are drawn k times
        shares = np.array([(np.vstack([bootstrap_counts(n, 5, a) for a in range(20)]) == k).mean() for k in range(4)])
        law = stats.binom(n, 1 / n).pmf(np.arange(4))
        # five standard errors; counts of a row hang together, which makes them smaller
        assert (np.abs(shares - law) <= 5 * np.sqrt(law / (20 * ATOM * n))).all()
    moved = np.vstack([swaps(n, 5, a) for a in range(40)])
    assert set(np.unique(moved)) <= {0.0, 1.0}
    assert abs(moved.mean() - 0.5) <= 5 * 0.5 / math.sqrt(moved.size)


@pytest.mark.parametrize("z", [-30.0, -3.0, -0.5, 0.0, 1.2, 5.0])
def test_the_normal_law_in_both_tails(z: float) -> None:
    assert normal_cdf(z) == pytest.approx(float(stats.norm.cdf(z)), rel=1e-12)
    if abs(z) < 6:
        assert normal_ppf(float(stats.norm.cdf(z))) == pytest.approx(z, rel=1e-9, abs=1e-12)
    assert (normal_ppf(0.0), normal_ppf(1.0)) == (-math.inf, math.inf)
