"""Independent resampling: one product for all columns, exact in whatever precision it is made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.engine.independent import Independent, permute, resample, resample_rows
from outscore.engine.weights import ATOM


def exact(weights: Float, rows: Float) -> list[list[int]]:
    """Weighted sums in whole numbers of any size."""
    columns = [[int(value) for value in column] for column in rows.T]
    return [[sum(int(w) * x for w, x in zip(row, c, strict=True)) for c in columns] for row in weights]


@pytest.mark.parametrize("power", [4, 14, 15, 16, 17, 30, 42])
@given(seed=st.integers(0, 99))
def test_sums_are_exact_in_single_and_double_precision(power: int, seed: int) -> None:
    # 300 units of at most 2^15: sums below 2^24 in float32; 2^16 and more: float64
    rng = np.random.default_rng(seed)
    rows = rng.integers(-(2**power), 2**power, size=(300, 2)).astype(float)
    weights = resample([np.arange(300)], seed)
    (found,) = Independent([rows], weights, 300).sums(range(3, 4))
    assert found.tolist() == exact(weights(3), rows)


@given(seed=st.integers(0, 99))
def test_groups_are_told_apart_and_columns_that_follow_are_restored(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 9, size=(40, 2)).astype(float)
    groups = [one, np.stack([one[:, 1] + 4, np.full(40, 3.0), one[:, 0]], axis=1)]
    for weights, units in ((resample([np.arange(40)], seed), 40), (permute(40, seed, "test"), 40)):
        found = list(Independent(groups, weights, units).sums(range(2)))
        drawn = np.concatenate([weights(0), weights(1)])
        for sums, rows in zip(found, groups, strict=True):
            np.testing.assert_array_equal(sums, drawn @ rows)


def test_strata_are_redrawn_each_in_its_number() -> None:
    strata = [np.array([0, 3, 4]), np.array([1, 2, 5, 6])]
    weights = resample(strata, 5)
    for atom in range(20):
        drawn = weights(atom)
        assert drawn.shape == (ATOM, 7)
        for units in strata:
            assert (drawn[:, units].sum(axis=1) == len(units)).all()


def test_distinct_rows_are_drawn_as_often_as_there_are_units() -> None:
    weights = resample_rows(np.array([5, 1, 14]), 2)
    drawn = np.concatenate([weights(atom) for atom in range(200)])
    assert (drawn.sum(axis=1) == 20).all()
    # 3,200 draws of 20: the mean of each count within 5 standard errors
    for count, mean in zip((5, 1, 14), drawn.mean(axis=0), strict=True):
        assert mean == pytest.approx(count, abs=5 * np.sqrt(count * (1 - count / 20) / 3200))
