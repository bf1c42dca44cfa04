"""The work of ``advise``: every pair under every test that answers, and what speaks for and against each."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.dataset import Dataset
from outscore.engine.design import Design
from outscore.multiplicity.adjust import AUTO, MAX_T
from outscore.results.advice import Advice, Avoid, Fact, Step, Use
from outscore.significance import Test, advice, outcomes_of, tests
from outscore.significance.choose import ChosenTest, choose
from outscore.significance.clusters import find_ignored_clusters
from outscore.significance.gain import GainContrast
from outscore.significance.independent import independent_tests
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.verbs.advise import Advise
from outscore.verbs.shared.family import correction_for
from outscore.verbs.shared.inputs import align_from, baseline_of, check_several
from outscore.verbs.shared.judged import draw_for_intervals
from outscore.verbs.shared.measured import Measurements, measuring_notes, runtime_of
from outscore.verbs.shared.records import JudgedPair, provenance, unique_notes

_RESAMPLES = 200
"""Enough to see which notes a test carries and what its interval is called; no number of theirs is shown."""

_MOST_DOMAINS = 20
_MANY = 50
_BOARD = 3  # systems that make a leaderboard


def advise(data: Any, options: Advise) -> Advice:
    """The advice on these data."""
    settings = Settings(
        alpha=options.alpha,
        alternative=options.alternative,
        n_resamples=_RESAMPLES,
        runtime=runtime_of(options.jobs, options.progress),
    )
    aligned = align_from(data, references=options.references, items=options.items, missing=options.missing)
    check_several(aligned, lacks="has nothing to be compared with")
    first = baseline_of(aligned.systems, options.baseline)
    made = _measure(aligned, options, settings, options.cluster)
    resamples = made.resamples(settings, first)
    labels = {name: values for name, values in made.data.labels.items() if all(values)}  # no item without a cluster
    matter = [] if made.design.cluster else find_ignored_clusters(resamples, labels)
    found: dict[str, str] = {}
    if matter and options.cluster is None:
        found["cluster"] = matter[0][0]
        made = _measure(aligned, options, settings, found["cluster"])
        resamples = made.resamples(settings, first)
    observed = _observe(resamples, [m.metric.of_samples for m in made.measured])
    correction, why = _correction(resamples, observed)
    systems = made.data.systems
    return Advice(
        seed=DEFAULT_SEED,
        alpha=options.alpha,
        systems=(systems[first], *(s for s in systems if s != systems[first])),
        facts=(*_facts(observed), *_columns(made.data, made.design, matter)),
        use=tuple(_use(resamples, observed)),
        avoid=tuple(_avoid(observed)),
        correction=correction,
        correction_reason=why,
        steps=tuple(_steps(options, found, len(systems))),
        notes=(*made.data.notes, *unique_notes(_notes(made, resamples, observed))),
        provenance=provenance(made.data, made.measured, [], settings, "auto", correction, made.design),
    )


def _measure(aligned: Dataset, options: Advise, settings: Settings, cluster: str | None) -> Measurements:
    return Measurements.of(
        aligned, options.metrics, settings.runtime, cluster=cluster, strata=options.strata, cache=options.cache
    )


def _notes(made: Measurements, resamples: Resamples, observed: Sequence[_ObservedPair]) -> list[Note]:
    correlations = [dict(one.facts).get("correlation", 1.0) for one in observed]
    unpaired = advice.looks_unpaired(correlations, resamples.design.n_units)
    return [*measuring_notes(made.measured), *([advice.UNPAIRED] if unpaired else [])]


@dataclass(frozen=True)
class _ObservedPair:
    """One pair, and its outcomes by the tests that answer."""

    pair: GainContrast
    choice: ChosenTest
    judged: Mapping[str, JudgedPair]
    """The outcomes of the chosen test, and of all that do not refuse, by their names."""

    @property
    def chosen(self) -> JudgedPair:
        return self.judged[self.choice.test.name]

    @cached_property
    def facts(self) -> tuple[tuple[str, float], ...]:
        least = self.chosen.outcome.p_min
        floor = () if least is None or self.pair.identical else (("smallest_p", least),)
        return (*advice.facts_of(self.pair), *floor)

    @cached_property
    def caveats(self) -> tuple[Note, ...]:
        """Notes of the chosen test on these data, and of the advice itself."""
        return tuple(advice.warnings_of(self.pair, self.chosen.notes))

    @cached_property
    def against(self) -> dict[str, tuple[Note, ...]]:
        """For every registered test what speaks against it and not against the chosen one."""
        own = {note.code for note in self.caveats}
        return {
            name: tuple(note for note in self._objections(cls) if note.code not in own)
            for name, cls in tests
            if name != self.choice.test.name
        }

    def _objections(self, cls: type[Test]) -> Iterator[Note]:
        unknown = advice.required_options(cls)
        if unknown:
            yield Note(code=f"needs_{unknown}", text=f"it needs {unknown}, known beforehand and not from these data")
            return
        test = tests.build(cls, {})
        refusal = test.refuses(self.pair)
        if refusal:
            yield Note(code=f"refused_{test.name}", text=refusal.partition("; use")[0])
            return
        yield from advice.warnings_of(self.pair, self.judged[test.name].notes)


def _observe(systems: Resamples, of_samples: Sequence[bool]) -> list[_ObservedPair]:
    """All pairs under all metrics with the outcomes of every test that answers, whose draws are shared."""
    pairs = [GainContrast(systems, p, *pair) for p in range(len(of_samples)) for pair in systems.pairs]
    choices = [choose(pair) for pair in pairs]
    runs = [
        {**{test.name: test for test in _answering(pair)}, choice.test.name: choice.test}
        for pair, choice in zip(pairs, choices, strict=True)
    ]
    questions = [(test, pair) for pair, own in zip(pairs, runs, strict=True) for test in own.values()]
    outcomes, drawn = outcomes_of(questions, systems)
    judged = [
        JudgedPair(pair.on(drawn), test, outcome, (), (), of_samples=of_samples[pair.metric_index])
        for (test, pair), outcome in zip(questions, outcomes, strict=True)
    ]
    judged, _ = draw_for_intervals(judged, [], drawn, None)
    left = iter(judged)
    return [
        _ObservedPair(pair, choice, {name: next(left) for name in own})
        for pair, choice, own in zip(pairs, choices, runs, strict=True)
    ]


def _answering(pair: GainContrast) -> Iterator[Test]:
    """The registered tests, as they are by default, that need nothing else and do not refuse."""
    for _, cls in tests:
        test = None if advice.required_options(cls) else tests.build(cls, {})
        if test is not None and test.refuses(pair) is None:
            yield test


def _group_by_metric(observed: Sequence[_ObservedPair]) -> dict[str, list[_ObservedPair]]:
    found: dict[str, list[_ObservedPair]] = {}
    for one in observed:
        found.setdefault(one.pair.stats.name, []).append(one)
    return found


def _facts(observed: Sequence[_ObservedPair]) -> Iterator[Fact]:
    for metric, pairs in _group_by_metric(observed).items():
        kinds = ", ".join(dict.fromkeys(advice.kind_of(one.pair) for one in pairs))
        yield Fact(metric=metric, name="kind", low=None, high=None, text=kinds)
        values: dict[str, list[float]] = {}
        for one in pairs:
            for name, value in one.facts:
                values.setdefault(name, []).append(value)
        for name in advice.MEANING:
            if name in values:
                low, high = min(values[name]), max(values[name])
                yield Fact(metric=metric, name=name, low=low, high=high, text=advice.MEANING[name])


def _columns(data: Dataset, design: Design, matter: Sequence[tuple[str, float]]) -> Iterator[Fact]:
    """Columns that describe the items and may have a part in the design."""
    for column, effect in matter:
        text = f"design effect of the clusters in column {column!r}"
        yield Fact(metric="", name="unnamed_clusters", low=effect, high=effect, text=text)
    for column, values in data.labels.items():
        kinds = len(set(values))
        if column not in (design.cluster, design.stratum) and 1 < kinds <= _MOST_DOMAINS and kinds * 2 <= len(values):
            text = f"kinds of items in column {column!r}: break the gain down by --by {shlex.quote(column)}"
            yield Fact(metric="", name="domains", low=kinds, high=kinds, text=text)


def _use(resamples: Resamples, observed: Sequence[_ObservedPair]) -> Iterator[Use]:
    for metric, pairs in _group_by_metric(observed).items():
        groups: dict[tuple[str, str, str], list[_ObservedPair]] = {}
        for one in pairs:
            key = one.choice.test.label, one.choice.reason.text, one.chosen.interval[1]
            groups.setdefault(key, []).append(one)
        for (test, reason, interval), group in groups.items():
            beside = group[0].choice.beside
            named = {t.name for t in beside}
            sound = [{name for name, why in one.against.items() if not why} for one in group]
            yield Use(
                metric=metric,
                systems=tuple(resamples.systems[one.pair.system] for one in group),
                test=test,
                reason=reason.removeprefix("test chosen: "),
                null=group[0].choice.test.null,
                question=group[0].choice.test.question(group[0].pair),
                interval=interval,
                beside=tuple(t.label for t in beside),
                others=tuple(sorted(set.intersection(*sound) - named)),
                caveats=tuple(dict.fromkeys(note.text for one in group for note in one.caveats)),
            )


def _avoid(observed: Sequence[_ObservedPair]) -> Iterator[Avoid]:
    for metric, pairs in _group_by_metric(observed).items():
        reasons: dict[str, dict[str, Note]] = {}
        for one in pairs:
            beside = {t.name for t in one.choice.beside}
            for name, found in one.against.items():
                for note in found if name not in beside else ():
                    reasons.setdefault(note.text, {})[name] = note
        for text, of_tests in reasons.items():
            evidence = advice.EVIDENCE.get(next(iter(of_tests.values())).code, ())
            yield Avoid(metric=metric, tests=tuple(of_tests), reason=text, evidence=evidence)
        if independent_tests.names():
            yield Avoid(
                metric=metric,
                tests=tuple(independent_tests.names()),
                reason="on items, they take the systems' scores for independent samples, but the items are the same",
                evidence=("correlation", "paired_variance"),
            )


def _correction(resamples: Resamples, observed: Sequence[_ObservedPair]) -> tuple[str, str]:
    """The correction for the family of all comparisons, and why."""
    size, found = len(observed), correction_for(AUTO, resamples)
    if size == 1:
        return found, "one comparison, so nothing is corrected; count what was looked at and is not in these files"
    family = f"{size} comparisons (systems by metrics) are one family"
    screening = "; bh if they are a screening whose findings are tested again" if size >= _MANY else ""
    if found == MAX_T:
        return found, f"{family}: max-t, which uses how they hang together, for p-values and intervals{screening}"
    runs = (
        "shared resamples vary items alone, and systems have several runs"
        if resamples.has_runs
        else ("so few items or clusters say little of how the comparisons hang together")
    )
    return found, f"{family}: Holm, as {runs}{screening}"


def _steps(options: Advise, found: Mapping[str, str], systems: int) -> Iterator[Step]:
    """Steps to take next: the comparison, ranks where there are several systems, and an audit of the test."""
    verbs = {
        "compare": "compare",
        "rank": "rank all systems",
        "audit": "measure the test on null versions of these data",
    }
    arguments, metrics = options.arguments, options.metrics
    # a board has no baseline and no direction
    if systems < _BOARD or {"--baseline", "--alternative"} & set(arguments or ()):
        del verbs["rank"]
    for verb, purpose in verbs.items():
        if arguments is None:
            named = [] if metrics is None else [f"metrics={metrics!r}"]
            named += [f"{key}={value!r}" for key, value in found.items()]
            yield Step(purpose=purpose, command=f"outscore.{verb}({', '.join(['data', *named])})")
        else:
            more = [word for key, value in found.items() for word in (f"--{key}", value)]
            typed = ["advise", *arguments, *more, "--test", "auto"] if verb == "audit" else [verb, *arguments, *more]
            yield Step(purpose=purpose, command=shlex.join(["outscore", *typed]))
