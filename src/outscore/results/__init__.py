"""Results: frozen records and their JSON. No computation."""

from typing import TYPE_CHECKING

from outscore.base.lazy import lazily
from outscore.results.comparison import Answer, Comparison, DomainGain, Pair, Provenance, Result, Score, SourceFile

if TYPE_CHECKING:
    from outscore.results.confusion import ClassScores, Confusion, Matrix
    from outscore.results.curves import Curve, Curves, Point
    from outscore.results.scores import DomainScore, Scores
else:
    __getattr__ = lazily(
        __name__,
        {
            "ClassScores": "outscore.results.confusion",
            "Confusion": "outscore.results.confusion",
            "Matrix": "outscore.results.confusion",
            "Curve": "outscore.results.curves",
            "Curves": "outscore.results.curves",
            "Point": "outscore.results.curves",
            "DomainScore": "outscore.results.scores",
            "Scores": "outscore.results.scores",
        },
    )

__all__ = [
    "Answer",
    "ClassScores",
    "Comparison",
    "Confusion",
    "Curve",
    "Curves",
    "DomainGain",
    "DomainScore",
    "Matrix",
    "Pair",
    "Point",
    "Provenance",
    "Result",
    "Score",
    "Scores",
    "SourceFile",
]
