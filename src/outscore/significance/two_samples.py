"""Which of the pooled values fall to the first of two independent samples: laws over all labellings, or random ones.

Where both samples come from one law, every labelling of the pooled values is as likely as any other. A sum over the
first sample has an exact law, by a dynamic programme (as in ``exact``) or over every subset; a statistic that needs the
labels themselves is computed for all of them, or for labellings drawn at random.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.rng import stream
from outscore.engine.exact import DiscreteLaw, integers, law_of
from outscore.engine.runtime import Runtime
from outscore.engine.weights import ATOM

MOST_COMBINATIONS = 2_000_000
"""Two-sample permutations above which a caller should sample instead of enumerating."""

_AT_ONCE = 2**12  # labellings held at once, where all of them are gone through

Statistic = Callable[[Float], Float]
"""Labellings ``(b, n + m)``, 1 where a value falls to the first sample and else 0, to values ``(b,)``."""


def two_sample_law(x: Array | Sequence[float], y: Array | Sequence[float]) -> DiscreteLaw:
    """The law of mean(x*) - mean(y*) over all C(n+m, n) ways to label the pooled values.

    Null hypothesis: both samples come from one law. Integer values on a common lattice make ties exact.

    Args:
        x: shape ``(n,)``, at least one value.
        y: shape ``(m,)``, at least one value.
    """
    n, m = len(x), len(y)
    pooled = np.concatenate([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    chosen = subset_sums(pooled[:, None], n)[:, 0]
    return law_of(chosen / n - (pooled.sum() - chosen) / m, np.full(chosen.size, 1 / chosen.size))


def subset_sums(rows: Float, size: int) -> Float:
    """The sums ``(C(n, size), k)`` of all subsets of ``size`` of the rows ``(n, k)``, each subset once.

    One addition for each subset, of whatever size up to this, that can still become whole.
    """
    # sums[j] holds the sums of all j-subsets of the rows seen so far that can still become whole
    sums: dict[int, Float] = {0: np.zeros((1, rows.shape[1]))}
    for seen, row in enumerate(rows):
        left = len(rows) - seen - 1
        grown = {j: [s] for j, s in sums.items() if j + left >= size}
        for j, s in sums.items():
            if j < size:
                grown.setdefault(j + 1, []).append(s + row)
        sums = {j: np.concatenate(parts) for j, parts in grown.items()}
    return sums[size]


def two_sample_size(n: int, m: int) -> int:
    """Number of labellings C(n+m, n) that ``two_sample_law`` visits; to compare with ``MOST_COMBINATIONS``."""
    return math.comb(n + m, n)


def hypergeometric_law(n: int, m: int, marked: int) -> DiscreteLaw:
    """The law of how many of ``marked`` values fall to the first sample when n + m values are labelled at random.

    Null hypothesis: both samples come from one law, which has two values. By ratios of neighbouring masses.
    """
    low, high = max(0, marked - m), min(marked, n)
    k = np.arange(low, high, dtype=np.float64)
    steps = np.log((marked - k) * (n - k)) - np.log((k + 1) * (m - marked + k + 1))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    mass = np.exp(logs - logs.max())
    return law_of(np.arange(low, high + 1), mass / mass.sum())


def subset_sum_law(values: Array | Sequence[float], size: int) -> DiscreteLaw:
    """The law of the sum of ``size`` of the given integers, drawn without replacement, by dynamic programme.

    Null hypothesis: both samples come from one law; with doubled mid-ranks it is the exact law of
    Mann-Whitney's statistic conditional on the ties.

    Args:
        values: shape ``(n,)``, integers.
        size: how many are drawn, 0 to n.
    """
    whole = integers(values)
    if size in (0, whole.size):
        return DiscreteLaw(np.array([float(whole.sum() if size else 0)]), np.ones(1))
    low = int(whole.min())
    unit = math.gcd(*(whole - low).tolist()) or 1
    steps = np.sort((whole - low) // unit)
    reach = int(steps[-size:].sum())
    # table[j, s]: probability that the values seen so far hold j of the sample, with sum s. The next value is one of
    # the size - j that are still to be drawn from all that are left, each as likely: products below 1 in place of
    # counts of subsets, which would leave the range of doubles.
    table = np.zeros((size + 1, reach + 1))
    table[0, 0] = 1.0
    for seen, step in enumerate(steps.tolist()):
        taken = np.arange(size + 1)
        chance = np.clip((size - taken) / (whole.size - seen), 0.0, 1.0)[:, None]
        grown = table * (1.0 - chance)
        grown[1:, step:] += (table * chance)[:-1, : reach + 1 - step]
        table = grown
    return law_of(unit * np.arange(reach + 1) + low * size, table[size])


def subset_sum_cost(values: Array | Sequence[float], size: int) -> int:
    """Number of state updates that ``subset_sum_law`` makes; compare it with ``exact.MOST_UPDATES``."""
    whole = np.sort(integers(values))
    if size in (0, whole.size):
        return 0
    unit = math.gcd(*(whole - whole[0]).tolist()) or 1
    reach = int((whole[-size:] - whole[0]).sum()) // unit
    return whole.size * (size + 1) * (reach + 1)


def statistics_of_all(statistic: Statistic, n: int, m: int) -> Float:
    """The statistic ``(C(n+m, n),)`` of every labelling of n + m values; see ``two_sample_size``."""
    return np.concatenate([statistic(labels) for labels in _enumerate(n, m)])


def statistics_at_random(
    statistic: Statistic, n: int, m: int, n_resamples: int, seed: int, runtime: Runtime
) -> tuple[Float, bool]:
    """The statistic ``(B,)`` of labellings drawn at random, and whether the drawing was interrupted.

    Null hypothesis: both samples come from one law, so every labelling is as likely as any other.
    """

    def task(atoms: range) -> Float:
        return statistic(np.concatenate([_draw(n, m, seed, atom) for atom in atoms]))

    return runtime.resample("permutation", task, n_resamples, n + m)


def _enumerate(n: int, m: int) -> Iterator[Float]:
    chosen = combinations(range(n + m), n)
    while block := list(islice(chosen, _AT_ONCE)):
        yield _labels(np.array(block), n + m)


def _draw(n: int, m: int, seed: int, atom: int) -> Float:
    """Labellings ``(ATOM, n + m)`` in which the n smallest of uniform numbers fall to the first sample.

    Any n places are as likely to hold them; to partition takes n + m steps, and they need not be sorted.
    """
    order = stream(seed, "permutation", atom).random((ATOM, n + m)).argpartition(n - 1, axis=1)
    return _labels(order[:, :n], n + m)


def _labels(chosen: np.ndarray[tuple[int, ...], np.dtype[np.intp]], size: int) -> Float:
    labels = np.zeros((len(chosen), size))
    np.put_along_axis(labels, chosen, 1.0, axis=1)
    return labels
