"""A job that is cut into tasks: each done once, by anybody, kept in a folder, done nowhere twice."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from outscore.base import __version__, limits
from outscore.base.errors import InputError, Interrupted, MissingExtra, inflect
from outscore.base.files import write_whole
from outscore.base.lazy import dataclass
from outscore.base.notes import CELLS_REDONE, INTERRUPTED, Note
from outscore.jobs import Found, Progress, Spec, cores
from outscore.jobs.workers import Workers, WorkersLostError

_UNSURE = 3.0  # seconds after which the time that is left can be estimated
_CELL = 1000  # bytes

TaskFunction = Callable[[Any, Spec, int], Found]
"""Makes a cell of what it alone is given, its spec and its seed: plain values that JSON can hold."""


def give_nothing(spec: Spec) -> None:
    """The empty data given with a cell whose task holds everything."""
    del spec


@dataclass(frozen=True)
class Executor:
    """How cells are done, and where they are kept.

    Attributes:
        workers: who does them.
        progress: told of every cell that is done.
        resume: folder in which cells are kept as they are done, and from which those that it holds are taken.
        checkpoint: folder in which they are kept if the work is stopped and there is no other.
    """

    workers: Workers
    progress: Progress | None = None
    resume: Path | None = None
    checkpoint: Path | None = None


def executor_of(
    jobs: int | None,
    dask: str | None,
    resume: str | os.PathLike[str] | None,
    checkpoint: str | os.PathLike[str] | None,
    progress: Progress | None,
) -> Executor:
    """How cells are done, from the options of a verb; as many processes as there are cores unless said.

    Raises:
        UsageError: no processes, or an address that is empty.
    """
    return Executor(
        Workers(cores() if jobs is None else jobs, dask),
        progress,
        None if resume is None else Path(resume),
        None if checkpoint is None else Path(checkpoint),
    )


@dataclass(frozen=True)
class Job:
    """Work that is cut into cells.

    Attributes:
        kind: its name in messages: a study, an audit.
        name: of its progress and of the files of its cells.
        label: distinguishes it from other work of that name on the same data.
        task: does a cell; it can be pickled, and is sent to every worker once.
        digest: from a spec to what tells the data of its cell from others.
        given: from a spec to what is sent with its cell alone.
        amount: of the work, in words; by default its cells are counted.
    """

    kind: str
    name: str
    label: str
    task: TaskFunction
    digest: Callable[[Spec], str]
    given: Callable[[Spec], Any] = give_nothing
    amount: str = ""


@dataclass
class Tasks:
    """The findings of the cells of some work, by their places in its grid.

    Attributes:
        work, seed: determine the cells; ``grid``: tells them apart.
        found: of each cell that is done.
        redone: a note on kept cells that were not as they had been written.
    """

    work: Job
    seed: int
    grid: Sequence[Spec]
    found: dict[int, Found] = field(default_factory=dict)
    redone: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        """Cells are told apart by their specs alone.

        Raises:
            ValueError: two are the same, or JSON cannot hold one of them: a fault of the work.
        """
        seen = [_format(spec) for spec in self.grid]
        twice = next((spec for spec, times in Counter(seen).items() if times > 1), None)
        if twice is not None:
            raise ValueError(f"the {self.work.kind} {self.work.name!r} has the cell {twice} twice in its grid")

    def run(self, executor: Executor) -> tuple[Note, ...]:
        """Does all cells that are not done, and keeps each as soon as it is.

        Returns:
            A note where kept cells were not as they had been written, and were done again.

        Raises:
            InputError: the folder cannot be made or written to.
            Interrupted: Ctrl-C; the message says where the cells are kept.
            WorkersLostError: workers die again and again, or the scheduler goes away; what is done is kept.
            TooMuchError: it would take too long; what is done is kept where there is a folder.
        """
        if executor.resume is not None:
            self.redone = self._load(executor.resume)
        try:
            self._work(executor)
        except KeyboardInterrupt:
            raise self.stop(executor) from None
        except (WorkersLostError, MissingExtra) as error:
            if isinstance(error, MissingExtra) and not self.found:
                raise  # nobody had come to work yet
            raise type(error)(f"{error}; {self.keep(executor)}") from None
        return self.redone

    def run_most(self, executor: Executor) -> tuple[Note, ...]:
        """As ``run``; but what is done before Ctrl-C is a result, and a note says where the rest can go on.

        Raises:
            Interrupted: nothing was done before it.
        """
        try:
            return self.run(executor)
        except Interrupted as stop:
            if not self.found:
                raise
            said, _, where = str(stop).partition("; ")
            text = f"{said}: the result holds what these found"
            return (
                *self.redone,
                Note(code=INTERRUPTED.code, text=text, remedy=where or INTERRUPTED.remedy),
            )

    def stop(self, executor: Executor) -> Interrupted:
        """The error to raise after Ctrl-C, once the cells are kept."""
        return Interrupted(f"interrupted with {self.keep(executor)}")

    def keep(self, executor: Executor) -> str:
        """Keeps the cells that are done, and says how many they are and where the work can go on."""
        folder = executor.resume
        done = f"{len(self.found)} of {inflect(len(self.grid), 'cell')} done"
        if folder is None and executor.checkpoint is not None and self.found:
            folder = executor.checkpoint
            try:
                self._keep_all(folder)
            except InputError as error:
                return f"{done}, which could not be kept: {error}"
        return done if folder is None else f"{done}; go on with --resume {shlex.quote(str(folder))}"

    def list_done(self) -> list[tuple[Spec, Found]]:
        """The cells that are done, in the order of the grid."""
        return [(spec, self.found[n]) for n, spec in enumerate(self.grid) if n in self.found]

    def _load(self, folder: Path) -> tuple[Note, ...]:
        _make(folder)
        changed = []
        for number, spec in enumerate(self.grid):
            path = folder / self._file(spec)
            if path.exists():
                found = _read(path)
                if found is None:
                    changed.append(path.name)
                else:
                    self.found[number] = found
        if not changed:
            return ()
        named = f"{changed[0]}, ..." if len(changed) > 1 else changed[0]
        text = f"{inflect(len(changed), 'kept cell')} in {folder}: {CELLS_REDONE.text} ({named})"
        return (Note(code=CELLS_REDONE.code, text=text),)

    def _save(self, folder: Path, number: int) -> None:
        path, found = folder / self._file(self.grid[number]), self.found[number]
        kept = {"work": self.work.label, "spec": self.grid[number], "found": found, "sha256": _digest(path, found)}
        write_whole(path, json.dumps(kept, ensure_ascii=False, allow_nan=False) + "\n")

    def _work(self, executor: Executor) -> None:
        waiting = [number for number in range(len(self.grid)) if number not in self.found]
        self._report(executor)
        start = time.monotonic()
        # the generator is closed at once when something stops us, lest workers go on
        task = partial(_cell, self.work.task)
        with closing(executor.workers.results(task, [self._job(number) for number in waiting])) as results:
            for done, (place, found) in enumerate(results, 1):
                self.found[waiting[place]] = found
                if executor.resume is not None:
                    self._save(executor.resume, waiting[place])
                if (spent := time.monotonic() - start) > _UNSURE:
                    limits.check_hours(self.work.amount or inflect(len(self.grid), "cell"), spent, done / len(waiting))
                self._report(executor)

    def _report(self, executor: Executor) -> None:
        if executor.progress is not None:
            executor.progress(self.work.name, len(self.found), len(self.grid))

    def _keep_all(self, folder: Path) -> None:
        _make(folder)
        for number in self.found:
            self._save(folder, number)

    def _job(self, number: int) -> tuple[Any, Spec, int]:
        spec = self.grid[number]
        key = int.from_bytes(hashlib.sha256(_bytes(f"{self.work.name} {_format(spec)}")).digest()[:8], "big")
        seed = int(np.random.SeedSequence(self.seed, spawn_key=(key,)).generate_state(1)[0])
        return self.work.given(spec), spec, seed

    def _file(self, spec: Spec) -> str:
        said = f"{__version__} {self.work.label} {self.work.digest(spec)} {self.seed} {_format(spec)}"
        return f"{self.work.name}-{hashlib.sha256(_bytes(said)).hexdigest()[:20]}.json"


def _read(path: Path) -> Found | None:
    """The content of a cell; None where it is not what was written under this name."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        found: Found = kept["found"]
        return found if kept["sha256"] == _digest(path, found) and isinstance(found, dict) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _digest(path: Path, found: Found) -> str:
    """Of a cell's findings and of its name, in which version, data, options, seed and spec are."""
    return hashlib.sha256(_bytes(f"{path.name} {_format(found)}")).hexdigest()


def _cell(task: TaskFunction, job: tuple[Any, Spec, int]) -> Found:
    """One cell, as JSON gives it back, so that a kept cell is the same as a fresh one."""
    found: Found = json.loads(json.dumps(task(*job), allow_nan=False))
    return found


def blocks(name: str, total: int, size: int) -> list[Spec]:
    """Cells of so many numbers from 0 to ``total``, each with its first and the one after its last.

    Raises:
        TooMuchError: the cells would not fit into memory.
    """
    check_cells(total / size)
    return [{name: [first, min(first + size, total)]} for first in range(0, total, size)]


def check_cells(number: float, amount: str = "") -> None:
    """Refuses more cells than fit into memory, before there are any."""
    limits.check_memory(amount or f"{number:,.0f} cells", _CELL * number)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot keep cells here ({error.strerror})", file=str(folder), remedy="name another folder"
        ) from None


def _bytes(text: str) -> bytes:
    # a spec may name a system after a file whose name is no UTF-8
    return text.encode("utf-8", errors="surrogatepass")


def _format(spec: Spec) -> str:
    return json.dumps(spec, sort_keys=True, ensure_ascii=False, allow_nan=False)
