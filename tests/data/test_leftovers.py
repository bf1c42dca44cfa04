"""Columns, files and keys that are no systems although they could be: each is named with the reason, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import outscore
from outscore.base.errors import InputError

ROWS = {"first": "1011", "second": "0110", "third": "1100"}


def notes_of(*files: str | Path, columns: tuple[str, ...] = ()) -> tuple[tuple[str, ...], str]:
    """The systems that were read, and all notes in one text."""
    data = outscore.read([str(file) for file in files], columns=columns)
    return data.systems, " ".join(note.text for note in data.notes)


def wide(folder: Path, more: dict[str, list[str]], name: str = "wide.csv") -> Path:
    columns = {"item": ["q1", "q2", "q3", "q4"], **{s: list(cells) for s, cells in ROWS.items()}, **more}
    rows = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    file = folder / name
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (["54%", "60%", "x", "y"], "none of its 4 cells is a number, the first '54%' in line 2"),
        (["1", "x", "y", "z"], "3 of its 4 cells are no numbers, the first 'x' in line 3"),
        (["", "", "", ""], "it is empty"),
        (["a", "b", "c", "d"], "texts"),
    ],
)
def test_a_column_that_does_not_parse_is_named(tmp_path: Path, cells: list[str], why: str) -> None:
    systems, said = notes_of(wide(tmp_path, {"third": cells}))
    assert systems == ("first", "second")
    assert f"not as systems: 'third' ({why})" in said


@pytest.mark.parametrize("gold", [{}, {"gold": ["1", "0", "1", "1"]}])
def test_a_column_that_was_given_a_role_is_not_said_to_have_it_by_its_name(
    tmp_path: Path, gold: dict[str, list[str]]
) -> None:
    file = wide(tmp_path, {**gold, "pair": list("0011")})
    _, said = notes_of(file, columns=("cluster=pair",))
    assert "descriptions" not in said
    _, unasked = notes_of(wide(tmp_path, {**gold, "cluster": list("0011")}))
    assert "descriptions" in unasked
    assert "'cluster'" in unasked


def test_a_slip_in_a_column_of_numbers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"wide.csv:3: column 'third' holds '54%', expected a number"):
        notes_of(wide(tmp_path, {"third": ["1", "54%", "0", "1"]}))


@pytest.mark.parametrize("name", ["group", "id", "topic", "epoch", "run"])
def test_a_column_of_numbers_that_is_no_system_by_its_name_is_named(tmp_path: Path, name: str) -> None:
    systems, said = notes_of(wide(tmp_path, {name: ["1", "1", "1", "1"]}))
    assert systems == ("first", "second", "third")
    assert f"{name!r} (by its name)" in said


def test_what_the_user_calls_a_description_needs_no_note(tmp_path: Path) -> None:
    file = wide(tmp_path, {"length": ["3", "4", "5", "6"]})
    assert notes_of(file, columns=("label=length",)) == (("first", "second", "third"), "")


def test_a_first_line_of_data_is_no_header(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("q1,1\nq2,0\nq3,1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a.csv:1: the first line holds '1', expected a header"):
        notes_of(f"a={tmp_path / 'a.csv'}", f"b={tmp_path / 'b.csv'}")


def test_a_file_that_holds_no_system_is_named(tmp_path: Path) -> None:
    for name, column in {"a": "score", "b": "score", "c": "label", "d": "topic"}.items():
        (tmp_path / f"{name}.csv").write_text(f"item,{column}\nq1,1\nq2,0\nq3,1\n", encoding="utf-8")
    systems, said = notes_of(*(tmp_path / f"{name}.csv" for name in "abd"))
    assert systems == ("a", "b")
    assert "d.csv was taken as descriptions of the items and no system: no column holds outputs or scores" in said
    _, said = notes_of(*(tmp_path / f"{name}.csv" for name in "abc"))
    assert "c.csv was taken as gold data and no system, as it has 'label'" in said


def test_scores_under_different_names_are_named(tmp_path: Path) -> None:
    for name, column in {"a": "accuracy", "b": "accuracy", "c": "speed"}.items():
        (tmp_path / f"{name}.csv").write_text(f"item,{column}\nq1,1\nq2,0\nq3,1\n", encoding="utf-8")
    files = {name: f"{name}={tmp_path / name}.csv" for name in "abc"}
    assert notes_of(files["a"], files["b"])[1] == ""
    with pytest.raises(InputError, match=r"'a' has 'accuracy' \(.*a.csv\); 'c' has 'speed' \(.*c.csv\).*-c score=NAME"):
        notes_of(*files.values())


def test_keys_of_json_that_are_not_read_are_named(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [f'{{"item": "q{i}", "a": {i % 2}, "b": 1, "meta": {{"x": 1}}, "none": null}}' for i in range(4)]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    systems, said = notes_of(file)
    assert systems == ("a", "b")
    assert "not read: 'meta' holds lists or objects; 'none' is null everywhere" in said


def test_one_nested_value_in_a_column_of_numbers_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [f'{{"item": "q{i}", "a": {i % 2}, "b": {"[1]" if i == 2 else 1}, "c": 0}}' for i in range(4)]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"rows.jsonl:3: 'b' is a list, expected a number or a text"):
        notes_of(file)


def test_numbers_beside_a_column_of_gold_are_said_to_be_labels(tmp_path: Path) -> None:
    _, said = notes_of(wide(tmp_path, {"label": list("1010")}))
    assert "the numbers of 'first', 'second', 'third' were taken as labels" in said
    assert "'label'" in said


def test_columns_that_are_not_taken_apart_are_named(tmp_path: Path) -> None:
    file = tmp_path / "tasks.csv"
    file.write_text("model,t1,t2,t3,comment\nsmall,1,0,1,so so\nlarge,1,1,0,good\n", encoding="utf-8")
    _, said = notes_of(file, columns=("item=@columns",))
    assert "not among the columns that were taken apart: 'comment' (texts)" in said
    file.write_text("model,t1,t2,t3\nsmall,1,0,1\nlarge,1,54%,0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"tasks.csv:3: column 't2' holds '54%'"):
        notes_of(file, columns=("item=@columns",))


def test_items_that_were_named_as_the_systems_are_told_with_the_exchange(tmp_path: Path) -> None:
    def told(systems: int, items: int, *columns: str) -> list[str]:
        rows = [f"q{k},m{i},{(k + i) % 2}\n" for k in range(systems) for i in range(items)]
        file = tmp_path / "t.csv"
        file.write_text(f"id,model,score\n{''.join(rows)}", encoding="utf-8")
        found = outscore.read(str(file), columns=columns)
        return [f"{note.text}; {note.remedy}" for note in found.notes if note.code == "items_as_systems"]

    swapped = ("system=id", "item=model")
    assert told(60, 3, *swapped) == [
        "60 systems have at most 3 items each: every value of 'id' is taken for a system of its own; "
        "if they are the items, exchange the two: -c system=model -c item=id"
    ]
    assert told(60, 3, "system=model", "item=id") == told(60, 3) == [], "the remedy mends it"
    assert told(51, 5, *swapped) and told(91, 9, *swapped)
    assert not told(50, 2, *swapped) + told(69, 7, *swapped) + told(101, 10, *swapped), "a board"
