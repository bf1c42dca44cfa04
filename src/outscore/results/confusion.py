"""The record of confusion matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Result, kinds


@dataclass(frozen=True, kw_only=True)
class ClassScores:
    """The scores of one class from the margins of a confusion matrix; None where one is 0/0.

    Attributes:
        precision: proportion of the items predicted as this class that are of it.
        recall: proportion of the items of this class that are predicted as it.
        f1: twice the right ones over all items of this class and all predicted as it.
    """

    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """The confusion matrix of one run of one system.

    Attributes:
        counts: ``counts[i][j]``: items of gold class i that are predicted as class j.
        margins: one for each class.
    """

    system: str
    run: str
    counts: tuple[tuple[int, ...], ...]
    margins: tuple[ClassScores, ...]


@kinds.register("confusion")
@dataclass(frozen=True, kw_only=True, repr=False)
class Confusion(Result):
    """Gold labels by predicted labels; ``scores`` are the accuracies.

    Attributes:
        classes: every label that is gold or predicted somewhere, in the order of rows and columns.
    """

    classes: tuple[str, ...]
    matrices: tuple[Matrix, ...]
    command: str = "confusion"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each gold class: its counts, and precision, recall and F1 of the class."""
        return [
            {
                "system": matrix.system,
                "run": matrix.run,
                "gold": name,
                **{f"predicted {other}": count for other, count in zip(self.classes, counts, strict=True)},
                "precision": margin.precision,
                "recall": margin.recall,
                "f1": margin.f1,
            }
            for matrix in self.matrices
            for name, counts, margin in zip(self.classes, matrix.counts, matrix.margins, strict=True)
        ]

    def check_whole(self) -> None:
        """Raises TypeError where a matrix has not one row and one column for each class."""
        size = len(self.classes)
        for matrix in self.matrices:
            if [len(matrix.margins), *map(len, matrix.counts)] != [size] * (len(matrix.counts) + 1) or (
                len(matrix.counts) != size
            ):
                raise TypeError(f"the matrix of {matrix.system!r} is not {size} x {size}")

    def __repr__(self) -> str:
        systems = inflect(len({m.system for m in self.matrices}), "system")
        return f"<Confusion of {systems}: {len(self.classes)} classes>"
