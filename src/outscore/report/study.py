"""Tables of the findings of a study, and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, interval, level, p_text, to_digits, to_fixed
from outscore.report.text import clean
from outscore.results import DataTable, Field, Finding, Findings
from outscore.results.study import Kind, Value

_DIGITS, _SHARE_PLACES = 4, 1
_SMALL_SHARE = 0.1
"""Below it, where levels and p-values lie, a proportion has one decimal more."""

_TONES = {"agrees": "better", "differs": "worse"}


def tables(result: Findings, width: int | None) -> list[Table]:
    """The findings beside the published numbers, then the tables that are to be printed."""
    found = [_findings(result)] if result.findings else []
    found += [_table(result, table, width) for table in result.tables if table.printed]
    last = found.pop() if found else _make_single(result)
    return [*found, _add_footnotes(last, result)]


def sentence(result: Findings, width: int | None) -> str:
    """Question and design of the study."""
    return f"{clean(result.question)} {clean(result.design)}"


def value_text(value: Value, kind: Kind, alpha: float, width: int | None = None) -> str:
    """A value as its kind is written."""
    if value is None:
        return UNDEFINED
    if isinstance(value, str):
        return clean(value)
    if kind == "count":
        return f"{value:,.0f}"
    if kind == "share":
        places = _SHARE_PLACES if abs(value) >= _SMALL_SHARE else _SHARE_PLACES + 1
        return f"{to_fixed(100 * value, places if width is None else width)}%"
    if kind == "p":
        return p_text(value, alpha)
    return to_digits(value, _DIGITS) if width is None else to_fixed(value, width)


def _findings(result: Findings) -> Table:
    alpha = result.alpha
    expected = any(found.expected is not None for found in result.findings)
    published = any(found.published is not None or found.source for found in result.findings)
    judged = any(found.verdict for found in result.findings)

    def row(found: Finding) -> Row:
        verdict = Cell(text=found.verdict or UNDEFINED, tone=_TONES.get(found.verdict, ""))  # type: ignore[arg-type]
        return (
            Cell(text=clean(found.what)),
            Cell(text=value_text(found.value, found.kind, alpha), tail=_tail(found)),
            *((Cell(text=value_text(found.expected, found.kind, alpha)),) if expected else ()),
            *((Cell(text=value_text(found.published, found.kind, alpha)),) if published else ()),
            *((verdict,) if judged else ()),
            *((Cell(text=clean(found.source)),) if published else ()),
        )

    columns = [Column(header="", prose=True), Column(header="Here", tail="[CI] or ± error", align="right")]
    columns += [Column(header="Expected", align="right")] if expected else []
    columns += [Column(header="Published", align="right")] if published else []
    columns += [Column(header="")] if judged else []
    columns += [Column(header="Source", prose=True, spare="footnote")] if published else []
    reasons = [
        f"{clean(found.what)}: {_end_sentence(clean(found.reason))}" for found in result.findings if found.reason
    ]
    return Table(
        title=clean(result.question),
        columns=tuple(columns),
        blocks=(Block(rows=tuple(row(found) for found in result.findings)),),
        footnotes=tuple(Footnote(text=reason) for reason in reasons),
    )


def _make_single(result: Findings) -> Table:
    """Table of the design, for a study that prints no tables of its own."""
    row: Row = (Cell(text=clean(result.design) or UNDEFINED),)
    return Table(
        title=clean(result.question), columns=(Column(header="Design", prose=True),), blocks=(Block(rows=(row,)),)
    )


def _end_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _tail(found: Finding) -> str:
    if found.ci is not None:
        if found.kind != "share":
            return f"[{', '.join(to_digits(end, _DIGITS) for end in found.ci)}]"
        low, high = (100 * end for end in found.ci)
        return interval((low, high), _SHARE_PLACES)
    if found.error is None:
        return ""
    return f"±{to_fixed(100 * found.error, 2)}" if found.kind == "share" else f"±{to_digits(found.error, 2)}"


def _table(result: Findings, table: DataTable, width: int | None) -> Table:
    beside = {end for field in table.fields for end in (field.low, field.high) if end}
    shown = [field for field in table.fields if field.name not in beside]
    columns = tuple(
        Column(header=clean(field.title), align="left" if field.kind == "text" else "right") for field in shown
    )
    rows = [tuple(_cell(result, field, record, width) for field in shown) for record in table.records()]
    said = (Footnote(text=clean(table.about)),) if table.about else ()
    return Table(title=clean(table.title), columns=columns, blocks=(Block(rows=tuple(rows)),), footnotes=said)


def _cell(result: Findings, field: Field, record: dict[str, Value], width: int | None) -> Cell:
    text = value_text(record[field.name], field.kind, result.alpha, width)
    if not field.low:
        return Cell(text=text)
    ends = [value_text(record[end], field.kind, result.alpha, width) for end in (field.low, field.high)]
    return Cell(text=text, tail=f"[{UNDEFINED}]" if UNDEFINED in ends else f"[{', '.join(ends)}]")


def _add_footnotes(table: Table, result: Findings) -> Table:
    """The last table, with what holds for all of them below it."""
    return replace(table, footnotes=(*table.footnotes, *_describe(result)))


def _describe(result: Findings) -> Iterator[Footnote]:
    size = f"{inflect(result.n_cells, 'cell')}; seed {result.seed}; alpha {result.alpha:g}"
    yield Footnote(text=f"Study {clean(result.study)}: {size}; intervals at {level(result.alpha)}.")
    for note in result.notes:
        yield format_note(note)
