"""Runs and items together: mean squares, t by plain loops, and the least freedom."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats

import outscore
from outscore.base.errors import UsageError
from outscore.significance import crossed
from outscore.significance.crossed import crossed_t, run_tables
from outscore.significance.means import cluster_t, freedom
from outscore.significance.p_values import student_quantile
from outscore.significance.runs import run_permutation_p
from tests.laws.support import pairing, settings
from tests.run_tables import additive, corpus
from tests.significance.pairs import RUNS_A, RUNS_B, A, B, verdict


def run_table(runs: int, items: int, seed: int) -> crossed.RunTable:
    return additive(np.random.default_rng(seed).normal(size=(runs, items)))


@pytest.mark.parametrize(("runs_a", "runs_b"), [(3, 3), (2, 5)])
def test_mean_squares_split_the_sum_of_squares(runs_a: int, runs_b: int) -> None:
    for runs in (runs_a, runs_b):
        system = run_table(runs, 7, runs)
        found = crossed.components(system)
        total = float(((system.values - system.values.mean()) ** 2).sum())
        parts = found.ms_run * (runs - 1) + found.ms_item * 6 + found.ms_residual * (runs - 1) * 6
        assert parts == pytest.approx(total)
        assert found.run_variance == pytest.approx(found.ms_run / 7)


@pytest.mark.parametrize("variant", ["conservative", "satterthwaite"])
@pytest.mark.parametrize("runs", [(2, 4), (4, 3), (3, 3)])
def test_crossed_t_by_loops(runs: tuple[int, int], variant: crossed.Variant) -> None:
    a, b = run_table(runs[0], 6, 1), run_table(runs[1], 6, 2)
    n, v1, residual, below, of_runs, squares = 6, 0.0, 0.0, 0.0, 0.0, 0.0
    for s in (a, b):
        y = s.values.tolist()
        r = len(y)
        run = [sum(row) / n for row in y]
        item = [sum(y[k][i] for k in range(r)) / r for i in range(n)]
        grand = sum(run) / r
        s2 = sum((m - grand) ** 2 for m in run) / (r - 1)
        left = sum((y[k][i] - run[k] - item[i] + grand) ** 2 for k in range(r) for i in range(n))
        v1 += s2 / r
        of_runs += s2 / r
        squares += s2 * (r - 1)
        below += (s2 / r) ** 2 / (r - 1)
        residual += left / ((r - 1) * (n - 1)) / (r * n)
    d = [float(x) for x in a.values.mean(axis=0) - b.values.mean(axis=0)]
    items = sum((x - sum(d) / n) ** 2 for x in d) / (n - 1) / n
    twice = 0.0 if variant == "conservative" else residual
    pooled = squares / (sum(runs) - 2) * (1 / runs[0] + 1 / runs[1])

    def df_of(run_part: float, below: float) -> float:
        return max(run_part + items - twice, items) ** 2 / (below + items**2 / (n - 1))

    df = df_of(of_runs, below)
    if runs[0] != runs[1]:
        f, many = sorted(r - 1 for r in runs)
        most = 2 * f * (1 + f / many)
        df = min(df, df_of(of_runs, of_runs**2 / most), df_of(pooled, pooled**2 / most))
    found = crossed.crossed_t(a, b, variant=variant).test
    assert found.se == pytest.approx(math.sqrt(max(of_runs + items - twice, items)))
    assert found.df == pytest.approx(max(df, min(*runs, n) - 1))
    assert found.estimate == pytest.approx(sum(d) / n)
    together = crossed.crossed_t(a, b, variant=variant, variances="pooled").test
    assert together.se == pytest.approx(math.sqrt(max(pooled + items - twice, items)))
    floor = min(sum(runs) - 1, n) - 1
    assert together.df == pytest.approx(max(df_of(pooled, pooled**2 / (sum(runs) - 2)), floor))
    mirrored = crossed.crossed_t(b, a, variant=variant, alternative="less").test
    assert mirrored.p == pytest.approx(crossed.crossed_t(a, b, variant=variant, alternative="greater").test.p)


def test_crossed_variance_never_falls_below_that_of_the_items() -> None:
    # runs with equal scores and a large residual: V1 - V_res would be smaller than the item part
    noise = np.array([[1.0, -1.0, 2.0, -2.0, 3.0, -3.0], [-1.0, 1.0, -2.0, 2.0, -3.0, 3.0]])
    items = np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.4])
    found = crossed.crossed_mean(additive(items + noise))
    assert found.variance_residual > found.variance_runs
    assert found.test.se == pytest.approx(items.std(ddof=1) / math.sqrt(6))


def test_crossed_mean_is_crossed_t_against_a_constant_system() -> None:
    a = run_table(3, 8, 4)
    nothing = additive(np.zeros((3, 8)))
    one, two = crossed.crossed_mean(a), crossed.crossed_t(a, nothing)
    assert (one.test.se, one.test.df, one.test.low) == pytest.approx((two.test.se, two.test.df, two.test.low))


def test_pseudo_values_of_a_mean_are_the_items() -> None:
    y = np.random.default_rng(9).normal(size=(2, 5))
    rows = np.stack([y, np.ones_like(y)], axis=-1)
    found = corpus(rows, lambda s: s[..., 0] / s[..., 1])
    np.testing.assert_allclose(found.values, y, rtol=1e-12)
    np.testing.assert_allclose(found.run_scores, y.mean(axis=1), rtol=1e-12)


def test_order_of_runs_never_matters() -> None:
    a, b = run_table(4, 9, 5), run_table(3, 9, 6)
    turned = crossed.RunTable(run_scores=a.run_scores[::-1], values=a.values[::-1])
    assert crossed.crossed_t(turned, b).test.p == pytest.approx(crossed.crossed_t(a, b).test.p)
    permuted = run_permutation_p(turned.run_scores, b.run_scores)
    assert permuted == run_permutation_p(a.run_scores, b.run_scores)


def test_one_run_cannot_be_crossed() -> None:
    with pytest.raises(UsageError, match="two runs"):
        crossed.crossed_t(run_table(1, 5, 1), run_table(3, 5, 2))
    with pytest.raises(UsageError, match="same items"):
        crossed.crossed_t(run_table(2, 5, 1), run_table(3, 6, 2))
    assert math.isnan(crossed.components(run_table(1, 5, 1)).ms_run)


def test_crossed_degrees_of_freedom_never_fall_below_those_of_the_poorest_part() -> None:
    # noise between items that runs do not share makes the subtracted part as large as the whole part of runs
    rng = np.random.default_rng(0)
    least = []
    for _ in range(200):
        a, b = (additive(rng.normal(size=(2, 12))) for _ in range(2))
        found = crossed.crossed_t(a, b).test
        least.append(found.df)
        assert found.high - found.low <= 2 * 12.7063 * found.se
    assert min(least) == 1.0


def test_degrees_of_freedom_are_those_of_satterthwaite_and_of_the_fewer_runs() -> None:
    parts, items = [0.3, 0.2], 0.4
    whole = (0.3 + 0.2 + 0.4) ** 2 / (0.3**2 / 4 + 0.2**2 / 4 + 0.4**2 / 19)
    assert freedom(parts, (5, 5), items, 20) == pytest.approx(whole)
    less = (0.9 - 0.1) ** 2 / (0.3**2 / 4 + 0.2**2 / 4 + 0.4**2 / 19)
    assert freedom(parts, (5, 5), items, 20, 0.1) == pytest.approx(less)
    assert freedom(parts, (5, 5)) == pytest.approx(0.5**2 / (0.3**2 / 4 + 0.2**2 / 4))
    assert freedom([0.3, 1e-9], (2, 20)) <= 2
    assert freedom([1e-9, 0.3], (4, 20)) == pytest.approx(19, rel=1e-6)  # one part has its own
    assert freedom([0.3, 1e-9], (4, 20)) == pytest.approx(3, rel=1e-6)


@pytest.mark.parametrize("runs", [(41, 121), (61, 501)])
def test_the_critical_value_of_unequal_runs_is_that_of_aspin(runs: tuple[int, int]) -> None:
    # her series for a two-sided 5 % (Aspin 1948); what is left is of third order, the term itself is more
    z = 1.959964
    for share in (0.2, 0.3, 0.5, 0.8):
        c, f = (share, 1 - share), [r - 1 for r in runs]
        over = {(k, m): sum(x**k / y**m for x, y in zip(c, f, strict=True)) for k, m in ((2, 1), (2, 2), (3, 2))}
        series = 1 + (1 + z**2) / 4 * over[2, 1] - (1 + z**2) / 2 * over[2, 2]
        series += (3 + 5 * z**2 + z**4) / 3 * over[3, 2] - (15 + 32 * z**2 + 9 * z**4) / 32 * over[2, 1] ** 2
        welch = 1 / over[2, 1]
        weight = 1 - min(f) / max(f)  # how far it goes from Satterthwaite's to hers
        hers = (1 - weight) * scipy.stats.t.isf(0.025, welch) + weight * z * series
        ours = scipy.stats.t.isf(0.025, freedom(c, runs))
        assert ours == pytest.approx(hers, abs=4 / min(f) ** 3), share


@pytest.mark.parametrize("items", [2, 5])
def test_runs_and_items_that_do_not_vary_have_the_freedom_of_the_items(items: int) -> None:
    pair = pairing(np.full((3, items), 0.75), np.full((2, items), 0.25), settings(9))
    found = crossed_t(*run_tables(pair)).test
    assert (found.df, found.degenerate) == (items - 1, "zero_variance")
    assert found.estimate == pytest.approx(0.5)


def test_crossed_does_not_depend_on_how_runs_are_paired() -> None:
    found = verdict(RUNS_A, RUNS_B, "crossed")
    again = verdict(RUNS_A[[2, 0, 1]], RUNS_B[::-1], "crossed")
    assert again.p_value == pytest.approx(found.p_value, rel=1e-9)
    assert again.ci == pytest.approx(found.ci, rel=1e-9)


def test_crossed_is_more_careful_than_either_question_alone() -> None:
    error = {name: float(verdict(RUNS_A, RUNS_B, name).effect["se"] or 0) for name in ("t", "runs", "crossed")}
    assert error["crossed"] >= error["t"]
    conservative = float(verdict(RUNS_A, RUNS_B, "crossed:variant=conservative").effect["se"] or 0)
    assert conservative >= error["crossed"]
    # the variance of independent run and item parts, of which the residual was counted twice
    assert conservative == pytest.approx(math.hypot(error["t"], error["runs"]), rel=0.25)


def test_crossed_finds_no_variance_of_runs_where_runs_are_copies() -> None:
    a, b = np.tile(A, (3, 1)), np.tile(B, (3, 1))
    assert verdict(a, b, "crossed").effect["share_of_variance_from_runs"] == pytest.approx(0, abs=1e-9)
    assert verdict(a, b, "crossed").effect["se"] == pytest.approx(verdict(A, B, "t").effect["se"])


@pytest.mark.parametrize(
    ("n", "far", "runs", "named"),
    [(60, 50.0, 3, True), (20, 50.0, 2, True), (19, 50.0, 2, False), (60, 3.0, 3, False), (60, 50.0, 1, False)],
)
def test_one_item_of_which_the_mean_of_runs_hangs_is_noted(n: int, far: float, runs: int, named: bool) -> None:
    """Games with scales of their own, some runs each: the largest is the mean."""
    rng = np.random.default_rng(n)
    base = [rng.normal(size=n) for _ in range(runs)]
    new = [rng.normal(1, size=n) + far * (np.arange(n) == 7) for _ in range(runs)]
    found = outscore.compare({"base": base, "new": new}, test="crossed" if runs > 1 else "t")
    told = [note.text for note in found.notes if note.code == "few_items_decide"]
    text = "one item (or cluster) carries more than half of the variance of the differences: it decides alone"
    assert told == [text] * named


@pytest.mark.parametrize("runs", [(3, 3), (2, 5), (4,)])
def test_means_in_unequal_clusters_have_cr2_variances_and_their_degrees_of_freedom(runs: tuple[int, ...]) -> None:
    """Each part is CR2 of items themselves, of which ``cluster_t`` agrees with clubSandwich."""
    rng, labels = np.random.default_rng(1), np.repeat(range(5), [1, 2, 2, 5, 12])
    hard = rng.normal(size=5)[labels]
    systems = [hard + 2 * rng.normal(size=(r, 1)) + rng.normal(size=(r, labels.size)) for r in runs]
    each = [y.mean(axis=0) for y in systems]
    items = cluster_t(each[0] - sum(each[1:]), labels)
    left = [sum(cluster_t(run - y.mean(axis=0), labels).se ** 2 for run in y) for y in systems]
    parts = [y.mean(axis=1).var(ddof=1) / len(y) for y in systems]
    twice = sum(part / (r * (r - 1)) for part, r in zip(left, runs, strict=True))
    se = math.sqrt(max(sum(parts) + items.se**2 - twice, items.se**2))
    df = freedom(parts, runs, items.se**2, items.df + 1, twice)
    asked: dict[str, Any] = {"items": {"doc": labels.tolist()}, "cluster": "doc"}
    if len(runs) == 1:
        low, high = outscore.score({"a": systems[0]}, **asked).scores[0].ci or (0.0, 0.0)
        assert (high + low, high - low) == pytest.approx((2 * items.estimate, 2 * se * student_quantile(0.95, df)))
        return
    found = outscore.compare({"b": systems[1], "a": systems[0]}, **asked).pairs[0]
    assert found.gain == pytest.approx(items.estimate)
    assert (found.effect["se"], found.effect["df"]) == pytest.approx((se, df))


def test_equal_clusters_are_as_many_items() -> None:
    rng = np.random.default_rng(2)
    means = rng.normal(size=(2, 3, 8))
    doubled = means.repeat(2, axis=-1) + np.tile([0.5, -0.5], 8)
    asked: dict[str, Any] = {"items": {"doc": np.repeat(range(8), 2).tolist()}, "cluster": "doc"}
    found = [
        outscore.compare({"b": b, "a": a}, **more, test="crossed").pairs[0]
        for (b, a), more in ((means, {}), (doubled, asked))
    ]
    assert [found[0].effect[name] for name in ("se", "df")] == pytest.approx([found[1].effect[k] for k in ("se", "df")])
