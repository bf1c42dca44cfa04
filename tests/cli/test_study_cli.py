"""``outscore study``: the list of studies, the help of each, and what is said when something is wrong."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from outscore import study
from outscore.base.errors import UsageError
from outscore.base.registry import options_of
from outscore.cli.study import read_groups
from outscore.studies import studies
from tests.cli.commandline import numbers, outscore, written

NAMES = [name for name, cls in studies if cls.__module__.partition(".")[0] == "outscore"]


def test_the_list_names_every_study_with_its_question_and_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    done = outscore("study")
    assert (done.code, done.err) == (0, "")
    for name in NAMES:
        (row,) = (line for line in done.out.splitlines() if line.split(" ")[0] == name)
        assert studies.find(name).question in row
    assert max(map(len, outscore("study").out.splitlines())) <= 250


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_study_fits_a_screen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = outscore("study", name, "--help")
    cls = studies.find(name)
    text = " ".join(done.out.split())
    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) <= 45
    assert "Source: " in text
    assert " ".join(cls.example.split()) in text.replace(" \\ ", " ")
    for field in options_of(cls):
        assert f"--{field.name.replace('_', '-')}" in text
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_the_whole_help_of_a_study_says_everything(name: str) -> None:
    done = outscore("study", name, "--help", "-v")
    text = " ".join(done.out.split())
    assert (done.code, done.err) == (0, "")
    assert "``" not in text
    said = inspect.cleandoc(studies.find(name).__doc__ or "").partition("\nAttributes:")[0].replace("``", "")
    assert " ".join(said.split()) in text
    assert {"--resume", "--dask", "--seed", "--engine"} <= set(text.split())
    assert max(map(len, done.out.splitlines())) <= 100


def test_an_option_that_a_study_does_not_have_is_refused_with_the_nearest_one() -> None:
    data = {"a": [0.0, 1.0, 0.5], "b": [1.0, 1.0, 0.5]}
    for error in (UsageError, TypeError):
        with pytest.raises(error, match="study 'gain' has no option 'shrae'; did you mean 'share'"):
            study("gain", data, shrae=0.9)
    with pytest.raises(UsageError, match="study 'toys' has no option 'alhpa'; did you mean 'alpha'"):
        study("toys", alhpa=0.1)
    done = outscore("study", "gain", "a", "b", "--shrae", "0.9")
    assert (done.code, "--share" in done.err) == (2, True)


def test_a_name_that_is_none_gets_a_suggestion() -> None:
    done = outscore("study", "gian")
    assert (done.code, done.out) == (2, "")
    assert done.complaint.startswith(
        "outscore: error: unknown study 'gian'; did you mean 'gain'? (all: outscore list studies)"
    )


def test_a_study_of_systems_wants_them(tmp_path: Path) -> None:
    assert "Usage: outscore study gain [OPTIONS] FILE..." in outscore("study", "gain").err
    done = outscore("study", "gain", numbers(tmp_path)[0])
    assert (done.code, done.out) == (2, "")
    assert done.complaint == "outscore: error: one system has no pairs: give at least two, or several runs"


def test_a_study_of_nothing_takes_no_files(tmp_path: Path) -> None:
    done = outscore("study", "toys", *numbers(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert "unexpected extra argument" in done.err


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["base one"], "groups.tsv:1: found 'base one', expected SYSTEM, a tab, GROUP; mend the line"),
        (
            ["", "base\tone\ttwo"],
            "groups.tsv:2: found 'base\\tone\\ttwo', expected SYSTEM, a tab, GROUP; mend the line",
        ),
        (["base\tone", "base\ttwo"], "groups.tsv:2: 'base' stands here twice; remove one"),
        (["bsae\tone"], "groups are given for 'bsae', which are none of the systems"),
        (["base\t "], "groups.tsv:1: found 'base\\t ', expected SYSTEM, a tab, GROUP; mend the line"),
    ],
)
def test_what_is_wrong_with_groups_is_said(lines: list[str], said: str, tmp_path: Path) -> None:
    groups = written(tmp_path / "groups.tsv", lines)
    done = outscore("study", "gain", *numbers(tmp_path), "--groups", groups)
    assert (done.code, done.out) == (3, "")
    assert done.complaint.replace(f"{tmp_path}/", "") == f"outscore: error: {said}"


def test_a_file_of_groups_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("base\té\n".encode("latin-1"))
    for name, said in (
        ("none", "cannot be read (No such file or directory); check the path"),
        ("latin", "is not UTF-8"),
    ):
        done = outscore("study", "gain", *numbers(tmp_path), "--groups", tmp_path / name)
        assert (done.code, done.out) == (3, "")
        assert f"/{name}: {said}" in done.complaint


def test_groups_take_systems_as_they_are_spelled(tmp_path: Path) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_bytes(b"\xef\xbb\xbfbase\tone team\r\n\r\nnew\t one team \r\n")
    assert read_groups(groups) == {"base": "one team", "new": "one team"}
    done = outscore("study", "gain", *numbers(tmp_path), "--groups", groups, "-n", "50", "-j", "1")
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--jobs", "0"], "0 is not in the range x>=1"),
        (["--resamples", "1"], "1 is not in the range x>=2"),
        (["--claim", "none"], "'none' is not one of"),
        (["--low", "x"], "'x' is not a valid float"),
        (["--plot", "x.gif"], "a picture ends in .svg, .png, .pdf, .html, .json"),
        (["--format", "docx"], "docx"),
        (["--dask", ""], "the address of the Dask scheduler is empty"),
    ],
)
def test_options_that_are_wrong_are_said_before_any_work(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = outscore("study", "gain", *numbers(tmp_path), *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in " ".join(done.err.split())


def test_a_picture_and_a_table_come_from_one_run(tmp_path: Path) -> None:
    saved, drawn = tmp_path / "x.json", tmp_path / "x.vl.json"
    done = outscore("study", "gain", *numbers(tmp_path), "-n", "50", "-o", saved, "--plot", drawn, "--cite", "-j", "1")
    assert done.code == 0, done.err
    assert "wrote" in done.err
    assert "berg-kirkpatrick" in done.out.lower()
    again = tmp_path / "y.vl.json"
    assert outscore("show", saved, "-f", "sentence", "--plot", again).code == 0
    assert again.read_bytes() == drawn.read_bytes()


@pytest.mark.slow
def test_a_system_may_be_named_after_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    written(tmp_path / "plain.seg", [str(i * 7 % 11) for i in range(30)])
    (tmp_path / "plain.seg").with_name("caf\udce9.seg").write_text(
        (tmp_path / "plain.seg").read_text(encoding="utf-8")[::-1].strip(), encoding="utf-8"
    )
    files = [str(file) for file in sorted(tmp_path.glob("*.seg"))]
    done = outscore("study", "sample-size", *files, "-n", "50", "--versions", "20", "--jobs", "1", "-f", "json")
    assert (done.code, done.err.count("Traceback")) == (0, 0)
