"""The tables of a result: the main one with its footnotes, then the smaller ones."""

from __future__ import annotations

import math
from collections.abc import Iterator

from outscore.report.equivalence import equivalence_table
from outscore.report.footnotes import footnotes
from outscore.report.gains import GainColumns, other_pairs_table
from outscore.report.in_history import history_table
from outscore.report.kinds import room_of
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.overall import overall_table
from outscore.report.sections import answers_table, domain_gains_table, domain_scores_table, effects_table, runs_table
from outscore.report.text import clean
from outscore.report.view import View, arrow_of
from outscore.results import Correlations, Leaderboard, Replication, Result, Score

__all__ = ["Block", "Cell", "Column", "Footnote", "Row", "Table", "tables_of"]


def tables_of(result: Result, width: int | None = None) -> list[Table]:
    """Every table of a result, the main one first; all text formats draw these and nothing else.

    Args:
        result: the record.
        width: decimals of scores and gains; None for the custom of each metric's unit.
    """
    view = View(result, width)
    others = (
        *(overall_table, other_pairs_table, equivalence_table, runs_table, answers_table, effects_table),
        *(domain_gains_table, domain_scores_table, history_table),
    )
    more = [table for other in others if (table := other(view)) is not None]
    # advice and audits are about data, correlations about metrics, replications about data sets, not about scores
    main = [_main(view)] if view.metrics and not isinstance(result, Correlations | Leaderboard | Replication) else []
    room = room_of(result)
    return [*main, *more, *(room.tables(result, width) if room else [])]


def _main(view: View) -> Table:
    gains = GainColumns(view, view.pairs_with_baseline)
    columns = (*_columns(view), *gains.columns)
    blocks = view.blocks(lambda metric: _rows(view, gains, metric))
    notes = footnotes(view, [row for block in blocks for row in block.rows])
    title = "Scores" if not view.pairs else f"Against the baseline {clean(view.baseline)}"
    return Table(title=title, columns=columns, blocks=blocks, footnotes=notes)


def _columns(view: View) -> tuple[Column, ...]:
    ci = f"[{level(view.result.alpha)} CI]"
    first = view.scores(view.metrics[0])[0]
    score = "Score" if len(view.metrics) > 1 else f"{view.label(first.metric)} {arrow_of(first)}"
    columns = [Column(header="System"), Column(header=score, tail=ci, align="right")]
    if view.several_runs:
        columns += [Column(header=h, align="right", spare="elsewhere") for h in ("s_sel", "s_test", "runs")]
    return tuple(columns)


def _rows(view: View, gains: GainColumns, metric: str) -> Iterator[Row]:
    scores = view.scores(metric)
    best = _find_best(view, scores) if view.pairs else None
    for score in scores:
        pair = view.pair(score.system, metric)
        text = to_fixed(score.score, view.decimals(metric).score)
        yield (
            Cell(text=clean(score.system), notes=() if pair is None else view.notes_of(pair)),
            Cell(
                text=text,
                tail=interval(score.ci, view.decimals(metric).score),
                marks=view.mark(pair),
                bold=text == best,
            ),
            *(_run_cells(view, score) if view.several_runs else ()),
            *gains.cells(pair),
        )


def _run_cells(view: View, score: Score) -> Row:
    places = view.decimals(score.metric).gain
    return (
        Cell(text=to_fixed(score.s_sel, places)),
        Cell(text=to_fixed(score.s_test, places)),
        Cell(text=str(len(score.runs))),
    )


def _find_best(view: View, scores: list[Score]) -> str | None:
    """The best score of a metric as it is printed: scores that print alike are all best.

    None where all print alike.
    """
    known = [s.score for s in scores if s.score is not None and math.isfinite(s.score)]
    if len(known) < 2:
        return None
    best = max(known) if scores[0].higher_is_better else min(known)
    places = view.decimals(scores[0].metric).score
    alike = len({to_fixed(value, places) for value in known}) == 1
    return None if alike else to_fixed(best, places)
