"""Who is preferred to whom, whichever stood first, and however the winner is named."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.base.errors import InputError
from outscore.data.annotations import read_annotations
from outscore.data.judgments import Preferences, read_judgments

BY_NAME = ["1,ash,elm,ash,ann", "2,elm,ash,ash,ann", "3,ash,elm,tie,ann", "4,ash,elm,elm,ann"]
BY_PLACE = ["1,ash,elm,system1,ann", "2,elm,ash,system2,ann", "3,ash,elm,tie,ann", "4,ash,elm,system2,ann"]
BY_MODEL = [row.replace("system1", "model_1").replace("system2", "model_2") for row in BY_PLACE]
WINNERS = ["ash", "ash", "tie", "elm"]


def written(folder: Path, rows: list[str]) -> str:
    path = folder / "votes.csv"
    path.write_text("\n".join(["item,system1,system2,winner,worker", *rows]) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("rows", [BY_NAME, BY_PLACE, BY_MODEL], ids=["by_name", "by_place", "by_model"])
def test_the_winner_of_a_choice_is_the_system_that_was_preferred(rows: list[str], tmp_path: Path) -> None:
    found = read_judgments(written(tmp_path, rows))
    assert isinstance(found, Preferences)
    better = {
        found.items[item]: "tie" if outcome == 0 else found.systems[first if outcome > 0 else second]
        for item, first, second, outcome in zip(found.item, found.first, found.second, found.outcome, strict=True)
    }
    assert [better[item] for item in "1234"] == WINNERS


@pytest.mark.parametrize("rows", [BY_NAME, BY_PLACE, BY_MODEL], ids=["by_name", "by_place", "by_model"])
def test_the_label_of_a_choice_is_the_system_that_was_preferred(rows: list[str], tmp_path: Path) -> None:
    found = read_annotations(written(tmp_path, [*rows, "1,elm,ash,tie,ben"]))
    labels = {unit: found.labels[codes[0]] for unit, codes in zip(found.units, found.codes, strict=True)}
    assert [labels[item] for item in "1234"] == WINNERS


ARENA = "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n"


def test_columns_of_0_and_1_for_each_outcome_say_the_winner(tmp_path: Path) -> None:
    path = tmp_path / "arena.csv"
    path.write_text(f"{ARENA}1,ash,elm,1,0,0\n2,elm,ash,0,1,0\n3,ash,elm,0,0,1\n4,ash,elm,0,1,0\n", encoding="utf-8")
    found = read_judgments(str(path))
    assert isinstance(found, Preferences) and found.outcome.tolist() == [1, -1, 0, -1]
    with pytest.raises(InputError, match="each row holds two systems"):
        outscore.read([str(path)])
    path.write_text(f"{ARENA}1,ash,elm,1,0,0\n2,elm,ash,1,1,0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"arena\.csv:3: .* are not one 1 and else 0"):
        read_judgments(str(path))


def test_models_by_number_are_the_two_systems_of_a_row(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("item,model_1,model_2,winner\n1,ash,elm,model_1\n2,elm,ash,model_2\n", encoding="utf-8")
    found = read_judgments(str(path))
    assert isinstance(found, Preferences) and found.outcome.tolist() == [1, -1]
    path.write_text(
        "item,annotator,model_a,model_b,winner_model_a\n1,ann,ash,elm,1\n2,ben,ash,elm,0\n", encoding="utf-8"
    )
    with pytest.raises(InputError, match="no column names the winners"):
        read_annotations(str(path))


TEXTS = {"chosen": "a text", "rejected": "another"}


@pytest.mark.parametrize(("won", "lost", "more"), [("chosen_model", "rejected_model", TEXTS), ("winner", "loser", {})])
def test_who_won_and_who_lost_are_read_by_the_roles_that_are_printed(
    won: str, lost: str, more: dict[str, str], tmp_path: Path
) -> None:
    pairs = [("ash", "elm")] * 3 + [("elm", "ash")]
    rows = [{"prompt": f"p{i}", **more, won: first, lost: second} for i, (first, second) in enumerate(pairs)]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(InputError, match="names the system that won, say outscore rank --wins"):
        outscore.read([str(path)])
    with pytest.raises(InputError, match="names the system that won, say -c") as refused:
        read_judgments(str(path))
    found = read_judgments(str(path), columns=re.findall(r"-c (\S+)", str(refused.value)))
    assert isinstance(found, Preferences)
    assert [found.systems[first] for first in found.first] == ["ash", "ash", "ash", "elm"]
    assert found.outcome.tolist() == [1, 1, 1, 1]


@pytest.mark.skipif(shutil.which("awk") is None, reason="the command needs awk")
def test_votes_between_two_systems_become_winners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    votes = [-3, -1, 0, 2, 3, 1]
    rows = [f"u{i},{who},base,new,{vote}" for who in ("ann", "ben") for i, vote in enumerate(votes)]
    Path("cmos.csv").write_text("\n".join(["item,rater,system_a,system_b,cmos", *rows]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="votes below 0 are of one system") as refused:
        outscore.read(["cmos.csv"])
    with pytest.raises(InputError, match="votes below 0 are of one system"):
        read_judgments("cmos.csv")
    subprocess.run(re.findall(r"(awk .*) && outscore rank --wins", str(refused.value))[0], shell=True, check=True)
    found = read_judgments("winners-cmos.csv")
    assert isinstance(found, Preferences)
    assert sorted(found.outcome.tolist()) == [-1] * 6 + [0] * 2 + [1] * 4


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("item,left,right", lambda i: f"{i},{i % 3 - 1},{i % 2}"),
        ("item,won,lost", lambda i: f"{i},{i % 3},{i % 2}"),
        ("item,first,second", lambda i: f"{i},{i % 5 - 2},{i % 4 - 1}"),
    ],
)
def test_columns_of_numbers_are_systems_whatever_their_names(header: str, row: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join([header, *map(row, range(12))]) + "\n", encoding="utf-8")
    assert outscore.read([str(path)]).systems == tuple(header.split(",")[1:])


def test_games_of_mt_bench_are_ties_where_they_disagree(tmp_path: Path) -> None:
    games = [("model_1", "model_1"), ("model_2", "model_2"), ("model_1", "model_2"), ("tie", "tie"), ("error", "tie")]
    rows = [
        {"question_id": 80 + i, "model_1": "ash", "model_2": "elm", "g1_winner": a, "g2_winner": b, "turn": turn}
        | {"judge": ["gpt-4", "pair-v2"], "g1_judgment": "[[A]]", "tstamp": 1.5 + i}
        for i, (a, b) in enumerate(games)
        for turn in (1, 2)
    ]
    path = tmp_path / "gpt-4_pair.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = read_judgments(str(path))
    assert isinstance(found, Preferences)
    assert found.outcome.tolist() == [1, 1, -1, -1, 0, 0, 0, 0]
    assert found.systems == ("ash", "elm")
