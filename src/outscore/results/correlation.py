"""The record of metrics against humans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_correction, describe_test
from outscore.results.methods import join_names
from outscore.results.pictures import Chart, Marks, Plane, Scale
from outscore.results.result import Interval, Result, kinds, table_of_runs

_NAMES = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ-b", "kendall-c": "Kendall τ-c"}
_NAMES |= {"accuracy": "pairwise accuracy"}
_LEVELS = {
    "system": "Systems",
    "segment": "Segments, all together",
    "segment-by-item": "Segments, within items",
    "segment-by-system": "Segments, within systems",
}
_FEW = 3
"""Coefficients that have a sentence each, and metrics that a sentence names."""
_MOST_NAMED = 25
"""Systems that are named in a picture."""


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """How well one metric agrees with the humans.

    Attributes:
        level: ``system``, ``segment``, ``segment-by-item`` or ``segment-by-system``.
        coefficient: ``pearson``, ``spearman``, ``kendall`` (tau-b), ``kendall-c`` or ``accuracy``.
        value: None where it is undefined; ``ci``: its interval at level 1 - alpha.
        epsilon: differences of the metric up to this one are ties, where the threshold was calibrated.
        n_groups: groups that have a value, of which it is the mean; ``n_undefined``: those without one.
        group_size: systems or segments in a group.
        notes: codes of the notes that concern it.
    """

    metric: str
    level: str
    coefficient: str
    value: Annotated[float | None, Shown("value", "coefficient", ci="ci")]
    ci: Interval | None
    epsilon: float | None
    n_groups: int
    n_undefined: int
    group_size: int
    notes: tuple[str, ...] = ()

    @property
    def named(self) -> Annotated[str, Shown("coefficient")]:
        """The coefficient as papers call it."""
        return describe_coefficient(self.coefficient)


@dataclass(frozen=True, kw_only=True)
class CorrelationGain:
    """One metric against another under one coefficient.

    Attributes:
        metric: the one judged; ``other``: the one that it is compared with.
        gain: its coefficient minus that of the other; ``ci``: interval at level 1 - alpha, by ``ci_method``.
        test, null: name of the test, and its null hypothesis in words.
        p_value, p_kind, p_error, p_min, p_adjusted, n_resamples: as in ``Pair``.
        notes: codes of the notes that concern it.
    """

    metric: str
    other: str
    level: str
    coefficient: str
    gain: Annotated[float | None, Shown("difference", "difference", ci="ci", bar=True)]
    ci: Interval | None
    test: str
    null: str
    p_value: Annotated[float | None, Shown("p", "p", error="p_error")]
    p_kind: str
    p_error: float | None
    p_min: float | None
    p_adjusted: float | None
    n_resamples: int | None
    ci_method: str = "percentile"
    notes: tuple[str, ...] = ()

    @property
    def p(self) -> float | None:
        """The p-value that decides: after the correction where there is one."""
        return self.p_value if self.p_adjusted is None else self.p_adjusted

    @property
    def named(self) -> Annotated[str, Shown("coefficient")]:
        """The coefficient as papers call it."""
        return describe_coefficient(self.coefficient)

    def turned(self) -> CorrelationGain:
        """The other metric against this one."""
        return replace(
            self,
            metric=self.other,
            other=self.metric,
            gain=None if self.gain is None else -self.gain,
            ci=None if self.ci is None else (-self.ci[1], -self.ci[0]),
        )


@kinds.register("correlate")
@dataclass(frozen=True, kw_only=True, repr=False)
class Correlations(Result):
    """Metrics against humans; ``scores`` are the scores of the systems, by the humans and by every metric.

    Attributes:
        human: name of what the humans gave, among the metrics of ``scores``.
        resampled: the things resampled and permuted: ``both``, ``systems`` or ``items``.
        alternative: side of the tests; ``correction``: over all of them.
        correlations: of each metric with the humans, by level and coefficient.
        pairs: of every two metrics, by level and coefficient: by how much the first agrees better.
    """

    human: str
    resampled: str
    alternative: str
    correction: str
    correlations: tuple[Correlation, ...]
    pairs: tuple[CorrelationGain, ...]
    command: str = "correlate"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each metric and coefficient, then one for each pair of metrics."""
        rows = [flat_row(found) for found in (*self.correlations, *self.pairs)]
        first = ("metric", "other", "level", "coefficient", "value", "gain")
        names = dict.fromkeys((*first, *(name for row in rows for name in row)))
        return [{name: row.get(name) for name in names} for row in rows]

    # --- how it is told -----------------------------------------------------------------------------------

    def _groups(self) -> dict[tuple[str, str], list[Correlation]]:
        """The metrics under each level and coefficient."""
        found: dict[tuple[str, str], list[Correlation]] = {}
        for each in self.correlations:
            found.setdefault((each.level, each.coefficient), []).append(each)
        return found

    def _against(self, best: Correlation) -> dict[str, CorrelationGain]:
        """How much the other metrics agree less, or more, than this one, by their names."""
        same = [g for g in self.pairs if (g.level, g.coefficient) == (best.level, best.coefficient)]
        found = [g.turned() if g.metric == best.metric else g for g in same if best.metric in (g.metric, g.other)]
        return {g.metric: g for g in found}

    def _shown(self, gain: CorrelationGain) -> bool:
        """Whether p and the interval, of two laws, say that there is a difference, and what agrees better agrees."""
        of = self._groups().get((gain.level, gain.coefficient), ())
        better = gain.metric if (gain.gain or 0) > 0 else gain.other
        by_chance = any(c.metric == better and "accuracy_by_chance" in c.notes for c in of)
        return self._is_significant(gain) and not _holds_nothing(gain.ci) and not by_chance

    def _is_significant(self, gain: CorrelationGain) -> bool:
        return gain.p is not None and gain.p <= self.alpha

    def verdict(self, w: Writer) -> Iterator[str]:
        """Which metric agrees best with the humans, and whether that is shown; of many coefficients by the first."""
        if against := [note.text for note in self.notes if note.code == "all_negative"]:
            agrees, of = ("agrees", "all") if against[0].startswith("all ") else ("can be said to agree", "most")
            yield f"No metric {agrees} with {w.name(self.human)}: {of} correlations with it are negative, see !."
            return
        groups = list(self._groups().values())
        of_levels = list({of[0].level: of for of in reversed(groups)}.values())[::-1]
        told = groups if len(groups) <= _FEW else of_levels[:_FEW]
        yield from (self._describe(of, w) for of in told)
        if len(groups) > len(told) and self.pairs:
            shown, all_ = sum(map(self._shown, self.pairs)), w.count(len(self.pairs), "comparison")
            yield f"In {shown} of {all_}, over all levels and coefficients, one metric is shown to agree better."

    def _describe(self, of: Sequence[Correlation], w: Writer) -> str:
        human = w.name(self.human)
        best = _best(of)
        what = f"{describe_coefficient(of[0].coefficient)} {_over(of[0].level)}"
        if best is None:
            return f"{what} with {human} is undefined."
        metric = w.label(best.metric)
        rivals = self._against(best)
        if len(rivals) == 1:
            ((name, gain),) = rivals.items()
            other = next((c for c in of if c.metric == name), None)
            return f"{self._describe_two(best, other, gain.turned(), what, w)}."
        value = f"{w.score(best.value)}{_ends(best.ci, w)}"
        if len(of) == 1:
            return f"{metric} and {human}: {what} {value}."
        less = [w.label(name) for name, gain in rivals.items() if self._shown(gain)]
        level = [w.label(name) for name, gain in rivals.items() if not self._shown(gain)]
        verb = "agrees best with" if less and not level else "is nearest to"
        said = f"{metric} {verb} {human}, {what} {value}"
        said += f"; shown to agree better than {_some(less)}" if less else ""
        said += f"; not shown to agree better than {_some(level)}" if level else ""
        return f"{said}."

    def _describe_two(
        self, best: Correlation, other: Correlation | None, gain: CorrelationGain, what: str, w: Writer
    ) -> str:
        """The nearest metric beside the only other one, whose gain over it this is."""
        first, second, human = w.label(best.metric), w.label(gain.other), w.name(self.human)
        values = w.score(best.value) + (f" against {w.score(other.value)}" if other else "")
        ends = f"{w.level()} CI {w.ends(gain.ci)}, " if gain.ci is not None else ""
        shown = self._shown(gain)
        verb = "agrees" if shown else "is not shown to agree"
        see = ", BUT see !" if shown and w.warned(gain.notes) else ""
        why = "p and interval disagree" if _holds_nothing(gain.ci) else "no more than by chance, see !"
        split = f", {why}" if self._is_significant(gain) and not shown else ""
        return (
            f"{first} {verb} better with {human} than {second}: {what} {values} (difference {w.score(gain.gain)}, "
            f"{ends}{w.p(gain.p)}{split}){see}"
        )

    def views(self, w: Writer) -> Iterator[Any]:
        rows = []
        for of in self._groups().values():
            best = _best(of)
            against = {} if best is None else self._against(best)
            rows += [(c, against.get(c.metric) if c is not best else None) for c in of]
        several = any(gain is not None for _, gain in rows)
        metric = Shown("", value=lambda row: w.label(row[0].metric))
        less = Shown("vs the best", "difference", value=lambda row: "" if row[1] is None else row[1].gain,
                     ci=lambda row: row[1].ci)  # fmt: skip
        p = Shown("p", "p", value=lambda row: "" if row[1] is None else row[1].p)
        yield w.table(f"Agreement with {w.name(self.human)}", rows,
                      (metric, "named", "value", *((less, p) if several else ())), first=True, naming=2,
                      group=lambda row: describe_level(row[0].level),
                      codes=lambda row: row[0].notes + (row[1].notes if row[1] else ()))  # fmt: skip
        if self.pairs:
            adjusted = Shown(f"p {describe_correction(self.correction)}", "p", value=lambda g: g.p_adjusted)
            corrected = (adjusted,) if len(self.pairs) > 1 and self.correction != "none" else ()
            yield w.table(
                "Which metric agrees better", self.pairs,
                (Shown("", value=lambda g: w.label(g.metric)), Shown("against", value=lambda g: w.label(g.other)),
                 "named", "gain", "p_value", *corrected),
                naming=2, group=lambda g: describe_level(g.level), side=self._side, codes=lambda g: g.notes,
            )  # fmt: skip
        yield self._table_of_groups(w)
        if any(len(score.runs) > 1 for score in self.scores):
            yield table_of_runs(self.scores, w)

    def _table_of_groups(self, w: Writer) -> Any:
        """Of how many groups each coefficient is the mean, and what is tied."""
        tied = Shown("tie ε", "number", value=lambda c: "" if c.epsilon is None else c.epsilon)
        undefined = Shown("undefined", "count", value=lambda c: c.n_undefined)
        columns = (
            Shown("", value=lambda c: w.label(c.metric)),
            "named",
            Shown("groups", "count", value=lambda c: c.n_groups),
            *((undefined,) if any(c.n_undefined for c in self.correlations) else ()),
            Shown("size", "count", value=lambda c: c.group_size),
            *((tied,) if any(c.epsilon is not None for c in self.correlations) else ()),
        )
        return w.table("Groups", self.correlations, columns, naming=2, group=lambda c: describe_level(c.level))

    def _side(self, gain: CorrelationGain) -> str:
        if not self._shown(gain) or not gain.gain:
            return ""
        return "better" if gain.gain > 0 else "worse"

    def charts(self, w: Writer) -> Iterator[Chart]:
        """The systems by each metric and by the humans, with the correlation of each metric."""
        first = self.correlations[0]
        shown = [c for c in self.correlations if (c.level, c.coefficient) == (first.level, first.coefficient)]
        of = "systems and items" if self.resampled == "both" else self.resampled
        how = f"{w.name(describe_coefficient(first.coefficient))}, {w.name(describe_level(first.level)).lower()}"
        yield Chart(
            heading="Metrics against human judgments",
            title=self._find(shown, w),
            under=(
                f"{how}, with {w.level()} interval over new {of}",
                f"a point is a system, with its {w.level()} intervals",
            ),
            arranged="grid",
            panels=tuple(self._draw(found, w) for found in shown),
        )

    def _find(self, shown: Sequence[Correlation], w: Writer) -> str:
        """The metric that agrees best, if that is shown."""
        human = w.name(self.human)
        best = max(shown, key=lambda c: -2.0 if c.value is None else c.value)
        if len(shown) == 1:
            return f"{w.label(best.metric)} and {human}: {w.fixed(best.value, 3)} {w.interval(best.ci, of='score')}"
        rivals = self._against(best)
        if rivals and all(map(self._shown, rivals.values())):
            return f"{w.label(best.metric)} agrees best with {human}"
        if (best.value or 0.0) < 0:
            return f"no metric agrees with {human}"
        return f"{w.label(best.metric)} is nearest to {human}; a difference is not shown"

    def _draw(self, found: Correlation, w: Writer) -> Plane:
        human = {s.system: s for s in self.scores if s.metric == self.human}
        rows = tuple(
            {
                "system": w.name(s.system), "metric": s.score,
                **dict(zip(("metric low", "metric high"), s.ci or (None, None), strict=True)),
                "human": human[s.system].score,
                **dict(zip(("human low", "human high"), human[s.system].ci or (None, None), strict=True)),
            }
            for s in self.scores
            if s.metric == found.metric
        )  # fmt: skip
        names = Marks(mark="text", x="metric", y="human", text="system", colour="ink")
        return Plane(
            heading=f"{w.label(found.metric)}: {w.fixed(found.value, 3)} {w.interval(found.ci, of='score')}",
            rows=rows,
            size=(300, 300),
            x=Scale(title=w.label(found.metric)),
            y=Scale(title=w.name(self.human)),
            marks=(
                Marks(mark="rule", x="metric low", x2="metric high", y="human", colour="faint", thick=1, faint=0.45),
                Marks(mark="rule", x="metric", y="human low", y2="human high", colour="faint", thick=1, faint=0.45),
                Marks(mark="point", x="metric", y="human",
                      tips={name: name for name in ("system", "metric", "human")}),
                *([names] if len(rows) <= _MOST_NAMED else []),
            ),
        )  # fmt: skip

    def how(self, w: Writer) -> str:
        one = len({(g.test, g.p_kind) for g in self.pairs}) == 1
        tests = dict.fromkeys(describe_test(g.test, g.p_kind if one else "") for g in self.pairs)
        tested = sum(g.p_value is not None for g in self.pairs)
        said = []
        if tests:
            test = f"{', '.join(map(w.name, tests))}, {w.name(self.alternative)}"
            corrected = tested > 1 and self.correction != "none"
            several = f"; {tested} tests: p by {describe_correction(self.correction)}" if corrected else ""
            said.append(f"{test[:1].upper()}{test[1:]}{several}.")
        return " ".join([*said, self._intervals(w), f"{self._size(w)}."])

    def _intervals(self, w: Writer) -> str:
        what = "systems and items" if self.resampled == "both" else self.resampled
        drawn = f"percentile intervals over {self.provenance.n_resamples:,} resampled sets of {w.name(what)}"
        others = dict.fromkeys(g.ci_method for g in self.pairs if g.ci_method != "percentile")
        return f"{w.level()} {'; '.join([drawn, *(f'differences over systems: {method}' for method in others)])}."

    def _size(self, w: Writer) -> str:
        items = self.provenance.n_items_read - len(self.provenance.dropped)
        return f"{w.count(len({s.system for s in self.scores}), 'system')}, {w.count(items, 'item')}"

    def method(self, w: Writer) -> Iterator[str]:
        for test, kind, null in dict.fromkeys((g.test, g.p_kind, g.null) for g in self.pairs):
            said = w.name(describe_test(test, kind))
            yield f"Test: {said}, {w.name(self.alternative)} ({w.name(test)}). Null hypothesis: {w.name(null)}."
        tested = sum(g.p_value is not None for g in self.pairs)
        if tested > 1 and self.correction != "none":
            corrected = describe_correction(self.correction)
            yield f"Correction: {corrected} over {tested} p-values; intervals each by itself."
        yield self._intervals(w)
        yield f"{self._size(w)}; seed {self.seed}; alpha {self.alpha:g}."
        if any(c.epsilon is not None for c in self.correlations):
            yield "Tie ε: the metric ties outputs whose scores differ by no more."

    def __repr__(self) -> str:
        metrics = dict.fromkeys(found.metric for found in self.correlations)
        return f"<Correlations of {inflect(len(metrics), 'metric')} with {self.human!r}: {', '.join(metrics)}>"


def describe_coefficient(name: str) -> str:
    """``Kendall τ-b``."""
    return _NAMES.get(name, name)


def describe_level(name: str) -> str:
    """``Segments, within items``."""
    return _LEVELS.get(name, name)


def _over(level: str) -> str:
    """``over segments within items``."""
    return f"over {describe_level(level).lower().replace(',', '')}"


def _holds_nothing(ci: Interval | None) -> bool:
    """Whether 0 lies in an interval, where there is one."""
    return ci is not None and ci[0] <= 0 <= ci[1]


def _best(of: Sequence[Correlation]) -> Correlation | None:
    """The metric that agrees best; None where no value is defined."""
    known = [c for c in of if c.value is not None]
    return max(known, key=lambda c: c.value or 0.0, default=None)


def _ends(ci: Interval | None, w: Writer) -> str:
    return "" if ci is None else f" ({w.level()} CI {w.ends(ci)})"


def _some(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``7 others``."""
    return f"{len(names)} others" if len(names) > _FEW else join_names(names)
