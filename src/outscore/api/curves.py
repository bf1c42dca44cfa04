"""``curve``: labels and numbers in, ROC or precision-recall curves with their bands out."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from outscore.api.scoring import score
from outscore.api.shared.inputs import align_from, design_of
from outscore.api.shared.measured import choose_metrics
from outscore.api.shared.reading import one_answer_each
from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.engine.bootstrap import bootstrap_by_counts
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.intervals import quantile
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from outscore.jobs import Progress, cores
from outscore.metrics import safe_ratio
from outscore.metrics.ranked import Auc, AveragePrecision, Ranked, steps
from outscore.results import Curve, Curves, Point

Kind = Literal["roc", "pr"]

_AREAS: dict[str, type[Ranked]] = {"roc": Auc, "pr": AveragePrecision}
_AXES = {"roc": ("false_positive_rate", "recall"), "pr": ("recall", "precision")}
_CELLS = 2**23  # resampled coordinates held at once


def curve(
    data: Any,
    *,
    kind: Kind = "roc",
    references: Any = None,
    items: Any = None,
    positive: str = "",
    column: str = "",
    n_resamples: int = 10_000,
    seed: int = DEFAULT_SEED,
    alpha: float = 0.05,
    cluster: str | None = None,
    missing: Missing = "error",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Curves:
    """The ROC or precision-recall curve of each run of each system, with pointwise bands and the area under it.

    At a threshold t the items whose number is above t are taken as positive (O'Connor 2015): recall and the false
    positive rate do not increase with t, precision may do either. A band speaks of one threshold at a time, kept while
    the items are drawn anew; a resample in which a coordinate is 0/0 widens its band on both sides.

    Args:
        data, references, items, missing: as in ``compare``; one system is enough.
        kind: ``roc`` (recall over the false positive rate) or ``pr`` (precision over recall).
        positive: the gold label of positive items; by default labels are 1/0 or true/false.
        column: the column of numbers, higher for positive items; by default ``score``, or the only one.
        n_resamples, seed: of the bootstrap; the test sets are those that ``compare`` draws with this seed.
        alpha: the bands cover 1 - alpha at each threshold.
        cluster: column of items that are not independent; ``none`` to ignore one called ``cluster``.
        jobs: cores to use, by default all; they change no result.
        progress: called with (what, done, of).

    Raises:
        UsageError: an option is wrong.
        InputError: the data are wrong.
    """
    if kind not in _AREAS:
        raise UsageError(f"kind={kind!r}: expected one of {', '.join(_AREAS)}")
    metric = _AREAS[kind](positive=positive, column=column)
    _, aligned = choose_metrics(metric, align_from(data, references=references, items=items, missing=missing))
    one_answer_each(aligned, "a curve ranks the items by one answer to each")
    areas = score(
        aligned,
        metrics=metric,
        n_resamples=n_resamples,
        seed=seed,
        alpha=alpha,
        cluster=cluster,
        domain="none",
        jobs=jobs,
        progress=progress,
    )
    design = design_of(aligned, cluster, None)
    sampling = Sampling(areas.provenance.n_resamples, seed, Runtime(jobs=jobs or cores(), progress=progress))
    curves = [
        Curve(system=system, run=run, points=_points(kind, metric.statistics(cell), design, alpha, sampling))
        for (system, run), cell in aligned.by_run.items()
    ]
    return Curves(
        seed=seed,
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
