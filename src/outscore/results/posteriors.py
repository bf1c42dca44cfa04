"""The records of the posterior of each pair."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class PairPosterior:
    """One system against another, as a rule the baseline, under one metric: probabilities, not p-values.

    Attributes:
        system: the one judged; ``baseline``: the one that it is compared with.
        gain: score of the system minus score of the other, signed so that positive is better.
        method: name of the method; ``model`` and ``prior`` say in words what it takes for given.
        rope: half the width of the region of practical equivalence, in the unit of the gain; 0 for none.
        better, within, worse: probabilities that the system is better, within the ROPE, and worse; they add up to 1.
            None where the method has no answer.
        kind: ``exact`` or ``monte-carlo``; ``error``: the largest Monte-Carlo standard error of the three.
        likely: ``better``, ``within`` or ``worse``, where that probability is above 1 - alpha, else the empty string.
        about: quantity of ``mean`` and ``ci``: ``gain``, or another difference in words.
        mean: posterior mean; ``ci``: equal-tailed credible interval at level 1 - alpha.
        n_items: items used; ``n_draws``: draws from the posterior, None where none were.
        effect: named numbers that belong to the method.
        notes: codes of the notes that concern this pair.
    """

    system: str
    baseline: str
    metric: str
    gain: float
    method: str
    model: str
    prior: str
    rope: float
    better: float | None
    within: float | None
    worse: float | None
    kind: str
    error: float | None
    likely: str
    about: str
    mean: float | None
    ci: Interval | None
    n_items: int
    n_draws: int | None
    effect: Mapping[str, float | int | str | None]
    notes: tuple[str, ...] = ()


@kinds.register("bayes")
@dataclass(frozen=True, kw_only=True, repr=False)
class Posteriors(Result):
    """The posterior of each pair, given a model, a prior and the data; nothing is tested.

    Attributes:
        baseline: the system compared against.
        posteriors: one for each pair and metric.
    """

    baseline: str
    posteriors: tuple[PairPosterior, ...]
    command: str = "bayes"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each pair, scores included."""
        scores = {(s.system, s.metric): s.score for s in self.scores}
        rows = []
        for posterior in self.posteriors:
            row = dataclasses.asdict(posterior)
            for name in ("effect", "notes", "ci"):
                del row[name]
            row["baseline_score"] = scores[posterior.baseline, posterior.metric]
            row["system_score"] = scores[posterior.system, posterior.metric]
            row["ci_low"], row["ci_high"] = posterior.ci or (None, None)
            row["notes"] = " ".join(posterior.notes)
            rows.append(row)
        return rows

    def check_whole(self) -> None:
        """Raises TypeError where a pair has no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        for pair in self.posteriors:
            if not {(pair.system, pair.metric), (pair.baseline, pair.metric)} <= measured:
                raise TypeError(f"no scores for the pair {pair.system!r} and {pair.baseline!r}")

    def __repr__(self) -> str:
        metrics = ", ".join(dict.fromkeys(s.metric for s in self.scores))
        return f"<Posteriors of {inflect(len(self.posteriors), 'pair')}: {metrics}>"
