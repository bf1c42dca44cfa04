"""An output that is not there is missing, wherever it stands: no empty answer, and never a right one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import outscore
from tests.cli.commandline import outscore as command


def lines(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def answers(file: Path, *, last: Any, gold: str = "y", key: str = "output", more: dict[str, Any] | None = None) -> Path:
    """Two systems with four items; the last answer of b is ``last``, or nothing is there where it is Ellipsis."""
    rows = [
        {"system": s, "item": i, key: "x" if i < 4 else "y", "reference": "x" if i < 4 else gold, **(more or {})}
        for s in "ab"
        for i in range(1, 5)
    ]
    if last is Ellipsis:
        rows[-1].pop(key)
    else:
        rows[-1][key] = last
    return lines(file, rows)


def found(*arguments: str | Path) -> dict[str, Any]:
    done = command("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return json.loads(done.out)  # type: ignore[no-any-return]


def scores(result: dict[str, Any]) -> dict[str, float]:
    return {score["system"]: score["score"] for score in result["scores"]}


def texts(result: dict[str, Any], code: str) -> list[str]:
    return [note["text"] for note in result["notes"] if note["code"] == code]


@pytest.mark.parametrize("last", [None, ...], ids=["null", "no key"])
@pytest.mark.parametrize("key", ["output", "prediction"])
def test_an_answer_of_null_is_missing_as_a_score_of_null_is(tmp_path: Path, last: Any, key: str) -> None:
    file = answers(tmp_path / "t.jsonl", last=last, key=key)
    done = command("compare", file, "-m", "exact_match")
    assert done.code == 3
    assert f"{file}: system 'b' (run '1') has no output for 1 item: '4'" in done.err
    assert "--missing drop" in done.err
    assert "--missing zero" in done.err


def test_items_without_an_answer_can_be_dropped_or_scored_0(tmp_path: Path) -> None:
    file = answers(tmp_path / "t.jsonl", last=None)
    dropped = found(file, "-m", "exact_match", "--missing", "drop")
    assert scores(dropped) == {"a": 1.0, "b": 1.0}
    assert dropped["scores"][0]["n_items"] == 3
    assert texts(dropped, "dropped_items") == [
        "1 of 4 items were left out in all systems ('4'): 1 no output in system 'b' (run '1')"
    ]
    zero = found(file, "-m", "exact_match", "--missing", "zero")
    assert scores(zero) == {"a": 1.0, "b": 0.75}
    assert texts(zero, "missing_as_zero") == ["1 item missing from system 'b' (run '1') scored 0: '4'"]


def test_many_items_that_were_dropped_are_a_note_that_changes_the_answer(tmp_path: Path) -> None:
    def answered(lost: int, of: int, also: int = 0) -> list[str]:
        rows = [{"system": s, "item": i, "output": "x", "reference": "x"} for s in "ab" for i in range(of)]
        gone = [("a", i) for i in range(lost)] + [("b", i) for i in range(lost, lost + also)]
        rows = [{**row, "output": None} if (row["system"], row["item"]) in gone else row for row in rows]
        file = lines(tmp_path / "t.jsonl", rows)
        done = command("compare", file, "-m", "exact_match", "--missing", "drop", "--strict")
        return [str(done.code), *texts(found(file, "-m", "exact_match", "--missing", "drop"), "many_dropped")]

    assert answered(2, 300) == ["0"]
    code, said = answered(3, 300)  # one in a hundred, all of one system
    assert (code, said.partition(" items were left out for what systems lack")[0]) == ("1", "3 of 300")
    assert answered(7, 300, 7) == ["0"]
    assert answered(7, 300, 8)[1].startswith("15 of 300 items")


def test_an_empty_answer_is_an_answer(tmp_path: Path) -> None:
    assert scores(found(answers(tmp_path / "t.jsonl", last=""), "-m", "exact_match")) == {"a": 1.0, "b": 0.75}
    right = answers(tmp_path / "r.jsonl", last="", gold="")
    assert scores(found(right, "-m", "exact_match")) == {"a": 0.75, "b": 1.0}


@pytest.mark.parametrize("metric", ["exact_match", "squad_em", "squad_f1"])
@pytest.mark.parametrize("how", ["no row", "null", "no key"])
def test_what_is_missing_is_no_right_answer_where_nothing_is_the_gold(tmp_path: Path, metric: str, how: str) -> None:
    file = answers(tmp_path / "t.jsonl", last=None if how == "null" else ..., gold="")
    if how == "no row":
        file.write_text("\n".join(file.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
    result = found(file, "-m", metric, "--missing", "zero")
    most = max(scores(result).values())
    assert scores(result) == {"a": most, "b": most}
    assert most in (0.75, 75.0)


def test_scores_beside_an_answer_of_null_are_scores(tmp_path: Path) -> None:
    file = answers(tmp_path / "t.jsonl", last=None, more={"score": 1})
    assert scores(found(file, "-m", "mean")) == {"a": 1.0, "b": 1.0}
    assert command("compare", file, "-m", "exact_match").code == 3
    zero = found(file, "-m", "exact_match,mean", "--missing", "zero")
    assert [score["score"] for score in zero["scores"] if score["system"] == "b"] == [0.75, 1.0]


def test_pairs_are_compared_on_what_both_answered(tmp_path: Path) -> None:
    rows = [
        {"system": s, "item": i, "output": None if (s, i) == ("c", 1) else "x", "reference": "x"}
        for s in "abc"
        for i in range(1, 5)
    ]
    result = found(lines(tmp_path / "t.jsonl", rows), "-m", "exact_match", "--missing", "pairwise")
    assert {pair["system"]: pair["n_items"] for pair in result["pairs"]} == {"b": 4, "c": 3}


def test_a_data_frame_has_none_for_an_answer_that_is_missing() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"system": [*"aabb"], "item": [1, 2] * 2, "output": ["x", "y", "x", None], "reference": ["x", "y"] * 2}
    )
    with pytest.raises(outscore.InputError, match="has no output for 1 item: '2'"):
        outscore.compare(frame, metrics="exact_match")
    assert outscore.compare(frame, metrics="exact_match", missing="drop").scores[0].n_items == 1


def test_null_is_written_as_null(tmp_path: Path) -> None:
    file = answers(tmp_path / "t.jsonl", last=None)
    out = tmp_path / "long.jsonl"
    assert command("convert", file, "-o", out).code == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["output"] for row in rows] == ["x", "x", "x", "y", "x", "x", "x", None]
    assert "1 output missing, which csv cannot tell from empty answers" in command("convert", file).err


def test_empty_cells_of_outputs_are_counted_in_a_note(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{s},{i},{'' if (s, i) == ('b', 2) else 'x'},x" for s in "ab" for i in range(1, 4)]
    file.write_text("\n".join(["system,item,output,reference", *rows]) + "\n", encoding="utf-8")
    result = found(file, "-m", "exact_match")
    assert texts(result, "empty_outputs") == ["empty, and taken as empty answers: 1 of 6 cells of 'output'"]
    wide = tmp_path / "wide.csv"
    wide.write_text("item,gold,sys:a,sys:b\n1,x,x,x\n2,x,x,\n3,x,x,y\n", encoding="utf-8")
    result = found(wide, "-m", "exact_match")
    assert texts(result, "empty_outputs") == ["empty, and taken as empty answers: 1 of 3 cells of 'sys:b'"]
