"""The work of ``study``: material, cells, summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from outscore.base.errors import InputError, UsageError, join, suggestion
from outscore.base.files import check_no_file
from outscore.base.installed import versions_of
from outscore.base.notes import Note
from outscore.engine.runtime import Runtime
from outscore.jobs.tasks import Job, Tasks, executor_of, give_nothing
from outscore.results.result import Provenance
from outscore.results.study import Findings
from outscore.significance.settings import Settings
from outscore.studies import Found, Spec, Study, Summary, studies
from outscore.studies.shared.material import Material
from outscore.studies.shared.study import RunStudy, StudySets, StudySystems
from outscore.verbs.declared import UnknownOption, declared
from outscore.verbs.shared.inputs import align_from, check_resamples
from outscore.verbs.shared.measured import Measurements, measuring_notes
from outscore.verbs.shared.naming import attribute
from outscore.verbs.shared.reading import lengths_of
from outscore.verbs.shared.records import provenance, unique_notes
from outscore.verbs.shared.sets import MeasuredSet, data_sets_from, provenance_of_sets


def study(name: str | Study, data: Any, own: Mapping[str, Any], asked: RunStudy) -> Findings:
    """The study of this name, with options of its ``own``."""
    meant = _make_study(name, own)
    check_resamples(asked.n_resamples)
    settings = Settings(
        asked.alternative, asked.alpha, asked.n_resamples, asked.seed, asked.engine, Runtime(whole=True)
    )
    executor = executor_of(asked.jobs, asked.dask, asked.resume, asked.checkpoint, asked.progress)
    found = _make_empty(meant, settings) if meant.takes == "nothing" else None
    if found is not None and data is not None:
        raise UsageError(f"the study {meant.name!r} takes no data: leave out the files")
    check_no_file("study", "read", ["study", "data"], [meant.name, data])
    if isinstance(asked, StudySets) and asked.column is not None and meant.takes != "sets":
        raise UsageError(f"the study {meant.name!r} is about one data set: leave out column")
    if found is None:
        if data is None or not isinstance(asked, StudySystems):
            raise UsageError(f"the study {meant.name!r} is about systems: give their outputs or scores")
        runtime = Runtime(jobs=executor.workers.jobs, progress=asked.progress)
        if isinstance(asked, StudySets) and meant.takes == "sets":
            sets = data_sets_from(
                data, asked.column, references=asked.references, items=asked.items, missing=asked.missing,
                metrics=asked.metrics, cluster=asked.cluster, strata=asked.strata, runtime=runtime,
                cache=None if asked.cache is None else Path(asked.cache), several=False,
            )  # fmt: skip
            found = _measure_sets(sets, asked.groups, settings)
        else:
            aligned = align_from(data, references=asked.references, items=asked.items, missing=asked.missing)
            made = Measurements.of(
                aligned, asked.metrics, runtime, cluster=asked.cluster, strata=asked.strata, cache=asked.cache,
                as_read=meant.of_given_order,
            )  # fmt: skip
            found = _measure_data(made, asked.groups, settings)
    material, source, notes = found
    cells = Tasks(_work(meant, material), asked.seed, meant.grid(material))
    said = cells.run(executor)
    try:
        summary = meant.summary(material, cells.list_done())
    except KeyboardInterrupt:
        raise cells.stop(executor) from None
    return _findings(meant, summary, material, len(cells.grid), source, (*notes, *said))


def _make_study(name: str | Study, options: Mapping[str, Any]) -> Study:
    meant = name if isinstance(name, Study) else studies.make(name)
    known = [field.name for field in fields(meant)]
    shared = [one.name for one in declared(StudySets)]
    wrong = next((option for option in options if option not in known), None)
    if wrong is not None:
        has = f" (it has: {', '.join(known) or 'none'})"
        raise UnknownOption(f"study {meant.name!r} has no option {wrong!r}{suggestion(wrong, [*known, *shared])}{has}")
    return replace(meant, **options)


def _make_empty(meant: Study, settings: Settings) -> tuple[Material, Provenance, tuple[Note, ...]]:
    source = Provenance(
        libraries=versions_of("numpy", "scipy"),
        n_resamples=settings.n_resamples,
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
        name=meant.drawn_as,
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
        question=meant.asked,
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
