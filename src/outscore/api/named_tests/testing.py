"""``test``: one named test of any kind, of pairs, of independent samples or of several systems at once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from outscore.api.named_tests.independent import IndependentComparison, compare_all, correct_all, name_of, pair_record
from outscore.api.named_tests.omnibus import MetricFinding, findings, overall_record, post_hoc_records
from outscore.api.named_tests.samples import SharedItems, Systems
from outscore.api.shared.alone import check_several
from outscore.api.shared.inputs import align_apart_from, baseline_of, check_resamples
from outscore.api.shared.interrupting import interruptible
from outscore.api.shared.naming import attribute, score_name
from outscore.api.shared.records import unique_notes
from outscore.base.errors import UsageError
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.data.dataset import Dataset
from outscore.engine.extreme import Alternative
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine
from outscore.jobs import Progress, cores
from outscore.metrics import Metric
from outscore.multiplicity import adjust as corrections
from outscore.results import Comparison
from outscore.significance import Named, Test
from outscore.significance.independent import IndependentTest, Unit
from outscore.significance.kinds import make_test
from outscore.significance.omnibus import OmnibusTest
from outscore.significance.settings import Settings
from outscore.verbs.compare import compare


@interruptible
def test(
    data: Any,
    name: str | Named,
    *,
    unit: Unit | None = None,
    metrics: Sequence[str | Metric] | str | Metric | None = None,
    references: Any = None,
    items: Any = None,
    baseline: str | None = None,
    n_resamples: int | Literal["auto"] = 10_000,
    seed: int = DEFAULT_SEED,
    engine: Engine = "cyclic",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    correction: str = corrections.AUTO,
    cluster: str | None = None,
    all_pairs: bool = False,
    missing: Missing = "error",
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Run one named test on these systems; ``outscore tests`` lists the tests and what each is for.

    A test of pairs is ``compare`` with that test. A test of independent samples compares numbers of systems that need
    not share their items: the scores of runs, or of items. A test of several systems looks at all of them at once.

    Args:
        data: as in ``compare``, or what ``read_apart`` gave; systems may have items of their own, unless the test is
            one of pairs.
        name: of the test, with options: ``"welch"``, ``"permutation:statistic=mean"``.
        unit: of one number, ``run`` or ``item``. By default runs, if every system has several and all have
            the same items, else items. For plain numbers without ids ``run`` takes every number for the score of a run.
        metrics, references, items, missing, jobs, cache, progress: as in ``compare``.
        baseline: the system compared against; by default the first.
        n_resamples, seed, engine: of tests that resample.
        alpha: level of the tests; intervals cover 1 - alpha.
        alternative: ``two-sided``, ``greater`` (the system is better) or ``less``; tests of several systems have no
            side.
        correction: over all pairs and metrics, as in ``compare``; of independent samples ``auto`` is holm. Tests of
            several systems bring their own.
        cluster: column of items that are not independent, for tests and intervals that respect clusters.
        all_pairs: compare every two systems, not only all with the baseline.

    Raises:
        UsageError: an option is wrong, or the test refuses these data.
        InputError: the data are wrong.
        Interrupted: Ctrl-C; its ``result`` is of what had been done.
    """
    if unit is not None and unit not in get_args(Unit):
        raise UsageError(f"unit={unit!r}: expected run or item")
    named = name if isinstance(name, Named) else make_test(name)
    if isinstance(named, Test):
        if unit is not None:
            raise UsageError(f"--unit belongs to tests of independent samples; {named.name} is a test of pairs")
        return compare(
            _join(data), metrics=metrics, references=references, items=items, baseline=baseline,
            test=name if isinstance(name, str) else named,
            n_resamples=n_resamples, seed=seed, engine=engine, alpha=alpha, alternative=alternative,
            correction=correction, cluster=cluster, all_pairs=all_pairs, missing=missing, jobs=jobs, cache=cache,
            progress=progress,
        )  # fmt: skip
    if n_resamples == "auto":
        raise UsageError("-n auto belongs to tests of pairs; give a number of resamples")
    check_resamples(n_resamples)
    settings = Settings(
        alternative=alternative,
        alpha=alpha,
        n_resamples=n_resamples,
        seed=seed,
        engine=engine,
        runtime=Runtime(jobs=cores() if jobs is None else jobs, progress=progress),
    )
    correction = "holm" if correction == corrections.AUTO else correction
    corrections.adjust([], correction)  # a wrong name is said before any work
    aligned = align_apart_from(data, references=references, items=items, missing=missing)
    check_several(*aligned)
    kept = None if cache is None else Path(cache)
    systems = Systems([SharedItems.of(part, metrics, cluster, settings, kept) for part in aligned])
    first = baseline_of(systems.names, baseline)
    if isinstance(named, IndependentTest):
        found = correct_all(compare_all(named, systems, first, unit, settings, all_pairs=all_pairs), correction)
        answers: Sequence[IndependentComparison | MetricFinding] = found
        said = attribute((name_of(one, systems), one.notes) for one in found)
        pairs, overall = [pair_record(one, systems) for one in found], []
    else:
        assert isinstance(named, OmnibusTest)
        if alternative != "two-sided":
            raise UsageError(f"--alternative {alternative}: {named.name} looks at all systems at once and has no side")
        answers = of_all = findings(named, systems, unit, settings)
        pairs = [pair for each in of_all for pair in post_hoc_records(each, systems, first)]
        overall = [overall_record(each) for each in of_all]
        said = attribute((f"under {each.numbers.metric}", each.notes) for each in of_all)
        correction = next((each.outcome.pairs_method for each in of_all if each.outcome.pairs), "none")
    scores = systems.scores()
    said += attribute((score_name(record, len(systems.metrics)), extra) for record, extra in scores)
    return Comparison(
        baseline=systems.names[first],
        seed=seed,
        alpha=alpha,
        alternative=alternative,
        correction=correction,
        scores=tuple(record for record, _ in scores),
        pairs=tuple(pairs),
        overall=tuple(overall),
        notes=unique_notes([*systems.notes(), *said]),
        provenance=systems.provenance(answers, settings, named.label, correction),
    )


test.__test__ = False  # type: ignore[attr-defined]  # pytest: not a test of ours


def _join(data: Any) -> Any:
    """Turn data that were read apart into those of one set of items, as a test of pairs takes them."""
    if isinstance(data, tuple) and all(isinstance(part, Dataset) for part in data):
        if len(data) > 1:
            raise UsageError("a test of pairs needs systems on the same items, but these have items of their own")
        return data[0]
    return data
