"""Which interval a score and a gain have: shares in clusters, over runs, at their limits, and with few units."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

import outscore
from outscore.base.arrays import Float
from outscore.engine.extreme import Alternative
from outscore.significance import ASYMPTOTIC, notes, tests
from outscore.significance.confidence import (
    choose_interval,
    fold,
    gain_interval,
    needed_for_errors,
    needed_for_gain,
    needed_for_score,
    plain_interval,
    score_interval,
    selection_error,
)
from outscore.significance.gain import GainContrast
from outscore.significance.interval import intervals
from outscore.significance.means import cluster_t
from outscore.significance.notes import IDENTICAL
from outscore.significance.proportions import clustered_proportions, tango, tango_score, tango_spread
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.settings import Settings
from tests.laws import support
from tests.laws.support import corpus_stats, experiment, f1_stats, mean_stats, pairing, settings
from tests.significance.shapes import pairing as pair_of_shape

Labels = list[int]


def made(
    a: Float, b: Float, labels: Labels | None = None, limits: tuple[float, float] | None = None, alpha: float = 0.05
) -> Resamples:
    """The baseline's and the system's values ``(runs, items)`` under a mean."""
    stats = mean_stats(np.atleast_2d(a, b), None if labels is None else np.array(labels), limits=limits)
    return experiment(stats, settings=Settings(alpha=alpha, n_resamples=99))


def drawn(seed: int, sizes: list[int], disagreement: float = 0.3) -> tuple[Float, Float, Labels]:
    """Right or wrong answers of two systems in clusters that differ."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    chance = rng.beta(2, 1, len(sizes))[labels]
    a = (rng.random(labels.size) < chance).astype(float)
    b = np.where(rng.random(labels.size) < disagreement, rng.random(labels.size) < 0.7, a).astype(float)
    return a, b, labels.tolist()


