"""Posterior laws, relative effects, clusters, judges and blocks beside formulas written out."""

from __future__ import annotations

import math
from functools import partial
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import means, prediction_powered, runs, tests
from outscore.significance.advice import facts_of
from outscore.significance.bayes.beta import independent_proportions
from outscore.significance.bayes.student import correlated_t
from outscore.significance.bayes.table_law import paired_table
from outscore.significance.choose import choose
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.effect import standard_effect
from outscore.significance.independent import IndependentSamples, brunner_munzel, independent_tests
from outscore.significance.omnibus import blocks
from outscore.significance.sequential import decisions
from outscore.significance.sequential.start import start
from outscore.significance.settings import Settings
from tests.laws import support
from tests.run_tables import additive
from tests.significance.shapes import SHAPES, pairing
from tests.significance.test_every_number import assert_kept, row

# posteriors


def _below(law: Any, c: float, p: float) -> float:
    return float(law.cdf(p - c))


@pytest.mark.parametrize(("x1", "n1", "x2", "n2"), [(3, 9, 7, 10), (0, 4, 4, 4), (5, 8, 5, 8), (1, 1, 0, 2)])
@pytest.mark.parametrize("strength", [0.5, 1.0, 2.0])
def test_independent_shares_are_two_betas(x1: int, n1: int, x2: int, n2: int, strength: float) -> None:
    law = independent_proportions(x1, n1, x2, n2, strength)
    one, two = (stats.beta(x + strength, n - x + strength) for x, n in ((x1, n1), (x2, n2)))
    assert law.mean == pytest.approx(one.mean() - two.mean())
    assert law.spread == pytest.approx(math.sqrt(one.var() + two.var()))
    for c in (-0.4, 0.0, 0.25):
        expected = one.expect(partial(_below, two, c), limit=200)
        assert law.above(c) == pytest.approx(float(expected), abs=1e-6)
    better, within, worse = law.probabilities(0.1)
    assert (better, better + within + worse) == pytest.approx((law.above(0.1), 1.0))
    assert worse == pytest.approx(1 - law.above(-0.1))
    low, high = law.interval(0.9)
    assert (law.above(low), law.above(high)) == pytest.approx((0.95, 0.05), abs=1e-6)


@pytest.mark.parametrize("rho", [0.0, 0.1, 0.5])
def test_a_correlated_t_is_wider_by_its_correlation(rho: float) -> None:
    d = np.array([0.1, 0.4, -0.2, 0.3, 0.25])
    law = correlated_t(d, rho)
    theirs = stats.t(4, d.mean(), math.sqrt((1 / 5 + rho / (1 - rho)) * d.var(ddof=1)))
    assert (law.mean, law.df) == pytest.approx((d.mean(), 4))
    for c in (-0.1, 0.0, 0.2):
        assert law.above(c) == pytest.approx(float(theirs.sf(c)))
    assert law.interval(0.9) == pytest.approx(theirs.interval(0.9))


@pytest.mark.parametrize(("b", "c", "n"), [(3, 1, 8), (0, 0, 2), (5, 5, 10), (0, 4, 4)])
@pytest.mark.parametrize("strength", [0.5, 1.0])
def test_the_cells_of_a_paired_table_are_a_dirichlet_law(b: int, c: int, n: int, strength: float) -> None:
    law = paired_table(b, c, n, strength)
    a, total = np.array([b + strength, c + strength, n - b - c + 2 * strength]), n + 4 * strength
    mean = (a[0] - a[1]) / total
    variance = (a[0] + a[1] - (a[0] - a[1]) ** 2 / total) / (total * (total + 1))
    assert (law.mean, law.spread) == pytest.approx((mean, math.sqrt(variance)))
    assert law.above(0.0) == pytest.approx(float(stats.beta(a[0], a[1]).sf(0.5)))


# relative effects


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_brunner_and_munzels_test_is_scipys(alternative: Alternative) -> None:
    for x, y in (([3, 1, 4, 4], [2, 2, 5]), ([1, 2, 2, 7, 9], [3, 3, 1, 8]), ([0, 0, 1], [1, 0, 2, 1])):
        samples = np.array(x, dtype=float), np.array(y, dtype=float)
        found = brunner_munzel.brunner_munzel(*samples, alternative=alternative)
        theirs = stats.brunnermunzel(x, y, alternative=alternative)
        share = np.mean([(a > b) + (a == b) / 2 for a, b in product(x, y)])
        assert (found.estimate + 0.5, found.p) == pytest.approx((share, float(theirs.pvalue)))
        half = stats.t(found.df).ppf(0.975) * found.se
        assert (found.low + 0.5, found.high + 0.5) == pytest.approx((share - half, share + half))
        made = Settings(alternative=alternative, alpha=0.025 if alternative != "two-sided" else 0.05)
        given = IndependentSamples(system=samples[0], baseline=samples[1], unit="item", settings=made)
        shown = independent_tests.make("brunner-munzel:variant=t").run(given).effect
        half = stats.t(found.df).ppf(1 - made.alpha / 2) * found.se
        ends = max(0, share - half), min(1, share + half)
        assert (shown["superiority_low"], shown["superiority_high"]) == pytest.approx(ends)
        assert found.statistic == pytest.approx((share - 0.5) / found.se)
        pooled, labels = np.array(x + y, dtype=float), np.zeros((1, len(x) + len(y)))
        labels[0, : len(x)] = 1
        assert brunner_munzel.permuted_brunner_munzel(pooled, labels)[0] == pytest.approx(found.statistic)


