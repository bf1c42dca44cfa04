"""Results: frozen records and their JSON. No computation."""

from outscore.results.comparison import Answer, Comparison, DomainGain, Pair, Provenance, Score, SourceFile

__all__ = ["Answer", "Comparison", "DomainGain", "Pair", "Provenance", "Score", "SourceFile"]
