"""How often tests reject and intervals cover on null versions of the data: measured where they are used."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

import numpy as np

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.significance import Outcome, Test, outcomes_of
from outscore.significance.confidence import choose_interval, needed_for_gain
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.nulls import NullVersion
from outscore.significance.proportions import clopper_pearson

FEW_ROUNDS = Note(
    code="few_rounds",
    text="the rounds are too few to tell a level of alpha from one twice as high",
    remedy="use more --rounds",
)
UNANSWERED = Note(
    code="unanswered",
    text="on some null versions a test had no p-value, as where nothing varied: that counts as no rejection",
    remedy="",
)

Verdict = Literal["holds", "too often", "too rarely", "unclear"]

LEVEL = 0.99
"""Level of the intervals of what was measured."""


@dataclass(frozen=True, kw_only=True)
class AuditTally:
    """Counts over a number of rounds of one test on one kind of null version; tallies of different rounds add.

    Attributes:
        rounds: null versions that were made.
        rejections: of the test at alpha; a test without an answer has not rejected.
        unanswered: versions for which the test had no p-value.
        intervals: versions with an interval; ``covered`` of them hold the gain that is there.
        methods: names of the intervals.
    """

    rounds: int
    rejections: int
    unanswered: int
    intervals: int
    covered: int
    methods: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> AuditTally:
        """The tally that ``to_plain`` wrote."""
        return cls(**{**found, "methods": frozenset(found["methods"])})

    def to_plain(self) -> dict[str, Any]:
        """As values that JSON can hold."""
        return {**vars(self), "methods": sorted(self.methods)}

    def __add__(self, other: AuditTally) -> AuditTally:
        return AuditTally(
            rounds=self.rounds + other.rounds,
            rejections=self.rejections + other.rejections,
            unanswered=self.unanswered + other.unanswered,
            intervals=self.intervals + other.intervals,
            covered=self.covered + other.covered,
            methods=self.methods | other.methods,
        )


def audit(
    plans: Sequence[tuple[NullVersion, Sequence[Test]]],
    *,
    rounds: range,
    seed: int,
    alpha: float,
    interval: IntervalMethod | None = None,
) -> list[list[AuditTally]]:
    """Tallies of every test on every kind of null versions it is planned for, in the order of the plans.

    All tests of a plan see the same versions, and plans of one kind share their random numbers, so that differences
    between tests, metrics and systems are not those of chance.

    Args:
        plans: kinds of null versions, each with the tests to be run on them; none of them may refuse.
        rounds: numbers of the versions of each kind. Each has random numbers of its own, by its number, so that
            tallies of some rounds and of others add to those of all.
        seed: of the versions.
        alpha: level of the tests; the pairs' intervals cover 1 - alpha.
        interval: of the gain; None for the test's own, or the one that suits the data.
    """
    return sum_tallies(
        [
            _round(null, tests, stream(seed, f"audit {null.purpose or null.name}", number), alpha, interval)
            for null, tests in plans
        ]
        for number in rounds
    )


def verdict(errors: int, of: int, alpha: float) -> tuple[Verdict, tuple[float, float]]:
    """Whether errors that should come in a proportion alpha do, and the Clopper-Pearson interval of their proportion.

    ``unclear`` where the interval holds twice as many as well.
    """
    low, high = clopper_pearson(errors, of, LEVEL)
    if low > alpha:
        return "too often", (low, high)
    if high < alpha:
        return "too rarely", (low, high)
    return "unclear" if high >= 2 * alpha else "holds", (low, high)


def _round(
    null: NullVersion, tests: Sequence[Test], draw: np.random.Generator, alpha: float, interval: IntervalMethod | None
) -> list[AuditTally]:
    version = null.version(draw)
    answering = [test for test in tests if test.refuses(version) is None]
    outcomes, drawn = outcomes_of([(test, version) for test in answering], version.resamples)
    answers = dict(zip(answering, outcomes, strict=True))
    version = version.on(drawn)
    version = version.drawing(
        need for test in tests for need in needed_for_gain(version, answers.get(test, _NO_OUTCOME), interval)
    )
    return [_tally(version, answers.get(test, _NO_OUTCOME), null.truth, alpha, interval) for test in tests]


_NO_OUTCOME = Outcome(p_value=None, p_kind="")
"""Of a test that refuses: it rejects nothing, and the interval is that of the data."""


def _tally(
    version: GainContrast, outcome: Outcome, truth: float, alpha: float, interval: IntervalMethod | None
) -> AuditTally:
    p = outcome.p_value
    found, method, _ = choose_interval(version, outcome, interval)
    ends = found or (math.nan, math.nan)
    known = not math.isnan(ends[0])
    return AuditTally(
        rounds=1,
        rejections=int(p is not None and p <= alpha),
        unanswered=int(p is None),
        intervals=int(known),
        covered=int(ends[0] - version.slack <= truth <= ends[1] + version.slack),
        methods=frozenset({method} if known else ()),
    )


def sum_tallies(parts: Iterable[list[list[AuditTally]]]) -> list[list[AuditTally]]:
    """Tallies of the same plans added up."""
    total: list[list[AuditTally]] = []
    for part in parts:
        if not total:
            total = part
        else:
            total = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(total, part, strict=True)]
    return total
