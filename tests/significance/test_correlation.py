"""Correlations with humans: against scipy and plain loops, resamples, and what the tests of two metrics hold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats as st
from hypothesis import given, settings
from hypothesis import strategies as hs

from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.significance.coefficients import (
    COEFFICIENTS,
    accuracy,
    calibrated_accuracy,
    kendall,
    kendall_c,
    pearson,
    spearman,
)
from outscore.significance.correlation import (
    LEVELS,
    CorrelationCoefficient,
    Draw,
    MetricMeasure,
    What,
    draw_all,
    draws,
    permutation,
    run_williams,
    williams,
)
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

PEERS: dict[str, Any] = {
    "pearson": lambda a, b: st.pearsonr(a, b)[0],
    "spearman": lambda a, b: st.spearmanr(a, b)[0],
    "kendall": lambda a, b: st.kendalltau(a, b)[0],
    "kendall-c": lambda a, b: st.kendalltau(a, b, variant="c")[0],
}


def tied(seed: int, groups: int, n: int) -> tuple[Float, Float]:
    """Two measurements with many ties."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 6, (groups, n)).astype(float)
    return x, rng.integers(0, 4, (groups, n)) + np.round(0.5 * x)


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("n", [5, 16, 300])
def test_coefficients_are_those_of_scipy(name: str, n: int) -> None:
    x, y = tied(n, 4, n)
    expected = [PEERS[name](a, b) for a, b in zip(x, y, strict=True)]
    assert COEFFICIENTS[name](x, y) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall, kendall_c])
def test_a_constant_measurement_has_no_correlation(coefficient: Callable[[Float, Float], Float]) -> None:
    x, y = np.full((1, 5), 0.1) + np.array([0, 1e-17, 0, 0, 0]), np.arange(5.0)[None, :]
    assert np.isnan(coefficient(x, y)).all()


def test_numbers_that_differ_by_rounding_tie() -> None:
    x = np.array([[0.1 + 0.2, 0.3, 0.5]])
    y = np.array([[1.0, 1.0, 2.0]])
    assert kendall(x, y)[0] == pytest.approx(1.0)
    assert spearman(x, y)[0] == pytest.approx(1.0)
    assert accuracy(x, y)[0] == 1.0


def accuracy_by_loops(x: Float, y: Float, epsilon: float) -> float:
    right = total = 0
    for a, b in zip(x, y, strict=True):
        for i, j in itertools.combinations(range(len(a)), 2):
            side = 0.0 if abs(a[i] - a[j]) <= epsilon else float(np.sign(a[i] - a[j]))
            right += side == np.sign(b[i] - b[j])
            total += 1
    return right / total


@given(hs.integers(0, 10_000), hs.integers(1, 3), hs.integers(2, 6))
@settings(max_examples=60)
def test_the_calibrated_threshold_is_the_best_of_all_and_the_smallest(seed: int, groups: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 8, (groups, n)) / 4, rng.integers(0, 3, (groups, n)).astype(float)
    candidates = {0.0} | {abs(a - b) for row in x for a, b in itertools.combinations(row.tolist(), 2)}
    best = max(candidates, key=lambda e: (accuracy_by_loops(x, y, e), -e))
    found, epsilon = calibrated_accuracy(x, y)
    assert found == pytest.approx(accuracy_by_loops(x, y, best))
    assert epsilon == best
    assert accuracy(x, y, epsilon).mean() == pytest.approx(found)


def test_copies_in_a_resample_are_no_pairs() -> None:
    # a metric that is always wrong gains nothing by agreeing that a system equals itself
    human = np.arange(8.0).reshape(4, 2)
    good, bad = measure(human), measure(-human)
    for level in LEVELS:
        coefficient = CorrelationCoefficient(level, "accuracy")
        draw = Draw(np.array([0, 0, 1, 3]), np.array([1, 1]) if level != "segment-by-system" else np.array([0, 1]))
        x, y = (coefficient.scores(m, draw) for m in (bad, good))
        assert coefficient.average(x, y, draw) == 0.0


