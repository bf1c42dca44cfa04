"""``score``: outputs or scores of one or more systems in, their scores with intervals out; nothing is compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from outscore.api.shared.inputs import align_from, check_resamples, domain_column
from outscore.api.shared.interrupting import interruptible
from outscore.api.shared.judged import draw_for_intervals
from outscore.api.shared.measured import measuring_notes
from outscore.api.shared.measuring import Measurements
from outscore.api.shared.naming import attribute, score_name
from outscore.api.shared.records import domain_scores, provenance, score_record, unique_notes
from outscore.base.notes import INTERRUPTED, Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.data.dataset import Dataset
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine
from outscore.jobs import Progress, cores
from outscore.metrics import Metric
from outscore.results import Scores
from outscore.significance import notes
from outscore.significance.clusters import CANDIDATES, MATTERS
from outscore.significance.confidence import find_method, refuse
from outscore.significance.interval import IntervalMethod
from outscore.significance.means import clusters_of
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings


@interruptible
def score(
    data: Any,
    *,
    metrics: Sequence[str | Metric] | str | Metric | None = None,
    references: Any = None,
    items: Any = None,
    n_resamples: int = 10_000,
    seed: int = DEFAULT_SEED,
    engine: Engine = "cyclic",
    alpha: float = 0.05,
    interval: str | IntervalMethod = "auto",
    cluster: str | None = None,
    strata: str | None = None,
    domain: str | None = None,
    missing: Missing = "error",
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Scores of one or more systems with their intervals. Whether one outscores another is what ``compare`` answers.

    Args:
        data, metrics, references, items, missing: as in ``compare``; one system is enough.
        n_resamples, seed, engine: of the bootstrap intervals.
        alpha: the intervals cover 1 - alpha.
        interval: ``auto`` chooses by metric, design and number of items; or a name with options, ``max-t`` for those
            that cover all scores at once.
        cluster: column of items that are not independent; ``none`` to ignore one called ``cluster``.
        strata: column of strata that are resampled in fixed numbers.
        domain: column to break scores down by.
        jobs: cores to use, by default all; they change no result.
        cache: directory in which counted statistics are kept for the next time.
        progress: called with (what, done, of).

    Raises:
        UsageError: an option is wrong.
        InputError: the data are wrong.
        Interrupted: Ctrl-C; its ``result`` is of what had been done.
    """
    check_resamples(n_resamples)
    runtime = Runtime(jobs=cores() if jobs is None else jobs, progress=progress)
    settings = Settings(alpha=alpha, n_resamples=n_resamples, seed=seed, engine=engine, runtime=runtime)
    method = find_method(interval, "score")
    aligned = align_from(data, references=references, items=items, missing=missing)
    made = Measurements.of(aligned, metrics, runtime, cluster=cluster, strata=strata, cache=cache)
    aligned, design = made.data, made.design
    domains = domain_column(aligned, domain)
    measured = made.measured
    systems = made.resamples(settings)
    refuse(method, systems)
    each = [(p, s) for p in range(len(measured)) for s in range(len(aligned.systems))]
    _, drawn = draw_for_intervals([], each, systems, method)
    scores = [score_record(drawn, measured[p], p, s, method) for p, s in each]
    found = measuring_notes(made.measured)
    found += attribute((score_name(record, len(measured)), extra) for record, extra in scores)
    if design.cluster is None:
        found += _note_ignored_clusters(drawn, aligned)
    if drawn.interrupted:
        found.append(INTERRUPTED)
    by_domain = domain_scores(measured, aligned, domains, drawn.settings, method) if domains else []
    return Scores(
        seed=seed,
        alpha=alpha,
        scores=tuple(record for record, _ in scores),
        domains=tuple(by_domain),
        notes=(*aligned.notes, *unique_notes(found)),
        provenance=provenance(aligned, measured, [], drawn.settings, "none", "none", design, method),
    )


def _note_ignored_clusters(systems: Resamples, data: Dataset) -> list[Note]:
    """A warning for the column of clusters that would widen an interval most, if any would."""
    worst: tuple[float, str] = (MATTERS, "")
    for column in CANDIDATES:
        if 1 < len(set(data.labels.get(column, ()))) < len(data.items):
            names = np.asarray(data.labels[column], dtype=str)
            for stats in systems.by_metric:
                for values in stats.pseudo_values:
                    effect = clusters_of(values.mean(axis=0), names).design_effect
                    worst = max(worst, (float(effect) if np.isfinite(effect) else 0.0, column))
    effect, column = worst
    if not column:
        return []
    text = f"items come in clusters that the intervals ignore (column {column!r}: design effect {effect:.2f})"
    return [Note(code=notes.CLUSTERS_IGNORED.code, text=f"{text}: they are too narrow", remedy=f"--cluster {column}")]
