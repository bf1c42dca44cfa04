"""Ranks, proportions and several systems at their borders: ties, exact levels, one count more, nothing that varies."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import preferences, proportions, wilcoxon
from outscore.significance.independent import mann_whitney
from outscore.significance.independent.proportions import fisher_p, two_proportions
from outscore.significance.notes import IDENTICAL
from outscore.significance.omnibus import (
    Groups,
    OmnibusFinding,
    anova,
    cochran_q,
    friedman,
    kruskal_wallis,
    omnibus_tests,
)
from outscore.significance.settings import Settings

SAMPLES = [[3, 1, 4, -1, 5], [2, 2, 7, -8, 2, 8], [1, -2, 3], [4], [9, 8, 7, 6, 5, 4, -3]]

# ranks


@pytest.mark.parametrize("x", SAMPLES)
@pytest.mark.parametrize("y", SAMPLES)
def test_the_shift_is_the_median_of_all_differences(x: list[int], y: list[int]) -> None:
    expected = np.median(np.subtract.outer(x, y))
    assert mann_whitney.shift(np.array(x, dtype=float), np.array(y, dtype=float)) == pytest.approx(expected, abs=1e-12)


def test_no_difference_at_all_has_no_ranks() -> None:
    found = wilcoxon.wilcoxon(np.zeros(4))
    assert (found.w_plus, found.w_minus, found.p, found.rank_biserial, found.n_nonzero) == (0.0, 0.0, 1.0, 0.0, 0)
    assert found.p_min == 1.0


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("method", ["normal", "normal-cc"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("d", [*SAMPLES, [0, 0, 3, -1, 2, 2, -2], [1, -1], [0, 1, -1]])
def test_normal_signed_ranks_by_their_definition(
    d: list[int], method: wilcoxon.Method, zeros: wilcoxon.Zeros, alternative: Alternative
) -> None:
    x = np.array(d, dtype=float)
    sizes = stats.rankdata(np.abs(x if zeros == "pratt" else x[x != 0]))
    sizes = sizes[x != 0] if zeros == "pratt" else sizes
    plus = float(sizes[x[x != 0] > 0].sum())
    away = plus - sizes.sum() / 2
    half = 0.5 if method == "normal-cc" else 0.0
    moved = {"greater": half, "less": -half, "two-sided": half * np.sign(away)}[alternative]
    z = (away - moved) / math.sqrt((sizes**2).sum() / 4)
    p = {"greater": stats.norm.sf(z), "less": stats.norm.cdf(z), "two-sided": 2 * stats.norm.sf(abs(z))}[alternative]
    found = wilcoxon.wilcoxon(x, method=method, zeros=zeros, alternative=alternative)
    assert (found.w_plus, found.p) == pytest.approx((plus, float(p)))
    assert found.p_kind == "asymptotic"
    assert found.rank_biserial == pytest.approx(2 * away / sizes.sum())
    assert found.w_plus + found.w_minus == sizes.sum()


@pytest.mark.parametrize("x", SAMPLES)
@pytest.mark.parametrize("y", SAMPLES)
@pytest.mark.parametrize("method", ["normal", "normal-cc", "exact"])
def test_mann_whitney_is_scipys_or_counted(x: list[int], y: list[int], method: wilcoxon.Method) -> None:
    n, m = len(x), len(y)
    pooled = x + y
    for alternative in ALTERNATIVES:
        found = mann_whitney.mann_whitney(
            np.array(x, dtype=float), np.array(y, dtype=float), method=method, alternative=alternative
        )
        u = sum((a > b) + (a == b) / 2 for a, b in product(x, y))
        assert (found.effect["statistic"], found.effect["superiority"]) == pytest.approx((u, u / (n * m)))
        if method == "exact":
            every = []
            for chosen in combinations(range(n + m), n):
                rest = [pooled[i] for i in range(n + m) if i not in chosen]
                every.append(sum((pooled[i] > b) + (pooled[i] == b) / 2 for i in chosen for b in rest))
            p = _share(every, u, n * m / 2, alternative)
            least = min(_share(every, end, n * m / 2, alternative) for end in (min(every), max(every)))
            assert (found.p_value, found.p_min) == pytest.approx((p, least))
        elif len(set(pooled)) > 1 and (u != n * m / 2 or method == "normal"):
            corrected = method == "normal-cc"
            theirs = stats.mannwhitneyu(x, y, corrected, alternative, method="asymptotic")
            assert found.p_value == pytest.approx(float(theirs.pvalue))
            assert found.p_min is None


def _share(values: list[float], observed: float, centre: float, alternative: Alternative) -> float:
    hit = {
        "greater": [v >= observed for v in values],
        "less": [v <= observed for v in values],
        "two-sided": [abs(v - centre) >= abs(observed - centre) for v in values],
    }[alternative]
    return sum(hit) / len(hit)


# proportions


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_fishers_p_is_a_share_of_tables_and_at_most_one(alternative: Alternative) -> None:
    for n1, n2 in ((1, 1), (3, 5), (6, 6), (9, 4), (12, 13)):
        for x1, x2 in product(range(n1 + 1), range(n2 + 1)):
            p = fisher_p(x1, n1, x2, n2, alternative)
            theirs = stats.fisher_exact(np.array([[x1, n1 - x1], [x2, n2 - x2]]), alternative=alternative).pvalue
            assert 0 < p <= 1
            assert p == pytest.approx(theirs, rel=1e-9)


def test_intervals_of_one_proportion_are_those_of_statsmodels_and_scipy() -> None:
    z = 1.959963984540054
    for x, n in ((0, 1), (1, 1), (0, 7), (3, 7), (7, 7), (1, 40), (29, 30)):
        p, half = x / n, z * math.sqrt(x / n * (1 - x / n) / n)
        wilson, corrected, sure = (
            stats.binomtest(x, n).proportion_ci(method=m) for m in ("wilson", "wilsoncc", "exact")
        )
        size, centre = n + z * z, (x + z * z / 2) / (n + z * z)
        beta = stats.beta(x + 0.5, n - x + 0.5)
        added = z * math.sqrt(centre * (1 - centre) / size)
        expected = {
            "wald": (p - half, p + half),
            "wilson": (wilson.low, wilson.high),
            "wilson-cc": (corrected.low, corrected.high),
            "clopper-pearson": (sure.low, sure.high),
            "agresti-coull": (centre - added, centre + added),
            "jeffreys": (beta.ppf(0.025) if x else 0.0, beta.ppf(0.975) if x < n else 1.0),
        }
        for name, ends in expected.items():
            assert proportions.PROPORTION_INTERVALS[name](x, n, 0.95) == pytest.approx(ends, abs=1e-9), (name, x, n)


@pytest.mark.parametrize(
    ("both", "b", "c", "n"),
    [(5, 3, 1, 12), (0, 4, 4, 8), (6, 0, 0, 6), (2, 2, 1, 6), (9, 1, 1, 20), (0, 0, 0, 3), (4, 2, 2, 9)],
)
def test_intervals_of_paired_proportions_by_their_definitions(both: int, b: int, c: int, n: int) -> None:
    z = 1.959963984540054
    gain = (b - c) / n
    half = z * math.sqrt(b + c - (b - c) ** 2 / n) / n
    assert proportions.paired_wald(b, c, n) == pytest.approx((gain - half, gain + half))
    p, q = (b + 1) / (n + 2), (c + 1) / (n + 2)
    half = z * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    assert proportions.bonett_price(b, c, n) == pytest.approx((p - q - half, p - q + half))
    one, two = (both + b) / n, (both + c) / n
    (l1, u1), (l2, u2) = (proportions.wilson(x, n) for x in (both + b, both + c))
    neither = n - both - b - c
    margins = (both + b) * (c + neither) * (both + c) * (b + neither)
    numerator = both * neither - b * c
    corrected = max(numerator - n / 2, 0.0) if numerator > 0 else numerator
    phi = corrected / math.sqrt(margins) if margins else 0.0
    down = math.sqrt((one - l1) ** 2 - 2 * phi * (one - l1) * (u2 - two) + (u2 - two) ** 2)
    up = math.sqrt((u1 - one) ** 2 - 2 * phi * (u1 - one) * (two - l2) + (two - l2) ** 2)
    assert proportions.newcombe_paired(both, b, c, n) == pytest.approx((gain - down, gain + up), abs=1e-9)
    low, high = proportions.tango(b, c, n)
    for end, side in ((low, z), (high, -z)):
        if -1 < end < 1:
            assert proportions.tango_score(b, c, n, end) == pytest.approx(side, rel=1e-6)
    assert proportions.tango_score(b, c, n, gain) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("x1", "n1", "x2", "n2"), [(3, 9, 7, 10), (0, 4, 4, 4), (5, 8, 5, 8), (2, 30, 9, 31), (4, 9, 5, 11)]
)
def test_two_proportions_by_chi_squares(x1: int, n1: int, x2: int, n2: int) -> None:
    table = np.array([[x1, n1 - x1], [x2, n2 - x2]])
    for method, yates in (("chi2", False), ("chi2-yates", True)):
        theirs = stats.chi2_contingency(table, correction=yates)
        found = two_proportions(x1, n1, x2, n2, method=method)  # type: ignore[arg-type]
        assert found == pytest.approx((theirs.statistic, theirs.pvalue))
    odds, _ = two_proportions(x1, n1, x2, n2)
    below = (n1 - x1) * x2
    assert odds == (x1 * (n2 - x2) / below if below else math.inf)


# several systems


@pytest.mark.parametrize("k", [2, 3, 5])
def test_items_that_all_systems_get_right_tell_nothing_and_one_that_some_do_has_degrees_of_freedom(k: int) -> None:
    table = np.ones((4, k))
    assert math.isnan(cochran_q.cochran_q(table))
    assert cochran_q.informative(table) == 0
    alike = answered(table)
    assert (alike.p_value, alike.notes, alike.effect) == (1.0, (IDENTICAL,), {})
    table[0, 0] = 0.0
    told = answered(table)
    assert (told.effect["df"], told.effect["n_informative"]) == (k - 1, 1)
    assert IDENTICAL not in told.notes


def answered(table: Float) -> OmnibusFinding:
    """Cochran's Q of items that are right or wrong ``(items, systems)``."""
    names, columns = tuple(f"system {s}" for s in range(table.shape[1])), tuple(table.T)
    given = Groups(names=names, values=columns, unit="item", blocks=True, settings=Settings())
    return omnibus_tests.make("cochran-q").run(given)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_systems_that_all_items_treat_alike_have_their_degrees_of_freedom(k: int) -> None:
    groups = [np.full(3, 0.5)] * k
    for test in (anova.analyse_one_way, anova.welch_one_way, kruskal_wallis.kruskal_wallis):
        same = test(groups)
        assert (same.statistic, same.df, same.p, same.degenerate) == (0.0, k - 1, 1.0, "identical_outputs")
    apart = anova.welch_one_way([np.full(3, float(s)) for s in range(k)])
    assert (apart.df, apart.degenerate) == (k - 1, "zero_variance")


