"""The points of curves as tables, thinned to what can be read."""

from __future__ import annotations

from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import interval, level, to_digits, to_fixed
from outscore.report.text import clean
from outscore.results import Curve, Curves, Point

_MOST = 15
_PLACES = 3
_KINDS = {"roc": "ROC curve", "pr": "Precision-recall curve"}


def tables(result: Curves, width: int | None) -> list[Table]:
    """A table of some points for each curve of a result, if it has any."""
    return [_table(result, curve) for curve in result.curves]


def _table(curves: Curves, curve: Curve) -> Table:
    n = len(curve.points)
    # from the first to the last, in equal steps
    shown = sorted({round(i * (n - 1) / (_MOST - 1)) for i in range(_MOST)})
    several = len({c.run for c in curves.curves if c.system == curve.system}) > 1
    ci = f"[{level(curves.alpha)} band]"
    axes = (Column(header=name.replace("_", " "), tail=ci, align="right") for name in (curves.x, curves.y))
    left_out = f"{len(shown)} of {n} thresholds; -f csv has all." if len(shown) < n else ""
    return Table(
        title=f"{_KINDS[curves.kind]} of {clean(curve.system)}" + (f", run {clean(curve.run)}" if several else ""),
        columns=(Column(header="Positive above", align="right"), *axes),
        blocks=(Block(rows=tuple(_row(curve.points[i]) for i in shown)),),
        footnotes=(Footnote(text=left_out),) if left_out else (),
    )


def _row(point: Point) -> Row:
    threshold = "-∞" if point.threshold is None else to_digits(point.threshold, 4)
    return (
        Cell(text=threshold),
        Cell(text=to_fixed(point.x, _PLACES), tail=interval(point.x_ci, _PLACES)),
        Cell(text=to_fixed(point.y, _PLACES), tail=interval(point.y_ci, _PLACES)),
    )
