"""Mean reciprocal rank (Voorhees 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics import metric
from outscore.metrics.shared.rankings import RankingMetric, check_cutoff, check_relevance


@metric("mrr")
@dataclass(frozen=True)
class MeanReciprocalRank(RankingMetric):
    """Mean over queries of 1 / rank of the first relevant document, 0 if none is retrieved.

    Statistics per item: ``[reciprocal rank, 1]``.

    Args:
        cutoff: how many documents count from the top; none for all.
        rel: the least relevance of a relevant document.
    """

    citation: ClassVar[str] = "Voorhees 1999, The TREC-8 Question Answering Track Report"
    example: ClassVar[str] = "mrr:cutoff=10"

    cutoff: int | None = None
    rel: int = 1

    def __post_init__(self) -> None:
        check_cutoff(self, "cutoff", self.cutoff)
        check_relevance(self, self.rel)

    def measure_in(self, library: Any) -> Any:
        return library.RR(rel=self.rel)

    def values(self, items: Items) -> Float:
        ranks = super().values(items)
        # RR@k of ir-measures is MS MARCO's, which breaks ties the other way round
        return ranks if self.cutoff is None else np.where(ranks >= 1 / self.cutoff, ranks, 0.0)

    def signature(self, items: Items) -> str:
        whole = super().signature(items)
        return whole if self.cutoff is None else f"{whole}|cutoff:{self.cutoff}"
