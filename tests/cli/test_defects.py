"""A defect of ours is one line, a file, and exit code 70; with --debug it is a traceback."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

BROKEN = """
import sys
from outscore.cli import main
def broken(name):
    raise ZeroDivisionError("made for a test \\x1b[31m" + chr(27) + " of " + "x" * 500)
main.find_command = broken
main.main(sys.argv[1:])
"""


def run(folder: Path, *words: str, temporary: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BROKEN, *words],
        cwd=folder,
        env=os.environ | {"TMPDIR": str(temporary or folder)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_defect_is_one_line_and_a_file_that_can_be_sent(tmp_path: Path) -> None:
    done = run(tmp_path, "compare", "a file.txt")
    assert done.returncode == 70 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("outscore: defect: ZeroDivisionError: made for a test")
    assert "\x1b" not in line and len(line) < 500
    (report,) = tmp_path.glob("outscore-defect-*.txt")
    assert shlex.quote(str(report)) in line
    text = report.read_text(encoding="utf-8")
    assert "command: outscore compare 'a file.txt'" in text
    assert "Traceback" in text and "in broken" in text


@pytest.mark.parametrize("words", [("--debug", "compare", "a.txt"), ("compare", "a.txt", "--debug")])
def test_debug_shows_the_traceback(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == 1 and "Traceback" in done.stderr
    assert not list(tmp_path.glob("outscore-defect-*.txt"))


def test_debug_changes_nothing_else(tmp_path: Path) -> None:
    plain, debug = (
        subprocess.run([sys.executable, "-m", "outscore", "list", "tests", *more], capture_output=True, check=True)
        for more in ((), ("--debug",))
    )
    assert plain.stdout == debug.stdout
