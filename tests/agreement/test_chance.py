"""What raters who guess agree on: relabelling by plain loops, null variances by definition, score intervals."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from outscore.agreement import coefficients
from outscore.agreement.chance import Guessing, assess_by_variance, make_guessing
from outscore.agreement.inference import (
    _RatedUnits,
    _sum_by_moves,
    _sum_by_tables,
    assess_by_permutation,
    score_interval,
    spread,
)
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Float
from outscore.significance.p_values import normal_quantile
from tests.agreement.twins import Rows, drawn, observed, of_table, quadratic, ratings_of, same

DIGITS = ["0", "1", "2", "3"]
SMALL: Rows = [[0, 1, 0], [1, 1, None], [2, 0, 2], [0, None, 0]]


def chance_of(name: str, ratings: LabelTable, apart: bool | None = None) -> Guessing:
    measure = coefficients.make(name).measure(ratings)
    found = make_guessing(ratings, measure, apart=not ratings.exchangeable if apart is None else apart)
    assert found is not None
    return found


def relabelled(rows: Rows) -> list[Rows]:
    """Every order of every rater's labels over the units that they rated."""
    by_rater = []
    for rater in range(len(rows[0])):
        units = [u for u, row in enumerate(rows) if row[rater] is not None]
        labels = [rows[u][rater] for u in units]
        by_rater.append([dict(zip(units, order, strict=True)) for order in permutations(labels)])
    return [[[order.get(u) for order in orders] for u in range(len(rows))] for orders in product(*by_rater)]


def exact_p(values: list[float], seen: float) -> float:
    centre = sum(values) / len(values)
    return sum(abs(value - centre) >= abs(seen - centre) - 1e-9 for value in values) / len(values)


@pytest.mark.parametrize(("name", "credit"), [("conger", same), ("fleiss:weights=quadratic", quadratic(3))])
def test_p_by_relabelling_is_that_of_all_orders_of_labels(name: str, credit: object) -> None:
    values = [observed(rows, credit) for rows in relabelled(SMALL)]  # type: ignore[arg-type]
    wanted = exact_p(values, observed(SMALL, credit))  # type: ignore[arg-type]
    ratings = ratings_of(SMALL, DIGITS[:3], ordered=True)
    chance = chance_of(name, ratings)
    assert chance.centre / chance.size == pytest.approx(sum(values) / len(values))
    (found,) = assess_by_permutation(ratings, [coefficients.make(name).measure(ratings)], 20_000, 3)
    # 20,000 draws lie within 5 standard errors of the exact value (false alarm: 6e-7)
    assert found.p_value == pytest.approx(wanted, abs=5 * math.sqrt(wanted * (1 - wanted) / 20_000))


def test_slots_are_relabelled_all_together() -> None:
    rows: Rows = [[0, 1], [1, 1], [0, 0], [0, 0]]
    flat = [label for row in rows for label in row]
    values = [observed([[order[2 * u], order[2 * u + 1]] for u in range(4)], same) for order in permutations(flat)]
    ratings = ratings_of(rows, DIGITS[:2], exchangeable=True)
    chance = chance_of("fleiss", ratings)
    assert chance.centre / chance.size == pytest.approx(sum(values) / len(values))
    wanted = exact_p(values, observed(rows, same))
    (found,) = assess_by_permutation(ratings, [coefficients.make("fleiss").measure(ratings)], 20_000, 3)
    assert found.p_value == pytest.approx(wanted, abs=5 * math.sqrt(wanted * (1 - wanted) / 20_000))


