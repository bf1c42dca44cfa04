"""The records of a comparison that is repeated on several data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_correction, describe_test
from outscore.results.methods import describe_intervals, join_names, level_of_intervals
from outscore.results.pictures import Bar, Chart, Intervals, Signs
from outscore.results.result import Result, kinds
from outscore.results.sentences import outscores
from outscore.results.set_gains import AcrossSets, MeanRank, Ranking, Replicated, SetGain, table_of_ranks

__all__ = ["AcrossSets", "MeanRank", "Ranking", "Replicated", "Replication", "SetGain"]

_FEW = 12
"""Data sets of one system and metric that stand on the first screen."""
_MOST_NAMES, _MOST_CLAIMS = 6, 4
_TESTS = {"wilcoxon": "Wilcoxon", "sign": "sign", "fisher": "Fisher", "stouffer": "Stouffer", "simes": "Simes"}
_HOLDS, _OPEN = "holds", "not shown"
_MOST_PANELS = 3
_INDEPENDENT = ("fisher", "stouffer")
_STEPS = "Holm steps down, intervals do not: one of them may hold 0 where a gain holds."


@kinds.register("replicate")
@dataclass(frozen=True, kw_only=True, repr=False)
class Replication(Result):
    """Systems against a baseline on several data sets; ``scores`` are means over the data sets, of equal weight.

    Attributes:
        alternative: the side of the claim, ``greater`` (the system is better) or ``less``.
        correction: over all gains, see ``SetGain.p_adjusted``.
        data_sets: their names.
        replicated: one for each system and metric.
        set_gains: one for each data set, system and metric.
        rankings: one for each metric, where there are three systems or more.
    """

    baseline: str
    alternative: str
    correction: str
    data_sets: tuple[str, ...]
    replicated: tuple[Replicated, ...]
    set_gains: tuple[SetGain, ...]
    rankings: tuple[Ranking, ...] = ()
    command: str = "replicate"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each data set, system and metric."""
        return [flat_row(gain) for gain in self.set_gains]

    def check_whole(self) -> None:
        """Raises TypeError where gains belong to no data set or have no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        for gain in self.set_gains:
            known = {(gain.system, gain.metric), (gain.baseline, gain.metric)} <= measured
            if gain.data_set not in self.data_sets or not known:
                raise TypeError(f"no data set or no scores for the gain of {gain.system!r} on {gain.data_set!r}")

    # --- how it is told -----------------------------------------------------------------------------------

    @property
    def contrasts(self) -> Sequence[SetGain]:
        return self.set_gains

    @property
    def tested(self) -> bool:
        """Whether any data set could be tested by itself."""
        return any(gain.p_value is not None for gain in self.set_gains)

    @property
    def _clustered(self) -> bool:
        return self.provenance.n_clusters is not None

    @property
    def _answered(self) -> tuple[Replicated, ...]:
        """All but those of metrics that describe beside others, which have no answers."""
        return tuple(one for one in self.replicated if one.overall)

    @property
    def _metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.metric for one in self._answered))

    def verdict(self, w: Writer) -> Iterator[str]:
        if len(self._answered) <= _MOST_CLAIMS:
            yield from (self._claim(one, w) for one in self._answered)
        else:
            told: dict[str, list[str]] = {}  # metrics by what is said of them
            for metric in self._metrics:
                told.setdefault(self._claims(metric, "", w), []).append(metric)
            for of in told.values():
                by = f" by {join_names([w.label(metric) for metric in of])}" if len(self._metrics) > 1 else ""
                yield self._claims(of[0], by, w)

    def _claim(self, one: Replicated, w: Writer) -> str:
        """``new outscores base on at least 2 of 3 data sets (a and b; 95% confidence); mean gain ...``"""
        system, baseline = w.name(one.system), w.name(one.baseline)
        by = f" by {w.label(one.metric)}" if len(self._metrics) > 1 else ""
        of, gain = w.count(one.n_sets, "data set"), f"mean gain {self._mean(one, w)}"
        if one.count is None:
            held = self._held_over(one)
            verb = self._verb(one.metric) if held else f"is not shown to {self._verb(one.metric, plural=True)}"
            ahead = "ahead on" if self.alternative == "greater" else "behind on"
            p, holm = one.p_overall("wilcoxon"), " by Holm" * (len(self._answered) > 1)
            shown = "" if p is None else f" (Wilcoxon, {w.p(p)}{holm})"
            return f"{system} {verb} {baseline}{by} over {of}{shown}: {ahead} {one.n_ahead}, {gain}."
        independent = ""
        if one.count_independent is not None and one.count_independent > one.count:
            independent = f", {one.count_independent} if they are independent"
        if one.count:
            on = f"at least {one.count} of {of} with {w.level()} confidence ({_names(one.holds_on, w)}){independent}"
            gains = [g for g in self.set_gains if (g.system, g.metric) == (one.system, one.metric)]
            see = ", BUT see !" if any(w.warned(g.notes) for g in gains) else ""
            return f"{system} {self._verb(one.metric)} {baseline}{by} on {on}; {gain}{see}."
        alone = f" (on {one.count_independent} if they are independent)" if independent else ""
        shown = f"is not shown to {self._verb(one.metric, plural=True)} {baseline}{by}"
        return f"{system} {shown} on any of {of}{alone}; {gain}."

    def _verb(self, metric: str, *, plural: bool = False) -> str:
        verb = outscores(self, metric, plural=plural)
        return verb if self.alternative == "greater" else "score below" if plural else "scores below"

    def _mean(self, one: Replicated, w: Writer) -> str:
        ends = "" if one.ci is None else f" ({w.level()} CI {w.ends(one.ci, one.metric)})"
        return f"{w.unit(one.metric, one.gain, sign=True)}{ends}"

    def _held_over(self, one: Replicated) -> bool:
        """Whether the data sets together show the claim, each as one number, by p and by the interval."""
        p = one.p_overall("wilcoxon")
        if p is None or p > self.alpha or one.ci is None:
            return False
        return one.ci[0] > 0 if self.alternative == "greater" else one.ci[1] < 0

    def _claims(self, metric: str, by: str, w: Writer) -> str:
        """Many systems under one metric in a sentence, with the metrics of which it is said."""
        claims = [one for one in self.replicated if one.metric == metric]
        baseline, of = w.name(self.baseline), w.count(len(self.data_sets), "data set")
        systems, tested = w.count(len(claims), "system"), any(one.count is not None for one in claims)
        found = [one for one in claims if one.count] if tested else [one for one in claims if self._held_over(one)]
        if not found:
            on = f" on any of {of}." if tested else f" over {of} (Wilcoxon, Holm)."
            return f"None of {systems} is shown to {self._verb(metric, plural=True)} {baseline}{by}{on}"
        verb = self._verb(metric, plural=len(found) > 1)
        if not tested:
            best = self._in_order(found)[0]
            top = f"; {w.name(best.system)} most: mean gain {self._mean(best, w)}"
            return f"Of {systems} {len(found)} {verb} {baseline}{by} over {of} (Wilcoxon, Holm){top}."
        most = max(one.count or 0 for one in claims)
        firsts = [one.system for one in self._in_order(claims) if one.count == most]
        top = f"{_names(firsts, w)}, on at least {most} of {of}"
        return f"Of {systems} {len(found)} {verb} {baseline}{by} on one data set or more; most: {top}."

    def _in_order(self, claims: Sequence[Replicated]) -> list[Replicated]:
        """Systems of which most is shown first, under each metric."""
        side = 1 if self.alternative == "greater" else -1
        order = {metric: i for i, metric in enumerate(dict.fromkeys(one.metric for one in self.replicated))}
        return sorted(claims, key=lambda one: (order[one.metric], -(one.count or 0), -side * one.gain))

    def views(self, w: Writer) -> Iterator[Any]:
        yield self._counts(w)
        if self.tested:
            yield from self._sets(w)
        yield self._across(w)
        if self.rankings:
            yield table_of_ranks(self.rankings, w)

    def _counts(self, w: Writer) -> Any:
        ahead = Shown(
            "ahead on" if self.alternative == "greater" else "behind on", "whole", value=lambda one: one.ahead
        )
        wilcoxon = Shown("p Wilcoxon", "p", value=lambda one: one.p_overall("wilcoxon"))
        more = ("count", "count_independent") if self.tested else (wilcoxon,)
        rows = self._in_order(self.replicated) if len(self.replicated) > _MOST_CLAIMS else self.replicated
        claim = "better" if self.alternative == "greater" else "worse"
        sets = w.count(len(self.data_sets), "data set")
        title = f"On how many of {sets} a system is {claim} than {w.name(self.baseline)}"
        return w.table(title, rows, ("system", "gain", ahead, *more), first=True)

    def _sets(self, w: Writer) -> Iterator[Any]:
        """Data set by data set: gains with the p-values that decide, then how they were tested."""
        several = len(self.replicated) > 1
        order = {(one.system, one.metric): number for number, one in enumerate(self.replicated)}
        gains = sorted(self.set_gains, key=lambda gain: order[gain.system, gain.metric])

        def group(gain: SetGain) -> str:
            return f"{gain.system} by {w.label(gain.metric)}" if len(self.metrics) > 1 else gain.system

        joint = (Shown(f"p {self._named(w)} of all", "p", value=lambda gain: gain.p_adjusted),) if self._joint else ()
        heads = group if several else None
        held = {(one.system, one.metric): one.holds_on for one in self.replicated}

        def mark(gain: SetGain) -> str:
            return "holds" if gain.data_set in held[gain.system, gain.metric] else ""

        def side(gain: SetGain) -> str:
            return "" if not mark(gain) else "better" if gain.gain > 0 else "worse"

        holds = Shown("", value=mark, marked=True)
        wide = any(mark(gain) and gain.ci is not None and gain.ci[0] <= 0 <= gain.ci[1] for gain in gains)
        yield w.table(
            "Data set by data set", gains, ("data_set", "n_items", "gain", "p_holm", holds),
            first=not several and len(gains) <= _FEW, footnotes=(_STEPS,) * wide, group=heads, side=side,
            codes=lambda gain: (*gain.notes, "folds_overlap"),
        )  # fmt: skip
        scores = ("baseline_score", "system_score")
        columns = ("data_set", *scores, "p_value", *joint, "named_test")
        yield w.table("Scores and tests", gains, columns, group=heads)

    @property
    def _joint(self) -> bool:
        """Whether p-values corrected over everything say more than Holm over the data sets."""
        return any(gain.p_adjusted not in (gain.p_holm, gain.p_value) for gain in self.set_gains)

    def _named(self, w: Writer) -> str:
        return w.name(describe_correction(self.correction))

    @property
    def _tests(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(answer.test for one in self.replicated for answer in one.overall))

    def _across(self, w: Writer) -> Any:
        def column(test: str) -> Shown:
            return Shown(_TESTS.get(test, w.name(test)), "p", value=lambda one: one.p_overall(test))

        several = len(self._answered) > 1
        holm = f", each column corrected by Holm over {len(self._answered)}" if several else ""
        return w.table(f"All data sets together: p{holm}", self._answered, ("system", *map(column, self._tests)))

    def charts(self, w: Writer) -> Iterator[Chart]:
        """Every data set's gain with its interval; of many systems those that hold on most data sets."""
        ranked = sorted(self._answered, key=lambda one: (-(one.count or 0), -abs(one.gain)))[:_MOST_PANELS]
        claims = [one for one in self._answered if one in ranked]
        left_out = len(self._answered) - len(claims)
        holds = f"the gain holds (Holm over data sets, alpha {self.alpha:g})"
        marks = f" with simultaneous {w.level()} intervals; coloured arrowheads: {holds}"
        alone = "; one number for each data set, not tested by itself"
        yield Chart(
            heading="Gains on the data sets",
            title=self._find(max(claims, key=lambda claim: (claim.count or 0, abs(claim.gain))), w),
            under=(
                f"Gains over {w.name(self.baseline)}{alone if claims[0].count is None else marks}",
                f"{inflect(left_out, 'other system')} left out" if left_out else "",
            ),
            panels=tuple(self._forest(one, w) for one in claims),
        )

    def _forest(self, one: Replicated, w: Writer) -> Intervals:
        """The gains of a system, the largest first."""
        gains = [g for g in self.set_gains if (g.system, g.metric) == (one.system, one.metric)]
        worse = self.alternative == "less"
        return Intervals(
            names="data set", values="gain", zero=True,
            axis=f"Gain of {w.name(one.system)} in {w.label(one.metric)}, better to the right",
            signs=Signs(
                field="claim", colours={_HOLDS: "orange" if worse else "blue", _OPEN: "faint"},
                shapes={_HOLDS: "triangle-left" if worse else "triangle-right", _OPEN: "circle"},
            ),
            rows=tuple(
                Bar(
                    name=w.name(g.data_set), value=g.gain, ci=w.bound(g.ci),
                    sign=_HOLDS if g.data_set in one.holds_on else _OPEN,
                    written=w.gain(g.gain, g.metric) + (f" {w.interval(w.bound(g.ci), g.metric)}" if g.ci else ""),
                )
                for g in sorted(gains, key=lambda g: -g.gain)
            ),
        )  # fmt: skip

    def _find(self, one: Replicated, w: Writer) -> str:
        """On how many data sets, of the system that holds on most."""
        of = f"{one.n_sets} data sets"
        system, baseline = w.name(one.system), w.name(one.baseline)
        if one.count is None:
            ahead = "ahead of" if self.alternative == "greater" else "behind"
            return f"{system} is {ahead} {baseline} on {one.n_ahead} of {of}"
        if not one.count:
            return f"{system} is not shown to {self._verb(one.metric, plural=True)} {baseline} on any of {of}"
        return f"{system} {self._verb(one.metric)} {baseline} on at least {one.count} of {of}"

    def how(self, w: Writer) -> str:
        items = {gain.data_set: gain.n_items for gain in self.set_gains}
        size = f"{w.count(len(items), 'data set')}, {w.count(sum(items.values()), 'item')}"
        tests = dict.fromkeys(
            w.name(describe_test(g.test, g.p_kind, clustered=self._clustered))
            for g in self.set_gains
            if g.p_value is not None
        )
        if not tests:
            each = "; p by Holm, intervals each by itself" * (len(self._answered) > 1)
            size = w.count(len(items), "data set")
            return f"Each data set is one number; Wilcoxon over data sets, two-sided{each}. {size}."
        named = " or ".join(tests)
        said = f"{named[:1].upper()}{named[1:]} on each data set, one-sided"
        return f"{said}; p by Holm and intervals simultaneous; partial conjunction by Bonferroni. {size}."

    def method(self, w: Writer) -> Iterator[str]:
        side = "the system is better" if self.alternative == "greater" else "the system is worse"
        if self.tested:
            yield (
                f"Holds on at least: so many data sets, with {w.level()} confidence, whatever their dependence "
                f"(partial conjunction, Bonferroni); p one-sided, {side}. Holm over the data sets of a system and "
                f"metric says which, less those whose own p rejects while their own {w.level()} interval holds 0."
            )
            yield "Independent: the same by Fisher, for data sets that have nothing in common."
        yield (
            "Mean gain: over data sets, each with the same weight, with a t interval over data sets. Gain: system "
            f"minus baseline, signed so that positive is better; seed {self.seed}; alpha {self.alpha:g}."
        )
        tests = dict.fromkeys((gain.test, gain.p_kind) for gain in self.set_gains if gain.test)
        if tests:
            named = (w.name(describe_test(*test, clustered=self._clustered)) for test in tests)
            yield f"Test on each data set: {' or '.join(dict.fromkeys(named))}."
        if self._joint:
            size = sum(gain.p_adjusted is not None for gain in self.set_gains)
            family = f"{w.count(size, 'gain')}, all systems, metrics and data sets together"
            yield f"p {self._named(w)} of all: over {family}."
        yield from self._describe_tests(w)
        for ranking in self.rankings:
            yield from ranking.method(w)
        yield from describe_intervals(
            self, {f"gains, {self._family}:": [gain.ci_method for gain in self.set_gains if gain.ci]}, w
        )

    @property
    def _family(self) -> str:
        """The gains whose intervals hold together."""
        level = level_of_intervals("holm", len(self.data_sets))
        return f"simultaneous over the data sets of a system and metric, each {level} by itself"

    def _describe_tests(self, w: Writer) -> Iterator[str]:
        """Tests of all data sets together, grouped by their null hypothesis."""
        answers = [answer for one in self.replicated for answer in one.overall]
        for null, side in dict.fromkeys((answer.null, answer.alternative) for answer in answers):
            names = [test for test in self._tests if any(a.test == test and a.null == null for a in answers)]
            shown = ", ".join(_TESTS.get(name, w.name(name)) for name in names)
            yield f"{shown} ({w.name(side)}): null hypothesis: {w.name(null)}."
        if any(answer.test in ("fisher", "stouffer", "simes") for answer in answers):
            yield (
                "Wilcoxon and sign take each data set for one number; the others combine the p-values of the data sets."
            )
        if any(answer.test in _INDEPENDENT for answer in answers):
            independent = "Fisher, Stouffer (weights: √items): for independent data sets"
            yield f"{independent}; Simes also for positively related ones."
        floors = [a.p_min for a in answers if a.p_min is not None and a.p_min > self.alpha]
        if floors:
            yield f"Smallest attainable {w.p(min(floors))} of Wilcoxon and sign: alpha is out of reach."

    def __repr__(self) -> str:
        systems = inflect(len({r.system for r in self.replicated}), "system")
        return f"<Replication on {inflect(len(self.data_sets), 'data set')}: {systems} against {self.baseline!r}>"


def _names(names: Sequence[str], w: Writer) -> str:
    """The first few names; how many more there are."""
    shown = ", ".join(w.name(name) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
