"""Student's statistics on the normal scale, against scipy's laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from outscore.engine.beta import student_to_normal, student_to_normal_by_table


@pytest.mark.parametrize("largest", [0.0, 1e-3, 0.653, 0.6539, 0.657, 0.66, 3.0, 50.0, 9999.9])
def test_drawn_statistics_have_the_normal_ones_with_their_p_however_large_they_are(largest: float) -> None:
    """The table is computed as far as it is asked for, in parts, of which the first ends near 0.65."""
    drawn = np.array([largest, -largest, largest / 2, np.inf, -np.inf])
    found = student_to_normal_by_table(drawn, 12)
    at = np.array([largest, largest / 2])
    np.testing.assert_allclose(found[[0, 2]], -norm.ppf(student.sf(at, 12)), rtol=1e-4, atol=1e-9)
    assert found[1] == -found[0]
    assert found[3:].tolist() == [math.inf, -math.inf]
    assert student_to_normal_by_table(np.array([1.001e4, largest]), 12)[0] == math.inf


@pytest.mark.parametrize("df", [1, 5, 200])
def test_a_few_statistics_have_exactly_the_normal_ones_with_their_p(df: int) -> None:
    t = np.array([-30.0, -2.0, 0.0, 0.5, 8.0])
    np.testing.assert_allclose(student_to_normal(t, df), -norm.ppf(student.sf(t, df)), rtol=1e-9, atol=1e-12)
