"""The records of comparisons with interim analyses, which may be made, and end the comparison, at any time."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Annotated, Any

from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.results.comparison import Pair
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_correction
from outscore.results.methods import describe_intervals, describe_pairs_of_tests, describe_size
from outscore.results.pictures import Chart, Colour, Marks, Plane, Scale
from outscore.results.result import Gate, Interval, Result, check_gate, kinds
from outscore.results.sentences import MOST_SYSTEMS, lower_first

_KINDS = {"exact": "valid at every number of items", "asymptotic": "asymptotic"}
_MOST_PANELS = 8
_SO_FAR = "Interval and p are the narrowest and smallest so far: what is out stays out."
_COLOURS: dict[str, Colour] = {"better": "blue", "worse": "orange", "equivalent": "green", "not-worse": "green"}


@dataclass(frozen=True, kw_only=True)
class InterimAnalysis:
    """The state of a confidence sequence after some items.

    Attributes:
        n: items so far.
        gain: score of the system minus score of the baseline on them, or the nearest to it that the sequence holds;
            None before the first item.
        ci: ends of the confidence sequence, which hold at all interim analyses at once; None before it starts.
        p_value: anytime-valid, against a gain of 0; the smallest so far, never 0.
        e_value: the evidence against a gain of 0 now, 1 for none; p is the inverse of its largest value so far.
        decision: ``better``, ``worse``, with a margin ``equivalent`` or ``not-worse``, or ``undecided``.
        observed: score of the system minus score of the baseline on the items so far, also outside the sequence.
    """

    n: Annotated[int, Shown("items", "count")]
    gain: float | None
    ci: Interval | None
    p_value: float
    e_value: Annotated[float, Shown("e", "number")]
    decision: Annotated[str, Shown("decision")]
    observed: Annotated[float | None, Shown("gain as observed", "gain")] = None


@dataclass(frozen=True, kw_only=True)
class StoppingTimes:
    """After how many items the decision fell, over random orders of the same items.

    Attributes:
        orders: random orders; ``decided`` of them ended in a decision, ``better``, ``worse`` or ``equivalent``.
        n10, n50, n90: items after which 10, 50 and 90 % of all orders had their decision; None where fewer ever had.
    """

    orders: Annotated[int, Shown("orders", "count")]
    decided: Annotated[int, Shown("decided", "count")]
    better: Annotated[int, Shown("better", "count")]
    worse: Annotated[int, Shown("worse", "count")]
    equivalent: Annotated[int, Shown("equivalent", "count")]
    n10: Annotated[int | None, Shown("10%", "count")]
    n50: Annotated[int | None, Shown("50%", "count")]
    n90: Annotated[int | None, Shown("90%", "count")]


@dataclass(frozen=True, kw_only=True)
class Sequence:
    """One system against the baseline, item by item.

    Attributes:
        method: ``betting`` or ``mixture``; ``kind``: ``exact`` or ``asymptotic``; ``null``: the hypothesis of p.
        alpha: level of this sequence: its share of the level of all of them.
        bounds: lowest and highest score, None where they were not needed.
        population: items of the test set that is meant, None for new items.
        n_items: items taken; ``n_units``: clusters, or items.
        analyses: interim analyses in order; the last one is after all items taken.
        decision: the first that was final, else the one at the end; ``decided_at``: items taken by then.
        stops: over random orders, where they were asked for.
        notes: codes of the notes that concern this sequence.
    """

    system: Annotated[str, Shown("")]
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
    analyses: tuple[InterimAnalysis, ...]
    decision: str
    decided_at: int | None
    stops: StoppingTimes | None = None
    notes: tuple[str, ...] = ()

    @property
    def deciding(self) -> InterimAnalysis:
        """The analysis at which the decision fell; without one the last."""
        return next((one for one in self.analyses if one.n == self.decided_at), self.analyses[-1])


class _Gain(typing.NamedTuple):
    """A gain and its interval, whose sizes say how gains are rounded."""

    metric: str
    gain: float | None
    ci: Interval | None


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
                **{name: getattr(s, name) for name in ("system", "baseline", "metric", "method", "alpha")},
                **flat_row(analysis, decided_at=s.decided_at, p_adjusted=self.p_adjusted(s, analysis)),
            }
            for s in self.sequences
            for analysis in s.analyses
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
        return Gate.of(condition, self.sequences, lambda s: self._holds(condition, s))

    def p_adjusted(self, sequence: Sequence, analysis: InterimAnalysis) -> float:
        """p of an analysis, corrected as the level of its sequence is: at most alpha where a gain of 0 is outside."""
        return min(1.0, analysis.p_value * (self.alpha / sequence.alpha))

    def _holds(self, condition: str, sequence: Sequence) -> bool:
        last, margin = sequence.analyses[-1], self.margin
        key = sequence.system, sequence.baseline, sequence.metric
        if any("never_gold" in p.notes and (p.system, p.baseline, p.metric) == key for p in self.pairs):
            return False
        if condition == "better" or margin is None or last.ci is None:
            return sequence.decision == "better"
        not_worse = sequence.decision == "better" or last.ci[0] >= -margin
        return not_worse if condition == "not-worse" else last.ci[0] >= -margin and last.ci[1] <= margin

    def check_whole(self) -> None:
        """Raises TypeError where a sequence has no interim analyses, or no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        for s in self.sequences:
            if not s.analyses or not {(s.system, s.metric), (s.baseline, s.metric)} <= measured:
                raise TypeError(f"no interim analyses or no scores for {s.system!r} and {s.baseline!r}")

    # --- how it is told -----------------------------------------------------------------------------------

    @property
    def contrasts(self) -> list[_Gain]:
        return [_Gain(s.metric, analysis.gain, analysis.ci) for s in self.sequences for analysis in s.analyses]

    def verdict(self, w: Writer) -> Iterator[str]:
        for metric in dict.fromkeys(s.metric for s in self.sequences):
            of = [s for s in self.sequences if s.metric == metric]
            if len(of) > MOST_SYSTEMS or (w.brief and len(of) > 1):
                yield self._count(metric, of, w)
            else:
                yield from (self._sentence(s, w) for s in of)

    def describe_decision(self, sequence: Sequence, w: Writer) -> str:
        """The decision, or that there is none, and after how many items."""
        system, baseline = w.name(sequence.system), w.name(sequence.baseline)
        if sequence.decision in ("better", "worse"):
            first, second = (system, baseline) if sequence.decision == "better" else (baseline, system)
            said = f"{first} outscores {second}"
        elif sequence.decision == "equivalent":
            said = f"{system} is equivalent to {baseline} within {self._margin(sequence, w)}"
        elif sequence.decision == "not-worse":
            said = f"{system} is not worse than {baseline} by {self._margin(sequence, w)} or more"
        else:
            said = f"{system} is not shown to differ from {baseline}"
        at, all_ = sequence.deciding.n, sequence.n_items
        if sequence.decided_at is None:
            return f"{said} after all {w.count(all_, 'item')}"
        return f"{said} after {at:,} of {w.count(all_, 'item')}" if at < all_ else f"{said} after {w.count(at, 'item')}"

    def _margin(self, sequence: Sequence, w: Writer) -> str:
        unit = next(s.unit for s in self.scores if s.metric == sequence.metric)
        return w.given(self.margin, unit, sequence.metric)

    def _sentence(self, sequence: Sequence, w: Writer) -> str:
        """``new outscores base after 31 of 48 items, by 1.4 (95% confidence sequence 0.5 to 2.3, ...).``"""
        analysis, metric = sequence.deciding, sequence.metric
        loss = sequence.decision == "worse"
        ci = None if analysis.ci is None else (-analysis.ci[1], -analysis.ci[0]) if loss else analysis.ci
        gain = None if analysis.gain is None else -analysis.gain if loss else analysis.gain
        found = sequence.decision in ("better", "worse")
        by = f", by {w.unit(metric, gain)}" if found else f": {w.unit(metric, gain, sign=True)}"
        p = w.p(self.p_adjusted(sequence, analysis), "anytime-valid p")
        numbers = f"{lower_first(self, metric)}{self._level(sequence, w)} confidence sequence {w.ends(ci, metric)}, {p}"
        see = ", BUT see !" if found and w.warned((*sequence.notes, "clusters_ignored")) else ""
        return f"{self.describe_decision(sequence, w)}{by} ({numbers}){see}."

    def _count(self, metric: str, sequences: list[Sequence], w: Writer) -> str:
        """Of many systems how many came to which decision, and the first of them."""
        baseline, margin = w.name(self.baseline), self._margin(sequences[0], w)
        words = {
            "better": f"outscoring {baseline}",
            "worse": f"outscored by {baseline}",
            "equivalent": f"equivalent to {baseline} within {margin}",
            "not-worse": f"not worse than {baseline} by {margin} or more",
            "undecided": f"not shown to differ from {baseline}",
        }
        found = {said: [s for s in sequences if s.decision == name] for name, said in words.items()}
        counts = [f"{len(of)} {said}" for said, of in found.items() if of]
        decided = [s for s in sequences if s.decided_at is not None]
        first = min(decided, key=lambda s: s.decided_at or 0) if decided else None
        lead = "" if first is None else f" First decided: {self._sentence(first, w)}"
        return f"Of {w.count(len(sequences), 'system')} by {w.label(metric)}: {', '.join(counts)}.{lead}"

    def _level(self, sequence: Sequence, w: Writer) -> str:
        return w.level(sequence.alpha / self.alpha)

    def views(self, w: Writer) -> Iterator[Any]:
        """Analyses of one comparison, or where each of several ended; then stopping times, tests, evidence, scores."""
        one = self.sequences[0] if len(self.sequences) == 1 else None
        analyses = [(s, analysis) for s in self.sequences for analysis in s.analyses]
        ends = [(s, s.deciding) for s in self.sequences]
        level = {self._level(s, w) for s in self.sequences}
        gain = Shown(
            "gain", "gain", value=lambda row: row[1].gain, ci=lambda row: row[1].ci, bar=True,
            ci_title=f"[{level.pop()} sequence]" if len(level) == 1 else "[sequence]",
        )  # fmt: skip
        p = Shown("p", "p", value=lambda row: self.p_adjusted(*row))
        decision = Shown("decision", value=lambda row: _decision(*row))
        below = (*(w.below_gains(self.metrics) if len(self.metrics) == 1 else ()), _SO_FAR)
        if one is not None:
            title = f"{w.name(one.system)} against {w.name(one.baseline)}, item by item"
            yield w.table(title, analyses, ("n", gain, p, decision), first=True, side=_side,
                          footnotes=below)  # fmt: skip
        else:
            title = f"Against the baseline {w.name(self.baseline)}"
            yield w.table(title, ends, ("system", "n", gain, p, "decision"), first=True, side=_side,
                          footnotes=below)  # fmt: skip
        stops = [(s, s.stops) for s in self.sequences if s.stops is not None]
        if stops:
            names = ("orders", "decided", "better", "worse", "equivalent", "n10", "n50", "n90")
            title = "Random orders: decisions, and the items by which 10%, 50%, 90% had decided"
            yield w.table(title, stops, ("system", *names), first=True)
        if one is None:
            yield w.table("Item by item", analyses, ("system", "n", gain, p, decision), naming=2, side=_side)
        yield w.table("Evidence", analyses, (*(() if one else ("system",)), "n", "e_value", "observed"),
                      naming=1 if one else 2)  # fmt: skip
        if self.pairs:
            yield w.table("Fixed-n tests of all items", self.pairs, ("system", "gain", "p_value", "named_test"))
        yield w.table("Scores", self.scores, ("system", "score"))

    def charts(self, w: Writer) -> Iterator[Chart]:
        """The gains at the interim analyses, the band that holds the true gain, the decision; of many the first."""
        shown = self.sequences[:_MOST_PANELS]
        left_out = len(self.sequences) - len(shown)
        band = f"Band: {self._level(shown[0], w)} confidence sequence, which holds at all interim analyses together"
        margin = "" if self.margin is None else f"; broken lines: the margin of {self.margin:g}"
        yield Chart(
            heading="Item by item",
            title=self._find(shown, w),
            under=(f"{band}{margin}", f"{inflect(left_out, 'other sequence')} left out" if left_out else ""),
            panels=tuple(self._draw(sequence, w, alone=len(shown) == 1) for sequence in shown),
        )

    def _find(self, shown: tuple[Sequence, ...], w: Writer) -> str:
        if len(shown) == 1:
            return self.describe_decision(shown[0], w)
        decided = [s for s in shown if s.decided_at is not None]
        if not decided:
            return f"None of {len(shown)} sequences came to a decision"
        first = min(decided, key=lambda s: s.decided_at or 0)
        return f"{len(decided)} of {len(shown)} decided; first: {self.describe_decision(first, w)}"

    def _draw(self, sequence: Sequence, w: Writer, *, alone: bool) -> Plane:
        analyses = [analysis for analysis in sequence.analyses if analysis.n]
        several = len({s.metric for s in self.sequences}) > 1
        on = f" on {w.name(sequence.metric)}" if several else ""
        colour = _COLOURS.get(sequence.decision, "faint")
        levels = [0.0] if self.margin is None else [0.0, -self.margin, self.margin]
        at = sequence.decided_at
        fell = ({"n": at, "said": f"{sequence.decision} after {at:,}"},) if at else ()
        late = bool(at) and (at or 0) > sequence.analyses[-1].n / 2
        return Plane(
            heading="" if alone else f"{w.name(sequence.system)} against {w.name(sequence.baseline)}{on}",
            size=(420, 170),
            x=Scale(title="Items so far", log=True, grid=False),
            y=Scale(title=f"Gain in {w.name(sequence.metric)}"),
            marks=(
                # between two analyses the sequence is no wider than at the first of them
                Marks(mark="band", x="n", y="low", y2="high", colour=colour, steps=True,
                      rows=tuple({"n": k.n, "low": k.ci[0], "high": k.ci[1]} for k in analyses if k.ci is not None)),
                *(Marks(mark="rule", rows=({"gain": gain},), y="gain", colour="faint" if gain else "ink", thick=1.2,
                        broken=bool(gain)) for gain in levels),
                *((Marks(mark="rule", rows=fell, x="n", colour="faint", broken=True),
                   Marks(mark="text", rows=fell, x="n", text="said", colour="ink", left=late)) if fell else ()),
                Marks(mark="line", x="n", y="gain", colour=colour, dotted=True,
                      tips={"n": "items", "numbers": "gain", "p": "p", "decision": "decision"},
                      rows=tuple(self._point(sequence, analysis, w) for analysis in analyses)),
            ),
        )  # fmt: skip

    def _point(self, sequence: Sequence, analysis: InterimAnalysis, w: Writer) -> dict[str, Any]:
        numbers = f"{w.gain(analysis.gain)} {w.interval(analysis.ci)}"
        p, decision = w.p(self.p_adjusted(sequence, analysis), ""), analysis.decision
        return {"n": analysis.n, "gain": analysis.gain, "numbers": numbers, "p": p, "decision": decision}

    def how(self, w: Writer) -> str:
        first = self.sequences[0]
        about = [
            f"{w.name(first.method).capitalize()} confidence sequence, {_KINDS.get(first.kind, w.name(first.kind))}"
        ]
        if len(self.sequences) > 1:
            about.append(f"{len(self.sequences)} share alpha {self.alpha:g}, p corrected ({self._shared(w)})")
        else:
            about.append(f"alpha {self.alpha:g}")
        if self.margin is not None:
            about.append(f"margin {w.given(self.margin)}")
        return f"{'; '.join([*about, f'order {w.name(self.order)}'])}. {describe_size(self, w)}."

    def _shared(self, w: Writer) -> str:
        return w.name(describe_correction(self.correction))

    def method(self, w: Writer) -> Iterator[str]:
        for method, kind, null, bounds, population, units, items in dict.fromkeys(
            (s.method, s.kind, s.null, s.bounds, s.population, s.n_units, s.n_items) for s in self.sequences
        ):
            about = [f"Sequence: {w.name(method)}, {_KINDS.get(kind, w.name(kind))}"]
            if bounds is not None:
                about.append(f"scores from {w.given(bounds[0])} to {w.given(bounds[1])}")
            if population is not None:
                about.append(f"the whole test set has {w.count(population, 'item')}")
            if units < items:
                about.append(f"{w.count(units, 'cluster')}, each taken whole")
            yield f"{'; '.join(about)}. Null hypothesis: {w.name(null)}."
        yield "It holds at all interim analyses together; e: evidence against a gain of 0, 1 for none."
        if any(s.alpha != self.alpha for s in self.sequences):
            shares = ", ".join(dict.fromkeys(w.given(s.alpha) for s in self.sequences))
            share = f"its share of {self.alpha:g} ({self._shared(w)}); p is corrected likewise"
            yield f"Alpha of a sequence: {shares}, {share}."
        margin = "" if self.margin is None else f"; margin {w.given(self.margin)}"
        yield f"{describe_size(self, w)}; seed {self.seed}; alpha {self.alpha:g}; order {w.name(self.order)}{margin}."
        yield from describe_pairs_of_tests(self, self.pairs, w)
        made = [score.ci_method for score in self.scores], [pair.ci_method for pair in self.pairs]
        yield from describe_intervals(self, {"scores": made[0], "fixed-n gains": made[1]}, w)

    def __repr__(self) -> str:
        pairs = inflect(len(self.sequences), "sequence")
        return f"<Sequences against {self.baseline!r}: {pairs}; {', '.join(s.decision for s in self.sequences)}>"


def _decision(sequence: Sequence, analysis: InterimAnalysis) -> str:
    return f"{analysis.decision}, decided" if analysis.n == sequence.decided_at else analysis.decision


def _side(row: tuple[Sequence, InterimAnalysis]) -> str:
    return row[1].decision if row[1].decision in ("better", "worse") else ""
