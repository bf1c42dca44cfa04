"""The record of estimates from an automatic judge and some human labels."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class JudgeEstimate:
    """One estimate of the mean human label of a system, or of its gain over the baseline.

    Attributes:
        system: the one judged; ``baseline``: what its gain is over, None for its score.
        method: ``prediction-powered`` (the weight of the judge tuned), ``prediction-powered:weight=1``, ``labelled``
            (human labels alone), ``rogan-gladen`` or ``judge`` (the judge alone).
        estimate: None where it is undefined; ``ci``: interval at level 1 - alpha.
        weight: weight of the judge, from 0 (ignored) to 1; None where there is none.
        null: null hypothesis of ``p_value``, for gains of methods that heed the judge's error.
        n_labelled: items with a human label; ``n_items``: all items.
        worth: human labels that would give an interval as short by themselves, all at random.
        notes: codes of the notes that concern it.
    """

    system: str
    baseline: str | None
    method: str
    estimate: float | None
    ci: Interval | None
    weight: float | None
    null: str
    p_value: float | None
    p_adjusted: float | None
    n_labelled: int
    n_items: int
    worth: float | None
    notes: tuple[str, ...] = ()


@kinds.register("judge")
@dataclass(frozen=True, kw_only=True, repr=False)
class Judgements(Result):
    """Scores and gains in human labels, from human labels of some items and a judge's of all.

    Attributes:
        human, judge: names of the columns.
        baseline: the system compared with.
        correction: over the gains of each method.
    """

    human: str
    judge: str
    baseline: str
    correction: str
    estimates: tuple[JudgeEstimate, ...]
    command: str = "judge"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each estimate."""
        rows = []
        for found in self.estimates:
            row = dataclasses.asdict(found)
            row["ci_low"], row["ci_high"] = row.pop("ci") or (None, None)
            row["notes"] = " ".join(found.notes)
            rows.append(row)
        return rows

    def __repr__(self) -> str:
        systems = inflect(len({e.system for e in self.estimates}), "system")
        return f"<Judgements of {systems}: {self.human!r} by {self.judge!r}>"
