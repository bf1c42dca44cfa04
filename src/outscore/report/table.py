"""Tables of results that do not declare their own yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from outscore.report.footnotes import footnotes
from outscore.report.kinds import room_of
from outscore.report.model import Cell, Column, Row, Table
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.sections import runs_table
from outscore.report.text import clean
from outscore.report.view import View, arrow_of
from outscore.results import Result, Score


def tables_of_room(result: Result, width: int | None = None) -> tuple[Table, ...]:
    """Tables of a result that does not declare its own: scores, if it has any, then those of its room."""
    view = View(result, width)
    main = [_main(view)] if view.metrics else []
    more = [table] if (table := runs_table(view)) is not None else []
    room = room_of(result)
    own = room.tables(result, width) if room else []
    # what a verb found comes before the scores that it found it in
    leading = own if own and main else [*main, *own]
    tables = [*leading, *(main if leading is own else []), *more]
    return tuple(replace(table, first=number == 0) for number, table in enumerate(tables))


def _main(view: View) -> Table:
    blocks = view.blocks(lambda metric: _rows(view, metric))
    notes = footnotes(view, [row for block in blocks for row in block.rows])
    return Table(title="Scores", columns=_columns(view), blocks=blocks, footnotes=notes)


def _columns(view: View) -> tuple[Column, ...]:
    ci = f"[{level(view.result.alpha)} CI]"
    first = view.scores(view.metrics[0])[0]
    score = "Score" if len(view.metrics) > 1 else f"{view.label(first.metric)} {arrow_of(first)}"
    columns = [Column(header="System"), Column(header=score, tail=ci, align="right")]
    if view.several_runs:
        columns += [Column(header=h, align="right", spare="elsewhere") for h in ("s_sel", "s_test", "runs")]
    return tuple(columns)


def _rows(view: View, metric: str) -> Iterator[Row]:
    places = view.decimals(metric).score
    for score in view.scores(metric):
        yield (
            Cell(text=clean(score.system)),
            Cell(text=to_fixed(score.score, places), tail=interval(score.ci, places)),
            *(_run_cells(view, score) if view.several_runs else ()),
        )


def _run_cells(view: View, score: Score) -> Row:
    places = view.decimals(score.metric).gain
    return (
        Cell(text=to_fixed(score.s_sel, places)),
        Cell(text=to_fixed(score.s_test, places)),
        Cell(text=str(len(score.runs))),
    )
