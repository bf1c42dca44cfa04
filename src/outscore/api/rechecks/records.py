"""A recheck: the question, with data and settings, and the numbers made again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from outscore.data.dataset import Dataset
from outscore.data.printed.records import PrintedFile
from outscore.jobs import Progress
from outscore.metrics import Metric
from outscore.results import Comparison, Pair, Rechecked, Score, Scores
from outscore.significance import Test
from outscore.verbs.compare import compare
from outscore.verbs.score import score


@dataclass(frozen=True, kw_only=True)
class Given:
    """A printed file with the outputs and settings by which its numbers can be made again.

    Attributes:
        printed: contents of the file.
        data: the outputs of the systems it is about, in its order.
        systems: name in the file to name here.
        asked: metrics of the user by name.
        tool_resamples, tool_seed: of the program; the seed None for unseeded.
        how: arguments of ``compare`` and ``score``; ``test``: of our comparison.
    """

    printed: PrintedFile
    data: Dataset
    systems: dict[str, str]
    asked: dict[str, Metric]
    tool_resamples: int | None
    tool_seed: int | None
    alpha: float
    jobs: int
    cache: str | os.PathLike[str] | None
    progress: Progress | None
    how: dict[str, Any]
    test: str | Test

    @property
    def baseline(self) -> str:
        """The first system of the file, as it is called here."""
        return self.data.systems[0]

    def compute_ours(self, metrics: Sequence[Metric]) -> Ours:
        """Compare the systems where the file compares them, else score them."""
        if self.printed.procedure in ("scores", "interval") or len(self.data.systems) < 2:
            return Ours(score(self.data, metrics=metrics, **self.how))
        return Ours(self.compare(metrics, self.test))

    def compare(self, metrics: Sequence[Metric], test: str | Test, **how: Any) -> Comparison:
        """All systems against the baseline of the file, by one test."""
        return compare(self.data, metrics=metrics, test=test, baseline=self.baseline, **{**self.how, **how})


@dataclass(frozen=True)
class Ours:
    """The comparison, or the scores, that outscore makes of the same outputs."""

    result: Comparison | Scores

    def score(self, system: str, metric: str) -> Score:
        return next(one for one in self.result.scores if (one.system, one.metric) == (system, metric))

    def pair(self, system: str, metric: str) -> Pair | None:
        pairs = self.result.pairs if isinstance(self.result, Comparison) else ()
        return next((one for one in pairs if (one.system, one.metric) == (system, metric)), None)


@dataclass(frozen=True, kw_only=True)
class MadeAgain:
    """All numbers of a file; ``ours`` is the comparison beside them."""

    numbers: tuple[Rechecked, ...]
    ours: Comparison | Scores
    resamples: int | None = None
    resamples_from: str = "default"
