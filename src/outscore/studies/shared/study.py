"""``study``: an empirical question about systems, metrics or tests, cell by cell."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from outscore.api.shared.inputs import align_from, check_resamples
from outscore.api.shared.lengths import lengths_of
from outscore.api.shared.measured import measuring_notes
from outscore.api.shared.measuring import Measurements
from outscore.api.shared.naming import attribute
from outscore.api.shared.records import provenance, unique_notes
from outscore.api.shared.sets import MeasuredSet, data_sets_from, provenance_of_sets
from outscore.base.errors import InputError, UsageError, join
from outscore.base.installed import versions_of
from outscore.base.notes import Note
from outscore.base.rng import DEFAULT_SEED
from outscore.base.version import __version__
from outscore.data.align import Missing
from outscore.engine.extreme import Alternative
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine
from outscore.jobs import Progress
from outscore.jobs.tasks import Job, Tasks, executor_of, give_nothing
from outscore.metrics import Metric
from outscore.results import Findings, Provenance
from outscore.significance.settings import Settings
from outscore.studies import Found, Spec, Study, Summary, studies
from outscore.studies.shared.material import Material


def study(
    name: str | Study,
    data: Any = None,
    *,
    metrics: Sequence[str | Metric] | str | Metric | None = None,
    references: Any = None,
    items: Any = None,
    groups: Mapping[str, str] | None = None,
    column: str | None = None,
    n_resamples: int = 10_000,
    seed: int = DEFAULT_SEED,
    engine: Engine = "cyclic",
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    cluster: str | None = None,
    strata: str | None = None,
    missing: Missing = "error",
    jobs: int | None = None,
    dask: str | None = None,
    resume: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Findings:
    """Runs a study.

    Args:
        name: of a study, with options as in ``"gain:window=0.02"``, or a study.
        data, metrics, references, items, cluster, strata, missing, cache: as in ``compare``; none for a study that
            takes nothing.
        groups: the group of each system, such as its team; a system that is not named is a group of its own. Runs of
            one system are a group wherever a study looks at runs one by one.
        column: for a study of data sets the column that tells them apart, as in ``replicate``; ``data`` may as well
            be a mapping from their names to what ``compare`` takes.
        n_resamples, engine, alpha, alternative: of the tests.
        seed: every cell gets a child of it.
        jobs: processes, by default as many as there are cores; they change no result.
        dask: address of a Dask scheduler, a scheduler file, or ``local``; it changes no result.
        resume: folder in which cells are kept; those that it holds are not done again.
        checkpoint: folder in which the cells that are done are kept if the work is interrupted; ``resume`` goes first.
        progress: called with (name of the study, cells done, of).
        options: those of the study, by name.

    Raises:
        UsageError: no such study or option, or the study cannot be made of these data.
        InputError: the data are wrong, or the folder.
        Interrupted: Ctrl-C; the message says where the cells are kept.
        WorkersLostError: workers die again and again; what is done is kept as after an interruption.
    """
    meant = _make_study(name, options)
    check_resamples(n_resamples)
    settings = Settings(alternative, alpha, n_resamples, seed, engine, Runtime(whole=True))
    executor = executor_of(jobs, dask, resume, checkpoint, progress)
    found = _make_empty(meant, settings) if meant.takes == "nothing" else None
    if found is not None and data is not None:
        raise UsageError(f"the study {meant.name!r} takes no data: leave out the files")
    if column is not None and meant.takes != "sets":
        raise UsageError(f"the study {meant.name!r} is about one data set: leave out column")
    if found is None:
        if data is None:
            raise UsageError(f"the study {meant.name!r} is about systems: give their outputs or scores")
        runtime = Runtime(jobs=executor.workers.jobs, progress=progress)
        if meant.takes == "sets":
            sets = data_sets_from(
                data, column, references=references, items=items, missing=missing, metrics=metrics, cluster=cluster,
                strata=strata, runtime=runtime, cache=None if cache is None else Path(cache), several=False,
            )  # fmt: skip
            found = _measure_sets(sets, groups, settings)
        else:
            aligned = align_from(data, references=references, items=items, missing=missing)
            made = Measurements.of(aligned, metrics, runtime, cluster=cluster, strata=strata, cache=cache)
            found = _measure_data(made, groups, settings)
    material, source, notes = found
    cells = Tasks(_work(meant, material), seed, meant.grid(material))
    cells.run(executor)
    try:
        summary = meant.summary(material, cells.list_done())
    except KeyboardInterrupt:
        raise cells.stop(executor) from None
    return _findings(meant, summary, material, len(cells.grid), source, notes)


def _make_study(name: str | Study, options: Mapping[str, Any]) -> Study:
    meant = name if isinstance(name, Study) else studies.make(name)
    known = [field.name for field in fields(meant)]
    wrong = next((option for option in options if option not in known), None)
    if wrong is not None:
        raise UsageError(f"study {meant.name!r} has no option {wrong!r} (it has: {', '.join(known) or 'none'})")
    return replace(meant, **options)


def _make_empty(meant: Study, settings: Settings) -> tuple[Material, Provenance, tuple[Note, ...]]:
    source = Provenance(
        version=__version__,
        libraries=versions_of("numpy", "scipy"),
        n_resamples=settings.n_resamples,
        test="",
        correction="none",
        inputs=(),
        n_items_read=0,
        dropped={},
        cluster=None,
        n_clusters=None,
        engine=settings.engine,
        citations=(meant.citation,),
    )
    return Material(settings=settings), source, ()


def _measure_data(
    made: Measurements, groups: Mapping[str, str] | None, settings: Settings
) -> tuple[Material, Provenance, tuple[Note, ...]]:
    data = made.data
    material = Material(
        systems=data.systems,
        by_metric=tuple(made.by_metric),
        units=tuple(metric.unit for metric in made.metrics),
        runs={system: made.measured[0].runs[system] for system in data.systems},
        groups=_groups_of(data.systems, groups),
        labels=dict(data.labels),
        lengths=lengths_of(data),
        settings=settings,
    )
    source = provenance(data, made.measured, [], settings, "", "none", made.design)
    return material, source, unique_notes([*data.notes, *measuring_notes(made.measured)])


def _measure_sets(
    sets: Sequence[MeasuredSet], groups: Mapping[str, str] | None, settings: Settings
) -> tuple[Material, Provenance, tuple[Note, ...]]:
    first = sets[0]
    systems = first.data.systems
    of_all = Material(
        systems=systems,
        units=tuple(m.metric.unit for m in first.measured),
        groups=_groups_of(systems, groups),
        settings=settings,
    )
    each = {
        one.name: replace(
            of_all,
            by_metric=tuple(m.stats for m in one.measured),
            runs={system: one.measured[0].runs[system] for system in systems},
        )
        for one in sets
    }
    said = attribute((repr(one.name), (*one.data.notes, *measuring_notes(one.measured))) for one in sets)
    source = provenance_of_sets(sets, [], settings, "", "none")
    return replace(of_all, sets=each), source, unique_notes(said)


def _groups_of(systems: Sequence[str], groups: Mapping[str, str] | None) -> tuple[str, ...]:
    strange = [name for name in groups or {} if name not in systems]
    if strange:
        raise InputError(f"groups are given for {join(strange)}, which are none of the systems")
    return tuple((groups or {}).get(system, system) for system in systems)


def _work(meant: Study, material: Material) -> Job:
    """The study as work in cells; what every cell sees is sent to a worker once, what one sees goes with it."""
    whole = all(meant.part(material, spec) is material for spec in meant.grid(material)[:1])
    return Job(
        kind="study",
        name=meant.name,
        label=meant.of_cells,
        task=partial(_cell, meant, material if whole else None),
        digest=lambda spec: meant.part(material, spec).digest,
        given=give_nothing if whole else partial(meant.part, material),
    )


def _cell(meant: Study, whole: Material | None, part: Material | None, spec: Spec, seed: int) -> Found:
    material = part if whole is None else whole
    assert material is not None, "one of them is given"
    return meant.cell(material, spec, seed)


def _findings(
    meant: Study, summary: Summary, material: Material, n_cells: int, source: Provenance, notes: tuple[Note, ...]
) -> Findings:
    settings = material.settings
    found = Findings(
        study=meant.label,
        question=meant.question,
        design=summary.design,
        n_cells=n_cells,
        seed=settings.seed,
        alpha=settings.alpha,
        findings=summary.findings,
        tables=summary.tables,
        figures=summary.figures,
        notes=unique_notes([*notes, *summary.notes]),
        provenance=replace(source, citations=tuple(dict.fromkeys([meant.citation, *source.citations]))),
    )
    found.check_whole()  # a study that does not fit together is a fault of its own, and said at once
    return found
