"""The work of ``curve``: the areas as ``score`` gives them, and the points of each curve with their bands."""

from __future__ import annotations

from typing import Any

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.engine.bootstrap import bootstrap_by_counts
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.intervals import quantile
from outscore.engine.sampling import Sampling
from outscore.metrics import safe_ratio
from outscore.metrics.ranked import Auc, AveragePrecision, Ranked, steps
from outscore.results import Curve, Curves, Point
from outscore.verbs.curve import DrawCurve, Kind
from outscore.verbs.score import score
from outscore.verbs.shared.inputs import align_from, design_of
from outscore.verbs.shared.measured import choose_metrics
from outscore.verbs.shared.measuring import runtime_of
from outscore.verbs.shared.reading import one_answer_each

_AREAS: dict[str, type[Ranked]] = {"roc": Auc, "pr": AveragePrecision}
_AXES = {"roc": ("false_positive_rate", "recall"), "pr": ("recall", "precision")}
_CELLS = 2**23  # resampled coordinates held at once


def curve(data: Any, asked: DrawCurve) -> Curves:
    """The curves that are asked for."""
    kind, alpha = asked.kind, asked.alpha
    metric = _AREAS[kind](positive=asked.positive, column=asked.column)
    aligned = align_from(data, references=asked.references, items=asked.items, missing=asked.missing)
    _, aligned = choose_metrics(metric, aligned)
    one_answer_each(aligned, "a curve ranks the items by one answer to each")
    areas = score(
        aligned,
        metrics=metric,
        n_resamples=asked.n_resamples,
        seed=asked.seed,
        alpha=alpha,
        cluster=asked.cluster,
        domain="none",
        jobs=asked.jobs,
        progress=asked.progress,
    )
    design = design_of(aligned, asked.cluster, None)
    sampling = Sampling(areas.provenance.n_resamples, asked.seed, runtime_of(asked))
    curves = [
        Curve(system=system, run=run, points=_points(kind, metric.statistics(cell), design, alpha, sampling))
        for (system, run), cell in aligned.by_run.items()
    ]
    return Curves(
        seed=asked.seed,
        alpha=alpha,
        kind=kind,
        x=_AXES[kind][0],
        y=_AXES[kind][1],
        scores=areas.scores,
        curves=tuple(curves),
        notes=areas.notes,
        provenance=areas.provenance,
    )


def _points(kind: Kind, statistics: Float, design: Design, alpha: float, sampling: Sampling) -> tuple[Point, ...]:
    """The points of one curve from ``[label, number]`` of each item, from the highest threshold down."""
    once = np.ones((1, len(statistics)))
    thresholds = [*steps(statistics, once)[0].tolist(), None]
    observed = _coordinates(kind, statistics, once)[0]
    # in parts, as the coordinates of all resamples at all thresholds may not fit into memory
    parts = np.array_split(np.arange(len(thresholds)), -(-2 * sampling.n_resamples * len(thresholds) // _CELLS))
    ends = np.concatenate([_ends(kind, statistics, design, alpha, sampling, part) for part in parts], axis=1)
    return tuple(
        Point(
            threshold=threshold,
            x=_none_if_undefined(x),
            x_ci=_band(x, x_ends),
            y=_none_if_undefined(y),
            y_ci=_band(y, y_ends),
        )
        for threshold, (x, y), x_ends, y_ends in zip(
            thresholds, observed.tolist(), ends[..., 0].T.tolist(), ends[..., 1].T.tolist(), strict=True
        )
    )


def _ends(kind: Kind, statistics: Float, design: Design, alpha: float, sampling: Sampling, part: Int) -> Float:
    """Lower and upper ends of the bands at some of the points ``(2, points, 2)``."""

    def coordinates(counts: Float) -> Float:
        weights = counts if design.labels is None else counts[:, design.labels]
        return _coordinates(kind, statistics, weights)[:, part].reshape(len(weights), -1).T

    drawn = bootstrap_by_counts(design, coordinates, sampling, Accumulator.nothing(), cells=2 * design.n_items)
    if drawn.interrupted:
        raise KeyboardInterrupt
    unknown = np.isnan(drawn.values)
    low = quantile(np.where(unknown, 0.0, drawn.values), alpha / 2, axis=1)
    high = quantile(np.where(unknown, 1.0, drawn.values), 1 - alpha / 2, axis=1)
    return np.stack([low, high]).reshape(2, -1, 2)


def _coordinates(kind: Kind, statistics: Float, weights: Float) -> Float:
    """Coordinates ``(b, points, 2)`` of items that count ``weights (b, items)`` times; NaN where they are 0/0."""
    _, positive, negative = steps(statistics, weights)
    # above the highest number there is nothing
    tp, fp = (np.pad(np.cumsum(part, axis=-1), ((0, 0), (1, 0))) for part in (positive, negative))
    recall = safe_ratio(tp, tp[:, -1:], empty=np.nan)
    if kind == "roc":
        return np.stack([safe_ratio(fp, fp[:, -1:], empty=np.nan), recall], axis=-1)
    return np.stack([recall, safe_ratio(tp, tp + fp, empty=np.nan)], axis=-1)


def _none_if_undefined(value: float) -> float | None:
    return None if np.isnan(value) else value


def _band(value: float, ends: list[float]) -> tuple[float, float] | None:
    return None if np.isnan(value) else (ends[0], ends[1])
