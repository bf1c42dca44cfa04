"""Labels of annotators from long tables, wide tables and one file for each annotator."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from outscore.base.errors import InputError, UsageError
from outscore.data.annotations import Annotations, annotations_from, read_annotations

LONG = ["item,annotator,label,document", "u1,anna,x,d1", "u1,ben,y,d1", "u2,anna,x,d1", "u2,ben,,d1", "u3,ben,y,d2"]
WIDE = ["item\tanna\tben\tdocument", "u1\tx\ty\td1", "u2\tx\t\td1", "u3\t\ty\td2"]


def written(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def cells(found: Annotations) -> dict[tuple[str, str], str]:
    return {
        (unit, name): found.labels[code]
        for unit, row in zip(found.units, found.codes, strict=True)
        for name, code in zip(found.annotators, row, strict=True)
        if code >= 0
    }


WANTED = {("u1", "anna"): "x", ("u1", "ben"): "y", ("u2", "anna"): "x", ("u3", "ben"): "y"}


def test_long_and_wide_tables_hold_the_same(tmp_path: Path) -> None:
    long = read_annotations(written(tmp_path / "long.csv", LONG))
    wide = read_annotations(written(tmp_path / "wide.tsv", WIDE), annotators=["anna", "ben"])
    lines = [
        '{"unit": "u1", "rater": "anna", "rating": "x", "document": "d1"}',
        '{"unit": "u1", "rater": "ben", "rating": "y", "document": "d1"}',
        '{"unit": "u2", "rater": "anna", "rating": "x", "document": "d1"}',
        '{"unit": "u2", "rater": "ben", "rating": null, "document": "d1"}',
        '{"unit": "u3", "rater": "ben", "rating": "y", "document": "d2"}',
    ]
    objects = read_annotations(written(tmp_path / "long.jsonl", lines))
    for found in (long, wide, objects):
        assert cells(found) == WANTED
        assert found.about["document"] == ("d1", "d1", "d2")
        assert found.named
    assert [source.n_items for source in (*long.sources, *wide.sources)] == [5, 3]


def test_a_table_without_a_known_suffix_is_known_by_its_header(tmp_path: Path) -> None:
    (tmp_path / "labels").write_bytes(gzip.compress("\n".join(["text_id,worker,answer", "a,1,x", "a,2,y"]).encode()))
    found = read_annotations(str(tmp_path / "labels"), columns=["item=text_id"])
    assert cells(found) == {("a", "1"): "x", ("a", "2"): "y"}


def test_one_file_for_each_annotator(tmp_path: Path) -> None:
    anna = written(tmp_path / "anna.txt", ["x", "", "y"])
    ben = written(tmp_path / "ben.txt", ["y", "x", "y"])
    table = written(tmp_path / "cleo.csv", ["item,label", "1,x", "3,y"])
    found = read_annotations([f"first={anna}", ben, table])
    assert found.annotators == ("first", "ben", "cleo")
    assert cells(found) == {
        ("1", "first"): "x",
        ("3", "first"): "y",
        ("1", "ben"): "y",
        ("2", "ben"): "x",
        ("3", "ben"): "y",
        ("1", "cleo"): "x",
        ("3", "cleo"): "y",
    }
    with pytest.raises(InputError, match="2 labels, and 3 units before it"):
        read_annotations([f"a={anna}", f"b={written(tmp_path / 'short.txt', ['x', 'y'])}"])


def test_labels_without_annotators_get_numbers_within_their_unit(tmp_path: Path) -> None:
    found = read_annotations(written(tmp_path / "t.csv", ["item,label", "a,x", "b,x", "a,y", "b,x", "b,y"]))
    assert not found.named
    assert cells(found) == {("a", "1"): "x", ("a", "2"): "y", ("b", "1"): "x", ("b", "2"): "x", ("b", "3"): "y"}


def test_columns_are_named_joined_and_matched_by_patterns(tmp_path: Path) -> None:
    file = written(tmp_path / "t.tsv", ["doc\tpart\tr1\tr2\tlength", "d\t1\tx\ty\t7", "d\t2\tx\tx\t9", "e\t1\ty\ty\t4"])
    found = read_annotations(file, annotators=["r?"], columns=["item=doc+part"])
    assert found.units == ("d/1", "d/2", "e/1")
    assert found.annotators == ("r1", "r2")
    assert found.about["doc"] == ("d", "d", "e")
    assert read_annotations(file, annotators=["r*"]).units == ("1", "2", "3")
    with pytest.raises(InputError, match=r"t.tsv:3: the item 'd' comes twice; join columns"):
        read_annotations(file, annotators=["r*"], columns=["item=doc"])
    with pytest.raises(UsageError, match=r"no column 'doc,part'; several columns are joined by \+, as item=doc\+part"):
        read_annotations(file, annotators=["r*"], columns=["item=doc,part"])
    with pytest.raises(UsageError, match="--annotators w1: no such column"):
        read_annotations(file, annotators=["w1"])
    with pytest.raises(UsageError, match="no column 'worker'"):
        read_annotations(file, annotators=["r*"], columns=["annotator=worker"])
    with pytest.raises(UsageError, match=r"no role 'system'; .*\(there are: item, annotator, label, "):
        read_annotations(file, columns=["system=doc"])
    with pytest.raises(InputError, match=r"t.tsv:1: no columns of items, annotators and labels .* --annotators"):
        read_annotations(file)
    with pytest.raises(InputError, match=r"no columns of annotators and labels .* with -c annotator=NAME -c label"):
        read_annotations(file, columns=["item=doc"])
    wide = tmp_path / "wide.csv"
    wide.write_text("item,anna,ben,why\n1,y,n,a\n2,n,n,b\n3,y,y,c\n4,n,y,d\n5,n,n,e\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"--annotators anna,ben$"):
        read_annotations(str(wide))


@pytest.mark.parametrize("name", ["adjudicated", "majority", "consensus_label", "final", "gold"])
def test_what_was_made_of_the_labels_is_no_annotator(name: str, tmp_path: Path) -> None:
    rows = [f"{i},{a},{b},{a}" for i, (a, b) in enumerate([("y", "n"), ("n", "n"), ("y", "y")] * 3)]
    with pytest.raises(InputError, match=r"--annotators anna,ben$"):
        read_annotations(written(tmp_path / "t.csv", [f"item,anna,ben,{name}", *rows]))


def test_a_mean_of_ratings_is_no_annotator(tmp_path: Path) -> None:
    rows = [(1, 2, 4, "2.333", 3.5), (5, 5, 4, "4.667", 4), (3, 3, 3, "3.000", 2), (2, 4, 5, "3.667", 5)] * 5
    lines = [",".join(map(str, (i, *row))) for i, row in enumerate(rows)]
    file = written(tmp_path / "t.csv", ["item,r1,r2,r3,r_mean,r_half", *lines])
    with pytest.raises(InputError, match=r"--annotators r1,r2,r3$"):
        read_annotations(file)
    for named in (["r*"], ["r?", "r_half", "r_mean"]):
        with pytest.raises(UsageError, match=r"'r_mean'.* with fractions .*: --annotators r1,r2,r3(,r_half)?$"):
            read_annotations(file, annotators=named)
    halves = read_annotations(file, annotators=["r?", "r_half"])
    assert halves.annotators == ("r1", "r2", "r3", "r_half"), "an annotator may give halves"
    gap = written(tmp_path / "gap.csv", ["item,a,b,c", "1,1,2,1.5", "2,,4,4.0", "3,,,"])
    with pytest.raises(UsageError, match=r"'c' with fractions .*--annotators a,b$"):
        read_annotations(gap, annotators=["a", "b", "c"])
    plain = written(tmp_path / "plain.csv", ["item,a,b,c", "1,1.5,2,1.5", "2,1,2.5,4.0"])
    assert read_annotations(plain, annotators=["?"]).annotators == ("a", "b", "c")


def test_one_label_for_each_annotator_and_unit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t.csv:4: 'anna' labels the item 'u1' twice"):
        read_annotations(written(tmp_path / "t.csv", [*LONG[:3], "u1,anna,x,d1"]))
    with pytest.raises(InputError, match=r"t.csv:3: an annotator without a name"):
        read_annotations(written(tmp_path / "t.csv", [*LONG[:2], "u1,,x,d1"]))
    with pytest.raises(InputError, match="there is one annotator, 'anna'"):
        read_annotations(written(tmp_path / "t.csv", LONG[:2]))
    with pytest.raises(InputError, match="there is no label"):
        read_annotations(written(tmp_path / "t.csv", [LONG[0], "u1,anna,,d1", "u1,ben,,d1"]))


def test_a_column_that_differs_within_a_unit_does_not_describe_it(tmp_path: Path) -> None:
    rows = ["item,annotator,label,seconds,topic", "u1,a,x,3,t", "u1,b,x,4,t", "u2,a,x,3,s"]
    found = read_annotations(written(tmp_path / "t.csv", rows))
    assert "seconds" not in found.about
    assert found.about["topic"] == ("t", "s")


def test_missing_cells_do_not_turn_whole_numbers_into_other_labels() -> None:
    pandas = pytest.importorskip("pandas")
    found = annotations_from(pandas.DataFrame({"a": [1, 2, 3], "b": [1.0, None, 3.0]}), annotators=["a", "b"])
    assert set(found.labels) == {"1", "2", "3"}
    assert cells(found)["1", "b"] == "1"
    assert ("2", "b") not in cells(found)


def test_the_remedy_names_only_columns_of_annotators(tmp_path: Path) -> None:
    rows = [f"{i},{'xyz'[i % 3]},{i % 5},{'xyyz'[i % 4]},{i % 4},{'xxyz'[i % 4]}" for i in range(20)]
    header = "item,rater1_label,rater1_confidence,max,max_score,gold"
    file = written(tmp_path / "t.csv", [header, *rows])
    with pytest.raises(InputError, match=r"--annotators rater1_label,max$"):
        read_annotations(file)
    scores = written(tmp_path / "s.csv", ["item,a_score,b_score", *(f"{i},{i % 3},{i % 2}" for i in range(20))])
    with pytest.raises(InputError, match=r"--annotators a_score,b_score$"):
        read_annotations(scores)


def test_counts_for_each_category_are_no_annotators(tmp_path: Path) -> None:
    of_five = [f"{i},{i % 3},{i % 2},{5 - i % 3 - i % 2}" for i in range(12)]
    with pytest.raises(InputError, match=r"counts per category \('A', 'B', 'C'\) are not read: write item and label"):
        read_annotations(written(tmp_path / "five.csv", ["item,A,B,C", *of_five]))
    spread = [f"{i},{i},{9 - i},1,0" for i in range(9)]
    with pytest.raises(InputError, match=r"counts per category \('A', 'B', 'C', 'D'\) are not read"):
        read_annotations(written(tmp_path / "spread.csv", ["item,A,B,C,D", *spread]))
    of_some = [f"{i},{i % 3},{i % 2},{i % 4}" for i in range(12)]
    with pytest.raises(InputError, match=r"if these are counts per category, .* --annotators A,B,C$"):
        read_annotations(written(tmp_path / "some.csv", ["item,A,B,C", *of_some]))
    both = [f"{i},{i % 2},{1 - i % 2}" for i in range(12)]
    with pytest.raises(InputError, match=r"with -c annotator=NAME -c label=NAME, .* --annotators A,B$"):
        read_annotations(written(tmp_path / "both.csv", ["item,A,B", *both]))


def test_columns_of_items_are_not_called_annotators(tmp_path: Path) -> None:
    given = {name: {f"d{i}": "ABC"[(i * k) % 3] for i in range(30)} for k, name in enumerate(("anna", "ben", "cleo"))}
    (tmp_path / "t.json").write_text(json.dumps(given), encoding="utf-8")
    with pytest.raises(InputError, match=r"; if 'anna', 'ben', 'cleo' are annotators, say so: --reader '[^']*'$"):
        read_annotations(str(tmp_path / "t.json"))
    rows = [{"id": i, "labels": {"anna": "x", "ben": "y"}} for i in range(9)]
    (tmp_path / "t.json").write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(InputError, match=r"hold nested labels, write item, annotator and label of each in a row$"):
        read_annotations(str(tmp_path / "t.json"))
    named = [{"by": name, "of": list(labels.values())} for name, labels in given.items()]
    (tmp_path / "t.json").write_text(json.dumps({"annotators": {"anna": named[0], "ben": named[1]}}), encoding="utf-8")
    with pytest.raises(InputError, match=r"with the keys item, annotator and label$"):
        read_annotations(str(tmp_path / "t.json"))


def test_counts_of_pairs_of_labels_are_no_items(tmp_path: Path) -> None:
    """Each row counted as one item: κ was 0 for .49."""
    rows = [("a", "a", 3), ("a", "b", 1), ("b", "a", 2), ("b", "b", 4)]
    table = tmp_path / "l.csv"
    table.write_text("one,two,count\n" + "".join(f"{a},{b},{k}\n" for a, b, k in rows), encoding="utf-8")
    with pytest.raises(InputError, match="'count' beside one,two looks like a number of items") as caught:
        read_annotations([str(table)], annotators=["one", "two"])
    command = str(caught.value).partition("each item: ")[2].partition(" && ")[0]
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    found = read_annotations([str(tmp_path / "items-l.csv")], annotators=["one", "two"])
    assert len(found.units) == 10 and sorted(found.codes.tolist()).count([0, 0]) == 3
    # with ids, or where labels come together twice, the number describes the item
    table.write_text("id,one,two,n\n1,a,b,3\n2,a,a,3\n", encoding="utf-8")
    assert len(read_annotations([str(table)], annotators=["one", "two"]).units) == 2
    table.write_text("one,two,n\na,b,3\na,b,5\nb,b,5\n", encoding="utf-8")
    assert len(read_annotations([str(table)], annotators=["one", "two"]).units) == 3


def test_a_matrix_of_counts_has_its_door(tmp_path: Path) -> None:
    table = tmp_path / "m.csv"
    table.write_text(",a,b\na,10,2\nb,3,9\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"study printed --counts .*m\.csv has the agreement"):
        read_annotations([str(table)])
