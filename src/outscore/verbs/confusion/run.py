"""The work of ``confusion``: accuracies as ``score`` gives them, and the matrix of each run."""

from __future__ import annotations

from typing import Any

from outscore.base.arrays import Int
from outscore.base.errors import InputError
from outscore.metrics.shared.labels import MOST_CLASSES, read_labels
from outscore.metrics.shared.labels import confusion as counted
from outscore.results import ClassScores, Confusion, Matrix
from outscore.verbs.confusion import CountConfusions
from outscore.verbs.score import score
from outscore.verbs.shared.inputs import align_from
from outscore.verbs.shared.measured import choose_metrics
from outscore.verbs.shared.reading import one_answer_each


def confusion(data: Any, asked: CountConfusions) -> Confusion:
    """The matrices that are asked for."""
    aligned = align_from(data, references=asked.references, items=asked.items, missing=asked.missing)
    _, aligned = choose_metrics("accuracy", aligned)
    one_answer_each(aligned, "a confusion matrix counts one answer to each item")
    cells = aligned.by_run.values()
    classes = sorted(
        {label for cell in cells for labels in read_labels(cell, "a confusion matrix") for label in labels}
    )
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"a confusion matrix of {len(classes)} different labels is too large (at most {MOST_CLASSES})",
            remedy="check that the files hold class labels",
        )
    accuracies = score(
        aligned, metrics="accuracy", seed=asked.seed, alpha=asked.alpha, cluster=asked.cluster, domain="none"
    )
    return Confusion(
        seed=asked.seed,
        alpha=asked.alpha,
        scores=accuracies.scores,
        classes=tuple(classes),
        matrices=tuple(_matrix(system, run, counted(cell, classes)) for (system, run), cell in aligned.by_run.items()),
        notes=accuracies.notes,
        provenance=accuracies.provenance,
    )


def _matrix(system: str, run: str, counts: Int) -> Matrix:
    right, gold, predicted = counts.diagonal().tolist(), counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    return Matrix(
        system=system,
        run=run,
        counts=tuple(tuple(row) for row in counts.tolist()),
        margins=tuple(
            ClassScores(precision=_divide(tp, p), recall=_divide(tp, g), f1=_divide(2 * tp, p + g))
            for tp, g, p in zip(right, gold, predicted, strict=True)
        ),
    )


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None
