"""The records of comparisons with interim analyses, which may be made, and end the comparison, at any time."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import UsageError, inflect
from outscore.results.comparison import Pair
from outscore.results.gates import Gate, check_gate
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class InterimAnalysis:
    """The state of a confidence sequence after some items.

    Attributes:
        n: items so far.
        gain: score of the system minus score of the baseline on them, or the nearest to it that the sequence holds;
            None before the first item.
        low, high: ends of the confidence sequence, which hold at all interim analyses at once; None before it starts.
        p_value: anytime-valid, against a gain of 0; the smallest so far, never 0.
        e_value: the evidence against a gain of 0 now, 1 for none; p is the inverse of its largest value so far.
        decision: ``better``, ``worse``, with a margin ``equivalent`` or ``not-worse``, or ``undecided``.
        observed: score of the system minus score of the baseline on the items so far, also outside the sequence.
    """

    n: int
    gain: float | None
    low: float | None
    high: float | None
    p_value: float
    e_value: float
    decision: str
    observed: float | None = None


@dataclass(frozen=True, kw_only=True)
class StoppingTimes:
    """After how many items the decision fell, over random orders of the same items.

    Attributes:
        orders: random orders; ``decided`` of them ended in a decision, ``better``, ``worse`` or ``equivalent``.
        n10, n50, n90: items after which 10, 50 and 90 % of all orders had their decision; None where fewer ever had.
    """

    orders: int
    decided: int
    better: int
    worse: int
    equivalent: int
    n10: int | None
    n50: int | None
    n90: int | None


@dataclass(frozen=True, kw_only=True)
class Sequence:
    """One system against the baseline, item by item.

    Attributes:
        method: ``betting`` or ``mixture``; ``kind``: ``exact`` or ``asymptotic``; ``null``: the hypothesis of p.
        alpha: level of this sequence: its share of the level of all of them.
        bounds: lowest and highest score, None where they were not needed.
        population: items of the test set that is meant, None for new items.
        n_items: items taken; ``n_units``: clusters, or items.
        looks: interim analyses in order; the last one is after all items taken.
        decision: the first that was final, else the one at the end; ``decided_at``: items taken by then.
        stops: over random orders, where they were asked for.
        notes: codes of the notes that concern this sequence.
    """

    system: str
    baseline: str
    metric: str
    method: str
    kind: str
    null: str
    alpha: float
    bounds: Interval | None
    population: int | None
    n_items: int
    n_units: int
    looks: tuple[InterimAnalysis, ...]
    decision: str
    decided_at: int | None
    stops: StoppingTimes | None = None
    notes: tuple[str, ...] = ()


@kinds.register("sequential")
@dataclass(frozen=True, kw_only=True, repr=False)
class Sequences(Result):
    """Comparisons with a baseline that may be looked at and stopped at any time.

    Attributes:
        margin: gains of less than this, either way, do not matter; None without.
        order: ``given``, ``random`` or ``stream``.
        correction: how the level is shared by several sequences.
        pairs: the answers of fixed-n tests to all items; none for a stream, which ends when it likes.
    """

    baseline: str
    margin: float | None
    order: str
    correction: str
    sequences: tuple[Sequence, ...]
    pairs: tuple[Pair, ...] = ()
    command: str = "sequential"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each interim analysis."""
        return [
            {
                "system": s.system,
                "baseline": s.baseline,
                "metric": s.metric,
                "method": s.method,
                "alpha": s.alpha,
                **dataclasses.asdict(look),
                "decided_at": s.decided_at,
            }
            for s in self.sequences
            for look in s.looks
        ]

    def gate(self, condition: str) -> Gate[Sequence]:
        """Whether a condition holds at the end for all sequences; ``failing`` are those for which it does not.

        Args:
            condition: ``better``, ``not-worse`` or ``equivalent``; the last two need a margin.

        Raises:
            UsageError: there is no such condition, or no margin.
        """
        check_gate(condition)
        if condition != "better" and self.margin is None:
            raise UsageError(f"the gate {condition!r} needs a margin")
        failing = tuple(s for s in self.sequences if not self._holds(condition, s))
        return Gate(condition=condition, failing=failing)

    def _holds(self, condition: str, sequence: Sequence) -> bool:
        last, margin = sequence.looks[-1], self.margin
        if condition == "better" or margin is None or last.low is None or last.high is None:
            return sequence.decision == "better"
        not_worse = sequence.decision == "better" or last.low >= -margin
        return not_worse if condition == "not-worse" else last.low >= -margin and last.high <= margin

    def check_whole(self) -> None:
        """Raises TypeError where a sequence has no interim analyses, or no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        for s in self.sequences:
            if not s.looks or not {(s.system, s.metric), (s.baseline, s.metric)} <= measured:
                raise TypeError(f"no interim analyses or no scores for {s.system!r} and {s.baseline!r}")

    def __repr__(self) -> str:
        pairs = inflect(len(self.sequences), "sequence")
        return f"<Sequences against {self.baseline!r}: {pairs}; {', '.join(s.decision for s in self.sequences)}>"
