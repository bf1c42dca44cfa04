"""Bad input of every kind ends in one clear line on stderr and exit code 2 or 3; nothing else is left behind.

Lines that click itself writes for a wrong option come with its usage lines, so there the last line counts.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.commandline import (
    REFERENCES,
    Done,
    environment,
    in_a_process,
    nothing_new,
    numbers,
    outscore,
    texts,
    written,
)
from tests.examples import first

LONG = "system,item,score\n"
SEG = b"1\n0\n1\n1\n0\n"
FOUR = "".join(f"{line}\n" for line in REFERENCES).encode()


@dataclass(frozen=True)
class Bad:
    """One wrong call: files to write, arguments (``@`` stands for the folder), what must happen."""

    name: str
    arguments: tuple[str, ...]
    code: int
    says: str
    files: dict[str, bytes] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


def two(name: str, base: bytes, says: str, code: int = 3, suffix: str = "seg") -> Bad:
    """A baseline file with these bytes against a sound file of numbers."""
    arguments = (f"base=@/base.{suffix}", "new=@/new.seg")
    return Bad(name, arguments, code, says, {f"base.{suffix}": base, "new.seg": SEG})


def table(name: str, content: str, says: str, *options: str, code: int = 3, suffix: str = "csv") -> Bad:
    """One table."""
    return Bad(name, (f"@/t.{suffix}", *options), code, says, {f"t.{suffix}": content.encode()})


def option(name: str, says: str, *options: str, code: int = 2) -> Bad:
    """Two sound files of numbers and wrong options."""
    return Bad(name, ("base=@/base.seg", "new=@/new.seg", *options), code, says, {"base.seg": SEG, "new.seg": SEG})


def text(name: str, says: str, *options: str, code: int = 2) -> Bad:
    """Two sound files of texts with references and wrong options."""
    files = {"ref.txt": FOUR, "base.txt": FOUR, "new.txt": FOUR}
    return Bad(name, ("-r", "@/ref.txt", "base=@/base.txt", "new=@/new.txt", *options), code, says, files)


TWO = ("-m", "bleu,chrf", "--margin")
COLUMNS = "system,item,latency,f1\na,1,0.5,0.1\na,2,0.25,1\nb,1,1,0\nb,2,2,0.75\n"
RUNS = {"b1.seg": SEG, "b2.seg": b"1\n1\n1\n0\n0\n", "n1.seg": SEG, "n2.seg": SEG, "n3.seg": b"0\n0\n1\n1\n1\n"}

CASES = [
    # the data: exit code 3
    Bad(
        "missing file",
        ("base=@/base.seg", "new=@/nwe.seg"),
        3,
        "no such file.*'.*new.seg'",
        {"base.seg": SEG, "new.seg": SEG},
    ),
    Bad(
        "missing reference",
        ("-r", "@/refs.txt", "@/a.txt", "@/b.txt"),
        3,
        "no such file",
        {"a.txt": FOUR, "b.txt": FOUR},
    ),
    Bad("a directory", ("base=@", "new=@/new.seg"), 3, "is a directory", {"new.seg": SEG}),
    Bad("no match", ("base=@/zz*", "new=@/new.seg"), 3, "no file matches", {"new.seg": SEG}),
    two("fewer lines", b"1\n0\n", r"2 .*5|5 .*2"),
    Bad(
        "reference shorter",
        ("-r", "@/ref.txt", "@/a.txt", "@/b.txt"),
        3,
        "3",
        {"ref.txt": b"a\nb\nc\n", "a.txt": FOUR, "b.txt": FOUR},
    ),
    two("NaN", b"1\nnan\n1\n1\n0\n", "2"),
    two("infinity", b"1\n0\ninf\n1\n0\n", "3"),
    two("empty file", b"", "the file is empty"),
    two("blank number", b"1\n\n1\n1\n0\n", r"base.seg:2: .*blank"),
    two("mixed types", b"1\n0\ngood\n1\n0\n", r"base.seg:3: .*'good'"),
    two("invalid UTF-8", b"1\n0\n\xff\n1\n0\n", r"base.seg:3: .*UTF-8"),
    two("UTF-16", "1\n0\n".encode("utf-16"), "UTF-16.*iconv"),
    two("truncated gzip", gzip.compress(SEG * 500)[:-12], "gzip", suffix="seg.gz"),
    two("zip archive", b"PK\x03\x04aaaa", "zip"),
    table("duplicate id", LONG + "a,x,1\nb,x,1\na,x,0\n", r"t.csv:4: duplicate id 'x'"),
    table("no item column", "system,score\na,1\nb,1\n", r"t.csv:1: .*item"),
    table("no scores", "system,item,comment\na,x,good\nb,x,bad\n", "score"),
    table("only a header", LONG, "no rows"),
    table("a word for a number", LONG + "a,x,1\na,y,good\nb,x,1\nb,y,0\n", r"t.csv:3: .*'good'"),
    table("a decimal comma", "system\titem\tscore\na\tx\t0,5\nb\tx\t1\n", "decimal point", suffix="tsv"),
    table("a comma that can mean either", LONG + 'a,x,"1,027"\nb,x,"1,100"\n', "write 1027, or a decimal point"),
    two("a comma that can mean either", b"1,027\n1,100\n", "base.seg:1: found '1,027'.*write 1027, or a decimal point"),
    two("numbers that end in CR alone", b"1\r0\r1\r1\r0\r", "base.seg:1: lines end in CR alone"),
    table("underscores in a number", LONG + "a,x,1_0\nb,x,1\n", "t.csv:2: .*'1_0', expected a number"),
    table("semicolons", "item;a;b\nx;0,5;1\ny;1;0\n", r"t.csv:2: .*'0,5', expected a number; write a decimal point"),
    table("lines that end in CR alone", "item,a,b\rx,0.5,1\ry,1,0\r", r"t.csv:1: .*CR alone"),
    table("a short row", LONG + "a,x,1\nb,x\n", r"t.csv:3: .*2 cells"),
    table("an item missing", LONG + "a,x,1\na,y,1\nb,x,0\n", "y"),
    table(
        "a key twice",
        '{"system": "a", "item": "x", "score": 1, "item": "y"}\n',
        r"t.jsonl:1: an object has the key 'item' twice",
        suffix="jsonl",
    ),
    table("a list of items without scores", '[\n{"item": "x"},\n{"item": "y"}\n]\n', "hold gold data", suffix="json"),
    table(
        "a result that was saved",
        '{"schema_version": 2, "command": "compare", "scores": [], "provenance": {}}',
        "a result that was saved, which holds no items; give the outputs or scores that it was made of",
        suffix="json",
    ),
    table("an object of no rows", '{\n"a": {"item": 1},\n"b": 2}\n', "found an object, expected rows", suffix="json"),
    table("averages", '{"accuracy": 0.7, "loss": 0.2}\n', "an object of averages", suffix="json"),
    table(
        "an average and its samples",
        '{"score": 0.7, "htmls": ["a"]}\n',
        "found an object, expected rows",
        suffix="json",
    ),
    table(
        "rows in two places",
        '{"dev": [{"id": 1, "f1": 1}, {"id": 2, "f1": 0}], "test": [{"id": 3, "f1": 1}, {"id": 4, "f1": 0}]}',
        "rows stand at 'dev' .2 with 'id', 'f1'., 'test' .*--reader 'json:rows=dev,item=id,score=f1'",
        suffix="json",
    ),
    table(
        "values of systems that have no item in common",
        '{"a": {"x": 1}, "b": {"y": 0}, "c": {"z": 0}}',
        r"\{query: \{document: score\}\}",
        suffix="json",
    ),
    table(
        "more lists than values",
        '{"a": [1, 0], "b": [1, 1], "c": [0, 1]}',
        r"3 lists of 2 values.*'json:rows=\*,item=@1,sample=@2,score=@'",
        suffix="json",
    ),
    table(
        "averages with errors",
        '{"t": {"acc": 0.7, "stderr": 0.1}, "u": {"acc": 0.6, "stderr": 0.1}}',
        "averages with their 'stderr'",
        suffix="json",
    ),
    table(
        "averages of splits",
        '{"dev": {"acc": 0.7}, "test": {"acc": 0.6}}',
        "found values of 'dev', 'test'",
        suffix="json",
    ),
    table("lists of two lengths", '{"a": [1, 0], "b": [1]}', "different lengths .'a: 2', 'b: 1'.", suffix="json"),
    table(
        "an instance both resolved and unresolved",
        '{"total_instances": 1, "submitted_ids": ["a__b-1"], "resolved_ids": ["a__b-1"], "unresolved_ids": ["a__b-1"]}',
        "1 instance both in resolved_ids and in unresolved_ids, first 'a__b-1'",
        suffix="json",
    ),
    table(
        "broken JSON lines",
        '{"system": "a", "item": "x", "score": 1}\n{oops\n',
        r"t.jsonl:2: broken JSON",
        suffix="jsonl",
    ),
    table("no item in common", LONG + "a,x,1\nb,y,0\n", "x|y"),
    table("five as accuracy", LONG + "a,x,5\nb,x,1\n", "accuracy reads scores from 0 to 1", "-m", "accuracy"),
    table("a column that is not there", LONG + "a,x,1\nb,x,0\n", "did you mean 'score'", "-m", "mean:column=scroe"),
    option("BLEU of numbers", "bleu reads texts", "-m", "bleu", code=3),
    option("items file missing", "no such file", "--items", "@/none.tsv", code=3),
    option("folder missing", "cannot write here", "-o", "@/none/result.json", code=3),
    Bad(
        "texts without references",
        ("@/a.txt", "@/b.txt", "-m", "bleu"),
        3,
        "-r REFERENCE_FILE",
        {"a.txt": FOUR, "b.txt": FOUR},
    ),
    # the call: exit code 2
    Bad("one system", ("base=@/base.seg",), 2, "at least two", {"base.seg": SEG}),
    Bad("the same system twice", ("a=@/base.seg", "a=@/base.seg"), 2, "given twice", {"base.seg": SEG}),
    Bad("a name without a file", ("base=", "new=@/new.seg"), 2, "has no file", {"new.seg": SEG}),
    Bad("stdin twice", ("base=-", "new=-"), 2, "only once"),
    Bad("no files", ("-m", "bleu"), 2, "no systems"),
    option("unknown metric", "did you mean 'mean'", "-m", "meen"),
    option("no metric", "name one with -m", "-m", ","),
    text("a metric that may be two", "may be exact_match or squad_em", "-m", "em"),
    text("unknown metric for texts", "did you mean 'bleu'", "-m", "blue"),
    text("unknown metric option", "did you mean 'tokenize'", "-m", "bleu:tokenise=13a"),
    text("unknown tokenizer", "did you mean 'intl'", "-m", "bleu:tokenize=int"),
    text("a word for a number in an option", "expected int", "-m", "chrf:word_order=two"),
    text("a word for a truth value", "true or false", "-m", "ter:normalized=maybe"),
    text("a metric twice", "given twice", "-m", "bleu,bleu"),
    option("an option without a value", "name:option=value", "-m", "mean:lower"),
    option("a required option missing", "ratio:den=", "-m", "ratio:num=score"),
    option("unknown test", "did you mean 'bootstrap'", "--test", "bootstap"),
    option("unknown test option", "has no option", "--test", "t:sides=2"),
    option("unknown value of a test option", "did you mean 'percentile'", "--test", "bootstrap:form=percentil"),
    option("z without sigma", "z:sigma=", "--test", "z"),
    option("crossed with single runs", "--test auto", "--test", "crossed"),
    text("McNemar on BLEU", "mcnemar", "-m", "bleu", "--test", "mcnemar"),
    text("t on BLEU", "--test randomization", "-m", "bleu", "--test", "t"),
    Bad("multeval with unequal runs", ("b=@/b*.seg", "n=@/n*.seg", "--test", "multeval"), 2, "3 and 2", RUNS),
    Bad("max-t with runs", ("b=@/b*.seg", "n=@/n*.seg", "--correct", "max-t"), 2, "holm", RUNS),
    option("unknown correction", "did you mean 'holm'", "--correct", "hol"),
    option("unknown format", "did you mean 'latex'", "-f", "latx"),
    option("unknown suffix", ".json", "-o", "@/result.docx"),
    option("no suffix", "no suffix", "-o", "@/result"),
    option("unknown baseline", "did you mean 'base'", "--baseline", "bas"),
    option("unknown cluster column", "no column describes the items: add one to the table", "--cluster", "document"),
    option("unknown buckets", "no such column; did you mean 'length'", "--by", "lenght"),
    option("buckets by what compared systems scored", "find differences between equal systems", "--by", "difficulty"),
    option("buckets of words without tags", "counts no such words", "--by", "pos"),
    text("one bucket", "all items are in one bucket", "--by", "length:edges=10000"),
    option("buckets by edges that fall", "rising numbers", "--by", "length:edges=9+3"),
    option("one part", "2 or more", "--by", "length:parts=1"),
    option("an option of other buckets", "has no option 'train'", "--by", "length:train=ref.txt"),
    text("no training text", "no such file", "--by", "frequency:train=@/none.txt", code=3),
    option("unknown reader", "did you mean 'table'", "--reader", "tables"),
    option("alpha of 0", "between 0 and 1", "--alpha", "0"),
    option("alpha of 5", "between 0 and 1", "--alpha", "5"),
    option("alpha that is no number", "between 0 and 1", "--alpha", "nan"),
    text("margins after a colon", "write --margin bleu=1,chrf=2$", *TWO, "bleu:1", "--margin", "chrf: 2"),
    text("margins with a blank between them", "write --margin bleu=1,chrf=2%$", *TWO, "bleu=1 chrf=2%"),
    text("margins without metrics", "write --margin bleu=1,chrf=2$", *TWO, "1,2"),
    text("a margin of one metric of two", "write --margin bleu=1,chrf=NUMBER$", *TWO, "BLEU:1"),
    text("a margin of no metric", "did you mean 'bleu'", *TWO, "BLUE=1"),
    option("a margin by the name of a column", "write --margin 0.02$", "--margin", "accuracy:0.02"),
    option("a margin with a decimal comma", "write --margin 0.02$", "--margin", "0,02"),
    option("a margin of nothing", "expected a number above 0 in the unit of mean", "--margin", "mean=0"),
    table("several columns of numbers", COLUMNS, "as in -m f1", code=2),
    Bad("a column picked as a system", ("@/t.csv#f1",), 3, "is a column: .* -m f1", {"t.csv": COLUMNS.encode()}),
    option(
        "a metric of labels on scores",
        "gold ones, -r FILE; right and wrong as 1 and 0 take -m mean",
        "-m",
        "f1",
        code=3,
    ),
    option("z by the name of a test of proportions", "or take t, which needs none", "--test", "z-test"),
    option("a gate by its name in trials", "did you mean 'not-worse'", "--fail-unless", "noninferior"),
    Bad("blanks around =", ("base", "=", "@/base.seg"), 2, "without blanks around =", {"base.seg": SEG}),
    # what click itself refuses
    option("a word for a seed", "'abc' is not a valid integer[.]", "--seed", "abc"),
    option("unknown option", "No such option", "--resample", "10"),
    option("no resamples", "a number of 2 or more nor auto", "-n", "0"),
    option("negative seed", "not in the range", "--seed", "-1"),
    option("a word for a number of resamples", "a number of 2 or more nor auto", "-n", "many"),
    option("unknown alternative", "'two-sided', 'greater', 'less'", "--alternative", "better"),
    option("too many decimals", "not in the range", "--decimals", "99"),
    option("too few columns", "not in the range", "-w", "4"),
]


def call(case: Bad, folder: Path, run: Callable[..., Done] = outscore) -> Done:
    """Writes the files and calls ``compare``."""
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    return run("compare", *(a.replace("@", str(folder)) for a in case.arguments))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_bad_input_is_one_clear_line(case: Bad, tmp_path: Path) -> None:
    for name, content in case.files.items():
        (tmp_path / name).write_bytes(content)
    with nothing_new(tmp_path):
        done = call(case, tmp_path)
    assert done.code == case.code, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert "Warning" not in done.err
    assert re.search(case.says, done.complaint), done.err
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("outscore: error: ")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_bad_input_writes_no_output_file(case: Bad, tmp_path: Path) -> None:
    if "-o" in case.arguments:
        pytest.skip("the case is about the output file")
    for name, content in case.files.items():
        (tmp_path / name).write_bytes(content)
    with nothing_new(tmp_path):
        done = outscore(
            "compare", *(a.replace("@", str(tmp_path)) for a in case.arguments), "-o", tmp_path / "out.json"
        )
    assert done.code == case.code


@pytest.mark.parametrize(
    "name",
    first(
        ["missing file", "unknown metric", "invalid UTF-8", "truncated gzip", "unknown option"],
        *("invalid UTF-8", "unknown option"),
        others=pytest.mark.slow,
    ),
)
def test_a_process_ends_as_main_says(name: str, tmp_path: Path) -> None:
    case = next(c for c in CASES if c.name == name)
    done = call(case, tmp_path, in_a_process)
    assert (done.code, done.out) == (case.code, "")
    assert "Traceback" not in done.err
    assert re.search(case.says, done.complaint)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_a_full_disk_behind_the_standard_output_is_one_line(tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", "outscore", "compare", *numbers(tmp_path)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            arguments, stdout=full, stderr=subprocess.PIPE, env=environment(), encoding="utf-8", check=False
        )
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "cannot write to the standard output" in done.stderr


METRIC_VALUES = [
    "bleu:max_order=0",
    "bleu:max_order=-1",
    "bleu:smooth=floor,smooth_value=nan",
    "bleu:smooth=add-k,smooth_value=-1",
    "chrf:char_order=0",
    "chrf:char_order=-2",
    "chrf:word_order=-1",
]
COUNT_VALUES = ["fbeta:beta=nan", "fbeta:beta=inf", "fbeta:beta=1e200", "ratio:num=tp,den=fp,scale=nan"]


@pytest.mark.parametrize("command", ["compare {} b.txt -m mean", "demo {}", "demo here"])
def test_a_name_that_no_file_can_have_is_one_clear_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is too long, or a folder has it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here" / "ref.txt").mkdir(parents=True)
    done = outscore(*command.format("a" * 300).split())
    assert (done.code, done.out) == (3, "")
    assert done.complaint.startswith("outscore: error: ")


@pytest.mark.parametrize("metric", METRIC_VALUES)
def test_a_metric_option_outside_its_range_is_a_usage_error(metric: str, tmp_path: Path) -> None:
    done = call(text("", "", "-m", metric), tmp_path)
    assert done.code == 2, done.out or done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("metric", COUNT_VALUES)
def test_an_option_of_a_count_metric_outside_its_range_is_a_usage_error(metric: str, tmp_path: Path) -> None:
    rows = "".join(f"{s},{i},{i % 2},{i % 3},1\n" for s in "ab" for i in range(6))
    done = call(table("", "system,item,tp,fp,fn\n" + rows, "", "-m", metric), tmp_path)
    assert done.code == 2, done.out or done.err
    assert len(done.err.splitlines()) == 1


def test_a_tokenizer_that_needs_a_library_says_so_with_exit_code_4(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    try:
        import MeCab  # type: ignore[import-not-found,unused-ignore]  # noqa: F401
    except ImportError:
        done = call(text("", "", "-m", "bleu:tokenize=ja-mecab"), tmp_path)
        assert done.code == 4, done.err[-500:]
        assert len(done.err.splitlines()) == 1
        assert "install" in done.err
    else:
        pytest.skip("MeCab is installed")


def test_too_few_words_for_an_ngram_order_are_no_reason_for_warnings(tmp_path: Path) -> None:
    short = {"ref.txt": b"a b\nc d\ne\n", "base.txt": b"a b\nc\ne\n", "new.txt": b"a\nc d\ne\n"}
    bad = Bad("", ("-r", "@/ref.txt", "base=@/base.txt", "new=@/new.txt", "-m", "bleu"), 0, "", short)
    done = call(bad, tmp_path, in_a_process)
    assert done.code == 0
    assert done.err == ""
    assert "nan" not in done.out.lower()


def test_one_item_gives_a_result_with_a_note_and_no_test(tmp_path: Path) -> None:
    base, new = written(tmp_path / "base.seg", ["0.5"]), written(tmp_path / "new.seg", ["0.75"])
    for test in ("t", "bootstrap"):
        done = outscore("compare", f"base={base}", f"new={new}", "--test", test, "-f", "json")
        assert done.code == 0
        pair = json.loads(done.out)["pairs"][0]
        assert (pair["p_value"], pair["p_adjusted"], pair["ci"]) == (None, None, None)
        assert "n_too_small" in pair["notes"]


@pytest.mark.parametrize("command", [["shwo"], ["compar", "a", "b"], ["plot"]])
def test_an_unknown_command_lists_the_commands(command: list[str]) -> None:
    done = outscore(*command)
    assert (done.code, done.out) == (2, "")
    assert "compare" in done.complaint
    assert "show" in done.complaint


def broken(change: Callable[[dict[str, object]], object]) -> Callable[[str], str]:
    """A saved result after one change."""

    def make(saved: str) -> str:
        data = json.loads(saved)
        change(data)
        return json.dumps(data)

    return make


SAVED: list[tuple[str, Callable[[str], str], str]] = [
    ("cut short", lambda saved: saved[: len(saved) // 2], "not JSON"),
    ("no JSON at all", lambda saved: "a,b\n1,2\n", "not JSON"),
    ("empty", lambda saved: "", "not JSON"),
    ("a list", lambda saved: "[]", "not a saved result"),
    (
        "another command",
        broken(lambda d: d.update(command="weather")),
        "'weather', which no package here knows",
    ),
    ("a later schema", broken(lambda d: d.update(schema_version=99)), "schema_version is 99, expected 2"),
    ("no pairs", broken(lambda d: d.pop("pairs")), "not whole"),
    ("no provenance", broken(lambda d: d.pop("provenance")), "not whole"),
    ("an unknown key", broken(lambda d: d.update(colour="red")), "not whole"),
    ("scores of another shape", broken(lambda d: d.update(scores=[1, 2])), "not whole"),
    ("a gain that is a text", broken(lambda d: d["pairs"][0].update(gain="much")), "not whole"),  # type: ignore[index]
    ("an interval of one end", broken(lambda d: d["pairs"][0].update(ci=[1.0])), "not whole"),  # type: ignore[index]
    ("a baseline that is none", broken(lambda d: d["pairs"][0].update(baseline="x")), "not whole"),  # type: ignore[index]
]


@pytest.mark.parametrize(("name", "change", "says"), SAVED, ids=[name for name, _, _ in SAVED])
@pytest.mark.parametrize("format_", ["terminal", "csv", "latex"])
def test_a_broken_saved_result_is_one_clear_line(
    name: str, change: Callable[[str], str], says: str, format_: str, tmp_path: Path
) -> None:
    saved = tmp_path / "result.json"
    assert outscore("compare", *numbers(tmp_path), "-o", saved, "-q").code == 0
    saved.write_text(change(saved.read_text(encoding="utf-8")), encoding="utf-8")
    done = outscore("show", saved, "-f", format_)
    assert (done.code, done.out) == (3, ""), done.err[-300:]
    assert len(done.err.splitlines()) == 1
    assert re.search(says, done.err), done.err
    assert str(saved) in done.err


@pytest.mark.parametrize(("content", "says"), [(None, "cannot read"), (b"\xff\xfe{", "not UTF-8")])
def test_a_saved_result_that_cannot_be_read_is_one_clear_line(content: bytes | None, says: str, tmp_path: Path) -> None:
    saved = tmp_path / "result.json"
    if content is not None:
        saved.write_bytes(content)
    done = outscore("show", saved)
    assert (done.code, done.out) == (3, "")
    assert says in done.err


def test_show_does_not_overwrite_what_it_reads(tmp_path: Path) -> None:
    saved = tmp_path / "result.json"
    outscore("compare", *numbers(tmp_path), "-o", saved, "-q")
    with nothing_new(tmp_path):
        done = outscore("show", saved, "-o", saved)
    assert done.code == 3
    assert "overwritten" in done.err


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    arguments = numbers(tmp_path)
    folder.mkdir(mode=0o500)
    with nothing_new(folder):
        done = outscore("compare", *arguments, "-o", folder / "result.json")
    assert (done.code, done.out) == (3, "")
    assert "cannot write here" in done.complaint


@pytest.mark.parametrize("target", ["folder.json", "file.txt/result.json"])
def test_an_output_that_is_no_file_is_refused_whole(target: str, tmp_path: Path) -> None:
    arguments = numbers(tmp_path)
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file.txt").write_text("kept", encoding="utf-8")
    with nothing_new(tmp_path):
        done = outscore("compare", *arguments, "-o", tmp_path / target)
    assert (done.code, done.out) == (3, ""), done.err
    assert len(done.err.splitlines()) == 1


HOSTILE = ["\x1b[31mred\x1b[0m", "two\nlines", "bell\x07", "\x9b31m", "tab\tand\rreturn", "\u202eright-to-left"]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_hostile_name_reaches_the_terminal_only_without_its_power(name: str, tmp_path: Path) -> None:
    base, new = (a.partition("=")[2] for a in numbers(tmp_path))
    calls = [
        ("compare", f"{name}={base}", f"new={new}"),
        ("compare", f"base={base}", f"{name}={new}", "-f", "markdown"),
        ("compare", f"base={base}", f"new={new}", "--baseline", name),
        ("compare", f"base={base}", f"new={new}", "-m", name),
        ("compare", f"base={base}", f"new={new}", "--test", name),
        ("compare", f"base={base}", f"new={new}", "-f", name),
        ("compare", f"base={base}", f"new={tmp_path / name.replace('/', '')}"),
        ("compare", f"base={base}", f"new={new}", "--alternative", name),
        ("compare", f"base={base}", f"new={new}", f"--{name}"),
        (name,),
        ("show", str(tmp_path / name)),
    ]
    for arguments in calls:
        done = outscore(*arguments)
        printed = done.out + done.err
        assert "Traceback" not in printed
        wild = {c for c in printed if not c.isprintable() and c != "\n"}
        assert not wild, (arguments, wild, printed[-300:])
        if done.code and not done.err.startswith("Usage:"):
            assert len(done.err.splitlines()) == 1


def test_hostile_names_in_files_reach_the_terminal_only_without_their_power(tmp_path: Path) -> None:
    systems = [f"s{i}{name}" for i, name in enumerate(HOSTILE)]
    rows = [json.dumps({"system": s, "item": f"{i}{s}", "score": "x"}) for s in systems for i in range(2)]
    source = written(tmp_path / "scores.jsonl", rows)
    done = outscore("compare", source)
    assert done.code == 3
    assert len(done.err.splitlines()) == 1
    assert all(c.isprintable() or c == "\n" for c in done.err)
    good = [json.dumps({"system": s, "item": i, "score": (i * k) % 3}) for k, s in enumerate(systems) for i in range(9)]
    done = outscore("compare", written(source, good))
    assert done.code == 0
    assert all(c.isprintable() or c == "\n" for c in done.out + done.err)


def test_the_texts_of_the_small_comparison_are_sound(tmp_path: Path) -> None:
    """The cases above fail for what they name, not for the files they share."""
    assert outscore("compare", *texts(tmp_path), "-m", "bleu").code == 0
    assert outscore("compare", *numbers(tmp_path)).code == 0
