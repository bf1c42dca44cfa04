"""Bad input ends in one line that says where, what was found, what was expected and how to mend it."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outscore.base.errors import InputError, OutscoreError, UsageError
from outscore.data import align, read
from tests.examples import examples

LONG = "system,item,score\n"

CASES: list[tuple[str, str, bytes, int | None, str]] = [
    ("empty file", "a.txt", b"", None, "empty"),
    ("only a byte order mark", "a.txt", b"\xef\xbb\xbf", None, "empty"),
    ("gzip of nothing", "a.gz", gzip.compress(b""), None, "empty"),
    ("invalid UTF-8", "a.txt", b"one\ntw\xffo\n", 2, r"byte 3 of the line \(0xff\) is not UTF-8"),
    ("Latin-1 at the end", "a.txt", b"one\ncaf\xe9", 2, "byte 4"),
    ("UTF-16", "a.txt", "one\n".encode("utf-16"), None, "UTF-16"),
    ("UTF-16 without a mark", "a.txt", "one two\n".encode("utf-16-le"), None, "iconv -f UTF-16LE -t UTF-8"),
    ("UTF-16, big end first", "a.csv", "system,item,score\nA,1,2\n".encode("utf-16-be"), None, "iconv -f UTF-16BE"),
    ("UTF-16 of other letters", "a.txt", "но ты и я\n".encode("utf-16-le"), None, "UTF-16LE"),
    ("zip archive", "a.zip", b"PK\x03\x04....", None, "zip archive"),
    ("a Feather file", "a.feather", b"ARROW1\0\0\xff", None, "Feather"),
    ("a database", "a.db", b"SQLite format 3\0\x10", None, "SQLite"),
    ("an array", "a.npy", b"\x93NUMPY\x01\0v\0", None, "array of NumPy"),
    ("gzip cut short", "a.txt.gz", gzip.compress(b"one\n" * 999)[:-9], None, "broken gzip"),
    ("gzip header only", "a.txt.gz", b"\x1f\x8b\x08\x00", None, "broken gzip"),
    ("header only", "a.csv", LONG.encode(), 1, "header but no rows"),
    ("blank first line", "a.csv", b"\n1,2\n", 1, "blank"),
    ("no known column", "a.csv", b"foo,bar\nx,y\n", 1, "'foo', 'bar'"),
    ("no item column", "a.csv", b"system,score\nA,1\n", 1, "no column names the items"),
    (
        "an item column of another name",
        "a.csv",
        b"nr,model,share,right\n4,A,0.5,1\n4,B,0.1,0\n5,A,0.2,1\n5,B,0.3,1\n",
        1,
        "no column names the items.* -c item=nr;",
    ),
    (
        "texts that no two systems share beside numbers of items",
        "a.csv",
        b"doc,model,summary,share\n4,A,one,0.5\n4,B,two,0.1\n5,A,three,0.2\n5,B,four,0.3\n",
        1,
        "no column names the items.* -c item=doc(;|$)",
    ),
    ("no score column", "a.csv", b"system,item,comment\nA,x,good\n", 1, "no column of scores or outputs"),
    ("numbers without items", "a.csv", b"game,agent,run,points\nx,A,0,3\n", 1, "no column is known to name systems"),
    ("metric without score", "a.csv", b"system,item,metric\nA,x,bleu\n", 1, "a table needs a column 'score'"),
    ("duplicate header", "a.csv", b"item,A,A\nx,1,0\n", 1, "'A' more than once"),
    ("short row", "a.csv", LONG.encode() + b"A,x,1\nA,y\n", 3, "found 2 cells, expected 3"),
    ("long row", "a", LONG.encode() + b"A,x,1\nA,y,0,5\nA,z,1\n", 3, "found 4 cells, expected 3"),
    ("ragged TSV row", "a.tsv", b"item\tA\nx\t1\ny\n", 3, "found 1 cells, expected 2"),
    ("blank line inside", "a.csv", LONG.encode() + b"A,x,1\n\nA,y,1\n", 3, "blank line"),
    ("two blank lines at the end", "a.csv", LONG.encode() + b"A,x,1\n\n\n", 3, "blank line"),
    ("row after a quoted cell of two lines", "a.csv", b'item,output\nx,"a\nb"\ny\n', 4, "found 1 cells"),
    ("open quote", "a.csv", LONG.encode() + b'A,x,1\nA,"y,1\nA,z,1\n', 3, "never closed"),
    ("text after a quote", "a.csv", LONG.encode() + b'A,"x"y,1\n', 2, "broken CSV"),
    ("carriage return inside a cell", "a.csv", LONG.encode() + b"A,x\ry,1\n", 2, "broken CSV"),
    ("score that is a word", "a.csv", LONG.encode() + b"A,x,1\nA,y,good\n", 3, "'good', expected a number"),
    ("decimal comma", "a.tsv", b"system\titem\tscore\nA\tx\t0,5\n", 2, "decimal point"),
    ("mixed column", "a.csv", b"item,A,B\nx,1,1\ny,0,1O\nz,1,1\n", 3, "'B' holds '1O'"),
    ("empty id", "a.csv", LONG.encode() + b"A,,1\n", 2, "'item' is empty"),
    ("duplicate id", "a.csv", LONG.encode() + b"A,x,1\nB,x,1\nA,x,0\n", 4, r"duplicate id 'x'.*line 2"),
    (
        "several answers",
        "a.csv",
        b"system,item,try,score\nA,x,0,1\nA,x,1,0\n",
        3,
        "sample=try for several answers.*; or make",
    ),
    ("duplicate id, wide", "a.csv", b"item,A\nx,1\nx,0\n", 3, r"duplicate id 'x'.*line 2"),
    (
        "duplicate metric row",
        "a.csv",
        b"system,item,metric,score\nA,x,bleu,1\nA,x,ter,1\nA,x,bleu,2\n",
        4,
        "second row for metric 'bleu'",
    ),
    ("broken JSON", "a.jsonl", b'{"item": "x", "score": 1}\n{"item": "y", \n', 2, "broken JSON"),
    ("JSON list on a line", "a.jsonl", b'{"item": "x", "score": 1}\n[1, 2]\n', 2, "found a list"),
    ("JSON number on a line", "a.jsonl", b"3\n", 1, "found a number"),
    ("list of lists", "a.json", b"[[1, 2], [2, 3]]\n", 1, "found a list"),
    (
        "blank JSON line",
        "a.jsonl",
        b'{"item": "x", "score": 1}\n\n{"item": "y", "score": 1}\n',
        2,
        "blank line",
    ),
    ("score that is a JSON text", "a.jsonl", b'{"item": "x", "score": "0.5"}\n', 1, "expected a number"),
    ("score that is a JSON list", "a.jsonl", b'{"item": "x", "score": [0.5]}\n', 1, "'score' is a list"),
    ("item without id", "a.jsonl", b'{"item": "x", "score": 1}\n{"score": 1}\n', 2, "'item' is empty"),
    ("huge JSON number", "a.jsonl", b'{"item": "x", "score": ' + b"9" * 5000 + b"}\n", 1, "too many digits"),
    ("deep JSON", "a.jsonl", b'{"item": ' + b"[" * 200_000 + b"\n", 1, "too deeply nested|broken JSON"),
    ("half a surrogate pair", "a.jsonl", b'{"item": "\\ud800", "score": 1}\n', 1, "surrogate"),
    ("word among scores", "a.txt", b"0.5\nbad\n0.7\n", 2, "found 'bad', expected one number a line"),
    ("digits with underscore", "a.txt", b"0.5\n1_000\n0.7\n", 2, "'1_000'"),
    ("blank line among scores", "a.txt", b"0.5\n\n0.7\n0.1\n", 2, "blank line"),
    ("two blank lines after scores", "a.txt", b"0.5\n0.7\n0.1\n\n\n", 4, "blank line"),
    ("gold table alone", "a.csv", b"item,gold\nx,1\n", None, "no system among the files"),
]


@pytest.mark.parametrize(("name", "content", "line", "match"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_bad_files_are_named_with_their_line(
    tmp_path: Path, name: str, content: bytes, line: int | None, match: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=match) as caught:
        read([str(path)])
    assert caught.value.line == line
    assert str(path) in str(caught.value)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "baseline.txt").write_text("x\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no such file; did you mean '.*baseline\.txt'"):
        read([str(tmp_path / "basline.txt")])
    for other in ("Online-A.txt", "Online-B.txt", "Online-W.txt", "Online-Y.txt"):
        (tmp_path / other).write_text("x\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"did you mean '[^']*Online-B\.txt'\?"):
        read([str(tmp_path / "ONLINE-b.txt")])


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no directory"):
        read([str(tmp_path / "nowhere" / "a.txt")])


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        read([str(tmp_path)])


@pytest.mark.parametrize("name", ["a\x00b", "x" * 5000])
def test_an_impossible_file_name_is_an_input_error(name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read([name])


def test_an_unknown_reader_suggests_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    with pytest.raises(UsageError, match="unknown reader 'scorez'; did you mean 'scores'"):
        read([str(tmp_path / "a.txt")], reader="scorez")


def test_a_pattern_without_match_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file matches the pattern '.*opt\*'"):
        read([f"A={tmp_path}/opt*"])


@pytest.mark.parametrize("text", ["=a.txt", "A="])
def test_half_a_system_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="write NAME=FILE"):
        read([text])


def test_no_systems_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no system outputs"):
        read([])


def test_a_system_name_cannot_be_given_twice(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    with pytest.raises(UsageError, match="'A' is given twice"):
        read([f"A={tmp_path}/a.txt", f"A={tmp_path}/b.txt"])


def test_a_system_in_two_tables_is_refused(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(LONG + "A,x,1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"'A' \(run '1'\) is given twice"):
        read([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")])


def test_a_table_of_several_systems_cannot_have_one_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(LONG + "A,x,1\nB,x,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds 2 systems"):
        read([f"new={tmp_path}/a.csv"])


def test_a_gold_table_cannot_be_a_system(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,gold\nx,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds gold data"):
        read([f"new={tmp_path}/a.csv"])


def test_a_reference_table_needs_references(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    (tmp_path / "r.csv").write_text("item,text\nx,one\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column of references; found 'item', 'text'"):
        read([str(tmp_path / "a.txt")], references=[str(tmp_path / "r.csv")])


def test_item_descriptions_are_no_plain_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    (tmp_path / "items.txt").write_text("news\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected a table"):
        read([str(tmp_path / "a.txt")], items=str(tmp_path / "items.txt"))


def _survives(path: Path, content: bytes, readers: Sequence[str | None] = (None,)) -> None:
    path.write_bytes(content)
    for reader in readers:
        try:
            found = read([str(path)], reader=reader)
            align(found.runs, found.golds, missing="drop")
        except OutscoreError as error:
            assert str(error)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


SUFFIX = st.sampled_from(["", ".txt", ".csv", ".tsv", ".jsonl", ".gz", ".scores"])


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), suffix=SUFFIX)
def test_random_bytes_raise_nothing_but_our_errors(scratch: Path, content: bytes, suffix: str) -> None:
    _survives(scratch / f"random{suffix}", content, (None, "lines", "scores", "table", "jsonl"))


WORDS = st.sampled_from(
    [
        *(
            "system",
            "item",
            "score",
            "run",
            "metric",
            "output",
            "gold",
            "reference2",
            "domain",
            "A",
            "x",
            "",
            '"',
        ),
        *("1", "0.5", "nan", "inf", "-1e999", "1_0", "true", "\u2028", "\r", "٣", "{", '{"item":1}', "[]"),
        *('{"item": "x", "score": 1}', '{"score": {}}', '{"gold": [1, []]}', "null"),
    ]
)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.lists(WORDS, min_size=1, max_size=4), max_size=6),
    separator=st.sampled_from([",", "\t"]),
    suffix=SUFFIX,
)
def test_broken_tables_raise_nothing_but_our_errors(
    scratch: Path, rows: list[list[str]], separator: str, suffix: str
) -> None:
    text = "\n".join(separator.join(row) for row in rows)
    _survives(scratch / f"broken{suffix}", text.encode(), (None, "table", "jsonl"))
