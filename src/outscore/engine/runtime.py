"""Maps over blocks of resamples: serially or on threads, with progress, bounded memory and an honest interruption.

Threads are enough: numpy lets go of the interpreter while it adds, transforms and multiplies, and they share the
statistics, which processes would have to copy. What depends on the machine, threads and sizes of blocks, decides when a
resample is drawn and never which, as each atom has a random stream of its own.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

import numpy as np

from outscore.base import limits
from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.engine.weights import ATOM
from outscore.jobs import Progress

P = TypeVar("P")
R = TypeVar("R")

_LARGEST_BLOCK = 512
_BLOCK_CELLS = 2**21  # weights held at once: 16 MiB of float64 in each thread
_FEW = 2  # parts for each thread below which one thread is done as soon
_WORTH = 0.1  # seconds of work still to do from which on it pays to share it among threads
_WORTH_PART = 0.01  # and of one part
_WARM = 0.05  # seconds that the first part may take longer
_UNSURE = 3.0  # seconds after which the time that is left can be estimated
_AHEAD = 3  # parts for each thread that may be waiting or done before they are asked for


@dataclass(frozen=True)
class Runtime:
    """How work is done; it never changes a result.

    Attributes:
        jobs: threads.
        progress: told of every finished part, or None.
        whole: an interruption ends the work as an error, even where what was done would be a result by itself: so
            that whoever keeps results never keeps a part of one.
        block: resamples handled at once where nothing but memory asks for a size; None chooses by the number of units.
    """

    jobs: int = 1
    progress: Progress | None = None
    block: int | None = None
    whole: bool = False

    def run(
        self, what: str, task: Callable[[P], R], parts: Sequence[P], sizes: Sequence[int], total: int | None = None
    ) -> Generator[R, None, None]:
        """Results of ``task`` for each part, in order; few are held at once.

        Args:
            what: name of the work, for the progress display.
            task: a part to its result; it may run in a thread.
            parts: the work.
            sizes: how much of it each part is; ``total``: of how much, by default all of them together.
        """
        total = sum(sizes) if total is None else total
        done = 0
        start = time.monotonic()
        results = self._results(task, parts)
        try:
            for result, size in zip(results, sizes, strict=True):
                yield result
                done += size
                if done and (spent := time.monotonic() - start) > _UNSURE:
                    limits.check_hours(what, spent, min(1.0, done / max(total, 1)))
                if self.progress is not None:
                    self.progress(what, min(done, total), total)
        finally:
            results.close()

    def gather(
        self,
        what: str,
        task: Callable[[P], R],
        parts: Sequence[P],
        sizes: Sequence[int],
        add: Callable[[R], object],
        total: int | None = None,
    ) -> bool:
        """Adds the results of ``run``, in order; whether an interruption has ended that.

        Raises:
            KeyboardInterrupt: interrupted before the first was added, or at all where the work is wanted whole.
        """
        results, done = self.run(what, task, parts, sizes, total), 0
        try:
            for result in results:
                add(result)
                done += 1
        except KeyboardInterrupt:
            if not done or self.whole:
                raise
            return True
        finally:
            results.close()
        return False

    def resample(self, what: str, task: Callable[[range], Float], n_resamples: int, n_units: int) -> tuple[Float, bool]:
        """Runs ``task`` over all atoms, block by block, and keeps everything.

        Args:
            what: name of the work, for the progress display.
            task: atoms to the resampled values ``(len(atoms) * ATOM, ...)``.
            n_resamples: wanted resamples.
            n_units: units of one resample; decides how many are handled at once.

        Returns:
            The values ``(B, ...)`` and whether the work was interrupted; then B is what had been done, at least one
            block, in unbroken order from the first.

        Raises:
            KeyboardInterrupt: interrupted before the first block was done.
            TooMuchError: all of them would not fit into memory, or take too long.
        """
        blocks = list(self.blocks(n_resamples, n_units))
        done: list[Float] = []

        def add(values: Float) -> None:
            if not done:
                # once more where they are joined
                limits.check_memory(f"{n_resamples:,} resamples", 2 * values.nbytes / len(values) * n_resamples)
            done.append(values)

        interrupted = self.gather(what, task, blocks, [len(block) * ATOM for block in blocks], add, n_resamples)
        return np.concatenate(done)[:n_resamples], interrupted

    def blocks(self, n_resamples: int, n_units: int) -> Iterator[range]:
        """Runs of atoms that are handled at once."""
        size = self.block or min(_LARGEST_BLOCK, max(ATOM, _BLOCK_CELLS // max(n_units, 1)))
        atoms_at_once = max(1, size // ATOM)
        n_atoms = -(-n_resamples // ATOM)
        for start in range(0, n_atoms, atoms_at_once):
            yield range(start, min(start + atoms_at_once, n_atoms))

    def _results(self, task: Callable[[P], R], parts: Sequence[P]) -> Generator[R, None, None]:
        """Begins with one thread, and goes on with all of them when a part says that much is still to do.

        Threads that hand the interpreter to each other for many short steps are slower than one of them: in the joint
        law of two metrics on 300 lines, 40 parts of 1.5 ms, two of them take 90 ms by the clock and one takes 57.
        """
        if self.jobs <= 1 or len(parts) < _FEW * self.jobs:
            yield from map(task, parts)
            return
        spent = 0.0
        for number, part in enumerate(parts):
            # the first may import and tabulate what the others find
            taken = spent - _WARM if number == 1 else spent
            if spent >= _WORTH_PART and taken * (len(parts) - number) >= _WORTH:
                yield from self._share(task, parts[number:])
                return
            start = time.perf_counter()
            result = task(part)
            spent = time.perf_counter() - start
            yield result

    def _share(self, task: Callable[[P], R], parts: Sequence[P]) -> Generator[R, None, None]:
        from concurrent.futures import Future, ThreadPoolExecutor

        # in order, however they end: a part is handed on when all before it are, and few are begun ahead of that
        with ThreadPoolExecutor(self.jobs) as pool:
            waiting: deque[Future[R]] = deque()
            try:
                for part in parts:
                    waiting.append(pool.submit(task, part))
                    if len(waiting) > _AHEAD * self.jobs:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()
