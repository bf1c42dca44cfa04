"""Results: frozen records and their JSON. No computation."""

from outscore.results.comparison import Answer, Comparison, DomainGain, Pair, Provenance, Result, Score, SourceFile
from outscore.results.confusion import ClassScores, Confusion, Matrix
from outscore.results.curves import Curve, Curves, Point
from outscore.results.scores import DomainScore, Scores

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
