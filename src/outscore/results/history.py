"""The record of a history: what was compared on which test set, and the place of a comparison in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.details import describe_test
from outscore.results.result import Result, Score, kinds

_MOST_USES = 1000  # in a table for people
_MOST_FAMILIES = 6
_DIGEST = 12  # characters of a digest that are enough to name a test set


@dataclass(frozen=True, kw_only=True)
class HistoryEntry:
    """A past comparison in its place.

    Attributes:
        number: its place among the tests of its family on its test set, from 1; None where it has no p-value.
        level, rejected: under the correction over the history that was asked for; else as decided then.
    """

    number: Annotated[int | None, Shown("use", "whole")]
    level: Annotated[float | None, Shown("level", "number")]
    rejected: bool | None
    comparison: RecordedComparison

    @property
    def decision(self) -> Annotated[str, Shown("decision")]:
        """The decision in a word or two."""
        return describe_decision(self.rejected)


@dataclass(frozen=True, kw_only=True)
class SetUses:
    """How often a test set has been used: ``families`` to their numbers of uses; first and last in UTC."""

    test_set: KnownSet
    n_uses: Annotated[int, Shown("uses", "count")]
    families: Mapping[str, int]
    first: str
    last: str

    @property
    def name(self) -> str:
        """Its name; without one how its digest begins."""
        return self.test_set.name or self.test_set.digest[:_DIGEST]


@kinds.register("history")
@dataclass(frozen=True, kw_only=True, repr=False)
class Uses(Result):
    """A history of comparisons; there are no scores in it.

    Attributes:
        file: where it is kept.
        procedure: the correction over the history that was asked for, at level ``alpha``; None for none.
        test_sets: those used; ``uses``: every use, a comparison, in the order in which they were made.
    """

    file: str
    procedure: str | None
    test_sets: tuple[SetUses, ...]
    uses: tuple[HistoryEntry, ...]
    scores: tuple[Score, ...] = ()
    command: str = "history"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each use, the name of its test set included."""
        names = {one.test_set.digest: one.test_set.name for one in self.test_sets}
        rows = []
        for use in self.uses:
            plain = dataclasses.asdict(use.comparison)
            decided = {"procedure": self.procedure or plain["procedure"], "level": use.level}
            decided["rejected"] = use.rejected
            first = {"number": use.number, "name": names[use.comparison.test_set]}
            rows.append({**first, **plain, **decided})
        return rows

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        if not self.uses:
            yield "Nothing has been compared yet."
            return
        most = max(self.test_sets, key=lambda one: one.n_uses)
        comparisons = w.count(len(self.uses), "comparison")
        if len(self.test_sets) == 1:
            items = w.count(most.test_set.n_items, "item")
            days = dict.fromkeys((_day(most.first, w), _day(most.last, w)))
            yield f"{comparisons} on the test set {w.name(most.name)} ({items}), {' to '.join(days)}."
        else:
            sets = w.count(len(self.test_sets), "test set")
            yield f"{comparisons} on {sets}; the most, {most.n_uses:,}, on {w.name(most.name)}."
        decided = [use for use in self.uses if use.level is not None]
        found = _show(sum(bool(use.rejected) for use in decided), len(decided), w)
        if self.procedure is not None:
            yield f"Under {_spell(self.procedure, w)} at {w.given(self.alpha)}, {found} a difference."
        elif decided:
            yield f"Decided over all uses, {found} a difference."
        else:
            alone = [one for use in self.uses if (one := use.comparison).p_value is not None]
            few = sum(one.p_value <= one.alpha for one in alone if one.p_value is not None)
            said = _show(few, len(alone), w)
            yield f"Each by itself, {said} a difference; --correct-history NAME decides over all uses."

    def views(self, w: Writer) -> Iterator[Any]:
        """Every use with its decision; the test sets, first where there are several; how each was compared."""
        several = len(self.test_sets) > 1
        sets = (
            Shown("test set", value=lambda one: w.name(one.test_set.digest[:_DIGEST])),
            Shown("name", value=lambda one: w.name(one.test_set.name) or "–"),
            Shown("items", "count", value=lambda one: one.test_set.n_items),
            Shown("known by", spare="footnote", value=lambda one: one.test_set.known_by),
            "n_uses",
            Shown("families", "prose", value=lambda one: _families(one, w)),
            Shown("first", value=lambda one: _day(one.first, w)),
            Shown("last", value=lambda one: _day(one.last, w)),
        )
        if several or not self.uses:
            yield w.table("Test sets", self.test_sets, sets, first=True, by_metric=False)
        if self.uses:
            rows = [(use, use.comparison) for use in self.uses[-_MOST_USES:]]
            more = len(self.uses) - len(rows)
            last = [f"The last {len(rows):,} of {len(self.uses):,} uses; -f csv and -f json have all."] if more else []
            names = {one.test_set.digest: one.name for one in self.test_sets}

            def group(row: tuple[HistoryEntry, RecordedComparison]) -> str:
                family = row[1].family
                return f"{family}, {names[row[1].test_set]}" if several else family

            decided = ("level", "decision") if any(use.level is not None for use in self.uses) else ()
            gain = Shown("gain", "number", value=lambda row: _signed(row[1].gain, w))
            p = Shown("p", "p", value=lambda row: row[1].p_value, level=lambda row: row[0].level or row[1].alpha)
            yield w.table("Comparisons", rows, ("system", "baseline", "number", gain, p, *decided), first=True,
                          footnotes=last, group=group, naming=2)  # fmt: skip
            test = Shown("test", "prose", value=lambda row: describe_test(row[1].test))
            when = Shown("when", value=lambda row: _day(row[1].created, w))
            yield w.table("How each was compared", rows, ("system", "baseline", "metric", test, when, "who"),
                          group=group, naming=2)  # fmt: skip
        if self.uses and not several:
            yield w.table("Test sets", self.test_sets, sets, by_metric=False)

    def how(self, w: Writer) -> str:
        said = "Use: place among the tests of its family on its test set."
        if self.procedure is not None:
            promise = describe_promise(self.procedure, self.alpha)
            return f"{said} Level: by {_spell(self.procedure, w)}, so that over all uses of a family {promise}."
        if any(use.level is not None for use in self.uses):
            made = sorted({_spell(p, w) for use in self.uses if (p := use.comparison.procedure)})
            return f"{said} Level and decision: as given when the comparison was made ({', '.join(made)})."
        return said

    def method(self, w: Writer) -> Iterator[str]:
        yield self.how(w)
        yield f"Gain: system minus the other, in the unit of its metric. Kept in {w.name(self.file)}."

    def __repr__(self) -> str:
        return f"<Uses: {inflect(len(self.uses), 'comparison')} on {inflect(len(self.test_sets), 'test set')}>"