def ends_by_search(d: Float, labels: Labels, b: int, c: int, level: float) -> tuple[float, float]:
    """Where |d̄ - Δ| = t √V(Δ), by another root finder from the definition of V."""
    found, n = cluster_t(d, np.array(labels)), d.size
    t = stats.t.ppf((1 + level) / 2, found.df)

    def excess(delta: float) -> float:
        near = min(max(delta, min(0.0, found.estimate)), max(0.0, found.estimate))
        factor = tango_spread(b, c, n, delta) / tango_spread(b, c, n, near)
        return (found.estimate - delta) ** 2 - t**2 * found.se**2 * factor

    ends = [optimize.brentq(excess, found.estimate, side, xtol=1e-13) for side in (-1.0, 1.0)]
    return ends[0], ends[1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sizes", [[10] * 8, [40] * 5 + [2] * 20, [3] * 40])
def test_the_gain_of_clustered_answers_has_the_interval_of_its_definition(seed: int, sizes: list[int]) -> None:
    a, b, labels = drawn(seed, sizes)
    pair = GainContrast(made(a, b, labels), 0, 1)
    only, other = int((b > a).sum()), int((a > b).sum())
    found, method, _ = gain_interval(pair)
    assert method == "Tango score interval on the CR2 variance"
    assert found == pytest.approx(ends_by_search(b - a, labels, only, other, 0.95), abs=1e-9)


@pytest.mark.parametrize("seed", [*range(8), *range(9, 13)])  # a level above .5 is none
def test_p_and_interval_of_clustered_answers_are_one_law(seed: int) -> None:
    a, b, labels = drawn(seed, [6] * 9)
    a[:6], b[:6] = 0.0, 1.0  # a gain of 0 has no level that leaves it out
    pair = GainContrast(made(a, b, labels), 0, 1)
    p = tests.make("t").run(pair).p_value
    assert p == pytest.approx(cluster_t(b - a, np.array(labels)).p, rel=1e-12)
    assert p is not None
    assert p < 0.49
    for level in (1 - p * 1.001, 1 - p * 0.999):
        ends = gain_interval(pair, level=level)[0]
        assert ends is not None
        assert (ends[0] > 0 or ends[1] < 0) == (level < 1 - p)
        assert choose_interval(pair.at(level), tests.make("t").run(pair))[0] == ends


def test_clusters_of_one_item_of_large_samples_are_as_items() -> None:
    a, b, _ = drawn(3, [1] * 4000)
    found = gain_interval(GainContrast(made(a, b, list(range(4000))), 0, 1))[0]
    assert found == pytest.approx(tango(int((b > a).sum()), int((a > b).sum()), 4000), abs=3e-4)


def test_outputs_that_are_alike_count_as_many_items_as_there_are_clusters() -> None:
    a, _, labels = drawn(1, [10] * 20)
    pair = GainContrast(made(a, a, labels), 0, 1)
    t = stats.t.ppf(0.975, 19)
    assert gain_interval(pair)[0] == pytest.approx((-(t**2) / (20 + t**2), t**2 / (20 + t**2)), abs=1e-9)
    assert tests.make("t").run(pair).p_value == 1.0
    judged = outscore.compare({"a": a, "b": a}, items={"doc": labels}, cluster="doc", margin=0.2).pairs[0].equivalence
    assert judged is not None
    assert judged.p_equivalent == pytest.approx(stats.t.cdf(tango_score(0, 0, 20, 0.2), 19), rel=1e-9)


def test_clusters_that_gain_all_the_same_have_a_p_value() -> None:
    """Each of eight clusters of five gains one item: no variance, eight wins of eight clusters."""
    a = np.zeros(40)
    b, labels = np.tile([1.0, 0, 0, 0, 0], 8), np.repeat(np.arange(8), 5).tolist()
    pair = GainContrast(made(a, b, labels), 0, 1)
    law = clustered_proportions(8, 0, b - a, np.array(labels))
    assert law.n_effective == 8
    outcome = tests.make("t").run(pair)
    assert outcome.p_value == pytest.approx(2 * stats.t.sf(tango_score(1.6, 0, 8, 0.0), 7), rel=1e-9)
    ends = gain_interval(pair)[0]
    assert ends is not None
    assert -1 < ends[0] < 0.2 < ends[1] < 1


@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("labels", [None, np.repeat(np.arange(10), 3).tolist()])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_no_interval_of_a_share_is_a_point(runs: int, labels: Labels | None, value: float) -> None:
    """All right, or all wrong: in items, in clusters, over runs."""
    experiment = made(np.full((runs, 30), value), np.full((runs, 30), value), labels)
    score, gain = score_interval(experiment, 0, 1)[0], gain_interval(GainContrast(experiment, 0, 1))[0]
    assert score is not None
    assert gain is not None
    assert 0 <= score[0] <= value <= score[1] <= 1
    assert 0.05 < score[1] - score[0] < 0.5
    assert -1 < gain[0] < 0 < gain[1] < 1
    test = "crossed" if runs > 1 else "t"
    assert (
        choose_interval(GainContrast(experiment, 0, 1), tests.make(test).run(GainContrast(experiment, 0, 1)))[0] == gain
    )


def test_a_gain_without_any_variance_over_runs_has_no_interval_of_one_point() -> None:
    """Always right against always wrong, with different numbers of runs: that is no crossed t interval, and is not
    printed as one.
    """
    found = outscore.compare({"right": np.ones((3, 20)), "wrong": np.zeros((4, 20))}, metrics="accuracy")
    (pair,) = found.pairs
    assert pair.ci_method == "bound on units unlike these, as none varies"
    assert pair.ci is not None and pair.ci[0] == -1.0 and -1 < pair.ci[1] < 0
    assert pair.p_value == 2.0**-19


def test_a_share_in_clusters_is_that_of_its_formula() -> None:
    a, b, labels = drawn(5, [10] * 20)
    found = cluster_t(b, np.array(labels))
    half = stats.t.ppf(0.975, found.df) * found.se / (found.estimate * (1 - found.estimate))
    centre = special.logit(found.estimate)
    assert found.se**2 > found.estimate * (1 - found.estimate) / 200  # the cap at as many items is not reached
    expected = (special.expit(centre - half), special.expit(centre + half))
    assert score_interval(made(a, b, labels), 0, 1)[0] == pytest.approx(expected, abs=1e-12)


def test_clustered_answers_never_count_for_more_items_than_there_are() -> None:
    """Each cluster has all but one of ten right, or all: hardly any variance."""
    b = np.ones(100)
    b[[0, 10, 20, 30, 40]] = 0.0
    labels = np.repeat(np.arange(10), 10).tolist()
    n_by_variance = 0.95 * 0.05 / cluster_t(b, np.array(labels)).se ** 2
    assert n_by_variance > 100
    half = stats.t.ppf(0.975, 9) / math.sqrt(100 * 0.95 * 0.05)
    expected = (special.expit(special.logit(0.95) - half), special.expit(special.logit(0.95) + half))
    assert score_interval(made(b, b, labels), 0, 1)[0] == pytest.approx(expected, abs=1e-9)


def test_a_mean_between_limits_is_t_on_the_logit_scale_whatever_the_scale() -> None:
    values = np.random.default_rng(2).beta(5, 1, 25)
    half = stats.t.ppf(0.975, 24) * values.std(ddof=1) / 5 / (values.mean() * (1 - values.mean()))
    low, high = (special.expit(special.logit(values.mean()) + side * half) for side in (-1, 1))
    assert score_interval(made(values, values, limits=(0.0, 1.0)), 0, 1)[0] == pytest.approx((low, high), abs=1e-9)
    hundred = score_interval(made(100 * values, 100 * values, limits=(0.0, 100.0)), 0, 1)[0]
    assert hundred == pytest.approx((100 * low, 100 * high), abs=1e-7)


@pytest.mark.parametrize("kind", ["answers", "shares"])
@pytest.mark.parametrize("labelled", [False, True])
@given(values=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_defaults_of_any_few_items_keep_to_what_there_can_be(
    kind: str, labelled: bool, values: list[tuple[int, int]]
) -> None:
    a, b = np.array(values, dtype=float).T / 4
    if kind == "answers":
        a, b = a.round(), b.round()
    experiment = made(a, b, [i // 2 for i in range(len(a))] if labelled else None, (0.0, 1.0))
    if experiment.design.n_units < 2:
        return
    pair = GainContrast(experiment, 0, 1)
    for found, least in ((gain_interval(pair)[0], -1), (score_interval(experiment, 0, 1)[0], 0)):
        assert found is not None
        assert least <= found[0] <= found[1] <= 1
    p = tests.make("t").run(pair).p_value
    ends = gain_interval(pair)[0]
    if p is not None and kind == "shares" and not pair.identical and not pair.binary and abs(p - 0.05) > 1e-9:
        assert ends is not None
        assert (ends[0] > 0 or ends[1] < 0) == (p < 0.05)


def test_folding_leaves_near_ends_and_bends_far_ones_without_a_corner() -> None:
    values = np.random.default_rng(0).random((2, 10))
    gain = GainContrast(made(values[0], values[1], limits=(0.0, 1.0)), 0, 1)
    way = 1 - gain.value
    at = np.linspace(0, 4, 4001) * way
    bent = np.array([fold(gain, (gain.value, gain.value + end))[1] for end in at]) - gain.value
    near = at <= way / 2
    assert bent[near] == pytest.approx(at[near], abs=1e-12)
    slope = np.diff(bent) / np.diff(at)
    assert np.all(slope > 0)
    assert np.all(np.abs(np.diff(slope)) < 3e-3)
    assert bent[-1] < way


def counts_of(seed: int, n: int) -> Float:
    return np.random.default_rng(seed).integers(1, 6, (1, n, 3)).astype(float)


def corpus_pair(n: int, resamples: int) -> GainContrast:
    """A corpus score of two systems that is no ratio of sums."""
    stats_of = corpus_stats([counts_of(1, n), counts_of(2, n)], lambda sums: np.sqrt(sums[..., 0] / sums[..., 1]))
    return GainContrast(experiment(stats_of, settings=settings(resamples)), 0, 1)


@pytest.mark.parametrize(
    ("n", "resamples", "level", "method"),
    [
        (240, 400, 0.95, "bca bootstrap interval"),  # ten resamples beyond each end
        (240, 399, 0.95, "delta method interval"),
        (240, 80, 0.75, "bca bootstrap interval"),
        (240, 79, 0.75, "delta method interval"),
        (199, 4000, 0.95, "delta method interval"),
    ],
)
def test_a_level_far_out_asks_for_ten_resamples_beyond_each_end(
    n: int, resamples: int, level: float, method: str
) -> None:
    pair = corpus_pair(n, resamples)
    assert gain_interval(pair, None, level)[1] == method
    needed = needed_for_gain(pair, tests.make("randomization").run(pair), None, level)
    assert needed == ((BOOTSTRAP,) if "bca" in method else ())


@pytest.mark.parametrize(("n", "method"), [(210, "delta method interval"), (240, "bca bootstrap interval")])
def test_corpus_scores_of_two_hundred_effective_items_are_resampled(n: int, method: str) -> None:
    pair = corpus_pair(n, 50)
    assert (pair.n_effective >= 200) == ("bca" in method)
    assert gain_interval(pair)[1] == method
    assert score_interval(pair.resamples, 0, 1)[1] == method


def test_errors_of_selection_need_resamples_of_sums_of_two_units_alone() -> None:
    one, two = (experiment(f1_stats([counts_of(1, n), counts_of(2, n)]), settings=settings(9)) for n in (1, 2))
    assert needed_for_errors(one) == ()
    assert needed_for_errors(two) == (BOOTSTRAP,)
    means = mean_stats([np.zeros((1, 4)), np.ones((1, 4))])
    assert needed_for_errors(experiment(means, settings=settings(9))) == ()
    clusters = mean_stats([np.zeros((1, 4)), np.ones((1, 4))], np.array([0, 0, 1, 1]))
    assert needed_for_errors(experiment(clusters, settings=settings(9))) == (BOOTSTRAP,)
    both = experiment(means, f1_stats([counts_of(1, 4), counts_of(2, 4)]), settings=settings(9))
    assert needed_for_errors(both) == (BOOTSTRAP,)


@pytest.mark.parametrize("unit", [0.01, 0.25, 1.0, 3.0])
def test_the_error_of_selection_is_in_the_units_of_the_scores(unit: float) -> None:
    values = unit * np.array([[1.0, 4.0, 2.0, 7.0, 3.0], [2.0, 3.0, 3.0, 9.0, 1.0]])
    found = selection_error(support.experiment(support.mean_stats([values]), settings=support.settings(9)), 0, 0)
    errors = [math.sqrt(sum((v - sum(run) / 5) ** 2 for v in run) / 5 / 5) for run in values.tolist()]
    assert found == pytest.approx(sum(errors) / 2)


def test_two_items_are_enough_for_what_asks_for_two() -> None:
    d = np.array([[1.0, 3.0], [2.0, 5.0]])
    base = np.array([[0.0, 1.0], [1.0, 0.5]])
    found = tests.make("crossed").run(pairing(d, base, settings(9)))
    assert found.p_value is not None and found.p_kind == ASYMPTOTIC
    one = tests.make("crossed").run(pairing(d[:, :1], base[:, :1], settings(9)))
    assert one.p_value is None and [n.code for n in one.notes] == ["n_too_small"]
    same = tests.make("crossed").run(pairing(d, d, settings(9)))
    assert same.p_value == 1.0 and same.notes == (IDENTICAL,)
    whole = experiment(mean_stats([d[:1], d]), settings=settings(9))
    assert selection_error(whole, 0, 0) == pytest.approx(1.0 / math.sqrt(2))
    assert selection_error(whole, 0, 1) == pytest.approx((1.0 + 1.5) / 2 / math.sqrt(2))
    assert selection_error(experiment(mean_stats([d[:1, :1]] * 2), settings=settings(9)), 0, 0) is None


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_an_interval_with_one_end_goes_on_without_limit_where_gains_have_none(alternative: Alternative) -> None:
    ends, _, _ = gain_interval(pair_of_shape("29 items", alternative))
    assert ends is not None
    both, _, _ = gain_interval(pair_of_shape("29 items"), level=0.9)
    assert both is not None
    expected = (both[0], math.inf) if alternative == "greater" else (-math.inf, both[1])
    assert ends == pytest.approx(expected)


def so_many_right(right: int, n: int, runs: int = 1) -> Resamples:
    """A system that has so many of n items right, and one that has all."""
    values = np.repeat((np.arange(n) < right).astype(float)[None], runs, axis=0)
    stats_of = mean_stats([np.ones_like(values), values])
    stats_of.limits = (0.0, 1.0)
    return experiment(stats_of, settings=settings(50))


@pytest.mark.parametrize(("right", "beyond"), [(0, False), (1, True), (19, True), (20, False)])
def test_an_interval_that_ends_at_a_limit_is_not_beyond_it(right: int, beyond: bool) -> None:
    """Wald's interval is one point where all are right or all wrong, and wider than the scale beside these."""
    for name, said in (("wald", beyond), ("clopper-pearson", False)):
        found = score_interval(so_many_right(right, 20), 0, 1, intervals.make(name))
        assert found[0] is not None
        assert (notes.BEYOND_LIMITS in found[2]) is said


@pytest.mark.parametrize(("runs", "one"), [(1, True), (2, False)])
def test_right_or_wrong_items_of_one_run_have_wilsons_interval(runs: int, one: bool) -> None:
    assert (score_interval(so_many_right(12, 20, runs), 0, 1)[1] == "Wilson interval") is one


@pytest.mark.parametrize("n", [1, 2, 3])
def test_two_units_are_enough_for_an_interval_and_an_error(n: int) -> None:
    draw = np.random.default_rng(4)
    values = [draw.normal(size=(1, n)) for _ in range(2)]
    means, sums = mean_stats(values), f1_stats(list(draw.integers(1, 6, (2, 1, n, 3)).astype(float)))
    for stats_of in (means, sums):
        made = experiment(stats_of, settings=settings(50))
        error, plain = selection_error(made, 0, 1), plain_interval(GainContrast(made, 0, 1))
        assert (error is None) is (n == 1)
        assert (plain is None) is (n == 1)
        assert (needed_for_score(made, 0, 1, intervals.make("bca")) == ()) is (n == 1)
    expected = None if n == 1 else float(values[1].std() / math.sqrt(n))
    assert selection_error(experiment(means, settings=settings(50)), 0, 1) == (expected and pytest.approx(expected))


def test_the_score_of_one_item_has_no_interval() -> None:
    mean, ratio = mean_stats([np.zeros((1, 1)), np.ones((1, 1))]), f1_stats([np.ones((1, 1, 3))] * 2)
    for stats_of in (mean, ratio):
        assert score_interval(experiment(stats_of, settings=settings(9)), 0, 1)[:2] == (None, "undefined")
