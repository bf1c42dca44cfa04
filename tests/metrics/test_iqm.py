"""Aggregates over runs and tasks, beside rliable 1.2.0, which computed the numbers below."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import trim_mean

import outscore
from outscore.base.errors import UsageError
from outscore.base.items import Items
from outscore.metrics import metrics
from tests.examples import examples

TASKS, RUNS = 7, 3
SCORES = np.random.default_rng(26).gamma(2.0, 0.4, (TASKS, RUNS)).round(3)
IQM, GAP, GAP_OF_HALF = 0.8636363636363636, 0.35557142857142865, 0.1027142857142857
"""aggregate_iqm, aggregate_optimality_gap, and the gap with gamma=.5 of the table, its runs in rows."""
INTERVAL = (0.43617955, 1.34292273)
AT = {0.224: 0.8095238095238095, 0.697: 0.47619047619047616, 1.929: 0.14285714285714285}


def table() -> dict[str, Any]:
    return {
        "system": ["a"] * SCORES.size,
        "item": [f"t{task}/{run}" for task in range(TASKS) for run in range(RUNS)],
        "task": [f"t{task}" for task in range(TASKS) for _ in range(RUNS)],
        "score": SCORES.ravel().tolist(),
    }


@pytest.mark.parametrize(
    ("name", "value"), [("iqm", IQM), ("optimality_gap", GAP), ("optimality_gap:target=0.5", GAP_OF_HALF)]
)
def test_aggregates_are_those_of_rliable(name: str, value: float) -> None:
    polars = pytest.importorskip("polars")
    result = outscore.score(
        polars.DataFrame(table()), metrics=name, strata="task", interval="percentile", n_resamples=500
    )
    (one,) = result.scores
    assert one.score == pytest.approx(value, abs=1e-12)
    assert one.ci is not None
    assert one.ci[0] < value < one.ci[1]


def test_intervals_of_strata_are_those_of_rliable() -> None:
    """Its interval of 20,000 resamples of the runs of each task; the error of an end is .005."""
    polars = pytest.importorskip("polars")
    (one,) = outscore.score(
        polars.DataFrame(table()), metrics="iqm", strata="task", interval="percentile", n_resamples=20_000
    ).scores
    assert one.ci == pytest.approx(INTERVAL, abs=0.02)


@pytest.mark.parametrize("n", [20, 40, 41, 60, 100])
def test_intervals_lie_around_the_gain(n: int) -> None:
    """Where 4 divides n, one item less is cut off in a set without one: the jackknife took that for a bias."""
    scores = np.random.default_rng(n).normal(size=2 * n).tolist()
    table = {"system": ["a"] * n + ["b"] * n, "item": [*map(str, range(n))] * 2, "score": scores}
    polars = pytest.importorskip("polars")
    (pair,) = outscore.compare(polars.DataFrame(table), metrics="iqm", n_resamples=100).pairs
    assert pair.ci is not None
    low, high = pair.ci
    assert (low + high) / 2 == pytest.approx(pair.gain, abs=0.1 * (high - low))


@settings(max_examples=examples(100))
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30), st.data())
def test_a_resample_is_scored_as_its_items_written_out(values: list[int], data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(0, 4), min_size=len(values), max_size=len(values)).filter(any))
    iqm = metrics.make("iqm")
    statistics = iqm.statistics(Items(n=len(values), columns={"score": np.array(values, dtype=float)}))
    found = iqm.score_weighted(statistics, np.array([counts], dtype=float))
    assert found == pytest.approx([trim_mean(np.repeat(values, counts), 0.25)])


def test_a_comparison_swaps_the_values_and_not_their_ranks() -> None:
    """The exact law of eight items, written out: 2⁸ ways to swap the values of the two systems."""
    old, new = np.array([3.0, 1, 4, 1, 5, 9, 2, 6]), np.array([30.0, 2, 5, 3, 5.5, 8, 7, 6.5])
    observed = trim_mean(new, 0.25) - trim_mean(old, 0.25)
    swaps = (np.arange(256)[:, None] >> np.arange(8)) & 1
    gains = [trim_mean(np.where(s, old, new), 0.25) - trim_mean(np.where(s, new, old), 0.25) for s in swaps]
    pair = outscore.compare({"old": old, "new": new}, metrics="iqm", test="randomization", n_resamples=20_000).pairs[0]
    assert pair.gain == pytest.approx(observed)
    assert pair.p_value == pytest.approx(np.mean(np.abs(gains) >= observed - 1e-9), abs=0.015)


def test_a_performance_profile_is_the_share_above_each_score() -> None:
    """rliable 1.2.0, run_score_deviation at three of the scores; and its definition at all."""
    polars = pytest.importorskip("polars")
    result = outscore.score(polars.DataFrame(table()), curve="profile", strata="task", n_resamples=200)
    (curve,) = result.curves
    assert [one.metric for one in result.scores] == ["iqm"]
    assert curve.axes == ("share_above",)
    points = {point.threshold: point.x for point in curve.points}
    assert {at: points[at] for at in AT} == pytest.approx(AT)
    assert points.pop(None) == 1
    assert points == pytest.approx({at: float(np.mean(at < SCORES)) for at in points if at is not None})
    assert all(
        point.x_ci and point.x is not None and point.x_ci[0] <= point.x <= point.x_ci[1] for point in curve.points
    )
    assert "performance profile" in result.to("markdown:detail=full").lower()


def test_a_profile_needs_numbers_in_their_order() -> None:
    with pytest.raises(UsageError, match="give it with -m iqm"):
        outscore.score({"a": [1.0, 2.0], "b": [2.0, 1.0]}, metrics="mean", curve="profile")
