"""Predictive values against a simulated field, their cut-offs, and the bound on the null hypothesis."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import UsageError
from outscore.power.ppv import ResearchField

shares = st.floats(0.01, 0.99)


def test_the_setting_of_the_paper() -> None:
    # Søgaard et al. 2014, equation 2 and section 5; the paper rounds the cut-off to .0025
    field = ResearchField(odds=0.1, power=0.5)
    assert field.ppv(0.05) == pytest.approx(0.5, rel=1e-12)
    assert field.ppv(0.01) == pytest.approx(5 / 6, rel=1e-12)
    assert field.cutoff(0.95) == pytest.approx(0.05 * 0.05 / 0.95, rel=1e-12)
    assert f"{field.cutoff(0.95):.6f}" == "0.002632"
    assert field.positives(0.05) == pytest.approx(1 / 11, rel=1e-12)  # not 1/7, as is printed there


@given(st.floats(0.01, 5), shares, st.floats(0.5, 0.99), st.floats(0.0, 0.5), st.integers(1, 30))
def test_the_cutoff_has_the_wanted_value(odds: float, power: float, wanted: float, bias: float, teams: int) -> None:
    field = ResearchField(odds=odds, power=power)
    for cutoff, value in (
        (field.cutoff(wanted), field.ppv),
        (field.cutoff_with_bias(wanted, bias), lambda alpha: field.ppv_with_bias(alpha, bias)),
        (field.cutoff_of_teams(wanted, teams), lambda alpha: field.ppv_of_teams(alpha, teams)),
    ):
        if cutoff is None:
            assert value(1e-12) < wanted
        elif cutoff == 1.0:
            assert value(1.0) >= wanted - 1e-9
        elif cutoff > 1e-9:
            assert value(cutoff) == pytest.approx(wanted, rel=1e-6)


@given(st.floats(0.01, 5), shares, shares)
def test_no_bias_and_one_team_change_nothing(odds: float, power: float, alpha: float) -> None:
    field = ResearchField(odds=odds, power=power)
    assert field.ppv_with_bias(alpha, 0.0) == pytest.approx(field.ppv(alpha), rel=1e-12)
    assert field.ppv_of_teams(alpha, 1) == pytest.approx(field.ppv(alpha), rel=1e-9)
    assert field.ppv_with_bias(alpha, 0.3) <= field.ppv(alpha) + 1e-12 or power < alpha
    assert field.ppv_with_bias(alpha, 1.0) == pytest.approx(field.prior, rel=1e-12)


def test_a_simulated_field_is_right_as_often_as_its_predictive_value() -> None:
    # 4 standard errors: a right program fails for 1 seed in 16,000, three times
    rng = np.random.default_rng(2)
    field, alpha, bias, teams, n = ResearchField(odds=0.25, power=0.6), 0.05, 0.1, 4, 400_000
    true = rng.random(n) < field.prior
    chance = np.where(true, field.power, alpha)
    for found, value in (
        (rng.random(n) < chance, field.ppv(alpha)),
        ((rng.random(n) < chance) | (rng.random(n) < bias), field.ppv_with_bias(alpha, bias)),
        ((rng.random((teams, n)) < chance).any(axis=0), field.ppv_of_teams(alpha, teams)),
    ):
        assert true[found].mean() == pytest.approx(value, abs=4 * math.sqrt(value * (1 - value) / found.sum()))


@pytest.mark.parametrize(("p", "even"), [(0.05, 0.289), (0.01, 0.111), (0.005, 0.0672), (0.001, 0.0184)])
def test_the_bound_at_even_odds_is_the_published_one(p: float, even: float) -> None:
    # Sellke, Bayarri & Berger 2001, Table 1
    assert ResearchField(odds=1.0, power=0.8).risk(p) == pytest.approx(even, abs=6e-4)


def test_no_prior_of_p_under_the_alternative_beats_the_bound() -> None:
    # densities xi p^(xi - 1), the class of the bound: the posterior of the null hypothesis is never smaller
    field = ResearchField(odds=0.5, power=0.8)
    for p in (0.001, 0.02, 0.2):
        risk = field.risk(p)
        assert risk is not None
        posteriors = [1 / (1 + field.odds * xi * p ** (xi - 1)) for xi in np.linspace(0.01, 1, 500)]
        assert min(posteriors) >= risk - 1e-12
        assert min(posteriors) == pytest.approx(risk, rel=1e-3)


def test_the_bound_says_nothing_of_large_p_values() -> None:
    assert ResearchField(odds=1.0, power=0.8).risk(0.4) is None


@pytest.mark.parametrize("wrong", [{"odds": 0.0}, {"odds": -1.0}, {"odds": math.inf}, {"power": 0.0}, {"power": 1.1}])
def test_numbers_outside_their_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        ResearchField(**({"odds": 0.1, "power": 0.5} | wrong))
    field = ResearchField(odds=0.1, power=0.5)
    calls: list[Callable[[], float | None]] = [
        lambda: field.ppv(0.0),
        lambda: field.cutoff(1.0),
        lambda: field.ppv_with_bias(0.05, 1.5),
        lambda: field.ppv_of_teams(0.05, 0),
        lambda: field.risk(0.0),
    ]
    for call in calls:
        with pytest.raises(UsageError):
            call()
