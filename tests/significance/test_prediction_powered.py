"""Human labels of some items and a judge's of all: the formulas by plain loops, and coverage."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Array, Float
from outscore.significance.means import TTest
from outscore.significance.p_values import student_quantile
from outscore.significance.prediction_powered import (
    binary,
    disagreements,
    mean_t,
    prediction_powered,
    rogan_gladen,
    tune_weight,
)


def world(seed: int, n: int = 1000, labelled: int = 100, clusters: int = 0) -> tuple[Float, Float, Array | None, float]:
    """Labels of some items, a judge that takes a quarter of the wrong answers for right, clusters, the true share."""
    rng = np.random.default_rng(seed)
    hard, place, deviation = rng.normal(size=n), None, 1.0
    if clusters:
        place = np.repeat(np.arange(clusters), n // clusters)
        hard, deviation = rng.normal(size=clusters)[place] + 0.7 * hard, math.sqrt(1.49)
    right = (hard + 0.3 > 0).astype(float)
    judged = np.where(rng.random(n) < np.where(right == 1, 0.9, 0.75), right, 1 - right)
    labels = np.where(rng.permutation(n) < labelled, right, np.nan)
    return labels, judged, place, 0.5 * (1 + math.erf(0.3 / deviation / math.sqrt(2)))


def by_loops(labels: Float, judged: Float, weight: float) -> tuple[float, float]:
    """Estimate and squared standard error of Angelopoulos et al. 2023, from the definition."""
    known = [(float(y), float(f)) for y, f in zip(labels, judged, strict=True) if not math.isnan(y)]
    others = [float(f) for y, f in zip(labels, judged, strict=True) if math.isnan(y)]
    rectified = [y - weight * f for y, f in known]
    estimate = weight * sum(others) / len(others) + sum(rectified) / len(known)

    def variance(values: list[float]) -> float:
        mean = sum(values) / len(values)
        return sum((v - mean) ** 2 for v in values) / (len(values) - 1)

    return estimate, weight**2 * variance(others) / len(others) + variance(rectified) / len(known)


def test_the_tuned_weight_makes_the_variance_smallest() -> None:
    labels, judged, _, _ = world(2, 4000, 2000)
    weight = tune_weight(labels, judged)
    grid = [by_loops(labels, judged, w)[1] for w in (weight - 0.1, weight, weight + 0.1)]
    assert grid[1] == min(grid)
    assert 0 < weight < 1


def test_a_useless_judge_has_no_weight_and_does_no_harm() -> None:
    labels, judged, _, _ = world(3)
    assert tune_weight(labels, np.ones_like(judged)) == 0.0
    assert tune_weight(labels, -judged) == 0.0
    alone = mean_t(labels[np.isfinite(labels)], None, 0.95)
    assert prediction_powered(labels, judged, weight=0.0) == alone


def test_where_all_items_are_labelled_the_judge_has_no_say() -> None:
    labels = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    judged = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    assert tune_weight(labels, judged) == 0.0
    assert prediction_powered(labels, judged).estimate == pytest.approx(0.6)


def test_the_factor_comes_from_the_clusters_with_labels() -> None:
    """Two labelled clusters among 100: the variance of two sums has one degree of freedom, however many others."""
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(100), 10)
    judged = rng.random(1000)
    labels = np.where(clusters < 2, judged + rng.normal(size=100)[clusters], np.nan)
    found = prediction_powered(labels, judged, clusters=clusters)
    assert found.df == pytest.approx(1, rel=0.1)
    assert found.se > prediction_powered(labels, judged).se


def test_the_tuned_weight_of_clusters_makes_their_variance_smallest() -> None:
    labels, judged, clusters, _ = world(2, 4000, 2000, 400)
    assert clusters is not None
    weight = tune_weight(labels, judged, clusters)
    errors = [
        prediction_powered(labels, judged, weight=w, clusters=clusters).se
        for w in (weight - 0.05, weight, weight + 0.05)
    ]
    assert errors[1] == min(errors)
    assert 0 < weight < 1


def test_a_tuned_weight_costs_a_degree_of_freedom() -> None:
    labels, judged, clusters, _ = world(4, 60, 20, 12)
    assert clusters is not None
    for given, units in ((None, 20), (clusters, len(set(clusters[np.isfinite(labels)].tolist())))):
        plain = prediction_powered(labels, judged, weight=0.6, clusters=given)
        tuned = prediction_powered(labels, judged, weight=0.6, tuned=True, clusters=given)
        assert tuned.estimate == pytest.approx(plain.estimate)
        assert 1 < tuned.se / plain.se <= math.sqrt((units - 1) / (units - 2))


def test_errors_of_whole_clusters_widen_the_corrected_share() -> None:
    """Errors that come by documents: an interval that heeds them is that of documents, not of items."""
    rng = np.random.default_rng(9)
    place = np.repeat(np.arange(60), 10)
    right = (rng.random(600) < 0.5).astype(float)
    judged = np.where((rng.random(60) < 0.3)[place], 1.0, right)
    labels = np.where(place < 30, right, np.nan)
    plain, heeded = rogan_gladen(labels, judged), rogan_gladen(labels, judged, clusters=place)
    assert heeded.estimate == plain.estimate
    assert heeded.high - heeded.low > 1.5 * (plain.high - plain.low)
    # every item a cluster of its own: the t of the same variances but for n/(n - 1)
    alone = rogan_gladen(labels, judged, clusters=np.arange(600))
    assert alone.high - alone.low == pytest.approx(plain.high - plain.low, rel=0.03)


def test_the_weighted_mean_is_that_of_ppi_py() -> None:
    """ppi-python 0.2.3, ``ppi_mean_pointestimate`` and ``ppi_mean_ci``: the same but for n - 1 and Student's law."""
    y = np.array([1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1.0])
    f = np.array([1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1.0])
    others = np.array([1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1.0])
    labels, judged = np.concatenate([y, np.full(30, np.nan)]), np.concatenate([f, others])
    ends = {1.0: (0.38064421080782496, 0.9526891225255083), 0.0: (0.3999493513135939, 0.9333839820197394)}
    for weight, (low, high) in ends.items():
        found = prediction_powered(labels, judged, weight=weight)
        assert found.estimate == pytest.approx(0.6666666666666666)
        theirs = ((high - low) / 2 / 1.959963984540054) ** 2
        parts = (y - weight * f).var(ddof=1) / 12, (weight * others).var(ddof=1) / 30
        assert found.se**2 == pytest.approx(sum(parts))
        # they divide by n where we divide by n - 1
        assert theirs == pytest.approx(parts[0] * 11 / 12 + parts[1] * 29 / 30)


