"""Confusion matrices as tables, with the scores of each class at the margins."""

from __future__ import annotations

from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import to_fixed
from outscore.report.text import clean
from outscore.results import Confusion, Matrix

_PLACES = 3


def tables(result: Confusion, width: int | None) -> list[Table]:
    """A table for each confusion matrix of a result, if it has any."""
    return [_table(result, matrix) for matrix in result.matrices]


def _table(confusion: Confusion, matrix: Matrix) -> Table:
    several = len({m.run for m in confusion.matrices if m.system == matrix.system}) > 1
    predicted = (Column(header=clean(name), align="right") for name in confusion.classes)
    totals = [sum(column) for column in zip(*matrix.counts, strict=True)]
    body = [
        _row(name, [*map(str, counts), str(sum(counts)), to_fixed(margin.recall, _PLACES)])
        for name, counts, margin in zip(confusion.classes, matrix.counts, matrix.margins, strict=True)
    ]
    feet = [
        _row("predicted", [*map(str, totals), str(sum(totals)), ""]),
        _row("precision", [*(to_fixed(m.precision, _PLACES) for m in matrix.margins), "", ""]),
        _row("F1", [*(to_fixed(m.f1, _PLACES) for m in matrix.margins), "", ""]),
    ]
    return Table(
        title=f"Gold by predicted: {clean(matrix.system)}" + (f", run {clean(matrix.run)}" if several else ""),
        columns=(
            Column(header="Gold"),
            *predicted,
            Column(header="gold", align="right"),
            Column(header="recall", align="right"),
        ),
        blocks=(Block(rows=tuple(body)), Block(rows=tuple(feet), metric="Predicted classes")),
        footnotes=(Footnote(text="Rows are gold labels, columns are predicted labels."),),
    )


def _row(name: str, cells: list[str]) -> Row:
    return (Cell(text=clean(name)), *(Cell(text=text) for text in cells))
