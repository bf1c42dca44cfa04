"""Whoever does the cells, however often they are killed: the same bytes, and nothing done twice that was kept."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.studies.processes import Place, alive, ended

CELLS = 8
needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs the extra: pip install 'outscore[dask]'"
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals")
SERIAL = pytest.param(("-j", "1"), id="serial", marks=pytest.mark.slow)
PROCESSES = pytest.param(("-j", "2"), id="processes")
SLOW_PROCESSES = pytest.param(("-j", "2"), id="processes", marks=pytest.mark.slow)
DASK = pytest.param(("-j", "2", "--dask", "local"), id="dask", marks=needs_dask)
SLOW_DASK = pytest.param(("-j", "2", "--dask", "local"), id="dask", marks=[needs_dask, pytest.mark.slow])
HOW = [SERIAL, PROCESSES, SLOW_DASK]
MANY = [PROCESSES, SLOW_DASK]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The result of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("quiet")
    code, _, err = Place(folder).run("-j", "1", "-o", "x.json")
    assert code == 0, err
    return (folder / "x.json").read_bytes()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def line(err: str) -> str:
    """The one line that is said, beside what a slow machine says of its progress."""
    (said,) = (one for one in err.removesuffix("\n").split("\n") if not re.search(r": \d+ of \d+, .* a minute", one))
    return said


@pytest.mark.parametrize("how", MANY)
@pytest.mark.slow
def test_processes_and_clusters_give_the_same_bytes_and_no_warning(
    how: tuple[str, ...], place: Place, expected: bytes
) -> None:
    code, out, err = place.run(*how, "-o", "x.json")
    assert (code, out, line(err)) == (0, "", "wrote x.json")
    assert (place.folder / "x.json").read_bytes() == expected
    assert sorted(place.begun) == list(range(CELLS))
    assert not alive(place.pids)


@posix
@pytest.mark.slow
@pytest.mark.parametrize("how", [PROCESSES, DASK])
def test_cells_whose_worker_is_killed_are_done_again(how: tuple[str, ...], place: Place, expected: bytes) -> None:
    tombs = place.folder / "tombs"
    tombs.mkdir()
    code, _, err = place.run(*how, "-o", "x.json", SLEEPY_DEADLY="3,5", SLEEPY_TOMBS=str(tombs))
    assert (code, line(err)) == (0, "wrote x.json")
    assert (place.folder / "x.json").read_bytes() == expected
    assert sorted(tomb.name for tomb in tombs.iterdir()) == ["3", "5"]
    assert Counter(place.begun)[3] >= 2


@posix
@pytest.mark.slow
@pytest.mark.parametrize("how", MANY)
def test_a_cell_that_always_kills_its_worker_ends_in_one_line(
    how: tuple[str, ...], place: Place, expected: bytes
) -> None:
    code, out, err = place.run(*how, SLEEPY_DEADLY="3")
    assert (code, out) == (3, "")
    said = err.splitlines()[-1]  # a worker of Dask that is stopped while it starts complains for itself
    assert said.startswith("outscore: error: ")
    assert "memory" in said
    folder = place.folder / "sleepy.cells"
    # a worker can be dead three times before another one has handed in its first cell: then there is nothing to keep
    kept = list(folder.iterdir()) if folder.exists() else []
    where = "; go on with --resume sleepy.cells" if kept else ""
    assert said.endswith(f"; {len(kept)} of {CELLS} cells done{where}")
    before = len(place.begun)
    assert place.run("-j", "1", "--resume", "sleepy.cells", "-o", "x.json")[0] == 0
    assert (place.folder / "x.json").read_bytes() == expected
    assert len(place.begun) - before == CELLS - len(kept)


@posix
@pytest.mark.slow
@pytest.mark.parametrize("how", HOW)
def test_a_run_that_was_killed_goes_on_where_it_was(how: tuple[str, ...], place: Place, expected: bytes) -> None:
    process = place.start(*how, "--resume", "cells", SLEEPY_SECONDS="0.3")
    place.wait_for_cells(4)
    process.kill()
    ended(process)
    time.sleep(0.1)
    assert not alive(place.pids), "workers outlive the command"
    kept = list((place.folder / "cells").glob("sleepy-*.json"))
    assert 1 <= len(kept) < CELLS
    before = len(place.begun)
    code, _, err = place.run(*how, "--resume", "cells", "-o", "x.json")
    assert (code, line(err)) == (0, "wrote x.json")
    assert (place.folder / "x.json").read_bytes() == expected
    assert len(place.begun) - before == CELLS - len(kept)
    done = len(place.begun)
    assert place.run("--resume", "cells", "-q", "-o", "y.json") == (0, "", "")
    assert (place.folder / "y.json").read_bytes() == expected
    assert len(place.begun) == done, "a whole folder leaves nothing to do"


@pytest.mark.slow
@posix
@pytest.mark.parametrize("how", HOW)
def test_ctrl_c_keeps_what_is_done(how: tuple[str, ...], place: Place, expected: bytes) -> None:
    resume = ("--resume", "my cells") if "1" in how else ()
    process = place.start(*how, *resume, SLEEPY_SECONDS="0.3")
    place.wait_for_cells(5)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to the workers too
    code, out, err = ended(process)
    said = "'my cells'" if resume else "sleepy.cells"
    kept = list((place.folder / said.strip("'")).iterdir())
    assert (code, out) == (130, "")
    assert err.strip() == (f"outscore: interrupted with {len(kept)} of {CELLS} cells done; go on with --resume {said}")
    assert 1 <= len(kept) < CELLS
    assert not alive(place.pids)
    before = len(place.begun)
    assert place.run(*how, "--resume", said.strip("'"), "-o", "x.json")[0] == 0
    assert (place.folder / "x.json").read_bytes() == expected
    assert len(place.begun) - before == CELLS - len(kept)


@pytest.mark.slow
@posix
def test_a_full_disk_is_said_in_one_line_and_loses_nothing(place: Place, expected: bytes) -> None:
    code, _, _ = place.run("-j", "1", "--cells", "3", "--resume", "cells")
    kept = {path.name: path.read_bytes() for path in (place.folder / "cells").iterdir()}
    assert (code, len(kept)) == (0, 3)
    code, out, err = ended(place.start("-j", "1", "--resume", "cells", LARGEST="100", SLEEPY_LOG=""))
    assert (code, out) == (3, "")
    assert line(err).startswith("outscore: error: cells/sleepy-")
    assert "cannot write" in line(err)
    assert {path.name: path.read_bytes() for path in (place.folder / "cells").iterdir()} == kept
    assert place.run("-j", "1", "--resume", "cells", "-o", "x.json")[0] == 0
    assert (place.folder / "x.json").read_bytes() == expected


def test_a_folder_that_cannot_be_made_is_said_before_any_work(place: Place) -> None:
    (place.folder / "taken").write_text("", encoding="utf-8")
    code, out, err = place.run("--resume", "taken/cells")
    assert (code, out) == (3, "")
    assert line(err) == ("outscore: error: taken/cells: cannot keep cells here (Not a directory); name another folder")
    code, out, err = place.run("--resume", "taken")
    assert (code, out) == (2, "")
    assert "taken" in err
    assert not place.begun


@pytest.mark.parametrize("how", [pytest.param(("-j", "1"), id="serial"), SLOW_PROCESSES, SLOW_DASK])
def test_a_cell_that_cannot_be_done_is_one_line(how: tuple[str, ...], place: Place) -> None:
    code, out, err = place.run(*how, "--wrong", "6")
    assert (code, out) == (2, "")
    assert line(err) == "outscore: error: this cell cannot be done: mind the gap"
    assert not alive(place.pids)


@pytest.mark.slow
@needs_dask
def test_a_scheduler_that_is_not_there_is_said_soon(place: Place) -> None:
    (place.folder / "file.json").write_text(json.dumps({"id": "no address"}), encoding="utf-8")
    for where in ("nonsense", "file.json"):
        code, out, err = place.run("--dask", where)
        assert (code, out) == (3, "")
        assert line(err).startswith(f"outscore: error: no Dask scheduler answers at '{where}' (")
        assert line(err).endswith("): check --dask")
    assert not place.begun


@needs_dask
@pytest.mark.slow
def test_nobody_is_waited_for_longer_than_some_seconds(place: Place) -> None:
    start = time.monotonic()
    code, _, err = place.run("--dask", "tcp://127.0.0.1:9")
    assert code == 3
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in line(err)
    assert time.monotonic() - start < 30