def test_williams_t_is_that_of_the_r_package_psych() -> None:
    # the help page of r.test (psych 1.7.8) gives this p with eight digits
    found = williams(0.693458895410494, 0.695966022434845, 0.988475791500198, 5105)
    assert found.p_value == pytest.approx(0.1000759, abs=5e-8)
    assert found.effect["df"] == 5102


def test_williams_test_says_nothing_of_three_systems_and_little_of_the_same_metric() -> None:
    assert williams(0.4, 0.5, 0.1, 3).p_value is None
    assert williams(0.4, 0.4, 1.0, 20).p_value == 1.0


def measure(segments: Float, design: Design | None = None) -> MetricMeasure:
    """A metric whose scores of systems are means of these segments ``(systems, items)``."""
    statistics = np.stack([segments, np.ones_like(segments)], axis=-1)[:, None]
    design = design or Design(segments.shape[1])
    stats = Statistics("m", list(statistics), lambda s: np.asarray(s[..., 0] / s[..., 1]), design, per_item=True)
    return MetricMeasure(stats)


def world(seed: int, systems: int = 12, items: int = 40) -> tuple[MetricMeasure, MetricMeasure, MetricMeasure]:
    """Humans and two metrics that agree with them equally well over new systems, each with errors of its own."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1))
    human = quality + 0.5 * rng.normal(size=(1, items)) + rng.normal(size=(systems, items))
    others = [
        quality + 0.5 * rng.normal(size=(systems, 1)) + 0.5 * rng.normal(size=(1, items)) + rng.normal(size=human.shape)
        for _ in range(2)
    ]
    first, second = (measure(np.round(x, 6)) for x in others)
    return measure(np.round(human, 6)), first, second


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_levels_by_plain_loops(level: str, name: str) -> None:
    human, metric, _ = world(1, 5, 7)
    x, y = metric.segments, human.segments
    rows = {
        "system": [(x.mean(axis=1), y.mean(axis=1))],
        "segment": [(x.ravel(), y.ravel())],
        "segment-by-item": [(x[:, i], y[:, i]) for i in range(7)],
        "segment-by-system": [(x[s], y[s]) for s in range(5)],
    }[level]
    coefficient = CorrelationCoefficient(level, name)  # type: ignore[arg-type]
    a, b = (coefficient.scores(m, draw_all(m)) for m in (metric, human))
    found = coefficient.average(a, b)
    if name == "accuracy":
        candidates = {0.0} | {abs(p - q) for a, _ in rows for p, q in itertools.combinations(a.tolist(), 2)}
        a, b = (np.stack(side) for side in zip(*rows, strict=True))
        best = max(accuracy_by_loops(a, b, e) for e in candidates)
        assert found == pytest.approx(accuracy_by_loops(a, b, 0.0) if level == "system" else best)
    else:
        assert found == pytest.approx(np.mean([PEERS[name](a, b) for a, b in rows]), abs=1e-12)


def test_redrawn_items_keep_their_clusters_together() -> None:
    design = Design.named(6, ["a", "a", "b", "b", "b", "c"])
    for draw in draws(3, design, "items", Settings(n_resamples=20)):
        counts = np.bincount(draw.items, minlength=6)
        assert counts[0] == counts[1]
        assert counts[2] == counts[3] == counts[4]
        assert draw.systems.tolist() == [0, 1, 2]


def test_exchanging_systems_by_plain_loops() -> None:
    human, first, second = world(2, 5, 6)
    coefficient = CorrelationCoefficient("segment-by-item", "pearson")
    (found,) = permutation(first, second, human, [coefficient], "systems", Settings(n_resamples=32))
    x, y = ((m.segments - m.segments.mean()) / m.segments.std() for m in (first, second))
    h = human.segments

    def of(scores: Float) -> float:
        return float(np.mean([PEERS["pearson"](scores[:, i], h[:, i]) for i in range(6)]))

    gain, exceedances = of(x) - of(y), 0
    for chosen in itertools.product((False, True), repeat=5):
        swap = np.array(chosen)[:, None]
        exceedances += abs(of(np.where(swap, y, x)) - of(np.where(swap, x, y))) >= abs(gain) - 1e-12
    assert found.p_kind == "exact"
    assert found.p_value == pytest.approx(exceedances / 32)
    assert found.p_min == 1 / 16


@pytest.mark.parametrize("what", ["systems", "items", "both"])
def test_a_sampled_p_is_near_the_exact_one_and_never_0(what: What) -> None:
    human, first, second = world(3, 8, 10)
    of = [CorrelationCoefficient("system", "pearson"), CorrelationCoefficient("segment-by-item", "kendall")]
    few, many = (permutation(first, second, human, of, what, Settings(n_resamples=n, seed=4)) for n in (255, 1500))
    for one, other in zip(few, many, strict=True):
        assert one.p_value
        assert other.p_value
        assert one.p_error
        assert abs(one.p_value - other.p_value) < 5 * one.p_error + 0.02


def test_a_metric_does_not_differ_from_itself_on_another_scale() -> None:
    human, first, _ = world(5, 6, 8)
    (found,) = permutation(
        first, measure(3 * first.segments + 7), human, [CorrelationCoefficient("system", "pearson")], "both", Settings()
    )
    assert found.p_value == 1.0
    assert [note.code for note in found.notes] == ["identical_metrics"]


def test_few_systems_are_said_to_be_too_few_to_exchange() -> None:
    human, first, second = world(6, 4, 8)
    (found,) = permutation(first, second, human, [CorrelationCoefficient("system", "kendall")], "systems", Settings())
    assert [note.code for note in found.notes] == ["few_to_exchange"]
    assert found.p_min == 1 / 8


@pytest.mark.nightly
def test_tests_of_two_metrics_hold_their_level_over_new_systems() -> None:
    """600 null cases at 5 %: a sound test rejects in more than 8.3 % of them once in 10,000 times.

    Exchanging single outputs is no test of that: it rejects in half of them.
    """
    of = [CorrelationCoefficient("segment-by-item", "kendall")]
    found = {"systems": 0, "both": 0, "williams": 0}
    for seed in range(600):
        human, first, second = world(seed)
        made = Settings(n_resamples=199, seed=seed)
        found["systems"] += (permutation(first, second, human, of, "systems", made)[0].p_value or 0) <= 0.05
        found["williams"] += (run_williams(first, second, human, made).p_value or 0) <= 0.05
        if seed < 150:
            outcome = permutation(first, second, human, [CorrelationCoefficient("system", "pearson")], "both", made)[0]
            found["both"] += (outcome.p_value or 0) <= 0.05
    assert found["systems"] <= 50
    assert found["williams"] <= 50
    assert found["both"] >= 45


@pytest.mark.slow
def test_intervals_cover_the_correlation_of_new_systems_and_items() -> None:
    """400 worlds: intervals that cover 94 % cover fewer than 358 of them once in 10,000 times."""
    # of means over 40 items, whose errors have variances 1/40 (humans) and 1/4 + 1/40 (metric) beside quality's 1
    true = 1 / math.sqrt(1.025 * 1.275)
    coefficient, covered = CorrelationCoefficient("system", "pearson"), 0
    for seed in range(400):
        human, metric, _ = world(seed)
        redrawn = [
            coefficient.average(coefficient.scores(metric, draw), coefficient.scores(human, draw), draw)
            for draw in draws(12, human.stats.design, "both", Settings(n_resamples=199, seed=seed))
        ]
        low, high = np.quantile(redrawn, [0.025, 0.975], method="weibull")
        covered += low <= true <= high
    assert 358 <= covered <= 396
