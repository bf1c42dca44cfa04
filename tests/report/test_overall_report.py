"""A test of all systems by ranks is told by ranks: p-values of ranks stand beside no gain of means."""

from __future__ import annotations

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.report import screen_of
from outscore.results.comparison import Comparison

RNG = np.random.default_rng(4)
DATA = {name: RNG.normal(shift, 1, 60) for name, shift in (("base", 0.0), ("new", 0.1), ("big", 1.0))}


def by(test: str, **choices: object) -> Comparison:
    return outscore.compare(DATA, test=test, **choices)  # type: ignore[arg-type]


@pytest.mark.parametrize("test", ["friedman", "nemenyi"])
def test_mean_ranks_stand_in_the_place_of_gains(test: str) -> None:
    found = by(test)
    screen = screen_of(found)
    assert screen.verdict[0].startswith("The 3 systems differ in mean rank (p < .001, 60 items).")
    main, *_ = screen.first
    assert [column.header for column in main.columns] == ["", "mean ↑", "mean rank", "ranks better by", "p"]
    (overall,) = found.overall
    ranks = {name: float(str(overall.effect[f"mean_rank {name}"])) for name in DATA}
    assert {row[0].text: row[2].text for row in main.rows} == {name: f"{rank:.2f}" for name, rank in ranks.items()}
    shown = {row[0].text: row[3].text for row in main.rows}
    assert shown == {"base": "", **{s: f"{ranks['base'] - ranks[s]:.2f}" for s in ("new", "big")}}
    assert f"big outscores base by {ranks['base'] - ranks['big']:.2f} in mean rank (p < .001)." in screen.verdict
    assert f"new is not shown to differ from base: {ranks['base'] - ranks['new']:+.2f} in mean rank (" in found.sentence
    apart = overall.effect["critical_difference"]
    assert main.footnotes == (f"Nemenyi: any two systems differ whose mean ranks lie {apart:.2f} or more apart.",)
    text = found.to("terminal:detail=full")
    assert "[–]" not in text
    assert "mean_rank" not in text and "critical_difference" not in text


def test_the_critical_difference_is_nemenyis_alone() -> None:
    found = by("friedman:pairs=holm")
    assert "better by" in found.to("terminal")
    assert "Nemenyi" not in found.to("terminal")


def test_of_another_metric_ranks_are_by_it_and_one_without_ranks_has_none() -> None:
    right = {name: (values > 0.5).astype(float) for name, values in DATA.items()}
    assert "differ in mean rank by accuracy (" in outscore.compare(right, metrics="accuracy", test="friedman").sentence
    rows = {
        "system": [name for name in DATA for _ in range(60)],
        "item": list(range(60)) * 3,
        "a": np.concatenate(list(DATA.values())),
        "b": [1.0] * 180,
    }
    pandas = pytest.importorskip("pandas")
    said = outscore.compare(pandas.DataFrame(rows), metrics="a,b", test="friedman").to("terminal")
    assert "mean rank" in said


def test_a_test_of_means_has_gains_with_their_intervals() -> None:
    main, *_ = screen_of(outscore.compare(DATA)).first
    assert [column.header for column in main.columns][2] == "gain"


def test_nemenyi_as_a_correction_says_where_it_is() -> None:
    with pytest.raises(UsageError, match="outscore compare --test friedman"):
        outscore.rank(DATA, correction="nemenyi")
