"""Files of MetricX: the rows it was given, each with the error score that it predicts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.data.columns import ColumnTable, parse_numbers, texts
from outscore.data.interpret import interpret
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.readers.jsonl import grid_of
from outscore.data.source import Source

_SCORE, _WORST = "prediction", 25.0
_NAMES = {_SCORE: "metricx", "hypothesis": "output", "system_id": "system"}


@reader("metricx")
@dataclass(frozen=True)
class MetricX(Reader):
    """The column ``metricx``: an error score from 0 to 25, lower is better. Hypotheses are outputs.

    Other keys are read as those of JSON lines: ``system_id`` or ``segment_id``, if they are there; else rows are paired
    by position. References that are all empty, as for MetricX-QE, are none.
    """

    description: ClassVar[str] = "MetricX: source, hypothesis, reference and prediction (an error score) a line"
    example: ClassVar[str] = (
        '{"source": "Guten Tag", "hypothesis": "Good day", "reference": "Hello", "prediction": 1.32}\n'
    )
    priority: ClassVar[int] = 6
    roles: ClassVar[tuple[Role, ...]] = ("system",)
    metric: ClassVar[str] = "mean:column=metricx"

    def sniff(self, head: Sniffed) -> bool:
        return any(map(_is_scored, head.lines[:20]))

    def read(self, source: Source, context: Context) -> Content:
        grid = grid_of(source, self.name)
        columns = {_NAMES.get(name, name): cells for name, cells in grid.columns.items()}
        grid = replace(grid, columns=columns, described=grid.described | {"label"})  # label: what people judged
        if "reference" in columns and not any(texts(columns["reference"])):
            columns.pop("reference")
        _check(grid)
        return interpret(grid, context)


def _check(grid: ColumnTable) -> None:
    if "metricx" not in grid.columns or "output" not in grid.columns:
        raise grid.error(f"has no hypothesis or no {_SCORE!r}", 0, "give what metricx24.predict wrote, whole")
    for row, score in enumerate(parse_numbers(grid, "metricx").tolist()):
        if score < 0 or score > _WORST:
            raise grid.error(
                f"{_SCORE!r} is {score:g}, expected an error score from 0 to 25",
                row,
                "give what metricx24.predict wrote; scores with the sign turned go into a column of a table",
            )


def _is_scored(line: str) -> bool:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(row, dict) or not isinstance(row.get("hypothesis"), str) or "premise" in row:
        return False
    beside = isinstance(row.get("source"), str) or isinstance(row.get("reference"), str)
    return beside and isinstance(row.get(_SCORE), float)
