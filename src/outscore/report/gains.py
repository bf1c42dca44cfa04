"""Gains with their p-values: the columns that the main table and the table of the other pairs have in common."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from outscore.report.footnotes import footnotes_of_pairs
from outscore.report.model import Cell, Column, Row, Table
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, test_label
from outscore.results import Pair


@dataclass(frozen=True)
class GainColumns:
    """The columns of these pairs: gain, p, adjusted p and test; none where there are no pairs."""

    view: View
    pairs: Collection[Pair]

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Their headings; one test for all is said once, under the table."""
        if not self.pairs:
            return ()
        columns = [Column(header="Items", align="right")] if self._own_items else []
        columns += [Column(header="Gain", tail=f"[{level(self.view.result.alpha)} CI]", align="right")]
        if self._raw:
            columns.append(Column(header="p", align="right"))
        if self.view.corrected:
            columns.append(Column(header=self.view.p_header, align="right"))
        if self._judged:
            columns.append(Column(header="Verdict"))
        if len({(p.test, p.p_kind) for p in self.pairs if p.test}) > 1:
            columns.append(Column(header="Test", spare="footnote"))
        return tuple(columns)

    @cached_property
    def _own_items(self) -> bool:
        """Whether pairs have other items than other pairs."""
        # independent samples say how large they are among their effects
        by_pairs = any(pair.own_scores is not None for pair in self.view.pairs)
        return by_pairs and len({pair.n_items for pair in self.view.pairs}) > 1

    @cached_property
    def _raw(self) -> bool:
        """Whether pairs have p-values of their own; a test of several systems gives adjusted ones only."""
        return any(p.p_value is not None for p in self.pairs) or not any(p.p_adjusted is not None for p in self.pairs)

    @cached_property
    def _judged(self) -> bool:
        """Whether a margin was given; without one the marks say all that a verdict would."""
        return any(pair.equivalence for pair in self.pairs)

    def cells(self, pair: Pair | None, *, listed: bool = False) -> Row:
        """The cells of one pair, all empty for a baseline, which is not compared with itself.

        Args:
            pair: the pair.
            listed: one line of hundreds: without the error of p, and with the daggers, which have no score to hang at.
        """
        if pair is None:
            return (Cell(),) * len(self.columns)
        places = self.view.decimals(pair.metric).gain
        mark = self.view.mark(pair)
        gain = Cell(
            text=to_fixed(pair.gain, places, sign=True),
            tail=interval(pair.ci, places, sign=True),
            marks=mark if listed else "",
            tone=self.view.decision(pair) if mark else "",
        )
        cells = [Cell(text=str(pair.n_items)), gain] if self._own_items else [gain]
        if self._raw:
            cells.append(self.view.p_cell(pair.p_value, None if listed else pair.p_error))
        if self.view.corrected:
            cells.append(self.view.p_cell(pair.p_adjusted))
        if self._judged:
            cells.append(Cell(text=clean(pair.verdict)))
        return (*cells, Cell(text=test_label(pair.test, pair.p_kind)))[: len(self.columns)]


def other_pairs_table(view: View) -> Table | None:
    """The pairs of two systems of which neither is the baseline."""
    if not view.other_pairs:
        return None
    gains = GainColumns(view, view.other_pairs)

    def rows(metric: str) -> Iterator[Row]:
        for pair in view.other_pairs:
            if pair.metric == metric:
                yield (
                    Cell(text=clean(pair.system), notes=view.notes_of(pair)),
                    Cell(text=clean(pair.baseline)),
                    *gains.cells(pair, listed=True),
                )

    blocks = view.blocks(rows)
    return Table(
        title="Pairs without the baseline",
        columns=(Column(header="System"), Column(header="Against"), *gains.columns),
        blocks=blocks,
        naming=2,
        footnotes=footnotes_of_pairs(view, [row for block in blocks for row in block.rows]),
    )
