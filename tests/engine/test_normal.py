"""The normal law."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from outscore.engine.beta import normal_cdf, normal_ppf


@pytest.mark.parametrize("z", [-30.0, -3.0, -0.5, 0.0, 1.2, 5.0])
def test_the_normal_law_in_both_tails(z: float) -> None:
    assert normal_cdf(z) == pytest.approx(float(stats.norm.cdf(z)), rel=1e-12)
    if abs(z) < 6:
        assert normal_ppf(float(stats.norm.cdf(z))) == pytest.approx(z, rel=1e-9, abs=1e-12)
    assert (normal_ppf(0.0), normal_ppf(1.0)) == (-math.inf, math.inf)
