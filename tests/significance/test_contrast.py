"""A score or a gain of two systems: limits, tolerances, runs, and gradients of what is estimated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outscore.base.arrays import Float, ScoreFunction
from outscore.engine.design import Design
from outscore.metrics.classes import FBeta
from outscore.metrics.ratio import Ratio
from outscore.significance.contrast import ScoreContrast
from outscore.significance.gain import GainContrast
from outscore.significance.statistics import Statistics
from outscore.significance.student import StudentT
from tests.laws import support
from tests.laws.support import corpus_stats, experiment, f1_stats, mean_stats, settings


@pytest.mark.parametrize(
    ("limits", "expected"), [((0.0, 1.0), (-1.0, 1.0)), ((1.0, 5.0), (-4.0, 4.0)), ((-3.0, -1.0), (-2.0, 2.0))]
)
def test_a_gain_has_the_width_of_the_scores_limits_wherever_they_begin(
    limits: tuple[float, float], expected: tuple[float, float]
) -> None:
    values = [limits[0] + np.array([[0.1, 0.7, 0.4]]), limits[0] + np.array([[0.3, 0.2, 0.6]])]
    scored = support.experiment(support.mean_stats(values, limits=limits), settings=support.settings(9))
    assert GainContrast(scored, 0, 1).limits == expected
    assert ScoreContrast(scored, 0, 1).limits == limits


def test_scores_are_ties_within_a_part_of_the_larger_of_one_and_themselves() -> None:
    for values, scale in (([0.2, 0.4], 1.0), ([-30.0, -50.0], 40.0)):
        made = support.experiment(support.mean_stats([np.array([values])]), settings=support.settings(9))
        assert ScoreContrast(made, 0, 0).slack == pytest.approx(1e-12 * scale, rel=1e-9, abs=0)


@pytest.mark.parametrize(("noise", "same"), [(1e-13, True), (1e-10, False)])
def test_scores_that_differ_by_rounding_alone_are_alike(noise: float, same: bool) -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(1, 40))
    pair = GainContrast(experiment(mean_stats([values, values + noise * rng.random(40)]), settings=settings(9)), 0, 1)
    assert pair.identical == same
    assert (StudentT().run(pair).p_value == 1.0) == same


def test_segments_of_unequal_length_count_for_fewer() -> None:
    words = np.array([10.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    rows = [np.stack([errors, words], axis=1)[None] for errors in (words * [0.1, 0, 1, 0, 1, 0], words / 5)]
    metric = Ratio(num="errors", den="words")
    stats = Statistics("rate", rows, metric.score, Design(6), ratio=metric.ratio())
    resamples = experiment(stats, settings=settings(9))
    for found in (ScoreContrast(resamples, 0, 0), GainContrast(resamples, 0, 1)):
        assert found.shares == pytest.approx(words / 15)
        assert found.n_effective == pytest.approx(225 / 105)


def test_the_score_of_a_part_is_told_the_statistics_of_the_first_run() -> None:
    told: list[Float] = []

    def score_of_part(statistics: Float) -> ScoreFunction:
        told.append(statistics)
        return plain.score

    values = np.array([[0.25, 0.5, 1.25, 0.75]])
    plain = Ratio(num="a", den="b")
    rows = [np.stack([one, np.ones_like(one)], axis=2) for one in (values, values[:, ::-1])]
    stats = Statistics("m", rows, plain.score, Design(4), score_of_part=score_of_part)
    stats.restrict(np.array([1, 2]))
    assert told[0].tolist() == [[0.5, 1.0], [1.25, 1.0]]


def test_a_score_over_runs_is_that_of_their_mean_sums() -> None:
    def grown(sums: Float) -> Float:
        return np.asarray(np.log1p(sums[..., 0]))

    rows = np.random.default_rng(3).integers(1, 9, (2, 3, 5, 1)) / 4
    resamples = experiment(corpus_stats(list(rows), grown), settings=settings(9))
    sums, function = ScoreContrast(resamples, 0, 1).joint
    assert float(function(sums.sum(axis=0))) == pytest.approx(math.log1p(float(rows[1].mean(axis=0).sum())))
    both, gain = GainContrast(resamples, 0, 1).joint
    means = [math.log1p(float(of.mean(axis=0).sum())) for of in rows]
    assert float(gain(both.sum(axis=0))) == pytest.approx(means[1] - means[0])


@pytest.mark.parametrize(("runs", "several"), [((1, 1), False), ((2, 1), True), ((1, 2), True)])
def test_an_experiment_has_runs_where_any_system_has_two(runs: tuple[int, int], several: bool) -> None:
    stats_of = mean_stats([np.arange(4.0) + np.arange(r)[:, None] for r in runs])
    made = experiment(stats_of, settings=settings(9))
    assert made.has_runs is several
    assert GainContrast(made, 0, 1).has_runs is several


@pytest.mark.parametrize("runs", [(1, 3), (2, 3), (4, 2)])
def test_a_pooled_gain_is_that_of_statistics_averaged_over_runs_in_any_numbers(runs: tuple[int, int]) -> None:
    base, new = (np.random.default_rng(r).integers(1, 6, (r, 7, 3)).astype(float) for r in runs)
    found = f1_stats([base, new])

    of_both = [float(FBeta().score(rows.mean(axis=0).sum(axis=0))) for rows in (new, base)]
    assert found.pooled_gain(1, 0) == pytest.approx(of_both[0] - of_both[1])
