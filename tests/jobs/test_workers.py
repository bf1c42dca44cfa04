"""Tasks over processes: every result once, errors as they were raised, and nobody who works on when nobody listens."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError, MissingExtra, OutscoreError, UsageError
from outscore.jobs.workers import Workers, WorkersLostError
from tests.studies.processes import alive

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def square(x: int) -> tuple[int, int]:
    return x * x, os.getpid()


def fail(x: int) -> int:
    if x == 3:
        raise InputError("three", file="a.txt", line=3, remedy="take two")
    return x


def misspell(x: int) -> int:
    return x + undefined  # type: ignore[name-defined, no-any-return]  # noqa: F821


def begin(folder: Path, x: int) -> int:
    (folder / f"{x} {os.getpid()}").touch()
    time.sleep(0.2)
    return x


def die(folder: Path | None, x: int) -> int:
    """Kills the worker at 2: once where there is a folder, else always."""
    if x == 2 and (folder is None or not (folder / "tomb").exists()):
        if folder is not None:
            (folder / "tomb").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def threads(x: int) -> list[str | None]:
    return [os.environ.get(name) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")]


def total(array: Any, x: int) -> float:
    assert not isinstance(array, str)
    return float(array[x].sum())


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # loky's thread may still look for a task that a stop has taken away (KeyError), and then ends as it should
        warnings.filterwarnings("ignore", "Exception in thread ExecutorManagerThread")
        yield


DASK = pytest.param(Workers(2, "local"), id="dask", marks=pytest.mark.slow)
HOW = [pytest.param(Workers(1), id="here"), pytest.param(Workers(2), id="processes"), DASK]


def needs(workers: Workers) -> None:
    if workers.dask is not None:
        pytest.importorskip("distributed", reason="needs the extra: pip install 'outscore[dask]'")


@pytest.mark.parametrize("workers", HOW)
def test_every_part_has_its_result_once(workers: Workers) -> None:
    needs(workers)
    found = list(workers.results(square, range(20)))
    assert sorted((number, value) for number, (value, _) in found) == [(n, n * n) for n in range(20)]
    here = {pid for _, (_, pid) in found} == {os.getpid()}
    assert here == (workers == Workers(1))


@pytest.mark.parametrize("workers", HOW)
def test_errors_come_as_they_were_raised(workers: Workers) -> None:
    needs(workers)
    with pytest.raises(InputError) as error:
        list(workers.results(fail, range(6)))
    assert str(error.value) == "a.txt:3: three; take two"
    assert (error.value.file, error.value.line) == ("a.txt", 3)
    with pytest.raises(NameError, match="undefined"):
        list(workers.results(misspell, range(6)))


@pytest.mark.parametrize("workers", HOW)
def test_nothing_to_do_is_done_at_once(workers: Workers) -> None:
    assert list(workers.results(square, [])) == []


def test_one_part_needs_no_worker() -> None:
    assert list(Workers(8).results(square, [3])) == [(0, (9, os.getpid()))]


@pytest.mark.slow
@pytest.mark.parametrize("workers", HOW[1:])
def test_closing_stops_the_workers(workers: Workers, tmp_path: Path) -> None:
    needs(workers)
    results = workers.results(partial(begin, tmp_path), range(200))
    next(results)
    results.close()
    time.sleep(0.5)
    begun = len(list(tmp_path.iterdir()))
    assert begun < 50
    time.sleep(1)
    assert len(list(tmp_path.iterdir())) == begun
    assert not alive({int(path.name.split()[1]) for path in tmp_path.iterdir()} - {os.getpid()})


@pytest.mark.slow
@posix
@pytest.mark.parametrize("workers", HOW[1:])
def test_a_worker_that_dies_is_replaced(workers: Workers, tmp_path: Path) -> None:
    needs(workers)
    assert sorted(workers.results(partial(die, tmp_path), range(6))) == [(n, n) for n in range(6)]
    assert (tmp_path / "tomb").exists()


EARLY = """
import signal, sys
if any("LokyProcess" in word for word in sys.orig_argv):
    signal.raise_signal(signal.SIGINT)
"""
STARTED = """
from outscore.jobs.workers import Workers
assert sorted(Workers(2).results(abs, [-1, -2])) == [(0, 1), (1, 2)]
"""


@posix
def test_a_ctrl_c_while_workers_begin_is_heard_by_their_parent_alone(tmp_path: Path) -> None:
    """A terminal sends it to all of them, and they would show tracebacks of their imports."""
    (tmp_path / "sitecustomize.py").write_text(EARLY, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", STARTED],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(outscore.__file__).parents[1])])},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, "KeyboardInterrupt" in done.stderr) == (0, False), done.stderr


@pytest.mark.slow
@posix
@pytest.mark.parametrize("workers", HOW[1:])
def test_workers_that_die_again_and_again_are_given_up(workers: Workers) -> None:
    needs(workers)
    with pytest.raises(WorkersLostError, match="want of memory"):
        list(workers.results(partial(die, None), range(6)))
    assert WorkersLostError.exit_code == 3


@pytest.mark.parametrize("workers", HOW[1:])
def test_each_worker_uses_one_thread(workers: Workers) -> None:
    needs(workers)
    assert {tuple(found) for _, found in workers.results(threads, range(4))} == {("1", "1", "1")}


@pytest.mark.parametrize("workers", HOW)
def test_a_large_task_is_given_to_all(workers: Workers) -> None:
    needs(workers)
    array = np.arange(2_000_000.0).reshape(4, -1)  # beyond what joblib sends through a pipe
    found = dict(workers.results(partial(total, array), range(4)))
    assert [found[n] for n in range(4)] == [float(row.sum()) for row in array]


@pytest.mark.parametrize("workers", HOW[1:])
def test_the_settings_of_others_stay_as_they_are(workers: Workers) -> None:
    needs(workers)
    from joblib import parallel_config
    from joblib.parallel import get_active_backend

    log = logging.getLogger("distributed")
    level = log.level
    with parallel_config(backend="threading", n_jobs=3):
        results = workers.results(square, range(6))
        next(results)
        backend, jobs = get_active_backend()
        assert (type(backend).__name__, jobs) == ("ThreadingBackend", 3)
        results.close()
    assert log.level == level


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"--dask needs an extra: pip install 'outscore\[dask\]'"):
        list(Workers(1, "local").results(square, range(3)))


def test_a_scheduler_file_without_an_address_is_no_scheduler(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the extra: pip install 'outscore[dask]'")
    for text in ("", "{}", "[]", '"tcp://"'):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        with pytest.raises(OutscoreError, match=r"no Dask scheduler answers at .*: check --dask"):
            list(Workers(1, str(tmp_path / "file")).results(square, range(3)))


def test_no_workers_cannot_work() -> None:
    with pytest.raises(UsageError, match="jobs=0: expected 1 or more"):
        Workers(0)
    with pytest.raises(UsageError, match="the address of the Dask scheduler is empty"):
        Workers(1, "")
