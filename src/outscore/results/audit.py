"""The record of an audit: tests and intervals measured on null versions of the user's own data."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, Score, kinds


@dataclass(frozen=True, kw_only=True)
class Check:
    """One test, and the interval that stands beside it, on one kind of null versions.

    Attributes:
        system, baseline, metric: the pair whose data were changed.
        test: name of the test; ``null``: its null hypothesis in words.
        kind: ``exchanged``, ``centred``, ``redrawn``, ``new_runs`` or ``new_runs_and_items``; ``versions``: the same in
            words.
        rounds: null versions made.
        rejections: how often p was at most alpha; None for ``redrawn``, where there is a gain to be found.
        level: their proportion, with its interval ``level_ci``; what it should be is alpha.
        verdict: ``holds``, ``too often``, ``too rarely`` or, with too few rounds, ``unclear``; None without a level.
        unanswered: versions for which the test had no p-value; they count as not rejected.
        ci_method: name of the interval of the gain, or of several.
        intervals: versions that had one.
        coverage: proportion of those that hold the gain that is there, with its interval ``coverage_ci``.
        coverage_verdict: ``holds``, ``too low``, ``too high`` or ``unclear``; None without an interval.
    """

    system: str
    baseline: str
    metric: str
    test: str
    null: str
    kind: str
    versions: str
    rounds: int
    rejections: int | None
    level: float | None
    level_ci: Interval | None
    verdict: str | None
    unanswered: int
    ci_method: str
    intervals: int
    coverage: float | None
    coverage_ci: Interval | None
    coverage_verdict: str | None


@kinds.register("audit")
@dataclass(frozen=True, kw_only=True, repr=False)
class Audit(Result):
    """The error rates of tests and intervals on null versions of the data; there are no scores in it.

    Attributes:
        alternative: of the tests.
        rounds: null versions of each kind that were made.
        level: of the intervals of what was measured.
        clusters_ignored: the versions keep their clusters, but the tests were not told of them.
    """

    alternative: str
    rounds: int
    level: float
    clusters_ignored: bool
    checks: tuple[Check, ...]
    scores: tuple[Score, ...] = ()
    command: str = "audit"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each check."""
        rows = []
        for check in self.checks:
            row = dataclasses.asdict(check)
            for name in ("level", "coverage"):
                row[f"{name}_low"], row[f"{name}_high"] = row.pop(f"{name}_ci") or (None, None)
            rows.append(row)
        return rows

    def __repr__(self) -> str:
        tests = ", ".join(dict.fromkeys(check.test for check in self.checks))
        return f"<Audit of {tests}: {inflect(len(self.checks), 'check')} of {inflect(self.rounds, 'round')}>"
