"""Shapes of differences, levels, blocks and few hits at their borders, beside numbers that are counted."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.significance import SADDLEPOINT, p_values, prediction_powered, tests
from outscore.significance.notes import HEAVY, SKEWED
from outscore.significance.omnibus import anova, blocks, friedman, kruskal_wallis
from outscore.significance.sequential import marks_of
from outscore.significance.sequential.betting import Betting
from outscore.significance.student import shape_notes
from outscore.significance.studentized_sums import StudentizedSums
from outscore.significance.wilcoxon import wilcoxon
from tests.laws.support import pairing, settings


@pytest.mark.parametrize(
    ("n", "largest", "rest", "heavy"),
    [
        *((100, [10.0], 0.95, True), (100, [10.0], 1.01, False), (99, [10.0], 0.2, False)),
        *((199, [10.0], 0.7, True), (199, [10.0, 10.0], 0.1, False), (200, [10.0, -9.0], 0.9, True)),
        *((200, [10.0, -10.0], 1.01, False), (100, [10.0], 0.0, False), (200, [10.0, 10.0], 0.0, False)),
    ],
)
def test_a_hundredth_of_the_items_is_many_where_it_has_half_of_the_squares(
    n: int, largest: list[float], rest: float, heavy: bool
) -> None:
    d = np.array([*largest, *np.resize([rest, -rest], n - len(largest))])
    top = n // 100
    shares = sorted((d**2).tolist(), reverse=True)
    if rest and n >= 100:
        assert heavy == (sum(shares[:top]) > sum(shares) / 2)
    assert (HEAVY in shape_notes(d)) == heavy


@pytest.mark.parametrize("wins", [1, 2, 3, 10, 20])
def test_skewness_asks_for_25_times_its_square(wins: int) -> None:
    for n in range(wins + 1, 90, 7):
        d = np.array([1.0] * wins + [0.0] * (n - wins))
        assert (SKEWED in shape_notes(d)) == (n < 25 * float(stats.skew(d)) ** 2)
    assert not shape_notes(np.array([3.0])) and not shape_notes(np.ones(5))


@pytest.mark.parametrize("bad", [0.0, 1.0, 1.5, -0.1])
def test_levels_lie_between_0_and_1(bad: float) -> None:
    with pytest.raises(UsageError, match="level"):
        p_values.normal_quantile(bad)
    for level in (0.01, 0.5, 0.95, 0.999):
        assert p_values.normal_quantile(level) == pytest.approx(float(stats.norm.ppf((1 + level) / 2)))
        for df in (1, 2.5, 30):
            assert p_values.student_quantile(level, df) == pytest.approx(float(stats.t(df).ppf((1 + level) / 2)))


def test_tails_are_those_of_scipy() -> None:
    for x in (-2.3, 0.0, 0.4, 5.0):
        for alternative, normal, t in (
            ("greater", stats.norm.sf(x), stats.t(4).sf(x)),
            ("less", stats.norm.cdf(x), stats.t(4).cdf(x)),
            ("two-sided", 2 * stats.norm.sf(abs(x)), 2 * stats.t(4).sf(abs(x))),
        ):
            assert p_values.normal_p(x, alternative) == pytest.approx(float(normal))  # type: ignore[arg-type]
            assert p_values.student_p(x, 4, alternative) == pytest.approx(float(t))  # type: ignore[arg-type]
    for at, side, p in ((math.inf, "greater", 0.0), (math.inf, "less", 1.0), (-math.inf, "two-sided", 0.0)):
        assert p_values.student_p(at, 4, side) == p  # type: ignore[arg-type]
    assert p_values.f_p(2.5, 3, 9) == pytest.approx(float(stats.f(3, 9).sf(2.5)))
    assert p_values.f_p(math.inf, 3, 9) == 0.0
    assert p_values.chi2_p(2.5, 3) == pytest.approx(float(stats.chi2(3).sf(2.5)))
    assert p_values.holm(np.array([0.01, 0.4, 0.03, 0.5])) == pytest.approx([0.04, 0.8, 0.09, 0.8])
    assert p_values.holm(np.array([0.6, 0.9])) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(("first", "last"), [(-0.975, 40), (-1.0, 38), (-0.98, 100)])
def test_one_item_rules_out_what_its_bets_do(first: float, last: int) -> None:
    # a bet of all stakes on more than m gains 1 + (1/m - 1)/2, which is 40 from m = 1/79 on
    path = Betting(alpha=0.05, reach=1.0, marks=marks_of(None), steps=last).extend(np.ones(1), np.ones(1))
    candidates = [g for g in (i / last for i in range(1 - last, last)) if (g + 1) / 2 <= 1 / 79]
    assert max(candidates, default=-1.0) == pytest.approx(first)
    assert (path.low[0], path.high[0]) == pytest.approx((first, 1.0))
    lost = Betting(alpha=0.05, reach=1.0, marks=marks_of(None), steps=last).extend(-np.ones(1), np.ones(1))
    assert (lost.low[0], lost.high[0]) == pytest.approx((-1.0, -first))


def test_a_set_with_neither_gain_nor_error_shows_no_gain() -> None:
    def score(sums: Float) -> Float:
        return np.asarray(np.sqrt(sums[..., 0]) * sums[..., 1] / 10)

    # with one of the first two exchanged both systems have the same sums, and no unit moves the score there
    a, b = np.array([[6.0, 3.0], [6.0, 3.0], [4.0, 4.0]]), np.array([[2.0, 5.0], [2.0, 5.0], [4.0, 4.0]])
    for one, other in ((a, b), (b, a)):
        held = StudentizedSums(one, other, score)
        for side in ("two-sided", "greater", "less"):
            law = held.law(side)
            assert law is not None
            t = abs(held.t)
            assert 0 < t < math.inf
            assert law.support == pytest.approx([-t, 0.0, t], abs=1e-7) and law.mass == pytest.approx([0.25, 0.5, 0.25])


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


# several systems


def chance(table: list[list[int]]) -> float:
    """The share of all permutations within blocks whose sum of squares is as large."""
    seen = sum(s * s for s in np.sum(table, axis=0).tolist())
    found = [sum(s * s for s in np.sum(rows, axis=0).tolist()) for rows in product(*map(permutations, table))]
    return float(np.mean([f >= seen for f in found]))


@pytest.mark.parametrize(
    "table",
    [
        [[1, 0, 0], [1, 0, 0], [0, 1, 0]], [[2, 1, 0], [2, 0, 1], [1, 2, 0], [2, 1, 0]],
        [[1, 1, 0], [1, 0, 1], [1, 1, 1]], [[3, 0], [0, 3], [3, 0], [3, 0]], [[1, 0, 0, 2], [1, 0, 0, 2], [1, 0, 0, 2]],
        [[1, 1], [1, 1]], [[5, 0, 0]],
        [[6, 1, 2], [5, 0, 1], [0, 0, 9]],
    ],
)  # fmt: skip
def test_blocks_are_permuted_in_all_ways(table: list[list[int]]) -> None:
    assert blocks.permutation_p(np.array(table)) == pytest.approx(chance(table))


@pytest.mark.parametrize(("k", "known"), [(7, True), (8, False)])
def test_orders_of_up_to_seven_systems_are_written_out(k: int, known: bool) -> None:
    table = np.zeros((3, k), dtype=np.int64)
    table[0, 0] = table[1, 0] = table[2, 1] = 1
    found = blocks.permutation_p(table)
    # two of three marks, or all, fall to one system
    assert found == pytest.approx(1 - (k - 1) * (k - 2) / k**2) if known else found is None
    table[2] = table[0]
    assert blocks.permutation_p(table) == pytest.approx(1 / k**2)


def test_blocks_that_agree_have_an_infinite_f_however_many_they_are() -> None:
    for n, k in ((2, 3), (30, 6), (400, 9)):
        same = friedman.friedman(np.tile(np.arange(float(k)), (n, 1)))
        assert math.isinf(same.f) and same.kendall_w == pytest.approx(1.0)
        values = np.tile(np.arange(float(k)), (n, 1))
        values[0, :2] = values[0, 1::-1]
        found = friedman.friedman(values)
        theirs = float(stats.friedmanchisquare(*values.T).statistic) if k > 2 else 0.0
        assert found.chi2 == pytest.approx(theirs)
        assert found.f == pytest.approx((n - 1) * theirs / (n * (k - 1) - theirs), rel=1e-6)


def test_one_number_beside_two_is_enough_for_an_analysis_of_variance() -> None:
    groups = [np.array([1.0, 2.0]), np.array([4.0])]
    found, theirs = anova.analyse_one_way(groups), stats.f_oneway(*groups)
    assert (found.statistic, found.p) == pytest.approx((float(theirs.statistic), float(theirs.pvalue)))
    with pytest.raises(UsageError):
        anova.analyse_one_way([np.array([1.0]), np.array([4.0])])
    ranks = kruskal_wallis.kruskal_wallis([np.array([1.0]), np.array([4.0]), np.array([4.0, 5.0])])
    other = stats.kruskal([1.0], [4.0], [4.0, 5.0])
    assert (ranks.statistic, ranks.p) == pytest.approx((float(other.statistic), float(other.pvalue)))


@pytest.mark.parametrize("d", [[1.0, -2.0, 3.0, 3.0, 0.0], [0.0, 0.0], [1.0], [-1.0, -1.0, 2.0]])
def test_sums_of_signed_ranks_are_those_of_the_definition(d: list[float]) -> None:
    moved = [x for x in d if x]
    ranks = stats.rankdata(np.abs(moved)) if moved else np.empty(0)
    plus = float(sum(r for r, x in zip(ranks, moved, strict=True) if x > 0))
    minus = float(sum(r for r, x in zip(ranks, moved, strict=True) if x < 0))
    for method in ("exact", "normal", "normal-cc"):
        found = wilcoxon(np.array(d), method=method)
        assert (found.w_plus, found.w_minus, found.n_nonzero) == (plus, minus, len(moved))
        if method == "exact":
            signs = [abs(float(ranks @ np.array(s))) for s in product((1.0, -1.0), repeat=len(moved))]
            share = sum(s >= abs(plus - minus) - 1e-9 for s in signs) / len(signs)
            assert found.p == pytest.approx(share) and found.p_min == pytest.approx(min(1.0, 2 * 0.5 ** len(moved)))
        elif moved:
            sd = math.sqrt(float((ranks**2).sum()) / 4)
            off = abs(plus - minus) / 2 - 0.5 * (method == "normal-cc")
            assert found.p == pytest.approx(min(1.0, 2 * float(stats.norm.sf(max(off, 0.0) / sd))))


# judges


def test_labels_are_right_or_wrong_where_all_of_them_are() -> None:
    nan = math.nan
    for labels, judged, known in (
        ([0.0, 1.0, nan], [0.0, 1.0, 1.0], True),
        ([0.0, 0.5, nan], [0.0, 1.0, 1.0], False),
        ([0.0, 1.0, nan], [0.0, 1.0, 0.5], False),
        ([2.0, 1.0, nan], [2.0, 1.0, 0.0], False),
    ):
        assert prediction_powered.binary(np.array(labels), np.array(judged)) == known


def test_few_errors_of_a_judge_are_bounded_by_the_clusters_that_have_one() -> None:
    labels = np.array([1.0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, *[math.nan] * 12])
    judged = np.array([1.0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1])
    clusters = np.arange(24) // 2
    found = prediction_powered.rogan_gladen(labels, judged, clusters=clusters)
    called, right, wrong = 8 / 12, 5 / 6, 1 / 6
    share = (called - wrong) / (right - wrong)
    assert found.estimate == pytest.approx(share)
    most = float(stats.beta.ppf(0.975, 2, 3))  # one cluster with an error of four: Clopper and Pearson
    half = prediction_powered.mean_t(judged[12:], clusters[12:], 0.95)
    youden = right - wrong
    ends = {1 / youden: (half.low, half.high), -share / youden: (1 - most, 1.0), -(1 - share) / youden: (0.0, most)}
    means, below, above = (called, right, wrong), 0.0, 0.0
    for (slope, (low, high)), mean in zip(ends.items(), means, strict=True):
        moves = (slope * (low - mean), slope * (high - mean))
        below, above = below + min(moves) ** 2, above + max(moves) ** 2
    assert found.low == pytest.approx(max(0.0, share - math.sqrt(below)))
    assert found.high == pytest.approx(min(1.0, share + math.sqrt(above)))
