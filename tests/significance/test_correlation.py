"""Correlations with humans by plain loops, resamples of them, and what the tests of two metrics hold."""

from __future__ import annotations

import itertools
import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import scipy.stats as st
from scipy import stats

from outscore.base.arrays import Float, Int
from outscore.engine.design import Design
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import EXACT, MONTE_CARLO, correlation
from outscore.significance.coefficients import COEFFICIENTS
from outscore.significance.correlation import (
    FEW_TO_EXCHANGE,
    LEVELS,
    CorrelationCoefficient,
    Draw,
    MetricMeasure,
    What,
    draw_all,
    draws,
    note_coefficient,
    permutation,
    run_williams,
    williams,
)
from outscore.significance.settings import Settings
from tests.examples import first
from tests.laws.support import mean_stats, ratio_stats, settings
from tests.significance.test_coefficients import accuracy_by_loops


def measure(segments: Float, design: Design | None = None) -> MetricMeasure:
    """A metric whose scores of systems are means of these segments ``(systems, items)``."""
    return MetricMeasure(mean_stats(list(segments[:, None]), design=design))


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


def test_copies_in_a_resample_are_no_pairs() -> None:
    # a metric that is always wrong gains nothing by agreeing that a system equals itself
    human = np.arange(8.0).reshape(4, 2)
    good, bad = measure(human), measure(-human)
    for level in LEVELS:
        coefficient = CorrelationCoefficient(level, "accuracy")
        draw = Draw(np.array([0, 0, 1, 3]), np.array([1, 1]) if level != "segment-by-system" else np.array([0, 1]))
        x, y = (coefficient.scores(m, draw) for m in (bad, good))
        assert coefficient.average(x, y, draw) == 0.0


PEERS: dict[str, Any] = {
    "pearson": lambda a, b: st.pearsonr(a, b)[0],
    "spearman": lambda a, b: st.spearmanr(a, b)[0],
    "kendall": lambda a, b: st.kendalltau(a, b)[0],
    "kendall-c": lambda a, b: st.kendalltau(a, b, variant="c")[0],
}


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


def test_williams_t_is_that_of_the_r_package_psych() -> None:
    # the help page of r.test (psych 1.7.8) gives this p with eight digits
    found = williams(0.693458895410494, 0.695966022434845, 0.988475791500198, 5105)
    assert found.p_value == pytest.approx(0.1000759, abs=5e-8)
    assert found.effect["df"] == 5102


@pytest.mark.parametrize("what", first(["systems", "items", "both"], "systems", others=pytest.mark.slow))
def test_a_sampled_p_is_near_the_exact_one_and_never_0(what: What) -> None:
    human, first, second = world(3, 8, 10)
    of = [CorrelationCoefficient("system", "pearson"), CorrelationCoefficient("segment-by-item", "kendall")]
    few, many = (permutation(first, second, human, of, what, Settings(n_resamples=n, seed=4)) for n in (255, 1500))
    for one, other in zip(few, many, strict=True):
        assert one.p_value
        assert other.p_value
        assert one.p_error
        assert abs(one.p_value - other.p_value) < 5 * one.p_error + 0.02


@pytest.mark.parametrize(
    ("level", "groups", "n"),
    [("segment", 1, 12), ("segment-by-item", 4, 3), ("segment-by-system", 3, 4), ("system", 3, 4)],
)
def test_a_calibration_goes_through_all_pairs_of_its_groups(level: str, groups: int, n: int) -> None:
    found = CorrelationCoefficient(level, "accuracy").n_pairs(3, 4)  # type: ignore[arg-type]
    assert found == groups * len(list(combinations(range(n), 2)))


@pytest.mark.parametrize(("n", "known"), [(3, False), (4, True), (9, True)])
def test_williams_needs_four_and_has_n_less_3_degrees_of_freedom(n: int, known: bool) -> None:
    a, b, c = 0.7, 0.4, 0.5
    found = williams(a, b, c, n)
    assert found.effect["df"] == n - 3
    assert (found.p_value is not None) == known
    if known:
        rest = 1 - a * a - b * b - c * c + 2 * a * b * c
        t = (a - b) * math.sqrt((n - 1) * (1 + c) / (2 * (n - 1) / (n - 3) * rest + (a + b) ** 2 / 4 * (1 - c) ** 3))
        assert (found.effect["statistic"], found.p_value) == pytest.approx((t, 2 * float(stats.t(n - 3).sf(t))))


def test_two_measurements_that_are_the_same_have_nothing_between_them() -> None:
    same = williams(0.0, 0.0, 1.0, 9)
    assert (same.effect, same.p_value) == ({"statistic": 0.0, "df": 6}, 1.0)


Three = tuple[MetricMeasure, MetricMeasure, MetricMeasure]


