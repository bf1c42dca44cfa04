"""The table of all systems at once, and the same in words."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.model import Cell, Column, Footnote, Row, Table
from outscore.report.numbers import p_text, to_digits
from outscore.report.text import clean
from outscore.report.view import View, test_label
from outscore.results import Overall


def overall_table(view: View) -> Table | None:
    """Whether there is any difference among the systems, under each metric, and the numbers of the test."""
    found = view.overall
    if not found:
        return None

    def rows(metric: str) -> Iterator[Row]:
        for overall in found:
            if overall.metric == metric:
                yield (
                    Cell(text=test_label(overall.test, overall.p_kind)),
                    Cell(text=_numbers(overall)),
                    view.p_cell(overall.p_value, overall.p_error),
                )

    columns = (Column(header="Test"), Column(header="Numbers", prose=True), Column(header="p", align="right"))
    said = dict.fromkeys(f"Question: {clean(o.question)} Null hypothesis: {clean(o.null)}." for o in found)
    notes = tuple(Footnote(text=text) for text in said)
    return Table(title="All systems at once", columns=columns, blocks=view.blocks(rows), footnotes=notes)


def overall_sentences(view: View) -> list[str]:
    """Sentences on the test of all systems, one for each metric."""
    return [_sentence(view, overall) for overall in view.overall]


def _sentence(view: View, overall: Overall) -> str:
    text = p_text(overall.p_value, view.result.alpha)
    p = "no p-value" if overall.p_value is None else f"p {text}" if text.startswith("<") else f"p = {text}"
    differ = overall.p_value is not None and overall.p_value <= view.result.alpha
    systems, units = inflect(overall.n_systems, "system"), inflect(overall.n_units, overall.unit)
    verb = "differ" if differ else "do not differ significantly"
    label = view.label(overall.metric)
    return f"the {systems} {verb} in {label}: {p} ({test_label(overall.test, overall.p_kind)}, {units})"


def _numbers(overall: Overall) -> str:
    said = {"systems": overall.n_systems, f"{overall.unit}s": overall.n_units, **overall.effect}
    return ", ".join(f"{clean(name)} {clean(to_digits(v))}" for name, v in said.items() if v is not None)
