"""The points of ROC and precision-recall curves, with their bands, and confusion matrices."""

from __future__ import annotations

from typing import Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, UsageError
from outscore.data.dataset import Dataset
from outscore.engine.bootstrap import bootstrap_by_counts
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.intervals import quantile
from outscore.engine.sampling import Sampling
from outscore.metrics import safe_ratio
from outscore.metrics.ranked import Ranked, steps
from outscore.metrics.shared.labels import MOST_CLASSES, confusion, read_labels
from outscore.results.confusion import ClassScores, Matrix
from outscore.results.curves import Curve, Point
from outscore.verbs.shared.measured import Measurements
from outscore.verbs.shared.reading import one_answer_each

Kind = Literal["roc", "pr"]
AREAS = {"roc": "auc", "pr": "average_precision"}
"""The metric whose score is the area under a curve."""

_CELLS = 2**23  # resampled coordinates held at once


def draw_curves(kind: Kind, made: Measurements, alpha: float, sampling: Sampling) -> tuple[Curve, ...]:
    """The curve of each run of each system.

    Raises:
        UsageError: no metric ranks the items.
        InputError: an item has several answers.
    """
    metric = next((each for each in made.metrics if isinstance(each, Ranked)), None)
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
