"""Files without a known column of ids: joined by the column that names the rows, or refused, never by mere position."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from outscore import compare
from outscore.base.errors import InputError
from tests.cli.commandline import Done, outscore

NAMES = (
    *("input", "prompt", "query", "text", "filename", "file", "utt", "utterance", "example", "example_id", "key"),
    *("uid", "nr", "no", "name", "Input", "file name", "wav_id", "idx"),
)
NUMBERS = ("nr", "no", "key", "uid", "idx", "tweet_id")
N = 60
Row = dict[str, Any]


def rows(name: str, system: str, *, number: bool = False, first: int = 0) -> list[Row]:
    right = [i % 3 == 0 or (i % 5 == 0 and system == "new") for i in range(N)]
    return [{name: first + i if number else f"row of {first + i}", "correct": int(x)} for i, x in enumerate(right)]


def shuffled(of: Sequence[Row]) -> list[Row]:
    return random.Random(1).sample(of, len(of))


def write_csv(path: Path, of: Sequence[Row]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, list(of[0]))
        out.writeheader()
        out.writerows(of)
    return path


def write_lines(path: Path, of: Sequence[Row]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in of), encoding="utf-8")
    return path


def given(folder: Path, write: Callable[[Path, Sequence[Row]], Path], **of: Sequence[Row]) -> list[str]:
    suffix = "csv" if write is write_csv else "jsonl"
    return [f"{name}={write(folder / f'{name}.{suffix}', rows)}" for name, rows in of.items()]


def pair(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.err
    found = json.loads(done.out)["pairs"][0]
    return {key: found[key] for key in ("gain", "p_value", "n_items")}


@pytest.mark.parametrize("write", [write_csv, write_lines])
@pytest.mark.parametrize(("name", "number"), [*((n, False) for n in NAMES), *((n, True) for n in NUMBERS)])
def test_shuffled_rows_are_joined_by_the_column_that_names_them(
    tmp_path: Path, name: str, number: bool, write: Callable[[Path, Sequence[Row]], Path]
) -> None:
    base, new = rows(name, "base", number=number), shuffled(rows(name, "new", number=number))
    files = given(tmp_path, write, base=base, new=new)
    found = outscore("compare", *files, "-m", "correct", "-f", "json")
    assert pair(found) == pair(outscore("compare", *files, "-m", "correct", "-c", f"item={name}", "-f", "json"))
    in_order = given(tmp_path, write, base=base, new=rows(name, "new", number=number))
    assert pair(found) == pair(outscore("compare", *in_order, "-m", "correct", "-f", "json"))


@pytest.mark.parametrize("write", [write_csv, write_lines])
@pytest.mark.parametrize(("name", "number"), [*((n, False) for n in NAMES), *((n, True) for n in NUMBERS)])
def test_rows_of_other_items_are_refused(
    tmp_path: Path, name: str, number: bool, write: Callable[[Path, Sequence[Row]], Path]
) -> None:
    base, new = rows(name, "base", number=number), rows(name, "new", number=number, first=500)
    files = given(tmp_path, write, base=base, new=new)
    refused = outscore("compare", *files, "-m", "correct")
    assert refused.code == 3
    assert name == "example_id" or f"in row 1 {name!r} is" in refused.complaint
    assert "-c item=@row" in refused.complaint
    assert outscore("compare", *files, "-m", "correct", "-c", "item=@row").code == 0
    assert "no item id in common" in outscore("compare", *files, "-m", "correct", "-c", f"item={name}").complaint


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("name", ["input", "name"])
def test_frames_are_joined_alike(name: str, frame: Callable[[Sequence[Row]], Any]) -> None:
    base, new = rows(name, "base"), rows(name, "new")
    found = compare({"base": frame(base), "new": frame(shuffled(new))}, metrics=["correct"])
    by_id = compare({"base": frame(base), "new": frame(new)}, metrics=["correct"])
    assert (found.pairs[0].gain, found.pairs[0].p_value) == (by_id.pairs[0].gain, by_id.pairs[0].p_value)
    with pytest.raises(InputError, match="call it item"):
        compare({"base": frame(base), "new": frame(rows(name, "new", first=500))}, metrics=["correct"])


def test_gold_is_joined_by_the_column_too(tmp_path: Path) -> None:
    said = [{"input": f"row of {i}", "prediction": "AB"[i % 3 == 0]} for i in range(N)]
    gold = write_csv(tmp_path / "gold.csv", shuffled([{"input": f"row of {i}", "gold": "B"} for i in range(N)]))
    other = [{**row, "prediction": "AB"[i % 2]} for i, row in enumerate(said)]
    files = given(tmp_path, write_csv, base=said, new=shuffled(other))
    found = outscore("compare", "-r", gold, *files, "-m", "accuracy", "-f", "json")
    assert pair(found)["gain"] == pytest.approx(1 / 6)
    assert pair(found) == pair(outscore("compare", "-r", gold, *files, "-c", "item=input", "-f", "json"))
    lines = tmp_path / "gold.txt"
    lines.write_text("B\n" * N, encoding="utf-8")
    assert "nothing says which line" in outscore("compare", "-r", lines, *files, "-m", "accuracy").complaint
    assert outscore("compare", "-r", lines, *files, "-m", "accuracy", "-c", "item=@row").code == 0


def test_a_column_of_any_name_in_another_order_is_refused(tmp_path: Path) -> None:
    files = given(tmp_path, write_csv, base=rows("Satz", "base"), new=shuffled(rows("Satz", "new")))
    refused = outscore("compare", *files, "-m", "correct")
    assert refused.code == 3
    assert "-c item=Satz" in refused.complaint


def test_a_column_of_any_name_that_differs_is_said_on_the_first_screen(tmp_path: Path) -> None:
    files = given(tmp_path, write_csv, base=rows("Satz", "base"), new=rows("Satz", "new", first=500))
    done = outscore("compare", *files, "-m", "correct")
    assert done.code == 0
    assert "matched by position: 'Satz' has different values" in " ".join(done.out.split())


def test_what_systems_write_may_differ_where_the_rows_are_known_to_be_the_same(tmp_path: Path) -> None:
    base, new = (
        [{"source": f"s{i}", "text": f"{system} {i}", **row} for i, row in enumerate(rows("response", system))]
        for system in ("base", "new")
    )
    done = outscore("compare", *given(tmp_path, write_csv, base=base, new=new), "-m", "correct")
    assert done.code == 0
    assert "by position" not in done.out


def test_columns_that_repeat_name_no_rows(tmp_path: Path) -> None:
    base, new = (
        [{"name": system, "text": "ab"[i % 2], **row} for i, row in enumerate(rows("response", system))]
        for system in ("base", "new")
    )
    assert outscore("compare", *given(tmp_path, write_csv, base=base, new=new), "-m", "correct").code == 0


def test_independent_samples_may_be_of_other_items(tmp_path: Path) -> None:
    files = given(tmp_path, write_csv, base=rows("input", "base"), new=rows("input", "new", first=500))
    assert outscore("compare", *files, "-m", "correct", "--test", "welch").code == 0


def test_labels_of_annotators_in_another_order_are_refused(tmp_path: Path) -> None:
    labels = [{"text": f"row of {i}", "label": "ABC"[i % 3]} for i in range(N)]
    files = [write_csv(tmp_path / "one.csv", labels), write_csv(tmp_path / "two.csv", shuffled(labels))]
    assert "join the rows by it: -c item=text" in outscore("agree", *files).complaint
    assert json.loads(outscore("agree", *files, "-c", "item=text", "-f", "json").out)["coefficients"][0]["value"] == 1
    other = write_csv(tmp_path / "same.csv", labels)
    assert outscore("agree", files[0], other).code == 0


@pytest.mark.parametrize("name", ["question", "prompt", "input", "answer", "prompt_hash"])
@pytest.mark.parametrize("first", [0, 1])
def test_ids_that_count_the_rows_join_no_rows_in_another_order(tmp_path: Path, name: str, first: int) -> None:
    def numbered(of: Sequence[Row]) -> list[Row]:
        return [{"id": first + i, **row} for i, row in enumerate(of)]

    base, new = rows(name, "base"), shuffled(rows(name, "new"))
    files = given(tmp_path, write_lines, base=numbered(base), new=numbered(new))
    (tmp_path / "named").mkdir()
    named = given(tmp_path / "named", write_lines, base=base, new=new)
    done = outscore("compare", *files)
    assert done.code == 3
    assert f"item '{first}' has {name} 'row of" in done.err
    assert f"-c item={name} joins the rows by it" in done.err
    by_name = pair(outscore("compare", *files, "-c", f"item={name}", "-f", "json"))
    assert by_name == pair(outscore("compare", *named, "-c", f"item={name}", "-f", "json"))
    assert outscore("compare", *files, "-c", "item=id").code == 0  # as it was said


def test_ids_that_count_beside_other_questions_are_said(tmp_path: Path) -> None:
    def numbered(of: Sequence[Row], word: str) -> list[Row]:
        return [{**row, "id": i, "question": f"{word} {i}"} for i, row in enumerate(of)]

    files = given(
        tmp_path,
        write_lines,
        base=numbered(rows("question", "base"), "one"),
        new=numbered(rows("question", "new"), "two"),
    )
    said = "the rows of files were matched by ids that are numbers: 'question'"
    assert said in " ".join(outscore("compare", *files).out.split())
    assert said not in " ".join(outscore("compare", *files, "-c", "item=id").out.split())


@pytest.mark.parametrize("name", ["split", "subset", "partition"])
def test_files_of_two_splits_are_refused(tmp_path: Path, name: str) -> None:
    files = given(
        tmp_path,
        write_lines,
        base=[{**row, name: "dev"} for row in rows("id", "base", number=True)],
        new=[{**row, name: "test"} for row in rows("id", "new", number=True)],
    )
    assert f"has {name} 'test' for system 'new' but 'dev' for system 'base'" in outscore("compare", *files).complaint