def _show(few: int, of: int, w: Writer) -> str:
    return f"{few:,} of {w.count(of, 'test')} {'shows' if few == 1 else 'show'}"


def _families(one: SetUses, w: Writer) -> str:
    shown = [f"{w.name(family)} {n}" for family, n in list(one.families.items())[:_MOST_FAMILIES]]
    more = len(one.families) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _spell(procedure: str, w: Writer) -> str:
    return PROCEDURES.get(procedure, w.name(procedure))


def _signed(value: float | None, w: Writer) -> str:
    return "–" if value is None else f"{'+' if value > 0 else ''}{w.number(value)}"


def _day(time: str, w: Writer) -> str:
    return w.name(time)[:10]


PROCEDURES = {
    "alpha-spending": "alpha spending",
    "lond": "LOND",
    "lord": "LORD++",
    "saffron": "SAFFRON",
    "addis": "ADDIS",
}
"""How papers spell the corrections over a history."""

CONTROLS = {"alpha-spending": "the probability of any false rejection"}
"""Error rate that a correction holds to alpha, where that is not the false-discovery rate."""


def describe_decision(rejected: bool | None) -> str:
    """Decision of a correction over the history, in a word or two."""
    return "–" if rejected is None else "difference" if rejected else "no difference shown"


def describe_promise(procedure: str, alpha: float) -> str:
    """Error rate that a correction controls, and its bound."""
    what = CONTROLS.get(procedure, "the false-discovery rate, the proportion of false among all rejections,")
    return f"{what} is held to {alpha:g}"


@dataclass(frozen=True, kw_only=True)
class KnownSet:
    """A test set, known again by its content.

    Attributes:
        digest: of its items and references, in any order; of its name, where the user gave one.
        name: of the test set.
        known_by: contents of the digest: ``name``, ``items and references``, ``references``, ``items`` or ``number of
            items``.
        n_items: how many items it has.
    """

    digest: str
    name: str
    known_by: str
    n_items: int


