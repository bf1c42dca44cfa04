"""Human labels of some items and a judge's of all: the formulas by plain loops, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outscore.base.arrays import Array, Float
from outscore.significance.textbook.prediction_powered import (
    mean_t,
    prediction_powered,
    rogan_gladen,
    tuned_weight,
)
from outscore.significance.textbook.student import TTest
from outscore.significance.textbook.tails import student_quantile


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
    weight = tuned_weight(labels, judged)
    grid = [by_loops(labels, judged, w)[1] for w in (weight - 0.1, weight, weight + 0.1)]
    assert grid[1] == min(grid)
    assert 0 < weight < 1


def test_a_useless_judge_has_no_weight_and_does_no_harm() -> None:
    labels, judged, _, _ = world(3)
    assert tuned_weight(labels, np.ones_like(judged)) == 0.0
    assert tuned_weight(labels, -judged) == 0.0
    alone = mean_t(labels[np.isfinite(labels)], None, 0.95)
    assert prediction_powered(labels, judged, weight=0.0) == alone


def test_where_all_items_are_labelled_the_judge_has_no_say() -> None:
    labels = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    judged = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    assert tuned_weight(labels, judged) == 0.0
    assert prediction_powered(labels, judged).estimate == pytest.approx(0.6)


def test_clusters_by_plain_loops() -> None:
    labels, judged, clusters, _ = world(4, 60, 20, 12)
    assert clusters is not None
    found = prediction_powered(labels, judged, clusters=clusters)
    known = np.isfinite(labels)
    rectified, others = labels[known] - judged[known], judged[~known]
    square = 0.0
    for cluster in range(12):
        total = sum(
            (labels[i] - judged[i] - rectified.mean()) / rectified.size
            if known[i]
            else (judged[i] - others.mean()) / others.size
            for i in np.flatnonzero(clusters == cluster)
        )
        square += float(total) ** 2
    assert found.se == pytest.approx(math.sqrt(square * 12 / 11))
    assert found.df == len(set(clusters[known].tolist())) - 1


def test_rogan_and_gladen_undo_known_error_rates() -> None:
    # 8 of 10 right answers are called right, 1 of 5 wrong ones; 50 of 100 others: (.5 + .8 - 1)/(.8 + .8 - 1) = .5
    labels = np.array([1.0] * 10 + [0.0] * 5 + [np.nan] * 100)
    judged = np.array([1.0] * 8 + [0.0] * 2 + [1.0] + [0.0] * 4 + [1.0] * 50 + [0.0] * 50)
    estimate, low, high = rogan_gladen(labels, judged)
    assert estimate == pytest.approx(0.5)
    error = math.sqrt(0.25 / 100 + 0.25 * 0.16 / 10 + 0.25 * 0.16 / 5) / 0.6
    assert (high - low) / 2 == pytest.approx(1.959964 * error, rel=1e-6)
    assert all(math.isnan(end) for end in rogan_gladen(labels, 1 - judged))


def covers(found: TTest, true: float) -> bool:
    return found.low <= true <= found.high


@pytest.mark.parametrize("clusters", [0, 200])
def test_the_prediction_powered_interval_covers_and_the_judge_alone_does_not(clusters: int) -> None:
    """1000 test sets: 95 % intervals that hold cover fewer than 92.3 % of them once in 10,000 times."""
    tuned = alone = full = 0
    shorter = []
    for seed in range(1000):
        labels, judged, place, true = world(seed, clusters=clusters)
        made = prediction_powered(labels, judged, weight=tuned_weight(labels, judged), clusters=place)
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
