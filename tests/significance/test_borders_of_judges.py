"""Weights of judges and rates of their errors beside formulas written out, where there are hardly enough of them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Array, Float
from outscore.significance.prediction_powered import prediction_powered, rogan_gladen, tune_weight


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


@pytest.mark.parametrize("errors", [4, 5, 6])
def test_five_labelled_disagreements_are_enough_for_their_variance(errors: int) -> None:
    """20 right answers, two of them called wrong, 20 wrong ones, the other errors called right; 60 of 100 others."""
    missed, passed = 2, errors - 2
    labels = np.array([1.0] * 20 + [0.0] * 20 + [np.nan] * 100)
    judged = np.array([0.0] * missed + [1.0] * (20 - missed + passed) + [0.0] * (20 - passed) + [1.0] * 60 + [0.0] * 40)
    q, r, w = 0.6, 1 - missed / 20, passed / 20
    share = (q - w) / (r - w)
    slopes = 1.0, -share, share - 1
    if errors < 5:
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
