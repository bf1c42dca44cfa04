"""Studentized exchanges, rankings, corpus scores and labelled items at their borders, beside loops and formulas."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.engine.design import Design
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import ASYMPTOTIC, EXACT, MONTE_CARLO, coefficients, correlation, tests
from outscore.significance.confidence import selection_error
from outscore.significance.gain import GainContrast
from outscore.significance.independent import aso, brunner_munzel
from outscore.significance.notes import IDENTICAL
from outscore.significance.prediction_powered import prediction_powered
from outscore.significance.preferences import expected_wins, win_proportions
from outscore.significance.ranked import RankedStatistics
from outscore.significance.settings import Settings
from outscore.significance.studentized import influences
from outscore.significance.studentized_sums import StudentizedSums
from tests.laws.support import corpus_stats, experiment, f1_stats, mean_stats, pairing, settings


def grown(sums: Float) -> Float:
    """A score of sums that is no ratio."""
    return np.asarray(np.log1p(sums[..., 0]))


def root(sums: Float) -> Float:
    """A score whose gradients are known: the root of a sum times another."""
    return np.asarray(np.sqrt(sums[..., 0]) * sums[..., 1] / 10)


def slopes(sums: Float) -> Float:
    return np.array([sums[1] / (20 * math.sqrt(sums[0])), math.sqrt(sums[0]) / 10])


def t_of(a: Float, b: Float) -> tuple[float, float]:
    """The gain and its standard error: what units add to it to first order, less their mean."""
    adds = a @ slopes(a.sum(axis=0)) - b @ slopes(b.sum(axis=0))
    gain = float(root(a.sum(axis=0)) - root(b.sum(axis=0)))
    return gain, math.sqrt(float(((adds - adds.mean()) ** 2).sum()))


def counts(n: int, seed: int, lead: int = 0) -> tuple[Float, Float]:
    draw = np.random.default_rng(seed)
    return draw.integers(1, 6, (n, 2)).astype(float) + lead, draw.integers(1, 6, (n, 2)).astype(float)


@pytest.mark.parametrize("seed", range(4))
def test_t_of_a_score_of_sums_is_the_gain_in_the_error_of_its_linear_part(seed: int) -> None:
    a, b = counts(9, seed, seed % 2)
    gain, error = t_of(a, b)
    assert StudentizedSums(a, b, root).t == pytest.approx(gain / error, rel=1e-6)
    assert StudentizedSums(b, a, root).t == pytest.approx(-gain / error, rel=1e-6)


def test_t_without_an_error_is_infinite_on_the_side_of_the_gain_or_0() -> None:
    one = np.full((4, 2), 2.0)
    assert StudentizedSums(one, one, root).t == 0.0
    assert (StudentizedSums(2 * one, one, root).t, StudentizedSums(one, 2 * one, root).t) == (math.inf, -math.inf)
    assert (StudentizedSums(2 * one, one, root).threshold, StudentizedSums(one, 2 * one, root).threshold) == (
        math.inf,
        -math.inf,
    )
    assert StudentizedSums(2 * one, one, root).slack == 0.0
    a, b = counts(9, 1)
    held = StudentizedSums(a, b, root)
    assert held.slack == pytest.approx(1e-8 * max(1.0, abs(held.t)))


@pytest.mark.parametrize("seed", range(5))
def test_the_gain_with_the_same_t_follows_from_how_errors_grow_with_gains(seed: int) -> None:
    a, b = counts(24, seed, seed % 2)
    p, q = a + b, a - b
    both = p.sum(axis=0)
    moves = q @ slopes(both / 2)
    v = float((moves**2).sum())
    far = 2 * math.sqrt(v)
    tilt = np.clip(far * moves / v, -1, 1)
    first = (both + (tilt[:, None] * q).sum(axis=0)) / 2
    g, h = slopes(first), slopes(both - first)
    # over w = 1 or -1 with mean tilt, 2 D = fixed + w moved
    fixed, moved = p @ (g - h), q @ (g + h)
    mean_square = sum(
        (1 + t) / 2 * ((f + m) / 2) ** 2 + (1 - t) / 2 * ((f - m) / 2) ** 2
        for t, f, m in zip(tilt, fixed, moved, strict=True)
    )
    drift = float(g @ first - h @ (both - first))
    c = (mean_square - drift**2 / 24 - v) / far**2
    gain, error = t_of(a, b)
    t = gain / error
    held = StudentizedSums(a, b, root)
    assert held.threshold == pytest.approx(t * math.sqrt(v / (1 - c * t**2)), rel=1e-5)
    # x with x / sqrt(v + c x²) = t
    x = held.threshold
    assert x / math.sqrt(v + c * x * x) == pytest.approx(t, rel=1e-5)


@pytest.mark.parametrize("side", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(3))
def test_studentized_exchanges_of_a_score_that_is_no_ratio_are_enumerated(seed: int, side: Alternative) -> None:
    a, b = counts(7, seed)
    a[3] = b[3]
    pair = GainContrast(experiment(corpus_stats([b[None], a[None]], root), settings=settings(99, 0, side)), 0, 1)
    gain, error = t_of(a, b)
    seen, hits = gain / error, 0
    for moved in product((False, True), repeat=7):
        there = np.array(moved)[:, None]
        other, wide = t_of(np.where(there, b, a), np.where(there, a, b))
        t = other / wide
        hits += {"two-sided": abs(t) >= abs(seen) - 1e-7, "greater": t >= seen - 1e-7, "less": t <= seen + 1e-7}[side]
    found = tests.make("randomization:form=studentized").run(pair)
    assert found.p_kind == EXACT and found.p_value == pytest.approx(hits / 128)
    assert found.p_min == pytest.approx((2 if side == "two-sided" else 1) * 0.5 ** int((a != b).any(axis=1).sum()))
    assert found.effect["statistic"] == pytest.approx(seen, rel=1e-6)
    drawn = tests.make("randomization:form=studentized,exact=never").run(
        GainContrast(experiment(corpus_stats([b[None], a[None]], root), settings=settings(1999, 0, side)), 0, 1)
    )
    assert drawn.p_kind == MONTE_CARLO and drawn.p_value == pytest.approx(hits / 128, abs=0.06)


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


def test_the_influence_on_a_score_is_along_its_gradient_less_the_mean() -> None:
    rows, _ = counts(8, 3)
    expected = (rows - rows.mean(axis=0)) @ slopes(rows.sum(axis=0))
    assert influences(rows, root) == pytest.approx(expected, rel=1e-5)
    assert not influences(np.ones((5, 2)), root).any()


# rankings


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


# correlations of what is known


def test_a_difference_as_large_as_the_threshold_and_rounding_is_a_tie() -> None:
    x, y = np.array([[0.0, 1e-12, 1.0]]), np.array([[0.0, 0.0, 1.0]])
    assert coefficients.accuracy(x, y)[0] == 1.0
    assert coefficients.accuracy(np.array([[0.0, 2.0, 1.0]]), np.array([[0.0, 0.0, 0.0]]), 1.0)[0] == 2 / 3
    values = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, 5.0], [np.nan] * 3, [1.0, 2.0, 6.0]])
    assert correlation.mean_of_known(values)[[0, 1, 3]] == pytest.approx([2.0, 5.0, 3.0])
    assert np.isnan(correlation.mean_of_known(values)[2])


def test_a_metric_on_another_scale_is_the_same_metric_also_where_it_has_its_mean() -> None:
    raw = np.array([[-1.0, 0.0, 1.0], [2.0, -2.0, 0.0], [0.0, 0.5, -0.5]])
    human = correlation.MetricMeasure(mean_stats([row[None] for row in raw**2 + raw]))
    first, second = (correlation.MetricMeasure(mean_stats([row[None] for row in v])) for v in (raw, raw * 0.3 + 0.1))
    of = [correlation.CorrelationCoefficient("segment", "pearson")]
    (found,) = correlation.permutation(first, second, human, of, "both", Settings(n_resamples=50))
    assert (found.p_value, found.notes) == (1.0, (correlation.IDENTICAL_METRICS,))


# two samples


@pytest.mark.parametrize(
    ("n", "m", "enumerated"),
    [
        (6, 6, True),
        (7, 6, False),
        (5, 7, True),
        (4, 8, True),
        (3, 9, True),
        (2, 10, False),
        (10, 2, False),
        (2, 9, True),
    ],
)
def test_resamples_of_an_order_are_enumerated_up_to_a_quarter_of_a_million(n: int, m: int, enumerated: bool) -> None:
    draw = np.random.default_rng(n)
    a, b = draw.normal(0.3, 1.0, n), draw.normal(size=m)
    found = aso.almost_stochastic_order(a, b, n_resamples=77)
    assert found.n_resamples == (0 if enumerated else 77)
    assert enumerated == (math.comb(2 * n - 1, n) * math.comb(2 * m - 1, m) <= 2**18)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (2, 3), (3, 3)])
def test_the_violation_ratio_and_its_bound_by_loops(n: int, m: int) -> None:
    draw = np.random.default_rng(10 * n + m)
    a, b = draw.normal(0.4, 1, n), draw.normal(size=m)

    def ratio(x: Float, y: Float) -> float:
        at = (np.arange(n * m) + 0.5) / (n * m)
        gap = np.sort(x)[(at * n).astype(int)] - np.sort(y)[(at * m).astype(int)]
        return float((np.minimum(gap, 0) ** 2).sum() / (gap**2).sum()) if gap.any() else 0.5

    rows = [ratio(a[list(i)], b[list(j)]) for i in product(range(n), repeat=n) for j in product(range(m), repeat=m)]
    for alpha in (0.05, 0.2):
        found = aso.almost_stochastic_order(a, b, alpha=alpha)
        sigma = math.sqrt(n * m / (n + m)) * float(np.std(rows))
        assert (found.violation_ratio, found.sigma) == pytest.approx((ratio(a, b), sigma))
        bound = ratio(a, b) - float(np.std(rows)) * float(stats.norm.ppf(alpha))
        assert found.eps_min == pytest.approx(min(max(bound, 0), 1)) and found.degenerate == ""
    assert aso.almost_stochastic_order(a[:1], b).degenerate == "n_too_small"
    assert aso.almost_stochastic_order(a, a).degenerate == "identical_outputs"
    for bad in (0.0, 1.0):
        with pytest.raises(UsageError):
            aso.almost_stochastic_order(a, b, alpha=bad)


def test_samples_apart_have_all_degrees_of_freedom() -> None:
    found = brunner_munzel.brunner_munzel(np.array([5.0, 6.0, 7.0]), np.array([1.0, 2.0]))
    assert (found.estimate, found.df, found.se) == (0.5, 3.0, 0.0)
    x, y = np.array([1.0, 4.0, 2.5, 3.0]), np.array([2.0, 0.5, 2.5])
    theirs = stats.brunnermunzel(y, x)
    ours = brunner_munzel.brunner_munzel(x, y)
    assert (ours.statistic, ours.p) == pytest.approx((float(theirs.statistic), float(theirs.pvalue)))
    assert ours.estimate + 0.5 == pytest.approx(np.mean([[(i > j) + 0.5 * (i == j) for j in y] for i in x]))


def test_wins_of_many_tables_are_those_of_each() -> None:
    wins = np.random.default_rng(1).integers(0, 5, (4, 3, 3)).astype(float)
    for table, shares, means in zip(wins, win_proportions(wins), expected_wins(wins), strict=True):
        for i in range(3):
            each = [table[i, j] / (table[i, j] + table[j, i]) for j in range(3) if i != j and table[i, j] + table[j, i]]
            assert means[i] == pytest.approx(np.mean(each))
            assert np.isnan(shares[i, i])


# few items, runs and labels


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


@pytest.mark.parametrize("tuned", [False, True])
def test_labels_beside_a_judge_in_clusters_are_parts_whose_deviations_add_up(tuned: bool) -> None:
    draw = np.random.default_rng(4)
    clusters = np.repeat(np.arange(8), [3, 2, 4, 1, 2, 3, 2, 5])
    judged = draw.normal(size=22) + clusters / 4
    labels = np.where(draw.random(22) < 0.5, judged + draw.normal(0, 0.5, 22), np.nan)
    known, weight = np.isfinite(labels), 0.7
    sampled = len(set(clusters[known].tolist()))
    wider = math.sqrt((sampled - 1) / (sampled - 2)) if tuned else 1.0
    sums, dfs, means = [], [], []
    for values, here, wide in ((labels - weight * judged, known, wider), (weight * judged, ~known, 1.0)):
        n, mean = int(here.sum()), float(values[here].mean())
        sizes = np.array([(here & (clusters == c)).sum() for c in range(8)])
        each = [float((values - mean)[here & (clusters == c)].sum()) / n for c in range(8)]
        sums.append(wide * np.array(each) / np.sqrt(1 - sizes / n))
        held = sizes[sizes > 0].astype(float)
        root_of = held**2 / (n - held)
        dfs.append(n**2 / float((held**2).sum() + root_of.sum() ** 2 - (root_of**2).sum()) - (tuned and wide > 1))
        means.append(mean)
    variance = float(((sums[0] + sums[1]) ** 2).sum())
    below = sum(float((s**2).sum()) ** 2 / df for s, df in zip(sums, dfs, strict=True))
    found = prediction_powered(labels, judged, weight=weight, tuned=tuned, clusters=clusters)
    assert found.estimate == pytest.approx(sum(means)) and found.se == pytest.approx(math.sqrt(variance))
    assert found.df == pytest.approx(min(variance**2 / below, max(dfs)))
    apart = prediction_powered(labels, judged, weight=weight, tuned=tuned)
    n = int(known.sum())
    errors, rest = (labels - weight * judged)[known], weight * judged[~known]
    parts = [errors.var(ddof=1) / n * ((n - 1) / (n - 2) if tuned else 1.0), rest.var(ddof=1) / rest.size]
    assert apart.se == pytest.approx(math.sqrt(sum(parts)))
    welch = sum(parts) ** 2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (rest.size - 1))
    assert apart.df == pytest.approx(welch) and apart.estimate == pytest.approx(errors.mean() + rest.mean())


def test_f1_beside_itself_shows_no_gain_when_studentized() -> None:
    rows = np.random.default_rng(3).integers(0, 4, (1, 9, 3)).astype(float)
    pair = GainContrast(experiment(f1_stats([rows, rows]), settings=settings(9)), 0, 1)
    assert pair.studentized_sums.t == 0.0
    found = tests.make("randomization:form=studentized").run(pair)
    assert (found.p_value, found.p_min, found.notes) == (1.0, 1.0, (IDENTICAL,))
