"""The record of a plan: the power to find a gain, by the number of items."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.results.result import Interval, Result, Score, kinds


@dataclass(frozen=True, kw_only=True)
class PowerPoint:
    """The power of the test on one number of items.

    Attributes:
        n: items.
        power: probability that the test rejects its null hypothesis where the gain is the one asked for.
        power_ci: its Monte-Carlo interval, or its range where an option is not known; see ``Power.range_is``.
        type_s: proportion of significant gains that have the wrong sign; None where there is no gain, or none is found.
        type_m: how many times too large significant gains are on average; None likewise.
        detectable_gain: smallest gain that is found with the target power; None where none is.
        sets: simulated test sets; None where the power is computed.
        mean_gain: mean gain of the simulated sets; None likewise.
    """

    n: int
    power: float
    power_ci: Interval | None
    type_s: float | None
    type_m: float | None
    detectable_gain: float | None
    sets: int | None
    mean_gain: float | None


@dataclass(frozen=True, kw_only=True)
class RunsAndItems:
    """One way to divide an evaluation between runs and items.

    Attributes:
        runs: of each system; ``items``: answered by every run.
        cost: of both systems' runs and of the items.
        power: of the crossed t test.
        best: the most powerful for the budget, or the cheapest that reaches the target.
    """

    runs: int
    items: int
    cost: float
    power: float
    best: bool


@kinds.register("power")
@dataclass(frozen=True, kw_only=True, repr=False)
class Power(Result):
    """The power to find a gain, by the number of items; there are no scores in it.

    Attributes:
        plan: name of the design, with its options; ``pilot`` for simulations from scores or outputs.
        assumes: assumptions, in words.
        test, null: the test and its null hypothesis, in words.
        p_kind: ``exact``, ``asymptotic`` or ``monte-carlo``: how the power was found.
        alternative: of the test.
        metric, unit: of the gain; ``sizes``: the things that ``n`` counts.
        effect: the gain to be found.
        target: the power that is wanted.
        range_is: kind of interval of ``power_ci``, in words; empty where there is none.
        points: the curve, by size.
        items_needed: items with the target power, whole where computed, interpolated where simulated; None where no
            number has it, or none between the sizes.
        items_range: its interval from the ends of ``power_ci``; an end is None where it lies outside.
        system, baseline: of the pilot; empty without one.
        pilot_items, pilot_gain: of the pilot; None without one.
        designs: runs against items; empty unless costs were given.
        budget: what may be spent on them; None where the cheapest way to the target was looked for.
    """

    plan: str
    assumes: str
    test: str
    null: str
    p_kind: str
    alternative: str
    metric: str
    unit: str
    sizes: str
    effect: float
    target: float
    range_is: str
    points: tuple[PowerPoint, ...]
    items_needed: float | None
    items_range: tuple[float | None, float | None] | None
    system: str = ""
    baseline: str = ""
    pilot_items: int | None = None
    pilot_gain: float | None = None
    designs: tuple[RunsAndItems, ...] = ()
    budget: float | None = None
    scores: tuple[Score, ...] = ()
    command: str = "power"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each point; for each division into runs and items where costs were given."""
        if self.designs:
            return [dataclasses.asdict(design) for design in self.designs]
        rows = []
        for point in self.points:
            row = dataclasses.asdict(point)
            row["power_low"], row["power_high"] = row.pop("power_ci") or (None, None)
            rows.append(row)
        return rows

    def __repr__(self) -> str:
        return f"<Power of {self.test} for a gain of {self.effect:g}: {self.plan}>"
