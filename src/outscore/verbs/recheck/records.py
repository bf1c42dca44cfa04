"""A recheck: the question, with data and settings, and the numbers made again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from outscore.base.lazy import dataclass
from outscore.data.dataset import Dataset
from outscore.data.printed.records import Number, PrintedFile
from outscore.metrics import Metric
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair
from outscore.results.recheck import Reason, Rechecked
from outscore.results.result import Score
from outscore.results.scores import Scores
from outscore.significance import Test
from outscore.verbs.compare import compare
from outscore.verbs.recheck import RecheckNumbers
from outscore.verbs.score import score

_OF_BOTH = ("seed", "alpha", "cluster", "jobs", "cache", "progress", "n_resamples")


@dataclass(frozen=True, kw_only=True)
class Given:
    """A printed file with the outputs and settings by which its numbers can be made again.

    Attributes:
        printed: contents of the file.
        data: the outputs of the systems it is about, in its order.
        systems: name in the file to name here.
        metrics: those that the user named, by name.
        tool_seed: of the program; None for unseeded.
        asked: options of the verb.
    """

    printed: PrintedFile
    data: Dataset
    systems: dict[str, str]
    metrics: dict[str, Metric]
    tool_seed: int | None
    asked: RecheckNumbers

    @property
    def baseline(self) -> str:
        """The first system of the file, as it is called here."""
        return self.data.systems[0]

    def compute_ours(self, metrics: Sequence[Metric]) -> Ours:
        """Compare the systems where the file compares them, else score them."""
        if self.printed.procedure in ("scores", "interval") or len(self.data.systems) < 2:
            return Ours(score(self.data, metrics=metrics, **self._how))
        return Ours(self.compare(metrics, self.asked.test))

    def compare(self, metrics: Sequence[Metric], test: str | Test, **how: Any) -> Comparison:
        """All systems against the baseline of the file, by one test."""
        return compare(self.data, metrics=metrics, test=test, baseline=self.baseline, **{**self._how, **how})

    @property
    def _how(self) -> dict[str, Any]:
        """Options of ``compare`` and ``score`` alike."""
        return {name: getattr(self.asked, name) for name in _OF_BOTH}


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


ERRORS = 4.0
"""Standard errors within which two sampled numbers agree: 6 in 100,000 lie farther apart by chance."""


def tolerate_chance(p: float, *resamples: int) -> float:
    """How far apart chance may bring p-values drawn so often, each counted with the one that is added."""
    spread = max(p * (1 - p), 1 / (min(resamples) + 1))
    return ERRORS * math.sqrt(spread * sum(1 / n for n in resamples)) + 1 / (min(resamples) + 1)


def explain_rest(like: float, pair: Pair, resamples: int, cluster: str | None) -> Reason | None:
    """Reason why our p-value differs from a sound one of the program's draws; None where they are the same.

    Args:
        like: two-sided, ties counted, from its draws.
        pair: ours.
        resamples: how many it drew.
        cluster: column of the clusters of ours.
    """
    if pair.p_value is None:
        return Reason(code="no_p", values={"test": pair.test})
    rest = pair.p_value - like
    if rest == 0:
        return None
    ours = () if pair.n_resamples is None else (pair.n_resamples,)
    if abs(rest) <= tolerate_chance(like, resamples, *ours):
        return Reason(code="drawing", values={"rest": rest, "resamples": resamples, "ours": pair.n_resamples})
    return Reason(code="other_test", values={"rest": rest, "test": pair.test, "null": pair.null, "cluster": cluster})


def decision(printed: Number, pair: Pair, alpha: float, correction: str, family: int) -> Reason | None:
    """Whether the reader of the printed number concludes otherwise than ours; None where both agree."""
    ours = pair.p_adjusted
    if ours is None or (printed.value <= alpha) == (pair.verdict in ("better", "worse")):
        return None
    return Reason(
        code="decision",
        values={
            "alpha": alpha, "theirs": "a difference" if printed.value <= alpha else "none", "p": ours,
            "correction": correction, "family": family,
        },
    )  # fmt: skip
