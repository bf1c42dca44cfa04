"""``outscore recheck`` as it is typed."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.commandline import nothing_new, outscore, texts
from tests.cli.printed import sacrebleu

FEW = ("-n", "200", "-q")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What sacrebleu prints of two systems in FOLDER."""
    folder = tmp_path_factory.mktemp("printed")
    texts(folder)
    names = ("base.txt", "new.txt")
    options = ("--paired-bs", "--paired-bs-n", "200", "-m", "bleu", "-f", "text")
    file = sacrebleu(folder / "printed.txt", [folder / "ref.txt"], [folder / n for n in names], *options)
    return file.read_text(encoding="utf-8").replace(str(folder), "FOLDER")


@pytest.fixture
def asked(printed: str, tmp_path: Path) -> tuple[str, ...]:
    """The arguments for what sacrebleu printed of two systems."""
    file = tmp_path / "printed.txt"
    file.write_text(printed.replace("FOLDER", str(tmp_path)), encoding="utf-8")
    return ("recheck", str(file), *texts(tmp_path), *FEW)


@pytest.mark.parametrize("format_", ["terminal", "markdown", "latex", "json", "csv", "html", "sentence"])
def test_it_is_drawn_in_every_format(format_: str, asked: tuple[str, ...]) -> None:
    done = outscore(*asked, "-f", format_)
    assert done.code == 0, done.err
    assert done.out.strip()


def test_what_it_says_is_saved_and_shown_again(asked: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "recheck.json"
    assert outscore(*asked, "-o", out).code == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["command"], found["tool"], found["procedure"]) == ("recheck", "sacrebleu", "bootstrap")
    assert {number["outcome"] for number in found["numbers"]} == {"same"}
    shown = outscore("show", out, "-q")
    assert shown.code == 0, shown.err
    assert shown.out == outscore(*asked).out
    assert "All 7 numbers that sacrebleu printed come out the same by its own rule." in outscore("show", out).out


def test_the_file_may_come_from_a_pipe(asked: tuple[str, ...]) -> None:
    text = Path(asked[1]).read_bytes()
    piped = outscore("recheck", "-", *asked[2:], stdin=text)
    assert piped.code == 0, piped.err
    assert piped.out == outscore(*asked).out


def test_what_is_wrong_is_said_in_a_line(asked: tuple[str, ...], tmp_path: Path) -> None:
    _, file, *given = asked
    with nothing_new(tmp_path):
        no_systems = outscore("recheck", file, "-r", given[1])
        assert (no_systems.code, no_systems.out) == (2, "")
        assert outscore(*asked, "--tool-seed", "x").code == 2
        other = outscore("recheck", given[1], *given)
        assert other.code == 3
        assert "neither sacrebleu's output nor MultEval's" in other.complaint
        assert len(other.err.splitlines()) == 1
        assert outscore("recheck", "-", "-", *given).code == 2
        assert outscore("recheck", str(tmp_path / "none"), *given).code == 3


@pytest.mark.parametrize(
    "rows", ["mean,n,sd\nbase,.7,500,.45\nnew,.76,500,.43\n", "score,n\nbase,.7,500\nnew,.76,500\n"]
)
def test_means_without_outputs_are_sent_to_the_study_of_such(rows: str, tmp_path: Path) -> None:
    file = tmp_path / "means.csv"
    file.write_text(f"system,{rows}", encoding="utf-8")
    done = outscore("recheck", file)
    assert (done.code, "no systems: give NAME=FILE" in done.complaint) == (2, True)
    program, *command = shlex.split(done.complaint.rpartition("; of means: ")[2])
    assert program == "outscore"
    assert "Gain of new" in outscore(*command).out


def test_names_from_outside_cannot_break_the_page(asked: tuple[str, ...]) -> None:
    file = Path(asked[1])
    text = file.read_text(encoding="utf-8").replace("new.txt", "\x1b]0;<b>|&.txt")
    file.write_text(text, encoding="utf-8")
    for format_ in ("terminal", "markdown", "html", "latex"):
        done = outscore(*asked, "-f", format_)
        assert done.code == 0, done.err
        assert "\x1b" not in done.out
        assert "0;<b>" not in done.out or format_ in ("terminal", "latex")