@pytest.mark.parametrize("exchangeable", [False, True])
def test_tables_of_relabelled_units_have_the_law_of_labels_that_change_places(exchangeable: bool) -> None:
    rows = drawn(np.random.default_rng(2), 100, 3, [0.6, 0.3, 0.1], 0.5, 0.2)
    ratings = ratings_of(rows, DIGITS[:3], exchangeable=exchangeable, ordered=True)
    measures = [coefficients.make(name).measure(ratings) for name in ("fleiss", "krippendorff:distance=ordinal")]
    chances = [make_guessing(ratings, measure, apart=not exchangeable) for measure in measures]
    cells = _RatedUnits.of(ratings.codes[ratings.pairable], not exchangeable)
    one = _sum_by_tables(cells, ratings, measures, not exchangeable, 5_000, 1)
    other = _sum_by_moves([chance for chance in chances if chance is not None], 5_000, 2)
    for tables, moves, chance in zip(one, other, chances, strict=True):
        assert chance is not None
        error = moves.std() * math.sqrt(2 / 5_000)
        # means within 5 standard errors of each other and of the exact one, spreads too (false alarms: 6e-7 each)
        assert tables.mean() == pytest.approx(moves.mean(), abs=5 * error)
        assert tables.mean() == pytest.approx(chance.centre, abs=5 * error)
        assert tables.std() / moves.std() == pytest.approx(1, abs=5 * math.sqrt(1 / 5_000) * 1.2)
        # pairs are uncorrelated where raters are told apart, so that the null variance is that of relabelling but for
        # terms of the order of 1/n
        assert tables.std() == pytest.approx(chance.deviation(None), rel=0.06)


@pytest.mark.parametrize("exchangeable", [False, True])
def test_where_labels_fall_counts_in_units_with_few_ratings(exchangeable: bool) -> None:
    """A label counts for more in a unit with two ratings than in one with five, and rare ones are not like others."""
    rows = drawn(np.random.default_rng(5), 150, 5, [0.8, 0.15, 0.05], 1, 0.4)
    ratings = ratings_of(rows, DIGITS[:3], exchangeable=exchangeable)
    chance = chance_of("fleiss", ratings)
    (sums,) = _sum_by_moves([chance], 20_000, 3)
    # 20,000 draws lie within 3 % of their deviation (6 standard errors); without where labels fall it is 14 % too small
    assert chance.deviation(None) == pytest.approx(sums.std(), rel=0.03)


def test_the_null_variance_of_two_raters_is_that_of_all_orders() -> None:
    rows: Rows = [[0, 1], [1, 1], [2, 0], [0, 2]]
    for name, credit in (("cohen", same), ("cohen:weights=quadratic", quadratic(3))):
        sums = [4 * observed(made, credit) for made in relabelled(rows)]
        chance = chance_of(name, ratings_of(rows, DIGITS[:3], ordered=True))
        assert chance.deviation(None) ** 2 * 4 / 3 == pytest.approx(np.var(sums))


def test_clusters_whose_labels_hang_together_make_the_null_variance_larger() -> None:
    rng = np.random.default_rng(1)
    rows: Rows = [[int(a), int(b)] for a, b in zip(*np.repeat(rng.integers(2, size=(2, 40)), 5, axis=1), strict=True)]
    chance = chance_of("cohen", ratings_of(rows, DIGITS[:2]))
    clusters = np.repeat(np.arange(40), 5)
    # labels are the same within a cluster: the variance of 40 units that count five times each
    assert chance.deviation(clusters) ** 2 == pytest.approx(5 * chance.deviation(None) ** 2, rel=0.05)
    assert chance.deviation(np.arange(200)) == chance.deviation(None)


def test_one_label_of_an_annotator_gives_no_p() -> None:
    ratings = ratings_of([[0, 0], [0, 1], [0, 0], [0, 1]], DIGITS[:2])
    (found,) = assess_by_permutation(ratings, [coefficients.make("cohen").measure(ratings)], 99, 1)
    assert found.p_value is None
    assert assess_by_variance(chance_of("cohen", ratings), 0.0, 0.5, None, centred=True).p_value is None


