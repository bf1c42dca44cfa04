"""A result as uses of its test set: numbers, levels and decisions over the whole history."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.report.model import Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, p_text, to_digits
from outscore.report.text import clean
from outscore.report.view import View
from outscore.results import Comparison, PairInHistory, SetHistory

PROCEDURES = {
    "alpha-spending": "alpha spending",
    "lond": "LOND",
    "lord": "LORD++",
    "saffron": "SAFFRON",
    "addis": "ADDIS",
}
"""How papers spell the corrections over a history."""

CONTROLS = {"alpha-spending": "the probability of any false rejection"}
"""Error rate that a correction holds to alpha, where that is not the false-discovery rate."""


def history_table(view: View) -> Table | None:
    """The decision on each pair of a comparison over the history of the test set, where it was asked for."""
    return decisions_table(view, view.result.history) if isinstance(view.result, Comparison) else None


def decisions_table(view: View, found: SetHistory | None) -> Table | None:
    """The decision on each pair over the history; None where none was asked for."""
    if found is None or found.procedure is None:
        return None
    against = len({pair.baseline for pair in found.pairs}) > 1
    columns = (
        Column(header="System"),
        *((Column(header="Against"),) if against else ()),
        Column(header="Family"),
        Column(header="Use", align="right"),
        Column(header="p", align="right"),
        Column(header="Level", align="right"),
        Column(header="Decision"),
    )
    name = PROCEDURES.get(found.procedure, clean(found.procedure))
    return Table(
        title=f"Over all uses of this test set ({name})",
        columns=columns,
        blocks=view.blocks(lambda metric: _rows(found, metric, against)),
        footnotes=tuple(_footnotes(found, view.result.alpha)),
        naming=2 if against else 1,
    )


def decision(rejected: bool | None) -> str:
    """Decision of a correction over the history, in a word or two."""
    return UNDEFINED if rejected is None else "difference" if rejected else "no difference shown"


def promise(procedure: str, alpha: float) -> str:
    """Error rate that a correction controls, and its bound."""
    what = CONTROLS.get(procedure, "the false-discovery rate, the proportion of false among all rejections,")
    return f"{what} is held to {alpha:g}"


def _rows(found: SetHistory, metric: str, against: bool) -> Iterator[Row]:
    for pair in found.pairs:
        if pair.metric == metric:
            yield (
                Cell(text=clean(pair.system)),
                *((Cell(text=clean(pair.baseline)),) if against else ()),
                Cell(text=clean(pair.family)),
                Cell(text=_number(pair)),
                Cell(text=p_text(pair.p_value, pair.level or 0.05)),
                Cell(text=UNDEFINED if pair.level is None else to_digits(pair.level)),
                Cell(text=decision(pair.rejected)),
            )


def _number(pair: PairInHistory) -> str:
    if pair.number is None:
        return UNDEFINED
    return f"{pair.number} (again)" if pair.seen_before else str(pair.number)


def _footnotes(found: SetHistory, alpha: float) -> Iterator[Footnote]:
    yield Footnote(
        text=f"Level: what raw p is held against, so that over all uses of a family, past and to come, "
        f"{promise(found.procedure or '', alpha)}. A new use's system must not have been chosen by this test set."
    )
    if any(pair.seen_before for pair in found.pairs):
        yield Footnote(text="Again: this very comparison was made before; it keeps its place and is no new use.")
