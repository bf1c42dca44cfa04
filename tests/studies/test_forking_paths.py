"""The step-down maximum of many analyses against plain loops, and its use of shared permutations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.studies.choices.forking_paths import step_down

SEEDS = st.integers(0, 10_000)


def drawn(seed: int, m: int = 4, b: int = 25) -> tuple[Float, Float]:
    """Statistics on a coarse grid, so that ties occur."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 6, size=m).astype(float), rng.integers(0, 6, size=(b, m)).astype(float)


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
def test_step_down_is_its_slow_twin(seed: int) -> None:
    observed, null = drawn(seed)
    assert step_down(observed, null.T).tolist() == pytest.approx(slow_step_down(observed, null))


@given(seed=SEEDS)
def test_larger_statistics_have_smaller_adjusted_p_values(seed: int) -> None:
    observed, null = drawn(seed)
    order = np.argsort(-observed, kind="stable")
    assert (np.diff(step_down(observed, null.T)[order]) >= 0).all()


@given(seed=SEEDS)
def test_stepping_down_loses_nothing_to_one_step_and_never_undercuts_a_single_test(seed: int) -> None:
    observed, null = drawn(seed)
    stepped = step_down(observed, null.T)
    single, alone = (((reached >= observed).sum(axis=0) + 1) / 26 for reached in (null.max(axis=1)[:, None], null))
    assert (stepped <= single + 1e-12).all()
    assert (stepped >= alone - 1e-12).all()


def test_sampled_p_values_are_never_zero() -> None:
    assert step_down(np.array([9.0, 0.0]), np.zeros((2, 99))).tolist() == [0.01, 1.0]


def test_equal_hypotheses_cost_nothing() -> None:
    null = np.abs(np.random.default_rng(1).normal(size=999))
    alone = ((null >= 2.0).sum() + 1) / 1000
    assert step_down(np.repeat(2.0, 5), np.tile(null, (5, 1))).tolist() == [alone] * 5