@dataclass(frozen=True, kw_only=True)
class RecordedComparison:
    """One use of a test set: two systems compared under one metric by one test.

    Attributes:
        test_set: digest of the test set; ``family``: the uses of it that are corrected together.
        system, baseline: names; ``system_digest``, ``baseline_digest``: of what the metric reads of their outputs.
        metric, signature, test, alternative, alpha, correction: as in ``Comparison``.
        cluster, strata: columns that say what was resampled together, or None.
        engine, seed, n_resamples: of the resampling; ``n_resamples`` is None where nothing was drawn.
        p_value, p_adjusted, gain, ci_low, ci_high, n_items: as in ``Pair``.
        version: of outscore; ``created``: when, in UTC (ISO 8601); ``who``: who asked.
        procedure: the correction over the history under which it was decided then, if any; ``level``: the level that
            it had; ``rejected``: whether its p-value was at most that.
    """

    test_set: str
    family: Annotated[str, Shown("family")]
    system: Annotated[str, Shown("")]
    baseline: Annotated[str, Shown("against")]
    system_digest: str
    baseline_digest: str
    metric: Annotated[str, Shown("metric")]
    signature: str
    test: str
    alternative: str
    cluster: str | None
    strata: str | None
    engine: str
    seed: int
    n_resamples: int | None
    alpha: float
    p_value: float | None
    p_adjusted: float | None
    correction: str
    gain: float | None
    ci_low: float | None
    ci_high: float | None
    n_items: int
    version: str
    created: str
    who: Annotated[str, Shown("who")]
    procedure: str | None = None
    level: float | None = None
    rejected: bool | None = None


@dataclass(frozen=True, kw_only=True)
class PairInHistory:
    """A pair of a comparison, as a use of the test set.

    Attributes:
        number: its place among the tests of its family, from 1; None where it has no p-value.
        seen_before: this very comparison was made before, so it is no new use.
        p_value: the one that counts: of a repeated use, that with more resamples.
        level: at which it is decided; ``rejected``: whether its null hypothesis is; None where nobody asked.
    """

    system: Annotated[str, Shown("")]
    baseline: Annotated[str, Shown("against")]
    metric: str
    family: Annotated[str, Shown("family")]
    number: int | None
    seen_before: bool
    p_value: Annotated[float | None, Shown("p", "p", level="level")]
    level: Annotated[float | None, Shown("level", "number")]
    rejected: bool | None


@dataclass(frozen=True, kw_only=True)
class SetHistory:
    """The history of its test set that a comparison found, and its own additions to it.

    Attributes:
        file: where the history is kept.
        test_set: the test set.
        before: uses before this comparison, by family.
        procedure: the correction over the history; None for none.
        pairs: one for each pair of the comparison, in their order.
    """

    file: str
    test_set: KnownSet
    before: Mapping[str, int]
    procedure: str | None
    pairs: tuple[PairInHistory, ...]

    def takes_back(self, system: str, baseline: str, metric: str) -> bool:
        """Whether the difference of a pair is not shown over all uses."""
        key = system, baseline, metric
        return any(p.rejected is False and (p.system, p.baseline, p.metric) == key for p in self.pairs)

    def table(self, w: Writer, alpha: float) -> Any:
        """The decision on each pair over the history."""
        against = ("baseline",) if len({pair.baseline for pair in self.pairs}) > 1 else ()
        use = Shown("use", value=lambda p: "–" if p.number is None else f"{p.number}{' (again)' * p.seen_before}")
        decided = Shown("decision", value=lambda pair: describe_decision(pair.rejected))
        name = PROCEDURES.get(self.procedure or "", w.name(self.procedure))
        columns = ("system", *against, "family", use, "p_value", "level", decided)
        return w.table(
            f"Over all uses of this test set ({name})", self.pairs, columns, first=True,
            footnotes=self._about(alpha), naming=1 + len(against),
        )  # fmt: skip

    def _about(self, alpha: float) -> Iterator[str]:
        yield (
            "level: what raw p is held against, so that over all uses of a family, past and to come, "
            f"{describe_promise(self.procedure or '', alpha)}. A new use's system must not have been chosen by this "
            "test set."
        )
        if any(pair.seen_before for pair in self.pairs):
            yield "again: this very comparison was made before; it keeps its place and is no new use."
