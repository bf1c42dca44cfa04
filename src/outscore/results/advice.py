"""The record of an advice: what the data are like, which test suits them, which to avoid, and the command to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Result, Score, kinds


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Something measured of the data that bears on the choice of a test.

    Attributes:
        metric: the metric it belongs to, or the empty string for all.
        name: short stable name, e.g. ``skewness``.
        low, high: the number, or its smallest and largest value over the pairs; None where it is no number.
        text: the same in words, with what it means.
    """

    metric: str
    name: str
    low: float | int | None
    high: float | int | None
    text: str


@dataclass(frozen=True, kw_only=True)
class Use:
    """The test to use for some pairs under one metric.

    Attributes:
        metric: name of the metric.
        systems: the systems that it is for, against the baseline.
        test: name of the test; ``reason``: why; ``null``: its null hypothesis.
        question: that it answers, in words.
        interval: name of the interval of the gain.
        beside: tests whose answers stand beside it.
        others: tests that do as well here, for whoever has planned one of them.
        caveats: notes on its use all the same.
    """

    metric: str
    systems: tuple[str, ...]
    test: str
    reason: str
    null: str
    question: str
    interval: str
    beside: tuple[str, ...]
    others: tuple[str, ...]
    caveats: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Avoid:
    """Tests that do not suit, with the reason, and the names of the facts of the metric that stand behind it."""

    metric: str
    tests: tuple[str, ...]
    reason: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """A command to run, and what it is for."""

    purpose: str
    command: str


@kinds.register("advise")
@dataclass(frozen=True, kw_only=True, repr=False)
class Advice(Result):
    """Advice on what to run on these data and why; there are no scores in it, as it must not depend on who is ahead.

    Attributes:
        systems: the baseline first.
        facts, use, avoid, steps: as above.
        correction: the correction for the family; ``correction_reason``: why.
    """

    systems: tuple[str, ...]
    facts: tuple[Fact, ...]
    use: tuple[Use, ...]
    avoid: tuple[Avoid, ...]
    correction: str
    correction_reason: str
    steps: tuple[Step, ...]
    scores: tuple[Score, ...] = ()
    command: str = "advise"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each fact, each test to use and each to avoid."""
        rows: list[dict[str, Any]] = []
        for fact in self.facts:
            rows.append({"part": "fact", "metric": fact.metric, "name": fact.name, "text": fact.text})
        for use in self.use:
            rows.append({"part": "use", "metric": use.metric, "name": use.test, "text": use.reason})
        for avoid in self.avoid:
            rows += [
                {"part": "avoid", "metric": avoid.metric, "name": name, "text": avoid.reason} for name in avoid.tests
            ]
        rows += [{"part": "run", "metric": "", "name": step.purpose, "text": step.command} for step in self.steps]
        return rows

    def __repr__(self) -> str:
        tests = ", ".join(dict.fromkeys(use.test for use in self.use))
        return f"<Advice for {inflect(len(self.systems), 'system')}: {tests}>"