def covers(found: TTest, true: float) -> bool:
    return found.low <= true <= found.high


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [0, 200])
def test_the_prediction_powered_interval_covers_and_the_judge_alone_does_not(clusters: int) -> None:
    """1000 test sets: 95 % intervals that hold cover fewer than 92.3 % of them once in 10,000 times."""
    tuned = alone = full = 0
    shorter = []
    for seed in range(1000):
        labels, judged, place, true = world(seed, clusters=clusters)
        weight = tune_weight(labels, judged, place)
        made = prediction_powered(labels, judged, weight=weight, tuned=True, clusters=place)
        plain = prediction_powered(labels, judged, weight=0.0, clusters=place)
        tuned += covers(made, true)
        full += covers(prediction_powered(labels, judged, clusters=place), true)
        alone += covers(mean_t(judged, place, 0.95), true)
        shorter.append((made.high - made.low) / (plain.high - plain.low))
    assert tuned >= 923
    assert full >= 923
    assert alone <= 600
    assert max(shorter) < 1.05
    assert np.mean(shorter) < 0.85


@pytest.mark.parametrize("tuned", [False, True])
def test_labels_beside_a_judge_in_clusters_are_parts_whose_deviations_add_up(tuned: bool) -> None:
    draw = np.random.default_rng(4)
    clusters = np.repeat(np.arange(8), [3, 2, 4, 1, 2, 3, 2, 5])
    judged = draw.normal(size=22) + clusters / 4
    labels = np.where(draw.random(22) < 0.5, judged + draw.normal(0, 0.5, 22), np.nan)
    known, weight = np.isfinite(labels), 0.7
    sampled = len(set(clusters[known].tolist()))
    wider = math.sqrt((sampled - 1) / (sampled - 2)) if tuned else 1.0
    sums, dfs, means = [], [], []
    for values, here, wide in ((labels - weight * judged, known, wider), (weight * judged, ~known, 1.0)):
        n, mean = int(here.sum()), float(values[here].mean())
        sizes = np.array([(here & (clusters == c)).sum() for c in range(8)])
        each = [float((values - mean)[here & (clusters == c)].sum()) / n for c in range(8)]
        sums.append(wide * np.array(each) / np.sqrt(1 - sizes / n))
        held = sizes[sizes > 0].astype(float)
        root_of = held**2 / (n - held)
        dfs.append(n**2 / float((held**2).sum() + root_of.sum() ** 2 - (root_of**2).sum()) - (tuned and wide > 1))
        means.append(mean)
    variance = float(((sums[0] + sums[1]) ** 2).sum())
    below = sum(float((s**2).sum()) ** 2 / df for s, df in zip(sums, dfs, strict=True))
    found = prediction_powered(labels, judged, weight=weight, tuned=tuned, clusters=clusters)
    assert found.estimate == pytest.approx(sum(means)) and found.se == pytest.approx(math.sqrt(variance))
    assert found.df == pytest.approx(min(variance**2 / below, max(dfs)))
    apart = prediction_powered(labels, judged, weight=weight, tuned=tuned)
    n = int(known.sum())
    errors, rest = (labels - weight * judged)[known], weight * judged[~known]
    parts = [errors.var(ddof=1) / n * ((n - 1) / (n - 2) if tuned else 1.0), rest.var(ddof=1) / rest.size]
    assert apart.se == pytest.approx(math.sqrt(sum(parts)))
    welch = sum(parts) ** 2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (rest.size - 1))
    assert apart.df == pytest.approx(welch) and apart.estimate == pytest.approx(errors.mean() + rest.mean())


