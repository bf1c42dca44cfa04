"""What is missing is scored 0 only where that speaks against a system, and the notes say what was taken for 0."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.base.errors import InputError
from tests.cli.commandline import outscore as command

FAST = ("-n", "200", "-f", "sentence")


def table(folder: Path, name: str, column: str, numbers: list[object]) -> str:
    file = folder / f"{name}.csv"
    file.write_text(f"item,{column}\n" + "".join(f"q{i},{n}\n" for i, n in enumerate(numbers)), encoding="utf-8")
    return f"{name}={file}"


def with_holes(folder: Path, column: str, *, sign: int = 1) -> list[str]:
    whole: list[object] = [sign * (i % 7 + 1) / 10 for i in range(30)]
    return [table(folder, "a", column, whole), table(folder, "b", column, ["", "", *whole[2:]])]


@pytest.mark.parametrize(
    ("column", "metric", "sign"),
    [
        ("wer", "wer", 1),
        ("wer", "mean:column=wer,lower=true", 1),
        ("metricx", "metricx", 1),
        ("metricx", "metricx", -1),  # kept with the sign turned: 0 is the best there too
        ("score", "mean:lower=true", 1),
        ("reward", "reward", -1),
    ],
)
def test_zero_is_refused_where_it_is_the_best_score(column: str, metric: str, sign: int, tmp_path: Path) -> None:
    files = with_holes(tmp_path, column, sign=sign)
    done = command("compare", *files, "-m", metric, *FAST, "--missing", "zero")
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert f"{tmp_path}/b.csv: system 'b' (run '1') has no {column!r} for 2 items, 'q0', 'q1', and 0 is the" in done.err
    assert done.err.endswith("or drop such items in all systems with --missing drop\n")
    assert command("compare", *files, "-m", metric, *FAST, "--missing", "drop").code == 0


@pytest.mark.parametrize(("column", "words"), [("wer", ""), ("score", "higher is better and "), ("accuracy", "")])
def test_zero_is_offered_only_where_it_can_be_meant(column: str, words: str, tmp_path: Path) -> None:
    done = command("compare", *with_holes(tmp_path, column), "-m", f"mean:column={column}", *FAST)
    assert done.code == 3
    zero = (
        f"score them 0 with --missing zero if {words}no answer is a wrong answer, or, if they were lost by chance, drop"
    )
    assert (zero in done.err) == (column != "wer")
    assert ("--missing zero" in done.err) == (column != "wer")


def test_zero_is_not_offered_for_items_without_such_a_number(tmp_path: Path) -> None:
    files = [table(tmp_path, "a", "wer", [0.1] * 30), table(tmp_path, "b", "wer", [0.2] * 29)]
    done = command("compare", *files, "-m", "wer", *FAST)
    assert (done.code, "--missing zero" in done.err) == (3, False)
    assert "lacks 1 of 30 items, 'q29'" in done.err
    done = command("compare", *files, "-m", "wer", *FAST, "--missing", "zero")
    assert (done.code, "has no 'wer' for 1 item, 'q29'" in done.err) == (3, True)


def test_python_refuses_it_too() -> None:
    scores = {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.1, 0.2, 0.3, math.nan]}
    with pytest.raises(InputError, match=r"'b'.*0 is the best"):
        outscore.compare(scores, metrics="mean:lower=true", missing="zero", n_resamples=100)
    found = outscore.compare(scores, metrics="mean", missing="zero", n_resamples=100)
    assert found.scores[1].score == pytest.approx(0.15)


def test_a_transcript_that_is_missing_is_scored_as_empty(tmp_path: Path) -> None:
    files = []
    for name, n in (("a", 20), ("b", 19)):
        rows = [{"id": f"u{i}", "output": "a b c d", "reference": "a b c d"} for i in range(n)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        files.append(f"{name}={tmp_path}/{name}.jsonl")
    done = command("compare", *files, "-m", "wer", "-n", "200", "-f", "json", "--missing", "zero")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    # one utterance of twenty without its words: four deletions in eighty words
    assert [score["score"] for score in found["scores"]] == [0.0, pytest.approx(0.05)]
    assert "1 item missing from system 'b' (run '1') scored as empty: 'u19'" in texts(found, "missing_as_zero")


def texts(found: dict[str, Any], code: str) -> list[str]:
    return [note["text"] for note in found["notes"] if note["code"] == code]


def result(*arguments: str | Path) -> dict[str, Any]:
    done = command("compare", *arguments, "-n", "200", "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_a_sample_that_is_missing_is_not_called_an_item(tmp_path: Path) -> None:
    file = tmp_path / "samples.csv"
    rows = [f"{system},q{i},{k},{(i + k) % 2}" for system in "ab" for i in range(12) for k in range(4)]
    rows = ["b,q3,0," if row.startswith("b,q3,0,") else row for row in rows]
    rows = [f"{row[:7]}" if row.startswith(("b,q5,1,", "b,q5,2,")) else row for row in rows]
    rows = [row[: row.rindex(",") + 1] if row.startswith("b,q7,") else row for row in rows]
    file.write_text("system,item,sample,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    assert texts(result(file, "-m", "mean", "--missing", "zero"), "missing_as_zero") == [
        "1 item missing from system 'b' (run '1') scored 0: 'q7'",
        "3 samples of 2 items missing from system 'b' (run '1') scored 0: 'q3', 'q5'",
    ]


def test_every_system_without_an_item_is_named(tmp_path: Path) -> None:
    whole: list[object] = [i % 7 / 10 for i in range(30)]
    holes = ["", *whole[1:]]
    files = [table(tmp_path, "a", "score", whole), *(table(tmp_path, name, "score", holes) for name in "bc")]
    done = command("compare", *files, "-m", "mean", *FAST)
    assert "1 item of system 'b' (run '1'): 'q0', and for 1 item of system 'c' (run '1');" in done.err
    (said,) = texts(result(*files, "-m", "mean", "--missing", "drop"), "dropped_items")
    assert said.endswith(": 1 'score' is missing (NaN) in system 'b' (run '1'), system 'c' (run '1')")


def test_every_system_without_a_number_of_one_of_several_columns_is_named(tmp_path: Path) -> None:
    files = []
    for name in "abc":
        rows = [f"q{i},{'' if name != 'a' and i == 0 else i % 7 / 10},1" for i in range(30)]
        (tmp_path / f"{name}.csv").write_text("item,acc,f1\n" + "\n".join(rows) + "\n", encoding="utf-8")
        files.append(f"{name}={tmp_path}/{name}.csv")
    done = command("compare", *files, "-m", "acc", *FAST)
    assert "1 item of system 'b' (run '1'): 'q0', and for 1 item of system 'c' (run '1');" in done.err
    (said,) = texts(result(*files, "-m", "acc", "--missing", "drop"), "dropped_items")
    assert said.endswith(": 1 'acc' is missing in system 'b' (run '1'), system 'c' (run '1')")


def test_zero_is_the_best_only_where_no_system_has_a_better_number() -> None:
    """One system lost points on every item that it answered, the other gained some on one."""
    below = [-0.1, -0.2, -0.3, math.nan]
    found = outscore.compare(
        {"a": [-0.5, 0.5, -0.1, -0.2], "b": below}, metrics="mean", missing="zero", n_resamples=100
    )
    assert found.scores[1].score == pytest.approx(-0.15)
    with pytest.raises(InputError, match=r"'b'.*0 is the best"):
        outscore.compare({"a": [-0.5, 0.0, -0.1, -0.2], "b": below}, metrics="mean", missing="zero", n_resamples=100)


@pytest.mark.parametrize(
    "metric", ["ratio:num=right,den=words", "mean:column=right,weight=words", "recall:tp=right,fp=wrong,fn=words"]
)
def test_zero_is_refused_where_it_takes_the_item_out_of_the_denominator_too(metric: str, tmp_path: Path) -> None:
    """Half of the hard items are not there: without them the system would rise."""
    rows = [f"{system},q{i},{1 + (i < 20)},{i % 2},4" for system in "ab" for i in range(30)]
    file = tmp_path / "t.csv"
    lines = ["system,item,right,wrong,words", *rows[:-5]]
    file.write_text("\n".join(lines), encoding="utf-8")
    for verb in ("compare", "rank", "score"):
        done = command(verb, file, "-m", metric, "-f", "sentence", "--missing", "zero")
        assert (done.code, done.out) == (3, "")
        assert "system 'b' (run '1') has no " in done.err
        assert "for 5 items, 'q25', 'q26', 'q27' and 2 more, and" in done.err
        assert ": --missing zero would leave them out; mend the file, or drop" in done.err
    file.write_text("\n".join([*lines, *(f"b,q{i},,0,4" for i in range(25, 30))]), encoding="utf-8")
    scores = result(file, "-m", metric, "--missing", "zero")["scores"]
    assert scores[1]["score"] == pytest.approx(scores[0]["score"] * 45 / 50, abs=0.02)
