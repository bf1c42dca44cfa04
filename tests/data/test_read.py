"""Reading files: formats are known by their content, names come out readable, bytes are what they are."""

from __future__ import annotations

import gzip
import hashlib
import io
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from outscore.base.errors import InputError, UsageError
from outscore.data import align, read
from outscore.data.collection import Collection
from outscore.data.read import choose
from outscore.data.readers import Context, readers
from outscore.data.source import open_source
from outscore.data.specs import natural, run_names, stems
from outscore.metrics.mean import Mean
from tests.data.files import Write


def score(collection: Collection, system: str) -> list[float]:
    (run,) = [r for r in collection.runs if r.system == system]
    return [float(value) for value in run.columns["score"]]


def test_lines_are_outputs_of_the_system_named_after_the_file(write: Write) -> None:
    (run,) = read([write("base.txt", "one\ntwo\n")]).runs
    assert (run.system, run.run, run.ids, run.outputs) == ("base", "1", None, ("one", "two"))
    assert run.source.reader == "lines"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_trailing_line_end_makes_no_item_and_blank_lines_inside_do(write: Write, end: str) -> None:
    with_end = read([write("a.txt", f"one{end}{end}three{end}")]).runs[0]
    without = read([write("b.txt", f"one{end}{end}three")]).runs[0]
    assert with_end.outputs == without.outputs == ("one", "", "three")


@pytest.mark.parametrize("inside", ["\u2028", "\x0b", "\x0c", "\x1c", "\x85", "\u2029", "\r"])
def test_only_newlines_end_a_line(write: Write, inside: str) -> None:
    (run,) = read([write("a.txt", f"one{inside}still one\ntwo\n")]).runs
    assert run.outputs == (f"one{inside}still one", "two")


def test_a_byte_order_mark_is_no_text(write: Write) -> None:
    assert read([write("a.txt", "\ufeffone\ntwo\n")]).runs[0].outputs == ("one", "two")
    table = read([write("a.csv", "\ufeffsystem,item,score\r\nA,q1,1\r\n")])
    assert score(table, "A") == [1.0]


def test_gzip_is_known_by_its_content_and_the_digest_is_of_the_stored_bytes(write: Write) -> None:
    raw = gzip.compress(b"one\ntwo\n")
    (run,) = read([write("sys.misnamed.txt", raw)]).runs
    assert run.outputs == ("one", "two")
    assert run.source.sha256 == hashlib.sha256(raw).hexdigest()


def test_gz_and_suffix_are_no_part_of_the_name(write: Write) -> None:
    assert read([write("base.txt.gz", gzip.compress(b"one\n"))]).runs[0].system == "base"


def test_dash_is_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo\n"), encoding="utf-8"))
    (run,) = read(["A=-"]).runs
    assert (run.system, run.outputs) == ("A", ("one", "two"))


def test_the_standard_input_can_be_given_once() -> None:
    with pytest.raises(UsageError, match="only once"):
        read(["A=-", "B=-"])


def test_sentences_with_commas_are_no_table(write: Write) -> None:
    text = "Item, the first of many, was sold.\nWell, yes, no.\nOne, two, three.\n"
    (run,) = read([write("a", text)]).runs
    assert run.outputs is not None and len(run.outputs) == 3


def test_one_number_a_line_is_a_score_without_references(write: Write) -> None:
    assert score(read([write("a.txt", "0.5\n1\n")]), "a") == [0.5, 1.0]


def test_one_number_a_line_is_a_label_with_references(write: Write) -> None:
    found = read([write("a.txt", "0\n1\n")], references=[write("ref.txt", "1\n1\n")])
    assert found.runs[0].outputs == ("0", "1")
    assert not found.runs[0].columns
    assert found.golds[0].references == (("1", "1"),)


def test_one_number_a_line_is_a_label_beside_a_gold_table(write: Write) -> None:
    found = read([write("a.txt", "0\n1\n"), write("gold.csv", "item,gold\n1,1\n2,1\n")])
    assert found.runs[0].outputs == ("0", "1")
    assert align(found.runs, found.golds).by_run["a", "1"].references == (("1", "1"),)


def test_the_reader_can_be_chosen(write: Write) -> None:
    assert read([write("a.txt", "0\n1\n")], reader="lines").runs[0].outputs == ("0", "1")


def test_one_blank_line_at_the_end_of_scores_is_no_item(write: Write) -> None:
    assert score(read([write("a.txt", "1\n0\n\n")]), "a") == [1.0, 0.0]


