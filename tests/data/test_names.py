"""Systems have names that can be told apart, and runs are no copies of one another unnoticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import outscore
from tests.cli.commandline import outscore as command

TWINS = [
    ("base", "base "),
    ("base", " base"),
    ("big base", "big  base"),
    ("big base", "big\u00a0base"),
    ("caf\u00e9", "cafe\u0301"),
    ("base", "ba\u200bse"),
    ("base", "base\u200e"),
]
SCORES = [0.1, 0.5, 0.3, 0.9]


@pytest.mark.parametrize(("one", "two"), TWINS)
def test_names_that_look_the_same_are_refused_as_they_are_written(tmp_path: Path, one: str, two: str) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{s},{i},{v}" for s in (one, two, "new") for i, v in enumerate(SCORES)]
    file.write_text("\n".join(["system,item,score", *rows]) + "\n", encoding="utf-8")
    done = command("compare", file)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    first, second = (ascii(name).replace("  ", " \\x20") for name in (one, two))
    assert f"{file}: the systems {first} and {second} look the same" in done.err
    with pytest.raises(outscore.InputError, match="look the same"):
        outscore.compare({one: SCORES, two: SCORES[::-1]})
    with pytest.raises(outscore.InputError, match="look the same"):
        outscore.compare({one: SCORES, two: SCORES[::-1]}, test="welch")


def test_a_system_whose_rows_have_two_spellings_is_not_halved(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{s}{' ' * (i % 2)},{i},{v}" for s in ("base", "new") for i, v in enumerate(SCORES)]
    file.write_text("\n".join(["system,item,score", *rows]) + "\n", encoding="utf-8")
    assert "the systems 'base' and 'base ' look the same" in command("compare", file, "--missing", "zero").err


def test_blanks_around_the_equals_sign_belong_to_no_name(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.seg").write_text("1\n0\n1\n", encoding="utf-8")
    found = outscore.read([f"A = {tmp_path}/a.seg", f"B= {tmp_path}/b.seg "])
    assert found.systems == ("A", "B")
    (tmp_path / " a.seg").write_text("0\n0\n1\n", encoding="utf-8")
    assert outscore.read([f"A={tmp_path}/ a.seg", f"B={tmp_path}/b.seg"]).by_run["A", "1"].columns["score"][0] == 0


def test_names_that_are_seen_to_differ_are_names() -> None:
    found = outscore.compare({"base": SCORES, "Base": SCORES[::-1], "b\u00e4se": SCORES}, n_resamples=50)
    assert len(found.pairs) == 2


def test_a_pattern_that_catches_copies_makes_runs_of_them_with_a_note(tmp_path: Path) -> None:
    for name in ("o.txt", "o.txt~", "o.txt.bak"):
        (tmp_path / name).write_text("".join(f"{v}\n" for v in SCORES), encoding="utf-8")
    for name in ("b.1.txt", "b.2.txt"):
        (tmp_path / name).write_text(
            "".join(f"{v + len(name) / 9 * (name > 'b.2')}\n" for v in SCORES), encoding="utf-8"
        )
    done = command("compare", f"b={tmp_path}/b.*.txt", f"o={tmp_path}/o.txt*", "-f", "json")
    (text,) = (note["text"] for note in json.loads(done.out)["notes"] if note["code"] == "runs_alike")
    assert all(str(tmp_path / name) in text for name in ("o.txt", "o.txt~", "o.txt.bak"))
    assert "'o'" in text and "'b'" not in text
    done = command("compare", f"b={tmp_path}/b.*.txt", f"o={tmp_path}/o.txt", "-f", "json")
    assert "runs_alike" not in [note["code"] for note in json.loads(done.out)["notes"]]


def test_a_file_that_is_given_under_two_names_is_named_as_such(tmp_path: Path) -> None:
    """Once for all runs; columns and rows of one table that differ are no such, and copies speak for themselves."""
    base, copy, other, table = (tmp_path / name for name in ("base.1.txt", "copy.txt", "base.2.txt", "t.csv"))
    for file in (base, copy, other):
        file.write_text("".join(f"{v + (file == other)}\n" for v in SCORES), encoding="utf-8")
    rows = "".join(f"{i},{v},{v},{v + 1}\n" for i, v in enumerate(SCORES))
    table.write_text(f"item,a,b,c\n{rows}", encoding="utf-8")

    def said(*files: str | Path) -> list[str]:
        found = json.loads(command("compare", *files, "-f", "json").out)
        return [note["text"] for note in found["notes"] if note["code"] == "runs_alike"]

    assert said(f"a={base}", f"c={other}", f"b={base}") == [f"'a', 'b' are the same, read of '{base}'"]
    runs = f"{tmp_path}/base.*"
    assert said(f"a={runs}", f"b={runs}") == [f"'a', 'b' are the same, read of '{base}', '{other}'"]
    assert said(f"a={table}#a", f"b={table}#a") == [f"'a', 'b' are the same, read of '{table}'"]
    assert said(f"a={base}", f"b={copy}") == said(f"a={base}", f"b={other}") == said(table) == []


def test_a_system_that_is_named_is_not_joined_with_one_that_a_file_calls_so(tmp_path: Path) -> None:
    """Neither tasks of a folder beside a pattern nor runs of a table: they would be joined by their places."""
    row = '{{"doc_id": {}, "doc": {{"q": {}}}, "target": "a", "resps": [], "filtered_resps": [], "acc": {}}}\n'
    for folder, task in (("runs", "one"), ("A", "two"), ("B", "one"), ("B", "two")):
        file = tmp_path / folder / f"samples_{task}_2026-01-01T00-00-00.000000.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(row.format(i, i, i % len(task + folder) % 2) for i in range(9)), encoding="utf-8")
    (one,), (two,) = ([*(tmp_path / folder).iterdir()] for folder in ("runs", "A"))
    other = f"B={tmp_path}/B/samples*"
    done = command("compare", f"A={tmp_path}/runs/*", f"{tmp_path}/A/{two.name}", other)
    assert (done.code, f"the system 'A' is given by name, and {two} holds one" in done.err) == (2, True), done.err
    assert done.err.rstrip().endswith(f"give all together: A={one},{two}")
    assert command("compare", f"A={one},{two}", other).code == 0
    (tmp_path / "t.csv").write_text("system,run,item,score\nA,s1,x,1\nB,s1,x,0\n", encoding="utf-8")
    (tmp_path / "x.csv").write_text("item,score\nx,1\n", encoding="utf-8")
    done = command("compare", f"A={tmp_path}/x.csv", tmp_path / "t.csv")
    assert "call the one that you name otherwise" in done.err
    assert command("compare", f"C={tmp_path}/x.csv", tmp_path / "t.csv").code == 0


RUNS_OF_TWO = [
    ("base.opt0 base.opt1 new.opt0 new.opt1", "base", "base.opt*.txt"),
    ("base_1 base_2 new_1 new_2", "base", "base_*.txt"),
    ("other a-seed1 a-seed2", "a", "a-seed*.txt"),
    ("gpt-4 gpt-5 claude-4 claude-5", "", ""),
    ("system1 system2 system3", "", ""),
    ("base.epoch1 base.epoch2 new.epoch1 new.epoch2", "", ""),
    ("m-v1 m-v2 n-v1 n-v2", "", ""),
    ("base.0 base.1 new.3 new.4", "", ""),
    ("base.0 base.1 new other", "", ""),
]


@pytest.mark.parametrize(("names", "stem", "pattern"), RUNS_OF_TWO)
def test_files_of_several_stems_with_the_same_numbers_look_like_runs(
    tmp_path: Path, names: str, stem: str, pattern: str
) -> None:
    files = [tmp_path / f"{name}.txt" for name in names.split()]
    for k, file in enumerate(files):
        file.write_text("".join(f"{v + k / 7}\n" for v in SCORES), encoding="utf-8")
    done = command("compare", *files, "-f", "json")
    said = [note["remedy"] for note in json.loads(done.out)["notes"] if note["code"] == "runs_as_systems"]
    together = f"{stem}='{tmp_path / pattern}'"
    assert said == [f"give the runs of a system together: {together}"] * bool(stem)
    if stem:
        assert len(outscore.read([together.replace("'", "")]).by_run) == 2
