"""Mean average precision (Harman 1992)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from outscore.metrics import metric
from outscore.metrics.shared.rankings import RankingMetric, check_cutoff, check_relevance


@metric("map")
@dataclass(frozen=True)
class MeanAveragePrecision(RankingMetric):
    """Mean over queries of the precision at each relevant document, 0 for those that are not retrieved.

    Statistics per item: ``[average precision, 1]``.

    Args:
        cutoff: how many documents count from the top; none for all.
        rel: the least relevance of a relevant document.
    """

    citation: ClassVar[str] = "Harman 1992, Evaluation Issues in Information Retrieval"
    example: ClassVar[str] = "map:rel=2"

    cutoff: int | None = None
    rel: int = 1

    def __post_init__(self) -> None:
        check_cutoff(self, "cutoff", self.cutoff)
        check_relevance(self, self.rel)

    def measure_in(self, library: Any) -> Any:
        measure = library.AP(rel=self.rel)
        return measure if self.cutoff is None else measure @ self.cutoff
