"""Facts of a pair that a choice of the test is made by."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from outscore.significance import advice
from outscore.significance.advice import facts_of, looks_unpaired
from outscore.significance.bayes import Evidence, Reweighted
from outscore.significance.bayes.bootstrap import BayesianBootstrap
from outscore.significance.gain import GainContrast
from tests.laws.support import experiment, f1_stats, pairing, settings
from tests.significance.test_nulls import pair_of


@pytest.mark.parametrize(("units", "correlation", "loose"), [(30, 0.049, True), (29, 0.049, False), (30, 0.05, False)])
def test_rows_look_unpaired_from_thirty_units_on_below_a_correlation(
    units: int, correlation: float, loose: bool
) -> None:
    assert looks_unpaired([-0.2, correlation], units) is loose
    assert not looks_unpaired([], units)


@pytest.mark.parametrize(("n", "largest"), [(99, 1), (100, 1), (199, 1), (200, 2), (201, 2), (300, 3)])
def test_the_share_of_the_largest_is_of_a_hundredth_of_the_items(n: int, largest: int) -> None:
    draw = np.random.default_rng(n)
    d = draw.normal(size=n)
    found = dict(facts_of(pairing(d[None], np.zeros((1, n)), settings(9))))
    squares = np.sort(d**2)[::-1]
    assert found["top_share"] == pytest.approx(squares[:largest].sum() / squares.sum())
    assert found["skewness"] == pytest.approx(abs(stats.skew(d)))


def test_what_the_largest_hundredth_of_the_units_holds_is_said() -> None:
    """Two of 250 units: a difference of 10 and one of 5 beside 248 of 1."""
    d = np.array([10.0, -5.0] + [1.0] * 248)
    facts = dict(advice.facts_of(pair_of(np.zeros((1, 250)), d[None])))
    assert facts["top_share"] == pytest.approx(125 / 373)


def test_two_units_are_reweighted_and_one_has_facts() -> None:
    counts = np.array([[[[3.0, 1, 0], [1, 2, 2]]], [[[4.0, 0, 1], [3, 0, 1]]]])
    resamples = experiment(f1_stats(list(counts)), settings=settings(199))
    pair = GainContrast(resamples, 0, 1)
    evidence = Evidence(pair=pair, rope=0.0, reweighted=Reweighted(((1, 0),), (0.0,)))
    found = BayesianBootstrap().run(evidence)
    assert found.better == 1.0 and found.worse == 0.0 and found.mean == pytest.approx(pair.gain, abs=0.1)
    single = pairing(np.array([[1.0], [2.0]]), np.array([[0.0], [0.5]]), settings(9))
    assert dict(advice.facts_of(single))["items"] == 1


@pytest.mark.parametrize(("items", "told"), [(1, False), (2, True)])
def test_of_two_items_it_is_told_what_share_of_the_variance_is_of_runs(items: int, told: bool) -> None:
    draw = np.random.default_rng(1)
    pair = pairing(draw.normal(size=(3, items)), draw.normal(size=(2, items)), settings(9))
    assert ("share_of_variance_from_runs" in dict(facts_of(pair))) is told
