"""``outscore replicate``: folders, tables and columns from the command line, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.commandline import Done, outscore, written

GAINS = {"law": 0.6, "news": 0.5, "speech": -0.3}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of two systems, and one table with the same numbers."""
    place = tmp_path_factory.mktemp("sets")
    rng = np.random.default_rng(3)
    lines = ["system,item,topic,score"]
    for name, gain in GAINS.items():
        base = rng.normal(size=50).round(3)
        columns = {"base": base, "new": (base + rng.normal(gain, 1, 50)).round(3)}
        (place / "sets" / name).mkdir(parents=True)
        for system, column in columns.items():
            written(place / "sets" / name / f"{system}.seg", [str(v) for v in column])
            lines += [f"{system},{name}{i},{name},{v}" for i, v in enumerate(column)]
    written(place / "all.csv", lines)
    written(place / "other.csv", lines)
    return place


def run(*arguments: str | Path) -> Done:
    return outscore("replicate", *arguments, "-n", "199", "-q")


def test_folders_and_a_column_give_the_same_counts(place: Path) -> None:
    folders = run("--sets", place / "sets" / "*", "base=base.seg", "new=new.seg", "-f", "csv")
    column = run(place / "all.csv", "--set", "topic", "-f", "csv")
    assert folders.code == column.code == 0, folders.err + column.err
    for one, other in zip(folders.out.splitlines()[1:], column.out.splitlines()[1:], strict=True):
        name, *numbers = one.split(",")
        own, *others = other.split(",")
        assert name == own
        assert [float(one) for one in numbers[4:8]] == pytest.approx([float(one) for one in others[4:8]], rel=1e-12)
    assert [line.split(",")[0] for line in folders.out.splitlines()[1:]] == list(GAINS)


def test_the_json_holds_counts_and_gains(place: Path) -> None:
    found = json.loads(run(place / "all.csv", "--set", "topic", "-f", "json", "--correct", "max-t").out)
    assert found["command"] == "replicate"
    assert found["data_sets"] == list(GAINS)
    (one,) = found["replicated"]
    assert one["count"] == 2
    assert one["holds_on"] == ["law", "news"]
    assert [gain["data_set"] for gain in found["set_gains"]] == list(GAINS)


def test_a_saved_replication_is_shown_again(place: Path, tmp_path: Path) -> None:
    saved = tmp_path / "found.json"
    assert run(place / "all.csv", "--set", "topic", "-o", saved).code == 0
    assert "on at least 2 of 3 data sets" in outscore("show", saved, "-f", "sentence").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("all.csv", 2, "name their column with --set, or their folders with --sets"),
        ("all.csv --set tpoic", 2, "did you mean 'topic'"),
        ("all.csv --set topic --sets sets/*", 2, "give one of them"),
        ("sets/law sets/news", 2, "quote the pattern"),
        ("--sets nowhere/*", 3, "no folder and no file matches"),
        ("--sets sets/*", 2, "give the files in it too"),
        ("--sets all.csv base=base.seg", 2, "is a table, which holds all systems"),
        ("--sets sets", 2, "quote the pattern of the data sets in it, --sets 'sets/*'"),
        ("sets", 2, "--sets 'sets/*'"),
        ("--sets sets/law sets/news", 2, "quote the pattern of the data sets, --sets 'sets/*'"),
        ("--sets all.csv other.csv", 2, "or quote the pattern of all these tables, --sets '*.csv'"),
        ("all.csv other.csv", 2, "where they are data sets of their own, outscore replicate --sets '*.csv'"),
        ("all.csv --by topic", 2, "No such option '--by': here it is --set."),
        ("--sets sets/law base=base.seg new=new.seg", 2, "there is 1: use outscore compare"),
        ("--sets sets/* base=base.seg new=old.seg", 3, "old.seg"),
        ("all.csv --set topic -n auto", 2, "'auto' is not a valid integer"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    arguments: str, code: int, message: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    done = outscore("replicate", *arguments.split(), "-q")
    assert done.code == code, done.err
    assert message in done.complaint
