"""How often intervals cover: of an accuracy, exactly; of mean ± 2 sd of resampled scores, as a lecture has it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.engine import intervals
from outscore.significance.proportions import PROPORTION_INTERVALS
from outscore.studies.simulations.simulated import SimulatedProportion

OCONNOR = "mean ± 2 sd"
"""The interval of O'Connor 2015; with infinitely many resamples of an accuracy p it is p ± 2 √(p(1 - p)/n)."""

_OTHERS = {"Wald": "wald", "Wilson": "wilson", "Clopper-Pearson": "clopper-pearson"}
_FROM, _ACCURACIES = 0.7, 200
_BOTH = 1e-12  # an end that is the accuracy but for rounding covers it

RARE_ITEMS = 50
"""Items of the F1 score of rare positives."""

ENOUGH = 400
"""Resamples that tell the mean and the standard deviation of F1 well enough."""

_RARE = (0.04, 0.04, 0.04)  # proportions of true positives, false positives, false negatives

Sums = Mapping[str, Any]


def exact(n: int, accuracy: float, level: float) -> dict[str, float]:
    """The coverage of each interval by name: the binomial probability of the counts whose interval holds the accuracy.

    Source: Brown, Cai & DasGupta 2001, §2.
    """
    return {name: float(covered[0]) for name, covered in _count_covered(n, np.array([accuracy]), level).items()}


def curves(n: int, level: float) -> list[tuple[float, str, float]]:
    """Coverage by accuracy from .7 to 1: accuracy, interval, coverage."""
    accuracies = np.linspace(_FROM, 1, _ACCURACIES, endpoint=False)
    covered = _count_covered(n, accuracies, level)
    return [
        (float(accuracy), name, float(values[place]))
        for name, values in covered.items()
        for place, accuracy in enumerate(accuracies)
    ]


def _count_covered(n: int, accuracies: Float, level: float) -> dict[str, Float]:
    from scipy import stats

    counts: Int = np.arange(n + 1)
    mass = stats.binom.pmf(counts, n, accuracies[:, None])
    found = {}
    for name, ends in _ends(level).items():
        low, high = np.array([ends(int(x), n) for x in counts]).T
        inside = (low <= accuracies[:, None] + _BOTH) & (accuracies[:, None] - _BOTH <= high)
        found[name] = np.asarray((mass * inside).sum(axis=1))
    return found


def _ends(level: float) -> Mapping[str, Callable[[int, int], tuple[float, float]]]:
    def two_sd(x: int, n: int) -> tuple[float, float]:
        half = 2 * math.sqrt(x / n * (1 - x / n) / n)
        return x / n - half, x / n + half

    others: dict[str, Callable[[int, int], tuple[float, float]]] = {
        name: partial(_coverage_at, short, level) for name, short in _OTHERS.items()
    }
    return {OCONNOR: two_sd, **others}


def _coverage_at(name: str, level: float, x: int, n: int) -> tuple[float, float]:
    return PROPORTION_INTERVALS[name](x, n, level)


def count_by_recipe(draw: np.random.Generator, rounds: int, n: int, accuracy: float, n_resamples: int) -> int:
    """How many of so many test sets have a bootstrap interval, mean ± 2 sd, that holds the accuracy."""
    held = 0
    for right in draw.binomial(n, accuracy, size=rounds).tolist():
        ends = intervals.oconnor(draw.binomial(n, right / n, size=n_resamples) / n)
        held += ends.low <= accuracy <= ends.high
    return held


@dataclass(frozen=True, kw_only=True)
class Rare:
    """F1 of rare positives, and of its resamples.

    Attributes:
        truth: F1 of the population; ``bias`` of the score of a test set.
        ratio: bias of the mean of resampled scores over that bias; ``ratio_error``: its Monte-Carlo error.
        resampled, observed: coverage of ± 2 sd around that mean, and around the score.
    """

    truth: float
    bias: float
    ratio: float
    ratio_error: float
    resampled: SimulatedProportion
    observed: SimulatedProportion


def count_rare(draw: np.random.Generator, rounds: int, n_resamples: int) -> Sums:
    """Sums over so many test sets, which ``add_sums`` makes sense of.

    With t the error of the score and u that of the mean of resampled ones, t, u, t², u², tu; and how many intervals
    covered.
    """
    shares = np.array([*_RARE, 1 - sum(_RARE)])
    truth = float(_f1(shares))
    sums, resampled, observed = np.zeros(5), 0, 0
    for counts in draw.multinomial(RARE_ITEMS, shares, size=rounds):
        again = _f1(draw.multinomial(RARE_ITEMS, counts / RARE_ITEMS, size=n_resamples))
        t, u, reach = float(_f1(counts)) - truth, float(again.mean()) - truth, 2 * float(again.std(ddof=1))
        sums += [t, u, t * t, u * u, t * u]
        resampled += abs(u) <= reach
        observed += abs(t) <= reach
    return {"sums": sums.tolist(), "redrawn": int(resampled), "observed": int(observed), "rounds": rounds}


def add_sums(cells: Sequence[Sums]) -> Rare:
    """All cells together."""
    rounds = sum(cell["rounds"] for cell in cells)
    t, u, tt, uu, tu = np.sum([cell["sums"] for cell in cells], axis=0) / rounds
    ratio = float(u / t)
    # the error of a quotient of means (delta method)
    spread = uu - 2 * ratio * tu + ratio**2 * tt
    return Rare(
        truth=float(_f1(np.array([*_RARE, 1 - sum(_RARE)]))),
        bias=float(t),
        ratio=ratio,
        ratio_error=float(np.sqrt(max(spread, 0.0) / rounds) / abs(t)),
        resampled=SimulatedProportion(hits=sum(cell["redrawn"] for cell in cells), rounds=rounds),
        observed=SimulatedProportion(hits=sum(cell["observed"] for cell in cells), rounds=rounds),
    )


def _f1(counts: Float | Int) -> Float:
    """2 TP / (2 TP + FP + FN), 0 without any positive; ``(..., 4)`` to ``(...)``."""
    positives = 2 * counts[..., 0]
    all_of_them = positives + counts[..., 1] + counts[..., 2]
    return np.asarray(np.divide(positives, all_of_them, out=np.zeros(np.shape(positives)), where=all_of_them > 0))
