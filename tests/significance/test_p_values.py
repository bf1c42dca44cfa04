"""Tails of laws against scipy, and p-values that are doubled, sampled or adjusted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from outscore.base.errors import UsageError
from outscore.engine.montecarlo import Exceedances
from outscore.significance import EXACT, MONTE_CARLO, Outcome, p_values


@pytest.mark.parametrize("bad", [0.0, 1.0, 1.5, -0.1])
def test_levels_lie_between_0_and_1(bad: float) -> None:
    with pytest.raises(UsageError, match="level"):
        p_values.normal_quantile(bad)
    for level in (0.01, 0.5, 0.95, 0.999):
        assert p_values.normal_quantile(level) == pytest.approx(float(stats.norm.ppf((1 + level) / 2)))
        for df in (0.5, 1, 2.5, 30, 500):
            assert p_values.student_quantile(level, df) == pytest.approx(float(stats.t(df).ppf((1 + level) / 2)))


def test_tails_are_those_of_scipy() -> None:
    for x in (-math.inf, -2.3, 0.0, 0.4, 5.0, math.inf):
        for alternative, normal, t in (
            ("greater", stats.norm.sf(x), stats.t(4).sf(x)),
            ("less", stats.norm.cdf(x), stats.t(4).cdf(x)),
            ("two-sided", 2 * stats.norm.sf(abs(x)), 2 * stats.t(4).sf(abs(x))),
        ):
            assert p_values.normal_p(x, alternative) == pytest.approx(float(normal))  # type: ignore[arg-type]
            assert p_values.student_p(x, 4, alternative) == pytest.approx(float(t))  # type: ignore[arg-type]
    for at, side, p in ((math.inf, "greater", 0.0), (math.inf, "less", 1.0), (-math.inf, "two-sided", 0.0)):
        assert p_values.student_p(at, 4, side) == p  # type: ignore[arg-type]
    assert p_values.f_p(2.5, 3, 9) == pytest.approx(float(stats.f(3, 9).sf(2.5)))
    assert p_values.f_p(math.inf, 3, 9) == 0.0
    assert p_values.chi2_p(2.5, 3) == pytest.approx(float(stats.chi2(3).sf(2.5)))
    assert p_values.holm(np.array([0.01, 0.4, 0.03, 0.5])) == pytest.approx([0.04, 0.8, 0.09, 0.8])
    assert p_values.holm(np.array([0.6, 0.9])) == pytest.approx([1.0, 1.0])


@given(df=st.floats(0.5, 500), level=st.floats(0.01, 0.999))
def test_student_quantile_inverts_the_tail(df: float, level: float) -> None:
    assert p_values.student_p(p_values.student_quantile(level, df), df) == pytest.approx(1 - level, rel=1e-9)


def test_a_doubled_tail_decides_at_half_of_alpha() -> None:
    held = Exceedances(np.array([40]), np.array([1999]))
    for tails, p in ((1, 41 / 2000), (2, 82 / 2000)):
        found = Outcome(p_value=p, p_kind=MONTE_CARLO, exceedances=held, tails=tails)
        assert not found.decides(p)
        assert found.decides(p / 3) and found.decides(3 * p)
        low, high = found.p_range(0.99) or (1.0, 0.0)
        assert low < p < high and found.p_range(0.5) != found.p_range(0.99)
    assert Outcome(p_value=0.04, p_kind=EXACT).decides(0.04) and Outcome(p_value=0.0, p_kind=EXACT).p_value
    most = Outcome(p_value=1.0, p_kind=MONTE_CARLO, exceedances=Exceedances(np.array([90]), np.array([99])), tails=2)
    assert most.p_range(0.9) == (1.0, 1.0)
    assert Outcome(p_value=0.02, p_kind=MONTE_CARLO, exceedances=held).p_range(0.9) == held.interval(0.9)


@pytest.mark.parametrize("df", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("within", [2, 2.5, 17.3, 1234.5, 1e5])
def test_tails_of_f_are_those_of_scipy(df: float, within: float) -> None:
    for statistic in (0.0, 1e-9, 0.3, 1.0, 1.5, 5.0, 50.0, 1e3):
        assert p_values.f_p(statistic, df, within) == pytest.approx(
            special.fdtrc(df, within, statistic), rel=1e-9, abs=1e-290
        )
    assert p_values.f_p(math.inf, df, within) == 0.0
    assert math.isnan(p_values.f_p(math.nan, df, within))
