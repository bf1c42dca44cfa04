"""Resampling of sums and of weights beside its slow twin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float, ScoreFunction
from outscore.engine.cyclic import Cyclic
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.independent import Independent
from outscore.engine.resampling import _resamples, bootstrap, bootstrap_by_counts
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine, Sampling
from outscore.engine.weights import ATOM, bootstrap_counts

SERIAL = Runtime()


def resample_independently(rows: Float, score: ScoreFunction, resamples: int, seed: int) -> Float:
    """Scores ``(m, b)`` of independent resamples, from sums ``(b, k)``."""
    sampling = Sampling(resamples, seed, SERIAL, "iid")
    return bootstrap([rows], lambda sums: score(next(sums)), Design(len(rows)), sampling, Accumulator.nothing()).values


def test_a_bootstrap_of_few_distinct_rows_does_not_depend_on_the_order_of_items() -> None:
    rng = np.random.default_rng(7)
    rows = rng.integers(0, 2, size=(400, 1)).astype(float)
    results = [
        resample_independently(order, lambda sums: sums.T, 200, 5)
        for order in (rows, rows[::-1].copy(), rows[rng.permutation(400)])
    ]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


RARE = 1e-6


def test_collapsed_and_plain_bootstraps_have_the_same_law() -> None:
    # 0/1 outcomes collapse, the same with a column that tells items apart does not; both are Bin(400, p):
    # chi-square each, false alarms 2e-6
    right = np.array([[1.0]] * 120 + [[0.0]] * 280)
    apart = np.concatenate([right, np.arange(400.0)[:, None]], axis=1)
    edges = stats.binom.ppf(np.arange(0.1, 1, 0.1), 400, 0.3)
    chances = np.diff([0, *stats.binom.cdf(edges, 400, 0.3), 1])
    for rows in (right, apart):
        (draws,) = resample_independently(rows, lambda sums: sums[:, :1].T, 8000, 6)
        observed = np.bincount(np.searchsorted(edges, draws), minlength=10)
        assert stats.chisquare(observed, chances * 8000).pvalue > RARE


def weights_of(n: int, resamples: int, seed: int) -> list[list[float]]:
    atoms = range(-(-resamples // ATOM))
    found: list[list[float]] = np.concatenate([bootstrap_counts(n, seed, atom) for atom in atoms])[:resamples].tolist()
    return found


@given(seed=st.integers(0, 99), n=st.integers(1, 12))
def test_bootstrap_is_its_slow_twin(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-9, 9, size=(n, 2)).astype(float) + np.arange(n)[:, None] * [1e6, 0.0]
    (found,) = resample_independently(rows, lambda sums: (sums[:, :1] / (1 + np.abs(sums[:, 1:]))).T, 20, seed)
    twin = []
    for weights in weights_of(n, 20, seed):
        top = sum(w * a for w, (a, _) in zip(weights, rows.tolist(), strict=True))
        bottom = sum(w * b for w, (_, b) in zip(weights, rows.tolist(), strict=True))
        twin.append(top / (1 + abs(bottom)))
    np.testing.assert_allclose(found, twin, rtol=1e-15)


def test_the_bootstrap_of_a_mean_has_its_variance() -> None:
    rng = np.random.default_rng(7)
    # s²/n of n out of n draws, s with n: half-size samples would double it; the variance of 20,000 replicates has a
    # relative standard error of 1 %, 5 % are 5 of them: false alarm 6e-7
    values = rng.normal(size=(80, 1))
    (draws,) = resample_independently(np.rint(values * 2**40), lambda sums: sums.T / 80 / 2**40, 20_000, 11)
    assert draws.var() == pytest.approx(float(values.var()) / 80, rel=0.05)


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_few_distinct_rows_are_drawn_as_counts_for_each_system(systems: int) -> None:
    n = 3000
    groups = [np.stack([np.arange(n) % (2 + s) == 0, np.ones(n)], axis=1).astype(float) for s in range(systems)]

    def score(sums: Iterator[Float]) -> Float:
        return np.stack([next(sums)[:, 0] for _ in range(systems)])

    sampling = Sampling(4000, 1, Runtime(), "iid")
    drawn = bootstrap(groups, score, Design(n), sampling, Accumulator.nothing()).values
    assert drawn.shape == (systems, 4000)
    for s in range(systems):
        share = 1 / (2 + s)
        # five standard errors of a mean of resampled counts
        assert drawn[s].mean() == pytest.approx(groups[s][:, 0].sum(), abs=5 * (n * share * (1 - share) / 4000) ** 0.5)
        assert drawn[s].var() == pytest.approx(n * share * (1 - share), rel=0.12)


NOTHING = Accumulator.nothing()


@given(seed=st.integers(0, 99), n=st.integers(1, 12))
def test_redrawing_draws_the_test_sets_of_the_bootstrap(seed: int, n: int) -> None:
    rows = np.arange(n, dtype=float)[:, None] ** 2
    sampling = Sampling(40, seed, SERIAL, "iid")
    found = bootstrap_by_counts(Design(n), lambda counts: (counts @ rows).T, sampling, NOTHING)
    plain = bootstrap([rows], lambda sums: next(sums).T, Design(n), sampling, NOTHING)
    np.testing.assert_array_equal(found.values, plain.values)


@pytest.mark.parametrize(
    ("engine", "items", "kinds", "way"),
    [
        ("cyclic", 100_000, 639, "rows"),
        ("cyclic", 100_000, 641, "cyclic"),
        ("cyclic", 40_000, 2, "cyclic"),  # so little that no equal rows are sought
        ("iid", 10_000, 199, "rows"),
        ("iid", 10_000, 201, "units"),
    ],
)
def test_the_cheapest_resamples_are_drawn(engine: Engine, items: int, kinds: int, way: str) -> None:
    """2,000 of four columns.

    20 vectors of 100,000 units in four columns at 12 ns are as dear as 2,000 draws of 640 rows at 75 ns; draws of
    10,000 units at 1.5 ns as those of 200 rows.
    """
    kind = np.arange(items)[:, None] % kinds * [1.0, 2.0, 3.0, 4.0]
    found = _resamples([kind[:, :1], kind[:, 1:]], Design(items), Sampling(2000, 1, SERIAL, engine))
    if way == "cyclic":
        assert isinstance(found, Cyclic)
    else:
        assert isinstance(found, Independent)
        assert found.units == (kinds if way == "rows" else items)
