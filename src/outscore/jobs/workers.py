"""Maps tasks over processes, here or on a Dask cluster; whoever does a task, its result is the same."""

from __future__ import annotations

import json
import logging
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from outscore.base import __version__
from outscore.base.errors import MissingExtra, OutscoreError, UsageError
from outscore.base.installed import require
from outscore.base.lazy import dataclass

P = TypeVar("P")
R = TypeVar("R")

_MOST_DEATHS = 3
"""How often workers may die in a row without having finished anything."""

_LEFT = "the Dask scheduler went away"

_PATIENCE = 10
"""Seconds in which a Dask scheduler must answer, and a worker give what it has done."""

_WATCH = 1
"""Seconds after which a worker sees that its parent is gone."""

_FORGETS_PARENTS = sys.platform != "win32"
"""Whether the parent of a process is another once its own has ended; Windows goes on to name the dead."""

_DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
"""The first lines that Dask workers run: Ctrl-C is for their parent, which stops them."""

_AHEAD, _FEWEST_BEGUN = 3, 8
"""Parts that Dask is given beside those being done: for each of its threads, and at least."""

_LIGHT = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.nanny.pre-spawn-environ": {f"{name}_NUM_THREADS": 1 for name in ("OMP", "MKL", "OPENBLAS")},
}
"""Of workers of our own: nobody looks at their profile, and to make it costs time.

Nor do they give memory back to the system after every array, as Dask's own environment of workers tells malloc to:
to get it anew takes half as long again as the work.
"""

LOCAL = "local"


class WorkersLostError(OutscoreError):
    """Workers, or the scheduler, went away again and again; what had been yielded is good."""


@dataclass(frozen=True)
class Workers:
    """Where tasks are done.

    Attributes:
        jobs: processes; with one the work is done here.
        dask: address of a Dask scheduler, a scheduler file, or ``local`` for a cluster of ``jobs`` processes of its
            own; None for processes without Dask.

    Raises:
        UsageError: no processes, or an address that is empty.
    """

    jobs: int = 1
    dask: str | None = None

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise UsageError(f"jobs={self.jobs}: expected 1 or more")
        if self.dask == "":
            raise UsageError(f"the address of the Dask scheduler is empty: name it, or {LOCAL}")

    def results(self, task: Callable[[P], R], parts: Sequence[P]) -> Generator[tuple[int, R], None, None]:
        """Numbers of the parts with their results, as they are finished.

        A worker that dies is replaced, and what it was doing is done again. Closing the generator stops the workers.

        Args:
            task: a part to its result; it and the parts can be pickled. Doing it twice does no harm.
            parts: the work.

        Raises:
            MissingExtra: Dask is asked for and not installed, or the workers of the cluster lack a library.
            WorkersLostError: workers die again and again, or the scheduler goes away.
            OutscoreError: the scheduler cannot be reached.
        """
        if not parts:
            return
        if self.dask is not None:
            yield from self._run_on_dask(task, parts)
        elif self.jobs == 1 or len(parts) < 2:
            yield from ((number, task(part)) for number, part in enumerate(parts))
        else:
            yield from self._run_in_processes(task, parts)

    def _run_in_processes(self, task: Callable[[P], R], parts: Sequence[P]) -> Iterator[tuple[int, R]]:
        from joblib import Parallel, delayed, parallel_config
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        waiting = dict(enumerate(parts))
        deaths = 0
        while waiting:
            # the configuration must not hold while we are suspended: it would be that of our caller too
            with parallel_config(backend="loky", inner_max_num_threads=1):
                workers = Parallel(n_jobs=self.jobs, return_as="generator_unordered", batch_size=1)
            one = delayed(_run_part)
            here = os.getpid(), str(Path.cwd())
            found: Any = None
            try:
                with _unheard_by_children():
                    found = workers(one(*here, task, number, part) for number, part in list(waiting.items()))
                for number, result in found:
                    del waiting[number]
                    deaths = 0
                    yield number, result
            except TerminatedWorkerError:
                deaths += 1
                if deaths == _MOST_DEATHS:
                    raise WorkersLostError(
                        f"a worker was killed {deaths} times in a row, as a rule for want of memory: use fewer --jobs"
                    ) from None
            finally:
                if found is not None:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")  # joblib warns of tasks that are stopped, which is what we want
                        found.close()

    def _run_on_dask(self, task: Callable[[P], R], parts: Sequence[P]) -> Iterator[tuple[int, R]]:
        distributed = require("distributed", "--dask", "dask")
        with _quiet(), self._client(distributed) as client:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Dask warns of large tasks; what is large is sent once
                # a task that makes the task: unlike scattered data, it is made again where its holder has died; and
                # pickled here, what a worker lacks is an error of the task instead of the end of the worker
                shared = client.submit(pickle.loads, require("cloudpickle", "--dask", "dask").dumps(task), pure=False)
            futures: dict[Any, int] = {}
            finished = distributed.as_completed(loop=client.loop)
            waiting = deque(range(len(parts)))

            def begin() -> None:
                # the scheduler holds every part that is begun, so few are begun before there are workers for them
                with _scheduler_may_leave(distributed):
                    most = _FEWEST_BEGUN + _AHEAD * sum(client.nthreads().values()) if waiting else 0
                    while waiting and len(futures) < most:
                        number = waiting.popleft()
                        future = client.submit(_apply, shared, parts[number], pure=False)
                        futures[future] = number
                        finished.add(future)

            begin()
            for future in finished:
                number = futures.pop(future)
                try:
                    result = _result(distributed, future)
                except _ResultLostError:
                    waiting.appendleft(number)
                else:
                    yield number, result
                begin()

    @contextmanager
    def _client(self, distributed: Any) -> Iterator[Any]:
        where = str(self.dask)
        cluster = None
        try:
            if where == LOCAL:
                with require("dask", "--dask", "dask").config.set(_LIGHT), _unheard_by_children():
                    # that workers are replaced is what it is there for, and no news
                    cluster = distributed.LocalCluster(
                        n_workers=self.jobs,
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",  # else a second cluster of the machine warns of the first
                        silence_logs=logging.CRITICAL,
                        preload=[_DEAF],
                    )
            client = distributed.Client(cluster or _address(where), timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, KeyError, TypeError, MemoryError) as error:
            # MemoryError: something else answers there, and its first bytes are taken for a length
            raise OutscoreError(f"no Dask scheduler answers at {where!r} ({error}): check --dask") from None
        try:
            if cluster is None:
                with _scheduler_may_leave(distributed):
                    _check_versions(client)
            yield client
        finally:
            client.close()
            if cluster is not None:
                cluster.close()


