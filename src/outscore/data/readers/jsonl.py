"""JSON: one object per row, with the same names as the columns of tables, wherever the rows stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from outscore.base import limits
from outscore.base.errors import InputError, UsageError, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.choices import ColumnChoice, check_direction
from outscore.data.columns import OUTPUT, REFERENCE, ColumnTable, is_known, numbers, roles_of
from outscore.data.documents import objects_in, parse
from outscore.data.grades import parse_grades
from outscore.data.interpret import interpret
from outscore.data.json_nested import check_inside, check_objects
from outscore.data.json_paths import MEASURE, PLAIN, ROLES, JsonLayout, advise_inside, item_key, walk
from outscore.data.json_shapes import advise_parts, flatten, nested_scores, rows_at, rows_in
from outscore.data.leftovers import note_unreadable
from outscore.data.measures import is_aside
from outscore.data.readers import Content, Context, Reader, Sniffed, reader, readers
from outscore.data.source import Source, drop_trailing_blank

_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}


@reader("jsonl")
@dataclass(frozen=True)
class JsonLines(Reader):
    """JSON of any shape whose rows can be told; nested values are passed over with a note, except lists of references.

    Args:
        rows: path of the rows: ``results.samples``, ``*.*`` for each value of each value.
        system: path of the name of the system in a row; ``@1`` is the key that the first ``*`` stood for.
        item: the same for the id of the item, and so on for the options below.
        run: of the run.
        sample: of what tells samples of one model's answer apart.
        measure: of the name of the measure that the score is of.
        score: of the score.
        output: of the output.
        reference: of the reference.
        domain: of the domain.
        cluster: of the cluster.
        annotator: of the annotator, for ``agree``.
        label: of the label that the annotator gave.
        columns: path of an object of numbers by name, or of a list of objects with name and score.
    """

    description: ClassVar[str] = "JSON: an object for each (system, item), in lines, lists, columns, or at a path"
    example: ClassVar[str] = '{"system": "A", "item": "q1", "score": 1}\n'
    priority: ClassVar[int] = 10
    also: ClassVar[tuple[str, ...]] = ("json", "ndjson")

    rows: str = ""
    system: str = ""
    item: str = ""
    run: str = ""
    sample: str = ""
    measure: str = ""
    score: str = ""
    output: str = ""
    reference: str = ""
    domain: str = ""
    cluster: str = ""
    annotator: str = ""
    label: str = ""
    columns: str = ""

    def sniff(self, head: Sniffed) -> bool:
        if head.suffix in (".jsonl", ".ndjson", ".json"):
            return True
        if not head.lines or not head.lines[0].lstrip().startswith("{"):
            return False
        # Outputs may be JSON themselves: it takes a key that we know to be a table.
        return any(is_known(key) for line in head.lines[:20] for key in _keys(line))

    @property
    def layout(self) -> JsonLayout | None:
        """Where the options say that rows and values stand; None without options."""
        fields = {role: path for role in ROLES if (path := getattr(self, MEASURE.get(role, role), ""))}
        said = self.rows or fields or self.columns
        return JsonLayout(rows=self.rows, fields=fields, columns=self.columns) if said else None

    def read(self, source: Source, context: Context) -> Content:
        grid = grid_of(source, self.name, self.layout, scored=context.role == "system")
        if self.layout is not None and (path := self.layout.fields.get("score", "")):
            check_direction(grid, [ColumnChoice("score", (path.rpartition(".")[2],))], context.measures)
        read = interpret(grid, context)
        category = _BFCL.search(source.file)  # each has a file of its own
        return replace(read, runs=tuple(replace(r, part=category[1]) for r in read.runs)) if category else read


_BFCL = re.compile(r"BFCL_v\d+_(\w+)_score\.json")


def grid_of(source: Source, reader: str, layout: JsonLayout | None = None, *, scored: bool = True) -> ColumnTable:
    """The keys of rows in a file of JSON as columns.

    Args:
        layout: where the rows stand; by default the shape of the file tells it.
        scored: the rows must hold scores or outputs, and do not describe the items alone.

    Raises:
        InputError: broken; rows that cannot be told; a key that tables have with nested values.
    """
    values, of_lines = _values(source)
    return grid_of_value(values, source.file, reader, layout, of_lines=of_lines, scored=scored)


def _values(source: Source) -> tuple[Any, bool]:
    """The value of a file, or the list of those of its lines; and whether rows stand in lines."""
    lines = drop_trailing_blank(source.lines())
    values: Any = _whole(source, lines)
    if values is None:
        return [_object(line, source.file, i + 1) for i, line in enumerate(lines)], True
    return values, isinstance(values, dict)


def grid_without_options(source: Source, keys: str, advise: Callable[[Any], str] = lambda _: "") -> ColumnTable:
    """The columns by the shape of a file; errors name ``keys`` of rows, or an option that is advised for the value."""
    value, of_lines = _values(source)
    inside = advise(value)
    try:
        return replace(grid_of_value(value, source.file, "jsonl", of_lines=of_lines), inside=inside)
    except InputError as error:
        if not any(of_scores in (error.remedy or "") for of_scores in ("--reader", "item and score")):
            raise
        raise InputError(
            "the shape of this JSON does not tell its rows",
            file=source.file,
            remedy=inside or f"write a list of objects, one for each row, with the keys {keys}",
        ) from None


def grid_of_labels(source: Source, reader: str | None) -> ColumnTable:
    """The columns of a file of labels where the options of this reader say that they stand, or else by its shape.

    Raises:
        UsageError: another reader.
    """
    made = JsonLines() if reader is None else readers.make(reader)
    if not isinstance(made, JsonLines):
        raise UsageError(f"--reader {reader}: labels take json:rows=PATH,item=PATH,annotator=PATH,label=PATH, or none")
    if made.layout is not None:
        return grid_of(source, made.name, made.layout, scored=False)
    return grid_without_options(source, "item, annotator and label", _advise_labels)


def _advise_labels(value: Any) -> str:
    """The option that reads labels by annotator in each item, or by item for each annotator, where one alone may."""
    ways = []
    for path, one in walk(value):
        rows = [*one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
        if not rows or not all(isinstance(row, dict) for row in rows):
            continue
        at, key = f"{path}.*".lstrip("."), isinstance(one, list) and item_key(rows)
        named = one.items() if isinstance(one, dict) else ()
        tables = [(f"{at}.*", "@2", "@1", {who: [*row.values()] for who, row in named})]
        for name, cells in ((name, [row.get(name) for row in rows]) for name in rows[0]):
            if all(isinstance(cell, dict) for cell in cells):
                given = {who: [cell.get(who) for cell in cells] for who in cells[0]}
                tables.append((f"{at}.{name}.*", f"^{key}" if key else "@1", "@2", given))
        for place, item, annotator, given in tables:
            if _share_labels([*given.values()]):
                layout = JsonLayout(rows=place, fields={"item": item, "annotator": annotator, "label": "@"})
                ways.append(f"if {join(given, 3)} are annotators, say so: {layout.spell()}")
    return ways[0] if len(ways) == 1 else ""


def _share_labels(given: list[list[Any]]) -> bool:
    """Whether these may be labels by annotator: more than annotators, and each gave some that another gave, too."""
    if not all(len(cells) > len(given) and all(isinstance(c, (*PLAIN, str)) for c in cells) for cells in given):
        return False
    sets = [{*cells} - {None} for cells in given]
    return bool(sets) and all(any(own & other for other in sets if other is not own) for own in sets)


def grid_of_value(
    value: Any, file: str, reader: str, layout: JsonLayout | None = None, *, of_lines: bool = False, scored: bool = True
) -> ColumnTable:
    """The columns of a JSON value, or of the list of the objects that its lines are."""
    found = rows_in(value, file) if layout is None else rows_at(value, layout, file, scored=scored)
    rows = found.rows
    grid = _grid(rows, file, reader, of_lines=of_lines and found.layout is None and not found.shape)
    if scored and not _has_scores(grid) and layout is None:
        check_objects(rows, file, found.layout.rows if found.layout else "", of_lines=of_lines and found.layout is None)
    name = None if _has_scores(grid) else nested_scores(rows)
    if name is None and not _has_scores(grid) and any(map(REFERENCE.fullmatch, grid.columns)):
        name = nested_scores(rows, (str,))
    if name is not None:
        rows = flatten(rows, name)
        grid = _grid(rows, file, reader, of_lines=of_lines)
        found = replace(found, shape=found.shape or f"rows with their scores inside {name!r}")
    elif scored and not _has_scores(grid) and not any(REFERENCE.fullmatch(column.lower()) for column in grid.columns):
        check_inside(rows, file, found.layout.rows if found.layout else "")
    plain = found.layout is not None or (_has_scores(grid) and item_key(found.rows))
    inside, ids = advise_inside(found.rows) if scored and not plain else ("", False)
    if ids:
        raise grid.error("the ids stand inside objects, expected them beside the scores", 0, inside)
    notes = grid.notes
    of_path = found.layout is not None and "score" in grid.columns
    if of_path and (graded := parse_grades(grid.columns["score"], "score", typed=True)) is not None:
        grid.columns["score"] = graded[0]
        notes += (graded[1],)
    if found.shape:
        option = f" ({found.layout.spell()})" if found.layout is not None and not found.layout.skip else ""
        notes += (Note(code="rows_made", text=f"{file} holds {found.shape}: {len(rows)} rows were read{option}"),)
    return replace(grid, notes=notes, inside=inside)


def _whole(source: Source, lines: list[str]) -> Any:
    """The value of a file that is no lines of objects; None where it is, or is broken, which its lines say best."""
    first = _value(lines[0])
    if len(lines) > 1 and first is not None:
        return None
    found = objects_in(source.text)
    if len(found) == 1:
        line = None if len(lines) > 1 else 1
        value = parse(source.text, source.file, line).value
        _check_surrogates(source.text, value, source.file, line)
        return value
    return found or None


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
            remedy='write {"item": ..., "score": ...}',
        )
    _check_surrogates(line, value, file, number)
    return value


def _check_surrogates(text: str, value: Any, file: str, line: int | None) -> None:
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(
                "half of a surrogate pair (\\ud800 to \\udfff) is no character",
                file=file,
                line=line,
                remedy="write the character itself",
            ) from None


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _grid(rows: list[dict[str, Any]], file: str, reader: str, *, of_lines: bool) -> ColumnTable:
    names = dict.fromkeys(key for row in rows for key in row)
    # rows that share no key make a place for each key of all
    limits.check_unpacked(_PLACE * len(names) * len(rows), _VALUE * sum(map(len, rows)), file)
    columns: dict[str, list[Any]] = {}
    grid = ColumnTable(
        columns=columns,
        n=len(rows),
        file=file,
        reader=reader,
        typed=True,
        line=lambda row: row + 1 if of_lines else None,
    )
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
                advise_parts(name, rows[row]),
            )
        else:
            passed_over.append(name)
    return replace(grid, notes=note_unreadable(passed_over, empty)) if passed_over or empty else grid


_PLACE, _VALUE = 32, 10
"""Bytes of a place of a table in memory, and of a key with its value in a file."""


def _has_scores(grid: ColumnTable) -> bool:
    """Whether a column holds outputs, or numbers that may be scores."""
    rest = roles_of(list(grid.columns)).rest
    numeric = (n for n in rest if not is_aside(n) and numbers(grid.columns[n], typed=True).n_numbers)
    return any(numeric) or any(name.lower() in OUTPUT for name in grid.columns)


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
