"""How files were read is said on stderr where the format has no notes: whoever pipes the result must see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commandline import outscore

ROWS = [(s, i, e, (i * k + e) % 5) for k, s in ((2, "base"), (3, "new")) for i in range(12) for e in (1, 2)]


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    file = tmp_path / "t.csv"
    lines = [",".join(map(str, row)) for row in ROWS]
    file.write_text("\n".join(["system,item,epoch,score", *lines]) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("format_", ["sentence", "csv"])
@pytest.mark.parametrize("verb", ["compare", "score", "rank"])
def test_formats_without_notes_leave_them_to_stderr(trials: Path, verb: str, format_: str) -> None:
    done = outscore(verb, trials, "-f", format_)
    assert done.code == 0
    assert done.err.startswith("note: 'epoch' was taken to tell samples of one model's answer apart")
    assert "-c run=epoch" in done.err
    assert len(done.err.splitlines()) == 1  # what concerns tests is no reading
    assert "note:" not in done.out
    assert outscore(verb, trials, "-f", format_, "-q").err == ""


@pytest.mark.parametrize("format_", ["terminal", "markdown", "json", "latex", "html"])
def test_formats_that_hold_notes_say_them_once(trials: Path, format_: str) -> None:
    assert "note:" not in outscore("compare", trials, "-f", format_).err


def test_a_file_without_notes_is_no_reason_to_be_silent(trials: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    said = outscore("compare", trials, "-o", out).err.splitlines()
    assert [line.split(" ")[0] for line in said] == ["wrote", "note:"]


def test_a_direction_that_was_taken_is_said_too(tmp_path: Path) -> None:
    files = []
    for k, name in enumerate(("base", "new")):
        file = tmp_path / f"{name}.csv"
        file.write_text("item,loss\n" + "".join(f"{i},{(i * (k + 2)) % 7}\n" for i in range(12)), encoding="utf-8")
        files.append(file)
    assert (
        "note: higher was taken as better for 'loss'"
        in outscore("compare", *files, "-m", "mean:column=loss", "-f", "sentence").err
    )
    assert outscore("compare", *files, "-m", "mean:column=loss,lower=true", "-f", "sentence").err == ""
