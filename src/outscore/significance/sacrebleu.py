"""sacrebleu's p-values and intervals (Post 2018, version 2), draw for draw, so that printed ones can be made again.

These are no tests of ours: ties are left out of its counts, and its bootstrap counts one tail of absolute differences.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.engine import extreme

Scorer = Callable[[Any], float]
"""The program's own score of summed statistics ``(k,)``; in which precision it computes is a matter of their type."""

_CELLS = 2**24  # drawn indices that are held at once
_BITS = 32  # a draw of bits begins a new word, so that blocks of so many rows go on where the last one ended
_SINGLE = float(np.finfo(np.float32).eps)


@dataclass(frozen=True)
class Drawn:
    """The result of sacrebleu's rule on its draws.

    Attributes:
        p_value: by its count, of draws beyond the difference.
        with_ties: the same draws, those equal to the difference counted too.
        two_sided: the same draws, both tails about the difference that was found, ties counted; of a randomization that
            is ``with_ties``.
        mean, half_width: of the system's resampled scores; None of a randomization.
    """

    p_value: float
    with_ties: float
    two_sided: float
    mean: float | None = None
    half_width: float | None = None


def bootstrap(
    baseline: Float, system: Float, score: Scorer, n_resamples: int, seed: int | None, *, old_numpy: bool = False
) -> Drawn:
    """Its paired bootstrap: ``P(|d*| - mean |d*| > |d|)``, where ``d`` is the difference and ``d*`` a resampled one.

    Args:
        baseline, system: statistics ``(items, k)``.
        score: of their sums.
        n_resamples: resampled test sets.
        seed: of NumPy's generator; None for unseeded.
        old_numpy: scores are computed in double precision, as NumPy 1 did, not in that of the sums.
    """
    n = len(system)
    resampled = [
        [_score(part, rows, score, old_numpy) for part in (baseline, system)] for rows in _indices(n, n_resamples, seed)
    ]
    of_baseline, of_system = (np.concatenate([part[side] for part in resampled]) for side in (0, 1))
    observed = float(score(system.sum(axis=0)) - score(baseline.sum(axis=0)))
    differences = np.abs(of_system - of_baseline)
    slack = 4 * _SINGLE * float(max(np.abs(of_system).max(), np.abs(of_baseline).max()))
    centred = differences - differences.mean()
    signed = of_system.astype(np.float64) - of_baseline.astype(np.float64)
    beyond = extreme.is_as_extreme(
        signed - observed, observed, alternative="two-sided", slack=slack
    )  # fmt: skip
    mean, half_width = _spread(of_system)
    return Drawn(
        p_value=_proportion(centred > abs(observed)),
        with_ties=_proportion(centred >= abs(observed) - slack),
        two_sided=_proportion(beyond),
        mean=mean,
        half_width=half_width,
    )


def randomization(baseline: Float, system: Float, score: Scorer, n_resamples: int, seed: int | None) -> Drawn:
    """Its approximate randomization: ``P(|d*| > |d|)`` over random permutations of the systems' outputs.

    Args:
        baseline, system: statistics ``(items, k)``.
        score: of their sums.
        n_resamples: trials.
        seed: of NumPy's generator; None for unseeded.
    """
    n = len(system)
    rng = np.random.default_rng(seed)
    rows = max(_BITS, _CELLS // max(1, n) // _BITS * _BITS)
    found = []
    for start in range(0, n_resamples, rows):
        kept = rng.integers(2, size=(min(rows, n_resamples - start), n), dtype=bool)
        mine, other = kept.astype(np.float64), (~kept).astype(np.float64)
        first, second = mine @ baseline + other @ system, other @ baseline + mine @ system
        found += [abs(score(a) - score(b)) for a, b in zip(first, second, strict=True)]
    values = np.array(found, dtype=np.float64)
    scores = score(baseline.sum(axis=0)), score(system.sum(axis=0))
    observed = float(abs(scores[0] - scores[1]))
    slack = extreme.tolerance(max(map(abs, scores)))
    with_ties = _proportion(values >= observed - slack)
    return Drawn(p_value=_proportion(values > observed), with_ties=with_ties, two_sided=with_ties)


def interval(
    found: Float, score: Scorer, n_resamples: int, seed: int | None, *, old_numpy: bool = False, single: bool = False
) -> tuple[float, float]:
    """Its mean of resampled scores and half the width of its interval around it.

    Args:
        found: statistics ``(items, k)`` of one system.
        score, n_resamples, seed, old_numpy: as of ``bootstrap``.
        single: as it does where one system alone is scored, with an exact mean.
    """
    blocks = [_score(found, rows, score, old_numpy) for rows in _indices(len(found), n_resamples, seed)]
    resampled = np.concatenate(blocks)
    mean, half_width = _spread(resampled)
    return float(statistics.mean(sorted(resampled.tolist()))) if single else mean, half_width


def _indices(n: int, n_resamples: int, seed: int | None) -> Iterator[Any]:
    """The items of every resampled test set ``(rows, n)``, block by block as if drawn at once."""
    rng = np.random.default_rng(seed)
    rows = max(1, _CELLS // max(1, n))
    for start in range(0, n_resamples, rows):
        yield rng.choice(n, size=(min(rows, n_resamples - start), n), replace=True)


def _score(found: Float, rows: Any, score: Scorer, old_numpy: bool) -> Any:
    """Resampled scores, of sums in single precision added item by item as it adds them."""
    single = found.astype(np.float32)
    sums = (single[row].sum(axis=0) for row in rows)
    return np.array([score(one.tolist() if old_numpy else one) for one in sums])


def _spread(scores: Any) -> tuple[float, float]:
    """Mean, and half the distance between the scores a fortieth from either end."""
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    return float(ordered.mean()), float(0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut]))


def _proportion(beyond: Any) -> float:
    return (int(np.sum(beyond)) + 1) / (len(beyond) + 1)
