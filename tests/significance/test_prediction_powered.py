"""Human labels of some items and a judge's of all: the formulas by plain loops, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outscore.base.arrays import Array, Float
from outscore.significance.means import TTest, clusters_of
from outscore.significance.p_values import student_quantile
from outscore.significance.prediction_powered import mean_t, prediction_powered, rogan_gladen, tune_weight
from outscore.significance.proportions import clopper_pearson, wilson


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


@pytest.mark.parametrize("weight", [0.3, 1.0])
def test_estimate_and_error_are_those_of_the_definition(weight: float) -> None:
    labels, judged, _, _ = world(1, 60, 20)
    found = prediction_powered(labels, judged, weight=weight)
    estimate, square = by_loops(labels, judged, weight)
    assert found.estimate == pytest.approx(estimate)
    assert found.se == pytest.approx(math.sqrt(square))
    assert found.high - found.estimate == pytest.approx(found.se * student_quantile(0.95, found.df))


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


def cr2_sums(values: Float, here: Array, clusters: Array) -> dict[int, float]:
    """By cluster: Σ (v - v̄)/n over its items, over √(1 - n_g/n)."""
    mean, n = values[here].mean(), int(here.sum())
    found = {}
    for cluster in set(clusters.tolist()):
        mine = [float(values[i]) for i in np.flatnonzero(here & (clusters == cluster))]
        found[cluster] = sum(v - mean for v in mine) / n / math.sqrt(1 - len(mine) / n)
    return found


def test_clusters_by_plain_loops() -> None:
    """Each part has small-sample factors of its own, and what both parts add to a cluster is summed."""
    labels, judged, clusters, _ = world(4, 60, 20, 12)
    assert clusters is not None
    known = np.isfinite(labels)
    found = prediction_powered(labels, judged, clusters=clusters)
    errors, others = cr2_sums(labels - judged, known, clusters), cr2_sums(judged, ~known, clusters)
    assert found.se**2 == pytest.approx(sum((errors[g] + others[g]) ** 2 for g in errors))
    parts = [clusters_of(v[here], clusters[here]) for v, here in ((labels - judged, known), (judged, ~known))]
    for part, sums in zip(parts, (errors, others), strict=True):
        assert part.se_cr2**2 == pytest.approx(sum(value**2 for value in sums.values()))
    welch = found.se**4 / sum(part.se_cr2**4 / part.df_cr2 for part in parts)
    assert found.df == pytest.approx(min(welch, max(part.df_cr2 for part in parts)))


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


def test_rogan_and_gladen_undo_known_error_rates() -> None:
    # 8 of 10 right answers are called right, 1 of 5 wrong ones; 50 of 100 others: (.5 + .8 - 1)/(.8 + .8 - 1) = .5
    labels = np.array([1.0] * 10 + [0.0] * 5 + [np.nan] * 100)
    judged = np.array([1.0] * 8 + [0.0] * 2 + [1.0] + [0.0] * 4 + [1.0] * 50 + [0.0] * 50)
    labels, judged = np.tile(labels, 2), np.tile(judged, 2)
    found = rogan_gladen(labels, judged)
    assert found.estimate == pytest.approx(0.5)
    error = math.sqrt((0.25 / 100 + 0.25 * 0.16 / 10 + 0.25 * 0.16 / 5) / 2) / 0.6
    assert (found.high - found.low) / 2 == pytest.approx(1.959964 * error, rel=1e-6)
    assert math.isnan(rogan_gladen(labels, 1 - judged).estimate)


def test_few_labelled_errors_get_bounds_on_their_rates() -> None:
    # 20 of 20 right answers are called right, 1 of 20 wrong ones, 60 of 100 others
    labels = np.array([1.0] * 20 + [0.0] * 20 + [np.nan] * 100)
    judged = np.array([1.0] * 20 + [1.0] + [0.0] * 19 + [1.0] * 60 + [0.0] * 40)
    found = rogan_gladen(labels, judged)
    called, right, wrong = (0.6, wilson(60, 100)), (1.0, clopper_pearson(20, 20)), (0.05, clopper_pearson(1, 20))
    share = (0.6 - 0.05) / 0.95
    assert found.estimate == pytest.approx(share)
    # (q - w)/(r - w): more with q, less with r and with w
    lower = [(called[0] - called[1][0]), share * (right[1][1] - right[0]), (1 - share) * (wrong[1][1] - wrong[0])]
    upper = [(called[1][1] - called[0]), share * (right[0] - right[1][0]), (1 - share) * (wrong[0] - wrong[1][0])]
    assert found.low == pytest.approx(share - math.hypot(*lower) / 0.95)
    assert found.high == pytest.approx(share + math.hypot(*upper) / 0.95)


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
