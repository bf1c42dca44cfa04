"""How sure a sampled p-value is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.errors import UsageError
from outscore.engine import montecarlo
from outscore.engine.montecarlo import Exceedances
from tests.engine.exact_laws import phipson_smyth, standard_error


@pytest.mark.parametrize(("b", "drawn"), [(0, 20), (5, 20), (20, 20), (3, 999)])
def test_errors_and_intervals_of_sampled_p(b: int, drawn: int) -> None:
    p, plus = b / drawn, (b + 1) / (drawn + 1)
    assert standard_error(b, drawn) == pytest.approx(math.sqrt(p * (1 - p) / drawn))
    assert montecarlo.standard_error_plus_one(b, drawn) == pytest.approx(math.sqrt(plus * (1 - plus) / (drawn + 1)))
    for level in (0.9, 0.99):
        theirs = stats.binomtest(b, drawn).proportion_ci(level, "exact")
        assert montecarlo.exceedance_interval(b, drawn, level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
        for alpha in (0.001, 0.05, 0.25, 0.5, 0.9):
            assert montecarlo.decision_stable(b, drawn, alpha, level) == (not theirs.low <= alpha <= theirs.high)
    sure = montecarlo.Exceedances(np.array([b]), np.array([drawn]))
    assert (sure.spread, sure.error) == (1.0, montecarlo.standard_error_plus_one(b, drawn))
    assert sure.interval(0.9) == montecarlo.exceedance_interval(b, drawn, 0.9)
    exact_p = np.mean([stats.binom(drawn, j / 8).cdf(b) for j in range(1, 9)])
    assert phipson_smyth(b, drawn, 8) == pytest.approx(exact_p)


@pytest.mark.parametrize("counts", [[1, 4, 3], [0, 5], [2, 2, 2, 2], [0, 0], [5, 5], [3]])
def test_what_hangs_together_is_worth_less_by_the_variance_between_batches(counts: list[int]) -> None:
    found = montecarlo.Exceedances(np.array(counts), np.full(len(counts), 5), independent=False)
    b, drawn, n = sum(counts), 5 * len(counts), len(counts)
    share = b / drawn
    spread = 1.0
    if n > 1 and 0 < b < drawn:
        between = sum((c - share * 5) ** 2 for c in counts) * n / (n - 1) / drawn**2
        spread = between / (share * (1 - share) / drawn)
    assert found.spread == pytest.approx(spread)
    plus, least = ((k + 1) / (drawn + 1) for k in (b, 0))
    errors = [math.sqrt(p * (1 - p) / (drawn + 1)) for p in (plus, least)]
    assert found.error == pytest.approx(max(errors[0] * math.sqrt(spread), errors[1]))
    z, df = stats.norm.ppf(0.975), max(n - 1, 1)
    wider = 1 + (z**2 + 1) / (4 * df) + (5 * z**4 + 16 * z**2 + 3) / (96 * df**2)
    worth = max(1.0, spread) * wider**2
    assert found.interval(0.95) == pytest.approx(montecarlo.exceedance_interval(b / worth, drawn / worth, 0.95))


def test_exceedance_interval_covers_its_count() -> None:
    assert montecarlo.exceedance_interval(0, 10)[0] == 0.0
    assert montecarlo.exceedance_interval(10, 10)[1] == 1.0
    low, high = montecarlo.exceedance_interval(30, 100)
    mirrored = montecarlo.exceedance_interval(70, 100)
    assert (1 - high, 1 - low) == pytest.approx(mirrored)
    with pytest.raises(UsageError):
        montecarlo.exceedance_interval(11, 10)


def test_decision_gets_stable_with_more_resamples() -> None:
    assert not montecarlo.decision_stable(4, 100)
    assert montecarlo.decision_stable(4000, 100_000)


def test_standard_error_of_nothing_is_undefined() -> None:
    assert math.isnan(standard_error(0, 0))


@given(exceedances=st.lists(st.booleans(), max_size=60), stop_at=st.integers(1, 5), most=st.integers(0, 40))
def test_sequential_p_equals_its_definition(exceedances: list[bool], stop_at: int, most: int) -> None:
    seen = exceedances[:most]
    places = [i for i, hit in enumerate(seen, 1) if hit]
    expected = stop_at / places[stop_at - 1] if len(places) >= stop_at else (len(places) + 1) / (len(seen) + 1)
    found = montecarlo.besag_clifford(exceedances, stop_at, most)
    assert found.p == expected
    assert found.stopped_early == (len(places) >= stop_at)


def test_sequential_p_draws_no_more_than_it_needs() -> None:
    stream = iter([True, True, False, True])
    montecarlo.besag_clifford(stream, 2)
    assert list(stream) == [False, True]


def test_where_nothing_else_is_asked_for_drawing_ends_with_the_tenth_hit() -> None:
    found = montecarlo.besag_clifford([True, False] * 15)
    assert (found.exceedances, found.n_used, found.p) == (10, 19, 10 / 19)


def test_exact_p_of_few_relabellings_is_below_the_added_one() -> None:
    assert phipson_smyth(3, 99, 20) < 4 / 100
    assert phipson_smyth(3, 99, 10**6) == pytest.approx(4 / 100, rel=1e-4)


@pytest.mark.parametrize("batches", [12, 20, 50])
def test_hits_of_few_batches_are_worth_less_by_the_square_of_students_quantile_to_the_normal(batches: int) -> None:
    """The variance between batches is known by ``batches - 1`` degrees of freedom."""
    stats = pytest.importorskip("scipy.stats")
    sizes = np.full(batches, 1000)
    counts = np.where(np.arange(batches) % 2 == 0, 20, 80)
    exceedances = montecarlo.Exceedances(counts, sizes, independent=False)
    worth = exceedances.spread * (stats.t.ppf(0.995, batches - 1) / stats.norm.ppf(0.995)) ** 2
    low, high = exceedances.interval(0.99)
    expected = montecarlo.exceedance_interval(exceedances.total / worth, exceedances.drawn / worth, 0.99)
    assert (low, high) == pytest.approx(expected, rel=0.01)


def test_hits_that_hang_together_have_the_error_of_their_batches() -> None:
    counts, size = [0, 100, 0, 100, 0, 100, 0, 100] * 3, 100
    exceedances = Exceedances(np.array(counts), np.full(24, size), independent=False)
    shares = np.array(counts) / size
    assert exceedances.error == pytest.approx(shares.std(ddof=1) / math.sqrt(24), rel=0.01)
    low, high = exceedances.interval(0.99)
    t = stats.t.ppf(0.995, 23)
    assert (high - low) / 2 == pytest.approx(t * shares.std(ddof=1) / math.sqrt(24), rel=0.1)
    assert not exceedances.decides(0.4)
    assert exceedances.decides(0.1)


def test_a_p_value_without_a_hit_has_an_error() -> None:
    exceedances = Exceedances(np.zeros(20, dtype=np.int64), np.full(20, 500), independent=False)
    assert exceedances.error == pytest.approx(1e-4, rel=0.01)
    low, high = exceedances.interval(0.99)
    assert low == 0
    assert high > 5e-4