def variance_by_cells(name: str, shares: list[float], raters: int, kappa: float) -> float:
    """n times the variance of a coefficient where a unit is clear with probability κ: the squared derivatives over
    all cells, weighted with their probabilities."""
    q = len(shares)
    cells = list(product(range(q), repeat=raters))
    guessed = np.array([math.prod(shares[label] for label in cell) for cell in cells])
    clear = np.array([shares[cell[0]] if len(set(cell)) == 1 else 0.0 for cell in cells])
    law = kappa * clear + (1 - kappa) * guessed
    measure = coefficients.make(name).measure(ratings_of([list(cell) for cell in cells], DIGITS[:q]))
    sums, step = law @ measure.rows * 1e9, 1e-30
    moved = measure.value(sums + 1j * step * measure.rows * 1e9).imag / step
    assert float(measure.value(sums)) == pytest.approx(kappa, abs=1e-6)
    return float(law @ (moved - law @ moved) ** 2)


@pytest.mark.parametrize("name", ["fleiss", "conger", "krippendorff"])
@pytest.mark.parametrize("kappa", [0.0, 0.3, 0.8])
def test_the_variance_of_the_score_interval_is_that_over_all_cells(name: str, kappa: float) -> None:
    rows: Rows = [[k, k, k] for k, times in enumerate((500, 300, 200)) for _ in range(times)]
    ratings = ratings_of(rows, DIGITS[:3])
    measure = coefficients.make(name).measure(ratings)
    pairs = chance_of(name, ratings, apart=False)
    own = chance_of(name, ratings, apart=measure.own)
    sums = measure.rows.sum(axis=0)
    expected = float(measure.parts(sums)[1])
    made = spread(pairs, own, expected if measure.disagreement else 1 - expected)
    wanted = variance_by_cells(name, [0.5, 0.3, 0.2], 3, kappa) / 1000
    assert float(made.compute(np.array(kappa))) == pytest.approx(wanted, rel=2e-3)


def bloch_kraemer(kappa: Float, share: float) -> Float:
    """n times the variance for two raters and two labels (Bloch & Kraemer 1989, eq. 3.6)."""
    odds = 2 * share * (1 - share)
    return np.asarray((1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + kappa * (2 - kappa) / odds))


def test_two_raters_and_two_labels_have_the_variance_of_bloch_and_kraemer() -> None:
    table = {(1, 1): 6, (0, 1): 3, (1, 0): 3, (0, 0): 68}
    rows: Rows = [list(labels) for labels, times in table.items() for _ in range(times)]
    ratings = ratings_of(rows, DIGITS[:2])
    chance = chance_of("scott", ratings, apart=False)
    share = 18 / 160
    kappas = np.linspace(0, 1, 11)
    made = spread(chance, chance, 2 * share * (1 - share))
    assert made.compute(kappas) * 80 == pytest.approx(bloch_kraemer(kappas, share))
    value = 1 - 6 / 80 / (2 * share * (1 - share))
    low, high = score_interval(value, made, 0.95)
    for end in (low, high):
        assert (value - end) ** 2 == pytest.approx(
            normal_quantile(0.95) ** 2 * bloch_kraemer(np.array(end), share) / 80
        )
    assert low < value < high < 1
    assert score_interval(1.0, made, 0.95)[1] == 1


def test_less_agreement_than_chance_allows_has_an_interval_too() -> None:
    chance = chance_of("scott", ratings_of(of_table([[36, 2], [2, 0]]), DIGITS[:2]), apart=False)
    made = spread(chance, chance, 2 * 0.05 * 0.95)
    for value in (-0.9, -0.3, -0.05):
        low, high = score_interval(value, made, 0.95)
        assert -1 <= low <= value < high
        assert high - value > 0.05


def test_the_rarest_labels_are_those_of_all_annotators() -> None:
    """One annotator never gives the rare label: no pair of it is expected, however common the other label is."""
    rows: Rows = of_table([[80, 20], [0, 0]])
    assert chance_of("cohen", ratings_of(rows, DIGITS[:2])).rarest == 0
    rows = of_table([[40, 20], [20, 20]])
    assert chance_of("cohen", ratings_of(rows, DIGITS[:2])).rarest == pytest.approx(100 * 0.4 * 0.4)
