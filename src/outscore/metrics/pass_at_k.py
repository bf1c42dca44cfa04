"""pass@k: the chance that one of k samples is right (Chen et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.shared.columns import column, mean_statistics


@metric("pass_at_k")
@dataclass(frozen=True)
class PassAtK(Metric):
    """Mean over items of 1 - C(n-c, k) / C(n, k) for c right ones among n samples; unbiased.

    The runs of a system are its samples; their scores are 1 for right and 0 for wrong. A table may hold the counts
    instead. Statistics per item: ``[value, 1]``.

    Args:
        k: number of samples of which one must be right; at most as many as there are.
        column: column of the 0/1 scores; by default ``score``, or the only one.
        n: column of the number of samples.
        c: column of the number of right ones.
    """

    unit: ClassVar[str] = "share 0-1"
    citation: ClassVar[str] = "Chen et al. 2021, Evaluating Large Language Models Trained on Code"
    example: ClassVar[str] = "pass_at_k:k=5"
    per_item: ClassVar[bool] = True
    of_samples: ClassVar[bool] = True

    k: int = 1
    column: str = ""
    n: str = "n_samples"
    c: str = "n_correct"

    def __post_init__(self) -> None:
        check_option(self.k >= 1, self, "k", "a whole number of 1 or more")

    def statistics(self, items: Items) -> Float:
        samples, right = sample_counts(items, self.n, self.c, self.k, self.name)
        return mean_statistics(1 - chance_of_all(samples - right, samples, self.k))

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 0], sums[..., 1])


def sample_counts(items: Items, n: str, c: str, k: int, of: str) -> tuple[Float, Float]:
    """Samples and right samples of each item, two arrays ``(items,)``.

    Raises:
        InputError: counts that are no whole numbers, more right ones than samples, fewer samples than ``k``.
    """
    samples, right = column(items, n, of), column(items, c, of)
    wrong = np.flatnonzero((right < 0) | (right > samples) | (right % 1 != 0) | (samples % 1 != 0))
    if wrong.size:
        i = wrong[0]
        raise InputError(
            f"{of} counts right samples, but item {i + 1} has {right[i]:g} of {samples[i]:g}",
            remedy="give the number of samples and how many of them are right, whole numbers of 0 or more",
        )
    few = np.flatnonzero(samples < k)
    if few.size:
        raise InputError(
            f"{of}:k={k} needs {k} samples of every item, but item {few[0] + 1} has {samples[few[0]]:g}",
            remedy="choose a smaller k, or give more runs",
        )
    return samples, right


def chance_of_all(marked: Float, n: Float, k: int) -> Float:
    """C(marked, k) / C(n, k): the chance that ``k`` samples drawn from ``n`` without return are all marked."""
    chance = np.ones_like(n)
    for i in range(k):
        chance *= np.maximum(marked - i, 0) / (n - i)
    return chance
