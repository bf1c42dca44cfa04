"""Which of the pooled values fall to the first of two independent samples: every labelling, or labellings at random.

For statistics that need the labels themselves; those of sums of the first sample have exact laws in ``exact``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, islice

import numpy as np

from outscore.base.arrays import Float
from outscore.base.rng import stream
from outscore.engine.runtime import Runtime
from outscore.engine.weights import ATOM

_AT_ONCE = 2**12  # labellings held at once, where all of them are gone through

Statistic = Callable[[Float], Float]
"""Labellings ``(b, n + m)``, 1 where a value falls to the first sample and else 0, to values ``(b,)``."""


def statistics_of_all(statistic: Statistic, n: int, m: int) -> Float:
    """The statistic ``(C(n+m, n),)`` of every labelling of n + m values; see ``exact.two_sample_size``."""
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
