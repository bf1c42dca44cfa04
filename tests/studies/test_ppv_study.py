"""The study of predictive values: formula, law and simulation against each other."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import outscore
from outscore.base.errors import UsageError
from outscore.power.plans.t import TDesign
from outscore.power.ppv import ResearchField
from outscore.results.study import Findings
from outscore.studies.simulations.laws import CERTAIN, FIXED, NEAR, SAME, Setting
from tests.cli.commandline import outscore as command
from tests.oracles.support import cases

SETTING = Setting(odds=0.1, power=0.5, items=100, alpha=0.05)
SMALL: dict[str, Any] = {"rounds": 20_000, "levels": "0.05,0.01", "sizes": "50,200"}


@cache
def small() -> Findings:
    """The study with its other options at their defaults."""
    return outscore.study("ppv", jobs=1, **SMALL)


@cases("ppv")
def test_with_the_power_held_it_is_the_formula(case: dict[str, dict[str, float]]) -> None:
    given = case["input"]
    setting = Setting(odds=given["R"], power=1 - given["beta"], items=50, alpha=0.05)
    expected = case["expected"]["ppv"]
    assert isinstance(expected, dict)
    assert setting.ppv(FIXED, given["alpha"]) == pytest.approx(expected["float"], rel=1e-12)


def test_the_true_gain_gives_the_power_that_is_asked_for() -> None:
    for level in (0.05, 0.001):
        shift = SETTING.shift(FIXED, level)
        critical = stats.t.isf(level / 2, 99)
        power = stats.nct.sf(critical, 99, shift) + stats.nct.cdf(-critical, 99, shift)
        assert power == pytest.approx(0.5, abs=1e-9)
    assert SETTING.power_at(SAME, 0.05) == pytest.approx(0.5, abs=1e-9)
    assert SETTING.power_at(SAME, 0.0025) < 0.16
    assert SETTING.power_at(CERTAIN, 0.05) == pytest.approx(1.0)


def test_the_cut_off_of_the_same_test_sets_has_the_wanted_value() -> None:
    cutoff = SETTING.cutoff(0.95)
    assert cutoff is not None
    assert SETTING.ppv(SAME, cutoff) == pytest.approx(0.95, abs=1e-9)
    assert cutoff < 0.1 * (SETTING.field.cutoff(0.95) or 0)
    assert Setting(odds=1e-12, power=0.1, items=100, alpha=0.05).cutoff(0.999) is None


def test_the_picture_has_the_lines_of_figure_7() -> None:
    wanted, at_alpha = small().table("marks").records()
    assert [one["wanted"] for one in (wanted, at_alpha)] == pytest.approx([0.95, 0.5])
    assert [one["cutoff"] for one in (wanted, at_alpha)] == pytest.approx([0.05 * 0.05 / 0.95, 0.05])
    rules = {layer.mark for layer in small().figures[0].layers if layer.table == "marks"}
    assert rules == {"x-rule", "y-rule"}


def test_what_is_just_significant_is_worth_the_area_below_both_densities() -> None:
    shift, df = SETTING.shift(FIXED, 0.05), 99
    inner, outer = stats.t.isf(0.025, df), stats.t.isf(NEAR * 0.025, df)
    true, null = (
        sum(integrate.quad(density, low, high)[0] for low, high in ((inner, outer), (-outer, -inner)))
        for density in (lambda t: stats.nct.pdf(t, df, shift), lambda t: stats.t.pdf(t, df))
    )
    assert SETTING.proportion_near() == pytest.approx(0.1 * true / (0.1 * true + null), rel=1e-4)


def test_the_study_finds_the_numbers_of_the_source_and_its_errata() -> None:
    result = small()
    result.check_whole()
    said = {found.what: found for found in result.findings}
    assert said["true among the significant, p ≤ 0.05, power held"].published == 0.5
    assert said["true among the significant, p ≤ 0.05, power held"].verdict == "agrees"
    cutoff = said["cut-off for a predictive value of 0.95, power held"]
    assert cutoff.value == pytest.approx(1 / 380) and cutoff.verdict == "differs"
    assert said["false among the significant, p ≤ 0.05, by formula"].verdict == "differs"
    tests = said["tests for one significant result, power 0.5"]
    assert tests.expected == pytest.approx(11) and tests.verdict == "differs"
    everything = said["tests for one significant result, power 1"]
    assert everything.expected == pytest.approx(22 / 3) and everything.verdict == "agrees"


def test_simulated_fields_are_what_the_formula_says() -> None:
    # 4 errors each: 6 false alarms in 100,000 for each of about 30 numbers
    result = outscore.study("ppv", jobs=1, correlation=0.5, choices=3, **SMALL)
    rows = [*result.table("levels").records(), *result.table("sizes").records()]
    for row in rows:
        share = row["expected"]
        assert isinstance(share, float) and isinstance(row["ppv"], float) and isinstance(row["significant"], int)
        assert abs(row["ppv"] - share) <= 4 * np.sqrt(share * (1 - share) / row["significant"]), row


def test_free_choice_costs_and_correction_pays_it_back() -> None:
    rows = {(r["choice"], r["n"]): r["expected"] for r in small().table("sizes").records()}
    one, best, corrected = (
        rows[name, 200] for name in ("one metric", "the best of several", "the best of several, corrected")
    )
    assert isinstance(one, float) and isinstance(best, float) and isinstance(corrected, float)
    assert best < one <= corrected
    assert one == pytest.approx(
        ResearchField(odds=0.1, power=stats.norm.sf(1.959964 - 0.2 * 200**0.5)).ppv(0.05), abs=1e-4
    )


def test_other_odds_stand_beside_no_published_number() -> None:
    result = outscore.study("ppv", jobs=1, odds=0.5, **SMALL | {"rounds": 1000})
    assert all(found.published is None and not found.source for found in result.findings)


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 0},
        {"odds": 0.0},
        {"power": 1.5},
        {"power": 0.01},
        {"wanted": 1.0},
        {"correlation": 1.0},
        {"choices": 0},
        {"levels": "2"},
    ],
)
def test_options_out_of_range_are_refused_in_one_line(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        outscore.study("ppv", jobs=1, **wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("typed", ["--odds=1e-120", "--odds=1e-12", "--odds=1e-320", "--wanted=1e-9"])
def test_odds_at_the_edge_of_numbers_have_an_end(typed: str) -> None:
    done = command("study", "ppv", "--power", "0.5", "--rounds", "50", "--sizes", "20", "-j", "1", typed)
    assert done.code == (2 if "1e-320" in typed else 0), done.err
    assert len(done.err.splitlines()) <= 1
    assert "5e-" not in done.out


def test_a_gain_that_no_number_reaches_is_infinite() -> None:
    assert TDesign(sd=1.0, alpha=1e-100).detectable(2, 0.8) == math.inf
    assert TDesign(sd=1.0, alpha=1e-100).detectable(100, 0.8) > 9
