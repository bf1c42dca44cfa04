"""Which notes, kinds and facts data at a threshold get, and what few units, runs and scales give."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.engine.montecarlo import Exceedances
from outscore.significance import EXACT, MONTE_CARLO, Outcome, advice, tests
from outscore.significance.bayes import Evidence
from outscore.significance.bayes.bootstrap import BayesianBootstrap
from outscore.significance.bayes.reweighted import Reweighted
from outscore.significance.contrast import ScoreContrast
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples, brunner_munzel, independent_tests
from outscore.significance.independent.notes import UNEQUAL_SPREADS
from outscore.significance.omnibus import anova, blocks
from outscore.significance.ranked import RankedStatistics
from outscore.significance.sequential import marks_of
from outscore.significance.sequential.betting import Betting
from outscore.significance.statistics import Statistics
from outscore.significance.studentized_sums import StudentizedSums
from tests.laws.support import corpus_stats, experiment, f1_stats, pairing, settings


def codes(outcome: Outcome) -> set[str]:
    return {note.code for note in outcome.notes}


def differing(n: int, different: int) -> GainContrast:
    """So many items, of which so many differ, by amounts that are not skewed."""
    d = np.zeros((1, n))
    d[0, :different] = np.resize([1.0, -0.9], different)
    return pairing(d, np.zeros((1, n)), settings(49))


@pytest.mark.parametrize("n", [29, 30, 199, 200])
@pytest.mark.parametrize("form", ["shift", "percentile", "studentized", "bbk"])
def test_a_bootstrap_says_how_few_items_it_has(n: int, form: str) -> None:
    for different in (19, 20):
        found = codes(tests.make(f"bootstrap:form={form}").run(differing(n, different)))
        assert ("few_items" in found) == (n < 30)
        assert ("under_200_items" in found) == (30 <= n < 200 and form != "studentized")
        assert ("rare_differences" in found) == (different < 20)
        assert ("bbk_one_sided" in found) == (form == "bbk")


@pytest.mark.parametrize(("clusters", "few"), [(29, True), (30, False)])
def test_few_clusters_are_fewer_than_thirty(clusters: int, few: bool) -> None:
    labels = np.arange(2 * clusters) % clusters
    d = np.random.default_rng(1).normal(size=(1, 2 * clusters))
    pair = pairing(d, 0 * d, settings(49), labels)
    for name in ("t", "bootstrap"):
        found = codes(tests.make(name).run(pair))
        assert ("few_clusters" in found) == few and "under_200_items" not in found
    runs = pairing(np.concatenate([d, d + 0.1]), np.concatenate([0 * d, d / 2]), settings(49), labels)
    assert ("few_clusters" in codes(tests.make("crossed").run(runs))) == few


@pytest.mark.parametrize("runs", [(4, 9), (5, 5), (2, 3), (9, 4)])
def test_few_runs_are_fewer_than_five(runs: tuple[int, int]) -> None:
    draw = np.random.default_rng(2)
    a, b = (draw.normal(size=(r, 31)) + draw.normal(size=(r, 1)) for r in runs)
    found = codes(tests.make("crossed").run(pairing(a, b, settings(49))))
    assert ("few_runs" in found) == (min(runs) < 5) and "few_items" not in found
    assert ("unequal_runs" in found) == (runs[0] != runs[1] and min(runs) < 5)


def test_a_doubled_tail_decides_at_half_of_alpha() -> None:
    held = Exceedances(np.array([40]), np.array([1999]))
    for tails, p in ((1, 41 / 2000), (2, 82 / 2000)):
        found = Outcome(p_value=p, p_kind=MONTE_CARLO, exceedances=held, tails=tails)
        assert not found.decides(p)
        assert found.decides(p / 3) and found.decides(3 * p)
        low, high = found.p_range(0.99) or (1.0, 0.0)
        assert low < p < high and found.p_range(0.5) != found.p_range(0.99)
    assert Outcome(p_value=0.04, p_kind=EXACT).decides(0.04) and Outcome(p_value=0.0, p_kind=EXACT).p_value
    most = Outcome(p_value=1.0, p_kind=MONTE_CARLO, exceedances=Exceedances(np.array([90]), np.array([99])), tails=2)
    assert most.p_range(0.9) == (1.0, 1.0)


def test_two_units_are_reweighted_and_one_has_facts() -> None:
    counts = np.array([[[[3.0, 1, 0], [1, 2, 2]]], [[[4.0, 0, 1], [3, 0, 1]]]])
    resamples = experiment(f1_stats(list(counts)), settings=settings(199))
    pair = GainContrast(resamples, 0, 1)
    evidence = Evidence(pair=pair, rope=0.0, reweighted=Reweighted(((1, 0),), (0.0,)))
    found = BayesianBootstrap().run(evidence)
    assert found.better == 1.0 and found.worse == 0.0 and found.mean == pytest.approx(pair.gain, abs=0.1)
    single = pairing(np.array([[1.0], [2.0]]), np.array([[0.0], [0.5]]), settings(9))
    assert dict(advice.facts_of(single))["items"] == 1


@pytest.mark.parametrize(("n", "wide", "said"), [(29, 2.1, True), (29, 1.9, False), (30, 2.5, False), (9, 2.5, True)])
def test_spreads_are_unequal_from_twice_on_in_few_numbers(n: int, wide: float, said: bool) -> None:
    base = np.linspace(-1, 1, 40)
    system = np.linspace(-1, 1, n)
    system *= wide * base.std() / system.std()
    for one, other in ((system, base), (base, system)):
        made = IndependentSamples(system=one, baseline=other, unit="item", settings=settings(49))
        outcome = independent_tests.make("permutation:exact=never").run(made)
        assert (UNEQUAL_SPREADS in outcome.notes) == said
    assert math.isnan(brunner_munzel.brunner_munzel(np.array([1.0]), np.array([2.0, 0.0])).p)


def test_a_score_over_runs_is_that_of_their_mean_sums() -> None:
    def grown(sums: Float) -> Float:
        return np.asarray(np.log1p(sums[..., 0]))

    rows = np.random.default_rng(3).integers(1, 9, (2, 3, 5, 1)) / 4
    resamples = experiment(corpus_stats(list(rows), grown), settings=settings(9))
    sums, function = ScoreContrast(resamples, 0, 1).joint
    assert float(function(sums.sum(axis=0))) == pytest.approx(math.log1p(float(rows[1].mean(axis=0).sum())))
    both, gain = GainContrast(resamples, 0, 1).joint
    means = [math.log1p(float(of.mean(axis=0).sum())) for of in rows]
    assert float(gain(both.sum(axis=0))) == pytest.approx(means[1] - means[0])


def test_ratios_of_halves_have_an_exact_law_too() -> None:
    draw = np.random.default_rng(4)
    rows = np.stack([draw.integers(0, 9, (2, 1, 40)) / 2, draw.integers(1, 5, (2, 1, 40)).astype(float)], axis=-1)
    ratio = (np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0)
    measured = Statistics("ratio", list(rows), lambda s: s[..., 0] / s[..., 1], Design(40), ratio=ratio)
    found = tests.make("randomization").run(GainContrast(experiment(measured, settings=settings(99)), 0, 1))
    again = tests.make("randomization:exact=never").run(
        GainContrast(experiment(measured, settings=settings(3999)), 0, 1)
    )
    assert found.p_kind == EXACT and found.p_value == pytest.approx(again.p_value, abs=0.035)


# work that is or is not done


@pytest.mark.parametrize("unit", [1, 1000])
def test_numbers_on_a_grid_cost_as_much_as_their_steps(unit: int) -> None:
    table = np.array([[1, 0, 0]] * 6 + [[0, 1, 0]] * 2)
    assert blocks.permutation_p(unit * table) == pytest.approx(blocks.permutation_p(table) or 0.0)
    counts = np.random.default_rng(5).multinomial(8, [1 / 3] * 3, 40000)
    share = float(((counts**2).sum(axis=1) >= 40).mean())
    assert blocks.permutation_p(unit * table) == pytest.approx(share, abs=0.012)


@pytest.mark.parametrize(("most", "known"), [(333, True), (5000, False)])
def test_sums_in_a_long_reach_are_too_many(most: int, known: bool) -> None:
    table = np.array([[most, 1, 0]] * 5 + [[1, most, 0]])
    found = blocks.permutation_p(table)
    assert known == (6 * (6 * most) ** 2 / 6 <= 2**22)
    assert (found is not None) == known
    if found is not None:
        # five of six agree on the largest, or all of them: 3 and 6 · 2 · 3 of 3^6 places
        assert 3 / 3**6 < found < (3 + 36) / 3**6 + 1e-9


def test_large_numbers_that_are_equal_but_for_rounding_do_not_vary() -> None:
    x = 3e5
    near = np.array([x, x * (0.1 + 0.2) / 0.3, x])
    assert anova.analyse_one_way([near, near]).degenerate == "identical_outputs"
    tiny = anova.analyse_one_way([np.array([1e-9, 2e-9, 4e-9]), np.array([5e-9, 3e-9, 9e-9])])
    theirs = stats.f_oneway([1.0, 2, 4], [5.0, 3, 9])
    assert (tiny.statistic, tiny.p) == pytest.approx((float(theirs.statistic), float(theirs.pvalue)))


# exchanges


@pytest.mark.parametrize(("equal", "follows"), [(19, False), (20, True), (25, True)])
def test_units_of_equal_weight_are_counted_by_their_squares(equal: int, follows: bool) -> None:
    def score(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums.sum(axis=-1))

    b = np.ones((equal + 7, 4))
    a = b.copy()
    a[:equal:2, 0], a[1:equal:2, 0] = 2.0, 0.0
    assert StudentizedSums(a, b, score).follows == follows
    assert not StudentizedSums(a[:, :3], b[:, :3], score).follows
    heavy = a.copy()
    heavy[0, 0] = 9.0  # one that outweighs the others
    assert not StudentizedSums(heavy, b, score).follows


def test_a_ranking_is_kept_as_its_mid_ranks() -> None:
    values = np.array([0.3, 9.0, 0.3, -1.0, 2.0, 2.0, 2.0])
    rows = np.stack([np.resize([0.0, 1.0], 7), values], axis=-1)[None]
    measured = RankedStatistics("auc", [rows, rows], lambda r, w: w.sum(axis=-1) + r.sum(), Design(7))
    assert measured.items[0][0, :, 1] * measured.units[1] == pytest.approx(stats.rankdata(values))
    assert measured.items[0][0, :, 0].tolist() == rows[0, :, 0].tolist()


@pytest.mark.parametrize("reach", [1e-6, 1.0, 1e6])
def test_sums_of_decimals_do_not_pass_a_mark_by_rounding(reach: float) -> None:
    # all items of the whole set are seen: the gain is 0.1 of the reach, which is the margin, and not above it
    d = reach * np.array([0.3, -0.1, 0.1, 0.1, 0.1])
    path = Betting(alpha=0.05, reach=reach, marks=marks_of(0.1 * reach), population=5).extend(d, np.ones(5))
    assert path.above[-1].tolist() == [True, True, False] and not path.below[-1].any()
    more = Betting(alpha=0.05, reach=reach, marks=marks_of(0.0999 * reach), population=5).extend(d, np.ones(5))
    assert more.above[-1].tolist() == [True, True, True]
