"""The smaller tables beside the main one: runs, other tests, effects, domains."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.report.model import Cell, Column, Row, Table
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, arrow_of


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


def domain_scores_table(view: View) -> Table | None:
    """The score of every system within each domain, where nothing is compared."""
    domains = view.domain_scores
    if not domains:
        return None

    def rows(metric: str) -> Iterator[Row]:
        places = view.decimals(metric)
        for d in domains:
            if d.metric == metric:
                score = Cell(text=to_fixed(d.score, places.score), tail=interval(d.ci, places.score))
                yield Cell(text=clean(d.domain)), Cell(text=clean(d.system)), Cell(text=str(d.n_items)), score

    columns = (
        Column(header="Domain"),
        Column(header="System"),
        Column(header="items", align="right"),
        Column(header=f"Score{_lone_arrow(view)}", tail=f"[{level(view.result.alpha)} CI]", align="right"),
    )
    return Table(title="Score by domain", columns=columns, blocks=view.blocks(rows))


def _lone_arrow(view: View) -> str:
    """The direction of the metric where it is the only one, as there is no block heading to carry it."""
    return f" {arrow_of(view.scores(view.metrics[0])[0])}" if len(view.metrics) == 1 else ""