def test_one_way_analyses_are_those_of_scipy_and_of_welch() -> None:
    groups = [np.array(g) for g in ([1.0, 2.0, 4.5], [2.0, 3.5, 3.0, 5.0], [6.0, 4.0])]
    theirs = stats.f_oneway(*groups)
    found = anova.analyse_one_way(groups)
    assert (found.statistic, found.p, found.df, found.df_within) == pytest.approx(
        (theirs.statistic, theirs.pvalue, 2, 6)
    )
    assert kruskal_wallis.kruskal_wallis(groups).statistic == pytest.approx(stats.kruskal(*groups).statistic)
    k, w = 3, [g.size / g.var(ddof=1) for g in groups]
    centre = sum(a * g.mean() for a, g in zip(w, groups, strict=True)) / sum(w)
    left = sum((1 - a / sum(w)) ** 2 / (g.size - 1) for a, g in zip(w, groups, strict=True))
    top = sum(a * (g.mean() - centre) ** 2 for a, g in zip(w, groups, strict=True)) / (k - 1)
    welch = anova.welch_one_way(groups)
    assert welch.statistic == pytest.approx(top / (1 + 2 * (k - 2) / (k**2 - 1) * left))
    assert (welch.df, welch.df_within) == pytest.approx((2, (k**2 - 1) / (3 * left)))
    assert welch.p == pytest.approx(float(stats.f(2, welch.df_within).sf(welch.statistic)))
    inner = sum(((g - g.mean()) ** 2).sum() for g in groups) / 6
    together = np.concatenate(groups)
    outer = sum(g.size * (g.mean() - together.mean()) ** 2 for g in groups) / 2
    parts = anova.run_variance(groups)
    assert (parts.within, parts.between) == pytest.approx((inner, (outer - inner) / ((9 - (9 + 16 + 4) / 9) / 2)))


