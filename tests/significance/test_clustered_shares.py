"""Shares and their gains in clusters, over runs and near their limits: intervals that keep to what there can be."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

import outscore
from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.significance import tests
from outscore.significance.confidence import choose_interval, fold, gain_interval, score_interval
from outscore.significance.gain import GainContrast
from outscore.significance.means import cluster_t, clusters_of
from outscore.significance.proportions import clustered_proportions, tango, tango_score, tango_spread
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

Labels = list[int]


def made(
    a: Float, b: Float, labels: Labels | None = None, limits: tuple[float, float] | None = None, alpha: float = 0.05
) -> Resamples:
    """The baseline's and the system's values ``(runs, items)`` under a mean."""
    design = Design(a.shape[-1], None if labels is None else np.array(labels))
    columns = [np.stack([s, np.ones_like(s)], axis=-1) for s in (np.atleast_2d(a), np.atleast_2d(b))]
    stats = Statistics("share", columns, lambda sums: sums[..., 0] / sums[..., 1], design, per_item=True, limits=limits)
    return Resamples(("base", "new"), [stats], 0, Settings(alpha=alpha, n_resamples=99))


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


@pytest.mark.parametrize("seed", range(12))
def test_p_and_interval_of_clustered_answers_are_one_law(seed: int) -> None:
    a, b, labels = drawn(seed, [6] * 9)
    a[:6], b[:6] = 0.0, 1.0  # a gain of 0 has no level that leaves it out
    pair = GainContrast(made(a, b, labels), 0, 1)
    p = tests.make("t").run(pair).p_value
    assert p == pytest.approx(cluster_t(b - a, np.array(labels)).p, rel=1e-12)
    assert p is not None
    assert p < 0.99
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
    """Always right against always wrong: that is no crossed t interval, and is not printed as one."""
    found = outscore.compare({"right": np.ones((3, 20)), "wrong": np.zeros((4, 20))}, metrics="accuracy")
    (pair,) = found.pairs
    assert (pair.ci_method, pair.p_value) == ("degenerate", None)
    assert "CI [-1.000" not in found.sentence


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


def test_unequal_clusters_have_the_design_effect_of_kish() -> None:
    """Five clusters of 40 and twenty of 2 at a correlation of .3: the mean size says 3.2."""
    sizes = [40] * 5 + [2] * 20
    labels = np.repeat(np.arange(25), sizes)
    rng = np.random.default_rng(1)
    values = rng.normal(size=25)[labels] * math.sqrt(0.3) + rng.normal(size=240) * math.sqrt(0.7)
    found = clusters_of(values, labels)
    assert found.design_effect == pytest.approx(1 + (8080 / 240 - 1) * found.icc, rel=1e-12)
    assert pytest.approx(10.8) == 1 + (8080 / 240 - 1) * 0.3
    assert found.n_effective == pytest.approx(240 / found.design_effect, rel=1e-12)


@pytest.mark.slow
def test_twenty_clusters_of_real_numbers_are_enumerated_where_exchanges_are_asked_for() -> None:
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(18), 3).tolist()
    d = rng.normal(0.3, 1, 54)
    outcome = tests.make("randomization").run(GainContrast(made(np.zeros(54), d, labels), 0, 1))
    sums = np.add.reduceat(d, np.arange(0, 54, 3))
    flips = np.array([[1 - 2 * (k >> i & 1) for i in range(18)] for k in range(2**18)], dtype=np.int8)
    expected = float((np.abs(flips @ sums) >= abs(sums.sum()) - 1e-9).mean())
    assert outcome.p_kind == "exact"
    assert outcome.p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("clusters", "reachable"), [(5, False), (6, True)])
def test_exchanges_of_five_clusters_cannot_reach_alpha_and_say_so(clusters: int, reachable: bool) -> None:
    d = np.random.default_rng(clusters).normal(2, 1, clusters * 4)
    items = {"doc": [f"d{i // 4}" for i in range(clusters * 4)]}
    found = outscore.compare({"a": np.zeros(len(d)), "b": d}, items=items, cluster="doc", test="randomization")
    assert ("alpha_unattainable" in found.pairs[0].notes) != reachable