# clusters


@pytest.mark.parametrize("sizes", [(2, 3, 4), (1, 1, 5), (1, 2), (3, 3, 3), (1, 1, 1), (4,)])
def test_the_intraclass_correlation_is_that_of_unequal_groups(sizes: tuple[int, ...]) -> None:
    draw = np.random.default_rng(len(sizes))
    labels = np.repeat(np.arange(len(sizes)), sizes)
    values = draw.normal(size=sum(sizes)) + labels
    found = means.clusters_of(values, labels)
    n, g = sum(sizes), len(sizes)
    if g < 2 or n == g:
        assert math.isnan(found.icc)
        return
    parts = [values[labels == k] for k in range(g)]
    between = sum(p.size * (p.mean() - values.mean()) ** 2 for p in parts) / (g - 1)
    within = sum(float(((p - p.mean()) ** 2).sum()) for p in parts) / (n - g)
    typical = (n - sum(s * s for s in sizes) / n) / (g - 1)
    icc = (between - within) / (between + (typical - 1) * within)
    assert (found.icc, found.n_clusters) == pytest.approx((icc, g))
    assert found.n_effective == pytest.approx(n / found.design_effect)
    squares = sum(s * s for s in sizes)
    u = [s * s / (n - s) for s in sizes]
    df = n**2 / (squares + sum(u[i] * u[j] for i, j in product(range(g), repeat=2) if i != j))
    assert means.satterthwaite(np.array(sizes, dtype=float)) == pytest.approx(df)


# runs


def test_item_and_run_tests_see_items_alone_or_runs_alone() -> None:
    draw = np.random.default_rng(8)
    a, b = (additive(draw.normal(size=(3, 6)) + k) for k in range(2))
    items = stats.ttest_rel(a.values.mean(axis=0), b.values.mean(axis=0))
    found = tests.make("t").run(support.pairing(a.values, b.values, support.settings()))
    expected = (items.statistic, items.pvalue, 5)
    assert (found.effect["statistic"], found.p_value, found.effect["df"]) == pytest.approx(expected)
    theirs = stats.ttest_ind(a.run_scores, b.run_scores, equal_var=False)
    welch = runs.run_welch(a, b)
    assert (welch.statistic, welch.p) == pytest.approx((theirs.statistic, theirs.pvalue))


# judges


LABELS = np.array([1.0, 0, 1, 1, 0, 1, 0, 1, np.nan, np.nan, np.nan, np.nan, np.nan])
JUDGED = np.array([1.0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0])


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("tuned", [False, True])
def test_a_judge_adds_its_mean_and_its_error(weight: float, tuned: bool) -> None:
    known = np.isfinite(LABELS)
    found = prediction_powered.prediction_powered(LABELS, JUDGED, weight=weight, tuned=tuned)
    errors, others = LABELS[known] - weight * JUDGED[known], weight * JUDGED[~known]
    if weight == 0:
        plain = stats.ttest_1samp(LABELS[known], 0)
        assert (found.statistic, found.p, found.df) == pytest.approx((plain.statistic, plain.pvalue, 7))
        return
    wider = 7 / 6 if tuned else 1.0
    parts = [wider * errors.var(ddof=1) / 8, others.var(ddof=1) / 5]
    df = sum(parts) ** 2 / (parts[0] ** 2 / 7 + parts[1] ** 2 / 4)
    expected = (errors.mean() + others.mean(), math.sqrt(sum(parts)), df)
    assert (found.estimate, found.se, found.df) == pytest.approx(expected)