def test_a_long_table_gives_a_run_per_system_and_seed(write: Write) -> None:
    text = "system,seed,item,score,tp,cluster,note\n"
    text += "A,1,x,0.5,3,7,p\nA,2,x,0.25,2,7,p\nB,1,x,1,1,7,p\nA,1,y,0,0,8,q\nA,2,y,1,9,8,q\nB,1,y,1,1,8,q\n"
    found = read([write("all.csv", text)])
    assert [(r.system, r.run) for r in found.runs] == [("A", "1"), ("A", "2"), ("B", "1")]
    first = found.runs[0]
    assert first.ids == ("x", "y")
    assert first.columns["score"].tolist() == [0.5, 0.0]
    assert first.columns["tp"].tolist() == [3.0, 0.0]
    assert first.labels == {"cluster": ("7", "8"), "note": ("p", "q")}


def test_metric_rows_become_columns_and_absent_ones_are_missing(write: Write) -> None:
    text = "system,item,metric,score\nA,x,bleu,10\nA,x,ter,5\nA,y,bleu,20\n"
    (run,) = read([write("all.csv", text)]).runs
    assert run.ids == ("x", "y")
    assert run.columns["bleu"].tolist() == [10.0, 20.0]
    assert run.columns["ter"][0] == 5.0 and math.isnan(run.columns["ter"][1])
    cells = align([run]).by_run["A", "1"]
    assert Mean(column="bleu").statistics(cells)[:, 0].tolist() == [10.0, 20.0]
    with pytest.raises(InputError, match=r"'ter' is missing .* item 2.*--missing drop"):
        Mean(column="ter").statistics(cells)
    dropping = align([run], missing="drop")
    assert dropping.items == ("x", "y"), "which column is read is not known yet"
    assert dropping.with_numbers(["bleu"]).items == ("x", "y")
    assert dropping.with_numbers(["ter"]).items == ("x",)


def test_outputs_and_references_stand_in_one_table(write: Write) -> None:
    text = "item\tprediction\treference\treference2\nx\ta b\ta\tA\ny\t\t\tB\n"
    (run,) = read([write("new.tsv", text)]).runs
    assert (run.system, run.outputs) == ("new", ("a b", ""))
    assert run.references == (("a", ""), ("A", "B"))


def test_cells_of_tsv_are_literal_and_cells_of_csv_may_be_quoted(write: Write) -> None:
    tsv = read([write("a.tsv", 'item\toutput\nx\t"quoted\ny\tb\n')])
    assert tsv.runs[0].outputs == ('"quoted', "b")
    csv = read([write("a.csv", 'item,output\nx,"one, two\nand three"\ny,b\n')])
    assert csv.runs[0].outputs == ("one, two\nand three", "b")


def test_a_wide_table_gives_a_system_per_column(write: Write) -> None:
    found = read([write("wide", "item_id,A,B,cluster\nx,1,0,7\ny,0,1,8\n")])
    assert [r.system for r in found.runs] == ["A", "B"]
    assert score(found, "B") == [0.0, 1.0]
    assert found.runs[0].labels == {"cluster": ("7", "8")}


def test_the_only_column_of_a_named_table_is_its_score_and_a_note_says_so(write: Write) -> None:
    found = read(["new=" + write("x.csv", "item,karma\nx,0.5\n")])
    assert score(found, "new") == [0.5]
    assert [note.code for note in found.runs[0].notes] == ["column_as_score"]


def test_the_only_column_of_a_named_table_keeps_a_name_that_says_what_it_is(write: Write) -> None:
    (run,) = read(["new=" + write("x.csv", "item,comet\nx,0.5\n")]).runs
    assert (list(run.columns), run.notes) == (["comet"], ())


def test_a_table_of_measurements_is_one_system(write: Write) -> None:
    (run,) = read([write("new.csv", "item,tp,fp\nx,1,2\n")]).runs
    assert (run.system, sorted(run.columns)) == ("new", ["fp", "tp"])


def test_a_gold_table_is_known_by_its_columns(write: Write) -> None:
    found = read([write("a.txt", "x\ny\n"), write("g.csv", "gold,domain,length\nx,news,3\nx,chat,4\n")])
    (gold,) = found.golds
    assert gold.ids is None and gold.references == (("x", "x"),)
    assert gold.labels == {"domain": ("news", "chat"), "length": ("3", "4")}


def test_jsonl_rows_are_as_table_rows(write: Write) -> None:
    text = '{"system": "A", "item": 1, "score": true, "metadata": {"x": 1}, "domain": "news"}\n'
    text += '{"system": "A", "item": 2, "score": 0.25, "domain": null}\n'
    (run,) = read([write("a", text)]).runs
    assert run.ids == ("1", "2")
    assert run.columns["score"].tolist() == [1.0, 0.25]
    assert run.labels == {"domain": ("news", "")}


