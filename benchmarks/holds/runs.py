"""Samples that are no runs, and runs in different numbers."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import outscore
from holds.cell import Cell

ALPHA = 0.05
Run = Callable[[np.random.Generator], float]


def _found(data: object, test: str = "auto", **asked: str) -> float:
    try:
        p = outscore.compare(data, test=test, n_resamples=199, **asked).pairs[0].p_value
    except outscore.UsageError:  # an option that this version does not have
        return float("nan")
    return float("nan") if p is None else float(p <= ALPHA)


def _samples(column: str, gain: float = 0.0, items: int = 50, samples: int = 3, right: bool = False) -> Run:
    """Three answers of each system to each item, in a table whose column says so by its name."""

    def run(rng: np.random.Generator) -> float:
        skill = rng.normal(size=items)
        rows = []
        for system, moved in (("a", 0.0), ("b", gain)):
            score = skill + moved + rng.normal(size=(samples, items))
            if right:
                score = rng.random((samples, items)) < 1 / (1 + np.exp(-skill - moved))
            rows += [(system, f"q{i}", k, float(value)) for (k, i), value in np.ndenumerate(score)]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scores.csv"
            with path.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([("system", "item", column, "score"), *rows])
            return _found(outscore.read(str(path)))

    return run


def _means(gain: float, items: int = 50, samples: int = 3) -> Run:
    def run(rng: np.random.Generator) -> float:
        skill = rng.normal(size=items)
        a, b = (skill + g + rng.normal(size=(samples, items)) for g in (0.0, gain))
        return _found({"a": a.mean(axis=0), "b": b.mean(axis=0)})

    return run


def _runs(runs: tuple[int, int], share: float = 0.2, spread: float = 1.0, gain: float = 0.0, test: str = "auto") -> Run:
    """Runs of standard deviation 1, of the first system ``spread``; the items' part of the gain has ``share``."""

    def run(rng: np.random.Generator) -> float:
        data = {}
        for name, number, sd, moved in (("a", runs[0], spread, 0.0), ("b", runs[1], 1.0, gain)):
            own = rng.normal(size=(number, 1)) * sd
            data[name] = moved + own + rng.normal(size=40) * share * np.sqrt(20)
        return _found(data, test)

    return run


def _cells() -> tuple[Cell, ...]:
    found = []
    for column in ("epoch", "trial"):
        found.append(Cell("10 samples", f"3 samples of 50 items, column {column}", "level", ALPHA, _samples(column)))
    right = _samples("trial", right=True)
    found.append(Cell("10 samples", "3 right or wrong samples of 50 items, column trial", "level", ALPHA, right))
    found.append(Cell("10 samples", "3 samples of 50 items, column epoch", "power", None, _samples("epoch", 0.29)))
    found.append(Cell("10 samples", "means of 3 samples of 50 items", "power", None, _means(0.29)))
    for runs in ((2, 2), (2, 3), (2, 5), (2, 10), (2, 20), (3, 4), (3, 10), (5, 20)):
        name = f"{runs[0]} runs against {runs[1]}, run sd 5 times that of items"
        found.append(Cell("11 runs", name, "level", ALPHA, _runs(runs), 1000))
    for spread in (0.5, 2.0):
        name = f"2 runs against 20, the 2 vary {spread:g} times as much"
        found.append(Cell("11 runs", name, "level", ALPHA, _runs((2, 20), spread=spread), 1000))
    for spread in (0.5, 1.0, 2.0):
        name = f"4 runs against 20, the 4 vary {spread:g} times as much"
        found.append(Cell("11 runs", name, "level", ALPHA, _runs((4, 20), spread=spread), 1000))
        name = f"5 runs against 10, the 5 vary {spread:g} times as much, gain of 1.5 run sd"
        found.append(Cell("11 runs", name, "power", None, _runs((5, 10), share=0.04, spread=spread, gain=1.5), 1000))
    for runs in ((3, 3), (3, 4), (3, 5)):
        name = f"{runs[0]} runs against {runs[1]}, gain of 3 run sd"
        found.append(Cell("11 runs", name, "power", None, _runs(runs, gain=3.0), 1000))
    for test in ("runs", "multibootstrap", "crossed:variances=pooled"):
        name = f"2 runs against 20, --test {test}"
        found.append(Cell("11 runs", name, "level", ALPHA, _runs((2, 20), test=test), 1000))
    return tuple(found)


CELLS = _cells()
