"""Confusion matrices of class labels."""

from __future__ import annotations

from outscore.base.arrays import Int
from outscore.base.errors import InputError
from outscore.data.dataset import Dataset
from outscore.metrics.shared.labels import MOST_CLASSES, confusion, read_labels
from outscore.results import ClassScores, Matrix
from outscore.verbs.shared.reading import one_answer_each


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
