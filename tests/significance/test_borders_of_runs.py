"""Correlations, runs, effect sizes, notes and verdicts at their borders, beside formulas written out."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats as laws

from outscore.base.items import Items
from outscore.engine.design import Design
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.metrics import metrics
from outscore.significance import coefficients, effect, means, runs, student
from outscore.significance.clusters import find_ignored_clusters
from outscore.significance.confidence import gain_interval
from outscore.significance.contrast import ScoreContrast
from outscore.significance.correlation import CorrelationCoefficient, williams
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.equivalence import tost
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples, independent_tests, permutation, t_tests
from outscore.significance.interval import intervals
from outscore.significance.interval.unvarying import make_unvarying, range_of
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.laws.support import mean_stats
from tests.significance.shapes import pairing

# correlations


def test_differences_by_rounding_are_ties_of_a_coefficient_and_the_border_is_one() -> None:
    x, y = np.array([[0.0, 1e-12, 1.0]]), np.array([[0.0, 1.0, 2.0]])
    assert coefficients.kendall(x, y)[0] == pytest.approx(2 / math.sqrt(2 * 3))
    assert coefficients.kendall(np.array([[0.0, 1.1e-12, 1.0]]), y)[0] == pytest.approx(1.0)
    assert coefficients.kendall_c(x, y)[0] == pytest.approx(2 * 2 * 2 / (9 * 1))
    assert np.isnan(coefficients.pearson(np.array([[1.0, 1.0 + 9e-13]]), np.array([[0.0, 1.0]]))[0])


@pytest.mark.parametrize("n", [5, 60, 200, 201])
def test_coefficients_are_those_of_scipy(n: int) -> None:
    draw = np.random.default_rng(n)
    x = draw.integers(0, 1 + n // 3, (2, n)).astype(float)
    y = x + draw.integers(0, 6, (2, n)).astype(float)
    for row in range(2):
        for name, theirs in {
            "pearson": laws.pearsonr(x[row], y[row]).statistic,
            "spearman": laws.spearmanr(x[row], y[row]).statistic,
            "kendall": laws.kendalltau(x[row], y[row]).statistic,
            "kendall-c": laws.kendalltau(x[row], y[row], variant="c").statistic,
        }.items():
            assert coefficients.COEFFICIENTS[name](x, y)[row] == pytest.approx(float(theirs), rel=1e-9), name
        pairs = list(combinations(range(n), 2))
        for epsilon in (0.0, 1.0):
            right = sum(
                y[row, i] == y[row, j]
                if abs(x[row, i] - x[row, j]) <= epsilon
                else (x[row, i] - x[row, j]) * (y[row, i] - y[row, j]) > 0
                for i, j in pairs
            )
            assert coefficients.accuracy(x, y, epsilon)[row] == pytest.approx(right / len(pairs))


@pytest.mark.parametrize(
    ("level", "groups", "n"),
    [("segment", 1, 12), ("segment-by-item", 4, 3), ("segment-by-system", 3, 4), ("system", 3, 4)],
)
def test_a_calibration_goes_through_all_pairs_of_its_groups(level: str, groups: int, n: int) -> None:
    found = CorrelationCoefficient(level, "accuracy").n_pairs(3, 4)  # type: ignore[arg-type]
    assert found == groups * len(list(combinations(range(n), 2)))


@pytest.mark.parametrize(("n", "known"), [(3, False), (4, True), (9, True)])
def test_williams_needs_four_and_has_n_less_3_degrees_of_freedom(n: int, known: bool) -> None:
    a, b, c = 0.7, 0.4, 0.5
    found = williams(a, b, c, n)
    assert found.effect["df"] == n - 3
    assert (found.p_value is not None) == known
    if known:
        rest = 1 - a * a - b * b - c * c + 2 * a * b * c
        t = (a - b) * math.sqrt((n - 1) * (1 + c) / (2 * (n - 1) / (n - 3) * rest + (a + b) ** 2 / 4 * (1 - c) ** 3))
        assert (found.effect["statistic"], found.p_value) == pytest.approx((t, 2 * float(laws.t(n - 3).sf(t))))


# runs


def test_the_median_run_has_the_median_score() -> None:
    assert runs.median_run(np.array([5.0, 1.0, 3.0])) == 2


# t and its effect sizes


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_two_sample_t_are_those_of_scipy(alternative: Alternative) -> None:
    x, y = np.array([1.0, 2.5, 4.0, 4.5]), np.array([0.5, 2.0, 1.0])
    for test, equal in ((t_tests.student, True), (means.welch, False)):
        theirs = laws.ttest_ind(x, y, equal_var=equal, alternative=alternative)
        found = test(x, y, alternative=alternative)
        assert (found.statistic, found.p, found.df) == pytest.approx((theirs.statistic, theirs.pvalue, theirs.df))
        both = laws.ttest_ind(x, y, equal_var=equal).confidence_interval()
        assert (found.low, found.high) == pytest.approx((both.low, both.high))
    d = x - 1.2
    assert effect.cohen_dz(d) == pytest.approx(d.mean() / d.std(ddof=1))
    j = math.gamma(3 / 2) / (math.sqrt(3 / 2) * math.gamma(1.0))
    assert effect.hedges_gz(d) == pytest.approx(j * d.mean() / d.std(ddof=1))
    assert math.isnan(effect.hedges_gz(d[:2])) and not math.isnan(effect.hedges_gz(d[:3]))
    assert not math.isnan(effect.cohen_dz(d[:2])) and math.isnan(effect.cohen_dz(d[:1]))
    z = student.paired_z(d, 2.0)
    assert (z.statistic, z.se, z.df) == pytest.approx((d.mean(), 1.0, math.inf))


@pytest.mark.parametrize(("n", "m"), [(2, 2), (2, 3), (4, 4), (5, 1)])
def test_the_smallest_p_of_labellings(n: int, m: int) -> None:
    for alternative in ALTERNATIVES:
        twice = 2 if n == m and alternative == "two-sided" else 1
        assert permutation.smallest_p(n, m, alternative) == pytest.approx(twice / math.comb(n + m, n))


def test_equivalence_within_a_margin_is_two_t_tests() -> None:
    d = np.array([0.1, -0.2, 0.3, 0.0, 0.25])
    found, margin = tost(d, 0.4), 0.4
    se = d.std(ddof=1) / math.sqrt(5)
    lower, upper = (d.mean() + margin) / se, (d.mean() - margin) / se
    assert (found.statistic_lower, found.statistic_upper) == pytest.approx((lower, upper))
    assert (found.p_lower, found.p_upper) == pytest.approx((laws.t(4).sf(lower), laws.t(4).cdf(upper)))
    half = laws.t(4).ppf(0.95) * se
    assert (found.low, found.high) == pytest.approx((d.mean() - half, d.mean() + half))


@pytest.mark.parametrize("n", [999, 1000, 1001])
def test_a_mid_p_of_many_pairs_leaves_out_half_of_what_was_seen(n: int) -> None:
    b = n // 2 - 20
    law = laws.binom(n, 0.5)
    assert DiscordantPairs(b, n - b).p() == pytest.approx(float(2 * law.cdf(b) - law.pmf(b)), rel=1e-9)
    less = DiscordantPairs(b, n - b).p(alternative="less")
    assert less == pytest.approx(float(law.cdf(b) - law.pmf(b) / 2), rel=1e-9)


# beside the textbook: notes and verdicts of numbers at a border


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (0.4, "baseline, not meaningful"),
        (0.6, "system, not meaningful"),
        (0.5, "inconclusive"),
        (0.9, "system, meaningful"),
        (0.1, "baseline, meaningful"),
    ],
)
def test_a_chance_to_be_better_is_meaningful_beyond_the_threshold_alone(share: float, verdict: str) -> None:
    n = 400
    baseline = np.arange(n) / n
    system = np.quantile(
        baseline, np.clip(np.arange(n) / n + (share - 0.5) * (1.2 if share in (0.1, 0.9) else 1.0), 0, 1)
    )
    given = IndependentSamples(system=system + 1e-4, baseline=baseline, unit="item", settings=Settings(n_resamples=999))
    assert independent_tests.make("prob-better").run(given).effect["reaches_0.75"] == verdict


def test_the_largest_design_effect_of_all_pairs_is_told_of_clusters_that_were_not_used() -> None:
    draw = np.random.default_rng(1)
    names = [f"d{i // 5}" for i in range(60)]
    shared, alone = np.repeat(draw.normal(size=12), 5), draw.normal(size=60)
    base = np.zeros(60)
    stats = mean_stats([v[None] for v in (base, base + alone, base + 2 * shared + alone)])
    made = Resamples(("a", "b", "c"), [stats], 0, Settings(n_resamples=50))
    differences = [GainContrast(made, 0, s).differences for s in (1, 2)]
    effects = [means.clusters_of(d, np.array(names)).design_effect for d in differences]
    assert effects[0] < 1.5 < effects[1]
    ((column, largest),) = find_ignored_clusters(made, {"document": names})
    assert column == "document"
    assert largest == pytest.approx(effects[1])


def test_clusters_of_one_item_each_or_one_cluster_of_all_are_none() -> None:
    draw = np.random.default_rng(1)
    stats = mean_stats([np.zeros((1, 12)), draw.normal(size=(1, 12))])
    made = Resamples(("a", "b"), [stats], 0, Settings(n_resamples=50))
    for names in ([f"d{i}" for i in range(12)], ["d"] * 12):
        assert find_ignored_clusters(made, {"document": names}) == []


def rates(limits: tuple[float, float] | None) -> Resamples:
    errors = [np.array([3.0, 1.0, 4.0]), np.array([2.0, 2.0, 3.0])]
    rows = [np.stack([e, np.full(3, 2.0)], axis=1)[None] for e in errors]
    ratio = (np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0)
    stats = Statistics(
        "rate", rows, lambda sums: np.asarray(sums[..., 0] / sums[..., 1]), Design(3), ratio=ratio, limits=limits
    )
    return Resamples(("a", "b"), [stats], 0, Settings(n_resamples=50))


def test_rates_without_a_highest_value_are_as_if_none_were_worse_than_one_for_each_word() -> None:
    made = rates((0.5, math.inf))
    pair = GainContrast(made, 0, 1)
    highest = max(0.5 + 1.0, 8 / 6, 7 / 6)
    assert range_of(ScoreContrast(made, 0, 1)) == pytest.approx((0.5, highest))
    assert range_of(pair) == pytest.approx((0.5 - highest, highest - 0.5))
    assert range_of(ScoreContrast(rates(None), 0, 1)) is None
    found, _, _ = make_unvarying(pair)
    unseen = 1 - 0.025 ** (1 / 3)
    ends = [pair.gain + unseen * (end - pair.gain) for end in (0.5 - highest, highest - 0.5)]
    assert found == pytest.approx(tuple(ends))


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_an_interval_with_one_end_goes_on_without_limit_where_gains_have_none(alternative: Alternative) -> None:
    ends, _, _ = gain_interval(pairing("29 items", alternative))
    assert ends is not None
    both, _, _ = gain_interval(pairing("29 items"), level=0.9)
    assert both is not None
    expected = (both[0], math.inf) if alternative == "greater" else (-math.inf, both[1])
    assert ends == pytest.approx(expected)


def test_some_runs_of_either_system_are_too_many_for_an_interval_of_classes() -> None:
    gold = ["a", "b", "a", "b", "c", "c"]
    cells = [Items(n=6, outputs=texts, references=(gold,)) for texts in (gold, [*gold[:5], "a"], ["b", *gold[1:]])]
    (metric,) = metrics.make("f1").prepare(cells)
    rows = [metric.statistics(cell) for cell in cells]
    for numbers, refused in (([[0], [1]], False), ([[0], [1, 2]], True), ([[0, 1], [2]], True)):
        columns = [np.stack([rows[i] for i in of]) for of in numbers]
        stats = Statistics("f1", columns, metric.score, Design(6), limits=metric.limits, averaged=metric.as_average())
        made = Resamples(("a", "b"), [stats], 0, Settings(n_resamples=50))
        assert (intervals.make("mover").refuses(GainContrast(made, 0, 1)) is not None) == refused
