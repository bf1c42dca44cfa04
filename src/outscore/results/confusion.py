"""Confusion matrices, as parts of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Protocol

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.methods import describe_scores
from outscore.results.pictures import Chart, Squares
from outscore.results.result import Score

_FEW = 4
"""Systems that have a sentence each, and matrices that stand on the first screen."""
_LETTERS = 44
"""Letters that the columns of a matrix may take on the first screen."""


class OfRun(Protocol):
    """A record of one run of one system."""

    @property
    def system(self) -> str:
        """The name of the system."""

    @property
    def run(self) -> str:
        """The name of the run."""


def name_of_run(one: OfRun, among: Sequence[OfRun]) -> str:
    """The system, with the run where it has several of them."""
    several = sum(other.system == one.system for other in among) > 1
    return f"{one.system}, run {one.run}" if several else one.system


@dataclass(frozen=True, kw_only=True)
class ClassScores:
    """The scores of one class from the margins of a confusion matrix; None where one is 0/0.

    Attributes:
        precision: proportion of the items predicted as this class that are of it.
        recall: proportion of the items of this class that are predicted as it.
        f1: twice the right ones over all items of this class and all predicted as it.
    """

    precision: Annotated[float | None, Shown("precision", "coefficient", spare="elsewhere")]
    recall: Annotated[float | None, Shown("recall", "coefficient")]
    f1: Annotated[float | None, Shown("F1", "coefficient", spare="elsewhere")]


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """The confusion matrix of one run of one system.

    Attributes:
        classes: every label that is gold or predicted somewhere, in the order of rows and columns.
        counts: ``counts[i][j]``: items of gold class i that are predicted as class j.
        margins: one for each class.
    """

    system: str
    run: str
    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    margins: tuple[ClassScores, ...]


@dataclass(frozen=True, kw_only=True)
class _Class:
    """One gold class in a matrix, as a row of tables.

    Attributes:
        matrix: heading of the matrix.
        counts: by predicted class; ``gold`` and ``predicted``: items that are of it, and that are predicted as it.
    """

    matrix: str
    name: Annotated[str, Shown("gold by predicted")]
    counts: tuple[int, ...]
    gold: Annotated[int, Shown("gold", "count")]
    predicted: Annotated[int, Shown("predicted", "count")]


@dataclass(frozen=True, kw_only=True)
class _Error:
    """Items of one class that are predicted as another."""

    matrix: str
    gold: Annotated[str, Shown("gold")]
    predicted: Annotated[str, Shown("predicted")]
    count: Annotated[int, Shown("items", "count")]
    share: Annotated[float, Shown("of gold", "percent")]


def rows_of_matrices(matrices: Sequence[Matrix]) -> Iterator[dict[str, Any]]:
    """One flat dictionary for each gold class: its counts, and precision, recall and F1 of the class."""
    for matrix in matrices:
        for name, counts, margin in zip(matrix.classes, matrix.counts, matrix.margins, strict=True):
            yield {
                "system": matrix.system,
                "run": matrix.run,
                "gold": name,
                **{f"predicted {other}": count for other, count in zip(matrix.classes, counts, strict=True)},
                "precision": margin.precision,
                "recall": margin.recall,
                "f1": margin.f1,
            }


def check_square(matrices: Sequence[Matrix]) -> None:
    """Raises TypeError where a matrix has not one row and one column for each class."""
    for matrix in matrices:
        size = len(matrix.classes)
        if [len(matrix.margins), *map(len, matrix.counts)] != [size] * (len(matrix.counts) + 1) or (
            len(matrix.counts) != size
        ):
            raise TypeError(f"the matrix of {matrix.system!r} is not {size} x {size}")


def describe_confusions(matrices: Sequence[Matrix], scores: Sequence[Score], w: Writer) -> Iterator[str]:
    """The accuracy of each system and its most frequent error; of many systems, or by other metrics, the scores."""
    if len(scores) > _FEW or any(score.metric != "accuracy" for score in scores):
        yield from describe_scores(scores, w)
        return
    for score in scores:
        ends = "" if score.ci is None else f" ({w.level()} CI {' to '.join(w.percent(e, 1) for e in score.ci)})"
        right = f"{w.name(score.system)} gets {w.percent(score.score, 1)} of {w.count(score.n_items, 'item')} right"
        yield f"{right}{ends}{_describe_error([one for one in matrices if one.system == score.system], w)}."


def _describe_error(runs: Sequence[Matrix], w: Writer) -> str:
    """The error that a system makes most often, over all of its runs."""
    wrong: Counter[tuple[str, str]] = Counter()
    gold: Counter[str] = Counter()
    for matrix in runs:
        for name, counts in zip(matrix.classes, matrix.counts, strict=True):
            gold[name] += sum(counts)
            wrong.update({(name, other): n for other, n in zip(matrix.classes, counts, strict=True) if other != name})
    if not wrong.total():
        return ""
    (name, other), n = wrong.most_common(1)[0]
    over = f" over {w.count(len(runs), 'run')}" if len(runs) > 1 else ""
    return f"; most often wrong: {w.name(name)} taken for {w.name(other)} ({n:,} of {gold[name]:,}{over})"


def tables_of_matrices(matrices: Sequence[Matrix], scores: Sequence[Score], w: Writer) -> Iterator[Any]:
    """Matrices as squares, or as lists where they would be too wide; errors; the scores."""
    classes = matrices[0].classes
    rows = [row for matrix in matrices for row in _rows_of(matrix, matrices)]
    few = len(matrices) <= _FEW
    narrow = sum(max(len(name), 5) + 2 for name in classes) <= _LETTERS
    counts = [Shown(name, "count", value=lambda row, i=i: row[0].counts[i])  # type: ignore[misc]
              for i, name in enumerate(map(w.name, classes))]  # fmt: skip
    tables = [
        w.table("Gold labels (rows) by predicted labels (columns)", rows, ("name", *counts, "recall", "precision"),
                first=few and narrow, group=lambda row: row[0].matrix if len(matrices) > 1 else ""),
        w.table("Scores", scores, ("system", "score"), first=not few),
        w.table("Classes", rows, (Shown("class", value=lambda row: row[0].name), "gold", "predicted", "precision",
                                  "recall", "f1"), first=few and not narrow,
                group=lambda row: row[0].matrix if len(matrices) > 1 else ""),
        w.table("Errors, the most frequent first", list(_errors(matrices)), ("gold", "predicted", "count", "share"),
                group=lambda row: row.matrix if len(matrices) > 1 else "", naming=2),
    ]  # fmt: skip
    yield from sorted(tables, key=lambda table: not table.first)


def _rows_of(matrix: Matrix, among: Sequence[Matrix]) -> Iterator[tuple[_Class, ClassScores]]:
    predicted = [sum(column) for column in zip(*matrix.counts, strict=True)]
    heading = name_of_run(matrix, among)
    for i, (name, counts) in enumerate(zip(matrix.classes, matrix.counts, strict=True)):
        row = _Class(matrix=heading, name=name, counts=counts, gold=sum(counts), predicted=predicted[i])
        yield row, matrix.margins[i]


def _errors(matrices: Sequence[Matrix]) -> Iterator[_Error]:
    for matrix in matrices:
        found = [
            _Error(
                matrix=name_of_run(matrix, matrices), gold=name, predicted=other, count=count, share=count / sum(counts)
            )
            for name, counts in zip(matrix.classes, matrix.counts, strict=True)
            for other, count in zip(matrix.classes, counts, strict=True)
            if other != name and count
        ]
        yield from sorted(found, key=lambda error: -error.count)


def chart_of_matrices(matrices: Sequence[Matrix], w: Writer) -> Chart:
    """Squares, shaded by the proportion of the gold label."""
    return Chart(
        heading="Which labels are taken for which",
        title="Which labels are taken for which",
        under=("numbers are items; shade is the proportion of the gold row",),
        arranged="beside",
        panels=tuple(_draw(matrix, w) for matrix in matrices),
    )


def _draw(matrix: Matrix, w: Writer) -> Squares:
    names = tuple(map(w.name, matrix.classes))
    return Squares(
        heading=w.name(matrix.system), names=names, down="gold", across="predicted",
        titles=("Gold", "Predicted"), text="items", share="share",
        rows=tuple(
            {"gold": gold, "predicted": name, "items": n, "share": n / sum(counts) if sum(counts) else 0.0}
            for gold, counts in zip(names, matrix.counts, strict=True)
            for name, n in zip(names, counts, strict=True)
        ),
    )  # fmt: skip