def test_dunns_pairs_are_normal_gaps_of_mean_ranks_adjusted_by_holm() -> None:
    groups = [np.array(g) for g in ([1.0, 2.0, 4.5], [2.0, 3.5, 3.0, 5.0], [6.0, 4.0])]
    ranked = stats.rankdata(np.concatenate(groups))
    means = [float(r.mean()) for r in np.split(ranked, [3, 7])]
    spread = 9 * 10 / 12 * (1 - 6 / (9**3 - 9))
    raw, found = [], kruskal_wallis.dunn(groups)
    for i, j in combinations(range(3), 2):
        z = (means[j] - means[i]) / math.sqrt(spread * (1 / groups[i].size + 1 / groups[j].size))
        raw.append(2 * float(stats.norm.sf(abs(z))))
    order = np.argsort(raw)
    adjusted = np.maximum.accumulate(np.minimum(1, np.sort(raw) * [3, 2, 1]))
    assert [found[int(i)].p_adjusted for i in order] == pytest.approx(adjusted.tolist())
    assert [d.gain for d in found] == pytest.approx([means[1] - means[0], means[2] - means[0], means[2] - means[1]])


def test_a_control_against_all_others_by_mean_ranks() -> None:
    values = np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 3.0], [1.0, 5.0, 5.0], [0.0, 1.0, 2.0], [3.0, 2.0, 9.0]])
    means = np.mean([stats.rankdata(row) for row in values], axis=0)
    error = math.sqrt(3 * 4 / (6 * 5))
    for control in range(3):
        raw = np.array([2 * stats.norm.sf(abs(means[control] - means[s]) / error) for s in range(3) if s != control])
        found = friedman.compare_to_control(values, control)
        assert found.p_bonferroni_dunn.tolist() == pytest.approx(np.minimum(1, 2 * raw).tolist())
        holm = np.minimum(1, np.maximum.accumulate(np.sort(raw) * [2, 1]))
        assert np.sort(found.p_holm).tolist() == pytest.approx(holm.tolist())
    gaps = friedman.rank_gaps(values)
    assert [g.gap for g in gaps] == pytest.approx([means[j] - means[i] for i, j in combinations(range(3), 2)])
    assert [g.z for g in gaps] == pytest.approx([g.gap / error for g in gaps])
    range_law = stats.studentized_range(3, math.inf)
    assert gaps[1].p_nemenyi == pytest.approx(float(range_law.sf(abs(gaps[1].z) * math.sqrt(2))), abs=1e-6)
    assert friedman.critical_difference(5, 3) == pytest.approx(
        float(range_law.ppf(0.95)) / math.sqrt(2) * error, rel=1e-4
    )


