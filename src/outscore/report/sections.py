"""The smaller tables beside the main one: runs, other tests, effects, domains."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.report.model import Cell, Column, Row, Table
from outscore.report.numbers import to_fixed
from outscore.report.text import clean
from outscore.report.view import View


def runs_table(view: View) -> Table | None:
    """Spread over runs: test-set selection, deviation between runs, range, median run (Clark et al. 2011)."""
    if not view.several_runs:
        return None

    def rows(metric: str) -> Iterator[Row]:
        places = view.decimals(metric)
        for s in view.scores(metric):
            low, high = to_fixed(s.run_min, places.score), to_fixed(s.run_max, places.score)
            yield (
                Cell(text=clean(s.system)),
                Cell(text=str(len(s.runs))),
                Cell(text=to_fixed(s.s_sel, places.gain)),
                Cell(text=to_fixed(s.s_test, places.gain)),
                Cell(text=f"{low} to {high}"),
                Cell(text=clean(s.median_run)),
            )

    columns = (
        Column(header="System"),
        Column(header="runs", align="right"),
        Column(header="s_sel", align="right"),
        Column(header="s_test", align="right"),
        Column(header="min to max", align="right"),
        Column(header="median run"),
    )
    title = "Runs (s_sel: deviation by choice of test items; s_test: deviation between runs)"
    return Table(title=title, columns=columns, blocks=view.blocks(rows))
