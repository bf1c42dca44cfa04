"""The record of a plan: the power to find a gain, by the number of items, and how that is told."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import Annotated, Any

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row, see_clusters
from outscore.results.details import describe_test
from outscore.results.pictures import Chart, Marks, Plane, Scale
from outscore.results.result import Interval, Result, Score, kinds

_MOST_ACROSS = 8
"""Sizes that stand beside one another."""

_NEAR_ROOT_LAW = 0.05
"""How far the ratio of two detectable gains may be from that of the roots of their sizes."""


_COUNTABLE = 1e15
"""Items beyond which no number is said."""


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

    n: Annotated[int, Shown("items", "count")]
    power: Annotated[float, Shown("power", "percent")]
    power_ci: Interval | None
    type_s: Annotated[float | None, Shown("type S", "proportion")]
    type_m: Annotated[float | None, Shown("type M", "number")]
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

    runs: Annotated[int, Shown("runs of each system", "whole")]
    items: Annotated[int, Shown("items", "count")]
    cost: Annotated[float, Shown("cost", "count")]
    power: Annotated[float, Shown("power", "percent")]
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
        gain: the one to be found.
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
        runs_needed: a larger number of runs that has the target, where no number of items has it with those planned.
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
    gain: float
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
    runs_needed: RunsAndItems | None = None
    scores: tuple[Score, ...] = ()
    command: str = "power"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each point; for each division into runs and items where costs were given."""
        if self.designs:
            return [flat_row(design) for design in self.designs]
        return [flat_row(point) for point in self.points]

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        target, gain = self.describe_target(w), self.describe_effect(w)
        if self.items_needed is not None:
            yield f"To find {gain} with {target} power you need {self._say_needed(w)}{see_clusters(w)}."
        else:
            yield self._not_found(target, gain, w)
        chosen = next((design for design in self.designs if design.best), None)
        if chosen is not None:
            best = (
                f"Cheapest for {target} power"
                if self.budget is None
                else f"Most power for a budget of {w.given(self.budget, digits=6)}"
            )
            yield (
                f"{best}: {w.count(chosen.runs, 'run')} of each system on {w.count(chosen.items, 'item')} "
                f"(power {w.percent(chosen.power)}, cost {w.given(chosen.cost, digits=6)})."
            )

    def _not_found(self, target: str, gain: str, w: Writer) -> str:
        """The most or the fewest that the sizes tell, where none can be named."""
        fewest = min(self.points, key=lambda point: point.n)
        best = max(self.points, key=lambda point: point.power)
        if fewest.power >= self.target:
            power, size = w.percent(fewest.power), w.given(fewest.n, digits=12)
            return f"{size} {self.sizes} have {power} power to find {gain}; fewer may do for {target}."
        power, size = w.percent(best.power), w.given(best.n, digits=12)
        if best.power >= self.target:
            rest = f"the sizes here do not tell where {target} begins"
        elif self.runs_needed is not None:
            more, items = w.count(self.runs_needed.runs, "run"), w.count(self.runs_needed.items, "item")
            rest = f"no number of items has {target} with these runs: take {more} of each system, which need {items}"
        elif enough := self._estimate_size(w):
            most = f"{size} {self.sizes}, the most here, have {power}"
            return f"To find {gain} with {target} power you need about {enough}{see_clusters(w)}; {most}."
        else:
            rest = f"no size here has {target}"
        return f"The power to find {gain} is {power} with {size} {self.sizes}; {rest}{see_clusters(w)}."

    def _estimate_size(self, w: Writer) -> str:
        """Items that are enough, where what is detectable falls with the root of their number; empty where not.

        It does not where runs differ, which more items do not mend. Where power was simulated, it says how many, as a
        test may find less than the standard error promises.
        """
        before, most = sorted(self.points, key=lambda point: point.n)[-2:] if len(self.points) > 1 else (None, None)
        if self.sizes != "items" or not self.gain or before is None or most is None:
            return ""
        promised = None
        if before.detectable_gain is None or most.detectable_gain is None:
            near = self._keeps_to_root_law(before, most)
        else:
            expected = before.detectable_gain * math.sqrt(before.n / most.n)
            near = abs(most.detectable_gain / expected - 1) < _NEAR_ROOT_LAW
            times = most.detectable_gain / self.gain
            promised = most.n * times * times
        if not near or (promised or 0.0) > _COUNTABLE:  # of a gain that is all but nothing
            return ""
        if most.power_ci is None or not most.sets:
            return w.about(math.ceil(promised), "item") if promised and promised > most.n else ""
        found, low, high = (self._enough(most.n, power) for power in (most.power, *most.power_ci[::-1]))
        if not math.isfinite(found):
            return ""
        enough = promised if promised and promised >= max(low, most.n) and math.isinf(high) else found
        ends = f"{round(low):,} to {round(high):,}" if math.isfinite(high) else f"{round(low):,} or more"
        ends += f"; {here}" if (here := self._in_clusters(enough, w)) else ""
        return f"{w.about(math.ceil(enough), 'item')} ({w.name(self.range_is)} {ends})"

    def _keeps_to_root_law(self, before: PowerPoint, most: PowerPoint) -> bool:
        """The same by simulated power alone."""
        if before.power_ci is None or not self.alpha < most.power < self.target:
            return False
        low, high = (self._distance(min(max(end, 1e-9), 1 - 1e-9)) for end in before.power_ci)
        return low <= self._distance(most.power) * math.sqrt(before.n / most.n) <= high

    def _enough(self, n: int, power: float) -> float:
        """Items with the wanted power where ``n`` have this one; infinite where they find nothing."""
        if power <= self.alpha:
            return math.inf
        return n * (self._distance(self.target) / self._distance(min(power, 1 - 1e-9))) ** 2

    def _distance(self, power: float) -> float:
        """Of the gain from 0 in standard errors, for a normal gain that is found with this power."""
        z, tail = NormalDist().inv_cdf, self.alpha / (2 if self.alternative == "two-sided" else 1)
        return z(power) - z(tail)

    def describe_target(self, w: Writer) -> str:
        """The power that is wanted: ``80%``."""
        return f"{w.given(100 * self.target)}%"

    def describe_effect(self, w: Writer) -> str:
        """The gain to be found: ``a gain of 2 points of accuracy``."""
        what = "an equal system not worse by" if self.plan.startswith("margin:") else "a gain of"
        return f"{what} {w.given(self.gain, self.unit, self.metric)}"

    def describe_needed(self, w: Writer) -> tuple[str, str]:
        """``about 187 items``, and between which numbers that lies, or by what; empty where none is needed."""
        if self.items_needed is None:
            return "", ""
        needed = f"{w.given(round(self.items_needed), digits=12)} {self.sizes}"
        if self._ranged:
            return f"at most {needed}", "by how often the systems agree"
        if self.items_range is None:
            return needed, ""
        low, high = (None if end is None else w.given(round(end), digits=12) for end in self.items_range)
        ends = f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or fewer" if high else ""
        return f"about {needed}", f"{w.name(self.range_is)} {ends}" if ends else ""

    def _say_needed(self, w: Writer) -> str:
        needed, why = self.describe_needed(w)
        why = "; ".join(filter(None, (why, self._in_clusters(self.items_needed or 0.0, w))))
        return f"{needed}, {why}" if self._ranged else f"{needed} ({why})" if why else needed

    def _in_clusters(self, items: float, w: Writer) -> str:
        """``74 clusters as they are here``, in which so many items come; empty without clusters."""
        pilot = self.provenance
        found = items * (pilot.n_clusters or 0) / max(pilot.n_items_read - len(pilot.dropped), 1)
        return f"{w.count(math.ceil(found), 'cluster')} as they are here" if found and self.sizes == "items" else ""

    @property
    def _ranged(self) -> bool:
        """Power lies between two values that no simulation would bring nearer to each other: it is the lower one."""
        return self.p_kind != "monte-carlo" and any(point.power_ci for point in self.points)

    def charts(self, w: Writer) -> Iterator[Chart]:
        """The power by size with its band, the wanted power, and the size that it takes."""
        rows = [
            {"n": p.n, "power": p.power, **dict(zip(("low", "high"), p.power_ci or (None, None), strict=True))}
            for p in self.points
        ]
        crossing, needed = self._mark_needed()
        yield Chart(
            heading="Power by size",
            title=self._find(w),
            under=self._describe_curve(w),
            arranged="alone",
            panels=(
                Plane(
                    rows=tuple(rows), x=Scale(title=self.sizes.capitalize(), written="count", grid=False),
                    y=Scale(title="Power", ends=(0, 1), written="percent"),
                    marks=(
                        Marks(mark="rule", rows=({"wanted": self.target},), y="wanted", colour="faint", broken=True),
                        *([Marks(mark="band", x="n", y="low", y2="high")] if self.range_is else []),
                        Marks(mark="line", x="n", y="power",
                              rows=tuple(sorted([*rows, *crossing], key=lambda row: row["n"] or 0))),
                        Marks(mark="point", x="n", y="power"),
                        *needed,
                    ),
                ),
            ),
        )  # fmt: skip

    def _find(self, w: Writer) -> str:
        needed, _ = self.describe_needed(w)
        gain, target = self.describe_effect(w), self.describe_target(w)
        if not needed:
            return f"No size here has {target} power to find {gain}"
        return f"{needed[:1].upper()}{needed[1:]} find {gain} with {target} power"

    def _describe_curve(self, w: Writer) -> tuple[str, str]:
        under = f"{self._named(w)}, {self.alternative}, alpha {self.alpha:g}"
        if self.pilot_items is not None:
            systems = f"{w.name(self.system)} against {w.name(self.baseline)}"
            under += f"; pilot: {systems}, {w.count(self.pilot_items, 'item')}"
        sets = self.points[0].sets
        how = f"{sets:,} simulated test sets of each size; " if sets else ""
        return under, f"{how}band: {self.range_is}" if how or self.range_is else ""

    def _mark_needed(self) -> tuple[list[dict[str, float | None]], list[Marks]]:
        """The point of the curve that has the wanted power, if it lies between the sizes, and what marks it."""
        first, last, needed = self.points[0].n, self.points[-1].n, self.items_needed
        if needed is None or not first <= needed <= last:
            return [], []
        at: dict[str, float | None] = {"n": needed, "power": self.target}
        low, high = self.items_range or (None, None)
        here = ({**at, "low": low, "high": high, "none": 0, "near": 0.06, "text": f"{round(needed):,} {self.sizes}"},)
        marks = [
            Marks(mark="rule", rows=here, x="n", y="power", y2="none", colour="orange", thick=1.5),
            Marks(mark="text", rows=here, x="n", y="near", text="text", colour="ink", left=needed > (first + last) / 2),
        ]
        if low is not None and high is not None:
            marks.append(Marks(mark="rule", rows=here, x="low", x2="high", y="power", colour="orange", thick=4))
        return [at], marks

    def views(self, w: Writer) -> Iterator[Any]:
        if self.designs:
            title = (
                f"Runs against items for {self.describe_target(w)} power"
                if self.budget is None
                else f"Runs against items for a budget of {w.given(self.budget, digits=6)}"
            )
            marked = Shown(value=lambda design: "best" if design.best else "")
            cost = Shown("cost", "number", value=lambda design: w.given(design.cost, digits=6))
            yield w.table(title, self.designs, ("runs", "items", cost, "power", marked), first=True, naming=2)
        title = f"Power to find {self.describe_effect(w)}"
        title += f" ({w.name(self.metric)})" if self.metric else ""
        size = Shown(self.sizes, "count", value=lambda point: point.n)
        if any(point.power_ci for point in self.points):
            about = (f"Range: {w.name(self.range_is)}.",) if self._ranged else ()
            ends = "[range]" if self._ranged else "[99% CI]"
            power = Shown("power", "percent", value=lambda p: p.power, ci=lambda p: p.power_ci, ci_title=ends)
            yield w.table(title, self.points, (size, power), first=True, footnotes=about)
        elif len(self.points) > _MOST_ACROSS:
            yield w.table(title, self.points, (size, "power"), first=True)
        else:
            across = [Shown(f"{p.n:,}", "percent", value=_power_at(i)) for i, p in enumerate(self.points)]
            yield w.table(
                title, [list(self.points)], (Shown(self.sizes, value=lambda row: "power"), *across), first=True
            )
        detectable = Shown(f"detectable at {self.describe_target(w)}", "number", value=lambda p: p.detectable_gain)
        known = any(point.detectable_gain is not None for point in self.points)
        columns = (size, "type_m", "type_s", *((detectable,) if known else ()))
        yield w.table("Gains that come out significant", self.points, columns)

    def how(self, w: Writer) -> str:
        test = self._named(w)
        return " ".join([f"{test[:1].upper()}{test[1:]}, {self.alternative}, alpha {self.alpha:g}.", *self._basis(w)])

    def _named(self, w: Writer, kind: str = "") -> str:
        """The test in words, by what it is where the pilot has clusters."""
        return w.name(describe_test(self.test, kind, clustered=self.provenance.n_clusters is not None))

    def _basis(self, w: Writer) -> Iterator[str]:
        """The basis of the power: a pilot, simulations, assumptions."""
        if self.pilot_items is not None:
            of = f"{w.name(self.system)} against {w.name(self.baseline)}"
            yield f"Pilot: {of}, {w.count(self.pilot_items, 'item')}, gain {w.number(self.pilot_gain)}."
        if self.points[0].sets is not None:
            yield f"{w.count(self.points[0].sets, 'simulated test set')} of each size."
        yield f"Assumes: {w.name(self.assumes)}."

    def method(self, w: Writer) -> Iterator[str]:
        test = self._named(w, self.p_kind)
        made = ", simulated" if self.p_kind == "monte-carlo" else ""
        yield (
            f"Test: {test}{made}, {self.alternative}, alpha {self.alpha:g}. Null hypothesis: {w.name(self.null)}. "
            "Power: the probability that it is rejected where the gain is this one."
        )
        yield " ".join(self._basis(w))
        yield (
            "Type M: how many times too large significant gains are on average. Type S: proportion of them with the "
            "wrong sign."
        )
        if any(point.detectable_gain is not None for point in self.points):
            yield f"Detectable: the smallest gain that is found with {self.describe_target(w)} power."
        if self.points[0].sets is not None:
            source = self.provenance
            yield (
                f"{source.n_resamples:,} resamples where the test draws, engine {w.name(source.engine)}; seed "
                f"{self.seed}. Intervals: {w.name(self.range_is)}."
            )
        if self.designs:
            yield "Cost: that of the runs of both systems, and of the items once."

    def paragraph(self, w: Writer) -> Iterator[str]:
        test, target = w.name(describe_test(self.test, self.p_kind)), self.describe_target(w)
        made = "simulated" if self.p_kind == "monte-carlo" else "computed"
        yield (
            f"We {made} the power of {test}, {self.alternative}, at a level of {self.alpha:g}: the probability that "
            f"its null hypothesis, {w.name(self.null)}, is rejected where there is {self.describe_effect(w)}."
        )
        yield from self._basis(w)
        if self.items_needed is not None:
            yield f"A power of {target} takes {self._say_needed(w)}."
        if self.points[0].sets is not None:
            yield f"Where the test draws, it draws {self.provenance.n_resamples:,} resamples; the seed is {self.seed}."

    def __repr__(self) -> str:
        return f"<Power of {self.test} for a gain of {self.gain:g}: {self.plan}>"


def _power_at(place: int) -> Callable[[Sequence[PowerPoint]], float]:
    return lambda points: points[place].power
