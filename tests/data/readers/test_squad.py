"""SQuAD: predictions by question, and the data set as gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from outscore.base.errors import InputError
from outscore.data import align, read


def question(id_: str, *answers: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "question": f"what is {id_}?",
        "answers": [{"text": a, "answer_start": 0} for a in answers],
        **more,
    }


def data_set(**articles: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """Articles of passages of questions."""
    return {
        "version": "v2.0",
        "data": [
            {"title": title, "paragraphs": [{"context": "text " * 20, "qas": qas} for qas in passages]}
            for title, passages in articles.items()
        ],
    }


GOLD = data_set(
    Normans=[[question("q1", "1066", "in 1066", "1066"), question("q2", "William")], [question("q3", "Rollo")]],
    Steam=[[question("q4", is_impossible=True, plausible_answers=[{"text": "no"}])]],
)
ANSWERS = {"q1": "in 1066", "q2": "", "q3": "Rollo", "q4": ""}


def write(folder: Path, document: Any, name: str) -> str:
    (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("as_reference", [True, False])
def test_answers_meet_the_gold_of_their_question(tmp_path: Path, as_reference: bool) -> None:
    gold = write(tmp_path, GOLD, "dev.json")
    a = write(tmp_path, ANSWERS, "a.json")
    b = write(tmp_path, dict(reversed(ANSWERS.items())), "b.json")
    found = read([a, b], references=[gold]) if as_reference else read([a, b, gold])
    data = align(found.runs, found.golds)
    assert data.systems == ("a", "b")
    assert data.items == ("q1", "q2", "q3", "q4")
    cell = data.by_run["b", "1"]
    assert cell.outputs == ("in 1066", "", "Rollo", "")
    assert cell.references == (("1066", "William", "Rollo", ""), ("in 1066", "", "", ""))
    assert data.labels["cluster"] == ("Normans/1", "Normans/1", "Normans/2", "Steam/1")
    assert data.labels["article"] == ("Normans", "Normans", "Normans", "Steam")


def test_the_data_set_describes_the_items_too(tmp_path: Path) -> None:
    found = read([write(tmp_path, ANSWERS, "a.json")], items=write(tmp_path, GOLD, "dev.json"))
    assert found.golds[0].references == ()
    assert found.golds[0].labels["cluster"][2] == "Normans/2"


@pytest.mark.slow
def test_large_files_are_known_by_their_beginning(tmp_path: Path) -> None:
    answers = {f"q{i}": f"answer number {i}" for i in range(5000)}
    passages = [[question(f"q{i}", "yes")] for i in range(5000)]
    for indent in (None, 1):
        files = [tmp_path / "a.json", tmp_path / "gold.json"]
        for path, document in zip(files, (answers, data_set(A=passages)), strict=True):
            path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
        found = read([str(files[0])], references=[str(files[1])])
        assert (found.runs[0].source.reader, found.golds[0].source.reader) == ("squad", "squad")
        assert (found.runs[0].n, found.golds[0].n) == (5000, 5000)


@pytest.mark.parametrize("lines", ['{"item": "q1", "output": "x"}\n', '{"a": "x"}\n{"a": "y"}\n'])
def test_json_lines_are_no_predictions(tmp_path: Path, lines: str) -> None:
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    try:
        found = {run.source.reader for run in read([str(tmp_path / "a.jsonl")]).runs}
    except InputError:
        found = set()
    assert "squad" not in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q1": "a", "q1": "b"}', "an object has the key 'q1' twice; "),
        ('{"q1": "a", "q2": ["b"]}', "q2: found a list, expected a text; "),
        ('{"q1": "a",\n "q2": "b"', r":2: broken JSON \(.*column \d+\); "),
        ("{}", "holds no answer; "),
    ],
)
def test_bad_predictions_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read([str(tmp_path / "a.json")], reader="squad")


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (data_set(A=[[{"id": "q1"}]]), r"data\[0\].paragraphs\[0\].qas\[0\].answers: found missing, expected a list; "),
        (data_set(A=[[question("q1") | {"id": None}]]), r"qas\[0\].id: found missing, expected a text; "),
        ({"data": [{"title": "A"}]}, r"data\[0\].paragraphs: found missing, expected a list; "),
        (data_set(A=[]), "holds no question; "),
        (data_set(A=[[question("q1", "a"), question("q1", "b")]]), "duplicate id 'q1'"),
    ],
)
def test_bad_data_sets_are_refused(tmp_path: Path, gold: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        found = read([write(tmp_path, {"q1": "x"}, "a.json")], references=[write(tmp_path, gold, "gold.json")])
        align(found.runs, found.golds)


def test_predictions_are_no_references(tmp_path: Path) -> None:
    file = write(tmp_path, ANSWERS, "a.json")
    with pytest.raises(InputError, match="has no list 'data', expected the SQuAD data set; "):
        read([file], references=[file], reader="squad")
