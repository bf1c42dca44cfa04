"""Small data by name, and the codes of the notes that they raise: each call is made once, in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

import outscore
from outscore import Interrupted
from outscore.base.notes import Note

CALLS: dict[str, Callable[[], Iterable[Note]]] = {}
FEW: dict[str, Any] = {"n_resamples": 200}
BOOT: dict[str, Any] = {"test": "bootstrap", **FEW}
IID: dict[str, Any] = {"test": "bootstrap", "engine": "iid"}


def normal(n: int, seed: int = 1, gain: float = 0.0, sd: float = 1.0, runs: int = 1) -> Any:
    """Scores ``(n,)``, or ``(runs, n)``."""
    found = np.random.default_rng(seed).normal(gain, sd, (runs, n)).round(4)
    return found if runs > 1 else found[0]


def right(n: int, seed: int, share: float = 0.5) -> Any:
    """Right or wrong."""
    return (np.random.default_rng(seed).random(n) < share) * 1.0


def two(n: int, gain: float = 0.0, **how: Any) -> dict[str, Any]:
    """A baseline and a system that have nothing to do with one another."""
    return {"a": normal(n, 1, **how), "b": normal(n, 2, gain, **how)}


def many(k: int, n: int = 40, step: float = 0.1, runs: int = 1) -> dict[str, Any]:
    """Systems, each better than the one before by ``step``."""
    return {f"s{i}": normal(n, i, step * i, runs=runs) for i in range(k)}


def offset(runs: int) -> dict[str, Any]:
    """Runs that differ as a whole and by nothing else."""
    return {name: normal(60, i) + normal(runs, i + 6)[:, None] for i, name in enumerate("ab", 1)}


def words(seed: int, n: int = 12) -> list[str]:
    """Sentences of eight words."""
    draw = np.random.default_rng(seed)
    return [" ".join(draw.choice(list("abcdefgh"), 6)) for _ in range(n)]


def parted(n: int, size: int) -> list[str]:
    """Names of clusters or strata of so many items each."""
    return [f"p{i // size}" for i in range(n)]


CLUSTERED = {name: normal(60, i) + np.repeat(normal(12, i + 2), 5) for i, name in enumerate("ab", 1)}
"""Items in clusters of five that are alike."""
TEXTS = {"a": words(1), "b": words(2)}


def file(name: str, *lines: str) -> str:
    """A file of these lines."""
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return name


def table(name: str, header: str, *rows: str) -> str:
    """A CSV file."""
    return file(name, header, *rows)


def call(name: str, made: Callable[..., Any], *given: Any, **how: Any) -> None:
    """Enters a call under a name; what it makes has notes."""
    assert name not in CALLS, name
    CALLS[name] = lambda: made(*given, **how).notes


def stopped(work: Callable[[Any], Any]) -> Any:
    """What is left of work that is interrupted as soon as some of it is done."""

    def tell(what: str, done: int, of: int) -> None:
        if "bootstrap" in what and done:
            raise KeyboardInterrupt

    try:
        return work(tell)
    except Interrupted as stop:
        return stop.result


def compare(name: str, data: Any, **how: Any) -> None:
    """A comparison, with few resamples unless said."""
    call(name, outscore.compare, data, **{**FEW, **how})
