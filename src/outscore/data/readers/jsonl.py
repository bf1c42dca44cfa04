"""JSON lines: one object per row, with the same names as the columns of tables."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, ClassVar

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.data.columns import OUTPUT, REFERENCE, ColumnTable, is_known, numbers, roles_of
from outscore.data.documents import parse
from outscore.data.interpret import interpret
from outscore.data.json_shapes import Shape, jq, nested_scores, objects_in, shape_of, tool_of, tool_of_lines
from outscore.data.leftovers import note_unreadable
from outscore.data.measures import is_aside
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.source import Source, drop_trailing_blank

_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}


@reader("jsonl")
@dataclass(frozen=True)
class JsonLines(Reader):
    """One JSON object a line; nested values are passed over with a note, except lists of references."""

    description: ClassVar[str] = "JSON lines: one object per (system, item), keys as the columns of a long table"
    example: ClassVar[str] = '{"system": "A", "item": "q1", "score": 1}\n'
    priority: ClassVar[int] = 10

    def sniff(self, head: Sniffed) -> bool:
        if head.suffix in (".jsonl", ".ndjson", ".json"):
            return True
        if not head.lines or not head.lines[0].lstrip().startswith("{"):
            return False
        # Outputs may be JSON themselves: it takes a key that we know to be a table.
        return any(is_known(key) for line in head.lines[:20] for key in _keys(line))

    def read(self, source: Source, context: Context) -> Content:
        return interpret(grid_of(source, self.name), context)


def grid_of(source: Source, reader: str) -> ColumnTable:
    """The keys of a file of JSON lines as columns.

    Raises:
        InputError: a line is no object, or a key that tables have holds nested values.
    """
    lines = drop_trailing_blank(source.lines())
    _check_lines(source, lines)
    rows = [_object(line, source.file, i + 1) for i, line in enumerate(lines)]
    grid = _grid(rows, source.file, reader)
    _check_nested(grid, rows)
    return grid


def _check_lines(source: Source, lines: list[str]) -> None:
    """Names JSON that is no rows for what it is: the whole file one value, or objects over several lines each."""
    first = _value(lines[0])
    if len(lines) > 1 and tool_of(first, first=True) is not None:
        tool = tool_of_lines(map(_value, lines))
        assert tool is not None
        raise _no_rows(source, tool, "")
    if len(lines) > 1 and first is not None:
        return
    over = f" over {len(lines)} lines" if len(lines) > 1 else ""
    try:
        shape = shape_of(json.loads(source.text))
    except (ValueError, RecursionError):
        several = list(objects_in(source.text))
        if len(several) < 2:
            return  # broken, which the line that is says best
        shape = Shape("objects one after another", ".")
    if shape is None and over:
        shape = Shape("an object", ".")
    if shape is not None:
        raise _no_rows(source, shape, over)


def _no_rows(source: Source, shape: Shape, over: str) -> InputError:
    return InputError(
        f"found {shape.name}{over}, expected {'a row of scores' if shape.first else 'one object'} a line",
        file=source.file,
        line=1,
        remedy=shape.remedy(source.file),
    )


def _value(line: str) -> Any:
    """The JSON value of a line; None where it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _keys(line: str) -> list[str]:
    value = _value(line)
    return list(value) if isinstance(value, dict) else []


def _object(line: str, file: str, number: int) -> dict[str, Any]:
    if not line.strip():
        raise InputError("a blank line, expected one object a line", file=file, line=number, remedy="cut it")
    value = parse(line, file, number, remedy="write each object on one line").value
    if not isinstance(value, dict):
        raise InputError(
            f"found {_KINDS.get(type(value), 'a number')}, expected one object a line",
            file=file,
            line=number,
            remedy='write {"item": ..., "score": ...}; jq -c ".[]" makes lines of a list',
        )
    if _SURROGATE.search(line):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(
                "half of a surrogate pair (\\ud800 to \\udfff) is no character",
                file=file,
                line=number,
                remedy="write the character itself",
            ) from None
    return value


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _grid(rows: list[dict[str, Any]], file: str, reader: str) -> ColumnTable:
    names = dict.fromkeys(key for row in rows for key in row)
    columns: dict[str, list[Any]] = {}
    grid = ColumnTable(columns=columns, n=len(rows), file=file, reader=reader, typed=True, line=lambda row: row + 1)
    passed_over, empty = [], []
    for name in names:
        cells = [row.get(name) for row in rows]
        kinds = {type(cell) for cell in cells}
        if not kinds & {dict, list}:
            if kinds != {type(None)} or is_known(name):
                columns[name] = cells
            else:
                empty.append(name)
        elif REFERENCE.fullmatch(name.lower()):
            columns.update(_streams(grid, name, cells))
        elif is_known(name) or kinds & {int, float, bool}:
            row = next(i for i, cell in enumerate(cells) if isinstance(cell, dict | list))
            raise grid.error(
                f"{name!r} is {_KINDS[type(cells[row])]}, expected a number or a text",
                row,
                "write a single value",
            )
        else:
            passed_over.append(name)
    return replace(grid, notes=note_unreadable(passed_over, empty)) if passed_over or empty else grid


def _check_nested(grid: ColumnTable, rows: list[dict[str, Any]]) -> None:
    """Refuses rows whose only scores are inside an object."""
    has_numbers = any(
        not is_aside(name) and numbers(cells, typed=True).n_numbers
        for name, cells in grid.columns.items()
        if name in roles_of(list(grid.columns)).rest
    )
    name = None if has_numbers or any(name.lower() in OUTPUT for name in grid.columns) else nested_scores(rows)
    if name is not None:
        raise grid.error(
            f"the scores stand inside {name!r}, which is an object, expected numbers beside the others",
            0,
            f"take them out: {jq(f'. + .[{json.dumps(name)}]', grid.file)}",
        )


def _streams(grid: ColumnTable, name: str, cells: list[Any]) -> dict[str, list[Any]]:
    """Lists of references as columns, one per stream; a missing reference is empty."""
    lists: list[list[Any]] = []
    for row, cell in enumerate(cells):
        several = cell if isinstance(cell, list) else [cell]
        if any(isinstance(value, dict | list) for value in several):
            raise grid.error(f"{name!r} holds nested values, expected a text or a list of texts", row, "flatten it")
        lists.append(several)
    count = max((len(several) for several in lists), default=0)
    stem = name.rstrip("0123456789")
    return {f"{stem}{i + 1}": [several[i] if i < len(several) else None for several in lists] for i in range(count)}