def test_jsonl_lists_of_references_are_streams(write: Write) -> None:
    text = '{"id": "x", "references": ["a", "b"]}\n{"id": "y", "references": ["c"]}\n'
    (gold,) = read([write("a.txt", "a\nb\n")], references=[write("r.jsonl", text)]).golds
    assert gold.references == (("a", "c"), ("b", ""))


def test_outputs_that_are_json_stay_outputs(write: Write) -> None:
    (run,) = read([write("a.txt", '{"name": "Ann"}\n{"name": "Bob"}\n')]).runs
    assert run.source.reader == "lines"


def test_a_pattern_gives_runs_in_natural_order(write: Write, tmp_path: Path) -> None:
    for i in (10, 2, 0):
        write(f"hyps.en.opt{i}", f"output {i}\n")
    found = read([f"base={tmp_path}/hyps.en.opt*"])
    assert [(r.run, r.outputs) for r in found.runs] == [(f"opt{i}", (f"output {i}",)) for i in (0, 2, 10)]


def test_a_bare_pattern_gives_systems(write: Write, tmp_path: Path) -> None:
    for i in (10, 2):
        write(f"sys{i}.txt", "x\n")
    assert [r.system for r in read([f"{tmp_path}/sys*.txt"]).runs] == ["sys2", "sys10"]


def test_a_file_whose_name_has_an_equals_sign_is_a_file(write: Write, tmp_path: Path) -> None:
    assert read([write("lr=0.1.txt", "x\n")]).runs[0].system == "lr=0.1"


def test_the_same_file_may_be_two_systems(write: Write) -> None:
    file = write("a.txt", "x\n")
    found = read([f"A={file}", f"B={file}"])
    assert [r.system for r in found.runs] == ["A", "B"]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["a.opt0", "a.opt1"], ("opt0", "opt1")),
        (["seed1/out.txt", "seed2/out.txt"], ("seed1", "seed2")),
        (["out.1.txt.gz", "out.2.txt"], ("1", "2")),
        (["x_3_dev.csv", "x_4_dev.csv"], ("3", "4")),
        (["out.txt", "out.1.txt"], ("1", "2")),
    ],
)
def test_runs_are_named_by_what_differs(files: list[str], names: tuple[str, ...]) -> None:
    assert run_names(files) == names


def test_systems_are_named_by_stem_unless_that_is_ambiguous() -> None:
    assert stems(["d/base.txt", "d/new.opt0", "-"]) == ("base", "new.opt0", "stdin")
    assert stems(["d/sys.A", "d/sys.B"]) == ("sys.A", "sys.B")


def test_numbers_in_names_sort_as_numbers() -> None:
    assert sorted(["b1", "a10", "a9", "10", "a"], key=natural) == ["10", "a", "a9", "a10", "b1"]
    assert sorted([f"a{'9' * 5000}b", "a007", "a10"], key=natural)[:2] == ["a007", "a10"], "longer than Python reads"


@pytest.mark.parametrize("name", [name for name, cls in readers if not cls.example.endswith("...")])
def test_every_reader_knows_its_own_example(name: str, write: Write) -> None:
    # two words a line are this format only where the file is called so
    suffix = ".seg.score" if name == "mt-metrics-eval" else ""
    source = open_source(write(f"example_{name}{suffix}", readers.find(name).example))
    context = Context(file=source.file, stem="example", sha256=source.sha256)
    reader = choose(source, context)
    assert reader.name == name
    content = reader.read(source, context)
    assert {run.source.reader for run in content.runs} | {gold.source.reader for gold in content.golds} == {name}


def test_hostile_names_are_just_text(write: Write) -> None:
    name = "'; DROP TABLE--[red]{0}%s\u202e"
    (run,) = read([write("a.csv", f'system,item,score\n"{name}","{name}",1\n')]).runs
    assert (run.system, run.ids) == (name, (name,))


@pytest.mark.data
def test_the_gsm8k_table_is_43_systems(data_root: Path) -> None:
    found = read([str(data_root / "data/llm_gsm8k_zeroeval/correct.csv.gz")])
    aligned = align(found.runs, found.golds)
    assert (len(aligned.systems), len(aligned.items)) == (43, 1319)
    accuracy = np.mean(aligned.by_run["claude-3-5-sonnet-20241022", "1"].columns["score"])
    assert round(100 * accuracy, 2) == 96.66  # accuracies.tsv of the data set


def test_a_short_table_with_a_null_character_is_no_utf_16(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"system,item,output\nsys,q.the,\0\n")
    assert [run.outputs for run in read([str(file)]).runs] == [("\0",)]