@pytest.mark.parametrize(
    ("first", "second", "outcome", "unbounded"),
    [
        ([0, 2, 2], [1, 1, 0], [1, -1, 0], False),  # 0 beats 1, 1 beats 2, and a tie leads back: two wins for one tie
        ([0, 1, 2], [1, 2, 0], [1, 1, 0], False),
        ([0, 1, 2], [1, 2, 0], [1, 0, 0], True),  # one win for two ties
        ([0, 0], [1, 1], [0, 1], True),  # as many wins as ties
        ([0, 0], [1, 1], [1, -1], False),
    ],
)
def test_ties_have_a_finite_weight_where_wins_outnumber_them_on_some_way_round(
    first: list[int], second: list[int], outcome: list[int], unbounded: bool
) -> None:
    k = 1 + max(*first, *second)
    given = np.array(first), np.array(second), np.array(outcome, dtype=float)
    assert preferences.has_unbounded_ties(*given, k) == unbounded


@pytest.mark.parametrize("strength", [1, 40])
def test_fitted_ratings_expect_as_many_wins_as_were_seen(strength: int) -> None:
    wins = {(0, 1): 3 * strength, (1, 0): 1, (1, 2): 2, (2, 1): 1, (0, 2): 5 * strength, (2, 0): 2}
    first = np.array([i for (i, _), n in wins.items() for _ in range(n)])
    second = np.array([j for (_, j), n in wins.items() for _ in range(n)])
    found = preferences.bradley_terry(first, second, np.ones(first.size), np.arange(first.size), 3)
    for system in range(3):
        games = [(i, j, n) for (i, j), n in wins.items() if system in (i, j)]
        rivals = [(j if i == system else i, n) for i, j, n in games]
        expected = sum(n / (1 + math.exp(found.ratings[other] - found.ratings[system])) for other, n in rivals)
        assert expected == pytest.approx(sum(n for i, _, n in games if i == system), rel=1e-6)
    assert found.ratings.mean() == pytest.approx(0.0, abs=1e-12)
    places, outcomes = np.zeros(9, dtype=np.int64), np.array([1.0] * 7 + [-1.0] * 2)
    two = preferences.bradley_terry(places, places + 1, outcomes, np.arange(9), 2)
    assert two.ratings[0] - two.ratings[1] == pytest.approx(math.log(7 / 2), rel=1e-6)
