"""A history of comparisons: test sets, uses, and in words."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.in_history import PROCEDURES, decision, promise
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, p_text, to_digits
from outscore.report.text import clean
from outscore.results import HistoryEntry, SetUses, Uses

_MOST_FAMILIES = 6
_DIGEST = 12  # characters of a digest that are enough to name a test set


def tables(result: Uses, width: int | None) -> list[Table]:
    """The test sets, and every comparison on them."""
    return [_sets(result), _uses_table(result)] if result.looks else [_sets(result)]


def sentence(result: Uses, width: int | None) -> str:
    """How often test sets were used, and what holds over all uses."""
    if not result.looks:
        return "Nothing has been compared yet."
    most = max(result.test_sets, key=lambda one: one.n_looks)
    said = (
        f"{inflect(len(result.looks), 'comparison')} on {inflect(len(result.test_sets), 'test set')}; the most, "
        f"{most.n_looks}, on {_name(most)}"
    )
    if result.procedure is None:
        return f"{said}."
    rejected = sum(bool(look.rejected) for look in result.looks)
    tested = sum(look.level is not None for look in result.looks)
    return f"{said}; under {_spell(result.procedure)} at {result.alpha:g}, {rejected} of {tested} show a difference."


def _sets(result: Uses) -> Table:
    rows = tuple(
        (
            Cell(text=one.test_set.digest[:_DIGEST]),
            Cell(text=clean(one.test_set.name) or UNDEFINED),
            Cell(text=str(one.test_set.n_items)),
            Cell(text=clean(one.test_set.known_by)),
            Cell(text=str(one.n_looks)),
            Cell(text=_families(one)),
            Cell(text=_day(one.first)),
            Cell(text=_day(one.last)),
        )
        for one in result.test_sets
    )
    columns = (
        Column(header="Test set"),
        Column(header="Name"),
        Column(header="Items", align="right"),
        Column(header="Known by", spare="footnote"),
        Column(header="Uses", align="right"),
        Column(header="Families", prose=True),
        Column(header="First"),
        Column(header="Last"),
    )
    return Table(title=f"Test sets in {clean(result.file)}", columns=columns, blocks=(Block(rows=rows),))


def _uses_table(result: Uses) -> Table:
    several = len(result.test_sets) > 1
    decided = any(look.level is not None for look in result.looks)
    columns = (
        Column(header="System"),
        Column(header="Against"),
        *((Column(header="Test set"),) if several else ()),
        Column(header="Family"),
        Column(header="Use", align="right"),
        Column(header="Metric", spare="elsewhere"),
        Column(header="Test", spare="elsewhere"),
        Column(header="Gain", align="right"),
        Column(header="p", align="right"),
        *((Column(header="Level", align="right"), Column(header="Decision")) if decided else ()),
        Column(header="When", spare="elsewhere"),
        Column(header="Who", spare="elsewhere"),
    )
    rows = tuple(_row(look, several, decided) for look in result.looks)
    return Table(
        title="Comparisons",
        columns=columns,
        blocks=(Block(rows=rows),),
        footnotes=tuple(_footnotes(result, decided)),
        naming=2,
    )


def _row(look: HistoryEntry, several: bool, decided: bool) -> Row:
    one = look.comparison
    return (
        Cell(text=clean(one.system)),
        Cell(text=clean(one.baseline)),
        *((Cell(text=one.test_set[:_DIGEST]),) if several else ()),
        Cell(text=clean(one.family)),
        Cell(text=UNDEFINED if look.number is None else str(look.number)),
        Cell(text=clean(one.metric)),
        Cell(text=clean(one.test)),
        Cell(text=_format_signed(one.gain)),
        Cell(text=p_text(one.p_value, look.level or one.alpha)),
        *(_decision(look) if decided else ()),
        Cell(text=_day(one.created)),
        Cell(text=clean(one.who)),
    )


def _decision(look: HistoryEntry) -> Row:
    return Cell(text=UNDEFINED if look.level is None else to_digits(look.level)), Cell(text=decision(look.rejected))


def _footnotes(result: Uses, decided: bool) -> Iterator[Footnote]:
    yield Footnote(text="Use: place among the tests of its family on its test set. Gain: system minus the other.")
    if result.procedure is not None:
        yield Footnote(
            text=f"Level: by {_spell(result.procedure)}, so that over all uses of a family "
            f"{promise(result.procedure, result.alpha)}."
        )
    elif decided:
        said = sorted({_spell(p) for look in result.looks if (p := look.comparison.procedure)})
        yield Footnote(text=f"Level and decision: as given when the comparison was made ({', '.join(said)}).")


def _name(one: SetUses) -> str:
    return clean(one.test_set.name) or one.test_set.digest[:_DIGEST]


def _families(one: SetUses) -> str:
    shown = [f"{clean(family)} {n}" for family, n in list(one.families.items())[:_MOST_FAMILIES]]
    more = len(one.families) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _spell(procedure: str) -> str:
    return PROCEDURES.get(procedure, clean(procedure))


def _format_signed(value: float | None) -> str:
    if value is None:
        return UNDEFINED
    return f"{'+' if value > 0 else ''}{to_digits(value)}"


def _day(time: str) -> str:
    return clean(time)[:10]
