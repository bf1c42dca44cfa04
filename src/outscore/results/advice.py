"""The record of an advice: what the data are like, which test suits them, which to avoid, and the command to run."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.details import describe_correction, describe_test
from outscore.results.result import Result, Score, kinds

_ROW = 76
"""Characters of a line of a command; longer ones go on after a backslash, so that they can be pasted."""
_MOST_NAMES = 4


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
    text: Annotated[str, Shown("what it is", "prose")]


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

    metric: Annotated[str, Shown("metric")]
    systems: tuple[str, ...]
    test: Annotated[str, Shown("test")]
    reason: str
    null: str
    question: str
    interval: Annotated[str, Shown("interval", "prose")]
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

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        metrics: dict[tuple[str, str, str], list[str]] = {}
        for use in self.use:
            several = len({u.systems for u in self.use if u.metric == use.metric}) > 1
            of = f" ({_systems(use, w)})" if several else ""
            metrics.setdefault((use.test, use.interval, use.reason), []).append(f"{w.name(use.metric)}{of}")
        for (test, interval, reason), names in metrics.items():
            for_ = ", ".join(dict.fromkeys(names))
            named = describe_test(test, clustered=self.provenance.n_clusters is not None)
            yield f"For {for_} use {w.name(named)} with the {w.name(interval)} ({w.name(reason)})."
        yield _end(w.name(self.correction_reason))

    def views(self, w: Writer) -> Iterator[Any]:
        """Commands to run, and what these data speak against; then the data, and what does not apply to them."""
        lines = [line for step in self.steps for line in _lines(step.command)]
        yield w.table("Run", lines, (Shown("command", "command", value=w.name),), first=True, by_metric=False)
        known = {(fact.metric, fact.name) for fact in self.facts}
        here = _merge((avoid for avoid in self.avoid if any((avoid.metric, one) in known for one in avoid.evidence)), w)
        if here:
            columns = (
                Shown("avoid", "prose", value=lambda row: row[0]),
                Shown("because", "prose", value=lambda row: row[1]),
            )
            yield w.table("Avoid here", here, columns, first=True, by_metric=False)
        facts = (
            Shown("fact", value=lambda fact: w.name(fact.name).replace("_", " ")),
            Shown("number", "number", value=lambda fact: _number(fact, w)),
            "text",
        )
        title = f"The data: {w.count(len(self.systems), 'system')}, none of them ahead"
        yield w.table(title, self.facts, facts, group=lambda fact: fact.metric or "columns of the items")
        systems = (
            (Shown("systems", value=lambda use: _systems(use, w)),) if len({u.systems for u in self.use}) > 1 else ()
        )
        beside = Shown("beside it", "prose", value=lambda use: w.name(", ".join(use.beside)))
        others = Shown("as good here", "prose", value=lambda use: w.name(", ".join(use.others)))
        yield w.table("Use", self.use, ("metric", *systems, "test", "interval", beside, others), by_metric=False,
                      naming=1 + len(systems))  # fmt: skip
        against = Shown("because", "prose", value=lambda a: w.name(a.reason) + self._evidence(a, w))
        names = Shown("avoid", "prose", value=lambda a: w.name(", ".join(a.tests)))
        several = len({avoid.metric for avoid in self.avoid}) > 1
        if self.avoid:
            yield w.table("Tests that do not suit", self.avoid, (names, against), by_metric=False,
                          group=(lambda avoid: avoid.metric) if several else None)  # fmt: skip

    def _evidence(self, avoid: Avoid, w: Writer) -> str:
        """The facts of the data that speak against tests: `` (here: skewness 0.42)``."""
        facts = {(fact.metric, fact.name): fact for fact in self.facts}
        found = [facts[avoid.metric, name] for name in avoid.evidence if (avoid.metric, name) in facts]
        said = (f"{w.name(fact.name).replace('_', ' ')} {_number(fact, w)}" for fact in found)
        return f" (here: {', '.join(said)})" if found else ""

    def how(self, w: Writer) -> str:
        source = self.provenance
        clusters = (
            ""
            if source.n_clusters is None
            else f" in {w.count(source.n_clusters, 'cluster')} ({w.name(source.cluster)})"
        )
        items = w.count(source.n_items_read - len(source.dropped), "item")
        return f"By metric, design and shape of the differences, never by who is ahead. {items}{clusters}."

    def method(self, w: Writer) -> Iterator[str]:
        yield self.how(w)
        for test, null in dict.fromkeys((use.test, use.null) for use in self.use):
            yield f"Null hypothesis of {w.name(test)}: {_end(w.name(null), capital=False)}"
        for test, caveat in dict.fromkeys((use.test, caveat) for use in self.use for caveat in use.caveats):
            yield f"Say with {w.name(test)}: {_end(w.name(caveat), capital=False)}"
        yield f"Correction: {w.name(describe_correction(self.correction))}; alpha {self.alpha:g}."

    def __repr__(self) -> str:
        tests = ", ".join(dict.fromkeys(use.test for use in self.use))
        return f"<Advice for {inflect(len(self.systems), 'system')}: {tests}>"


def _merge(avoided: Iterable[Avoid], w: Writer) -> list[list[str]]:
    """Tests and the reason against them; what is the same under several metrics once, and of many tests the first."""
    rows = []
    for tests, reason in dict.fromkeys((avoid.tests, avoid.reason) for avoid in avoided):
        named = (
            tests
            if len(tests) <= _MOST_NAMES
            else (*tests[: _MOST_NAMES - 1], f"{len(tests) - _MOST_NAMES + 1} others")
        )
        rows.append([w.name(", ".join(named)), w.name(reason)])
    return rows


def _lines(command: str) -> list[str]:
    """A command in lines that a shell joins again; a call in Python stays whole."""
    if not command.startswith("outscore "):
        return [command]
    parts: list[str] = []
    for word in map(shlex.quote, shlex.split(command)):
        if parts and parts[-1].startswith("-") and not word.startswith("-"):
            parts[-1] += f" {word}"  # an option stays with its value
        else:
            parts.append(word)
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) > _ROW:
            lines[-1] += " \\"
            lines.append(part)
        else:
            lines[-1] += (" " if lines[-1] else "") + part
    return lines


def _systems(use: Use, w: Writer) -> str:
    few = len(use.systems) <= _MOST_NAMES
    return ", ".join(map(w.name, use.systems)) if few else w.count(len(use.systems), "system")


def _number(fact: Fact, w: Writer) -> str:
    """``12``, or ``0.31 to 0.52`` where pairs differ."""
    if fact.low is None:
        return ""
    low, high = w.number(fact.low), w.number(fact.high)
    return low if low == high else f"{low} to {high}"


def _end(text: str, *, capital: bool = True) -> str:
    """``text`` as a sentence."""
    text = text if text.endswith((".", "?", "!")) else f"{text}."
    return text[:1].upper() + text[1:] if capital else text
