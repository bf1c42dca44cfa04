"""Leaderboards as tables, pictures and sentences."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.report import tables_of
from outscore.report.plots import picture, render
from outscore.report.ranking import MOST_GAINS, MOST_SIGNS
from outscore.results import Leaderboard
from tests.report.builders import HOSTILE


@cache
def board(k: int, step: float = 0.5, blocks: str | None = None, names: tuple[str, ...] = ()) -> Leaderboard:
    rng = np.random.default_rng(k)
    data = {names[i] if names else f"system {i}": (rng.normal(size=40) - step * i).round(1).tolist() for i in range(k)}
    return outscore.rank(data, n_resamples=100, blocks=blocks)


def titles(result: Leaderboard) -> list[str]:
    return [table.title for table in tables_of(result)]


def test_the_board_lists_rank_sets_from_the_best_system_on() -> None:
    result = board(4, 1.0)
    table = tables_of(result)[0]
    heads = [column.header for column in table.columns]
    assert heads == ["System", "mean ↑", "Rank", "Rank set", "Tier", "Letters", "bootstrap", "first"]
    assert [row[0].text for row in table.rows] == [place.system for place in result.places]
    assert [row[2].text for row in table.rows] == ["1", "2", "3", "4"]
    for row, place in zip(table.rows, result.places, strict=True):
        shown = f"{place.best}–{place.worst}" if place.best < place.worst else str(place.best)
        assert row[3].text == shown
    said = " ".join(note.text for note in table.footnotes)
    assert "hold all true ranks with 95% confidence" in said
    assert "Descriptive only" in said


def test_one_tier_needs_no_column() -> None:
    assert "Tier" not in [column.header for column in tables_of(board(3, 0.0))[0].columns]


def test_rank_sets_without_a_joint_level_do_not_claim_one() -> None:
    rng = np.random.default_rng(0)
    result = outscore.rank({s: rng.normal(size=30).round(1) for s in "abc"}, n_resamples=50, correction="bh")
    text = result.to("terminal")
    assert "confidence" not in " ".join(text.split())
    assert "joint" not in result.sentence


@pytest.mark.parametrize("k", [3, MOST_GAINS, MOST_GAINS + 1, MOST_SIGNS, MOST_SIGNS + 1])
def test_who_beats_whom_is_shown_as_gains_then_signs_then_not_at_all(k: int) -> None:
    result = board(k)
    wins = [table for table in tables_of(result) if table.title.startswith("Who beats whom")]
    assert bool(wins) == (k <= MOST_SIGNS)
    if not wins:
        return
    (table,) = wins
    order = [place.system for place in result.places]
    for pair in result.pairs:
        row, column = sorted((order.index(pair.system), order.index(pair.baseline)))
        cell = table.rows[row][2 + column - (1 if k <= MOST_GAINS else 0)]
        decided = pair.verdict in ("better", "worse")
        if k <= MOST_GAINS:
            assert (cell.marks != "") == decided
            assert abs(float(cell.text)) == pytest.approx(abs(pair.gain), abs=5.1e-4)
        else:
            assert (cell.text == "+") == decided


def test_mean_ranks_show_who_lies_within_the_critical_difference() -> None:
    result = board(5, 0.5, blocks="item")
    assert titles(result)[-1] == "Mean ranks on 40 items"
    table = tables_of(result)[-1]
    (found,) = result.mean_ranks
    for number, group in enumerate(found.groups):
        sign = chr(ord("A") + number)
        assert {row[0].text for row in table.rows if sign in row[2].text.split()} == set(group)


def test_groups_beyond_the_alphabet_are_numbered() -> None:
    result = board(4, 0.2, blocks="item")
    (ranks,) = result.mean_ranks
    system = ranks.systems[0]
    many = replace(result, mean_ranks=(replace(ranks, groups=((system,),) * 28),))
    row = next(row for row in tables_of(many)[-1].rows if row[0].text == system)
    assert row[2].text.split()[24:] == ["Y", "Z", "27", "28"]


@pytest.mark.parametrize("format", ["terminal", "markdown", "latex", "csv", "json", "sentence"])
@pytest.mark.parametrize("width", ["60", "100"])
def test_hostile_names_stay_text_in_every_format(format: str, width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    text = board(len(HOSTILE), 0.4, blocks="item", names=HOSTILE).to(format)
    assert "\x1b" not in text
    if format == "latex":
        assert "\\input{x}" not in text
    if format == "terminal":
        assert max(map(len, text.splitlines())) <= int(width)


def test_the_sentence_names_the_leader_or_who_may_lead() -> None:
    assert board(4, 1.5).sentence.startswith("system 0 (")
    assert "leads 3 other systems; 6 of 6 pairs differ at 0.05 after max-T, in 4 tiers" in board(4, 1.5).sentence
    assert "may be as good or better" in board(4, 0.0).sentence


def words(spec: Any) -> str:
    return json.dumps(spec, ensure_ascii=False)


@pytest.mark.parametrize("k", [3, 24])
def test_pictures_hold_every_system_and_every_pair(k: int) -> None:
    result = board(k, 0.3, blocks="item")
    for figure in ("board", "wins", "ranks"):
        spec = picture(result, figure=figure)
        assert all(place.system in words(spec) for place in result.places)
        if k == 3:
            assert str(render(spec, ".svg")).startswith("<svg")
    rows = picture(result, figure="wins")["data"]["values"]
    assert len(rows) == k * (k - 1)
    assert len(picture(result)["vconcat"]) == 3
    with pytest.raises(UsageError, match="--blocks"):
        picture(board(3), figure="ranks")
    with pytest.raises(UsageError, match="expected one of"):
        picture(result, figure="board2")


def test_bars_of_the_diagram_join_what_the_table_joins() -> None:
    result = board(6, 0.3, blocks="item")
    (found,) = result.mean_ranks
    layers = picture(result, figure="ranks")["layer"]
    (bars,) = [layer for layer in layers if layer["mark"].get("strokeWidth") == 4]
    assert len(bars["data"]["values"]) == len(found.groups)


def test_what_left_the_table_for_its_width_is_not_explained_under_it() -> None:
    rng = np.random.default_rng(2)
    board = outscore.rank({f"a system with a long name {k}": rng.normal(0, 1, 40) for k in range(4)}, n_resamples=100)
    narrow, wide = (board.to(f"terminal:columns={columns}") for columns in (80, 120))
    assert "bootstrap, first:" in wide and "first" in wide.splitlines()[2]
    assert "bootstrap, first:" not in narrow and "first" not in narrow.splitlines()[2]
