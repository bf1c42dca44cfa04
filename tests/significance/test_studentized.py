"""Influences of units on a score, and resamples with errors of their own."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from outscore.base.arrays import Float, Int
from outscore.engine.design import Design
from outscore.significance.settings import Settings
from outscore.significance.studentized import influences, resample_with_errors, spread
from tests.engine.test_bootstrap import weights_of


def root(sums: Float) -> Float:
    """A score whose gradients are known: the root of a sum times another."""
    return np.asarray(np.sqrt(sums[..., 0]) * sums[..., 1] / 10)


def slopes(sums: Float) -> Float:
    return np.array([sums[1] / (20 * math.sqrt(sums[0])), math.sqrt(sums[0]) / 10])


def whole_counts(n: int, seed: int, lead: int = 0) -> tuple[Float, Float]:
    draw = np.random.default_rng(seed)
    return draw.integers(1, 6, (n, 2)).astype(float) + lead, draw.integers(1, 6, (n, 2)).astype(float)


def test_the_influence_on_a_score_is_along_its_gradient_less_the_mean() -> None:
    rows, _ = whole_counts(8, 3)
    expected = (rows - rows.mean(axis=0)) @ slopes(rows.sum(axis=0))
    assert influences(rows, root) == pytest.approx(expected, rel=1e-5)
    assert not influences(np.ones((5, 2)), root).any()


@pytest.mark.parametrize("units", [12, 160])
def test_every_resample_has_the_error_of_its_linear_part(units: int) -> None:
    draw = np.random.default_rng(units)
    rows = draw.integers(1, 9, (units, 2)).astype(float)

    def ratio(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums[..., 1])

    drawn = resample_with_errors(rows, ratio, Design(units), Settings(n_resamples=40).sampling)
    theta = rows[:, 0].sum() / rows[:, 1].sum()
    adds = (rows[:, 0] - theta * rows[:, 1]) / rows[:, 1].sum()
    assert (drawn.centre, drawn.error) == pytest.approx((theta, math.sqrt((adds**2).sum())), rel=1e-6)
    np.testing.assert_allclose(influences(rows, ratio), adds, atol=1e-8)
    values, errors = drawn.values
    assert values.shape == errors.shape == (40,)
    # resamples vary as their own errors say, within the error of 40 of them
    assert values.std(ddof=1) == pytest.approx(drawn.error, rel=0.5)
    assert errors.mean() == pytest.approx(drawn.error, rel=0.3)
    same = resample_with_errors(
        np.tile([[2.0, 4.0]], (units, 1)), ratio, Design(units), Settings(n_resamples=40).sampling
    )
    assert same.error == 0.0
    assert (same.values[1] == 0.0).all()


@pytest.mark.parametrize("roundings", [0.99, 1.01])
def test_squares_count_from_so_many_roundings_of_their_terms_on(roundings: float) -> None:
    passed = np.array(3.0)
    squares = roundings * 2**14 * np.finfo(float).eps * passed
    assert spread(squares, passed) == pytest.approx(math.sqrt(squares) if roundings > 1 else 0.0, rel=1e-12, abs=0)


def test_a_signed_column_that_sums_to_nothing_has_an_influence() -> None:
    """A sum of counts that is 0 stays 0 whatever is drawn; one of signed numbers does not."""
    rows = np.array([[1.0, 2.0], [-3.0, 1.0], [2.0, 4.0]])
    np.testing.assert_allclose(influences(rows, lambda sums: sums[..., 0]), rows[:, 0], atol=1e-9)
    counts = np.array([[0.0, 2.0], [0.0, 1.0], [0.0, 4.0]])
    np.testing.assert_array_equal(influences(counts, lambda sums: sums[..., 0]), np.zeros(3))


def influence_error(rows: Float, counts: Float, statistic: Callable[[Float], float], step: float = 1e-5) -> float:
    """Twin of the standard error: numerical weights' derivatives of the statistic, one item at a time."""
    n, total = len(rows), 0.0
    sums = (counts[:, None] * rows).sum(axis=0)
    for row, w in zip(rows, counts, strict=True):
        toward = row - sums / n
        slope = (statistic(sums + step * toward) - statistic(sums - step * toward)) / (2 * step)
        total += w * slope**2
    return math.sqrt(total)


@pytest.mark.parametrize("seed", range(3))
def test_errors_of_resampled_ratios_are_the_infinitesimal_jackknife(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, 9, size=30), rng.integers(5, 20, size=30)], axis=1).astype(float)

    def ratio(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums[..., 1])

    made = Settings(n_resamples=20, seed=seed, engine="iid")
    drawn = resample_with_errors(rows, ratio, Design(30), made.sampling)
    values, errors = drawn.values
    assert not drawn.interrupted
    assert drawn.error == pytest.approx(influence_error(rows, np.ones(30), lambda s: float(ratio(s))), rel=1e-5)
    for value, found, weights in zip(values, errors, weights_of(30, 20, seed), strict=True):
        counts = np.array(weights)
        assert value == pytest.approx(float(ratio((counts[:, None] * rows).sum(axis=0))), rel=1e-14)
        assert found == pytest.approx(influence_error(rows, counts, lambda s: float(ratio(s))), rel=1e-4)


def test_errors_of_resampled_means_are_their_standard_errors() -> None:
    rng = np.random.default_rng(7)
    # for a mean the error is analytic: s*/√n with the resample's own s, divisor n
    values = rng.integers(-20, 50, size=(40, 1)).astype(float)
    rows = np.concatenate([values, np.ones((40, 1))], axis=1)
    made = Settings(n_resamples=50, seed=2, engine="iid")
    drawn = resample_with_errors(rows, lambda s: s[..., 0] / s[..., 1], Design(40), made.sampling)
    found, errors = drawn.values
    assert drawn.error == pytest.approx(float(values.std()) / math.sqrt(40), rel=1e-7)
    for mean, se, weights in zip(found, errors, weights_of(40, 50, 2), strict=True):
        resample = np.repeat(values[:, 0], np.array(weights, dtype=int))
        assert mean == pytest.approx(float(resample.mean()), rel=1e-12)
        assert se == pytest.approx(float(resample.std()) / math.sqrt(40), rel=1e-6)


def test_errors_agree_with_the_jackknife_on_many_items() -> None:
    rng = np.random.default_rng(1)
    counts: Int = rng.poisson([3.0, 1.0, 1.0], size=(2000, 3))
    rows = counts.astype(float)

    def f1(sums: Float) -> Float:
        return np.asarray(2 * sums[..., 0] / (2 * sums[..., 0] + sums[..., 1] + sums[..., 2]))

    error = resample_with_errors(rows, f1, Design(2000), Settings(n_resamples=16).sampling).error
    without = f1(rows.sum(axis=0) - rows)
    jackknife = math.sqrt(1999 / 2000 * float(((without - without.mean()) ** 2).sum()))
    assert error == pytest.approx(jackknife, rel=2e-3)
