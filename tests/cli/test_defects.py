"""A defect is one line, a file, and exit code 70; with --debug it is a traceback."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import outscore

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


def test_a_defect_of_another_package_is_reported_to_its_authors(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(
        """
from dataclasses import dataclass
from outscore.metrics import metric
from outscore.metrics.mean import Mean
@metric("theirs")
@dataclass(frozen=True)
class Theirs(Mean):
    def statistics(self, items):
        return items.columns["score"][99]
""",
        encoding="utf-8",
    )
    info = tmp_path / "theirs-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[outscore.metrics]\ntheirs = theirs:Theirs\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("1\n2\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(Path(outscore.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-m", "outscore", "score", "a.txt", "-m", "theirs"],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 70
    assert "defect: IndexError" in done.stderr
    assert "please report it to the authors of theirs 1.2 with" in done.stderr
    (report,) = tmp_path.glob("outscore-defect-*.txt")
    assert report.read_text(encoding="utf-8").startswith("theirs 1.2 met a case that it does not handle.")


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


@pytest.mark.parametrize(
    ("met", "said"),
    [
        ("type('Made', (), {'field': Field()})", "outscore: interrupted\n"),
        ("tidy_up()", "outscore: interrupted\n"),
        ("exec('raise KeyboardInterrupt')", "outscore: interrupted\n"),
        ("lose(SystemError('in C'))", "outscore: interrupted\n"),
        ("lose(InputError('no number'))", "outscore: interrupted; error: no number\n"),
    ],
)
def test_a_ctrl_c_that_becomes_another_error_is_no_defect(met: str, said: str, tmp_path: Path) -> None:
    """Python gives the RuntimeError of ``__set_name__`` in its place, a pool that of a thread it cannot join.

    What C code gives may be any, says nothing of the Ctrl-C, and may be taken for an error of the data.
    """
    interrupted = f"""
import signal
from outscore.base.errors import InputError
from outscore.cli import main
class Field:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt
def tidy_up():
    try:
        raise KeyboardInterrupt
    finally:
        raise RuntimeError("cannot join thread before it is started")
def lose(error):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        pass
    raise error
def late(name):
    {met}
main.find_command = late
main.main()
"""
    (tmp_path / "late.py").write_text(interrupted, encoding="utf-8")
    done = _interrupt("-m", "late", "compare", "a.txt", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.lstrip()) == (130, "", said)


def _interrupt(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A process that gets a Ctrl-C, even where this one ignores it."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(Path(outscore.__file__).parents[1])])},
        preexec_fn=None if sys.platform == "win32" else lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("words", [("-m", "outscore"), ("-c", "from outscore.__main__ import run; run()")])
def test_a_ctrl_c_is_quiet_while_the_program_is_imported(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n", encoding="utf-8")
    done = _interrupt(*words, "list", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_nothing_that_takes_time_is_imported_before_a_ctrl_c_is_quiet(tmp_path: Path) -> None:
    code = "import sys; before = {*sys.modules}; import outscore.__main__; print(*sorted({*sys.modules} - before))"
    said = "__future__ outscore outscore.__main__ outscore.base\n"
    assert _interrupt("-c", code, folder=tmp_path).stdout == said


def test_a_ctrl_c_that_python_ignores_comes_again(tmp_path: Path) -> None:
    """It ignores one in the callback of a weak reference, and every import has such a callback."""
    lost = """
import signal, time, weakref
from outscore.cli import main
class Lock:
    pass
def late(name):
    lock = Lock()
    seen = weakref.ref(lock, lambda seen: signal.raise_signal(signal.SIGINT))
    del lock
    for _ in range(100):
        time.sleep(0.01)
signal.signal(signal.SIGINT, signal.default_int_handler)
main.find_command = late
main.main(["compare", "a.txt"])
"""
    code = [sys.executable, "-c", lost]
    done = subprocess.run(code, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "outscore: interrupted")
