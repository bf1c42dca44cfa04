"""``outscore convert``: what was read, as a table that gives the same comparison again."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore as package
from outscore.data import align, read
from outscore.data.dataset import Dataset
from outscore.data.run import Gold, Run
from outscore.results.result import SourceFile
from tests.cli.commandline import numbers, outscore, texts, written
from tests.cli.test_score import runs, table
from tests.verbs.flat import differing

SUFFIXES = ["csv", "tsv", "jsonl", "parquet"]
SOURCE = SourceFile(file="x", role="system", reader="x", sha256="", n_items=0)


DRAWN = ("texts", "several references")


def without_provenance(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    del found["provenance"]
    # which file held the gold is said of files
    found["notes"] = [note for note in found["notes"] if note["code"] != "gold_file"]
    return found


def undrawn(text: str) -> list[tuple[Any, ...]]:
    """What does not hang on the order in which items are drawn, another one for lines that became items with ids."""
    found = json.loads(text)
    scores = [(one["system"], one["metric"], one["signature"], one["score"], one["n_items"]) for one in found["scores"]]
    return [*scores, *((one["system"], one["metric"], one["gain"], one["n_items"]) for one in found["pairs"])]


def arguments_of(shape: str, folder: Path) -> tuple[list[str], list[str]]:
    """What is read, and what is asked."""
    if shape == "texts":
        return [*texts(folder)], ["-m", "bleu,chrf", "-n", "100"]
    if shape == "several references":
        found = texts(folder)
        return [*found, "-r", found[2].partition("=")[2]], ["-m", "bleu", "-n", "100"]
    if shape == "numbers":
        return [*numbers(folder)], []
    if shape == "runs":
        return runs(folder), []
    if shape == "described":
        items = written(
            folder / "items.csv", ["cluster,domain,note", *(f"d{i // 4},{'xy'[i % 2]},n" for i in range(60))]
        )
        return [*texts(folder), "--items", str(items)], ["-m", "ter", "-n", "100"]
    if shape == "predictions":
        gold = written(folder / "gold.tsv", ["item\tgold", *(f"i{i}\t{'pq'[i % 2]}" for i in range(40))])
        files = []
        for name, k in (("base", 3), ("new", 5)):
            rows = [f"i{i}\t{'pq'[(i + (i % k == 0)) % 2]}" for i in reversed(range(40))]
            path = written(folder / f"{name}.tsv", ["item\tprediction", *rows])
            files.append(f"{name}={path}")
        return [str(gold), *files], []
    return [str(table(folder))], ["--cluster", "document"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "shape", ["texts", "several references", "numbers", "runs", "described", "predictions", "table"]
)
def test_the_long_table_gives_the_same_comparison(shape: str, suffix: str, tmp_path: Path) -> None:
    files, asked = arguments_of(shape, tmp_path)
    long = tmp_path / f"long.{suffix}"
    done = outscore("convert", *files, "-o", long)
    assert (done.code, done.out, done.complaint) == (0, "", f"wrote {long}")
    before = outscore("compare", *files, *asked, "-f", "json")
    after = outscore("compare", long, *asked, "-f", "json")
    assert (before.code, after.code) == (0, 0), after.err
    kept = undrawn if shape in DRAWN else without_provenance
    assert not differing(kept(after.out), kept(before.out))


def test_csv_goes_to_stdout_by_default(tmp_path: Path) -> None:
    done = outscore("convert", *numbers(tmp_path, 2))
    assert done.out == "system,item,score\nbase,1,0\nbase,2,0.25\nnew,1,0.3333333333333333\nnew,2,0.5\n"
    again = outscore("compare", "-", "-f", "json", stdin=done.out.encode())
    assert again.code == 0


def test_another_suffix_is_a_usage_error(tmp_path: Path) -> None:
    done = outscore("convert", *numbers(tmp_path), "-o", tmp_path / "long.xlsx")
    assert (done.code, done.out) == (2, "")
    assert "ends in .csv, .tsv, .jsonl, .parquet" in done.complaint


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    done = outscore("convert", tmp_path / "none.txt")
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)


def test_a_missing_item_is_an_error_or_dropped_and_told(tmp_path: Path) -> None:
    rows = ["system,item,score", "a,1,1", "a,2,0", "a,3,1", "b,1,1", "b,3,"]
    path = written(tmp_path / "t.csv", rows)
    assert outscore("convert", path).code == 3
    done = outscore("convert", path, "--missing", "drop")
    assert done.out == "system,item,score\na,1,1\nb,1,1\n"
    assert "2 of 3 items were left out" in done.err


def test_formulas_are_data_and_stay_as_they_are(tmp_path: Path) -> None:
    outputs = ["=1+1", "+x", "-y", "@z", "'=q", " =r", "''-", "it's", "'t", "-5", "=1,2", "\u200b"]
    a = written(tmp_path / "a.txt", outputs)
    long = tmp_path / "long.csv"
    for how in ((), ("--raw-csv",)):
        assert outscore("convert", f"+tuned={a}", "-o", long, *how).code == 0
        text = long.read_text(encoding="utf-8")
        assert how or not re.search(r"(^|,)\"? *[=+@-][^0-9]", text, re.M)
        assert "-5" in text and "'-5" not in text
        if not how:
            run = read([str(long)]).runs[0]
            assert (run.system, run.outputs) == ("+tuned", tuple(outputs))
    assert text.splitlines()[1:4] == ["+tuned,1,=1+1", "+tuned,2,+x", "+tuned,3,-y"]


def test_names_of_systems_above_columns_are_read_without_their_apostrophe(tmp_path: Path) -> None:
    path = written(tmp_path / "wide.csv", ["item,'+tuned,base,'tis", "'-a,1,'-2.5,3", "b,4,5,6"])
    runs = {run.system: run for run in read([str(path)]).runs}
    assert list(runs) == ["+tuned", "base", "'tis"]
    assert runs["base"].ids == ("-a", "b")
    assert runs["base"].columns["score"].tolist() == [-2.5, 5]


def test_an_apostrophe_that_is_part_of_a_text_can_be_kept(tmp_path: Path) -> None:
    path = str(written(tmp_path / "long.csv", ["system,item,output", "a,q1,'-n'"]))
    (left,), (kept,) = read([path]).runs, read([path], reader="table:raw=true").runs
    assert (left.outputs, kept.outputs) == (("-n'",), ("'-n'",))
    assert [note.code for note in left.notes] == ["apostrophes_taken"] != [note.code for note in kept.notes]


def test_tsv_refuses_what_it_cannot_hold(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", ['{"item": "q1", "output": "two\\nlines"}'])
    done = outscore("convert", path, "-o", tmp_path / "long.tsv")
    assert (done.code, (tmp_path / "long.tsv").exists()) == (3, False)
    assert (
        "'output' of item 'q1' has a tab or line break, which TSV cannot hold; write .csv or .jsonl" in done.complaint
    )


def test_a_text_too_long_for_csv_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", ["x" * 200_000])
    assert outscore("convert", path).code == 3
    assert outscore("convert", path, "-o", tmp_path / "long.jsonl").code == 0


def aligned(columns: dict[str, list[float]], labels: dict[str, list[str]], outputs: list[str] | None = None) -> Dataset:
    ids = tuple(f"q{i}" for i in range(3))
    made = [
        Run(
            system=system,
            run="1",
            ids=ids,
            outputs=None if outputs is None else tuple(outputs),
            columns={name: np.array(values) + shift for name, values in columns.items()},
            source=SOURCE,
        )
        for system, shift in (("a", 0.0), ("b", 1.0))
    ]
    gold = Gold(ids=ids, labels={name: tuple(values) for name, values in labels.items()}, source=SOURCE)
    return align(made, [gold] if labels else [])


RESERVED = [
    "model",
    "id",
    "run",
    "seed",
    "metric",
    "prediction",
    "gold",
    "label",
    "ref 1",
    "score",
    "length",
    "item_id",
]


@pytest.mark.parametrize("name", [*RESERVED, "system", "output", "reference", "kind", "DOMAIN"])
def test_a_description_with_a_name_of_something_else_stays_a_description(name: str, tmp_path: Path) -> None:
    data = aligned({"score": [0.5, 1.0, 0.25]}, {name: ["x", "y", "x"]})
    (tmp_path / "t.csv").write_text(str(package.convert(data).to("csv")), encoding="utf-8")
    again = package.read(str(tmp_path / "t.csv"))
    (new,) = again.labels
    assert again.labels[new] == data.labels[name]
    assert new in (name, f"{name}.label")
    assert (again.systems, list(again.by_run["a", "1"].columns)) == (("a", "b"), ["score"])
    notes = package.convert(data).notes
    assert [n.code for n in notes] == ([] if new == name else ["columns_renamed"])


@pytest.mark.parametrize("name", [*RESERVED, "domain", "index", "comet", "a\tb", "item.column"])
def test_a_number_with_a_name_of_something_else_stays_a_number(name: str, tmp_path: Path) -> None:
    data = aligned({name: [0.5, 1.0, 0.25]}, {})
    (tmp_path / "t.csv").write_text(str(package.convert(data).to("csv")), encoding="utf-8")
    again = package.read(str(tmp_path / "t.csv"))
    (new,) = again.by_run["b", "1"].columns
    assert again.by_run["b", "1"].columns[new].tolist() == [1.5, 2.0, 1.25]
    assert again.systems == ("a", "b")
    assert not again.labels


def test_descriptions_that_look_like_numbers_are_kept_by_types_and_told_without_them(tmp_path: Path) -> None:
    data = aligned({"score": [0.5, 1.0, 0.25]}, {"year": ["2019", "2020", "2019"]})
    made = package.convert(data)
    assert [n.code for n in made.notes_in("csv")] == ["labels_like_numbers"]
    assert made.notes_in("csv")[0].remedy == "read the table with --column label=year, or write .jsonl"
    assert not made.notes_in("jsonl")
    (tmp_path / "t.jsonl").write_text(str(made.to("jsonl")), encoding="utf-8")
    assert package.read(str(tmp_path / "t.jsonl")).labels == data.labels
    (tmp_path / "t.csv").write_text(str(made.to("csv")), encoding="utf-8")
    assert package.read(str(tmp_path / "t.csv"), columns="label=year").labels == data.labels


def test_outputs_that_only_some_systems_have_are_left_out_and_told() -> None:
    ids = ("1", "2")
    some = Run(system="a", run="1", ids=ids, outputs=("x", "y"), columns={"score": np.ones(2)}, source=SOURCE)
    none = Run(system="b", run="1", ids=ids, columns={"score": np.zeros(2)}, source=SOURCE)
    made = package.convert(align([some, none]))
    assert "output" not in made.columns
    assert [n.code for n in made.notes] == ["outputs_left_out"]


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=60)
@given(
    outputs=st.lists(CELLS, min_size=3, max_size=3),
    kind=st.lists(CELLS.filter(lambda c: not any(map(str.isdigit, c))).map("x".__add__), min_size=3, max_size=3),
    score=st.lists(NUMBERS, min_size=3, max_size=3),
    suffix=st.sampled_from(["csv", "jsonl", "parquet"]),
)
def test_every_cell_comes_back_exactly(outputs: list[str], kind: list[str], score: list[float], suffix: str) -> None:
    data = aligned({"score": score}, {"kind": kind}, outputs)
    content = package.convert(data).to(suffix)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t.{suffix}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        again = package.read(str(path))
    assert again.labels == data.labels
    for key, cell in data.by_run.items():
        assert list(again.by_run[key].outputs or ()) == list(cell.outputs or ())
        assert again.by_run[key].columns["score"].tolist() == cell.columns["score"].tolist()


def test_names_that_are_formulas_behind_a_semicolon_come_back_too(tmp_path: Path) -> None:
    """Where a program splits cells at semicolons, as spreadsheets in half of Europe do."""
    names = ["a;=1+1", ";@x", "b;-2+3", "c;'=1", "smile ;-)"]
    rows = [{"system": name, "item": i, "score": i} for name in names for i in range(3)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    outscore("convert", tmp_path / "t.jsonl", "-o", tmp_path / "t.csv")
    written = (tmp_path / "t.csv").read_text(encoding="utf-8")
    assert not re.search(r";[=+@]|;-\w", written) and ";-)" in written
    assert '\n"a;\'=1+1",' in written, "quoted, or Gnumeric guesses that cells end at apostrophes"
    assert {run.system for run in read([str(tmp_path / "t.csv")]).runs} == {*names}


def test_every_file_that_is_asked_for_is_written(tmp_path: Path) -> None:
    one, two = tmp_path / "t.csv", tmp_path / "t.jsonl"
    done = outscore("convert", *numbers(tmp_path), "-o", one, "-o", two)
    assert (done.code, done.err) == (0, f"wrote {one}\nwrote {two}\n")
    for file in (one, two):
        alone = tmp_path / f"alone{file.suffix}"
        assert outscore("convert", *numbers(tmp_path), "-o", alone).code == 0
        assert file.read_bytes() == alone.read_bytes()
    wrong = outscore("convert", *numbers(tmp_path), "-o", tmp_path / "new.csv", "-o", "t.xyz")
    assert wrong.code == 2 and not (tmp_path / "new.csv").exists()
