"""The record of a history: what was compared on which test set."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Result, Score, kinds
from outscore.results.set_history import KnownSet, RecordedComparison


@dataclass(frozen=True, kw_only=True)
class HistoryEntry:
    """A past comparison in its place.

    Attributes:
        number: its place among the tests of its family on its test set, from 1; None where it has no p-value.
        level, rejected: under the correction over the history that was asked for; else as decided then.
    """

    number: int | None
    level: float | None
    rejected: bool | None
    comparison: RecordedComparison


@dataclass(frozen=True, kw_only=True)
class SetUses:
    """How often a test set has been used: ``families`` to their numbers of uses; first and last in UTC."""

    test_set: KnownSet
    n_looks: int
    families: Mapping[str, int]
    first: str
    last: str


@kinds.register("history")
@dataclass(frozen=True, kw_only=True, repr=False)
class Uses(Result):
    """A history of comparisons; there are no scores in it.

    Attributes:
        file: where it is kept.
        procedure: the correction over the history that was asked for, at level ``alpha``; None for none.
        test_sets: those used; ``looks``: every use, a comparison, in the order in which they were made.
    """

    file: str
    procedure: str | None
    test_sets: tuple[SetUses, ...]
    looks: tuple[HistoryEntry, ...]
    scores: tuple[Score, ...] = ()
    command: str = "history"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each use, the name of its test set included."""
        names = {one.test_set.digest: one.test_set.name for one in self.test_sets}
        rows = []
        for look in self.looks:
            plain = dataclasses.asdict(look.comparison)
            decided = {"procedure": self.procedure or plain["procedure"], "level": look.level}
            decided["rejected"] = look.rejected
            first = {"number": look.number, "name": names[look.comparison.test_set]}
            rows.append({**first, **plain, **decided})
        return rows

    def __repr__(self) -> str:
        return f"<Uses: {inflect(len(self.looks), 'comparison')} on {inflect(len(self.test_sets), 'test set')}>"