def _sums(values: Float, here: Array, places: Array) -> Float:
    """By cluster Σ (v - v̄)/n over the items here, over √(1 - n_g/n)."""
    mean, n = float(values[here].mean()), int(here.sum())
    found = []
    for cluster in sorted(set(places.tolist())):
        mine = values[here & (places == cluster)].tolist()
        found.append(sum(v - mean for v in mine) / n / math.sqrt(1 - len(mine) / n))
    return np.array(found)


def test_labels_of_three_clusters_are_enough_to_tune_the_weight_and_of_two_are_not() -> None:
    draw = np.random.default_rng(4)
    places = np.repeat(np.arange(8), 5)
    judged = draw.normal(size=8)[places] + 0.3 * draw.normal(size=40)
    labels = np.where(places < 3, judged + 0.5 * draw.normal(size=40), np.nan)
    known = np.isfinite(labels)
    judge = _sums(judged, known, places) - _sums(judged, ~known, places)
    expected = float(_sums(labels, known, places) @ judge) / float(judge @ judge)
    assert 0.05 < expected < 0.95
    assert tune_weight(labels, judged, places) == pytest.approx(expected)
    assert tune_weight(np.where(places < 2, labels, np.nan), judged, places) == 0.0


def test_a_judge_whose_clusters_all_have_one_mean_has_no_weight() -> None:
    """Its sums over clusters are 0, labelled or not, although its numbers differ within each cluster."""
    places = np.repeat(np.arange(4), 4)
    judged = np.tile([0.0, 1.0, 0.0, 1.0], 4)
    labels = np.where(np.tile([True, True, False, False], 4), judged + places, np.nan)
    assert tune_weight(labels, judged, places) == 0.0


