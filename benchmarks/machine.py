"""The machine: what it is, and how fast it does what every engine needs."""

from __future__ import annotations

import datetime
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("numpy", "scipy", "sacrebleu")


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def description() -> str:
    """Date, processor, cores, system and versions, in one line."""
    parts = [str(datetime.date.today()), _processor(), f"{cores()} cores", platform.system()]
    return ", ".join([*parts, f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in PACKAGES)])


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text(encoding="utf-8").splitlines() if described.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


@dataclass(frozen=True)
class Rates:
    """What one core does in a second, and what all do together in a product of matrices.

    Attributes:
        bits: random bits.
        copied: bytes read and written in copying memory.
        product: float64 operations of a product of matrices (2,048 x 2,000 by 2,000 x 320), on all cores.
        transformed: numbers in real Fourier transforms of length 2,000, forwards or backwards.
        compared: differences of two numbers in cache, compared with a third.
        functions: logarithms in cache.
    """

    bits: float
    copied: float
    product: float
    transformed: float
    compared: float
    functions: float

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Name and rate, for a table."""
        return [
            ("random bits, one core", f"{self.bits / 1e9:.1f} Gbit/s"),
            ("memory read and written in copying, one core", f"{self.copied / 1e9:.1f} GB/s"),
            ("float64 matrix product, all cores", f"{self.product / 1e9:.0f} GFLOP/s"),
            ("real Fourier transform of 2,000 numbers, one core", f"{2000 / self.transformed * 1e6:.1f} µs"),
            ("subtract and compare in cache, one core", f"{self.compared / 1e9:.2f} G/s"),
            ("logarithms in cache, one core", f"{self.functions / 1e9:.2f} G/s"),
        ]

    @classmethod
    def measured(cls) -> Rates:
        """The rates of this machine, each by the fastest of its ways in numpy and scipy."""
        import numpy as np
        import scipy.fft

        draw = np.random.default_rng(1)
        raw = np.random.SFC64(1)
        much, other = np.ones(2**24), np.empty(2**24)
        left, right = draw.random((2048, 2000)), draw.random((2000, 320))
        columns = draw.random((64, 2000))
        few, more, sums = draw.random(4096), draw.random(4096), np.empty(4096)
        true = np.empty(4096, dtype=bool)

        def compare() -> None:
            np.subtract(few, more, out=sums)
            np.less(sums, 0.5, out=true)

        transform = min(best(lambda: np.fft.rfft(columns)), best(lambda: scipy.fft.rfft(columns)))
        return cls(
            bits=2**20 * 64 / best(lambda: raw.random_raw(2**20)),
            copied=2 * much.nbytes / best(lambda: np.copyto(other, much)),
            product=2 * 2048 * 2000 * 320 / best(lambda: left @ right),
            transformed=columns.size / transform,
            compared=few.size / best(compare),
            functions=few.size / best(lambda: np.log(few, out=sums)),
        )


def best(work: Callable[[], object], repeats: int = 20) -> float:
    """Seconds of the fastest of several calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
