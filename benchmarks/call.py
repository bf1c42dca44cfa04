"""Prepares a piece of work, calls it until its time is known, and prints what one call costs as JSON.

Run by ``measure.Call`` in a process of its own.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import resource
import statistics
import sys
import time
from pathlib import Path

from inputs import Inputs

SECONDS, MOST = 0.6, 200  # of repeated calls


def peak() -> float:
    """MiB of the largest memory so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget_peak() -> None:
    """Lets the peak begin anew at the present memory, where the system can do that (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def main(function: str, folder: str, peers: str) -> None:
    module, _, name = function.partition(":")
    work = getattr(importlib.import_module(module), name)(Inputs(Path(folder), Path(peers) if peers else None))
    forget_peak()
    before = peak()
    first, answer = timed(work)
    memory = peak() - before
    times = [first]
    if first[0] < SECONDS * 4:
        repeats = int(min(MOST, max(3, SECONDS / first[0])))
        times = [timed(work)[0] for _ in range(repeats)]
    wall, cpu = (statistics.median(t[i] for t in times) for i in (0, 1))
    print(json.dumps({"wall_s": wall, "cpu_s": cpu, "peak_mib": memory, "answer": answer}))


def timed(work: object) -> tuple[tuple[float, float], float | None]:
    """Seconds of the clock and of the processors that one call takes, and its answer."""
    assert callable(work)
    start, used = time.perf_counter(), time.process_time()
    answer = work()
    cost = time.perf_counter() - start, time.process_time() - used
    return cost, None if answer is None else float(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
