"""Estimates from human labels and a judge, as a table and as a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import interval, level, p_text, to_fixed
from outscore.report.text import clean
from outscore.report.view import correction_label
from outscore.results import JudgeEstimate, Judgements

_PLACES = 3
_MOST = 4
_METHODS = {
    "prediction-powered": "prediction-powered, tuned",
    "prediction-powered:weight=1": "prediction-powered, weight 1",
    "labelled": "labelled items only",
    "rogan-gladen": "Rogan-Gladen",
    "judge": "judge alone, naive",
}


def tables(result: Judgements, width: int | None) -> list[Table]:
    """The tables of scores and of gains, if the result has them."""
    places = _PLACES if width is None else width
    scores = [e for e in result.estimates if e.baseline is None]
    gains = [e for e in result.estimates if e.baseline is not None]
    tables = [_scores(result, scores, places, last=not gains)]
    return [*tables, _gains_table(result, gains, places)] if gains else tables


def sentence(result: Judgements, width: int | None) -> str:
    """The prediction-powered gains in words, or the scores where there are none."""
    places = _PLACES if width is None else width
    tuned = [e for e in result.estimates if e.method == "prediction-powered"]
    found = [e for e in tuned if e.baseline is not None] or tuned
    if len(found) > _MOST:
        held = [e for e in found if e.p_adjusted is not None and e.p_adjusted <= result.alpha]
        better = sum((e.estimate or 0) > 0 for e in held)
        worse = len(held) - better
        gain, lose = "gains" if better == 1 else "gain", "loses" if worse == 1 else "lose"
        said = f"Of {len(found)} systems {better} {gain} significantly over {clean(result.baseline)} and {worse} {lose}"
    else:
        said = "; ".join(_finding(result, e, places) for e in found)
    size = f"{min(e.n_labelled for e in found)} of {inflect(found[0].n_items, 'item')} labelled"
    return f"{said} (prediction-powered, {clean(result.human)} by {clean(result.judge)}, {size})."


def method_label(method: str) -> str:
    """How a method is called in tables."""
    return _METHODS.get(method, clean(method))


def _finding(result: Judgements, found: JudgeEstimate, places: int) -> str:
    gain = found.baseline is not None
    ends = f"{level(result.alpha)} CI {interval(found.ci, places, sign=gain)}"
    if not gain:
        return f"{clean(found.system)} scores {to_fixed(found.estimate, places)}, {ends}"
    p = p_text(found.p_adjusted, result.alpha)
    size = f"{to_fixed(found.estimate, places, sign=True)} over {clean(result.baseline)}"
    return f"{clean(found.system)} gains {size}, {ends}, p {p if p.startswith('<') else f'= {p}'}"


def _scores(result: Judgements, found: list[JudgeEstimate], places: int, *, last: bool) -> Table:
    def row(e: JudgeEstimate) -> Row:
        return (*_name_cells(e), Cell(text=to_fixed(e.estimate, places), tail=interval(e.ci, places)), *_counts(e))

    columns = (
        Column(header="System"),
        Column(header="Method"),
        Column(header="Score", tail=f"[{level(result.alpha)} CI]", align="right"),
        *_COUNTS,
    )
    title = f"{clean(result.human)}, by humans and by {clean(result.judge)}"
    return Table(
        title=title,
        columns=columns,
        blocks=(Block(rows=tuple(map(row, found))),),
        footnotes=tuple(_footnotes(result)) if last else (),
    )


def _gains_table(result: Judgements, found: list[JudgeEstimate], places: int) -> Table:
    several = len({e.system for e in found}) > 1 and result.correction != "none"

    def row(e: JudgeEstimate) -> Row:
        gain = Cell(text=to_fixed(e.estimate, places, sign=True), tail=interval(e.ci, places, sign=True))
        ps = [e.p_value, e.p_adjusted][: 2 if several else 1]
        return *_name_cells(e), gain, *(Cell(text=p_text(p, result.alpha)) for p in ps), *_counts(e)

    columns = (
        Column(header="System"),
        Column(header="Method"),
        Column(header="Gain", tail=f"[{level(result.alpha)} CI]", align="right"),
        Column(header="p", align="right"),
        *((Column(header=f"p {correction_label(result.correction)}", align="right"),) if several else ()),
        *_COUNTS,
    )
    return Table(
        title=f"Gains over {clean(result.baseline)}",
        columns=columns,
        blocks=(Block(rows=tuple(map(row, found))),),
        footnotes=tuple(_footnotes(result)),
    )


_COUNTS = (
    Column(header="weight", align="right"),
    Column(header="labelled", align="right"),
    Column(header="effective n", align="right"),
)


def _name_cells(found: JudgeEstimate) -> tuple[Cell, Cell]:
    return Cell(text=clean(found.system)), Cell(text=method_label(found.method))


def _counts(found: JudgeEstimate) -> tuple[Cell, Cell, Cell]:
    weight = "" if found.weight is None else to_fixed(found.weight, 2)
    effective = "" if found.worth is None else to_fixed(found.worth, 0)
    return Cell(text=weight), Cell(text="" if found.method == "judge" else str(found.n_labelled)), Cell(text=effective)


def _footnotes(result: Judgements) -> Iterator[Footnote]:
    yield Footnote(text="Labelled items are taken for a random sample of all items.")
    if any(e.worth is not None for e in result.estimates):
        yield Footnote(
            text="weight: of the judge, from 0 to 1. effective n: human labels that alone would tell as much."
        )
    for null in dict.fromkeys(e.null for e in result.estimates if e.null):
        yield Footnote(text=f"Null hypothesis: {clean(null)}.")
    tested = len({e.system for e in result.estimates if e.p_value is not None})
    if tested > 1:
        yield Footnote(text=f"Correction: {correction_label(result.correction)} over {tested} gains of each method.")
    n = result.estimates[0].n_items
    clusters = result.provenance.n_clusters
    size = inflect(n, "item") + ("" if clusters is None else f" in {inflect(clusters, 'cluster')}")
    yield Footnote(text=f"{size}; alpha {result.alpha:g}.")
    for note in result.notes:
        yield format_note(note)