def test_a_judge_whose_variance_no_float_holds_has_no_weight() -> None:
    judged = np.array([1e200, -1e200, 1e200, -1e200, 1e200, -1e200])
    labels = np.where(np.arange(6) < 3, judged, np.nan)
    with np.errstate(all="ignore"):
        assert tune_weight(labels, judged) == 0.0


def test_unlabelled_items_of_one_cluster_say_nothing_of_how_clusters_vary() -> None:
    places = np.array([0, 0, 1, 1, 2, 2, 3, 3, 3])
    labels = np.array([0.1, 0.4, 0.2, 0.9, 0.5, 0.3, np.nan, np.nan, np.nan])
    judged = np.array([0.2, 0.3, 0.2, 0.7, 0.6, 0.3, 0.1, 0.25, 0.4])
    found = prediction_powered(labels, judged, clusters=places)
    assert found.estimate == pytest.approx(0.25 + (0.1 - 0.2 + 0.1 + 0.2 - 0.1) / 6)
    assert math.isnan(found.se)


def _exact(x: int, n: int) -> tuple[float, float]:
    ends = stats.binomtest(x, n).proportion_ci(0.95, method="exact")
    return float(ends.low), float(ends.high)


@pytest.mark.parametrize(("missed", "passed"), [(0, 1), (2, 2), (2, 3), (2, 4)])
def test_five_labelled_disagreements_are_enough_for_their_variance(missed: int, passed: int) -> None:
    """20 right answers, some of them called wrong, 20 wrong ones, some of them called right; 60 of 100 others."""
    labels = np.array([1.0] * 20 + [0.0] * 20 + [np.nan] * 100)
    judged = np.array([0.0] * missed + [1.0] * (20 - missed + passed) + [0.0] * (20 - passed) + [1.0] * 60 + [0.0] * 40)
    q, r, w = 0.6, 1 - missed / 20, passed / 20
    share = (q - w) / (r - w)
    slopes = 1.0, -share, share - 1
    if missed + passed < 5:
        of_others = stats.binomtest(60, 100).proportion_ci(0.95, method="wilson")
        ends = (of_others.low, of_others.high), _exact(20 - missed, 20), _exact(passed, 20)
        reach = [
            [side * s * (end - mean) for end in both]
            for side, (s, mean, both) in product((-1, 1), zip(slopes, (q, r, w), ends, strict=True))
        ]
        below, above = (math.hypot(*map(max, part)) for part in (reach[:3], reach[3:]))
    else:
        each = zip(slopes, (q, r, w), (100, 20, 20), strict=True)
        below = above = float(stats.norm.ppf(0.975)) * math.sqrt(sum(s**2 * m * (1 - m) / n for s, m, n in each))
    found = rogan_gladen(labels, judged)
    expected = share - below / (r - w), share, share + above / (r - w)
    assert (found.low, found.estimate, found.high) == pytest.approx(expected)


