"""The max-statistic corrections against plain loops, and their use of shared resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.engine.extreme import ALTERNATIVES
from outscore.multiplicity.max_statistic import centred_statistics, side_by_side, single_step, step_down

SEEDS = st.integers(0, 10_000)


def drawn(seed: int, m: int = 4, b: int = 25) -> tuple[Float, Float]:
    """Statistics on a coarse grid, so that ties occur."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 6, size=m).astype(float), rng.integers(0, 6, size=(b, m)).astype(float)


def slow_single_step(observed: Float, null: Float) -> list[float]:
    return [(sum(max(row) >= value for row in null.tolist()) + 1) / (len(null) + 1) for value in observed.tolist()]


def slow_step_down(observed: Float, null: Float) -> list[float]:
    order = sorted(range(len(observed)), key=lambda j: -observed[j])
    adjusted, floor = [0.0] * len(observed), 0.0
    for rank, j in enumerate(order):
        left = order[rank:]
        hits = sum(max(row[k] for k in left) >= observed[j] for row in null.tolist())
        floor = max(floor, (hits + 1) / (len(null) + 1))
        adjusted[j] = floor
    return adjusted


@given(seed=SEEDS)
def test_single_step_is_its_slow_twin(seed: int) -> None:
    observed, null = drawn(seed)
    assert single_step(observed, null).tolist() == pytest.approx(slow_single_step(observed, null))


@given(seed=SEEDS)
def test_step_down_is_its_slow_twin(seed: int) -> None:
    observed, null = drawn(seed)
    assert step_down(observed, null).tolist() == pytest.approx(slow_step_down(observed, null))


@given(seed=SEEDS)
def test_stepping_down_never_loses_power_and_never_undercuts_a_single_test(seed: int) -> None:
    observed, null = drawn(seed)
    stepped = step_down(observed, null)
    alone = np.array([single_step(observed[[j]], null[:, [j]])[0] for j in range(len(observed))])
    assert (stepped <= single_step(observed, null) + 1e-12).all()
    assert (stepped >= alone - 1e-12).all()


@given(seed=SEEDS)
def test_larger_statistics_have_smaller_adjusted_p_values(seed: int) -> None:
    observed, null = drawn(seed)
    order = np.argsort(-observed, kind="stable")
    assert (np.diff(step_down(observed, null)[order]) >= 0).all()


def test_sampled_p_values_are_never_zero_and_complete_ones_are_shares() -> None:
    observed, null = np.array([9.0, 0.0]), np.zeros((99, 2))
    assert step_down(observed, null).tolist() == [0.01, 1.0]
    assert single_step(np.array([1.0]), np.array([[1.0], [0.0], [-1.0], [0.0]]), complete=True).tolist() == [0.25]


def test_equal_hypotheses_cost_nothing() -> None:
    rng = np.random.default_rng(1)
    null = np.abs(rng.normal(size=(999, 1)))
    observed = np.array([2.0])
    alone = single_step(observed, null)[0]
    copies = step_down(np.repeat(observed, 5), np.repeat(null, 5, axis=1))
    assert copies.tolist() == [alone] * 5


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_centred_statistics_are_studentized_and_centred_at_the_gains(alternative: str) -> None:
    rng = np.random.default_rng(2)
    gains = np.array([1.0, -2.0])
    draws = gains + rng.normal(size=(200, 2)) * [1.0, 5.0]
    observed, null = centred_statistics(gains, draws, alternative, np.ones(2))
    for j in range(2):
        error = float(np.std(draws[:, j], ddof=1))
        expected = [(value - gains[j]) / error for value in draws[:, j].tolist()]
        statistic = float(gains[j]) / error
        if alternative == "two-sided":
            expected, statistic = [abs(value) for value in expected], abs(statistic)
        if alternative == "less":
            expected, statistic = [-value for value in expected], -statistic
        np.testing.assert_allclose(null[:, j], expected, rtol=1e-12)
        assert observed[j] == pytest.approx(statistic, rel=1e-12)


@pytest.mark.parametrize(("alone", "least", "most"), [(1e-60, 0.01, 0.01), (0.5, 0.4, 0.6), (1.0, 1.0, 1.0)])
def test_a_gain_that_never_varies_is_as_extreme_as_its_own_p_value(alone: float, least: float, most: float) -> None:
    draws = np.column_stack([np.full(99, 0.5), 9.0 + np.random.default_rng(3).normal(size=99)])
    observed, null = centred_statistics(np.array([0.5, 9.0]), draws, "two-sided", np.array([alone, 1e-30]))
    assert np.isfinite(null).all()
    adjusted = step_down(observed, null)
    assert least <= adjusted[0] <= most
    assert adjusted[1] == 0.01


def test_systems_that_are_alike_cost_the_others_nothing() -> None:
    rng = np.random.default_rng(4)
    gains, p = np.array([2.0, 2.2]), np.array([0.03, 0.02])
    draws = gains + rng.normal(size=(999, 2))
    alone = step_down(*centred_statistics(gains, draws, "two-sided", p))
    alike = np.zeros((999, 5))
    more = centred_statistics(
        np.append(gains, np.zeros(5)), np.hstack([draws, alike]), "two-sided", np.append(p, np.ones(5))
    )
    np.testing.assert_array_equal(step_down(*more), [*alone, 1, 1, 1, 1, 1])


@given(seed=SEEDS, sizes=st.lists(st.integers(2, 9), min_size=1, max_size=4))
def test_draws_of_independent_samples_stand_side_by_side_in_orders_of_their_own(seed: int, sizes: list[int]) -> None:
    samples = [100.0 * i + np.stack([np.arange(b), 50.0 + np.arange(b)], axis=1) for i, b in enumerate(sizes)]
    joint = side_by_side(samples, seed)
    assert joint.shape == (min(sizes), 2 * len(sizes))
    for i, draws in enumerate(samples):
        part = joint[:, 2 * i : 2 * i + 2]
        kept = {tuple(row) for row in part.tolist()} & {tuple(row) for row in draws.tolist()}
        assert len(kept) == min(sizes)  # each once, its columns together


def test_equal_draws_of_two_samples_are_independent_side_by_side() -> None:
    draws = np.random.default_rng(1).normal(size=(4000, 1))
    joint = side_by_side([draws, draws], 0)
    # five standard errors of a correlation of 0: false alarms 6e-7
    assert abs(np.corrcoef(joint[:, 0], joint[:, 1]).item(1)) < 5 / np.sqrt(4000)
