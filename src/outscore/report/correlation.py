"""Metrics against humans as tables and as a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import errors_of_p, format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import P_KINDS, interval, level, p_text, p_with_error, to_digits, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, correction_label
from outscore.results import Correlation, CorrelationGain, Correlations

_PLACES = 3
_MOST = 4
_NAMES = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ-b", "kendall-c": "Kendall τ-c"}
_NAMES |= {"accuracy": "pairwise accuracy"}
_LEVELS = {
    "system": "Systems",
    "segment": "Segments, all together",
    "segment-by-item": "Segments, within items",
    "segment-by-system": "Segments, within systems",
}


def tables(result: Correlations, width: int | None) -> list[Table]:
    """The table of the correlations and that of the differences between metrics, if the result has them."""
    places = _PLACES if width is None else width
    view = View(result, width)
    tables = [_correlations(result, view, places)]
    return [*tables, _gains_table(result, view, places)] if result.gains else tables


def sentence(result: Correlations, width: int | None) -> str:
    """The correlations in words, or their range where they are many, and which metrics differ."""
    places = _PLACES if width is None else width
    view = View(result, width)
    found = result.correlations
    if len(found) > _MOST:
        known = [c for c in found if c.value is not None]
        best = max(known, key=lambda c: c.value or 0.0, default=None)
        said = f"{len(found)} correlations with {clean(result.human)}"
        said += f"; the largest: {_finding(result, view, best, places)}" if best else ""
    else:
        said = "; ".join(_finding(result, view, c, places) for c in found)
    held = [g for g in result.gains if g.p_adjusted is not None and g.p_adjusted <= result.alpha]
    tests = f"; {len(held)} of {inflect(len(result.gains), 'difference')} between metrics" if result.gains else ""
    tests += f" significant at {result.alpha:g}{_describe_correction(result)}" if result.gains else ""
    return f"{said}{tests} ({inflect(len({s.system for s in result.scores}), 'system')})."


def coefficient_label(name: str) -> str:
    """``Kendall τ-b``."""
    return _NAMES.get(name, clean(name))


def level_label(name: str) -> str:
    """``Segments, within items``."""
    return _LEVELS.get(name, clean(name))


def _finding(result: Correlations, view: View, found: Correlation, places: int) -> str:
    value = f"{to_fixed(found.value, places)}, {level(result.alpha)} CI {interval(found.ci, places)}"
    named = f"{coefficient_label(found.coefficient)} ({level_label(found.level).lower()})"
    return f"{view.label(found.metric)} and {clean(result.human)}: {named} {value}"


def _describe_correction(result: Correlations) -> str:
    if result.correction == "none" or len(result.gains) < 2:
        return ""
    return f" after {correction_label(result.correction)} correction"


def _correlations(result: Correlations, view: View, places: int) -> Table:
    thresholds = any(c.epsilon is not None for c in result.correlations)
    notes = {code: i for i, code in enumerate(dict.fromkeys(n for c in result.correlations for n in c.notes), 1)}

    def row(found: Correlation) -> Row:
        groups = f"{found.n_groups} × {found.group_size}" if found.n_groups != 1 else str(found.group_size)
        return (
            Cell(text=view.label(found.metric), notes=tuple(sorted(notes[code] for code in found.notes))),
            Cell(text=coefficient_label(found.coefficient)),
            Cell(text=to_fixed(found.value, places), tail=interval(found.ci, places)),
            *((Cell(text="" if found.epsilon is None else to_digits(found.epsilon)),) if thresholds else ()),
            Cell(text=groups),
        )

    levels = dict.fromkeys(c.level for c in result.correlations)
    columns = [Column(header="Metric"), Column(header="Coefficient")]
    columns += [Column(header="Value", tail=f"[{level(result.alpha)} CI]", align="right")]
    columns += [Column(header="tie ε", align="right")] if thresholds else []
    columns += [Column(header="groups × size", align="right")]
    blocks = tuple(
        Block(metric=level_label(name), rows=tuple(row(c) for c in result.correlations if c.level == name))
        for name in levels
    )
    return Table(
        title=f"Agreement with {clean(result.human)}",
        columns=tuple(columns),
        blocks=blocks,
        footnotes=(*_describe_numbers(result), *_note_lines(result, notes)),
    )


def _describe_numbers(result: Correlations) -> Iterator[Footnote]:
    what = "systems and items" if result.resampled == "both" else result.resampled
    drawn = result.provenance.n_resamples
    systems, items = len({s.system for s in result.scores}), max(s.n_items for s in result.scores)
    size = f"{inflect(systems, 'system')}, {inflect(items, 'item')}"
    ends = f"{level(result.alpha)} percentile intervals over {drawn} resampled sets of {what}"
    yield Footnote(text=f"{size}; {ends}; seed {result.seed}; alpha {result.alpha:g}.")
    if any(c.epsilon is not None for c in result.correlations):
        yield Footnote(text="tie ε: the metric ties outputs whose scores differ by no more.")


def _note_lines(result: Correlations, numbers: dict[str, int]) -> Iterator[Footnote]:
    for note in result.notes:
        if note.code not in numbers:
            yield format_note(note)
    for note in result.notes:
        if note.code in numbers:
            yield format_note(note, number=numbers[note.code])


def _gains_table(result: Correlations, view: View, places: int) -> Table:
    several = len(result.gains) > 1 and result.correction != "none"

    def row(found: CorrelationGain) -> Row:
        gain = Cell(text=to_fixed(found.gain, places, sign=True), tail=interval(found.ci, places, sign=True))
        text, tail = p_with_error(found.p_value, found.p_error, result.alpha)
        return (
            Cell(text=view.label(found.metric)),
            Cell(text=view.label(found.other)),
            Cell(text=coefficient_label(found.coefficient)),
            gain,
            Cell(text=text, tail=tail),
            *((Cell(text=p_text(found.p_adjusted, result.alpha)),) if several else ()),
        )

    columns = [Column(header="Metric"), Column(header="Against"), Column(header="Coefficient")]
    columns += [Column(header="Difference", tail=f"[{level(result.alpha)} CI]", align="right")]
    columns += [Column(header="p", align="right")]
    columns += [Column(header=f"p {correction_label(result.correction)}", align="right")] if several else []
    blocks = tuple(
        Block(metric=level_label(name), rows=tuple(row(g) for g in result.gains if g.level == name))
        for name in dict.fromkeys(g.level for g in result.gains)
    )
    said = [
        Footnote(text=f"Test: {clean(test)}, {P_KINDS.get(kind, kind)}; {result.alternative}. Null hypothesis: {null}.")
        for test, kind, null in dict.fromkeys((g.test, g.p_kind, g.null) for g in result.gains)
    ]
    if several:
        tested = sum(g.p_value is not None for g in result.gains)
        said.append(Footnote(text=f"Correction: {correction_label(result.correction)} over {tested} p-values."))
    rows = [row for block in blocks for row in block.rows]
    return Table(
        title="Which metric agrees better",
        columns=tuple(columns),
        blocks=blocks,
        footnotes=(*errors_of_p(rows), *said),
        naming=2,
    )
