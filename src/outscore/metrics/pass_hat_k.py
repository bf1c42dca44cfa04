"""pass^k: the chance that all of k trials succeed (Yao et al. 2024)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.pass_at_k import chance_of_all, sample_counts
from outscore.metrics.shared.columns import mean_statistics


@metric("pass_hat_k")
@dataclass(frozen=True)
class PassHatK(Metric):
    """Mean over items of C(c, k) / C(n, k) for c successful ones among n trials; unbiased.

    The runs of a system are its trials; their scores are 1 for success and 0 for failure. A table may hold the counts
    instead. Statistics per item: ``[value, 1]``.

    Args:
        k: number of trials that must all succeed; at most as many as there are.
        column: column of the 0/1 scores; by default ``score``, or the only one.
        n: column of the number of trials.
        c: column of the number of successful ones.
    """

    unit: ClassVar[str] = "share 0-1"
    citation: ClassVar[str] = "Yao et al. 2024, tau-bench"
    example: ClassVar[str] = "pass_hat_k:k=4"
    per_item: ClassVar[bool] = True
    of_samples: ClassVar[bool] = True

    k: int = 1
    column: str = ""
    n: str = "n_samples"
    c: str = "n_correct"

    def __post_init__(self) -> None:
        check_option(self.k >= 1, self, "k", "a whole number of 1 or more")

    def statistics(self, items: Items) -> Float:
        trials, right = sample_counts(items, self.n, self.c, self.k, self.name)
        return mean_statistics(chance_of_all(right, trials, self.k))

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 0], sums[..., 1])