def test_a_judges_share_is_corrected_by_its_error_rates() -> None:
    found = prediction_powered.rogan_gladen(LABELS, JUDGED)
    called, sensitivity, miscalled = 3 / 5, 4 / 5, 1 / 3
    assert found.estimate == pytest.approx((called - miscalled) / (sensitivity - miscalled))
    assert 0.0 <= found.low <= found.estimate <= found.high <= 1.0
    assert prediction_powered.disagreements(LABELS, JUDGED) == 2
    many = np.tile([1.0, 1, 1, 0, 0, 0, 1, 0, 0, 1], 8)
    labels = np.concatenate([many, np.full(40, np.nan)])
    said = np.concatenate([np.tile([1.0, 1, 1, 0, 0, 0, 1, 0, 1, 0], 8), np.tile([1.0, 0], 20)])
    found = prediction_powered.rogan_gladen(labels, said)
    called, sensitivity, miscalled = 0.5, 4 / 5, 1 / 5
    youden, share = sensitivity - miscalled, (called - miscalled) / (sensitivity - miscalled)
    variance = called * (1 - called) / 40 / youden**2
    variance += share**2 * sensitivity * (1 - sensitivity) / 40 / youden**2
    variance += (1 - share) ** 2 * miscalled * (1 - miscalled) / 40 / youden**2
    half = 1.959963984540054 * math.sqrt(variance)
    assert (found.low, found.high) == pytest.approx((share - half, share + half))
    for nothing in (np.ones(13), np.full(13, np.nan), np.where(np.isfinite(LABELS), 1 - JUDGED, np.nan)):
        assert math.isnan(prediction_powered.rogan_gladen(nothing, JUDGED).estimate)


# blocks


TABLES = [
    [[0, 1, 2], [0, 2, 1], [1, 0, 2]],
    [[1, 1, 0], [0, 1, 0]],
    [[0, 1], [0, 1], [1, 0]],
    [[0, 1, 2]] * 3,
    [[1, 1]],
]


@pytest.mark.parametrize("table", TABLES)
def test_permutations_within_blocks_are_counted(table: list[list[int]]) -> None:
    given = np.array(table)
    observed = int((given.sum(axis=0) ** 2).sum())
    every = [
        int((np.array(orders).sum(axis=0) ** 2).sum()) for orders in product(*(permutations(block) for block in table))
    ]
    expected = sum(one >= observed for one in every) / len(every)
    assert blocks.permutation_p(given) == pytest.approx(expected)
    drawn = blocks.permutation_exceedances(given, 2000, 3)
    # five standard errors
    assert drawn.total / drawn.drawn == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 2000))
    ranks = [[len(row) + 1 - r for r in stats.rankdata(row)] for row in table]
    assert blocks.block_ranks(given.astype(float)).tolist() == [[2 * r for r in block] for block in ranks]


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (0, 1), (2, 2), (9, 3), (3, 9)])
def test_odds_of_discordant_pairs_have_the_ends_of_their_share(b: int, c: int) -> None:
    found, n = DiscordantPairs(b, c), b + c
    assert math.isnan(found.chi2()) if n == 0 else found.chi2() == pytest.approx((b - c) ** 2 / n)
    ratio, odds_low, odds_high = found.odds_ratio()
    assert math.isnan(ratio) if n == 0 else ratio == (b / c if c else math.inf)
    low, high = (0.0, 1.0) if n == 0 else tuple(stats.binomtest(b, n).proportion_ci(0.95, "exact"))
    assert odds_low == pytest.approx(low / (1 - low) if low < 1 else math.inf)
    assert odds_high == pytest.approx(high / (1 - high) if high < 1 else math.inf)
    if n:
        assert found.chi2(corrected=True) == pytest.approx(max(abs(b - c) - 1, 0) ** 2 / n)


# what is said of data, and sequences


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_said_of_data_stays(shape: str) -> None:
    pair = pairing(shape)
    chosen = choose(pair)
    names = [chosen.test.label, chosen.reason.code, *(test.label for test in chosen.beside)]
    facts = row([list(fact) for fact in facts_of(pair)])
    assert_kept("facts", shape, {"facts": facts, "chosen": names, "effect": [row(standard_effect(pair))]})


SEQUENCES = {
    "betting": {"bounds": (0.0, 1.0), "margin": 0.2},
    "betting of clusters": {"bounds": (0.0, 1.0), "largest": 4},
    "betting on a population": {"bounds": (-1.0, 1.0), "population": 60, "margin": 0.5},
    "mixture": {"bounds": None, "method": "mixture", "margin": 0.3},
    "mixture at another level": {"bounds": None, "method": "mixture", "alpha": 0.2},
}


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("shift", [0.0, 0.35, -0.6])
def test_what_a_sequence_says_stays(name: str, shift: float) -> None:
    draw = np.random.default_rng(4)
    sizes = draw.integers(1, 5, 40) if "clusters" in name else np.ones(40)
    sums = np.clip(draw.normal(shift, 0.4, 40).round(2), -1, 1) * sizes
    sequence = start(**SEQUENCES[name])  # type: ignore[arg-type]
    path = sequence.extend(sums, sizes.astype(float))
    rows = {
        str(i): [*row([float(path.gain[i]), float(path.low[i]), float(path.high[i]), float(path.log_e[i])]), said]
        for i, said in enumerate(decisions(path))
        if i < 3 or i % 6 == 0 or i == 39
    }
    assert_kept("sequences", f"{name}, {shift:g}", rows)
