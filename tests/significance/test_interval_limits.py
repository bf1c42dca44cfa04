"""Intervals of what does not vary, of classes, and of scores between limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from outscore.base.items import Items
from outscore.engine.design import Design
from outscore.metrics import metrics
from outscore.significance.contrast import ScoreContrast
from outscore.significance.gain import GainContrast
from outscore.significance.interval import intervals
from outscore.significance.interval.student import is_one_point, make_unvarying, proportion_of, range_of, scale_ends
from outscore.significance.proportions import wilson_of
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.laws.support import experiment, mean_stats, ratio_stats, settings
from tests.significance import shapes
from tests.significance.rao_by_hand import reach_by_hand
from tests.significance.test_ranked import ranked


@pytest.mark.parametrize("units", [2, 3, 8])
def test_a_score_that_does_not_vary_has_wilsons_interval_by_t(units: int) -> None:
    """Each unit counts as one answer: t of n - 1 in place of z, of two units that of one degree of freedom."""
    values = np.full((1, units), 0.5)
    stats_of = mean_stats([values, values])
    stats_of.limits = (0.0, 1.0)
    found, _, _ = make_unvarying(ScoreContrast(experiment(stats_of, settings=settings(9)), 0, 1))
    z = float(stats.t.ppf(0.975, max(units - 1, 1)))
    half = z * math.sqrt(0.25 / units + z**2 / (4 * units**2)) / (1 + z**2 / units)
    assert found == pytest.approx((0.5 - half, 0.5 + half))


def constant_score(value: float, limits: tuple[float, float]) -> ScoreContrast:
    stats = mean_stats([np.full((1, 9), value)] * 2, per_item=False, limits=limits)
    return ScoreContrast(experiment(stats, settings=settings(20)), 0, 1)


@pytest.mark.parametrize("limits", [(-1.0, 1.0), (2.0, 5.0), (0.0, 100.0)])
def test_scores_are_shares_of_the_way_between_their_limits(limits: tuple[float, float]) -> None:
    low, high = limits
    for share in (0.0, 0.25, 1.0):
        estimate = constant_score(low + share * (high - low), limits)
        assert proportion_of(estimate) == pytest.approx((share, high - low))
        assert scale_ends(estimate, (0.1, 0.7)) == pytest.approx((low + 0.1 * (high - low), low + 0.7 * (high - low)))
        way = 1e-6 * (high - low)
        assert is_one_point(estimate, (low, low + 0.99 * way))
        assert not is_one_point(estimate, (low, low + 1.01 * way))


def rates(limits: tuple[float, float] | None) -> Resamples:
    errors = ([3.0, 1.0, 4.0], [2.0, 2.0, 3.0])
    stats = ratio_stats([np.array([[[e, 2.0] for e in of]]) for of in errors], limits=limits)
    return experiment(stats, settings=settings(50))


def test_rates_without_a_highest_value_are_as_if_none_were_worse_than_one_for_each_word() -> None:
    made = rates((0.5, math.inf))
    pair = GainContrast(made, 0, 1)
    highest = max(0.5 + 1.0, 8 / 6, 7 / 6)
    assert range_of(ScoreContrast(made, 0, 1)) == pytest.approx((0.5, highest))
    assert range_of(pair) == pytest.approx((0.5 - highest, highest - 0.5))
    assert range_of(ScoreContrast(rates(None), 0, 1)) is None
    found, _, _ = make_unvarying(pair)
    unseen = 1 - 0.025 ** (1 / 3)
    ends = [pair.gain + unseen * (end - pair.gain) for end in (0.5 - highest, highest - 0.5)]
    assert found == pytest.approx(tuple(ends))


@pytest.mark.parametrize("name", ["classes", "few of classes", "classes of clusters"])
def test_an_interval_over_classes_joins_theirs_by_their_correlations(name: str) -> None:
    pair = shapes.pairing(name)
    averaged, n = pair.stats.averaged, pair.n_units
    assert averaged is not None
    sizes, df = np.zeros(n), n - 1.0
    ratios, worths, weights, moves, known = [], [], [], [], []
    for system, sign in pair.signed:
        top, bottom = averaged.sums(pair.stats.rows[system][0] * pair.stats.steps)
        for tops, bottoms in zip(top.T, bottom.T, strict=True):
            total, seen = float(bottoms.sum()), int((bottoms > 0).sum())
            ratio = float(tops.sum()) / total if total else 0.0
            adds = (tops - ratio * bottoms) / total if total else np.zeros(n)
            if pair.clustered and total:  # CR2
                adds, sizes = adds / np.sqrt(np.maximum(1 - bottoms / total, 1 / n)), sizes + bottoms
            square = float((adds**2).sum())
            worth = ratio * (1 - ratio) / (square * (1.0 if pair.clustered else n / (n - 1))) if square else 0.0
            ratios.append(ratio)
            worths.append(min(worth, total) if 0 < worth < 1e12 else max(seen, 1e-3))
            weights.append(sign * averaged.scale / top.shape[1])
            moves.append(adds / math.sqrt(square) if square else np.zeros(n))
            known.append(seen / (seen + 2))
    shared = [
        [1.0 if i == j else float(a @ b) * math.sqrt(known[i] * known[j]) for j, b in enumerate(moves)]
        for i, a in enumerate(moves)
    ]
    if pair.clustered:
        u = sizes**2 / (sizes.sum() - sizes)
        df = sizes.sum() ** 2 / ((sizes**2).sum() + u.sum() ** 2 - (u**2).sum())
    found = reach_by_hand(ratios, worths, weights, shared, float(stats.t(df).ppf(0.975)))
    ends, _, _ = intervals.make("rao").compute(pair)
    assert ends == pytest.approx((pair.gain - found[0], pair.gain + found[1]))


def test_of_a_class_that_nobody_predicted_the_precision_may_be_anything() -> None:
    gold = ["a"] * 6 + ["b"] * 4
    cell = Items(n=10, outputs=["a"] * 10, references=(gold,))
    (metric,) = metrics.make("precision").prepare([cell])
    columns = [metric.statistics(cell)[None]]
    measured = Statistics(
        "precision", columns, metric.score, Design(10), limits=metric.limits, averaged=metric.as_average()
    )
    score = ScoreContrast(Resamples(("a",), [measured], 0, Settings(n_resamples=50)), 0, 0)
    low, high = wilson_of(0.6, 9, float(stats.t(9).ppf(0.975)))
    ends, _, _ = intervals.make("rao").compute(score)
    assert ends is not None
    assert ends[0] == pytest.approx(0.3 - (0.6 - low) / 2)
    assert 0.3 + 0.499 <= ends[1] <= 0.3 + (high - 0.6) / 2 + 0.5


def test_some_runs_of_either_system_are_too_many_for_an_interval_of_classes() -> None:
    gold = ["a", "b", "a", "b", "c", "c"]
    cells = [Items(n=6, outputs=texts, references=(gold,)) for texts in (gold, [*gold[:5], "a"], ["b", *gold[1:]])]
    (metric,) = metrics.make("f1").prepare(cells)
    rows = [metric.statistics(cell) for cell in cells]
    for numbers, refused in (([[0], [1]], False), ([[0], [1, 2]], True), ([[0, 1], [2]], True)):
        columns = [np.stack([rows[i] for i in of]) for of in numbers]
        stats = Statistics("f1", columns, metric.score, Design(6), limits=metric.limits, averaged=metric.as_average())
        made = Resamples(("a", "b"), [stats], 0, Settings(n_resamples=50))
        assert (intervals.make("rao").refuses(GainContrast(made, 0, 1)) is not None) == refused


@pytest.mark.parametrize(("runs", "refused"), [((1, 1), False), ((2, 1), True), ((2, 2), True)])
def test_a_ranking_over_runs_has_no_interval_on_the_logit_scale(runs: tuple[int, int], refused: bool) -> None:
    measured = ranked(12, 1, runs=runs)
    measured.limits = (0.0, 1.0)
    score = ScoreContrast(experiment(measured, settings=settings(9)), 0, 0)
    assert (intervals.make("logit").refuses(score) is not None) is refused
