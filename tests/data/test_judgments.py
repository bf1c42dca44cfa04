"""Who is preferred to whom, whichever stood first, and however the winner is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from outscore.data.annotations import read_annotations
from outscore.data.judgments import Preferences, read_judgments

BY_NAME = ["1,ash,elm,ash,ann", "2,elm,ash,ash,ann", "3,ash,elm,tie,ann", "4,ash,elm,elm,ann"]
BY_PLACE = ["1,ash,elm,system1,ann", "2,elm,ash,system2,ann", "3,ash,elm,tie,ann", "4,ash,elm,system2,ann"]
WINNERS = ["ash", "ash", "tie", "elm"]


def written(folder: Path, rows: list[str]) -> str:
    path = folder / "votes.csv"
    path.write_text("\n".join(["item,system1,system2,winner,worker", *rows]) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("rows", [BY_NAME, BY_PLACE], ids=["by_name", "by_place"])
def test_the_winner_of_a_choice_is_the_system_that_was_preferred(rows: list[str], tmp_path: Path) -> None:
    found = read_judgments(written(tmp_path, rows))
    assert isinstance(found, Preferences)
    better = {
        found.items[item]: "tie" if outcome == 0 else found.systems[first if outcome > 0 else second]
        for item, first, second, outcome in zip(found.item, found.first, found.second, found.outcome, strict=True)
    }
    assert [better[item] for item in "1234"] == WINNERS


@pytest.mark.parametrize("rows", [BY_NAME, BY_PLACE], ids=["by_name", "by_place"])
def test_the_label_of_a_choice_is_the_system_that_was_preferred(rows: list[str], tmp_path: Path) -> None:
    found = read_annotations(written(tmp_path, [*rows, "1,elm,ash,tie,ben"]))
    labels = {unit: found.labels[codes[0]] for unit, codes in zip(found.units, found.codes, strict=True)}
    assert [labels[item] for item in "1234"] == WINNERS
