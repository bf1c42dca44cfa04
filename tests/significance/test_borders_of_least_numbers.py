"""One or two numbers, parts that do not vary, and values exactly at a threshold, beside what a formula gives there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.metrics.classes import FBeta
from outscore.significance import notes, tests
from outscore.significance.advice import facts_of
from outscore.significance.confidence import gain_interval, needed_for_errors, needed_for_gain, score_interval
from outscore.significance.contrast import ScoreContrast
from outscore.significance.correlation import FEW_TO_EXCHANGE, CorrelationCoefficient, MetricMeasure, permutation
from outscore.significance.gain import GainContrast
from outscore.significance.interval import intervals
from outscore.significance.interval.unvarying import make_unvarying
from outscore.significance.means import cluster_t, clusters_of
from outscore.significance.nulls import Permuted
from outscore.significance.omnibus import anova
from outscore.significance.prediction_powered import prediction_powered, tune_weight
from outscore.significance.resamples import BOOTSTRAP
from outscore.significance.settings import Settings
from outscore.significance.studentized import spread
from tests.laws.support import corpus_stats, experiment, f1_stats, mean_stats, pairing, settings
from tests.significance.test_borders_of_exchanges import ranked
from tests.significance.test_borders_of_metrics_compared import measures


def test_one_number_has_a_mean_and_no_error() -> None:
    found = clusters_of(np.array([0.5]), np.array([3]))
    assert (found.mean, found.n, found.n_clusters) == (0.5, 1, 1)
    assert all(math.isnan(v) for v in (found.se_iid, found.se_cr0, found.se_cr1, found.se_cr2, found.df_cr2))


def test_two_numbers_of_one_cluster_have_an_error_as_items_alone() -> None:
    found = clusters_of(np.array([0.5, 1.0]), np.array([3, 3]))
    assert found.se_iid == pytest.approx(0.25)
    assert math.isnan(found.se_cr2)


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


def test_a_judge_and_labels_that_are_constant_have_no_error_and_the_freedom_of_the_larger_part() -> None:
    places = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    labels = np.where(places < 3, 1.0, np.nan)
    found = prediction_powered(labels, np.full(10, 0.25), clusters=places)
    assert found.estimate == pytest.approx(1.0)
    assert found.se == 0.0
    assert found.df == pytest.approx(2)


@pytest.mark.parametrize(("alpha", "few"), [(0.0624, True), (0.0625, False), (0.0626, False)])
def test_a_p_value_that_just_reaches_alpha_can_reach_it(alpha: float, few: bool) -> None:
    """Four systems, exchanged in 16 ways: the smallest p of one side is 1/16."""
    made = Settings(n_resamples=16, seed=1, alternative="greater", alpha=alpha)
    (found,) = permutation(*measures(4, 6), [CorrelationCoefficient("system", "pearson")], "systems", made)
    assert found.p_min == 0.0625
    assert (FEW_TO_EXCHANGE in found.notes) is few


def test_runs_and_items_without_any_variance_are_not_called_noisy() -> None:
    values = np.tile([0.25, 1.0, 0.75, 2.0], (3, 1))
    test = tests.make("multibootstrap")
    assert notes.NOISY_ITEMS not in test.run(pairing(values + 0.5, values, settings(99))).notes


@pytest.mark.parametrize(("n", "largest"), [(99, 1), (100, 1), (199, 1), (200, 2), (201, 2), (300, 3)])
def test_the_share_of_the_largest_is_of_a_hundredth_of_the_items(n: int, largest: int) -> None:
    draw = np.random.default_rng(n)
    d = draw.normal(size=n)
    found = dict(facts_of(pairing(d[None], np.zeros((1, n)), settings(9))))
    squares = np.sort(d**2)[::-1]
    assert found["top_share"] == pytest.approx(squares[:largest].sum() / squares.sum())
    assert found["skewness"] == pytest.approx(abs(stats.skew(d)))


def counts(seed: int, n: int) -> Float:
    return np.random.default_rng(seed).integers(1, 6, (1, n, 3)).astype(float)


def corpus(n: int, resamples: int) -> GainContrast:
    """A corpus score of two systems that is no ratio of sums."""
    stats_of = corpus_stats([counts(1, n), counts(2, n)], lambda sums: np.sqrt(sums[..., 0] / sums[..., 1]))
    return GainContrast(experiment(stats_of, settings=settings(resamples)), 0, 1)


@pytest.mark.parametrize(
    ("n", "resamples", "level", "method"),
    [
        (200, 400, 0.95, "bca bootstrap interval"),  # ten resamples beyond each end
        (200, 399, 0.95, "delta method interval"),
        (200, 80, 0.75, "bca bootstrap interval"),
        (200, 79, 0.75, "delta method interval"),
        (199, 4000, 0.95, "delta method interval"),
    ],
)
def test_a_level_far_out_asks_for_ten_resamples_beyond_each_end(
    n: int, resamples: int, level: float, method: str
) -> None:
    pair = corpus(n, resamples)
    assert gain_interval(pair, None, level)[1] == method
    needed = needed_for_gain(pair, tests.make("randomization").run(pair), None, level)
    assert needed == ((BOOTSTRAP,) if "bca" in method else ())


@pytest.mark.parametrize(("n", "method"), [(199, "delta method interval"), (200, "bca bootstrap interval")])
def test_corpus_scores_of_two_hundred_items_are_resampled(n: int, method: str) -> None:
    pair = corpus(n, 50)
    assert gain_interval(pair)[1] == method
    assert score_interval(pair.resamples, 0, 1)[1] == method


def test_errors_of_selection_need_resamples_of_sums_of_two_units_alone() -> None:
    one, two = (experiment(f1_stats([counts(1, n), counts(2, n)]), settings=settings(9)) for n in (1, 2))
    assert needed_for_errors(one) == ()
    assert needed_for_errors(two) == (BOOTSTRAP,)
    means = mean_stats([np.zeros((1, 4)), np.ones((1, 4))])
    assert needed_for_errors(experiment(means, settings=settings(9))) == ()
    clusters = mean_stats([np.zeros((1, 4)), np.ones((1, 4))], np.array([0, 0, 1, 1]))
    assert needed_for_errors(experiment(clusters, settings=settings(9))) == (BOOTSTRAP,)
    both = experiment(means, f1_stats([counts(1, 4), counts(2, 4)]), settings=settings(9))
    assert needed_for_errors(both) == (BOOTSTRAP,)


def test_cr2_of_two_clusters_has_one_degree_of_freedom() -> None:
    found = cluster_t(np.array([1.0, 2.0, 4.0, 5.0]), np.array([0, 0, 1, 1]))
    assert found.df == pytest.approx(1)
    assert found.se == pytest.approx(1.5)


@pytest.mark.parametrize("runs", [(1, 3), (2, 3), (4, 2)])
def test_a_pooled_gain_is_that_of_statistics_averaged_over_runs_in_any_numbers(runs: tuple[int, int]) -> None:
    base, new = (np.random.default_rng(r).integers(1, 6, (r, 7, 3)).astype(float) for r in runs)
    found = f1_stats([base, new])

    of_both = [float(FBeta().score(rows.mean(axis=0).sum(axis=0))) for rows in (new, base)]
    assert found.pooled_gain(1, 0) == pytest.approx(of_both[0] - of_both[1])


def test_groups_of_zeros_are_alike_whatever_their_variances() -> None:
    zeros, ones = np.zeros(4), np.ones(4)
    found = anova.welch_one_way([zeros, zeros, zeros])
    assert (found.statistic, found.p, found.degenerate) == (0.0, 1.0, "identical_outputs")
    assert anova.welch_one_way([zeros, ones]).degenerate == "zero_variance"


@pytest.mark.parametrize(("slope", "weight"), [(0.5, 0.25), (2.0, 1.0), (7.0, 1.0), (-1.0, 0.0)])
def test_the_weight_of_a_judge_is_at_most_one_and_at_least_none(slope: float, weight: float) -> None:
    """Labels are so many times the judge's numbers, whose variance is the same among as many other items."""
    judged = np.tile([0.0, 1.0, 2.0, 3.0, 5.0], 200)
    labels = np.where(np.arange(1000) < 500, slope * judged, np.nan)
    assert tune_weight(labels, judged) == pytest.approx(weight, rel=0.01)


