"""Writes the parts of a result: numbers as text, records as tables. Nothing else knows how a declared field looks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from outscore.base.text import clean
from outscore.report.model import Block, Cell, Column, Row, Table
from outscore.report.numbers import (
    UNDEFINED,
    View,
    interval,
    level,
    p_text,
    p_with_error,
    round_up,
    spell_metric,
    to_digits,
    to_fixed,
    to_given,
)
from outscore.results.declared import Kind, Shown, shown
from outscore.results.sentences import arrow_of

_PROPORTION = re.compile(r"\b0\s*[-–]\s*1\b")
_NO_UNITS = ("mean", "score")
"""Metrics that are no units of measurement."""
_ALIGNED_LEFT: tuple[Kind, ...] = ("text", "prose", "command")


class ReportWriter(View):
    """Words, numbers and tables for a result, see ``outscore.results.declared.Writer``."""

    def name(self, text: object) -> str:
        return clean(text)

    def score(self, value: float | None, metric: str = "") -> str:
        return to_fixed(value, self.decimals(metric).score)

    def scored(self, value: float | None, metric: str) -> str:
        return self.score(value, metric) + self._named(metric)

    def gain(self, value: float | None, metric: str = "", *, sign: bool = True) -> str:
        return to_fixed(value, self.decimals(metric).gain, sign=sign)

    def unit(
        self, metric: str, value: float | None, *, sign: bool = False, up: bool = False, digits: int | None = None
    ) -> str:
        in_points = self._in_points(metric)
        if up and value is not None:
            value = round_up(value, self._point_places(metric) + 2 if in_points else self.decimals(metric).gain)
        if in_points:
            points = to_fixed(None if value is None else 100 * value, self._point_places(metric), sign=sign)
            points = points if digits is None or value is None else f"{100 * value:,.{digits}g}"
            return f"{points} {'point' if points.lstrip('+-') == '1' else 'points'} of {self.label(metric)}"
        points = " points of" if self.scores(metric)[0].unit.startswith("percent") else ""
        number = self.gain(value, metric, sign=sign) if digits is None or value is None else f"{value:,.{digits}g}"
        return number + points + self._named(metric)

    def ends(self, ci: tuple[float, float] | None, metric: str = "") -> str:
        if ci is None or any(math.isnan(end) for end in ci):
            return UNDEFINED
        points = self._in_points(metric)

        def write(end: float) -> str:
            return to_fixed(100 * end, self._point_places(metric)) if points else self.gain(end, metric, sign=False)

        low, high = ci
        if high == math.inf:
            return f"{write(low)} or more"
        return f"{write(high)} or less" if low == -math.inf else f"{write(low)} to {write(high)}"

    def bound(self, ci: tuple[float, float] | None) -> tuple[float, float] | None:
        side = getattr(self.result, "alternative", "")
        if ci is None or ci[0] == ci[1] or not all(map(math.isfinite, ci)):
            return ci
        return (ci[0], math.inf) if side == "greater" else (-math.inf, ci[1]) if side == "less" else ci

    def interval(
        self, ci: tuple[float, float] | None, metric: str = "", *, of: Literal["score", "gain"] = "gain"
    ) -> str:
        places = self.decimals(metric)
        return interval(ci, places.gain, sign=True) if of == "gain" else interval(ci, places.score)

    def p(self, value: float | None, name: str = "p", *, level: float | None = None) -> str:
        text = p_text(value, level or self.result.alpha)
        if not name:
            return text
        if value is None or text == UNDEFINED:
            return "no p-value"
        return f"{name} {text}" if text[:1] in "<>" else f"{name} = {text}"

    def level(self, times: float = 1) -> str:
        return level(times * self.result.alpha)

    def percent(self, value: float | None, places: int = 0) -> str:
        if value is not None and 0 < value < 1:  # no certainty that is none
            least = 10.0**-places
            if 100 * value < least:
                return f"< {least:.{places}f}%"
            if 100 * value > 100 - least:
                return f"> {100 - least:.{places}f}%"
        return f"{to_fixed(None if value is None else 100 * value, places)}%"

    def proportion(self, value: float) -> str:
        """``.950``, ``1``, ``< .001``; no certainty that is none."""
        if 0 < value < 0.001:
            return "< .001"
        return "> .999" if 0.999 < value < 1 else to_fixed(value, 3).removeprefix("0")

    def number(self, value: float | int | str | None, digits: int = 3) -> str:
        return UNDEFINED if value is None else clean(to_digits(value, digits))

    def given(self, value: float | None, unit: str = "", metric: str = "", *, digits: int = 4) -> str:
        if value is None or not math.isfinite(value):
            return UNDEFINED
        label = spell_metric(metric.partition(":")[0], unit) if metric else clean(unit).partition(" ")[0]
        if _PROPORTION.search(unit):
            points = f"{100 * value:,.{digits}g}"
            return f"{points} {'point' if points.lstrip('+-') == '1' else 'points'} of {label}"
        # "unit of the scores" names none
        named = label not in _NO_UNITS if metric else any(map(str.isupper, label))
        return f"{value:,.{digits}g}" + (f" {label}" if named else "")

    def fixed(self, value: float | None, places: int | None = None) -> str:
        asked = 2 if self.width is None else self.width
        return to_fixed(value, asked if places is None else places)

    def margin(self, value: float, metric: str) -> str:
        return self.given(value, self.scores(metric)[0].unit, metric)

    def count(self, number: int, noun: str) -> str:
        return f"{number:,} {noun}{'' if number == 1 else 's'}"

    def about(self, number: int, noun: str) -> str:
        return self.count(round(number, 2 - len(str(number))), noun)

    def _named(self, metric: str) -> str:
        """The metric as a unit; a mean is none."""
        label = self.label(metric)
        return "" if label in _NO_UNITS or (label.startswith("mean (") and "column=" not in label) else f" {label}"

    def direction(self, metric: str) -> str:
        """The arrow behind a metric in a heading; with the scale where sentences count in points, a hundred in 1."""
        arrow = arrow_of(self.scores(metric)[0])
        return f"(0-1) {arrow}" if self._in_points(metric) else arrow

    def below_gains(self, metrics: Iterable[str]) -> list[str]:
        lower = [m for m in metrics if m in self.metrics and arrow_of(self.scores(m)[0]) == "↓"]
        return [f"{', '.join(map(self.label, lower))} ↓: a gain above 0 is a lower score."] if lower else []

    def _in_points(self, metric: str) -> bool:
        return bool(metric and _PROPORTION.search(self.scores(metric)[0].unit)) and self.width is None

    def _point_places(self, metric: str) -> int:
        return max(0, self.decimals(metric).gain - 2)

    # --- tables -------------------------------------------------------------------------------------------

    def table(
        self,
        title: str,
        rows: Iterable[Any],
        columns: Sequence[str | Shown],
        *,
        first: bool = False,
        asked: str = "",
        by_metric: bool = True,
        group: Callable[[Any], str] | None = None,
        footnotes: Iterable[str] = (),
        naming: int = 1,
        side: Callable[[Any], str] | None = None,
        codes: Callable[[Any], Iterable[str]] | None = None,
    ) -> Table:
        """A table of these rows, see ``outscore.results.declared.Writer.table``."""
        parts = [row if isinstance(row, tuple) else (row,) for row in rows]
        lone = [row[0] if len(row) == 1 else row for row in parts]
        made = [_ShownColumn(self, name, parts, lone) for name in columns]
        if group is not None:
            groups: dict[str, list[int]] = {}
            for i, row in enumerate(lone):
                groups.setdefault(group(row), []).append(i)
        else:
            groups = self._by_metric(parts) if by_metric and self.metrics else {"": list(range(len(parts)))}
        several = group is None and (len(groups) > 1 or len(self.metrics) > 1)
        blocks = []
        for metric, places in groups.items():
            cells = [column.cells(places) for column in made]
            at = next((i for i, column in enumerate(made) if column.said.marked), None)
            lines = [tuple(line) for line in zip(*cells, strict=True)]
            lines = [self._mark(line, lone[i], at, side, codes) for line, i in zip(lines, places, strict=True)]
            arrow = self.direction(metric) if metric in self.metrics and several else ""
            name = self.label(metric) if metric in self.metrics and several else clean(metric)
            if lines:
                blocks.append(Block(metric=name if several or group else "", arrow=arrow, rows=tuple(lines)))
        heads = tuple(column.head(lone="" if several or group else next(iter(groups), "")) for column in made)
        arrows = several or any(column.said.of_metric for column in made)
        beside = arrows and any(column.said.kind == "gain" for column in made)
        lines_below = [*(self.below_gains(groups) if beside else ()), *footnotes]
        ps = [i for i, column in enumerate(made) if column.said.kind == "p"]
        if any(row[i].tail.startswith("±") for block in blocks for row in block.rows for i in ps):
            lines_below.append("±: standard error of p from the resampling.")
        return Table(
            title=title,
            columns=heads,
            blocks=tuple(blocks),
            footnotes=tuple(lines_below),
            naming=naming,
            first=first or bool(asked),
            asked=asked,
        )

    def _by_metric(self, rows: Sequence[tuple[Any, ...]]) -> dict[str, list[int]]:
        """Places of the rows, by the metric that they are about."""
        found: dict[str, list[int]] = {metric: [] for metric in self.metrics}
        for i, row in enumerate(rows):
            metric = next((part.metric for part in row if hasattr(part, "metric")), "")
            found.setdefault(metric, []).append(i)
        return {metric: places for metric, places in found.items() if places}

    def _mark(
        self,
        line: Row,
        row: Any,
        at: int | None,
        side: Callable[[Any], str] | None,
        codes: Callable[[Any], Iterable[str]] | None,
    ) -> Row:
        """The row with its colour, and a ``!`` where a note changes its answer."""
        tone = side(row) if side else ""
        warned = codes is not None and any(code in self._changing for code in codes(row))
        if not tone and not warned:
            return line
        made = list(line)
        if warned:
            made[at or 0] = replace(made[at or 0], marks="!")
        if tone:
            coloured = [i for i, c in enumerate(made) if i == at or (c.span is not None and c.text[:1] in "+-")]
            for i in coloured:
                made[i] = replace(made[i], tone=tone)  # type: ignore[arg-type]
        return tuple(made)

    @cached_property
    def _changing(self) -> frozenset[str]:
        """Codes of the notes that change an answer."""
        return frozenset(note.code for note in self.result.notes if note.rank == "answer")

    def warned(self, codes: Iterable[str]) -> bool:
        return bool(self._changing & {*codes, "folds_overlap"})  # which is about all rows


class _ShownColumn:
    """A column of a table: how its field is declared, and its cells."""

    def __init__(
        self, w: ReportWriter, name: str | Shown, rows: Sequence[tuple[Any, ...]], whole: Sequence[Any]
    ) -> None:
        self.w, self.rows, self.whole = w, rows, whole
        self.field = name if isinstance(name, str) else ""
        self.said = name if isinstance(name, Shown) else self._declared(name)

    def _declared(self, name: str) -> Shown:
        for row in self.rows:
            for part in row:
                if part is not None and (said := shown(type(part), name)) is not None:
                    return said
        if self.rows:
            raise TypeError(f"no record declares {name!r}")
        return Shown(name)

    def head(self, lone: str) -> Column:
        said = self.said
        title = said.title
        if said.of_metric and lone in self.w.metrics:
            title = f"{self.w.label(lone)} {self.w.direction(lone)}".strip()
        return Column(
            header=title,
            tail=(said.ci_title or f"[{self.w.level()} CI]") if said.ci else "",
            align="left" if said.kind in _ALIGNED_LEFT else "right",
            spare=said.spare,
            prose=said.kind == "prose",
            command=said.kind == "command",
            of_metric=said.of_metric,
            zero=not isinstance(said.bar, str),
        )

    def cells(self, places: Sequence[int]) -> Iterator[Cell]:
        best = self._best(places) if self.said.best else None
        for i in places:
            cell = self._cell(i)
            yield replace(cell, bold=True) if best is not None and cell.text == best else cell

    def _part(self, i: int) -> Any:
        """The part of the row that declares the field, or has it; None where none does, and the cell is empty."""
        known = [part for part in self.rows[i] if part is not None]
        declared = next((part for part in known if shown(type(part), self.field) is not None), None)
        return declared or next((part for part in known if self.field and hasattr(part, self.field)), None)

    def _value(self, i: int) -> Any:
        return getattr(self._part(i), self.field) if self.said.value is None else self.said.value(self.whole[i])

    def _cell(self, i: int) -> Cell:
        said, w = self.said, self.w
        if said.value is None and self._part(i) is None:
            return Cell()
        value = self._value(i)
        if value == "":
            return Cell()
        metric = next((part.metric for part in self.rows[i] if hasattr(part, "metric")), "")
        if said.kind == "p":
            error, level = self._beside(i, said.error), self._beside(i, said.level)
            text, tail = p_with_error(value, error or None, level or w.result.alpha)
            return Cell(text=text, tail=tail)
        text = _write(w, said, value, metric)
        ci = self._beside(i, said.ci)
        if said.tested:
            ci = w.bound(ci)
        if not said.ci or (ci is None and value is None):
            place = said.place(self.whole[i]) if said.place else None
            return Cell(text=text, span=self._beside(i, said.bar) if isinstance(said.bar, str) else None, place=place)
        if isinstance(ci, str):
            return Cell(text=text, tail=ci)
        known = ci is not None and value is not None and all(math.isfinite(end) for end in (*ci, value))
        if said.kind in ("score", "gain"):
            tail = w.interval(ci, metric, of="gain" if said.kind == "gain" else "score")
        else:
            tail = UNDEFINED if ci is None else ", ".join(_write(w, said, end, metric) for end in ci)
            tail = f"[{tail}]"
        return Cell(text=text, tail=tail, span=(ci[0], value, ci[1]) if known and said.bar else None)

    def _beside(self, i: int, said: str | Callable[[Any], Any]) -> Any:
        """The companion of the value of a row: its interval, its error, its level."""
        return said(self.whole[i]) if callable(said) else getattr(self._part(i), said) if said else None

    def _best(self, places: Sequence[int]) -> str | None:
        """The best value as it is printed; None where all print alike."""
        there = [i for i in places if self._part(i) is not None]
        known = [(v, self._cell(i).text) for i in there if isinstance(v := self._value(i), float) and math.isfinite(v)]
        if len({text for _, text in known}) < 2:
            return None
        metric = next((part.metric for part in self.rows[places[0]] if hasattr(part, "metric")), "")
        higher = self.w.scores(metric)[0].higher_is_better is not False if metric in self.w.metrics else True
        return (max if higher else min)(known)[1]


def _write(w: ReportWriter, said: Shown, value: Any, metric: str) -> str:
    """A value as its kind is written."""
    if value is None:
        return UNDEFINED
    if said.kind in _ALIGNED_LEFT:
        return said.words.get(value, clean(value))
    if said.kind == "score":
        return w.score(value, metric)
    if said.kind == "gain":
        return w.gain(value, metric)
    if said.kind == "amount":  # a deviation, of which the first digit is not enough
        places = w.decimals(metric).gain
        return to_fixed(value, places if w.width is not None else places + 1)
    if said.kind in ("coefficient", "difference"):
        return w.score(value) if said.kind == "coefficient" else w.gain(value)
    if said.kind == "percent":
        return w.percent(value)
    if said.kind == "proportion":
        return w.proportion(value)
    if said.kind == "count":
        return f"{value:,}"
    if said.kind == "fixed":
        return w.fixed(value, 2)
    if said.kind == "given":
        return to_given(value)
    if said.kind == "whole":
        return str(value)
    return w.number(value)
