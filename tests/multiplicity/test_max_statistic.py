"""The max-statistic corrections against plain loops, and their use of shared resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.multiplicity.adjust import max_step_down
from tests.multiplicity.plain import max_single_step

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
        exceedances = sum(max(row[k] for k in left) >= observed[j] for row in null.tolist())
        floor = max(floor, (exceedances + 1) / (len(null) + 1))
        adjusted[j] = floor
    return adjusted


@given(seed=SEEDS)
def test_single_step_is_its_slow_twin(seed: int) -> None:
    observed, null = drawn(seed)
    assert max_single_step(observed, null).tolist() == pytest.approx(slow_single_step(observed, null))


@given(seed=SEEDS)
def test_step_down_is_its_slow_twin(seed: int) -> None:
    observed, null = drawn(seed)
    assert max_step_down(observed, null).tolist() == pytest.approx(slow_step_down(observed, null))


@given(seed=SEEDS)
def test_stepping_down_never_loses_power_and_never_undercuts_a_single_test(seed: int) -> None:
    observed, null = drawn(seed)
    stepped = max_step_down(observed, null)
    alone = np.array([max_single_step(observed[[j]], null[:, [j]])[0] for j in range(len(observed))])
    assert (stepped <= max_single_step(observed, null) + 1e-12).all()
    assert (stepped >= alone - 1e-12).all()


@given(seed=SEEDS)
def test_larger_statistics_have_smaller_adjusted_p_values(seed: int) -> None:
    observed, null = drawn(seed)
    order = np.argsort(-observed, kind="stable")
    assert (np.diff(max_step_down(observed, null)[order]) >= 0).all()


def test_sampled_p_values_are_never_zero_and_complete_ones_are_shares() -> None:
    observed, null = np.array([9.0, 0.0]), np.zeros((99, 2))
    assert max_step_down(observed, null).tolist() == [0.01, 1.0]
    assert max_single_step(np.array([1.0]), np.array([[1.0], [0.0], [-1.0], [0.0]]), complete=True).tolist() == [0.25]


def test_equal_hypotheses_cost_nothing() -> None:
    rng = np.random.default_rng(1)
    null = np.abs(rng.normal(size=(999, 1)))
    observed = np.array([2.0])
    alone = max_single_step(observed, null)[0]
    copies = max_step_down(np.repeat(observed, 5), np.repeat(null, 5, axis=1))
    assert copies.tolist() == [alone] * 5
