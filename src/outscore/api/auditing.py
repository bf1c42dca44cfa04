"""``audit``: measures tests and intervals on null versions of the user's own data."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from outscore.api.shared.alone import check_several
from outscore.api.shared.inputs import align_from, baseline_of, check_resamples
from outscore.api.shared.interrupting import interruptible
from outscore.api.shared.measured import measuring_notes
from outscore.api.shared.measuring import Measurements
from outscore.api.shared.records import provenance, unique_notes
from outscore.base.errors import UsageError
from outscore.base.notes import Note
from outscore.base.registry import split_specs
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.engine.extreme import Alternative
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine
from outscore.jobs import Found, Progress, Spec
from outscore.jobs.tasks import Job, Tasks, blocks, executor_of
from outscore.metrics import Metric
from outscore.results import Audit, Check
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

_AT_ONCE = 10
"""Rounds of one cell."""

_FEW, _ENUMERATED = 14, 20
"""Units that differ whose permutations are enumerated in no time, and at all."""

_OF_MISSES = {"too often": "too low", "too rarely": "too high"}


@interruptible
def audit(
    data: Any,
    *,
    metrics: Sequence[str | Metric] | str | Metric | None = None,
    references: Any = None,
    items: Any = None,
    baseline: str | None = None,
    test: str | Test | Sequence[str | Test] = "auto",
    rounds: int = 1000,
    n_resamples: int = 999,
    seed: int = DEFAULT_SEED,
    engine: Engine = "cyclic",
    alpha: float = 0.05,
    interval: str | IntervalMethod = "auto",
    alternative: Alternative = "two-sided",
    cluster: str | None = None,
    strata: str | None = None,
    ignore_clusters: bool = False,
    missing: Missing = "error",
    jobs: int | None = None,
    dask: str | None = None,
    resume: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Can a test be trusted on these very data?

    Null versions of the data are made, in which the systems are on a par and clusters, runs, ties and shapes are those
    of the data. On them the test should reject in a proportion alpha of cases, and the interval of the gain should hold
    what is there in a proportion 1 - alpha.

    Args:
        data, metrics, references, items, baseline, missing, cache: as in ``compare``.
        test: ``auto``, names with options joined by commas, or tests; each is measured on the same null versions.
        rounds: null versions of each kind.
        n_resamples, engine, alpha, alternative, strata: of the tests, as in ``compare``.
        interval: of the gain, as in ``compare``.
        seed: of the null versions and of the tests on them.
        cluster: column of items that are not independent: whole clusters are permuted and resampled.
        ignore_clusters: make the null versions by clusters but tell the tests nothing of them, to see what that does.
        jobs, dask, resume, checkpoint: as in ``study``, for cells of ten rounds; more rounds take the cells of fewer.
        progress: called with (what, done, of).

    Returns:
        What was found; after Ctrl-C in the rounds that were done, and a note says where the rest can go on.

    Raises:
        UsageError: an option is wrong, or no test can be measured.
        InputError: the data are wrong, or the folder.
        WorkersLostError: workers die again and again; what is done is kept as after an interruption.
        Interrupted: Ctrl-C; its ``result`` is of what had been done.
    """
    check_resamples(n_resamples)
    if rounds < 1:
        raise UsageError(f"rounds={rounds}: expected 1 or more")
    settings = Settings(alternative, alpha, n_resamples, seed, engine, Runtime(whole=True))
    executor = executor_of(jobs, dask, resume, checkpoint, progress)
    runtime = Runtime(jobs=executor.workers.jobs, progress=progress)
    aligned = align_from(data, references=references, items=items, missing=missing)
    check_several(aligned, lacks="cannot be audited")
    first = baseline_of(aligned.systems, baseline)
    named = _make_tests(test)
    method = find_method(interval, "gain")
    made = Measurements.of(aligned, metrics, runtime, cluster=cluster, strata=strata, cache=cache)
    aligned, design = made.data, made.design
    if ignore_clusters and design.cluster is None:
        raise UsageError("there are no clusters to ignore: name their column with --cluster")
    measured = made.measured
    resamples = made.resamples(settings, first)
    refuse(method, resamples)
    pairs = [GainContrast(resamples, p, *pair) for p in range(len(measured)) for pair in resamples.pairs]
    plans = [(null, _tests(pair, named)) for pair in pairs for null in null_versions(pair, blind=ignore_clusters)]
    if not plans:
        raise UsageError(
            "no null versions can be made of a ranking with different numbers of runs: give as many runs of each system"
        )
    work = Job(
        kind="audit",
        name="audit",
        label=_describe(resamples, plans, method),
        task=partial(_rounds, plans, seed, alpha, method),
        digest=_digest_of(resamples.by_metric),
    )
    cells = Tasks(work, seed, blocks("rounds", rounds, _AT_ONCE))
    interrupted = cells.run_most(executor)
    tallies = auditing.sum_tallies(
        [[AuditTally.of(one) for one in plan] for plan in found["tallies"]] for _, found in cells.list_done()
    )
    checks = [
        _check(resamples, null, one, tally)
        for (null, planned), of_plan in zip(plans, tallies, strict=True)
        for one, tally in zip(planned, of_plan, strict=True)
    ]
    found = [*measuring_notes(made.measured), *_notes_of_nulls([null for null, _ in plans]), *_notes_of(checks)]
    if interrupted is not None:
        found.append(interrupted)
    source = provenance(aligned, measured, [], settings, ",".join(map(_label, named)), "none", design)
    used = (one.citation for _, planned in plans for one in planned)
    return Audit(
        seed=seed,
        alpha=alpha,
        alternative=alternative,
        rounds=max(check.rounds for check in checks),
        level=LEVEL,
        clusters_ignored=ignore_clusters,
        checks=tuple(checks),
        notes=(*aligned.notes, *unique_notes(found)),
        provenance=replace(source, citations=tuple(dict.fromkeys([*source.citations, *used]))),
    )


def _rounds(
    plans: Sequence[tuple[NullVersion, Sequence[Test]]],
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


def _describe(
    resamples: Resamples, plans: Sequence[tuple[NullVersion, Sequence[Test]]], interval: IntervalMethod | None
) -> str:
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
