"""The work of ``audit``: null versions are made in rounds, and what tests and intervals do on them is counted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from outscore.base.errors import UsageError
from outscore.base.notes import Note
from outscore.base.registry import split_specs
from outscore.engine.runtime import Runtime
from outscore.jobs import Found, Spec
from outscore.jobs.tasks import Executor, Job, Tasks, blocks, executor_of
from outscore.results.audit import Audit, Check
from outscore.significance import Test, nulls, tests
from outscore.significance import audit as auditing
from outscore.significance.audit import LEVEL, AuditTally, verdict
from outscore.significance.choose import choose
from outscore.significance.confidence import find_method, refuse
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.nulls import BootstrapNull, Centred, NullVersion, null_versions
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.verbs.audit import AuditTest
from outscore.verbs.shared.inputs import align_from, baseline_of, check_resamples, check_several
from outscore.verbs.shared.measured import Measurements, measuring_notes
from outscore.verbs.shared.records import provenance, unique_notes

_AT_ONCE = 10
"""Rounds of one cell."""

_FEW, _ENUMERATED = 14, 20
"""Units that differ whose permutations are enumerated in no time, and at all."""

Plan = tuple[NullVersion, Sequence[Test]]

_OF_MISSES = {"too often": "too low", "too rarely": "too high"}


def audit(data: Any, options: AuditTest) -> Audit:
    """Measures the tests on null versions; after Ctrl-C in the rounds that were done."""
    check_resamples(options.n_resamples)
    settings = Settings(
        options.alternative, options.alpha, options.n_resamples, options.seed, runtime=Runtime(whole=True)
    )
    executor = executor_of(options.jobs, options.dask, options.resume, options.checkpoint, options.progress)
    named, method = _make_tests(options.test), find_method(options.interval, "gain")
    made, first = _measure(data, options, executor)
    resamples = made.resamples(settings, first)
    refuse(method, resamples)
    plans = _plan(resamples, named, blind=options.ignore_clusters)
    job = Job(
        kind="audit",
        name="audit",
        label=_describe(resamples, plans, method),
        task=partial(_rounds, plans, options.seed, options.alpha, method),
        digest=_digest_of(resamples.by_metric),
    )
    tasks = Tasks(job, options.seed, blocks("rounds", options.rounds, _AT_ONCE))
    said = tasks.run_most(executor)
    checks = _check_all(resamples, plans, tasks)
    found = [*measuring_notes(made.measured), *_notes_of_nulls([null for null, _ in plans]), *_notes_of(checks), *said]
    source = provenance(made.data, made.measured, [], settings, ",".join(map(_label, named)), "none", made.design)
    used = (one.citation for _, planned in plans for one in planned)
    return Audit(
        seed=options.seed,
        alpha=options.alpha,
        alternative=options.alternative,
        rounds=max(check.rounds for check in checks),
        level=LEVEL,
        clusters_ignored=options.ignore_clusters,
        checks=tuple(checks),
        notes=(*made.data.notes, *unique_notes(found)),
        provenance=replace(source, citations=tuple(dict.fromkeys([*source.citations, *used]))),
    )


def _measure(data: Any, options: AuditTest, executor: Executor) -> tuple[Measurements, int]:
    """The systems under every metric, and the number of the baseline."""
    aligned = align_from(data, references=options.references, items=options.items, missing=options.missing)
    check_several(aligned, lacks="cannot be audited")
    first = baseline_of(aligned.systems, options.baseline)
    runtime = Runtime(jobs=executor.workers.jobs, progress=options.progress)
    made = Measurements.of(
        aligned, options.metrics, runtime, cluster=options.cluster, strata=options.strata, cache=options.cache
    )
    if options.ignore_clusters and made.design.cluster is None:
        raise UsageError("there are no clusters to ignore: name their column with --cluster")
    return made, first


def _plan(resamples: Resamples, named: Sequence[str | Test], *, blind: bool) -> list[Plan]:
    """Every null version of every pair, and the tests on it."""
    pairs = [GainContrast(resamples, p, *pair) for p in range(len(resamples.by_metric)) for pair in resamples.pairs]
    plans: list[Plan] = [(null, _tests(pair, named)) for pair in pairs for null in null_versions(pair, blind=blind)]
    if not plans:
        raise UsageError(
            "no null versions can be made of a ranking with different numbers of runs: give as many runs of each system"
        )
    return plans


def _check_all(resamples: Resamples, plans: Sequence[Plan], tasks: Tasks) -> list[Check]:
    """The checks of all tests, over the rounds that are done."""
    tallies = auditing.sum_tallies(
        [[AuditTally.of(one) for one in plan] for plan in found["tallies"]] for _, found in tasks.list_done()
    )
    return [
        _check(resamples, null, one, tally)
        for (null, planned), of_plan in zip(plans, tallies, strict=True)
        for one, tally in zip(planned, of_plan, strict=True)
    ]


def _rounds(
    plans: Sequence[Plan],
    seed: int,
    alpha: float,
    interval: IntervalMethod | None,
    given: None,
    spec: Spec,
    own_seed: int,
) -> Found:
    """The cell of some rounds; each has a seed of its own, so that more rounds begin with those of fewer."""
    del given, own_seed
    found = auditing.audit(plans, rounds=range(*spec["rounds"]), seed=seed, alpha=alpha, interval=interval)
    return {"tallies": [[one.to_plain() for one in plan] for plan in found]}


def _describe(resamples: Resamples, plans: Sequence[Plan], interval: IntervalMethod | None) -> str:
    """Key of an audit: the settings, null versions and tests that tell it from others on the same numbers."""
    chosen = resamples.settings
    how = [chosen.alternative, chosen.alpha, chosen.n_resamples, chosen.engine, interval and interval.label]
    planned = [
        (
            null.name,
            null.blind,
            null.pair.metric_index,
            null.pair.system,
            null.pair.baseline,
            [t.label for t in planned],
        )
        for null, planned in plans
    ]
    return repr((how, planned))


def _make_tests(test: str | Test | Sequence[str | Test]) -> list[str | Test]:
    """The tests asked for, made from their names; ``auto`` stays, as it is another for every pair."""
    asked = [test] if isinstance(test, str | Test) else list(test)
    specs: list[str | Test] = []
    for one in asked:
        specs += [one] if isinstance(one, Test) else split_specs(one)
    if not specs:
        raise UsageError("no test: name one with --test")
    return [one if isinstance(one, Test) or one == "auto" else tests.make(one) for one in dict.fromkeys(specs)]


def _label(test: str | Test) -> str:
    return test.label if isinstance(test, Test) else test


def _tests(pair: GainContrast, named: Sequence[str | Test]) -> list[Test]:
    """The tests of a pair, each once.

    Raises:
        UsageError: one of them refuses the pair.
    """
    found = [_sampling(one if isinstance(one, Test) else choose(pair).test, pair) for one in named]
    refusal = next((why for one in found if (why := one.refuses(pair)) is not None), None)
    if refusal:
        raise UsageError(refusal)
    return list(dict.fromkeys(found))


def _sampling(test: Test, pair: GainContrast) -> Test:
    """The test as it draws resamples, where its exact law takes longer than rounds by the thousand allow.

    A sampled p-value is valid by itself, so that the level is the same within a resample.
    """
    of_numbers = pair.stats.plain_mean or pair.stats.ratio is not None
    heavy = of_numbers or pair.n_different <= _ENUMERATED
    if getattr(test, "exact", "") != "auto" or not heavy or pair.binary or pair.n_different <= _FEW:
        return test
    return replace(test, exact="never")  # type: ignore[call-arg]


def _check(resamples: Resamples, null: NullVersion, test: Test, tally: AuditTally) -> Check:
    pair, alpha = null.pair, resamples.settings.alpha
    level_verdict, level_ci = verdict(tally.rejections, tally.rounds, alpha)
    misses = tally.intervals - tally.covered
    coverage_verdict, (low, high) = verdict(misses, tally.intervals, alpha) if tally.intervals else ("", (0.0, 1.0))
    return Check(
        system=resamples.systems[pair.system],
        baseline=resamples.systems[pair.baseline],
        metric=pair.stats.name,
        test=test.label,
        null=test.null,
        kind=null.name,
        versions=null.words,
        rounds=tally.rounds,
        rejections=tally.rejections if null.holds else None,
        level=tally.rejections / tally.rounds if null.holds else None,
        level_ci=level_ci if null.holds else None,
        verdict=level_verdict if null.holds else None,
        unanswered=tally.unanswered,
        ci_method=", ".join(sorted(tally.methods)),
        intervals=tally.intervals,
        coverage=tally.covered / tally.intervals if tally.intervals else None,
        coverage_ci=(1 - high, 1 - low) if tally.intervals else None,
        coverage_verdict=_OF_MISSES.get(coverage_verdict, coverage_verdict) if tally.intervals else None,
    )


def _notes_of_nulls(versions: Sequence[NullVersion]) -> Iterator[Note]:
    """Notes on null versions that could not be made of the data, and on what those made assume."""
    pairs = {id(null.pair): null.pair for null in versions}.values()
    if any(pair.n_runs[0] != pair.n_runs[1] for pair in pairs):
        yield nulls.NOT_PERMUTED
    if any(not pair.stats.of_sums for pair in pairs):
        yield nulls.NOT_RESAMPLED
    if any(isinstance(null, BootstrapNull) and not isinstance(null, Centred) for null in versions):
        yield nulls.GAIN_LEFT
    if any(min(pair.n_runs) >= 2 for pair in pairs):
        yield nulls.RUNS_MODELLED


def _notes_of(checks: Sequence[Check]) -> Iterator[Note]:
    """Notes on tests whose measured level or coverage is wrong, with tests to use in their place."""
    order = sorted(checks, key=lambda check: check.test)
    sound = [
        test
        for test, found in groupby(order, key=lambda check: check.test)
        if not any(check.verdict == "too often" or check.coverage_verdict == "too low" for check in found)
    ]
    high = dict.fromkeys(check.test for check in checks if check.verdict == "too often")
    if high:
        other = f"use --test {sound[0]}, of which that was not found" if sound else "audit others too: --test NAME,NAME"
        yield Note(
            code="level_too_high",
            text=f"p-values of {', '.join(high)} are too small for a claim about data like these",
            remedy=other,
        )
    low = dict.fromkeys(check.test for check in checks if check.verdict == "too rarely")
    if low:
        yield Note(
            code="level_too_low",
            text=f"{', '.join(low)} rejects less often than alpha allows, which is safe and costs power",
            remedy="",
        )
    missed = dict.fromkeys(check.test for check in checks if check.coverage_verdict == "too low")
    if missed:
        yield Note(
            code="coverage_too_low",
            text=f"intervals beside {', '.join(missed)} are too narrow for data like these",
            remedy="give more items, or the interval of another test",
        )
    if any("unclear" in (check.verdict, check.coverage_verdict) for check in checks):
        yield auditing.FEW_ROUNDS
    if any(check.unanswered for check in checks):
        yield auditing.UNANSWERED


def _digest_of(by_metric: Sequence[Statistics]) -> Callable[[Spec], str]:
    """The digest of a job whose tasks all see these numbers."""
    said = hashlib.sha256(b"".join(stats.digest for stats in by_metric)).hexdigest()
    return lambda spec: said
