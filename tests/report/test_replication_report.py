"""Gains on several data sets in words and tables: on how many one holds, on which, and how all look together."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

import outscore
from outscore.report import screen_of
from outscore.report.plots import charts_of
from outscore.results.replication import Replication


def replicated(
    *gains: float, systems: int = 1, n: int = 60, alternative: Literal["greater", "less"] = "greater"
) -> Replication:
    rng = np.random.default_rng(2)
    sets = {}
    for number, gain in enumerate(gains):
        base = rng.normal(size=n)
        names = ["new", *(f"new{k}" for k in range(1, systems))]
        sets[f"set{number}"] = {"base": base, **{name: base + gain + rng.normal(0, 0.5, n) for name in names}}
    return outscore.replicate(sets, n_resamples=199, alternative=alternative)


def test_data_sets_on_which_a_gain_holds_are_named_and_marked() -> None:
    result = replicated(1.0, 0.0, 1.0)
    (one,) = result.replicated
    assert one.holds_on == ("set0", "set2")
    screen = screen_of(result)
    assert screen.verdict[0].startswith(
        "new outscores base on at least 2 of 3 data sets with 95% confidence (set0, set2)"
    )
    assert "; mean gain +" in screen.verdict[0]
    table = next(table for table in screen.first if table.title == "Data set by data set")
    assert {row[0].text: row[-1].text for row in table.rows} == {"set0": "holds", "set1": "", "set2": "holds"}
    assert {row[0].text: row[-1].tone for row in table.rows} == {"set0": "better", "set1": "", "set2": "better"}


def test_losses_are_told_from_their_side() -> None:
    result = replicated(-1.0, -1.0, alternative="less")
    assert result.sentence.startswith("new scores below base on at least 2 of 2 data sets")
    assert "behind on" in [column.header for column in screen_of(result).first[0].columns]


def test_several_systems_have_their_data_sets_behind_the_first_screen() -> None:
    """A sentence for each names those on which it holds."""
    screen = screen_of(replicated(1.0, 1.0, systems=2))
    assert [table.title for table in screen.first] == ["On how many of 2 data sets a system is better than base"]
    table = next(table for table in screen.tables if table.title == "Data set by data set")
    assert [block.heading for block in table.blocks] == ["new", "new1"]


def test_many_systems_are_counted_and_those_with_most_are_named() -> None:
    screen = screen_of(replicated(1.0, 1.0, systems=5))
    assert len(screen.verdict) == 1
    assert screen.verdict[0].startswith("Of 5 systems 5 outscore base on one data set or more; most: ")
    assert screen.verdict[0].endswith(", on at least 2 of 2 data sets.")
    assert [row[-1].text for row in screen.first[0].rows] == ["2"] * 5
    gains = [row[1].text for row in screen.first[0].rows]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize(("gain", "said"), [(0.1, "outscores base over 8"), (0.0, "is not shown to outscore base")])
def test_one_number_for_each_data_set_is_tested_over_data_sets(gain: float, said: str) -> None:
    rng = np.random.default_rng(3)
    numbers = {f"set{i}": {"base": [b], "new": [b + gain + d]} for i in range(8)
               for b, d in [(rng.normal(), rng.normal(0, 0.03))]}  # fmt: skip
    result = outscore.replicate(numbers)
    assert f"new {said}" in result.sentence
    assert "(Wilcoxon, p " in result.sentence
    assert "by Holm" not in result.sentence
    assert "each by itself" not in result.sentence
    several = outscore.replicate({name: {**of, "other": of["new"]} for name, of in numbers.items()})
    assert several.sentence.count(" by Holm): ") == 2
    assert "two-sided; p by Holm, intervals each by itself." in several.sentence
    assert screen_of(result).first[0].columns[-1].header == "p Wilcoxon"


@pytest.mark.parametrize("end", [-0.01, 0.01])
def test_a_loss_over_data_sets_is_claimed_where_the_whole_interval_lies_below_0(end: float) -> None:
    """Whatever p says: the upper end decides for a loss, as the lower one does for a gain."""
    numbers = {f"set{i}": {"base": [0.5 + i / 10], "new": [0.4 + i / 10 - i / 1000]} for i in range(8)}
    result = outscore.replicate(numbers, alternative="less")
    (one,) = result.replicated
    held = replace(result, replicated=(replace(one, ci=(-0.2, end)),))
    assert ("is not shown" in held.sentence) == (end > 0), held.sentence


def test_gains_on_data_sets_have_one_end_and_their_mean_has_two() -> None:
    rng = np.random.default_rng(3)
    right = {f"set{k}": {"base": rng.random(90) < 0.4, "new": rng.random(90) < 0.8} for k in range(3)}
    sets = {name: {of: one.astype(float) for of, one in both.items()} for name, both in right.items()}
    result = outscore.replicate(sets, metrics="accuracy")
    assert all(gain.ci is not None and gain.ci[1] == 1 for gain in result.set_gains)
    mean, by_set = screen_of(result).first
    assert all(row[2].tail.endswith(", ∞)") for row in by_set.rows)
    assert "∞" not in "".join(cell.tail for row in mean.rows for cell in row)
    assert " or more" not in screen_of(result).verdict[0]


@pytest.mark.parametrize(("alternative", "claim"), [("greater", "outscore"), ("less", "score below")])
def test_the_picture_of_nothing_shown_speaks_of_the_one_side_that_was_tested(
    alternative: Literal["greater", "less"], claim: str
) -> None:
    """Losses are no matter of a test of gains: it did not say that the systems do not differ."""
    lost = -1.0 if alternative == "greater" else 1.0
    result = replicated(lost, lost, alternative=alternative)
    (chart,) = charts_of(result)
    assert chart.title == f"new is not shown to {claim} base on any of 2 data sets"
    assert "one-sided" in result.sentence