def measures(systems: int, items: int, seed: int = 0, labels: Int | None = None) -> Three:
    """Two metrics and the humans, on so many systems and items."""
    draw = np.random.default_rng(seed)
    truth = draw.normal(size=(systems, items)) + draw.normal(size=(systems, 1))
    noise = [draw.normal(0, wide, (systems, items)) for wide in (0.5, 1.5, 0.0)]
    first, second, human = (MetricMeasure(mean_stats([row[None] for row in truth + one], labels)) for one in noise)
    return first, second, human


def standardized(values: Float) -> Float:
    return np.asarray((values - values.mean()) / values.std())


def correlate(level: str, x: Float, y: Float) -> float:
    if level == "system":
        return float(np.corrcoef(x.mean(axis=1), y.mean(axis=1))[0, 1])
    if level == "segment":
        return float(np.corrcoef(x.ravel(), y.ravel())[0, 1])
    rows = zip(x, y, strict=True) if level == "segment-by-system" else zip(x.T, y.T, strict=True)
    return float(np.mean([np.corrcoef(a, b)[0, 1] for a, b in rows]))


@pytest.mark.parametrize("side", ALTERNATIVES)
@pytest.mark.parametrize("level", ["system", "segment", "segment-by-item", "segment-by-system"])
def test_whole_systems_are_exchanged_in_all_ways(level: str, side: Alternative) -> None:
    first, second, human = measures(5, 6)
    made = Settings(n_resamples=32, seed=1, alternative=side)
    (found,) = permutation(first, second, human, [CorrelationCoefficient(level, "pearson")], "systems", made)  # type: ignore[arg-type]
    h, raw = human.segments, (first.segments, second.segments)
    if level == "system":
        # scores of whole systems have a spread of their own
        x, y = (np.repeat(standardized(one.mean(axis=1))[:, None], 6, axis=1) for one in raw)
    else:
        x, y = (standardized(one) for one in raw)
    seen = correlate(level, x, h) - correlate(level, y, h)
    gains = []
    for swap in product((False, True), repeat=5):
        there = np.array(swap)[:, None]
        gains.append(correlate(level, np.where(there, y, x), h) - correlate(level, np.where(there, x, y), h))
    all_of = np.array(gains)
    hit = {
        "two-sided": np.abs(all_of) >= abs(seen) - 1e-12,
        "greater": all_of >= seen - 1e-12,
        "less": all_of <= seen + 1e-12,
    }[side]
    assert found.p_kind == EXACT and found.p_value == pytest.approx(float(hit.mean()))
    assert found.p_min == pytest.approx((2 if side == "two-sided" else 1) / 32)
    assert (FEW_TO_EXCHANGE in found.notes) == (side == "two-sided")


@pytest.mark.parametrize(
    ("what", "level", "labels", "exchanged"),
    [
        ("items", "system", None, 4), ("items", "segment", None, 4), ("items", "segment", [0, 0, 1, 2], 3),
        ("both", "segment", None, 12), ("both", "system", [0, 0, 1, 1], 6), ("systems", "segment", None, 3),
    ],
)  # fmt: skip
def test_the_floor_is_that_of_no_exchange(what: What, level: str, labels: list[int] | None, exchanged: int) -> None:
    given = measures(3, 4, 2, None if labels is None else np.array(labels))
    for side in ALTERNATIVES:
        made = Settings(n_resamples=7, seed=1, alternative=side)
        (found,) = permutation(*given, [CorrelationCoefficient(level, "pearson")], what, made)  # type: ignore[arg-type]
        twice = 2 if side == "two-sided" else 1
        least = twice * 0.5**exchanged if found.p_kind == EXACT else max(twice * 0.5**exchanged, 1 / 8)
        assert found.p_min == pytest.approx(least) or found.p_min == pytest.approx(twice * 0.5**exchanged)
        assert (FEW_TO_EXCHANGE in found.notes) == (twice * 0.5**exchanged > 0.05)


@pytest.mark.parametrize(
    ("systems", "items", "n", "kind"), [(4, 5, 16, EXACT), (4, 5, 15, MONTE_CARLO), (9, 1, 50, MONTE_CARLO)]
)
def test_systems_are_enumerated_where_that_is_no_more_than_was_asked(
    systems: int, items: int, n: int, kind: str
) -> None:
    given = measures(systems, items)
    of = [CorrelationCoefficient("system", "pearson"), CorrelationCoefficient("segment", "spearman")]
    for found in permutation(*given, of, "systems", Settings(n_resamples=n, seed=3)):
        assert found.p_kind == kind and found.p_value is not None and 0 < found.p_value <= 1


def test_random_exchanges_move_clusters_and_half_of_everything() -> None:
    labels = np.array([0, 0, 1, 2, 2, 2])
    chosen = list(draws(3, mean_stats([np.zeros((1, 6))] * 2, labels).design, "both", Settings(n_resamples=40)))
    for draw in chosen:
        assert draw.systems.size == 3 and {0, 1, 2} >= set(draw.systems.tolist())
        counts = np.bincount(draw.items, minlength=6)
        assert counts[0] == counts[1] and counts[3] == counts[4] == counts[5] and counts[[0, 2, 3]].sum() == 3
    fixed = list(draws(3, mean_stats([np.zeros((1, 6))] * 2).design, "items", Settings(n_resamples=5)))
    assert all(draw.systems.tolist() == [0, 1, 2] and draw.items.size == 6 for draw in fixed)


