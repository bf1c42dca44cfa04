"""Who is preferred to whom, whichever stood first, and however the winner is named."""

from __future__ import annotations

from pathlib import Path

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