def test_only_clusters_with_an_error_bound_the_error_rates() -> None:
    """Of six labelled clusters one has a right answer called wrong, and another a wrong one called right."""
    labels = np.concatenate([np.tile([1.0, 1.0, 0.0, 0.0], 6), np.full(40, np.nan)])
    judged = np.concatenate([np.tile([1.0, 1.0, 0.0, 0.0], 6), np.tile([1.0, 0.0], 20)])
    judged[0], judged[6] = 0.0, 1.0
    places = np.concatenate([np.repeat(np.arange(6), 4), np.arange(6, 46)])
    q, r, w, most = 0.5, 11 / 12, 1 / 12, _exact(1, 6)[1]
    share = (q - w) / (r - w)
    # every other item is a cluster of its own: the t interval of their mean
    apart = float(stats.t.ppf(0.975, 39)) * math.sqrt(0.25 * 40 / 39 / 40)
    below = math.hypot(apart, share * (1 - r), (1 - share) * (most - w)) / (r - w)
    above = math.hypot(apart, share * (r - (1 - most)), (1 - share) * w) / (r - w)
    found = rogan_gladen(labels, judged, clusters=places)
    expected = max(share - below, 0.0), share, min(share + above, 1.0)
    assert (found.low, found.estimate, found.high) == pytest.approx(expected)
    assert 0 < found.low < found.high < 1


LABELS = np.array([1.0, 0, 1, 1, 0, 1, 0, 1, np.nan, np.nan, np.nan, np.nan, np.nan])


JUDGED = np.array([1.0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0])


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("tuned", [False, True])
def test_a_judge_adds_its_mean_and_its_error(weight: float, tuned: bool) -> None:
    known = np.isfinite(LABELS)
    found = prediction_powered(LABELS, JUDGED, weight=weight, tuned=tuned)
    errors, others = LABELS[known] - weight * JUDGED[known], weight * JUDGED[~known]
    if weight == 0:
        plain = stats.ttest_1samp(LABELS[known], 0)
        assert (found.statistic, found.p, found.df) == pytest.approx((plain.statistic, plain.pvalue, 7))
        return
    wider = 7 / 6 if tuned else 1.0
    parts = [wider * errors.var(ddof=1) / 8, others.var(ddof=1) / 5]
    df = sum(parts) ** 2 / (parts[0] ** 2 / 7 + parts[1] ** 2 / 4)
    expected = (errors.mean() + others.mean(), math.sqrt(sum(parts)), df)
    assert (found.estimate, found.se, found.df) == pytest.approx(expected)
    assert found.high - found.estimate == pytest.approx(found.se * student_quantile(0.95, found.df))


def test_a_judges_share_is_corrected_by_its_error_rates() -> None:
    found = rogan_gladen(LABELS, JUDGED)
    called, sensitivity, miscalled = 3 / 5, 4 / 5, 1 / 3
    assert found.estimate == pytest.approx((called - miscalled) / (sensitivity - miscalled))
    assert 0.0 <= found.low <= found.estimate <= found.high <= 1.0
    assert disagreements(LABELS, JUDGED) == 2
    many = np.tile([1.0, 1, 1, 0, 0, 0, 1, 0, 0, 1], 8)
    labels = np.concatenate([many, np.full(40, np.nan)])
    said = np.concatenate([np.tile([1.0, 1, 1, 0, 0, 0, 1, 0, 1, 0], 8), np.tile([1.0, 0], 20)])
    found = rogan_gladen(labels, said)
    called, sensitivity, miscalled = 0.5, 4 / 5, 1 / 5
    youden, share = sensitivity - miscalled, (called - miscalled) / (sensitivity - miscalled)
    variance = called * (1 - called) / 40 / youden**2
    variance += share**2 * sensitivity * (1 - sensitivity) / 40 / youden**2
    variance += (1 - share) ** 2 * miscalled * (1 - miscalled) / 40 / youden**2
    half = 1.959963984540054 * math.sqrt(variance)
    assert (found.low, found.high) == pytest.approx((share - half, share + half))
    for nothing in (np.ones(13), np.full(13, np.nan), np.where(np.isfinite(LABELS), 1 - JUDGED, np.nan)):
        assert math.isnan(rogan_gladen(nothing, JUDGED).estimate)


def test_a_judge_and_labels_that_are_constant_have_no_error_and_the_freedom_of_the_larger_part() -> None:
    places = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    labels = np.where(places < 3, 1.0, np.nan)
    found = prediction_powered(labels, np.full(10, 0.25), clusters=places)
    assert found.estimate == pytest.approx(1.0)
    assert found.se == 0.0
    assert found.df == pytest.approx(2)


