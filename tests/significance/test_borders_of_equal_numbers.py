"""Influences, limits and tolerances beside formulas written out, and comparisons of equal numbers."""

from __future__ import annotations

import dataclasses
import math
from itertools import product

import numpy as np
import pytest

from outscore.base.arrays import Array, Float
from outscore.base.rng import stream
from outscore.engine import exact, exact_bootstrap
from outscore.engine.design import Design
from outscore.metrics.classes import FBeta
from outscore.metrics.mean import Mean
from outscore.significance.audit import verdict
from outscore.significance.clusters import clusters_of_gain
from outscore.significance.confidence import selection_error
from outscore.significance.contrast import ScoreContrast
from outscore.significance.equivalence import procedure
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples
from outscore.significance.laws import bootstrap_law, randomization_law
from outscore.significance.means import clusters_of
from outscore.significance.multibootstrap import MultiBootstrap
from outscore.significance.omnibus import anova, blocks
from outscore.significance.sacrebleu import randomization
from outscore.significance.sequential import marks_of
from outscore.significance.sequential.betting import Betting
from outscore.significance.sequential.mixture import Mixture
from outscore.significance.statistics import Statistics
from outscore.significance.studentized_sums import StudentizedSums
from tests.laws import support

# influences, limits, tolerances


def _ratio(numerators: list[Float], denominators: list[Float]) -> Statistics:
    """A quotient of sums; each system ``(runs, items)``."""
    columns = [np.stack(pair, axis=-1) for pair in zip(numerators, denominators, strict=True)]
    quotient = (np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0)
    return Statistics("ratio", columns, Mean().score, Design(numerators[0].shape[1]), ratio=quotient)


@pytest.mark.parametrize("lower", [False, True])
def test_an_item_of_a_corpus_score_enters_clusters_by_what_the_gain_loses_without_it(lower: bool) -> None:
    draw = np.random.default_rng(6)
    labels = np.repeat(np.arange(4), 3)
    counts = [draw.integers(1, 9, (runs, 12, 3)).astype(float) for runs in (2, 3)]
    metric = FBeta(average="micro")
    made = Statistics("f1", counts, metric.score, Design(12, labels), ratio=metric.ratio(), higher_is_better=not lower)

    def f1(rows: Float) -> float:
        tp, fp, fn = rows.sum(axis=0).tolist()
        return float(2 * tp / (2 * tp + fp + fn))

    lost = []
    for i in range(12):
        of_runs = [[f1(run) - f1(np.delete(run, i, axis=0)) for run in system] for system in counts]
        lost.append((-12 if lower else 12) * (np.mean(of_runs[1]) - np.mean(of_runs[0])))
    found = clusters_of_gain(GainContrast(support.experiment(made, settings=support.settings(9)), 0, 1))
    assert found is not None
    assert dataclasses.asdict(found) == pytest.approx(dataclasses.asdict(clusters_of(np.array(lost), labels)))


@pytest.mark.parametrize(
    ("limits", "expected"), [((0.0, 1.0), (-1.0, 1.0)), ((1.0, 5.0), (-4.0, 4.0)), ((-3.0, -1.0), (-2.0, 2.0))]
)
def test_a_gain_has_the_width_of_the_scores_limits_wherever_they_begin(
    limits: tuple[float, float], expected: tuple[float, float]
) -> None:
    values = [limits[0] + np.array([[0.1, 0.7, 0.4]]), limits[0] + np.array([[0.3, 0.2, 0.6]])]
    made = Statistics(
        "grade", [support.with_weights(v) for v in values], Mean().score, Design(3), per_item=True, limits=limits
    )
    scored = support.experiment(made, settings=support.settings(9))
    assert GainContrast(scored, 0, 1).limits == expected
    assert ScoreContrast(scored, 0, 1).limits == limits


@pytest.mark.parametrize("unit", [0.01, 0.25, 1.0, 3.0])
def test_the_error_of_selection_is_in_the_units_of_the_scores(unit: float) -> None:
    values = unit * np.array([[1.0, 4.0, 2.0, 7.0, 3.0], [2.0, 3.0, 3.0, 9.0, 1.0]])
    found = selection_error(support.experiment(support.mean_stats([values]), settings=support.settings(9)), 0, 0)
    errors = [math.sqrt(sum((v - sum(run) / 5) ** 2 for v in run) / 5 / 5) for run in values.tolist()]
    assert found == pytest.approx(sum(errors) / 2)


def test_scores_are_ties_within_a_part_of_the_larger_of_one_and_themselves() -> None:
    for values, scale in (([0.2, 0.4], 1.0), ([-30.0, -50.0], 40.0)):
        made = support.experiment(support.mean_stats([np.array([values])]), settings=support.settings(9))
        assert ScoreContrast(made, 0, 0).slack == pytest.approx(1e-12 * scale, rel=1e-9, abs=0)


