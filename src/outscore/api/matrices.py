"""``confusion``: gold and predicted labels in, confusion matrices out."""

from __future__ import annotations

from typing import Any

from outscore.api.scoring import score
from outscore.api.shared.inputs import align_from
from outscore.api.shared.measured import choose_metrics
from outscore.api.shared.reading import one_answer_each
from outscore.base.arrays import Int
from outscore.base.errors import InputError
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.metrics.shared.labels import MOST_CLASSES, read_labels
from outscore.metrics.shared.labels import confusion as counted
from outscore.results import ClassScores, Confusion, Matrix


def confusion(
    data: Any,
    *,
    references: Any = None,
    items: Any = None,
    seed: int = DEFAULT_SEED,
    alpha: float = 0.05,
    cluster: str | None = None,
    missing: Missing = "error",
) -> Confusion:
    """Gold labels by predicted labels for each run of each system, with precision, recall and F1 of every class.

    Args:
        data, references, items, missing: as in ``compare``: predicted labels and gold labels; one system is enough.
        seed, alpha, cluster: of the intervals of the accuracies that stand above the matrices, as in ``score``.

    Raises:
        UsageError: an option is wrong.
        InputError: the data are wrong, or have more different labels than a matrix can show.
    """
    aligned = align_from(data, references=references, items=items, missing=missing)
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
    accuracies = score(aligned, metrics="accuracy", seed=seed, alpha=alpha, cluster=cluster, domain="none")
    return Confusion(
        seed=seed,
        alpha=alpha,
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
