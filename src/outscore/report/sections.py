"""The smaller tables beside the main one: runs, other tests, effects, domains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from outscore.report.footnotes import errors_of_p
from outscore.report.model import Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, interval, level, to_digits, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, arrow_of, test_label
from outscore.results import Pair


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


def answers_table(view: View) -> Table | None:
    """Other tests of the same pairs, each with its own question."""
    if not any(pair.also for pair in view.pairs):
        return None

    def rows(metric: str) -> Iterator[Row]:
        for pair in view.pairs:
            for answer in pair.also if pair.metric == metric else ():
                yield (
                    *_name_cells(view, pair),
                    Cell(text=test_label(answer.test, answer.p_kind)),
                    Cell(text=clean(answer.question)),
                    view.p_cell(answer.p_value, answer.p_error),
                )

    columns = (
        *_naming(view),
        Column(header="Test"),
        Column(header="Question", prose=True),
        Column(header="p", align="right"),
    )
    blocks = view.blocks(rows)
    notes = tuple(errors_of_p([row for block in blocks for row in block.rows]))
    title = "Other tests (raw p)"
    return Table(title=title, columns=columns, blocks=blocks, footnotes=notes)


# in the saved result for whoever checks it, but not what a reader of a table looks for
_DETAILS = {"exceedances", "hedges_gz", "se_jackknife", "bias"}
_EFFECT_NAMES = {"n_different": "items that differ", "d_z": "d_z", "w_plus": "W+", "se": "SE"}
_IN_DEVIATIONS = "d_z: the gain in standard deviations of the differences of items or clusters."


def effects_table(view: View) -> Table | None:
    """Effect sizes and counts of each pair, on one line."""
    if not any(pair.effect for pair in view.pairs):
        return None

    def rows(metric: str) -> Iterator[Row]:
        for pair in view.pairs:
            if pair.metric == metric and pair.effect:
                yield *_name_cells(view, pair), Cell(text=", ".join(_effects(pair.effect)))

    columns = (*_naming(view), Column(header="Effect", prose=True))
    notes = (Footnote(text=_IN_DEVIATIONS),) if any("d_z" in pair.effect for pair in view.pairs) else ()
    return Table(title="Effect sizes and counts", columns=columns, blocks=view.blocks(rows), footnotes=notes)


def _effects(effect: Mapping[str, float | int | str | None]) -> Iterator[str]:
    """Names with numbers, and with their intervals where these are there."""
    for name, value in effect.items():
        if name in _DETAILS or name.removesuffix("_low").removesuffix("_high") in effect.keys() - {name}:
            continue
        ends = [effect[end] for end in (f"{name}_low", f"{name}_high") if end in effect]
        interval_of = f" [{', '.join(map(_effect, ends))}]" if ends else ""
        yield f"{_EFFECT_NAMES.get(name, clean(name).replace('_', ' '))} {_effect(value)}{interval_of}"


def domain_gains_table(view: View) -> Table | None:
    """The gain within each domain."""
    domains = view.domain_gains
    if not domains:
        return None
    several = len({d.system for d in domains}) > 1

    def rows(metric: str) -> Iterator[Row]:
        places = view.decimals(metric)
        for d in domains:
            if d.metric == metric:
                ci = interval(d.ci, places.gain, sign=True)
                yield (
                    Cell(text=clean(d.domain)),
                    *((Cell(text=clean(d.system)),) if several else ()),
                    Cell(text=str(d.n_items)),
                    Cell(text=to_fixed(d.baseline_score, places.score)),
                    Cell(text=to_fixed(d.system_score, places.score)),
                    Cell(text=to_fixed(d.gain, places.gain, sign=True), tail=ci),
                )

    arrow = _lone_arrow(view)
    columns = (
        Column(header="Domain"),
        *((Column(header="System"),) if several else ()),
        Column(header="items", align="right"),
        Column(header=f"Baseline{arrow}", align="right"),
        Column(header=f"System{arrow}", align="right"),
        Column(header="Gain", tail=f"[{level(view.result.alpha)} CI]", align="right"),
    )
    title = "Gain by domain (descriptive, outside the corrected family)"
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


def _naming(view: View) -> tuple[Column, ...]:
    """Columns that name a pair: its system, and the other one where that is not always the baseline."""
    return tuple(Column(header=header) for header in ("System", "Against")[: 2 if view.other_pairs else 1])


def _name_cells(view: View, pair: Pair) -> Row:
    return tuple(Cell(text=clean(name)) for name in (pair.system, pair.baseline)[: 2 if view.other_pairs else 1])


def _lone_arrow(view: View) -> str:
    """The direction of the metric where it is the only one, as there is no block heading to carry it."""
    return f" {arrow_of(view.scores(view.metrics[0])[0])}" if len(view.metrics) == 1 else ""


def _effect(value: float | int | str | None) -> str:
    return UNDEFINED if value is None else clean(to_digits(value))
