"""Equal rows are counted once, and columns that follow from others are added up once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from outscore.engine.lattice import Columns, collapse


@given(seed=st.integers(0, 999))
def test_collapsed_rows_are_the_rows_and_their_counts_in_any_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-1, 2, size=(30, 2)).astype(float)
    rows[rows == 0] *= rng.choice([1.0, -1.0], size=(rows == 0).sum())  # zeros of both signs
    distinct, counts = collapse(rows)
    twin: dict[tuple[float, ...], int] = {}
    for row in rows.tolist():
        twin[tuple(value + 0.0 for value in row)] = twin.get(tuple(value + 0.0 for value in row), 0) + 1
    assert {tuple(row): int(c) for row, c in zip(distinct.tolist(), counts, strict=True)} == twin
    assert len(distinct) == len(twin)
    shuffled, again = collapse(rows[rng.permutation(30)])
    np.testing.assert_array_equal(shuffled, distinct)
    np.testing.assert_array_equal(again, counts)


def test_minus_zero_and_zero_are_one_row() -> None:
    distinct, counts = collapse(np.array([[0.0, 1.0], [-0.0, 1.0]]))
    assert distinct.tolist() == [[0.0, 1.0]]
    assert counts.tolist() == [2]


@given(seed=st.integers(0, 99))
def test_columns_that_follow_from_others_are_added_up_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 9, size=(12, 2)).astype(float)
    rows = np.stack([one[:, 0], one[:, 0] + 3, one[:, 1], np.full(12, 4.0), one[:, 0]], axis=1)
    columns = Columns.of(rows)
    weights = rng.integers(0, 5, size=(6, 12)).astype(float)
    np.testing.assert_array_equal(columns.sums((weights @ columns.distinct.T).T, weights.sum(axis=1)), weights @ rows)
    varied = {tuple(c - c[0]) for c in one.T} - {(0.0,) * 12}
    assert len(columns.distinct) == len(varied)


def test_a_column_with_a_zero_of_the_other_sign_is_the_same_column() -> None:
    found = Columns.of(np.array([[0.0, 0.0, 3.0], [1.0, 1.0, 4.0], [0.0, -0.0, 3.0]]))
    assert (len(found.distinct), found.place, found.shift) == (1, (0, 0, 0), (0.0, 0.0, 3.0))
