"""Where output goes and input comes from besides plain files: links, pipes, devices, protected files."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from .commandline import environment, outscore

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes, devices and modes are those of POSIX")

_EXAMPLES = Path(__file__).parents[2] / "examples"
BASE, NEW = _EXAMPLES / "base.seg", _EXAMPLES / "new.seg"


def _compare(*options: str | Path) -> None:
    done = outscore("compare", f"base={BASE}", f"new={NEW}", *options)
    assert done.code == 0, done.err


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    kept, link = tmp_path / "kept.json", tmp_path / "link.json"
    kept.write_text("old", encoding="utf-8")
    link.symlink_to(kept)
    _compare("-o", link)
    assert link.is_symlink()
    assert kept.read_text(encoding="utf-8").startswith("{")


def test_a_link_to_nothing_yet_makes_its_file(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "new.json")
    _compare("-o", link)
    assert link.is_symlink()
    assert (tmp_path / "new.json").read_text(encoding="utf-8").startswith("{")


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "result.json"
    file.touch()
    file.chmod(mode)
    _compare("-o", file)
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.read_text(encoding="utf-8").startswith("{")


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.touch()
    os.chown(file, 1234, 2345)
    _compare("-o", file)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 2345)


def test_a_pipe_is_written_into_and_stays(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe.json", []
    os.mkfifo(pipe)
    listener = threading.Thread(target=lambda: heard.append(pipe.read_text(encoding="utf-8")), daemon=True)
    listener.start()
    _compare("-o", pipe)
    listener.join(timeout=60)
    assert heard
    assert heard[0].startswith("{")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    null = tmp_path / "null"
    try:  # not the machine's own, which would be lost to all if this failed
        os.mknod(null, stat.S_IFCHR | 0o666, Path("/dev/null").stat().st_rdev)
        null.write_text("", encoding="utf-8")
    except PermissionError:
        pytest.skip("only root makes devices, and not on every disk")
    _compare("-o", null, "-f", "json")
    assert stat.S_ISCHR(null.stat().st_mode)


def test_a_circle_of_links_is_one_line(tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.symlink_to(other)
    other.symlink_to(one)
    done = outscore("compare", f"base={BASE}", f"new={NEW}", "-o", one)
    assert done.code == 3
    assert "cannot write here" in done.complaint


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd")
@pytest.mark.parametrize("of_texts", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_pipes_are_read_once(of_texts: bool) -> None:
    plain = (
        ["-m", "chrf", "-n", "200", "-r", str(_EXAMPLES / "ref.txt")]
        + [f"{name}={_EXAMPLES / name}.run1.txt" for name in ("baseline", "tuned")]
        if of_texts
        else [f"base={BASE}", f"new={NEW}"]
    )
    piped = [f"{w.partition('=')[0]}=<(cat '{w.partition('=')[2]}')" if "=" in w else w for w in plain]
    piped = [f"<(cat '{w}')" if w.endswith("ref.txt") else w for w in piped]
    found = []
    for words in (plain, piped):
        command = " ".join([f"'{sys.executable}'", "-m", "outscore", "compare", "-f", "csv", *words])
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, encoding="utf-8", env=environment(), check=False
        )
        assert done.returncode == 0, done.stderr
        found.append(done.stdout)
    assert found[0] == found[1]


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no /dev/stdin")
def test_the_path_of_the_standard_input_is_read_once() -> None:
    plain = outscore("compare", f"base={BASE}", f"new={NEW}", "-f", "csv")
    piped = subprocess.run(
        [sys.executable, "-m", "outscore", "compare", "base=/dev/stdin", f"new={NEW}", "-f", "csv"],
        input=BASE.read_text(encoding="utf-8"),
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout == plain.out
