"""References that stand beside scores, where nothing reads them, are said to be left unread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import outscore
from tests.cli.commandline import outscore as command

SCORES = {"a": [0.1, 0.9, 0.3, 0.8], "b": [0.2, 0.7, 0.6, 0.4]}


def codes(notes: Any) -> list[str]:
    return [note.code for note in notes]


def test_a_mean_of_scores_says_that_it_read_no_references() -> None:
    found = outscore.compare(SCORES, references=[0, 1, 0, 1])
    assert found.scores[0].score == pytest.approx(0.525)
    note = next(note for note in found.notes if note.code == "references_not_read")
    assert "a score of each item is given" in note.text
    assert "auc" in note.remedy
    assert "references_not_read" not in codes(outscore.compare(SCORES).notes)


def test_what_reads_them_or_was_asked_for_says_nothing() -> None:
    for metric in ("auc", "mean"):
        said = codes(outscore.compare(SCORES, references=[0, 1, 0, 1], metrics=metric).notes)
        assert "references_not_read" not in said
    labels = outscore.compare({"a": [0, 1], "b": [1, 1]}, references=[0, 1])
    assert "references_not_read" not in codes(labels.notes)


def test_a_table_of_scores_and_labels_says_it_too(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{s},{i},{v},{i % 2}" for s, values in SCORES.items() for i, v in enumerate(values)]
    file.write_text("\n".join(["system,item,score,label", *rows]) + "\n", encoding="utf-8")
    said = [note["code"] for note in json.loads(command("compare", file, "-f", "json").out)["notes"]]
    assert "references_not_read" in said
