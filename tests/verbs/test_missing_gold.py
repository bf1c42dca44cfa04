"""An item without a gold is left out in all systems and counted; an empty gold of a text is a gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.errors import InputError
from tests.cli.commandline import outscore as run

GOLD = ["a", "b", "a", "b", "a", "b"]
LABELS = {"base": ["a", "a", "a", "b", "b", "b"], "new": GOLD}
TEXTS = {"base": ["the cat", "a dog", "", "fish"], "new": ["the cat", "the dog", "noise", "fish"]}
REFERENCES = ["the cat", "the dog", "", "fish"]


def codes(result: Any) -> list[str]:
    return [note.code for note in result.notes]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, ""])
@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc", "kappa", "precision:average=micro"])
def test_labels_without_gold_are_left_out(metric: str, missing: Any) -> None:
    with_gap = {name: [*labels, "a", "b"] for name, labels in LABELS.items()}
    found = outscore.score(with_gap, references=[*GOLD, missing, missing], metrics=metric)
    whole = outscore.score(LABELS, references=GOLD, metrics=metric)
    assert [s.score for s in found.scores] == [s.score for s in whole.scores]
    (note,) = (note for note in found.notes if note.code == "without_gold")
    assert note.text.startswith("2 of 8 items have no gold")
    assert found.provenance.dropped == dict.fromkeys(("7", "8"), "without a gold")


@pytest.mark.parametrize("metric", ["auc", "average_precision"])
def test_a_ranking_leaves_them_out_too(metric: str) -> None:
    scores = {"base": np.array([0.1, 0.9, 0.4, 0.8]), "new": np.array([0.2, 0.5, 0.3, 0.9])}
    found = outscore.score(
        {name: values.tolist() for name, values in scores.items()}, references=[1, 0, None, 0], metrics=metric
    )
    kept = [0, 1, 3]
    whole = outscore.score({n: v[kept].tolist() for n, v in scores.items()}, references=[1, 0, 0], metrics=metric)
    assert [s.score for s in found.scores] == [s.score for s in whole.scores]


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "wer", "rouge", "exact_match", "squad_f1"])
def test_texts_without_gold_are_left_out_and_empty_ones_are_gold(metric: str) -> None:
    missing = outscore.score(TEXTS, references=[*REFERENCES[:2], None, "fish"], metrics=metric)
    kept = {name: [*texts[:2], texts[3]] for name, texts in TEXTS.items()}
    three = outscore.score(kept, references=["the cat", "the dog", "fish"], metrics=metric)
    assert [s.score for s in missing.scores] == [s.score for s in three.scores]
    assert "without_gold" in codes(missing)
    empty = outscore.score(TEXTS, references=REFERENCES, metrics=metric)
    assert empty.provenance.dropped == {}
    (note,) = (note for note in empty.notes if note.code == "empty_gold")
    assert note.text.startswith("1 of 4 items have an empty gold")


def test_an_empty_gold_is_right_where_the_output_is_empty() -> None:
    found = outscore.score(TEXTS, references=REFERENCES, metrics="exact_match")
    assert [s.score for s in found.scores] == [0.75, 0.75]


def test_several_references_are_missing_where_all_are() -> None:
    data = {"base": ["the cat", "a dog", "x"], "new": ["the cat", "the dog", "y"]}
    references = outscore.References([["the cat", "a cat"], ["the dog"], []], by="item")
    found = outscore.score(data, references=references, metrics="bleu")
    assert list(found.provenance.dropped) == ["3"]


def test_what_a_metric_does_not_read_costs_no_item() -> None:
    data = {"base": np.array([0.5, 0.25, 1.0]), "new": np.array([0.5, 1.0, 0.75])}
    frame = {name: {"1": v[0], "2": v[1], "3": v[2]} for name, v in data.items()}
    found = outscore.score(frame, references={"1": "x", "2": None, "3": "z"}, metrics="mean")
    assert found.provenance.dropped == {}
    assert not {"without_gold", "empty_gold"} & set(codes(found))


def test_a_comparison_and_a_matrix_leave_out_the_same() -> None:
    data = {name: [*labels, "a"] for name, labels in LABELS.items()}
    references = [*GOLD, None]
    assert outscore.compare(data, references=references, metrics="accuracy").provenance.dropped
    matrix = outscore.score(data, references=references, confusion=True)
    assert {one.classes for one in matrix.matrices} == {("a", "b")}
    assert {sum(map(sum, one.counts)) for one in matrix.matrices} == {6}
    assert "without_gold" in codes(matrix)


def test_no_gold_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="none of 6 items has a gold"):
        outscore.score(LABELS, references=[None] * 6, metrics="accuracy")


def test_null_in_json_lines_is_no_gold(tmp_path: Path) -> None:
    rows = [{"id": i, "output": "a b", "reference": None if i == 2 else "a b"} for i in range(4)]
    for name in ("base", "new"):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = run("score", tmp_path / "base.jsonl", tmp_path / "new.jsonl", "-m", "bleu")
    assert done.code == 0, done.err
    assert "1 of 4 items have no gold and were left out in all systems: '2'" in " ".join(done.out.split())