@pytest.mark.parametrize(("system", "baseline"), [([0.1, -0.2], [0.0, 40.0]), ([1.0, -40.0], [0.5, 0.25])])
def test_means_are_ties_within_a_part_of_the_largest_number(system: list[float], baseline: list[float]) -> None:
    made = IndependentSamples(
        system=np.array(system), baseline=np.array(baseline), unit="item", settings=support.settings(9)
    )
    assert made.slack == pytest.approx(4e-11, rel=1e-9, abs=0)


@pytest.mark.parametrize("unit", [0.25, 1.0])
def test_relabelled_ratios_are_quotients_of_the_sums_on_any_grid(unit: float) -> None:
    numerators = [np.array([[1.0, 2.0, 0.0, 3.0]]), np.array([[2.0, 2.0, 1.0, 3.0]])]
    denominators = [unit * np.array([[3.0, 5.0, 1.0, 7.0]]), unit * np.array([[5.0, 3.0, 2.0, 9.0]])]
    held = StudentizedSums.of(_ratio(numerators, denominators), 1, 0)
    for swapped in product([False, True], repeat=4):
        first = np.where(np.array(swapped)[:, None], held.b, held.a).sum(axis=0)
        sides = [[numerators[1 - s][0, i] for i, s in enumerate(swapped)]]
        sides.append([denominators[1 - s][0, i] for i, s in enumerate(swapped)])
        assert float(held.score(first)) == pytest.approx(sum(sides[0]) / sum(sides[1]))


# laws


def test_scores_without_a_cheaper_law_are_enumerated_up_to_the_most_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numerators = [np.array([[1.0, 2.0, 0.0, 3.0]]), np.array([[2.0, 2.0, 1.0, 4.0]])]
    denominators = [np.array([[3.0, 5.0, 1.0, 7.0]]), np.array([[5.0, 3.0, 2.0, 9.0]])]
    pair = GainContrast(support.experiment(_ratio(numerators, denominators), settings=support.settings(9)), 0, 1)
    size = math.comb(7, 3)  # how often each of four items is among four draws
    monkeypatch.setattr(exact_bootstrap, "MOST_COUNT_VECTORS", size - 1)
    assert bootstrap_law(pair) is None
    monkeypatch.setattr(exact_bootstrap, "MOST_COUNT_VECTORS", size)
    law = bootstrap_law(pair)
    assert law is not None
    gains = []
    for rows in product(range(4), repeat=4):
        one, other = (
            sum(num[0, list(rows)]) / sum(den[0, list(rows)])
            for num, den in reversed(list(zip(numerators, denominators, strict=True)))
        )
        gains.append(one - other)
    assert float(law.support @ law.mass) == pytest.approx(float(np.mean(gains)))
    assert float(law.support**2 @ law.mass) == pytest.approx(float(np.mean(np.square(gains))))


