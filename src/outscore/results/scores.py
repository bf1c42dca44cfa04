"""The record of scores without a comparison."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from outscore.base.errors import inflect
from outscore.results.declared import Shown, Writer
from outscore.results.methods import describe_design, describe_intervals, describe_size
from outscore.results.result import Interval, Result, Score, kinds
from outscore.results.runs import table_of_runs

_MOST = 4
_FEW = 12


@dataclass(frozen=True, kw_only=True)
class DomainScore:
    """The score of one system within one domain, as if its items were all there are; ``ci`` as in ``Score``."""

    system: Annotated[str, Shown("system")]
    metric: str
    domain: Annotated[str, Shown("domain")]
    n_items: Annotated[int, Shown("items", "count")]
    score: Annotated[float, Shown("score", "score", ci="ci", of_metric=True)]
    ci: Interval | None
    ci_method: str


@kinds.register("score")
@dataclass(frozen=True, kw_only=True, repr=False)
class Scores(Result):
    """The scores of one or more systems with their intervals; nothing is compared."""

    domains: tuple[DomainScore, ...] = ()
    command: str = "score"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each system and metric."""
        rows = []
        for score in self.scores:
            row = dataclasses.asdict(score)
            for name in ("runs", "run_scores", "ci"):
                del row[name]
            row["n_runs"] = len(score.runs)
            row["ci_low"], row["ci_high"] = score.ci or (None, None)
            rows.append(row)
        return rows

    def verdict(self, w: Writer) -> Iterator[str]:
        """Each score with its interval; of many systems the best and the last."""
        for metric in dict.fromkeys(score.metric for score in self.scores):
            of = [score for score in self.scores if score.metric == metric]
            if len(of) <= _MOST:
                said = [f"{w.name(s.system)} scores {w.scored(s.score, metric)}{_by(s, w)}{_ends(s, w)}" for s in of]
                yield f"{'; '.join(said)}."
                continue
            best, *_, last = sorted(of, key=lambda s: s.score, reverse=of[0].higher_is_better)
            yield (
                f"Of {w.count(len(of), 'system')} {w.name(best.system)} is first by {w.label(metric)} "
                f"({w.score(best.score, metric)}) and {w.name(last.system)} last ({w.score(last.score, metric)}); what "
                "tells them apart is not tested here: outscore rank."
            )

    def views(self, w: Writer) -> Iterator[Any]:
        yield w.table("Scores", self.scores, ("system", "score"), first=True)
        if self.domains:
            few = len(self.domains) <= _FEW
            columns = ("domain", "system", "n_items", "score")
            yield w.table("Score by domain", self.domains, columns, first=few, naming=2)
        if any(len(score.runs) > 1 for score in self.scores):
            yield table_of_runs(self.scores, w)

    def how(self, w: Writer) -> str:
        methods = dict.fromkeys(w.name(s.ci_method) for s in self.scores if s.ci is not None)
        made = f"{w.level()} intervals, each by itself: {', '.join(methods)}. " if methods else ""
        return f"{made}{describe_size(self, w)}."

    def method(self, w: Writer) -> Iterator[str]:
        yield from describe_design(self, w)
        made = [*(s.ci_method for s in self.scores), *(d.ci_method for d in self.domains)]
        yield from describe_intervals(self, {"scores": made}, w)

    def __repr__(self) -> str:
        systems = inflect(len({s.system for s in self.scores}), "system")
        return f"<Scores of {systems}: {', '.join(dict.fromkeys(s.metric for s in self.scores))}>"


def _by(score: Score, w: Writer) -> str:
    """The metric, where it is no unit that stands behind the score."""
    return "" if w.label(score.metric) in w.scored(score.score, score.metric) else f" by {w.label(score.metric)}"


def _ends(score: Score, w: Writer) -> str:
    if score.ci is None or not all(map(math.isfinite, score.ci)):
        return ""
    low, high = (w.score(end, score.metric) for end in score.ci)
    return f" ({w.level()} CI {low} to {high})"
