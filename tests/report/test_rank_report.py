"""Leaderboards as tables, pictures and sentences."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.report import screen_of, tables_of
from outscore.report.plots import picture, render
from outscore.results.leaderboard import MOST_PAIRS, MOST_SIGNS, Leaderboard
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
    assert [column.header for column in table.columns] == ["rank", "system", "mean ↑", "may be"]
    assert [row[1].text for row in table.rows] == [place.system for place in result.places]
    assert [row[0].text for row in table.rows] == ["1", "2", "3", "4"]
    for row, place in zip(table.rows, result.places, strict=True):
        shown = f"{place.best}–{place.worst}" if place.best < place.worst else str(place.best)
        assert row[3].text == shown
        assert row[3].span == (place.best, place.rank, place.worst)
    said = " ".join(screen_of(result).method)
    assert "hold all true ranks with 95% confidence" in said
    assert "Descriptive only" in said


def test_tiers_letters_and_resampled_ranks_have_a_table_of_their_own() -> None:
    result = board(4, 1.0)
    table = tables_of(result)[1]
    assert [column.header for column in table.columns] == ["", "tier", "letters", "resampled ranks", "resampled first"]
    assert not table.first
    for row, place in zip(table.rows, result.places, strict=True):
        assert [cell.text for cell in row[:3]] == [place.system, str(place.tier), place.letters]


def test_one_tier_needs_no_column() -> None:
    assert "tier" not in [column.header for column in tables_of(board(3, 0.0))[1].columns]


def test_rank_sets_without_a_joint_level_do_not_claim_one() -> None:
    rng = np.random.default_rng(0)
    result = outscore.rank({s: rng.normal(size=30).round(1) for s in "abc"}, n_resamples=50, correction="bh")
    text = " ".join(result.to("terminal:detail=full").split())
    assert "confidence" not in text
    assert "family-wise" not in text and "false-discovery rate 5%" in text


def test_pairs_that_are_not_corrected_are_said_to_be_so() -> None:
    rng = np.random.default_rng(0)
    result = outscore.rank({s: rng.normal(size=30).round(1) for s in "abc"}, n_resamples=50, correction="none")
    assert "(not corrected)" in result.sentence
    assert "family-wise" not in result.sentence


@pytest.mark.parametrize("k", [3, MOST_PAIRS])
def test_every_two_of_few_systems_are_listed_the_higher_one_first(k: int) -> None:
    result = board(k)
    (table,) = (table for table in tables_of(result) if table.title == "Every two systems")
    order = [place.system for place in result.places]
    rows = {(row[0].text, row[1].text): row for row in table.rows}
    assert list(rows) == [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    for pair in result.pairs:
        ahead = order.index(pair.system) < order.index(pair.baseline)
        row = rows[(pair.system, pair.baseline) if ahead else (pair.baseline, pair.system)]
        assert float(row[2].text) == pytest.approx(pair.gain if ahead else -pair.gain, abs=5.1e-4)
        tone = "" if pair.verdict == "inconclusive" else "better" if (pair.verdict == "better") == ahead else "worse"
        assert row[2].tone == tone
        assert pair.ci is not None
        low, high = pair.ci if ahead else (-pair.ci[1], -pair.ci[0])
        assert row[2].span == (low, pair.gain if ahead else -pair.gain, high)


@pytest.mark.parametrize("k", [MOST_PAIRS + 1, MOST_SIGNS])
def test_every_two_of_more_systems_are_shown_by_signs(k: int) -> None:
    result = board(k)
    (table,) = (table for table in tables_of(result) if table.title == "Who beats whom")
    order = [place.system for place in result.places]
    signs = {row[1].text: row[2].text for row in table.rows}
    assert list(signs) == order
    assert all(signs[system][i] == "o" for i, system in enumerate(order))
    for pair in result.pairs:
        first, second = order.index(pair.system), order.index(pair.baseline)
        said = signs[pair.system][second] + signs[pair.baseline][first]
        assert said == {"better": "+−", "worse": "−+"}.get(pair.verdict, "··")


def test_pairs_of_many_systems_are_not_listed() -> None:
    assert not {"Who beats whom", "Every two systems"} & set(titles(board(MOST_SIGNS + 1)))


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


def test_the_verdict_names_the_leader_or_who_may_lead() -> None:
    led = board(4, 1.5).sentence
    assert led.startswith("system 0 (") and "outscores all 3 other systems." in led
    assert "6 of 6 pairs differ (family-wise error 5%)" in led
    alike = board(4, 0.0)
    others = len(alike.leaders("mean")) - 1
    assert f"leads 4 systems; {others} others" in alike.sentence or "may be first too" in alike.sentence


def test_a_leader_that_does_not_beat_all_is_not_said_to() -> None:
    """Two systems that a third beats keep the rest from rank 1, though the first does not beat the second."""
    result = board(3, 0.0)
    first, second, third = result.places
    held = replace(result, places=(replace(first, best=1, worst=2), replace(second, best=2), replace(third, best=2)))
    assert "leads 3 systems; no other may be first." in held.sentence
    assert "outscores" not in held.sentence


def test_systems_of_the_same_score_lead_together() -> None:
    rng = np.random.default_rng(3)
    one = rng.normal(size=40).round(1)
    result = outscore.rank({"a": one, "b": one, "c": one - 1 + rng.normal(size=40) / 9}, n_resamples=50)
    assert result.sentence.startswith("a and b (") and " lead 3 systems;" in result.sentence


def test_many_metrics_have_a_line_each_and_no_sentence_each() -> None:
    rng = np.random.default_rng(4)
    names = [f"m{i}" for i in range(6)]
    rows = [{"system": s, "item": i, **{m: rng.normal() for m in names}} for s in "abc" for i in range(30)]
    result = outscore.rank(pd.DataFrame(rows), metrics=[f"mean:column={name}" for name in names], n_resamples=50)
    screen = screen_of(result)
    assert [table.title for table in screen.first] == ["First by each metric"]
    assert [row[0].text for row in screen.first[0].rows] == names
    tops = {place.metric: place.system for place in result.places if place.rank == 1}
    assert [row[1].text for row in screen.first[0].rows] == list(tops.values())
    most = max(list(tops.values()).count(s) for s in "abc")
    assert f"most often: by {most} of 6 metrics." in screen.verdict[0]
    assert len(screen.verdict) == 2


def words(spec: Any) -> str:
    return json.dumps(spec, ensure_ascii=False)


@pytest.mark.parametrize("k", [3, pytest.param(24, marks=pytest.mark.slow)])
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
    with pytest.raises(UsageError, match="did you mean 'board'"):
        picture(result, figure="board2")


def test_bars_of_the_diagram_join_what_the_table_joins() -> None:
    result = board(6, 0.3, blocks="item")
    (found,) = result.mean_ranks
    layers = picture(result, figure="ranks")["layer"]
    (bars,) = [layer for layer in layers if layer["mark"].get("strokeWidth") == 4]
    assert len(bars["data"]["values"]) == len(found.groups)


def test_a_long_board_fills_the_first_screen_whatever_the_names() -> None:
    """Names that break into lines once left the least number of rows."""
    names = tuple(f"a system with a long name {'and more ' * (5 * (k == 30))}{k}" for k in range(60))
    rng = np.random.default_rng(1)
    result = outscore.rank({name: rng.normal(-0.2 * k, 1, 40) for k, name in enumerate(names)}, n_resamples=60)
    lines = result.to(f"terminal:columns=80,around={result.places[40].system}").splitlines()
    assert 36 <= len(lines) <= 40
    shown = [place.system for place in result.places if any(place.system in line for line in lines)]
    assert shown[0] == result.places[0].system and shown[-1] == result.places[-1].system
    assert {place.system for place in result.places[38:43]} <= set(shown)


def test_mean_ranks_on_blocks_that_were_asked_for_are_part_of_the_verdict() -> None:
    """Those within domains come unasked, and stand behind the first screen."""
    result = board(5, 0.5, blocks="item")
    (found,) = result.mean_ranks
    said = list(screen_of(result).verdict)[-1]
    near = sum(rank - found.mean_ranks[0] < found.critical_difference for rank in found.mean_ranks) - 1
    assert said.startswith("Mean ranks on 40 items differ (Friedman, p < .001): system 0 has the best, ")
    assert f"{near} other" in said or (not near and "no other lies" in said)
    unasked = replace(result, mean_ranks=(replace(found, blocks="domain"),))
    assert not any("Mean ranks" in one for one in screen_of(unasked).verdict)
