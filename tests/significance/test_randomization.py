"""Randomization of pairs: enumerated, sampled, and by the saddlepoint."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

import outscore
from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.engine.design import Design
from outscore.engine.extreme import Alternative
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from outscore.metrics import metrics
from outscore.significance import EXACT, SADDLEPOINT, tests
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.laws.support import corpus_stats, experiment, pairing, ratio_stats, settings
from tests.significance.pairs import RIGHT_A, RIGHT_B, every_side, verdict
from tests.significance.test_confidence import made


def pair_of_columns(metric: str, a: Float, b: Float, **choices: Any) -> GainContrast:
    """Two systems with columns x and y, one row per item."""
    made = metrics.make(metric)
    columns = [made.statistics(Items(n=len(v), columns={"x": v[:, 0], "y": v[:, 1]}))[None] for v in (a, b)]
    stats = Statistics(metric, columns, made.score, Design(len(a)), per_item=made.per_item, ratio=made.ratio())
    return GainContrast(Resamples(("a", "b"), [stats], 0, Settings(**choices)), 0, 1)


def enumerated(pair: GainContrast, a: Float, b: Float, score: Any, alternative: Alternative) -> float:
    """The share of all 2^n exchanges whose gain is at least as large, by plain loops."""
    observed = score(b.sum(axis=0)) - score(a.sum(axis=0))
    exceedances = 0
    for swap in itertools.product((False, True), repeat=len(a)):
        first = sum((b if s else a)[i] for i, s in enumerate(swap))
        second = sum((a if s else b)[i] for i, s in enumerate(swap))
        gain = score(second) - score(first)
        if alternative == "greater":
            exceedances += gain >= observed - 1e-12
        elif alternative == "less":
            exceedances += gain <= observed + 1e-12
        else:
            exceedances += abs(gain) >= abs(observed) - 1e-12
    return float(exceedances / 2 ** len(a))


@every_side
@hypothesis_settings(max_examples=20)
@given(rows=st.lists(st.tuples(*[st.integers(0, 4)] * 2, *[st.integers(1, 4)] * 2), min_size=1, max_size=7))
@pytest.mark.parametrize("metric", ["mean:column=x", "ratio:num=x,den=y", "mean:column=x,weight=y"])
def test_randomization_is_the_enumeration(metric: str, alternative: Alternative, rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=float)
    a, b = table[:, [0, 2]], table[:, [1, 3]]
    pair = pair_of_columns(metric, a, b, alternative=alternative)
    found = tests.make("randomization").run(pair)
    assert found.p_kind == "exact"
    if metric == "mean:column=x":
        expected = enumerated(pair, a, b, lambda s: s[0] / len(a), alternative)
    elif metric.startswith("ratio"):
        expected = enumerated(pair, a, b, lambda s: s[0] / s[1], alternative)
    else:
        a, b = (np.stack([v[:, 0] * v[:, 1], v[:, 1]], axis=1) for v in (a, b))
        expected = enumerated(pair, a, b, lambda s: s[0] / s[1], alternative)
    assert found.p_value == pytest.approx(expected, abs=1e-12)


def test_permuted_sets_of_several_runs_are_scored_by_means_over_runs() -> None:
    """A score that is no ratio, of which thrice as much is not the same; one item stays, as all swapped is none."""
    draw = np.random.default_rng(1)
    a, b = (draw.integers(0, 9, (runs, 3, 1)).astype(float) for runs in (2, 3))
    held = Statistics("square", [a, b], lambda sums: sums[..., 0] ** 2, Design(3))
    found = held.randomize([(0, 1)], Sampling(96, 1, Runtime())).values[0]
    first, second = a.mean(axis=0)[:, 0], b.mean(axis=0)[:, 0]
    swaps = np.array(list(itertools.product((False, True), repeat=3)))
    gains = np.where(swaps, second, first).sum(axis=1) ** 2 - np.where(swaps, first, second).sum(axis=1) ** 2
    np.testing.assert_allclose(np.unique(np.abs(found).round(9)), np.unique(np.abs(gains).round(9)))


@pytest.mark.parametrize("runs", [(1, 1, 1), (2, 3, 2)], ids=["one run", "other numbers of runs"])
def test_permuted_sets_of_a_pair_are_the_same_alone_or_among_all_pairs(runs: tuple[int, ...]) -> None:
    """Columns are those of differences where pairs are few, and those of each system where they are many."""
    draw = np.random.default_rng(2)
    rows = [draw.integers(0, 9, (number, 40, 3)).astype(float) for number in runs]
    held = Statistics("square", rows, lambda sums: sums[..., 0] ** 2 / (1 + sums[..., 1] + sums[..., 2]), Design(40))
    sampling = Sampling(640, 1, Runtime())
    every = held.randomize([(1, 0), (2, 0), (2, 1)], sampling).values
    few = held.randomize([(1, 0), (2, 0)], sampling).values
    assert np.unique(few).size > 100
    np.testing.assert_array_equal(few, every[:2])


def test_the_smallest_p_of_many_items_is_not_cut_off() -> None:
    a, b = np.zeros((60, 2)), np.ones((60, 2))
    assert tests.make("randomization").run(pair_of_columns("mean:column=x", a, b)).p_min == 2 * 0.5**60


@every_side
def test_sampled_randomization_is_near_the_exact(alternative: Alternative) -> None:
    exact = verdict(RIGHT_A, RIGHT_B, "randomization", alternative=alternative)
    sampled = verdict(RIGHT_A, RIGHT_B, "randomization:exact=never", alternative=alternative, n_resamples=20000)
    assert (exact.p_kind, sampled.p_kind) == ("exact", "monte-carlo")
    assert exact.p_value is not None
    assert sampled.p_value is not None
    # 4.5 standard errors: a false alarm in 150 000, and the seed is fixed
    assert sampled.p_error is not None
    assert abs(sampled.p_value - exact.p_value) < 4.5 * sampled.p_error + 1 / 20001
    # cyclic resamples have up to twice the variance of independent ones, as a rule as much or less
    error = math.sqrt(exact.p_value * (1 - exact.p_value) / 20000)
    assert 0.4 * error < sampled.p_error < 1.7 * error


def test_randomization_exchanges_whole_clusters() -> None:
    labels = [f"c{i % 8}" for i in range(80)]
    d = RIGHT_B - RIGHT_A
    sums = np.array([d[[label == f"c{k}" for label in labels]].sum() for k in range(8)])
    flips = np.array(list(itertools.product((-1, 1), repeat=8))) @ sums
    expected = np.mean(np.abs(flips) >= abs(sums.sum()))
    found = verdict(RIGHT_A, RIGHT_B, "randomization", items={"cluster": labels})
    assert found.p_value == pytest.approx(expected)
    assert found.p_value != pytest.approx(verdict(RIGHT_A, RIGHT_B, "randomization").p_value, rel=1e-3)


def test_randomization_moves_all_runs_of_an_item_together() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.integers(0, 5, (3, 12)), rng.integers(0, 6, (3, 12))
    d = b.sum(axis=0) - a.sum(axis=0)
    flips = np.array(list(itertools.product((-1, 1), repeat=12))) @ d
    expected = np.mean(np.abs(flips) >= abs(d.sum()))
    assert verdict(a.astype(float), b.astype(float), "randomization").p_value == pytest.approx(expected)


def test_decimal_scores_tie_as_on_paper() -> None:
    """0.1 + 0.2 and 0.3 are a tie; naive floating sums would miss it."""
    d = np.array([0.1, 0.2, -0.3, 0.1, 0.2, 0.3])
    flips = np.array(list(itertools.product((-1, 1), repeat=6))) @ np.rint(10 * d)
    expected = np.mean(np.abs(flips) >= abs(np.rint(10 * d).sum()))
    assert verdict(np.zeros(6), d, "randomization").p_value == pytest.approx(expected, abs=1e-15)


def grown(sums: Float) -> Float:
    """A score of sums that is no ratio."""
    return np.asarray(np.log1p(sums[..., 0]))


@pytest.mark.parametrize("unit", [1.0, 2.0, 0.5])
def test_gains_of_exchanged_units_are_in_the_units_of_the_statistics(unit: float) -> None:
    # every unit is a gain, so that only both whole exchanges reach it
    a, b = np.array([[3.0], [5.0], [2.0], [6.0], [4.0], [3.0]]) * unit, np.ones((6, 1)) * unit
    pair = GainContrast(experiment(corpus_stats([b[None], a[None]], grown), settings=settings(2999)), 0, 1)
    assert pair.pooled_gain == pytest.approx(math.log1p(a.sum()) - math.log1p(b.sum()))
    found = tests.make("randomization:exact=never").run(pair)
    assert found.p_value == pytest.approx(2 / 64, abs=0.012)
    exact = tests.make("randomization").run(pair)
    assert (exact.p_value, exact.p_min) == pytest.approx((2 / 64, 2 / 64))


def test_ratios_of_halves_have_an_exact_law_too() -> None:
    draw = np.random.default_rng(4)
    rows = np.stack([draw.integers(0, 9, (2, 1, 40)) / 2, draw.integers(1, 5, (2, 1, 40)).astype(float)], axis=-1)
    measured = ratio_stats(list(rows))
    found = tests.make("randomization").run(GainContrast(experiment(measured, settings=settings(99)), 0, 1))
    again = tests.make("randomization:exact=never").run(
        GainContrast(experiment(measured, settings=settings(3999)), 0, 1)
    )
    assert found.p_kind == EXACT and found.p_value == pytest.approx(again.p_value, abs=0.035)


def test_fewer_than_ten_permutations_that_reach_the_gain_leave_it_to_the_saddlepoint() -> None:
    d = np.random.default_rng(5).normal(size=40)
    seen = set()
    for shift in np.linspace(0.3, 0.5, 22):
        pair = pairing((d - d.mean() + shift)[None], np.zeros((1, 40)), settings(1999, 3))
        sampled = tests.make("randomization:exact=never").run(pair)
        again = tests.make("randomization").run(pair)
        assert sampled.p_value is not None and again.p_value is not None
        hits = round(sampled.p_value * 2000) - 1
        seen.add(hits)
        assert (again.p_kind == SADDLEPOINT) == (hits < 10), hits
        if hits < 10:
            moved = d - d.mean() + shift
            normal = 2 * float(stats.norm.sf(moved.sum() / math.sqrt((moved**2).sum())))
            assert 0.3 * normal < again.p_value < 1.2 * normal  # tails of exchanges are thinner
    assert min(seen) < 10 < max(seen)


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
