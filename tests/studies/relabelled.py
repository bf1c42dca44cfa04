"""The slow twin of analyses: every relabelling of a few units, one after the other, from the definition."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outscore.results.study import Findings

Score = Callable[[list[Any]], float]
"""What a system scores with these rows, one for each item."""

SLACK = 1e-9


class Relabelled:
    """Gains of two systems at several analyses under all exchanges of their units.

    Args:
        system, baseline: a row for each item.
        scores: a analysis each: its score, of all rows.
        units: the unit of each item; every item is one by itself unless said.
    """

    def __init__(
        self,
        system: Sequence[Any],
        baseline: Sequence[Any],
        scores: Sequence[Score],
        units: Sequence[int] | None = None,
    ) -> None:
        units = range(len(system)) if units is None else units
        self.all: list[list[float]] = []
        for exchanged in itertools.product((False, True), repeat=max(units) + 1):
            first = [b if exchanged[u] else a for a, b, u in zip(system, baseline, units, strict=True)]
            second = [a if exchanged[u] else b for a, b, u in zip(system, baseline, units, strict=True)]
            self.all.append([score(first) - score(second) for score in scores])
        self.gains = self.all[0]

    def p(self, analysis: int, gains: list[float] | None = None) -> float:
        """Share of relabellings that are at least as extreme."""
        at = abs((gains or self.gains)[analysis])
        return sum(abs(gains[analysis]) >= at - SLACK for gains in self.all) / len(self.all)

    def joint(self) -> list[float]:
        """Step-down: against the largest gain, in units of its own spread, of the analyses that are no more extreme."""
        analyses = range(len(self.gains))
        spread = [float(np.sqrt(np.mean([gains[analysis] ** 2 for gains in self.all]))) for analysis in analyses]
        order = sorted(analyses, key=lambda analysis: -abs(self.gains[analysis]) / spread[analysis])
        found, so_far = [0.0] * len(order), 0.0
        for place, analysis in enumerate(order):
            at = abs(self.gains[analysis]) / spread[analysis]
            hits = sum(
                max(abs(gains[other]) / spread[other] for other in order[place:]) >= at - SLACK for gains in self.all
            )
            so_far = max(so_far, hits / len(self.all))
            found[analysis] = max(so_far, self.p(analysis))
        return found

    def free(self, alpha: float) -> float:
        """Share of null versions, which are all relabellings, whose smallest p is at most alpha."""
        laws = [[self.p(analysis, gains) for analysis in range(len(gains))] for gains in self.all]
        return sum(min(ps) <= alpha for ps in laws) / len(laws)


def written(path: Path, columns: str, rows: Sequence[Sequence[Any]]) -> str:
    """A table as a file."""
    path.write_text("\n".join([columns, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return str(path)


def finding(result: Findings, words: str) -> Any:
    """The number whose description holds these words."""
    (found,) = [found for found in result.findings if words in found.what]
    return found


def error(p: float, resamples: int) -> float:
    """Four Monte-Carlo errors of a p-value, and what (b + 1) / (B + 1) adds: 1 in 16,000 tests fails by chance."""
    return 4 * float(np.sqrt(p * (1 - p) / resamples)) + 1 / resamples
