"""Numbers that are all 0, and data that have just as many of something as a rule asks for, one fewer and one more."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outscore.base.errors import UsageError
from outscore.base.notes import Note
from outscore.significance import Test, coefficients, notes, tests
from outscore.significance.advice import looks_unpaired
from outscore.significance.bayes import remarks
from outscore.significance.bayes.signed_rank import BayesianSignedRank
from outscore.significance.bayes.student import correlated_t
from outscore.significance.choose import choose
from outscore.significance.clusters import unequal
from outscore.significance.confidence import needed_for_score, plain_interval, score_interval, selection_error
from outscore.significance.correlation import CorrelationCoefficient, MetricMeasure, What, permutation
from outscore.significance.crossed import crossed_t, run_tables
from outscore.significance.effect import cohen_dz, hedges_gz, standard_effect
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples, Unit, independent_tests
from outscore.significance.interval import intervals
from outscore.significance.means import paired_t, t_from, welch
from outscore.significance.omnibus import anova
from outscore.significance.resamples import Resamples
from outscore.significance.studentized import influences
from tests.laws.support import corpus_stats, experiment, f1_stats, mean_stats, pairing, settings
from tests.significance.test_borders_of_metrics_compared import measures
from tests.significance.test_posteriors import evidence


def test_nothing_but_zeros_has_no_gain_and_no_error() -> None:
    found = t_from(0.0, 0.0, 5.0)
    assert (found.statistic, found.p, found.low, found.high, found.degenerate) == (
        0.0,
        1.0,
        0.0,
        0.0,
        "identical_outputs",
    )
    zeros = np.zeros(4)
    assert paired_t(zeros).degenerate == welch(zeros, zeros).degenerate == "identical_outputs"
    assert cohen_dz(zeros) in (0.0, None) or math.isnan(float(cohen_dz(zeros)))
    for pairs in (anova.tukey([zeros, zeros, zeros]), anova.games_howell([zeros, zeros, zeros])):
        assert [(pair.gain, pair.p_adjusted) for pair in pairs] == [(0.0, 1.0)] * 3


@pytest.mark.parametrize(("units", "correlation", "loose"), [(30, 0.049, True), (29, 0.049, False), (30, 0.05, False)])
def test_rows_look_unpaired_from_thirty_units_on_below_a_correlation(
    units: int, correlation: float, loose: bool
) -> None:
    assert looks_unpaired([-0.2, correlation], units) is loose
    assert not looks_unpaired([], units)


def differences(n: int, different: int, seed: int = 0) -> GainContrast:
    """A system that differs on so many of n items, by numbers that are not skewed."""
    d = np.zeros(n)
    d[:different] = np.resize([1.0, -2.0, 2.0, -1.0, 1.5, -1.5], different)
    return pairing(d[None], np.zeros((1, n)), settings(99, seed))


@pytest.mark.parametrize(
    ("name", "n", "different", "note", "said"),
    [
        ("bootstrap", 29, 29, notes.FEW_ITEMS, True),
        ("bootstrap", 30, 30, notes.FEW_ITEMS, False),
        ("bootstrap", 30, 30, notes.UNDER_200, True),
        ("bootstrap", 199, 199, notes.UNDER_200, True),
        ("bootstrap", 200, 200, notes.UNDER_200, False),
        ("bootstrap", 200, 19, notes.RARE, True),
        ("bootstrap", 200, 20, notes.RARE, False),
    ],
)
def test_a_note_says_how_few_there_are_below_its_number(
    name: str, n: int, different: int, note: Note, said: bool
) -> None:
    assert (note in tests.make(name).run(differences(n, different)).notes) is said


@pytest.mark.parametrize(("runs", "items"), [(4, 29), (5, 30), (9, 30), (10, 30)])
@pytest.mark.parametrize("name", ["crossed", "multibootstrap"])
def test_tests_over_runs_say_how_few_runs_and_items_there_are(name: str, runs: int, items: int) -> None:
    draw = np.random.default_rng(runs)
    easy = draw.normal(size=items)
    system, baseline = (easy + draw.normal(size=(runs, items)) + draw.normal(size=(runs, 1)) for _ in range(2))
    said = tests.make(name).run(pairing(system, baseline, settings(99))).notes
    assert (notes.FEW_RUNS in said) is (runs < 5)
    assert (notes.FEW_ITEMS in said) is (items < 30)


FEW = {"permutation": 30, "prob-better": 20, "unpaired-bootstrap:form=shift": 30, "aso": 200}


@pytest.mark.parametrize("unit", ["item", "run"])
@pytest.mark.parametrize("name", FEW)
def test_tests_of_independent_samples_say_more_of_one_fewer(name: str, unit: Unit) -> None:
    """The smaller sample decides; spreads differ by more than twice, which is told of few numbers alone."""
    few, draw = FEW[name], np.random.default_rng(3)
    x, y = np.sort(draw.normal(size=few + 5)), draw.normal(0.3, 5.0, few)
    said = []
    for n in (few - 1, few):
        given = IndependentSamples(system=x, baseline=y[:n], unit=unit, settings=settings(60))
        test = independent_tests.make(name)
        assert test.refuses(given) is None
        said.append({note.code for note in test.run(given).notes})
    assert len(said[0] - said[1]) == 1 and not said[1] - said[0]


@pytest.mark.parametrize("name", ["sign", "t", "wilcoxon", "bootstrap", "randomization"])
def test_one_item_is_refused_or_has_no_p_below_one(name: str) -> None:
    test: Test = tests.make(name)
    pair = pairing(np.array([[0.75]]), np.array([[0.25]]), settings(9))
    if test.refuses(pair) is None:
        p = test.run(pair).p_value
        assert p is None or p == 1.0


@pytest.mark.parametrize(("n", "method"), [(1, None), (2, "jackknife")])
def test_pseudo_values_need_two_units(n: int, method: str | None) -> None:
    rows = np.random.default_rng(1).integers(1, 9, (2, 1, n, 2)).astype(float)
    made = corpus_stats(list(rows), lambda sums: sums[..., 0] / sums[..., 1])
    found = intervals.make("jackknife").compute(GainContrast(experiment(made, settings=settings(9)), 0, 1))
    assert (found[0] is None) is (method is None)


@pytest.mark.parametrize("numbers", [1, 2, 3])
def test_effects_are_in_deviations_of_two_numbers_and_corrected_from_three_on(numbers: int) -> None:
    d = np.array([0.5, 1.5, 4.0])[:numbers]
    dz, gz = cohen_dz(d), hedges_gz(d)
    if numbers == 1:
        assert dz is None or math.isnan(dz)
    else:
        assert dz == pytest.approx(d.mean() / d.std(ddof=1))
    if numbers == 3:
        assert gz == pytest.approx(dz * math.gamma(1) / (math.sqrt(1) * math.gamma(0.5)))


def test_a_choice_over_runs_needs_two_of_each_system() -> None:
    draw = np.random.default_rng(2)
    over = {
        runs: choose(pairing(draw.normal(size=(runs[0], 40)), draw.normal(size=(runs[1], 40)), settings(99))).test.name
        for runs in ((1, 1), (1, 3), (2, 2))
    }
    assert over[2, 2] == "crossed"
    assert "crossed" not in (over[1, 1], over[1, 3])


def test_groups_need_two_and_as_many_numbers_as_are_asked() -> None:
    with pytest.raises(UsageError):
        anova.welch_one_way([np.array([1.0, 2.0])])
    with pytest.raises(UsageError):
        anova.welch_one_way([np.array([1.0, 2.0]), np.array([1.0])])
    assert anova.welch_one_way([np.array([1.0, 2.0]), np.array([1.0, 4.0])]).p < 1
    with pytest.raises(UsageError):
        anova.analyse_one_way([np.array([1.0]), np.array([2.0])])
    assert anova.analyse_one_way([np.array([1.0]), np.array([2.0, 2.5])]).p < 1


def test_an_effect_counts_wins_and_losses_and_not_ties() -> None:
    d = np.array([1.0, 0.0, 0.0, -2.0, 3.0])
    found = standard_effect(pairing(d[None], np.zeros((1, 5)), settings(9)))
    assert {found["wins"], found["losses"]} == {2, 1}


def test_a_coefficient_needs_two_things_of_which_both_measurements_are_there() -> None:
    x = np.array([[1.0, math.nan, 3.0], [1.0, math.nan, 3.0], [1.0, 2.0, 3.0]])
    y = np.array([[5.0, 6.0, math.nan], [5.0, 6.0, 8.0], [5.0, 6.0, 8.0]])
    sizes = coefficients.correlate_known(lambda a, b: np.full(len(a), float(a.shape[1])), x, y)
    np.testing.assert_array_equal(sizes, [math.nan, 2.0, 3.0])
    found = coefficients.accuracy(x, y)
    np.testing.assert_array_equal(found, [math.nan, 1.0, 1.0])


@pytest.mark.parametrize("rho", [-0.01, 1.0, 1.5])
def test_folds_are_correlated_by_less_than_one(rho: float) -> None:
    d = np.array([0.5, 1.0, 2.5])
    with pytest.raises(UsageError, match="between 0 and 1"):
        correlated_t(d, rho)
    correlated_t(d, 0.0)
    correlated_t(d, 0.99)


@pytest.mark.parametrize(("d", "said"), [([1, 0, 2, 3], True), ([-1, 0, -2, -3], True), ([1, 0, -2, 3], False)])
def test_differences_on_one_side_are_told_with_ties_among_them(d: list[float], said: bool) -> None:
    pair = pairing(np.array([d], dtype=float), np.zeros((1, 4)), settings(50))
    found = BayesianSignedRank().run(evidence(pair, 0.0))
    assert (remarks.ONE_SIDED in found.notes) is said


@pytest.mark.parametrize(
    ("sizes", "large", "more"),
    [([30, 20, 10, *[2] * 20], 3, ""), ([30, 20, 10, 9, *[1] * 31], 4, " and 1 more"), ([40, 5, *[1] * 55], 1, "")],
)
def test_clusters_of_more_than_a_twentieth_are_named_up_to_three(sizes: list[int], large: int, more: str) -> None:
    labels = np.repeat(np.arange(len(sizes)), sizes)
    assert len(labels) == 100
    note = unequal(pairing(np.zeros((1, 100)), np.ones((1, 100)), settings(9), labels))
    assert note is not None
    assert note.text.startswith(f"{large} of {len(sizes)} clusters hold")
    named = ", ".join(f"'{i + 1}' {m} ({m} %)" for i, m in enumerate(sizes[: min(large, 3)]))
    assert f"items: {named}{more};" in note.text


def right_of(right: int, n: int, runs: int = 1) -> Resamples:
    """A system that has so many of n items right, and one that has all."""
    values = np.repeat((np.arange(n) < right).astype(float)[None], runs, axis=0)
    stats_of = mean_stats([np.ones_like(values), values])
    stats_of.limits = (0.0, 1.0)
    return experiment(stats_of, settings=settings(50))


@pytest.mark.parametrize(("right", "beyond"), [(0, False), (1, True), (19, True), (20, False)])
def test_an_interval_that_ends_at_a_limit_is_not_beyond_it(right: int, beyond: bool) -> None:
    """Wald's interval is one point where all are right or all wrong, and wider than the scale beside these."""
    for name, said in (("wald", beyond), ("clopper-pearson", False)):
        found = score_interval(right_of(right, 20), 0, 1, intervals.make(name))
        assert found[0] is not None
        assert (notes.BEYOND_LIMITS in found[2]) is said


