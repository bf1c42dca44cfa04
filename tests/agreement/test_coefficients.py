"""Each coefficient against its definition, its standard error, and what no change of names may move."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore
from outscore.agreement import MOST_LABELS, coefficients
from outscore.agreement.estimate import AgreementEstimate, _draw, estimates, influence, restrict
from outscore.agreement.ratings import LabelTable
from outscore.engine.design import Design
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from outscore.report.formats.methods import bibtex
from outscore.verbs.agree.disagreements import (
    agreement_on_labels,
    agreement_with_others,
    coincidences,
    contingency,
    find_most_disagreed,
    pairs_of_raters,
)
from tests.agreement import twins
from tests.agreement.twins import Rows, drawn, of_table, ratings_of

TWINS: dict[str, Callable[[Rows, int], float]] = {
    "percent": lambda rows, q: twins.observed(rows, twins.same),
    "percent:weights=linear": lambda rows, q: twins.observed(rows, twins.linear(q)),
    "fleiss": twins.fleiss,
    "fleiss:weights=quadratic": lambda rows, q: twins.fleiss(rows, q, twins.quadratic(q)),
    "conger": twins.conger,
    "conger:weights=linear": lambda rows, q: twins.conger(rows, q, twins.linear(q)),
    "gwet": twins.gwet,
    "gwet:weights=quadratic": lambda rows, q: twins.gwet(rows, q, twins.quadratic(q)),
    "bennett": twins.bennett,
    "bennett:weights=linear": lambda rows, q: twins.bennett(rows, q, twins.linear(q)),
    **{
        f"krippendorff:distance={d}": lambda rows, q, d=d: twins.krippendorff(rows, range(q), d)  # type: ignore[misc]
        for d in ("nominal", "ordinal", "linear", "interval", "ratio")
    },
}
OF_TWO: dict[str, Callable[[Rows, int], float]] = {
    "cohen": twins.cohen,
    "cohen:weights=linear": lambda rows, q: twins.cohen(rows, q, twins.linear(q)),
    "cohen:weights=quadratic": lambda rows, q: twins.cohen(rows, q, twins.quadratic(q)),
    "scott": twins.fleiss,
}
DIGITS = [str(k) for k in range(60)]


def value(name: str, ratings: LabelTable) -> float:
    measure = coefficients.make(name).measure(ratings)
    return float(measure.value(measure.rows.sum(axis=0)))


def estimate(
    name: str, ratings: LabelTable, design: Design | None = None, n_resamples: int = 0, seed: int = 1
) -> AgreementEstimate:
    coefficient = coefficients.make(name)
    sampling = Sampling(n_resamples, seed, Runtime(), "iid") if n_resamples else None
    every = [coefficient.measure(ratings)]
    return estimates(every, [coefficient.large_sample], design or Design(len(ratings.codes)), sampling)[0][0]


@pytest.mark.parametrize("name", sorted(TWINS))
def test_a_coefficient_is_its_definition(name: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        q = int(rng.integers(2, 5))
        rows = drawn(rng, 12, int(rng.integers(2, 5)), [1 / q] * q, 0.4, missing=0.2)
        assert value(name, ratings_of(rows, DIGITS[:q])) == pytest.approx(TWINS[name](rows, q), abs=1e-12)


@pytest.mark.parametrize("name", sorted(OF_TWO))
def test_a_coefficient_of_two_raters_is_its_definition(name: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows = drawn(rng, 15, 2, [0.5, 0.3, 0.2], 0.4, missing=0.15)
        assert value(name, ratings_of(rows, DIGITS[:3])) == pytest.approx(OF_TWO[name](rows, 3), abs=1e-12)


@settings(max_examples=60)
@given(data=st.data())
def test_neither_the_order_of_units_nor_that_of_raters_matters(data: Any) -> None:
    cell = st.one_of(st.none(), st.integers(0, 2))
    rows: Rows = data.draw(st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=8))
    rows = [row for row in rows if any(label is not None for label in row)]
    rows += [[0, 0, 1], [1, 1, 2], [2, 2, 2]]
    units = data.draw(st.permutations(range(len(rows))))
    raters = data.draw(st.permutations(range(3)))
    other = [[rows[u][r] for r in raters] for u in units]
    for name in TWINS:
        one, two = value(name, ratings_of(rows, DIGITS[:3])), value(name, ratings_of(other, DIGITS[:3]))
        assert one == pytest.approx(two, abs=1e-12, nan_ok=True), name


def test_alpha_of_numbers_knows_no_unit_of_measurement() -> None:
    rows = drawn(np.random.default_rng(3), 40, 3, [0.25] * 4, 0.5, 0.1)
    plain = ratings_of(rows, ["1", "2", "4", "8"])
    moved = ratings_of(rows, [str(1e6 + 3 * x) for x in (1, 2, 4, 8)])
    for distance in ("interval", "linear", "ordinal"):
        name = f"krippendorff:distance={distance}"
        assert value(name, plain) == pytest.approx(value(name, moved), abs=1e-9)
    scaled = ratings_of(rows, ["10", "20", "40", "80"])
    assert value("krippendorff:distance=ratio", plain) == pytest.approx(value("krippendorff:distance=ratio", scaled))


def test_the_kappas_are_one_where_all_agree_and_undefined_where_one_label_is_all_there_is() -> None:
    agreed = ratings_of([[0, 0], [1, 1], [2, 2]], DIGITS[:3])
    for name in (*TWINS, *OF_TWO):
        assert value(name, agreed) == pytest.approx(1)
    one_label = ratings_of([[0, 0], [0, 0]], DIGITS[:2])
    for name in ("cohen", "scott", "fleiss", "conger", *(n for n in TWINS if n.startswith("krippendorff"))):
        assert math.isnan(value(name, one_label)), name
    for name in ("percent", "gwet", "bennett"):
        assert value(name, one_label) == 1, name
    assert value("gwet", ratings_of([[0, 0]], DIGITS[:1])) == 1


def test_high_agreement_can_come_with_a_kappa_below_zero() -> None:
    rows = of_table([[95, 3], [2, 0]])
    ratings = ratings_of(rows, DIGITS[:2])
    assert value("percent", ratings) == 0.95
    assert value("cohen", ratings) < 0
    assert value("gwet", ratings) > 0.9


@pytest.mark.parametrize("name", [*TWINS, *OF_TWO])
def test_the_standard_error_is_near_the_jackknife(name: str) -> None:
    two = name in OF_TWO
    rows = drawn(np.random.default_rng(8), 400, 2 if two else 3, [0.5, 0.3, 0.2], 0.3, 0 if two else 0.1)
    rows = [row for row in rows if sum(label is not None for label in row) > 1]
    found = estimate(name, ratings_of(rows, DIGITS[:3]))
    n = len(rows)
    jackknife = math.sqrt((n - 1) / n * float(((found.jackknife - found.jackknife.mean()) ** 2).sum()))
    assert found.error == pytest.approx(jackknife, rel=0.02)


def test_the_jackknife_leaves_out_one_unit_at_a_time() -> None:
    rows = drawn(np.random.default_rng(5), 12, 3, [0.6, 0.4], 0.3, 0.1)
    ratings = ratings_of(rows, DIGITS[:2])
    for name in ("fleiss", "krippendorff:distance=ordinal", "conger"):
        found = estimate(name, ratings)
        for i in np.flatnonzero(np.isfinite(found.jackknife)):
            assert found.jackknife[i] == pytest.approx(TWINS[name](rows[:i] + rows[i + 1 :], 2), abs=1e-9)


@pytest.mark.parametrize("name", [*TWINS])
def test_a_resample_is_the_coefficient_of_the_units_that_were_drawn(name: str) -> None:
    rows = drawn(np.random.default_rng(2), 14, 3, [0.5, 0.3, 0.2], 0.4, 0.4)
    ratings = ratings_of(rows, DIGITS[:3])
    assert 0 < ratings.pairable.sum() < 14
    design = Design(14, None, ratings.pairable.astype(np.int64))
    found = estimate(name, ratings, design, n_resamples=16)
    weights, statistics = _draw(coefficients.make(name).measure(ratings).rows, design, 1)
    assert len(statistics) == 14
    for counts, replicate in zip(weights(0), found.replicates, strict=True):
        again = [row for row, times in zip(rows, counts, strict=True) for _ in range(int(times))]
        assert sum(len(twins.there(row)) > 1 for row in again) == ratings.pairable.sum()
        if np.isfinite(replicate):
            assert replicate == pytest.approx(TWINS[name](again, 3), abs=1e-9)


def test_counting_equal_rows_together_draws_from_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = drawn(np.random.default_rng(4), 300, 2, [0.7, 0.3], 0.2)
    ratings = ratings_of(rows, DIGITS[:2])
    together = estimate("cohen", ratings, n_resamples=4000).replicates
    monkeypatch.setattr("outscore.agreement.estimate._EQUAL_ROWS", 10**9)
    apart = estimate("cohen", ratings, n_resamples=4000).replicates
    assert not np.array_equal(together, apart)
    # two means of 4,000 draws each lie within 5 standard errors of each other (false alarm: 6e-7), and so do spreads
    spread = apart.std()
    assert abs(together.mean() - apart.mean()) < 5 * spread * math.sqrt(2 / 4000)
    assert together.std() / spread == pytest.approx(1, abs=5 * math.sqrt(1 / 4000))


def test_copies_of_a_unit_in_its_cluster_tell_nothing_new() -> None:
    rows = drawn(np.random.default_rng(6), 30, 3, [0.5, 0.5], 0.3)
    plain = ratings_of(rows, DIGITS[:2])
    thrice = ratings_of([row for row in rows for _ in range(3)], DIGITS[:2])
    clusters = Design(90, np.repeat(np.arange(30), 3))
    for name in ("fleiss", "gwet", "conger"):
        one, other = estimate(name, plain, n_resamples=64), estimate(name, thrice, clusters, n_resamples=64)
        assert (other.value, other.error, other.df) == pytest.approx((one.value, one.error, one.df))
        assert other.replicates == pytest.approx(one.replicates)


def test_a_part_of_the_units_is_measured_as_if_there_were_no_others() -> None:
    rows = drawn(np.random.default_rng(7), 40, 3, [0.6, 0.4], 0.3, 0.1)
    ratings, here = ratings_of(rows, DIGITS[:2]), np.arange(40) % 3 == 0
    alone = ratings_of([row for row, kept in zip(rows, here, strict=True) if kept], DIGITS[:2])
    for name in ("percent", "fleiss", "conger", "krippendorff", "gwet"):
        method = coefficients.make(name)
        (part,), _ = estimates([restrict(method.measure(ratings), here)], [method.large_sample], Design(40), None)
        whole = estimate(name, alone)
        assert (part.value, part.error, part.df) == pytest.approx((whole.value, whole.error, whole.df))


def test_influences_add_up_to_nothing_and_give_the_difference_of_a_little_more_weight() -> None:
    rows = drawn(np.random.default_rng(9), 25, 3, [0.5, 0.3, 0.2], 0.3)
    ratings, design = ratings_of(rows, DIGITS[:3]), Design(25)
    for name in ("fleiss", "conger", "gwet"):
        measure = coefficients.make(name).measure(ratings)
        moved, sums, step = influence(measure, design), measure.rows.sum(axis=0), 1e-6
        assert moved.sum() == pytest.approx(0, abs=1e-12)
        nearby = (measure.value(sums + step * measure.rows) - measure.value(sums)) / step
        assert moved == pytest.approx(nearby, abs=1e-5)


def test_what_a_coefficient_cannot_answer_is_refused_with_the_remedy() -> None:
    words = ratings_of([[0, 1, 0], [1, 1, 0]], ["bad", "good"])

    def said(name: str, ratings: LabelTable = words) -> str:
        return coefficients.make(name).refuses(ratings) or ""

    assert "use conger" in said("cohen")
    assert "use fleiss" in said("scott")
    assert "--labels" in said("gwet:weights=linear")
    assert "--labels" in said("krippendorff:distance=ordinal")
    assert "numbers" in said("krippendorff:distance=interval")
    assert "slots" in said("conger", ratings_of([[0, 1]], ["x", "y"], exchangeable=True))
    assert not said("krippendorff:distance=ordinal", ratings_of([[0, 1]], ["bad", "good"], ordered=True))
    assert "negative" in said("krippendorff:distance=ratio", ratings_of([[0, 1]], ["-1", "2"]))
    many = ratings_of([[i, i + 1] for i in range(MOST_LABELS + 5)], [str(i) for i in range(MOST_LABELS + 6)])
    assert "krippendorff:distance=interval" in said("fleiss", many)
    assert not said("krippendorff:distance=interval", many)


@pytest.mark.parametrize("name", coefficients.names())
def test_every_coefficient_says_what_it_corrects_for_and_where_it_comes_from(name: str) -> None:
    cls = coefficients.find(name)
    assert cls.corrects
    assert "%" not in bibtex([cls.citation])
    assert coefficients.make(coefficients.make(name).label) == cls()
    assert cls().title


def test_tables_of_labels_count_pairs() -> None:
    rows: Rows = [[0, 0, 1], [0, 1, None], [1, None, None], [1, 1, 1]]
    ratings = ratings_of(rows, DIGITS[:3])
    expected = np.zeros((3, 3))
    for unit in map(twins.there, rows):
        for i, one in enumerate(unit):
            for j, other in enumerate(unit):
                if i != j:
                    expected[one, other] += 1 / (len(unit) - 1)
    assert coincidences(ratings) == pytest.approx(expected)
    agreed = agreement_on_labels(expected)
    assert agreed[:2] == pytest.approx([1 / 3, 3 / 5])
    assert math.isnan(agreed[2])
    two = ratings_of([[0, 1], [0, 0], [2, 1], [None, 1]], DIGITS[:3])
    assert contingency(two).tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 0]]


def test_who_disagrees_with_whom() -> None:
    rows: Rows = [[0, 0, 1], [1, 1, 0], [0, 0, None], [1, 1, None], [0, 1, 0]]
    ratings = ratings_of(rows, DIGITS[:2])
    # rater 0 with the others, unit by unit: 1/2, 1/2, 1, 1, 1/2
    assert agreement_with_others(ratings) == pytest.approx([3.5 / 5, 3 / 5, 0.5 / 3])
    pairs = {(pair.first, pair.second): pair for pair in pairs_of_raters(ratings, Design(5), 0.95)}
    assert [pairs[key].agreement for key in ((0, 1), (0, 2), (1, 2))] == pytest.approx([4 / 5, 1 / 3, 0])
    for (one, other), pair in pairs.items():
        assert pair.kappa.value == pytest.approx(twins.cohen([[row[one], row[other]] for row in rows], 2))
    assert find_most_disagreed(ratings, 10).tolist() == [0, 1, 4]
    assert find_most_disagreed(ratings, 2).tolist() == [0, 1]


@pytest.mark.parametrize("name", ["cohen:weights=linear", "krippendorff:distance=interval", "ordinal_alpha"])
def test_units_with_most_disagreement_are_those_farthest_apart_on_the_scale(name: str) -> None:
    """Of neighbours, of labels that are the same, and of the ends of the scale."""
    data = {"a": [1, 3, 5, 2, 4, 1], "b": [2, 3, 1, 4, 5, 1]}
    found = outscore.agree(data, coefficients=["percent", name], n_resamples=99, disputed=9).disputes
    assert [dispute.unit for dispute in found][:2] == ["3", "4"]
    assert {dispute.unit for dispute in found} == {"1", "3", "4", "5"}
    plain = outscore.agree(data, coefficients="cohen", n_resamples=99).disputes
    assert [dispute.unit for dispute in plain] != [dispute.unit for dispute in found]


def test_the_indices_of_two_raters_and_two_labels() -> None:
    rows = of_table([[40, 9], [6, 5]])
    (pair,) = pairs_of_raters(ratings_of(rows, DIGITS[:2]), Design(60), 0.95)
    # Byrt, Bishop & Carlin 1993: (a - d)/n and (b - c)/n; PABAK = 2 po - 1
    assert (pair.prevalence, pair.bias) == pytest.approx((35 / 60, 3 / 60))
    assert value("bennett", ratings_of(rows, DIGITS[:2])) == pytest.approx(2 * 45 / 60 - 1)
