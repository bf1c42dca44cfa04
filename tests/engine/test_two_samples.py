"""Laws and sampling of labellings of two samples."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.engine.runtime import Runtime
from outscore.engine.two_samples import hypergeometric_law, statistics_at_random, subset_sums


def test_the_hypergeometric_law_is_scipys() -> None:
    for n, m, marked in ((5, 7, 4), (400, 300, 690), (3, 3, 0), (2, 9, 11)):
        law = hypergeometric_law(n, m, marked)
        expected = stats.hypergeom(n + m, marked, n).pmf(law.support)
        np.testing.assert_allclose(law.mass, expected, rtol=1e-9)
        assert law.mass.sum() == pytest.approx(1, abs=1e-12)


def test_subset_sums_are_those_of_every_subset() -> None:
    rows = np.random.default_rng(3).integers(0, 9, size=(7, 2)).astype(float)
    expected = [rows[list(chosen)].sum(axis=0).tolist() for chosen in itertools.combinations(range(7), 3)]
    assert sorted(subset_sums(rows, 3).tolist()) == sorted(expected)


def test_random_labellings_do_not_depend_on_the_size_of_blocks() -> None:
    def first(labels: Float) -> Float:
        return np.asarray(labels @ np.arange(9.0))

    one, _ = statistics_at_random(first, 4, 5, 700, 3, Runtime(block=16))
    other, _ = statistics_at_random(first, 4, 5, 700, 3, Runtime(jobs=2))
    np.testing.assert_array_equal(one, other)
    assert len(np.unique(one)) > 10