@pytest.mark.parametrize(("slope", "weight"), [(0.5, 0.25), (2.0, 1.0), (7.0, 3.5), (-1.0, 0.0)])
def test_the_weight_of_a_judge_is_in_the_unit_of_the_labels_and_at_least_none(slope: float, weight: float) -> None:
    """Labels are so many times the judge's numbers, whose variance is the same among as many other items."""
    judged = np.tile([0.0, 1.0, 2.0, 3.0, 5.0], 200)
    labels = np.where(np.arange(1000) < 500, slope * judged, np.nan)
    assert tune_weight(labels, judged) == pytest.approx(weight, rel=0.01)


def test_the_weight_of_a_judge_is_at_most_the_slope_of_the_labels_on_it() -> None:
    """Labelled items of which the judge's numbers vary more than those of all do not make it count beyond its slope."""
    judged = np.concatenate([np.tile([-9.0, 9.0], 20), np.tile([-1.0, 1.0], 230)])
    labels = np.where(np.arange(500) < 40, 3 * judged, np.nan)
    assert tune_weight(labels, judged) == pytest.approx(3)


def test_labels_are_right_or_wrong_where_all_of_them_are() -> None:
    nan = math.nan
    for labels, judged, known in (
        ([0.0, 1.0, nan], [0.0, 1.0, 1.0], True),
        ([0.0, 0.5, nan], [0.0, 1.0, 1.0], False),
        ([0.0, 1.0, nan], [0.0, 1.0, 0.5], False),
        ([2.0, 1.0, nan], [2.0, 1.0, 0.0], False),
    ):
        assert binary(np.array(labels), np.array(judged)) == known


def test_few_errors_of_a_judge_are_bounded_by_the_clusters_that_have_one() -> None:
    labels = np.array([1.0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, *[math.nan] * 12])
    judged = np.array([1.0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1])
    clusters = np.arange(24) // 2
    found = rogan_gladen(labels, judged, clusters=clusters)
    called, right, wrong = 8 / 12, 5 / 6, 1 / 6
    share = (called - wrong) / (right - wrong)
    assert found.estimate == pytest.approx(share)
    most = float(stats.beta.ppf(0.975, 2, 3))  # one cluster with an error of four: Clopper and Pearson
    half = mean_t(judged[12:], clusters[12:], 0.95)
    youden = right - wrong
    ends = {1 / youden: (half.low, half.high), -share / youden: (1 - most, 1.0), -(1 - share) / youden: (0.0, most)}
    means, below, above = (called, right, wrong), 0.0, 0.0
    for (slope, (low, high)), mean in zip(ends.items(), means, strict=True):
        moves = (slope * (low - mean), slope * (high - mean))
        below, above = below + min(moves) ** 2, above + max(moves) ** 2
    assert found.low == pytest.approx(max(0.0, share - math.sqrt(below)))
    assert found.high == pytest.approx(min(1.0, share + math.sqrt(above)))


def test_two_labels_have_no_freedom_that_a_tuned_weight_could_take() -> None:
    labels = np.where(np.arange(6) < 2, [1.0, 0, 0, 0, 0, 0], np.nan)
    judged = np.array([0.5, 0.25, 1, 0, 1, 1])
    tuned, given = (prediction_powered(labels, judged, weight=0.5, tuned=one) for one in (True, False))
    assert tuned == given and given.se > 0


def test_two_unlabelled_items_are_enough_for_the_judge_to_be_heard() -> None:
    labels, judged = np.array([1.0, 0, 1, np.nan, np.nan]), np.array([1.0, 0, 0, 1, 0])
    assert prediction_powered(labels, judged).estimate == pytest.approx(1 / 2 + 1 / 3)
    assert prediction_powered(labels[:4], judged[:4]).estimate == pytest.approx(2 / 3)