@pytest.mark.parametrize("what", ["items", pytest.param("both", marks=pytest.mark.slow)])
def test_exchanged_items_of_two_metrics_by_their_share(what: What) -> None:
    first, second, human = measures(4, 5, 3)
    (found,) = permutation(
        first, second, human, [CorrelationCoefficient("segment", "pearson")], what, Settings(n_resamples=1500, seed=5)
    )
    x, y, h = standardized(first.segments), standardized(second.segments), human.segments
    seen, draw, hits = correlate("segment", x, h) - correlate("segment", y, h), np.random.default_rng(1), 0
    for _ in range(1500):
        there = draw.random((1, 5) if what == "items" else (4, 5)) < 0.5
        other = correlate("segment", np.where(there, y, x), h) - correlate("segment", np.where(there, x, y), h)
        hits += abs(other) >= abs(seen) - 1e-12
    assert found.p_value == pytest.approx(hits / 1500, abs=0.06)


@pytest.mark.parametrize(("systems", "few"), [(9, True), (10, False)])
def test_fewer_than_ten_systems_are_few(systems: int, few: bool) -> None:
    codes = [n.code for n in note_coefficient(CorrelationCoefficient("system", "accuracy"), systems, 0)]
    assert codes == (["few_systems"] if few else [])
    assert not note_coefficient(CorrelationCoefficient("segment", "pearson"), 3, 0)
    of = CorrelationCoefficient("segment", "accuracy")
    assert [n.code for n in note_coefficient(of, 3, 1)] == ["undefined_groups", "calibrated_ties"]
    assert draw_all(measures(3, 4)[0]).items.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("alpha", "few"), [(0.0624, True), (0.0625, False), (0.0626, False)])
def test_a_p_value_that_just_reaches_alpha_can_reach_it(alpha: float, few: bool) -> None:
    """Four systems, exchanged in 16 ways: the smallest p of one side is 1/16."""
    made = Settings(n_resamples=16, seed=1, alternative="greater", alpha=alpha)
    (found,) = permutation(*measures(4, 6), [CorrelationCoefficient("system", "pearson")], "systems", made)
    assert found.p_min == 0.0625
    assert (FEW_TO_EXCHANGE in found.notes) is few


def test_a_metric_on_another_scale_is_the_same_metric_also_where_it_has_its_mean() -> None:
    raw = np.array([[-1.0, 0.0, 1.0], [2.0, -2.0, 0.0], [0.0, 0.5, -0.5]])
    human = correlation.MetricMeasure(mean_stats([row[None] for row in raw**2 + raw]))
    first, second = (correlation.MetricMeasure(mean_stats([row[None] for row in v])) for v in (raw, raw * 0.3 + 0.1))
    of = [correlation.CorrelationCoefficient("segment", "pearson")]
    (found,) = correlation.permutation(first, second, human, of, "both", Settings(n_resamples=50))
    assert (found.p_value, found.notes) == (1.0, (correlation.IDENTICAL_METRICS,))


@pytest.mark.parametrize("what", ["systems", "items", "both"])
def test_a_metric_that_gives_all_the_same_score_has_no_coefficient_to_compare(what: What) -> None:
    first, _, human = measures(4, 5)
    same = MetricMeasure(mean_stats([np.full((1, 5), 0.5)] * 4))
    (found,) = permutation(first, same, human, [CorrelationCoefficient("segment", "pearson")], what, settings(30))
    assert found.p_value is None


def test_outputs_that_do_not_count_have_no_score() -> None:
    scores = mean_stats([np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 5.0, 6.0]])])
    known = np.array([[True, False, True], [True, True, True]])
    found = MetricMeasure(scores, known)
    np.testing.assert_array_equal(found.segments, [[1.0, math.nan, 3.0], [4.0, 5.0, 6.0]])
    np.testing.assert_allclose(found.systems(np.array([0, 1, 1, 2])), [2.0, 5.0])
    np.testing.assert_array_equal(MetricMeasure(scores, np.ones((2, 3), dtype=bool)).segments[0], [1.0, 2.0, 3.0])


def test_scores_of_systems_that_lack_outputs_are_of_the_sums_of_those_that_count() -> None:
    draw = np.random.default_rng(1)
    counts = [draw.integers(1, 9, (2, 4, 2)).astype(float) for _ in range(2)]
    known = np.array([[True, False, True, True], [True, True, True, True]])
    found = MetricMeasure(ratio_stats(counts), known).systems(np.array([0, 1, 1, 3]))
    sums = [one[:, rows].sum(axis=1) for one, rows in zip(counts, ([0, 3], [0, 1, 1, 3]), strict=True)]
    np.testing.assert_allclose(found, [(one[:, 0] / one[:, 1]).mean() for one in sums])


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
