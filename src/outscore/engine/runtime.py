"""Maps over blocks of resamples: serially or on threads, with progress, bounded memory and an honest interruption."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.weights import ATOM

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done, and how many there are."""

_LARGEST_BLOCK = 512
_BLOCK_CELLS = 2**21  # weights held at once: 16 MiB of float64 in each thread


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Runtime:
    """How work is done; it never changes a result.

    Attributes:
        jobs: threads.
        progress: told of every finished block, or None.
        block: resamples handled at once; None chooses by the number of units.
    """

    jobs: int = 1
    progress: Progress | None = None
    block: int | None = None

    def resample(self, what: str, task: Callable[[range], Float], n_resamples: int, n_units: int) -> tuple[Float, bool]:
        """Runs ``task`` over all atoms, block by block.

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
        """
        blocks = list(self._blocks(n_resamples, n_units))
        done: list[Float] = []
        interrupted = False
        results = self._results(task, blocks)
        try:
            for values in results:
                done.append(values)
                if self.progress is not None:
                    self.progress(what, min(blocks[len(done) - 1].stop * ATOM, n_resamples), n_resamples)
        except KeyboardInterrupt:
            if not done:
                raise
            interrupted = True
        finally:
            results.close()
        return np.concatenate(done)[:n_resamples], interrupted

    def _blocks(self, n_resamples: int, n_units: int) -> Iterator[range]:
        size = self.block or min(_LARGEST_BLOCK, max(ATOM, _BLOCK_CELLS // max(n_units, 1)))
        atoms_at_once = max(1, size // ATOM)
        n_atoms = -(-n_resamples // ATOM)
        for start in range(0, n_atoms, atoms_at_once):
            yield range(start, min(start + atoms_at_once, n_atoms))

    def _results(self, task: Callable[[range], Float], blocks: list[range]) -> Generator[Float, None, None]:
        if self.jobs <= 1 or len(blocks) == 1:
            yield from map(task, blocks)
            return
        with ThreadPoolExecutor(self.jobs) as pool:
            futures = [pool.submit(task, block) for block in blocks]
            try:
                for future in futures:
                    yield future.result()
            finally:
                for future in futures:
                    future.cancel()