def test_outputs_that_do_not_count_have_no_score() -> None:
    scores = mean_stats([np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 5.0, 6.0]])])
    known = np.array([[True, False, True], [True, True, True]])
    found = MetricMeasure(scores, known)
    np.testing.assert_array_equal(found.segments, [[1.0, math.nan, 3.0], [4.0, 5.0, 6.0]])
    np.testing.assert_allclose(found.systems(np.array([0, 1, 1, 2])), [2.0, 5.0])
    np.testing.assert_array_equal(MetricMeasure(scores, np.ones((2, 3), dtype=bool)).segments[0], [1.0, 2.0, 3.0])


def test_a_null_version_takes_the_seed_of_its_resamples_after_its_data() -> None:
    draw = np.random.default_rng(3)
    null = Permuted(pairing(draw.random((1, 9)), draw.random((1, 9)), settings(9)))
    twin = np.random.default_rng(5)
    null.statistics(twin)
    assert null.version(np.random.default_rng(5)).settings.seed == int(twin.integers(2**31))


@pytest.mark.parametrize(("runs", "refused"), [((1, 1), False), ((2, 1), True), ((2, 2), True)])
def test_a_ranking_over_runs_has_no_interval_on_the_logit_scale(runs: tuple[int, int], refused: bool) -> None:
    measured = ranked(12, 1, runs=runs)
    measured.limits = (0.0, 1.0)
    score = ScoreContrast(experiment(measured, settings=settings(9)), 0, 0)
    assert (intervals.make("logit").refuses(score) is not None) is refused


@pytest.mark.parametrize("roundings", [0.99, 1.01])
def test_squares_count_from_so_many_roundings_of_their_terms_on(roundings: float) -> None:
    passed = np.array(3.0)
    squares = roundings * 2**14 * np.finfo(float).eps * passed
    assert spread(squares, passed) == pytest.approx(math.sqrt(squares) if roundings > 1 else 0.0, rel=1e-12, abs=0)


@pytest.mark.parametrize(("runs", "several"), [((1, 1), False), ((2, 1), True), ((1, 2), True)])
def test_an_experiment_has_runs_where_any_system_has_two(runs: tuple[int, int], several: bool) -> None:
    stats_of = mean_stats([np.arange(4.0) + np.arange(r)[:, None] for r in runs])
    made = experiment(stats_of, settings=settings(9))
    assert made.has_runs is several
    assert GainContrast(made, 0, 1).has_runs is several
