"""Interim analyses of loops, streams and replays: scores within bounds, and the numbers of items at which they fall."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, UsageError
from outscore.base.notes import Note
from outscore.results.sequences import InterimAnalysis
from outscore.significance.sequential import ASYMPTOTIC_SEQUENCE, FINAL, GAIN_MOVED, WHOLE_TEST_SET, Decision, Path
from outscore.significance.sequential.start import Bounds

_LARGEST = 700.0
"""Logarithm of the largest e-value that is told from larger ones; e to its power is a float."""


def check_scores(scores: Float, bounds: Bounds, *, first: int = 1, who: str = "") -> None:
    """Refuses scores that are missing or out of bounds.

    Args:
        scores: ``(b,)``; ``first``: the number of the first of these items; ``who``: whose they are.

    Raises:
        InputError: such a score; the message names the item.
    """
    of = f" of {who!r}" if who else ""
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        raise InputError(f"item {first + bad[0]}{of} has no score", remedy="skip it for both systems, or score it 0")
    if bounds is None:
        return
    bad = np.flatnonzero((scores < bounds[0]) | (scores > bounds[1]))
    if bad.size:
        raise InputError(
            f"item {first + bad[0]}{of} has the score {scores[bad[0]]:g}, outside {bounds[0]:g} to {bounds[1]:g}",
            remedy="give the lowest and highest score possible (--bounds LOW,HIGH), or --bounds none --method mixture",
        )


def find_final(made: list[Decision], counts: list[int]) -> tuple[Decision, int | None]:
    """The first final decision and the items by then; the last decision and None where none is final."""
    return next(((d, n) for d, n in zip(made, counts, strict=True) if d in FINAL), (made[-1], None))


def make_analyses(
    path: Path, counts: Int, made: list[Decision], at: list[int], *, best: float = -math.inf
) -> list[InterimAnalysis]:
    """Interim analyses after some units of a path.

    Args:
        counts: items after each unit; ``made``: decisions after each; ``at``: numbers of the units.
        best: largest logarithm of an e-value before the path.
    """
    largest = np.maximum(np.maximum.accumulate(path.log_e), best)
    p_values = np.exp(-np.clip(largest, 0.0, _LARGEST))
    e_values = np.exp(np.clip(path.log_e, -_LARGEST, _LARGEST))
    return [
        InterimAnalysis(
            n=int(counts[i]),
            gain=float(np.clip(path.gain[i], path.low[i], path.high[i])),
            observed=float(path.gain[i]),
            low=float(path.low[i]) if np.isfinite(path.low[i]) else None,
            high=float(path.high[i]) if np.isfinite(path.high[i]) else None,
            p_value=float(p_values[i]),
            e_value=float(e_values[i]),
            decision=made[i],
        )
        for i in at
    ]


def marks_from(every: int | None) -> Callable[[int, int], bool]:
    """Whether an interim analysis falls between two numbers of items: every so many, or at 10, 20, 50, 100 ..."""

    def series(n: int) -> int:
        if every is not None:
            return n // every
        return 0 if n < 10 else 3 * int(math.log10(n)) + sum(n >= m * 10 ** int(math.log10(n)) for m in (1, 2, 5))

    return lambda before, now: series(now) > series(before)


def check_every(every: int | None) -> None:
    """Refuses interim analyses that are not some items apart.

    Raises:
        UsageError: fewer than one item.
    """
    if every is not None and every < 1:
        raise UsageError(f"every={every}: expected 1 item or more")


def sequence_notes(method: str, population: int | None, analyses: Iterable[InterimAnalysis]) -> list[Note]:
    """Notes on a sequence, by its method and its interim analyses."""
    found = []
    if method == "mixture":
        found.append(ASYMPTOTIC_SEQUENCE)
    if population is not None:
        found.append(WHOLE_TEST_SET)
    # at the end of a whole test set both ends are its gain, but for rounding
    pairs = [(k.gain, k.observed) for k in analyses if k.gain is not None and k.observed is not None]
    if any(abs(shown - observed) > 1e-9 * max(1.0, abs(observed)) for shown, observed in pairs):
        found.append(GAIN_MOVED)
    return found