def test_the_law_of_a_ratio_is_made_as_deep_as_a_normal_tail_at_its_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gains: exp(-z²/2) times one margin, z by what an exchange moves a ratio to first order."""
    asked: list[float] = []
    cost = exact.ratio_swap_cost

    def recorded(a_num: Array, a_den: Array, b_num: Array, b_den: Array, least: float) -> int:
        asked.append(least)
        return cost(a_num, a_den, b_num, b_den, least)

    monkeypatch.setattr(exact, "ratio_swap_cost", recorded)
    expected = []
    for more in (0.0, 1.0):
        draw = np.random.default_rng(8)
        n, m = draw.integers(0, 4, (2, 1, 40)).astype(float)
        d, e = n + draw.integers(1, 5, (1, 40)), m + more + draw.integers(1, 4, (1, 40))
        law = randomization_law(
            GainContrast(support.experiment(_ratio([n, m + more], [d, e]), settings=support.settings(9)), 0, 1)
        )
        assert law is not None
        ratio = float((n + m + more).sum() / (d + e).sum())
        moved = (m + more - n - ratio * (e - d))[0].tolist()
        expected.append(sum(moved) ** 2 / sum(v * v for v in moved) / 2)
    first, second = asked
    assert math.log(first / second) == pytest.approx(expected[1] - expected[0])
    assert abs(expected[1] - expected[0]) > 1


def test_nothing_is_said_of_equivalence_where_no_resample_varies() -> None:
    """Runs alike, and the system better by one half on every item: no standard error, whatever the margin."""
    values = np.tile([0.25, 1.0, 0.75, 2.0, 1.5, 0.0, 0.5], (3, 1))
    test = MultiBootstrap()
    pair = support.pairing(values + 0.5, values, support.settings(99))
    found = procedure(pair.drawing(test.draws(pair)), test)
    assert found.tost(3.0, 0.05) is None
    assert found.power(0.5, 0.05, "two-sided") is None
    assert found.detectable(0.05, "two-sided") is None


def test_permutations_of_one_block_of_random_numbers_are_those_of_its_seed() -> None:
    table = np.array([[0, 1, 2], [2, 1, 0], [0, 2, 2], [1, 0, 2]])
    observed = int((table.sum(axis=0) ** 2).sum())
    drawn = stream(5, "permutation within blocks", 0).permuted(np.tile(table, (500, 1, 1)), axis=2)
    expected = sum(int((one.sum(axis=0) ** 2).sum()) >= observed for one in drawn)
    found = blocks.permutation_exceedances(table, 500, 5)
    assert (found.counts.tolist(), found.sizes.tolist()) == ([expected], [500])


def test_what_sacrebleu_randomizes_is_held_against_the_difference_of_both_scores() -> None:
    """Exchanging the one item keeps the systems as far apart, which it does not count; four items by enumeration."""

    def score(sums: Float) -> float:
        return float(100 * sums[0] / sums[1])

    one = randomization(np.array([[3.0, 10.0]]), np.array([[4.0, 10.0]]), score, 99, 1)
    assert (one.p_value, one.with_ties) == (1 / 100, 1.0)
    base, new = np.array([[3.0, 10.0], [2.0, 8.0], [6.0, 7.0], [1.0, 6.0]]), np.array([[7.0, 10.0]] * 4)
    gaps = []
    for kept in product([True, False], repeat=4):
        chosen = np.array(kept)[:, None]
        gaps.append(
            abs(score(np.where(chosen, new, base).sum(axis=0)) - score(np.where(chosen, base, new).sum(axis=0)))
        )
    share = sum(gap > gaps[0] for gap in gaps) / 16
    assert 0 < share < 1
    found = randomization(base, new, score, 4000, 12345)
    assert found.p_value == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 4000) + 1 / 4000)


# equal numbers


@pytest.mark.parametrize(("errors", "of"), [(0, 12), (3, 40), (10, 10)])
def test_errors_whose_interval_ends_at_the_level_come_as_they_should(errors: int, of: int) -> None:
    low, high = verdict(errors, of, 0.5)[1]
    assert verdict(errors, of, high)[0] == "holds"
    assert verdict(errors, of, high * (1 + 1e-9))[0] == "too rarely"
    assert verdict(errors, of, low)[0] == ("unclear" if high >= 2 * low else "holds")
    assert verdict(errors, of, high / 2)[0] == ("unclear" if high / 2 >= low else "too often")


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_capital_of_exactly_what_the_level_asks_is_enough(sign: float) -> None:
    """Of k wins the capitals are (2^(k+1) - 1)/(k + 1) and 1/(k + 1), of seven together 32: 2/alpha at a sixteenth."""
    path = Betting(alpha=1 / 16, reach=1.0, marks=marks_of(None), steps=0).extend(np.full(9, sign), np.ones(9))
    assert path.log_e == pytest.approx([math.log(2 ** (k + 1) / (k + 1) / 2) for k in range(1, 10)])
    excluded = path.above if sign > 0 else path.below
    assert excluded[:, 0].tolist() == [False] * 6 + [True] * 3


def test_ends_are_read_off_after_each_of_the_first_units_and_then_less_often() -> None:
    """Whenever 1/200 more units have come, one at least: from 400 on every second one, from 600 on every third."""
    path = Betting(alpha=0.05, reach=1.0, marks=marks_of(None)).extend(np.tile([1.0, 1.0, 0.0, 1.0], 175), np.ones(700))
    looks = [1]
    while looks[-1] < 700:
        looks.append(looks[-1] + max(1, looks[-1] // 200))
    moved = (np.flatnonzero(np.diff(path.low)) + 2).tolist()
    assert set(moved) < set(looks)
    assert sum(unit > 401 for unit in moved) > 20


def test_a_mark_at_the_end_of_a_normal_mixture_is_not_excluded() -> None:
    d, ones = np.random.default_rng(3).normal(0.3, 1.0, 150), np.ones(150)
    first = Mixture(alpha=0.05, marks=marks_of(None)).extend(d, ones)
    low, high = float(first.low[-1]), float(first.high[-1])
    marks = np.array([0.0, low, low - 1e-9, high, high + 1e-9])
    found = Mixture(alpha=0.05, marks=marks).extend(d, ones)
    assert found.above[-1, 1:3].tolist() == [False, True]
    assert found.below[-1, 3:].tolist() == [False, True]


def test_groups_of_zeros_are_alike() -> None:
    zeros, ones = np.zeros(4), np.ones(4)
    found = anova.analyse_one_way([zeros, zeros, zeros])
    assert (found.statistic, found.degenerate) == (0.0, "identical_outputs")
    assert anova.analyse_one_way([zeros, ones]).degenerate == "zero_variance"
