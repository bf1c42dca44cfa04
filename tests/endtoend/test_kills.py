"""Workers, commands, schedulers and disks that are lost: one clear line, and in the end the same bytes."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.commandline import environment
from tests.examples import first
from tests.studies.processes import PATIENCE, alive, ended

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes in /proc"),
]
needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs the extra: pip install 'outscore[dask]'"
)

CELLS = 12
COMMANDS = {
    "audit": ("advise", "base.seg", "new.seg", "--test", "bootstrap:exact=never", "--rounds", "120", "-n", "20000"),
    "power": ("power", "fake:sd=1", "--effect", "0.2", "--sizes", "50,100", "--simulations", "150", "-n", "20000"),
    "all-pairs": (
        "study",
        "all-pairs",
        "table.csv",
        "-m",
        "score",
        "--test",
        "randomization:exact=never",
        "-n",
        "200000",
    ),
}
LONG = "an audit of many resamples"
"""Many times the work of the others, for what has no other sign of being at work than the time that it took."""
ALL = {**COMMANDS, LONG: (*COMMANDS["audit"][:-1], "200000")}

PROCESSES = ("-j", "2")
LOCAL = pytest.param(("-j", "2", "--dask", "local"), id="dask", marks=needs_dask)
HOW = [pytest.param(("-j", "1"), id="serial"), pytest.param(PROCESSES, id="processes"), LOCAL]


def by_night(how: Any) -> Any:
    """The same, but nightly."""
    return pytest.param(*how.values, id=how.id, marks=[*how.marks, pytest.mark.nightly])


_BUSY = 0.05
"""Processor seconds after which a process counts as working: those that wait use none."""


@dataclass
class Place:
    """A folder with data, in which the commands run; their cells are kept in ``cells``."""

    folder: Path

    def start(self, name: str, *arguments: str, largest: int | None = None) -> subprocess.Popen[str]:
        """Starts a command; ``largest`` is how many bytes a file may hold, as on a disk that is nearly full."""

        def before() -> None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # which a test run in the background has ignored
            if largest is not None:
                import resource  # which not every system has

                resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

        return subprocess.Popen(
            [sys.executable, "-m", "outscore", *ALL[name], *arguments],
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
            preexec_fn=before,  # noqa: PLW1509  no threads here
        )

    def run(self, name: str, *arguments: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a command."""
        return ended(self.start(name, *arguments))

    def kept(self, folder: str = "cells") -> dict[str, bytes]:
        """The cells that are kept."""
        return {path.name: path.read_bytes() for path in (self.folder / folder).glob("*")}

    def wait_for_cells(self, n: int, process: subprocess.Popen[str]) -> None:
        """Waits until so many cells are kept."""
        _wait(lambda: len(list((self.folder / "cells").glob("*.json"))) >= n or process.poll() is not None)
        assert process.poll() is None, f"it ended before it could be disturbed: {ended(process)}"

    def goes_on(self, name: str, expected: bytes, *how: str) -> None:
        """The command, given what is kept, leaves that as it is and comes to the undisturbed result."""
        before = self.kept()
        code, _, err = self.run(name, *how, "--resume", "cells", "-o", "again.json")
        assert (code, err) == (0, "wrote again.json\n")
        assert (self.folder / "again.json").read_bytes() == expected
        after = self.kept()
        assert len(after) == CELLS
        assert {file: after[file] for file in before} == before


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return written(tmp_path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """From a command to its result where nothing happens to it, done by one process."""
    at = written(tmp_path_factory.mktemp("undisturbed"))

    def result(name: str) -> bytes:
        path = at.folder / f"{name}.json"
        if not path.exists():
            code, _, err = at.run(name, "-j", "1", "-o", path.name)
            assert code == 0, err
        return path.read_bytes()

    return result


def written(folder: Path) -> Place:
    """Two systems as files, and six systems on twelve data sets as a table."""
    rng = np.random.default_rng(1)
    for name in ("base", "new"):
        (folder / f"{name}.seg").write_text("".join(f"{x:.3f}\n" for x in rng.normal(size=60)), encoding="utf-8")
    rows = ["system,item,domain,score\n"]
    scores = rng.normal(size=(6, 12 * 40))
    for system, of_system in enumerate(scores):
        rows += [f"s{system},{item},set{item // 40:02d},{x:.3f}\n" for item, x in enumerate(of_system)]
    (folder / "table.csv").write_text("".join(rows), encoding="utf-8")
    return Place(folder)


@pytest.mark.parametrize("how", HOW[1:])
@pytest.mark.parametrize("name", first(COMMANDS, "power"))
def test_whoever_works_the_bytes_are_the_same(
    name: str, how: Sequence[str], place: Place, undisturbed: Callable[[str], bytes]
) -> None:
    code, _, err = place.run(name, *how, "-o", "x.json")
    assert (code, err) == (0, "wrote x.json\n")
    assert (place.folder / "x.json").read_bytes() == undisturbed(name)
    assert not list(place.folder.glob("*.cells")), "without --resume nothing is left behind"


@pytest.mark.parametrize("how", HOW[1:])
@pytest.mark.parametrize("name", first(COMMANDS, "audit"))
def test_a_worker_that_is_killed_at_work_is_replaced(
    name: str, how: Sequence[str], place: Place, undisturbed: Callable[[str], bytes]
) -> None:
    process = place.start(name, *how, "--resume", "cells", "-o", "x.json")
    place.wait_for_cells(2, process)
    os.kill(busy(workers_of(process.pid)), signal.SIGKILL)
    code, _, err = ended(process)
    assert code == 0, err
    assert err.splitlines()[-1] == "wrote x.json"
    assert (place.folder / "x.json").read_bytes() == undisturbed(name)
    assert len(place.kept()) == CELLS


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", first(COMMANDS, "all-pairs"))
def test_a_command_that_is_killed_goes_on_where_it_was(
    name: str, how: Sequence[str], place: Place, undisturbed: Callable[[str], bytes]
) -> None:
    process = place.start(name, *how, "--resume", "cells")
    place.wait_for_cells(3, process)
    workers = set(workers_of(process.pid))
    assert bool(workers) == ("1" not in how)
    process.kill()
    ended(process)
    _wait(lambda: not alive(workers))
    assert 3 <= len(place.kept()) < CELLS
    place.goes_on(name, undisturbed(name), *how)


@pytest.mark.parametrize("name", first(["audit", "power"], "audit"))
def test_ctrl_c_shows_what_is_done_and_keeps_it(name: str, place: Place, undisturbed: Callable[[str], bytes]) -> None:
    process = place.start(name, *PROCESSES, "--resume", "cells", "-f", "json")
    place.wait_for_cells(4, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to the workers too
    code, out, err = ended(process)
    n = len(place.kept())
    assert code == 130
    assert err.strip() == "outscore: interrupted; go on with --resume cells"
    (note,) = (note for note in json.loads(out)["notes"] if note["code"] == "interrupted")
    assert note["text"].startswith(f"interrupted with {n} of {CELLS} cells done")
    place.goes_on(name, undisturbed(name), *PROCESSES)


@pytest.mark.nightly
def test_ctrl_c_keeps_what_is_done_where_no_folder_was_named(place: Place, undisturbed: Callable[[str], bytes]) -> None:
    before = _used_by_children()
    whole = undisturbed(LONG)
    half = (_used_by_children() - before) / 2
    process = place.start(LONG, "-j", "1", "-f", "json")
    _wait(lambda: process.poll() is not None or _used(process.pid) > half)
    process.send_signal(signal.SIGINT)
    code, _, err = ended(process)
    assert code == 130
    assert err.strip() == "outscore: interrupted; go on with --resume advise.cells"
    (place.folder / "advise.cells").rename(place.folder / "cells")
    place.goes_on(LONG, whole, "-j", "1")


@needs_dask
@pytest.mark.parametrize("name", first(COMMANDS, "power"))
def test_a_scheduler_that_is_lost_is_one_line_and_others_go_on(
    name: str, place: Place, undisturbed: Callable[[str], bytes]
) -> None:
    with cluster(place.folder, 1) as (scheduler, _):
        process = place.start(name, "--dask", "scheduler.json", "--resume", "cells")
        place.wait_for_cells(2, process)
        scheduler.kill()
        code, out, err = ended(process)
    n = len(place.kept())
    assert (code, out) == (3, "")
    assert (
        err == f"outscore: error: the Dask scheduler went away; {n} of {CELLS} cells done; go on with --resume cells\n"
    )
    assert 2 <= n < CELLS
    place.goes_on(name, undisturbed(name), "-j", "1")


@needs_dask
def test_a_worker_of_a_cluster_that_is_killed_at_work_leaves_its_cells_to_others(
    place: Place, undisturbed: Callable[[str], bytes]
) -> None:
    with cluster(place.folder, 2) as (_, workers):
        process = place.start("all-pairs", "--dask", "scheduler.json", "--resume", "cells", "-o", "x.json")
        place.wait_for_cells(2, process)
        pid = busy([worker.pid for worker in workers])
        assert pid in {worker.pid for worker in workers}
        os.kill(pid, signal.SIGKILL)
        code, _, err = ended(process)
    assert (code, err) == (0, "wrote x.json\n")
    assert (place.folder / "x.json").read_bytes() == undisturbed("all-pairs")


@pytest.mark.parametrize("name", first(COMMANDS, "all-pairs"))
def test_a_file_that_cannot_grow_is_one_line_and_nothing_half_written(
    name: str, place: Place, undisturbed: Callable[[str], bytes]
) -> None:
    process = place.start(name, "-j", "1", "--resume", "cells")
    place.wait_for_cells(2, process)
    process.kill()
    ended(process)
    kept = place.kept()
    code, out, err = ended(place.start(name, "-j", "1", "--resume", "cells", largest=50))
    assert (code, out) == (3, "")
    (line,) = err.splitlines()
    assert line.startswith("outscore: error: cells/")
    assert "cannot write (File too large); name another place" in line
    assert place.kept() == kept
    place.goes_on(name, undisturbed(name), *PROCESSES)


@pytest.mark.parametrize("how", [HOW[0], *map(by_night, HOW[1:])])
def test_a_disk_that_is_full_is_one_line_and_nothing_half_written(
    how: Sequence[str], place: Place, undisturbed: Callable[[str], bytes]
) -> None:
    cells = place.folder / "cells"
    cells.mkdir()
    if not _mount(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(cells)]):
        pytest.skip("no disk can be mounted here")
    try:
        code, out, err = place.run("audit", *how, "--resume", "cells")
        assert (code, out) == (3, "")
        (line,) = err.splitlines()
        assert line.startswith("outscore: error: cells/audit-")
        assert "(No space left on device); name another place" in line
        assert place.kept()
        assert all(name.startswith("audit-") and name.endswith(".json") for name in place.kept())
        assert _mount(["mount", "-o", "remount,size=1m", str(cells)])
        place.goes_on("audit", undisturbed("audit"), *how)
    finally:
        subprocess.run(["umount", str(cells)], check=True)


def _mount(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@contextmanager
def cluster(folder: Path, n: int) -> Iterator[tuple[subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and so many workers, each a process by itself, as a queue of jobs would start them."""
    file = folder / "scheduler.json"
    parts = [["scheduler", "--host", "127.0.0.1", "--port", "0"]]
    parts += [["worker", "--nthreads", "1", "--no-nanny"]] * n
    started: list[subprocess.Popen[bytes]] = []
    with (folder / "dask.log").open("wb") as log:
        try:
            for part in parts:
                command = [sys.executable, "-m", "dask", *part, "--no-dashboard", "--scheduler-file", str(file)]
                started.append(subprocess.Popen(command, cwd=folder, env=environment(), stdout=log, stderr=log))
                _wait(file.exists)
            yield started[0], started[1:]
        finally:
            for one in started:
                one.kill()
                one.wait()


def workers_of(parent: int) -> list[int]:
    """Processes that loky or Dask has started for a command, without those that only clean up."""
    lists = Path(f"/proc/{parent}/task").glob("*/children")
    found = [int(pid) for path in lists for pid in path.read_text(encoding="utf-8").split()]
    return [pid for pid in found if "popen_loky" in (said := _command(pid)) or "spawn_main" in said]


def busy(pids: Sequence[int]) -> int:
    """The first of some processes that is seen to use the processor."""
    assert pids, "nobody works for the command"
    before = {pid: _used(pid) for pid in pids}
    found: list[int] = []

    def seen() -> bool:
        found[:] = [pid for pid in pids if _used(pid) - before[pid] >= _BUSY]
        return bool(found)

    _wait(seen)
    return found[0]


def _used_by_children() -> float:
    """Processor seconds of all children that have ended."""
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _used(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").replace("\0", " ")


def _wait(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
