"""What a side of a row costs: a whole process as the operating system counts it, or a call after a warm-up."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from inputs import Inputs

LONG = 10.0
"""Seconds above which a side is run once: its first run counts."""


@dataclass(frozen=True)
class Cost:
    """Seconds of the clock and of the processors, peak memory in MiB, and the answer of a call, to be compared.

    None stands for what is not known.
    """

    wall_s: float
    cpu_s: float | None = None
    peak_mib: float | None = None
    answer: float | None = None


@dataclass(frozen=True)
class Command:
    """A whole process; its memory is its peak.

    Attributes:
        line: the command line for the given inputs.
    """

    line: Callable[[Inputs], list[str]]

    def cost(self, inputs: Inputs) -> Cost:
        line = self.line(inputs)
        with tempfile.TemporaryFile() as errors:
            start = time.perf_counter()
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                errors.seek(0)
                raise RuntimeError(_last_line(errors.read().decode(errors="replace"), process.returncode))
        return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


@dataclass(frozen=True)
class Call:
    """A function in a process of its own; its memory is the peak above what was there before it.

    Attributes:
        function: ``module:name`` of a function of the inputs that prepares the work and returns it, to be called.
    """

    function: str

    def cost(self, inputs: Inputs) -> Cost:
        script = Path(__file__).with_name("call.py")
        line = [sys.executable, str(script), self.function, str(inputs.folder), str(inputs.peers or "")]
        done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise RuntimeError(_last_line(done.stderr, done.returncode))
        return Cost(**json.loads(done.stdout.splitlines()[-1]))


def _last_line(errors: str, code: int) -> str:
    return ([line for line in errors.splitlines() if line.strip()] or [f"exit code {code}"])[-1]


Side = Command | Call


class Bench:
    """Measures pairs of sides in turn.

    Args:
        inputs: of all sides.
        runs: pairs of runs of each row.
    """

    def __init__(self, inputs: Inputs, runs: int) -> None:
        self.inputs, self.runs = inputs, runs
        self._long: dict[Side, Cost] = {}

    def in_turn(self, ours: Side, theirs: Side) -> tuple[Cost, Cost, float, int]:
        """Medians of both sides, the median ratio of their times pair by pair, and how often theirs was run.

        The first run of each side warms up, unless theirs takes long: then it is its only one, for all rows of the
        same peer, and is compared with the median of ours.
        """
        warm = self._first(theirs)
        ours.cost(self.inputs)
        if warm.wall_s > LONG:
            median = middle([ours.cost(self.inputs) for _ in range(self.runs)])
            return median, warm, warm.wall_s / median.wall_s, 1
        pairs = [(ours.cost(self.inputs), theirs.cost(self.inputs)) for _ in range(self.runs)]
        ratio = statistics.median(b.wall_s / a.wall_s for a, b in pairs)
        return middle([a for a, _ in pairs]), middle([b for _, b in pairs]), ratio, self.runs

    def alone(self, ours: Side) -> Cost:
        """Median of one side, where there is no peer to run in turn."""
        ours.cost(self.inputs)
        return middle([ours.cost(self.inputs) for _ in range(self.runs)])

    def _first(self, side: Side) -> Cost:
        if side not in self._long:
            cost = side.cost(self.inputs)
            if cost.wall_s <= LONG:
                return cost
            self._long[side] = cost
        return self._long[side]


def middle(costs: Sequence[Cost]) -> Cost:
    """Median of each number; the answer of the last run."""
    wall, cpu, peak = (statistics.median(getattr(c, k) for c in costs) for k in ("wall_s", "cpu_s", "peak_mib"))
    return Cost(wall, cpu, peak, costs[-1].answer)
