"""``--exclude``: systems that are left out as if they had not been given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .commandline import outscore, written

ROWS = {"whole": "1110101101", "other": "1011110111", "broken-1": "10", "broken-2": "011"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    lines = ["system,item,score"]
    lines += [f"{system},q{i},{score}" for system, scores in ROWS.items() for i, score in enumerate(scores)]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("options", [["broken-*"], ["broken-1", "broken-2"]])
def test_what_is_excluded_costs_nobody_an_item(table: Path, options: list[str]) -> None:
    chosen = [word for name in options for word in ("--exclude", name)]
    done = outscore("compare", table, *chosen, "-f", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert {pair["n_items"] for pair in found["pairs"]} == {10}
    assert {score["system"] for score in found["scores"]} == {"whole", "other"}


def test_a_name_that_reads_like_a_pattern_is_first_of_all_a_name(tmp_path: Path) -> None:
    names = ("base", "sys[1]", "sys1")
    rows = [f"{system},q{i},{(i * 3 + k) % 7}" for k, system in enumerate(names) for i in range(6)]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["system,item,score", *rows]) + "\n", encoding="utf-8")
    found = json.loads(outscore("compare", file, "--exclude", "sys[1]", "-f", "json").out)
    assert {score["system"] for score in found["scores"]} == {"base", "sys1"}


def test_without_it_the_incomplete_are_named(table: Path) -> None:
    done = outscore("compare", table)
    assert done.code == 3
    assert "broken-1" in done.err
    dropped = outscore("compare", table, "--missing", "drop")
    assert "! 8 of 10 items were left out for what systems lack" in dropped.out
    assert "8 of 10 dropped" in dropped.out
    dropped = outscore("compare", table, "--missing", "drop", "-v")
    assert "7 absent from system 'broken-1' (run '1'), system 'broken-2' (run '1')" in " ".join(dropped.out.split())


def test_a_name_that_nobody_has_is_refused(table: Path) -> None:
    done = outscore("compare", table, "--exclude", "brokn-1")
    assert done.code == 2
    assert "did you mean 'broken-1'" in done.err


def test_somebody_must_be_left(table: Path) -> None:
    done = outscore("compare", table, "--exclude", "*")
    assert done.code == 2
    assert "leaves none of 4 systems" in done.err


def test_systems_that_only_some_data_sets_hold_are_named_with_what_leaves_them_out(tmp_path: Path) -> None:
    for name, systems in (("one", "a,b,c"), ("two", "a,b"), ("three", "b,a,d")):
        written(tmp_path / f"{name}.csv", [f"item,{systems}", *(f"q{i},{i % 2},{i % 3 == 0:d},1" for i in range(20))])
    written(tmp_path / "two.csv", ["item,a,b", *(f"q{i},{i % 2},{i % 3 == 0:d}" for i in range(20))])
    call = ["replicate", "--sets", str(tmp_path / "*.csv"), "-m", "accuracy", "-f", "json", "-n", "99"]
    out = ["--exclude", "c", "--exclude", "d"]
    assert f"or leave out what some lack: {' '.join(out)}" in outscore(*call).err
    done = outscore(*call, *out)
    assert done.code == 0, done.err
    assert {gain["system"] for gain in json.loads(done.out)["set_gains"]} == {"b"}
    assert "--exclude 'x' is none of the systems" in outscore(*call, *out, "--exclude", "x").err