@contextmanager
def _unheard_by_children() -> Iterator[None]:
    """A Ctrl-C waits for the end of this, and processes begun here never hear one: their parent stops them.

    A terminal sends it to all of them, which would show tracebacks of their first imports.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which of Python 3.11 would end the waiting
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _scheduler_may_leave(distributed: Any) -> Iterator[None]:
    closed = getattr(distributed.client, "ClosedClientError", OSError)  # of later versions
    try:
        yield
    except (OSError, distributed.CancelledError, closed):
        raise WorkersLostError(_LEFT) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """A context in which Dask logs only what is critical: our error says what goes wrong, and says it once."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _address(where: str) -> str:
    """The address of a scheduler, which may stand in the file that the scheduler wrote."""
    path = Path(where)
    return str(json.loads(path.read_text(encoding="utf-8"))["address"]) if path.is_file() else where


def _check_versions(client: Any) -> None:
    """Other versions may give other results."""
    # `eval` can be sent to a worker that knows nothing of ours
    found = client.run(eval, "__import__('outscore').__version__", on_error="return")
    for worker, version in found.items():
        if isinstance(version, ImportError):
            raise MissingExtra(f"the Dask worker {worker} has no {version.name}: install outscore {__version__} there")
        if version != __version__:
            raise OutscoreError(f"the Dask worker {worker} has outscore {version}: install {__version__} there")


class _ResultLostError(Exception):
    """A worker finished a task and died before it could be asked for the result."""


def _result(distributed: Any, future: Any) -> Any:
    try:
        return future.result(timeout=_PATIENCE)
    except TimeoutError:
        if future.status == "error":  # the task has raised it
            raise
        raise _ResultLostError from None
    except distributed.KilledWorker:
        raise WorkersLostError(
            "workers of the Dask cluster were killed again and again over one cell, as a rule for want of memory"
        ) from None
    except (distributed.CancelledError, distributed.comm.CommClosedError):
        raise WorkersLostError(_LEFT) from None
    except ImportError as error:
        raise MissingExtra(f"the workers of the Dask cluster cannot import {error.name}: install it there") from None


def _run_part(parent: int, folder: str, task: Callable[[P], R], number: int, part: P) -> tuple[int, R]:
    if parent != os.getpid():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which stops us
        if _FORGETS_PARENTS:
            _leave_with(parent)
        os.chdir(folder)  # a worker may have begun in another, and be used again
    return number, task(part)


@cache
def _leave_with(parent: int) -> None:
    """Ends this process soon after its parent: where that is killed, nobody else tells us."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _apply(task: Callable[[P], R], part: P) -> R:
    return task(part)
