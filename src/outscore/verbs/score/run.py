"""The work of ``score``: align, count, draw for the intervals, record; with curves and confusion matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, UsageError
from outscore.base.notes import INTERRUPTED, Note
from outscore.data.dataset import Dataset
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.intervals import quantile
from outscore.engine.resampling import bootstrap_by_counts
from outscore.engine.sampling import Sampling
from outscore.metrics import safe_ratio
from outscore.metrics.mean import InterquartileMean
from outscore.metrics.ranked import Ranked, steps
from outscore.metrics.shared.labels import MOST_CLASSES, confusion, read_labels
from outscore.results.confusion import ClassScores, Matrix
from outscore.results.curves import Curve, Decision, Point
from outscore.results.scores import Scores
from outscore.significance.clusters import OF_INTERVALS, find_clusters, note_clusters
from outscore.significance.confidence import find_method, refuse
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.verbs.score import ScoreSystems
from outscore.verbs.shared.buckets import Buckets, bucket_scores
from outscore.verbs.shared.inputs import align_from, check_resamples
from outscore.verbs.shared.judged import draw_for_intervals
from outscore.verbs.shared.measured import Measurements, runtime_of
from outscore.verbs.shared.naming import attribute, score_name
from outscore.verbs.shared.reading import one_answer_each
from outscore.verbs.shared.records import engine_of, provenance, score_record, unique_notes

FEW_SCORED = Note(
    code="few_scored",
    text=(
        "under 1,000 items or clusters: 95 % intervals of scores hold less often where a few fail wholly, even if the "
        "sample shows none (with one in fifty of 50 to 100: means in 64 to 88 %, error rates and F1 in 82 to 86 %; one "
        "in 200 of 300 to 500: means in 89 to 92 %)"
    ),
    remedy="give more items; look at the lowest scores of items",
)
_ENOUGH_ITEMS = 1000


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
    buckets = Buckets.of(made, asked.by)
    measured = made.measured
    systems = made.resamples(settings)
    refuse(method, systems)
    each = [(p, s) for p in range(len(measured)) for s in range(len(aligned.systems))]
    _, drawn = draw_for_intervals([], each, systems, method)
    scores = [score_record(drawn, measured[p], p, s, method) for p, s in each]
    found = made.notes("--by", buckets.by if buckets else asked.by)
    found += attribute((score_name(record, len(measured)), extra) for record, extra in scores)
    if any(_can_be_skewed(stats) for stats in drawn.by_metric):
        found.append(FEW_SCORED)
    if design.cluster is None:
        values = [runs.mean(axis=0) for stats in drawn.by_metric for runs in stats.pseudo_values]
        found += note_clusters(find_clusters([(one, aligned.labels)] for one in values), OF_INTERVALS)
    if drawn.interrupted:
        found.append(INTERRUPTED)
    made_so = provenance(aligned, measured, [], drawn.told, "none", "none", design, method)
    made_so = replace(made_so, engine=engine_of(drawn.independent, made_so.engine))
    sampling = Sampling(drawn.settings.n_resamples, asked.seed, runtime)
    return Scores(
        seed=asked.seed,
        alpha=asked.alpha,
        scores=tuple(record for record, _ in scores),
        buckets=bucket_scores(buckets, drawn.settings, method),
        curves=draw_curves(asked.curve, made, asked.alpha, sampling) if asked.curve else (),
        matrices=matrices,
        notes=(*aligned.notes, *unique_notes(found)),
        provenance=made_so,
    )


def _can_be_skewed(stats: Statistics) -> bool:
    """Whether a few items that fail can mislead intervals of the scores: not answers that are right or wrong."""
    few = stats.of_sums and stats.averaged is None and stats.design.n_units < _ENOUGH_ITEMS
    return few and not (stats.plain_mean and all(stats.right_or_wrong))


def _metric_of_tables(asked: ScoreSystems) -> str | None:
    """The metric that belongs to the curves or matrices that are asked for; None for neither.

    Raises:
        UsageError: both are.
    """
    if asked.curve and asked.confusion:
        raise UsageError("--curve is of numbers and --confusion of labels: ask for one of them")
    return AREAS[asked.curve] if asked.curve else "accuracy" if asked.confusion else None


Kind = Literal["roc", "pr", "threshold", "profile"]
AREAS = {"roc": "auc", "pr": "average_precision", "threshold": "average_precision", "profile": "iqm"}
"""The metric whose score is the area under a curve, or under that of the same points; or of the same numbers."""

_CELLS = 2**23  # resampled coordinates held at once


def draw_curves(kind: Kind, made: Measurements, alpha: float, sampling: Sampling) -> tuple[Curve, ...]:
    """The curve of each run of each system.

    Raises:
        UsageError: no metric ranks the items.
        InputError: an item has several answers.
    """
    wanted = InterquartileMean if kind == "profile" else Ranked
    metric = next((each for each in made.metrics if isinstance(each, wanted)), None)
    if metric is None:
        raise UsageError(f"--curve {kind} ranks the items by a number: give it with -m {AREAS[kind]}")
    one_answer_each(made.data, "a curve ranks the items by one answer to each")
    return tuple(
        Curve(
            system=system,
            run=run,
            kind=kind,
            points=_points(kind, metric.statistics(cell), made.design, alpha, sampling),
        )
        for (system, run), cell in made.data.by_run.items()
    )


def _points(kind: Kind, statistics: Float, design: Design, alpha: float, sampling: Sampling) -> tuple[Point, ...]:
    """The points of one curve from ``[label, number]`` of each item, from the highest threshold down."""
    if kind == "profile":  # every item counts, as those that are positive do elsewhere
        statistics = np.stack([np.ones(len(statistics)), statistics[:, -1]], axis=-1)
    once = np.ones((1, len(statistics)))
    numbers, positive, negative = steps(statistics, once)
    thresholds = [*numbers.tolist(), None]
    observed = _coordinates(kind, statistics, once)[0]
    # in parts, as the coordinates of all resamples at all thresholds may not fit into memory
    size = observed.shape[1] * sampling.n_resamples * len(thresholds)
    parts = np.array_split(np.arange(len(thresholds)), -(-size // _CELLS))
    ends = np.concatenate([_ends(kind, statistics, design, alpha, sampling, part) for part in parts], axis=1)
    made = [
        {
            "threshold": threshold,
            **{at: _none_if_undefined(value) for at, value in zip("xyz", values, strict=False)},
            **{f"{at}_ci": _band(*both) for at, *both in zip("xyz", values, low_high, strict=False)},
        }
        for threshold, values, low_high in zip(
            thresholds, observed.tolist(), np.moveaxis(ends, 0, -1).tolist(), strict=True
        )
    ]
    if kind == "profile":
        return tuple(Point(**one, y=None, y_ci=None) for one in made)
    if kind != "threshold":
        return tuple(Point(**one) for one in made)
    held = [*zip(positive[0].astype(int).tolist(), negative[0].astype(int).tolist(), strict=True), (0, 0)]
    return tuple(Decision(**one, at=at) for one, at in zip(made, held, strict=True))


def _ends(kind: Kind, statistics: Float, design: Design, alpha: float, sampling: Sampling, part: Int) -> Float:
    """Lower and upper ends of the bands at some of the points ``(2, points, coordinates)``."""

    def coordinates(counts: Float) -> Float:
        weights = counts if design.labels is None else counts[:, design.labels]
        return _coordinates(kind, statistics, weights)[:, part].reshape(len(weights), -1).T

    drawn = bootstrap_by_counts(design, coordinates, sampling, Accumulator.nothing(), cells=2 * design.n_items)
    if drawn.interrupted:
        raise KeyboardInterrupt
    values, levels = drawn.values, np.array([alpha / 2, 1 - alpha / 2])
    unknown = np.isnan(values)
    if unknown.any():
        low, high = (np.where(unknown, end, values) for end in (0.0, 1.0))
        ends = np.stack([quantile(low, levels[0], axis=1), quantile(high, levels[1], axis=1)])
    else:
        ends = quantile(values, levels, axis=1)
    return ends.reshape(2, len(part), -1)


def _coordinates(kind: Kind, statistics: Float, weights: Float) -> Float:
    """Coordinates ``(b, points, n)`` of items that count ``weights (b, items)`` times; NaN where they are 0/0."""
    _, positive, negative = steps(statistics, weights)
    # above the highest number there is nothing
    tp, fp = (np.pad(np.cumsum(part, axis=-1), ((0, 0), (1, 0))) for part in (positive, negative))
    recall = safe_ratio(tp, tp[:, -1:], empty=np.nan)
    if kind == "profile":
        return recall[..., None]
    if kind == "roc":
        return np.stack([safe_ratio(fp, fp[:, -1:], empty=np.nan), recall], axis=-1)
    precision = safe_ratio(tp, tp + fp, empty=np.nan)
    if kind == "pr":
        return np.stack([recall, precision], axis=-1)
    right = tp + fp[:, -1:] - fp
    return np.stack([precision, recall, safe_ratio(right, tp[:, -1:] + fp[:, -1:], empty=np.nan)], axis=-1)


def _none_if_undefined(value: float) -> float | None:
    return None if np.isnan(value) else value


def _band(value: float, ends: list[float]) -> tuple[float, float] | None:
    return None if np.isnan(value) else (ends[0], ends[1])


def count_confusions(data: Dataset) -> tuple[Matrix, ...]:
    """The matrix of each run of each system.

    Raises:
        InputError: an item has several answers, or there are more different labels than a matrix can show.
    """
    one_answer_each(data, "a confusion matrix counts one answer to each item")
    cells = data.by_run.values()
    classes = sorted(
        {label for cell in cells for labels in read_labels(cell, "a confusion matrix") for label in labels}
    )
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"a confusion matrix of {len(classes)} different labels is too large (at most {MOST_CLASSES})",
            remedy="check that the files hold class labels",
        )
    return tuple(
        _matrix(system, run, tuple(classes), confusion(cell, classes)) for (system, run), cell in data.by_run.items()
    )


def _matrix(system: str, run: str, classes: tuple[str, ...], counts: Int) -> Matrix:
    right, gold, predicted = counts.diagonal().tolist(), counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    return Matrix(
        system=system,
        run=run,
        classes=classes,
        counts=tuple(tuple(row) for row in counts.tolist()),
        margins=tuple(
            ClassScores(precision=_divide(tp, p), recall=_divide(tp, g), f1=_divide(2 * tp, p + g))
            for tp, g, p in zip(right, gold, predicted, strict=True)
        ),
    )


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None
