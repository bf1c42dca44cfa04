"""pass@k and pass^k: the chances that one, and that all, of k samples of an answer are right."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import check_option, metric
from outscore.metrics.shared.columns import MeanOfItems, column

_NO_COUNTS = "give each sample of an item a row of the same id, and -c sample=COLUMN; or counts, n=NAME,c=NAME"


@dataclass(frozen=True)
class SampleMetric(MeanOfItems):
    """The mean over items of a chance that ``k`` samples drawn from those of an item have."""

    unit: ClassVar[str] = "share 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    of_samples: ClassVar[bool] = True

    k: int = 1
    column: str = ""
    n: str = "n_samples"
    c: str = "n_correct"

    def __post_init__(self) -> None:
        check_option(self.k >= 1, self, "k", "a whole number of 1 or more")

    @abstractmethod
    def estimate(self, samples: Float, right: Float) -> Float:
        """The value ``(items,)`` of items with so many samples, of which so many are right."""

    def values(self, items: Items) -> Float:
        return self.estimate(*self._counts(items))

    def _counts(self, items: Items) -> tuple[Float, Float]:
        """Samples and right samples of each item, two arrays ``(items,)``.

        Raises:
            InputError: counts that are no whole numbers, more right ones than samples, fewer samples than ``k``.
        """
        samples, right = (column(items, name, self.name, _NO_COUNTS) for name in (self.n, self.c))
        wrong = np.flatnonzero((right < 0) | (right > samples) | (right % 1 != 0) | (samples % 1 != 0))
        if wrong.size:
            i = wrong[0]
            raise InputError(
                f"{self.name} counts right samples, but item {i + 1} has {right[i]:g} of {samples[i]:g}",
                item=int(i),
                remedy="give the number of samples and how many of them are right, whole numbers of 0 or more",
            )
        few = np.flatnonzero(samples < self.k)
        if few.size:
            raise InputError(
                f"{self.name}:k={self.k} needs {self.k} samples of every item, "
                f"but item {few[0] + 1} has {samples[few[0]]:g}",
                item=int(few[0]),
                remedy="choose a smaller k, or give more samples",
            )
        return samples, right


def probability_of_all(marked: Float, n: Float, k: int) -> Float:
    """C(marked, k) / C(n, k): the chance that ``k`` samples drawn from ``n`` without return are all marked."""
    chance = np.ones_like(n)
    for i in range(k):
        chance *= np.maximum(marked - i, 0) / (n - i)
    return chance


@metric("pass_at_k")
@dataclass(frozen=True)
class PassAtK(SampleMetric):
    """Mean over items of 1 - C(n-c, k) / C(n, k) for c right ones among n samples; unbiased.

    Scores of samples are 1 for right and 0 for wrong; where nothing is called a sample, runs are taken as such. A table
    may hold the counts instead. Statistics per item: ``[value, 1]``.

    Args:
        k: number of samples of which one must be right; at most as many as there are.
        column: column of the 0/1 scores; by default ``score``, or the only one.
        n: column of the number of samples.
        c: column of the number of right ones.
    """

    also: ClassVar[tuple[str, ...]] = ("pass@k", "pass@{k}")
    citation: ClassVar[str] = "Chen et al. 2021, Evaluating Large Language Models Trained on Code"
    example: ClassVar[str] = "pass_at_k:k=5"

    def estimate(self, samples: Float, right: Float) -> Float:
        return 1 - probability_of_all(samples - right, samples, self.k)


@metric("pass_hat_k")
@dataclass(frozen=True)
class PassHatK(SampleMetric):
    """Mean over items of C(c, k) / C(n, k) for c successful ones among n trials; unbiased.

    Scores of samples are 1 for success and 0 for failure; where nothing is called a sample, runs are taken as such. A
    table may hold the counts instead. Statistics per item: ``[value, 1]``.

    Args:
        k: number of trials that must all succeed; at most as many as there are.
        column: column of the 0/1 scores; by default ``score``, or the only one.
        n: column of the number of trials.
        c: column of the number of successful ones.
    """

    also: ClassVar[tuple[str, ...]] = ("pass^k", "pass^{k}")
    citation: ClassVar[str] = "Yao et al. 2024, tau-bench"
    example: ClassVar[str] = "pass_hat_k:k=4"

    def estimate(self, samples: Float, right: Float) -> Float:
        return probability_of_all(right, samples, self.k)
