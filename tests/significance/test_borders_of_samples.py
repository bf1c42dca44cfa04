"""Orders of two samples and laws of their sums, beside counts and formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from outscore.engine.design import Design
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import bayes, coefficients
from outscore.significance.bayes.bootstrap import BayesianBootstrap
from outscore.significance.bayes.reweighted import Reweighted
from outscore.significance.independent import IndependentSamples, aso, permutation
from outscore.significance.interval import intervals
from outscore.significance.nulls import DesignUnits
from outscore.significance.proportions import newcombe_paired, wilson_of
from tests.laws.support import pairing, settings
from tests.significance import shapes


@pytest.mark.parametrize("side", ALTERNATIVES)
@pytest.mark.parametrize("tau", [0.2, 0.5])
def test_the_p_of_an_order_is_where_its_bound_meets_the_threshold(side: Alternative, tau: float) -> None:
    draw = np.random.default_rng(8)
    a, b = draw.normal(0.8, 1.0, 4), draw.normal(0.0, 1.0, 5)
    for one, other in ((a, b), (b, a)):
        made = IndependentSamples(system=one, baseline=other, unit="run", settings=settings(99, 0, side))
        held = aso.almost_stochastic_order(one, other)
        spread = held.sigma / math.sqrt(20 / 9)
        least = 1 / math.comb(9, 4)
        p, q = (
            max(least, float(stats.norm.cdf((ratio - tau) / spread)))
            for ratio in (held.violation_ratio, 1 - held.violation_ratio)
        )
        found = aso.AlmostStochasticOrder(tau=tau).run(made)
        assert found.p_value == pytest.approx({"two-sided": min(1.0, 2 * min(p, q)), "greater": p, "less": q}[side])
        assert found.p_min == pytest.approx(least * (2 if side == "two-sided" else 1))
        assert found.favours == pytest.approx(0.5 - held.violation_ratio)
        bounds = [
            min(max(ratio - spread * float(stats.norm.ppf(0.05)), 0.0), 1.0)
            for ratio in (held.violation_ratio, 1 - held.violation_ratio)
        ]
        assert (found.effect["eps_min"], found.effect["eps_min_of_baseline"]) == pytest.approx(tuple(bounds))
        for threshold in (0.2, 0.5):
            larger = [name for name, bound in zip(("system", "baseline"), bounds, strict=True) if bound < threshold]
            assert found.effect[f"larger_at_{threshold:g}"] == (larger[0] if larger else "neither")
        assert {n.code for n in found.notes} >= ({"loose_order"} if tau > 0.2 else set())
        assert len(found.notes) == 1 + (tau > 0.2)


@pytest.mark.parametrize(("n", "m", "said"), [(199, 200, True), (200, 200, False), (201, 199, True)])
def test_orders_of_equals_are_found_too_often_below_two_hundred(n: int, m: int, said: bool) -> None:
    draw = np.random.default_rng(n)
    made = IndependentSamples(
        system=draw.normal(size=n), baseline=draw.normal(size=m), unit="run", settings=settings(9)
    )
    assert bool(aso.AlmostStochasticOrder().run(made).notes) == said


def test_whole_numbers_have_the_law_of_their_sums_whichever_sample_is_smaller() -> None:
    # too many labellings to enumerate, so that sums are counted one by one
    draw = np.random.default_rng(2)
    x, y = draw.integers(0, 6, 14).astype(float), draw.integers(0, 7, 19).astype(float)
    for one, other in ((x, y), (y, x)):
        held = permutation.PermutedLabels(one, other, False)
        law = held.law
        assert law is not None
        ways: dict[tuple[int, int], int] = {(0, 0): 1}
        for value in held.columns[:, 0].astype(int).tolist():
            for (taken, total), count in list(ways.items()):
                if taken < len(one):
                    key = (taken + 1, total + value)
                    ways[key] = ways.get(key, 0) + count
        whole = {total: count for (taken, total), count in ways.items() if taken == len(one)}
        number = math.comb(33, len(one))
        assert law.support.tolist() == sorted(whole)
        assert law.mass == pytest.approx([whole[total] / number for total in sorted(whole)])
        centre = len(one) * float(held.columns[:, 0].sum()) / 33
        for side in ALTERNATIVES:
            p, least = held.p(law, side)
            at = held.observed
            share = {
                "greater": sum(c for t, c in whole.items() if t >= at),
                "less": sum(c for t, c in whole.items() if t <= at),
                "two-sided": sum(c for t, c in whole.items() if abs(t - centre) >= abs(at - centre) - 1e-9),
            }[side]
            assert p == pytest.approx(share / number) and 0 < least <= p


def test_a_coefficient_of_rows_with_gaps_is_that_of_what_is_known() -> None:
    nan = math.nan
    x = np.array([[1.0, 2.0, 4.0, 3.0], [1.0, nan, 2.0, 5.0], [nan, nan, 1.0, nan], [2.0, nan, 2.5, 1.0]])
    y = np.array([[2.0, 1.0, 5.0, 3.0], [0.0, 9.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, nan, 2.0]])
    found = coefficients.correlate_known(coefficients.pearson, x, y)
    assert found[0] == pytest.approx(float(np.corrcoef(x[0], y[0])[0, 1]))
    assert found[1] == pytest.approx(float(np.corrcoef([1.0, 2.0, 5.0], [0.0, 2.0, 1.0])[0, 1]))
    assert np.isnan(found[2]) and found[3] == pytest.approx(-1.0)
    assert np.isnan(coefficients.correlate_known(coefficients.pearson, x[2:3], y[2:3])).all()


@pytest.mark.parametrize(
    ("d", "one_sided"),
    [
        ([0.0, 1.0, 2.0], True),
        ([0.0, -1.0, -2.0], True),
        ([1.0, 3.0], True),
        ([-1.0, 2.0], False),
        ([-1.0, -3.0], True),
    ],
)
def test_differences_on_one_side_or_none_are_said_to_be(d: list[float], one_sided: bool) -> None:
    pair = pairing(np.array([d]), np.zeros((1, len(d))), settings(99))
    evidence = bayes.Evidence(pair=pair, rope=0.0, reweighted=Reweighted(((1, 0),), (0.0,)))
    codes = {note.code for note in BayesianBootstrap().run(evidence).notes}
    assert (bayes.notes.ONE_SIDED.code in codes) == one_sided


def test_samples_of_nothing_but_zeros_are_equal() -> None:
    found = aso.almost_stochastic_order(np.zeros(3), np.zeros(4))
    assert (found.degenerate, found.violation_ratio, found.distance) == ("identical_outputs", 0.5, 0.0)


def test_weights_that_fall_off_steeply_stay_numbers() -> None:
    assert DesignUnits(Design(3)).tilt(np.array([0.0, 2000.0, 2000.0])) == pytest.approx([0.0, 1.5, 1.5])


@pytest.mark.parametrize("name", ["classes", "few of classes", "classes of clusters"])
def test_an_interval_over_classes_joins_theirs_by_their_correlations(name: str) -> None:
    pair = shapes.pairing(name)
    averaged, n = pair.stats.averaged, pair.n_units
    assert averaged is not None
    t = float(stats.t(n - 1).ppf(0.975))
    below, above, moves, known = [], [], [], []
    for system, sign in pair.signed:
        top, bottom = averaged.sums(pair.stats.rows[system][0] * pair.stats.units)
        for tops, bottoms in zip(top.T, bottom.T, strict=True):
            total, seen = float(bottoms.sum()), int((bottoms > 0).sum())
            ratio = float(tops.sum()) / total if total else 0.0
            adds = (tops - ratio * bottoms) / total if total else np.zeros(n)
            square = float((adds**2).sum())
            worth = ratio * (1 - ratio) / (square * n / (n - 1)) if square else 0.0
            worth = min(worth, total) if 0 < worth < 1e12 else seen
            low, high = wilson_of(ratio, worth, t) if worth > 0 else (0.0, 1.0)
            ways = [averaged.scale / top.shape[1] * abs(end - ratio) for end in (low, high)]
            below.append(ways[0] if sign > 0 else ways[1])
            above.append(ways[1] if sign > 0 else ways[0])
            moves.append(sign * adds / math.sqrt(square) if square else np.zeros(n))
            known.append(seen / (seen + 2))
    found = []
    for ways in (below, above):
        squares = 0.0
        for i, one in enumerate(ways):
            for j, other in enumerate(ways):
                shared = float(moves[i] @ moves[j]) * math.sqrt(known[i] * known[j])
                squares += one * other * (1.0 if i == j else shared)
        found.append(math.sqrt(squares))
    ends, _, _ = intervals.make("mover").compute(pair)
    assert ends == pytest.approx((pair.gain - found[0], pair.gain + found[1]))


@pytest.mark.parametrize("cells", [(5, 3, 1), (9, 0, 0), (0, 0, 0), (0, 9, 0), (4, 0, 0), (1, 4, 3), (0, 4, 5)])
def test_a_paired_difference_of_shares_has_newcombes_interval(cells: tuple[int, int, int]) -> None:
    (both, b, c), n = cells, 9
    neither = n - both - b - c
    ends = [wilson_of(x / n, n, float(stats.norm.ppf(0.975))) for x in (both + b, both + c)]
    p, q = (both + b) / n, (both + c) / n
    below, above = (p - ends[0][0], q - ends[1][0]), (ends[0][1] - p, ends[1][1] - q)
    product = float(both * neither - b * c)
    product = max(product - n / 2, 0) if product > 0 else product
    margins = (both + b) * (c + neither) * (both + c) * (b + neither)
    phi = product / math.sqrt(margins) if margins else 0.0
    low = below[0] ** 2 - 2 * phi * below[0] * above[1] + above[1] ** 2
    high = above[0] ** 2 - 2 * phi * above[0] * below[1] + below[1] ** 2
    expected = (p - q - math.sqrt(max(low, 0)), p - q + math.sqrt(max(high, 0)))
    assert newcombe_paired(both, b, c, n) == pytest.approx(expected)
