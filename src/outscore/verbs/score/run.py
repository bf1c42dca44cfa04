"""The work of ``score``: align, count, draw for the intervals, record."""

from __future__ import annotations

from typing import Any

import numpy as np

from outscore.base.errors import UsageError
from outscore.base.notes import INTERRUPTED, Note
from outscore.data.dataset import Dataset
from outscore.engine.sampling import Sampling
from outscore.results.scores import Scores
from outscore.significance import notes
from outscore.significance.clusters import CANDIDATES, MATTERS
from outscore.significance.confidence import find_method, refuse
from outscore.significance.means import clusters_of
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.verbs.score import ScoreSystems
from outscore.verbs.score.curves import AREAS, count_confusions, draw_curves
from outscore.verbs.shared.inputs import align_from, check_resamples, domain_column
from outscore.verbs.shared.interrupting import interruptible
from outscore.verbs.shared.judged import draw_for_intervals
from outscore.verbs.shared.measured import Measurements, measuring_notes, runtime_of
from outscore.verbs.shared.naming import attribute, score_name
from outscore.verbs.shared.records import domain_scores, provenance, score_record, unique_notes


@interruptible
def score(data: Any, asked: ScoreSystems) -> Scores:
    """The scores that are asked for."""
    check_resamples(asked.n_resamples)
    runtime = runtime_of(asked.jobs, asked.progress)
    settings = Settings(alpha=asked.alpha, n_resamples=asked.n_resamples, seed=asked.seed, runtime=runtime)
    method = find_method(asked.interval, "score")
    metrics = asked.metrics if asked.metrics is not None else _metric_of_tables(asked)
    aligned = align_from(data, references=asked.references, items=asked.items, missing=asked.missing)
    made = Measurements.of(aligned, metrics, runtime, cluster=asked.cluster, strata=asked.strata, cache=asked.cache)
    aligned, design = made.data, made.design
    matrices = count_confusions(aligned) if asked.confusion else ()
    domains = domain_column(aligned, asked.domain)
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
    made_so = provenance(aligned, measured, [], drawn.settings, "none", "none", design, method)
    sampling = Sampling(made_so.n_resamples, asked.seed, runtime)
    return Scores(
        seed=asked.seed,
        alpha=asked.alpha,
        scores=tuple(record for record, _ in scores),
        domains=tuple(by_domain),
        curves=draw_curves(asked.curve, made, asked.alpha, sampling) if asked.curve else (),
        matrices=matrices,
        notes=(*aligned.notes, *unique_notes(found)),
        provenance=made_so,
    )


def _metric_of_tables(asked: ScoreSystems) -> str | None:
    """The metric that belongs to the curves or matrices that are asked for; None for neither.

    Raises:
        UsageError: both are.
    """
    if asked.curve and asked.confusion:
        raise UsageError("--curve is of numbers and --confusion of labels: ask for one of them")
    return AREAS[asked.curve] if asked.curve else "accuracy" if asked.confusion else None


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
