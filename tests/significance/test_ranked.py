"""Rankings: contributions by the jackknife, exchanges item by item, and mid-ranks."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float, Int
from outscore.engine.design import Design
from outscore.significance import tests
from outscore.significance.gain import GainContrast
from outscore.significance.ranked import RankedStatistics
from tests.laws.support import experiment, settings


def auc(rows: Float, weights: Float) -> Float:
    """The weighted share of pairs that are ranked as their labels say, ties half; weights ``(..., items)``."""
    label, value = rows[:, 0], rows[:, -1]
    right = np.where(value[:, None] > value[None], 1.0, np.where(value[:, None] == value[None], 0.5, 0.0))
    ordered = right * (label[:, None] > label[None])
    both = (label[:, None] > label[None]).astype(float)
    found = np.einsum("...i,ij,...j->...", weights, ordered, weights)
    return np.asarray(found / np.einsum("...i,ij,...j->...", weights, both, weights))


def ranked(n: int, seed: int, labels: Int | None = None, runs: tuple[int, int] = (1, 1)) -> RankedStatistics:
    draw = np.random.default_rng(seed)
    truth = np.resize([0.0, 1.0, 1.0], n)
    systems = [
        np.stack([np.stack([truth, truth * wide + draw.normal(size=n).round(1)], axis=-1) for _ in range(r)])
        for r, wide in zip(runs, (0.5, 1.5), strict=True)
    ]
    return RankedStatistics("auc", systems, auc, Design(n, labels))


@pytest.mark.parametrize("labels", [None, np.array([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])])
def test_contributions_to_a_ranking_are_those_of_the_jackknife(labels: Int | None) -> None:
    measured = ranked(12, 1, labels)
    units = np.arange(12) if labels is None else labels
    n = len(set(units.tolist()))
    for system in (0, 1):
        rows = measured.items[system][0] * measured.units
        without = np.array([float(auc(rows[units != u], np.ones((units != u).sum()))) for u in range(n)])
        assert measured.without_units[system][0] == pytest.approx(without)
        assert measured.contributions[system] == pytest.approx((n - 1) / n * (without.mean() - without))
        assert measured.run_scores[system][0] == pytest.approx(float(auc(rows, np.ones(12))))
        alone = [float(auc(np.delete(rows, i, axis=0), np.ones(11))) for i in range(12)]
        assert measured.leave_one_out(system)[0] == pytest.approx(alone)
    assert measured.n_decisive == (4 if labels is None else len(set(units[::3].tolist())))


@pytest.mark.parametrize("runs", [(1, 1), (2, 1), (2, 3)])
def test_rankings_are_exchanged_item_by_item_with_all_runs_at_equal_weight(runs: tuple[int, int]) -> None:
    measured = ranked(6, 2, None, runs)
    common = math.lcm(*runs)
    whole = [np.repeat(measured.items[s], common // runs[s], axis=0) * measured.units for s in (0, 1)]

    def gain(moved: tuple[bool, ...]) -> float:
        there = np.array(moved)[None, :, None]
        sides = [np.repeat(w, 1, axis=0) for w in whole]
        one = np.concatenate([sides[1][:, ~there[0, :, 0]], sides[0][:, there[0, :, 0]]], axis=1).reshape(-1, 2)
        two = np.concatenate([sides[0][:, ~there[0, :, 0]], sides[1][:, there[0, :, 0]]], axis=1).reshape(-1, 2)
        return float(auc(one, np.ones(len(one))) - auc(two, np.ones(len(two))))

    pair = GainContrast(experiment(measured, settings=settings(1999)), 0, 1)
    seen = gain((False,) * 6)
    assert pair.pooled_gain == pytest.approx(seen)
    hits = sum(abs(gain(moved)) >= abs(seen) - 1e-12 for moved in product((False, True), repeat=6))
    found = tests.make("randomization").run(pair)
    assert found.p_value == pytest.approx(hits / 64, abs=0.06)


def test_a_ranking_is_kept_as_its_mid_ranks() -> None:
    values = np.array([0.3, 9.0, 0.3, -1.0, 2.0, 2.0, 2.0])
    rows = np.stack([np.resize([0.0, 1.0], 7), values], axis=-1)[None]
    measured = RankedStatistics("auc", [rows, rows], lambda r, w: w.sum(axis=-1) + r.sum(), Design(7))
    assert measured.items[0][0, :, 1] * measured.units[1] == pytest.approx(stats.rankdata(values))
    assert measured.items[0][0, :, 0].tolist() == rows[0, :, 0].tolist()
