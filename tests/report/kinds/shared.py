"""What results of every kind hold, in short."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from outscore.base.notes import Note
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair
from outscore.results.result import Provenance, SourceFile


def made(**changes: Any) -> Provenance:
    """Where the numbers of a result come from: one table of 48 items."""
    told: dict[str, Any] = {
        "n_resamples": 10000,
        "test": "auto",
        "correction": "none",
        "n_items_read": 48,
        "dropped": {},
        "cluster": None,
        "n_clusters": None,
        "engine": "cyclic",
        **changes,
    }
    file = SourceFile(file="items.csv", role="system", reader="table", sha256="0" * 64, n_items=told["n_items_read"])
    return Provenance(version="0.1.0", libraries={"numpy": "2.1.0"}, inputs=(file,), **told)


def note(code: str, *, mended: bool = True) -> Note:
    """A note of that code, with a remedy or without."""
    return Note(code=code, text=f"what {code} says", remedy=f"what mends {code}" if mended else "")


def with_tests(like: Pair, found: Comparison) -> Comparison:
    """A comparison with a tested pair for each of its posteriors."""
    pairs = (
        replace(like, system=one.system, baseline=one.baseline, metric=one.metric, gain=one.gain, ci=one.ci, notes=())
        for one in found.posteriors
    )
    return replace(found, pairs=tuple(pairs))