@pytest.mark.parametrize(("runs", "one"), [(1, True), (2, False)])
def test_right_or_wrong_items_of_one_run_have_wilsons_interval(runs: int, one: bool) -> None:
    assert (score_interval(right_of(12, 20, runs), 0, 1)[1] == "Wilson interval") is one


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


@pytest.mark.parametrize("what", ["systems", "items", "both"])
def test_a_metric_that_gives_all_the_same_score_has_no_coefficient_to_compare(what: What) -> None:
    first, _, human = measures(4, 5)
    same = MetricMeasure(mean_stats([np.full((1, 5), 0.5)] * 4))
    (found,) = permutation(first, same, human, [CorrelationCoefficient("segment", "pearson")], what, settings(30))
    assert found.p_value is None


@pytest.mark.parametrize("sizes", [(3, 3), (3, 3, 3, 3), (2, 5, 4), (1, 2, 6)])
def test_the_variance_between_runs_is_by_mean_squares(sizes: tuple[int, ...]) -> None:
    draw = np.random.default_rng(sum(sizes))
    runs = [draw.normal(k, 1.0, n) for k, n in enumerate(sizes)]
    whole, k = sum(sizes), len(sizes)
    grand = np.concatenate(runs).mean()
    between = sum(g.size * (g.mean() - grand) ** 2 for g in runs) / (k - 1)
    within = sum(((g - g.mean()) ** 2).sum() for g in runs) / (whole - k)
    typical = (whole - sum(n**2 for n in sizes) / whole) / (k - 1)
    found = anova.run_variance(runs)
    assert found.within == pytest.approx(within)
    assert found.between == pytest.approx((between - within) / typical)


def test_a_signed_column_that_sums_to_nothing_has_an_influence() -> None:
    """A sum of counts that is 0 stays 0 whatever is drawn; one of signed numbers does not."""
    rows = np.array([[1.0, 2.0], [-3.0, 1.0], [2.0, 4.0]])
    np.testing.assert_allclose(influences(rows, lambda sums: sums[..., 0]), rows[:, 0], atol=1e-9)
    counts = np.array([[0.0, 2.0], [0.0, 1.0], [0.0, 4.0]])
    np.testing.assert_array_equal(influences(counts, lambda sums: sums[..., 0]), np.zeros(3))


@pytest.mark.parametrize("items", [2, 5])
def test_runs_and_items_that_do_not_vary_have_the_freedom_of_the_items(items: int) -> None:
    pair = pairing(np.full((3, items), 0.75), np.full((2, items), 0.25), settings(9))
    found = crossed_t(*run_tables(pair)).test
    assert (found.df, found.degenerate) == (items - 1, "zero_variance")
    assert found.estimate == pytest.approx(0.5)
