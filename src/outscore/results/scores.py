"""The record of scores without a comparison."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class DomainScore:
    """The score of one system within one domain, as if its items were all there are; ``ci`` as in ``Score``."""

    system: str
    metric: str
    domain: str
    n_items: int
    score: float
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

    def __repr__(self) -> str:
        systems = inflect(len({s.system for s in self.scores}), "system")
        return f"<Scores of {systems}: {', '.join(dict.fromkeys(s.metric for s in self.scores))}>"
