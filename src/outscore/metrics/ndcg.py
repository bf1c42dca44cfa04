"""Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from outscore.metrics import metric
from outscore.metrics.shared.rankings import RankingMetric, check_cutoff


@metric("ndcg")
@dataclass(frozen=True)
class Ndcg(RankingMetric):
    """Gain of the retrieved documents, discounted by the logarithm of their ranks, as a share of the best possible.

    The gain of a document is its relevance, as in trec_eval. Statistics per item: ``[nDCG, 1]``.

    Args:
        cutoff: how many documents count from the top; none for all.
    """

    citation: ClassVar[str] = "Järvelin and Kekäläinen 2002, Cumulated Gain-Based Evaluation of IR Techniques"
    example: ClassVar[str] = "ndcg:cutoff=20"

    cutoff: int | None = 10

    def __post_init__(self) -> None:
        check_cutoff(self, "cutoff", self.cutoff)

    def measure_in(self, library: Any) -> Any:
        return library.nDCG if self.cutoff is None else library.nDCG @ self.cutoff
