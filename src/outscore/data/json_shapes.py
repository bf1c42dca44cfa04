"""JSON of every shape as rows: lists, columns, scores by item and system, rows somewhere inside; or a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outscore.base.errors import InputError, inflect, join
from outscore.base.lazy import dataclass
from outscore.data.columns import ITEM, OUTPUT, REFERENCE, RUN, SYSTEM, is_known
from outscore.data.curves import check_rows
from outscore.data.grades import grades_among
from outscore.data.json_nested import check_inside, check_objects, holds_lists, rows_of_matrix, run_of
from outscore.data.json_paths import (
    PLAIN,
    JsonLayout,
    advise,
    are_all,
    item_key,
    numbers_in,
    numbers_of,
    paths_of_rows,
    places,
    refused,
)
from outscore.data.json_tools import tool_of
from outscore.data.measures import SPREADS, is_aside, only_measures, only_systems, parse_measure
from outscore.data.predictions import SYSTEM_PREFIX

_BY_SYSTEM = JsonLayout(rows="*.*", fields={"system": "@1", "item": "@2", "score": "@"})
_BY_ITEM = JsonLayout(rows="*.*", fields={"system": "@2", "item": "@1", "score": "@"})
_BY_RUN = JsonLayout(rows="*.*", fields={"run": "@1", "item": "@2", "score": "@"})
_BY_METRIC = JsonLayout(rows="*.*", fields={"metric": "@1", "item": "@2", "score": "@"})
_LIST_BY_SYSTEM = JsonLayout(rows="*", fields={"system": "@1", "item": "@2", "score": "@"})
_LIST_BY_ITEM = JsonLayout(rows="*", fields={"item": "@1", "sample": "@2", "score": "@"})
_ROWS_BY_ITEM = JsonLayout(rows="*", fields={"item": "@1"})


@dataclass(frozen=True)
class Rows:
    """Rows of a JSON value.

    Attributes:
        rows: values by name.
        shape: of what they were made, in words; empty for a list of rows, which nobody could read otherwise.
        layout: where they stood, if a path says it.
    """

    rows: list[dict[str, Any]]
    shape: str = ""
    layout: JsonLayout | None = None


def rows_at(value: Any, layout: JsonLayout, file: str, *, scored: bool = True) -> Rows:
    """The rows where the user says that they are.

    Raises:
        InputError: there are none.
    """
    rows = layout.take(value)
    absent = [f"{name}={path}" for name, path in layout.fields.items() if all(row.get(name) is None for row in rows)]
    if not rows or absent:
        told = f"rows={layout.rows}" if not rows else join(absent)
        remedy = (_advise_nested(value) or advise(value)) if scored else "check the path"
        raise InputError(f"nothing stands at {told}", file=file, remedy=remedy)
    return Rows(rows, "", layout)


def rows_in(value: Any, file: str) -> Rows:
    """The rows of a JSON value that is the whole file, or of the list of its lines.

    Raises:
        InputError: several readings give different rows, or there are none; with the options that say it.
    """
    tool = tool_of(value)
    if tool is not None and tool.take is not None:
        return Rows(tool.take(value, file), tool.name)
    if tool is not None and tool.layout is not None:
        return Rows(tool.layout.take(value), tool.name, tool.layout)
    if tool is not None:
        raise refused(f"found {tool.name}, expected scores of items", file, tool.remedy(file))
    if matrix := rows_of_matrix(value):
        return Rows(matrix, "names of systems and of items, and their scores as lists of one length")
    return _list(value, file) if isinstance(value, list) else _object(value, file)


def _name_cells(value: list[Any]) -> list[dict[str, Any]] | None:
    """The rows of a list of lists whose first names the cells; None where it may be a row like the others."""
    if len(value) < 2 or not are_all(value, list) or len({len(row) for row in value}) > 1:
        return None
    names, *rows = value
    if not are_all(names, str) or len(set(names)) < len(names) or len(names) < 2 or "" in names:
        return None
    # texts above texts are names where one of them is known to be
    alike = all(isinstance(cell, str) for row in rows for cell in row)
    if alike and not any(is_known(name) or name.lower() in ITEM for name in names):
        return None
    return [dict(zip(names, row, strict=True)) for row in rows]


def _list(value: list[Any], file: str) -> Rows:
    if value and are_all(value, dict):
        return Rows(value)
    if (named := _name_cells(value)) is not None:
        return Rows(named)
    field = "score" if are_all(value, (int, float, bool)) else "output" if are_all(value, str) else ""
    if not value or not field:
        kind = "an empty list" if not value else "a list of lists" if are_all(value, list) else "a list"
        raise refused(
            f"found {kind}, expected objects or numbers",
            file,
            "write an object with names for its values for each, or begin with a list of names: item, system, score",
        )
    layout = JsonLayout(fields={"item": "@1", field: "@"})
    return Rows(layout.take(value), f"a list of {'texts' if field == 'output' else 'numbers'}", layout)


def _object(value: Any, file: str) -> Rows:
    if not isinstance(value, dict) or not value:
        kind = "an empty object" if value == {} else "a text" if isinstance(value, str) else "a number"
        raise refused(
            f"found {'null' if value is None else kind}, expected rows of scores",
            file,
            "write an object with item and score for each",
        )
    value = {_one_of(key) if isinstance(one, list) else key: one for key, one in value.items()}
    inner, named = list(value.values()), any(is_known(key) for key in value)
    scalars = [key for key, one in value.items() if not isinstance(one, dict | list)]
    if any(key.lower() in (*ITEM, *OUTPUT) for key in scalars):
        if any(numbers_of(rows[0]) for _, rows in paths_of_rows(value)):
            return _inside(value, file)  # a score of the whole, beside those of the items
        return Rows([value])
    headers = next((value[key] for key in ("columns", "headers", "header") if isinstance(value.get(key), list)), None)
    cells = next((value[key] for key in ("data", "rows") if isinstance(value.get(key), list)), None)
    if headers and cells is not None and are_all(cells, list):
        rows = [dict(zip(headers, row, strict=False)) for row in cells]
        return Rows(rows, "a table of columns and data")
    if are_all(inner, list) and not any(isinstance(one, dict | list) for column in inner for one in column):
        return _columns(value, file, named=named)
    if are_all(inner, dict) and all(are_all(one.values(), (*PLAIN, str)) for one in inner):
        if named and len({frozenset(one) for one in inner}) == 1:
            keys = list(inner[0])
            return Rows([{name: one[key] for name, one in value.items()} for key in keys], "a table column by column")
        texts = [text for one in inner for text in one.values() if isinstance(text, str)]
        scored = all(inner) and (not texts or bool(grades_among(texts)))
        if scored and not any(is_known(k) for o in inner for k in o):
            return _scores(value, file)
        if common := frozenset.intersection(*map(frozenset, inner)):
            layout = JsonLayout(rows="*") if any(key.lower() in ITEM for key in common) else _ROWS_BY_ITEM
            return Rows(layout.take(value), "an object of objects, as {item: {name: value}}", layout)
    if are_all(inner, PLAIN):
        if only_systems(value) is not True or any(map(is_aside, value)) or named:
            whole = [key for key in value if is_known(key) or parse_measure(key)]
            few, said = 2 * len(whole) < len(value), join(whole, 3)
            found = f"{said} beside numbers of others" if few else f"an object of averages ({join(value, 3)})"
            remedy = (
                f"leave {said} out if the others are items; else " * few
                + "give the file that has a score for each item"
            )
            raise refused(f"found {found}, expected scores of items", file, remedy)
        layout = JsonLayout(rows="*", fields={"item": "@1", "score": "@"})
        return Rows(layout.take(value), "an object with a number for each key, as {item: score}", layout)
    if are_all(inner, str):
        layout = JsonLayout(rows="*", fields={"item": "@1", "output": "@"})
        return Rows(layout.take(value), "an object with a text for each key, as {item: output}", layout)
    return _columns_among(value) or _inside(value, file)


def _one_of(name: str) -> str:
    """A key of a list by the name of one of its values: score for scores."""
    one = name.removesuffix("s")
    return one if one.lower() in (*ITEM, *OUTPUT, "score", "label", "reference", "ref", "target") else name


def _columns_among(value: dict[str, Any]) -> Rows | None:
    """Lists of one length beside values of the whole, some of them by their system; None where they are no columns."""
    lists = {key: one for key, one in value.items() if isinstance(one, list)}
    inside = {key: one for key, one in value.items() if isinstance(one, dict)}
    systems = next(iter(inside.values()), {})
    columns = [*lists.values(), *systems.values()]
    named = any(is_known(key) or key.lower() in ITEM for key in lists)
    if not named or len(inside) > 1 or not are_all(columns, list) or len({*map(len, columns)}) > 1 or not columns[0]:
        return None
    if any(isinstance(one, dict | list) for column in columns for one in column):
        return None
    answers = any(map(REFERENCE.fullmatch, lists)) or not all(are_all(one, PLAIN) for one in systems.values())
    mark = SYSTEM_PREFIX[0] if answers else ""
    table = lists | {f"{mark}{name}": column for name, column in systems.items()}
    whole = {key: one for key, one in value.items() if key.lower() in (*SYSTEM, *RUN) and not isinstance(one, dict)}
    rows = [whole | dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    left = [key for key in value if key not in (*lists, *inside, *whole)]
    beside = f", beside {join(left, 3)}" if left else ""
    return Rows(rows, f"columns{f', and those of {join(systems, 3)}' if systems else ''}{beside}")


def _columns(value: dict[str, list[Any]], file: str, *, named: bool) -> Rows:
    """Lists of one length: the columns of a table, or else the scores of a system each, in the order of the items."""
    lengths = {key: len(one) for key, one in value.items()}
    if len(set(lengths.values())) > 1:
        said = join(f"{key}: {n}" for key, n in lengths.items())
        raise refused(f"found lists of different lengths ({said})", file, "give every list a value for each item")
    rows = [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
    if named:
        return Rows(rows, "an object of columns")
    if len(value) > len(rows):  # systems have more items than there are systems, items few samples
        ways = {"a system": _LIST_BY_SYSTEM, "an item, with its samples": _LIST_BY_ITEM}
        said = "; ".join(f"of {what} {layout.spell()}" for what, layout in ways.items())
        raise refused(f"found {len(value)} lists of {inflect(len(rows), 'value')}", file, f"say what each is {said}")
    rows = [{"item": at, **row} for at, row in enumerate(rows, 1)]
    return Rows(rows, "an object of lists, whose positions are the items")


_MANY = 10
_MOST_KEYS = 5  # of a path to numbers
_RUN_KEY = re.compile(r"(run|seed)[ _.:-]?\d+", re.IGNORECASE)
_SPLITS = frozenset(("train", "training", "dev", "valid", "validation", "eval", "test"))


def _scores(value: dict[str, dict[str, Any]], file: str) -> Rows:
    """Numbers by two keys. Systems have items in common, queries few documents; many with all in common may be any."""
    inner = list(value.values())
    every = frozenset[str]().union(*inner)
    common = all(len(one) == len(every) for one in inner)
    if len(inner) > 1 and len(every) > 2 * max(map(len, inner)):
        raise refused(
            "found an object of objects, as {query: {document: score}}",
            file,
            f"make a run of TREC of it: {run_of(file)}",
        )
    spread = [name for name in every if (meant := parse_measure(name)) and meant.word in SPREADS]
    averages = common and len(inner) < _MANY and len(every) >= len(inner) and only_measures(every)
    if spread or averages or _SPLITS.issuperset(map(str.lower, value)):
        what = f"an object of averages ({join(inner[0], 3)})" if averages else f"values of {join(value)}"
        what = f"averages with their {join(spread)}" if spread else what
        raise refused(f"found {what}, expected scores of items", file, "give the file that has a score for each item")
    if common and all(map(_RUN_KEY.fullmatch, value)):
        return Rows(_BY_RUN.take(value), "an object of objects, as {run: {item: score}}", _BY_RUN)
    if common and len(every) < len(inner) and only_systems(every) is False:
        return Rows(_ROWS_BY_ITEM.take(value), "an object of objects, as {item: {measure: score}}", _ROWS_BY_ITEM)
    if common and len(inner) < _MANY and len(every) >= len(inner):
        measures = only_systems(value) is False
        name = "{measure: {item: score}}" if measures else "{system: {item: score}}"
        layout = _BY_METRIC if measures else _BY_SYSTEM
        return Rows(layout.take(value), f"an object of objects, as {name}", layout)
    ways = {"{system: {item: score}}": _BY_SYSTEM}
    if common and len(every) < len(inner):
        ways = {"{item: {system: score}}": _BY_ITEM} | ways
    ranks = not common or len(inner) >= _MANY
    shapes = [*ways, *(["{query: {document: score}}"] if ranks else [])]
    said = [f"for {name} {layout.spell()}" for name, layout in ways.items()]
    said += [f"for documents ranked for queries a run of TREC: {run_of(file)}"] if ranks else []
    raise refused(f"found an object of objects, as {' or '.join(shapes)}", file, f"say which: {'; '.join(said)}")


def _inside(value: dict[str, Any], file: str) -> Rows:
    """The rows inside an object, where one path alone leads to rows, or each list of rows is of a system."""
    if value.keys() >= {"schema_version", "command", "provenance"}:
        raise InputError(
            "a result that was saved, which holds no items",
            file=file,
            remedy="give the outputs or scores that it was made of; `outscore show` draws it",
        )
    found = dict(paths_of_rows(value))
    tables = [key for key in value if isinstance(value[key], list)]
    if len(tables) == len(value) > 1 and set(tables) == set(found):
        ids = [_ids(rows) for rows in found.values()]
        named = any("system" in row for rows in found.values() for row in rows)
        if ids[0] and all(one == ids[0] for one in ids) and not named:
            layout = JsonLayout(rows="*", fields={"system": "@1"})
            return Rows(layout.take(value), "an object of lists of rows, as {system: [row, row]}", layout)
    if len(found) == 1:
        ((path, rows),) = found.items()
        layout = JsonLayout(rows=path, fields={"item": "@1"} if path.endswith(".*") else {})
        deeper = all(isinstance(one, dict) and are_all(one.values(), dict) for row in rows for one in row.values())
        if (layout.fields and not deeper) or item_key(rows):
            return Rows(layout.take(value), f"rows inside, at {path!r}", layout)
        check_rows(rows, file)
        check_objects(rows, file, path)
        if holds_lists(rows):
            check_inside(rows, file, path)
    raise refused("found an object, expected rows of scores", file, _advise_nested(value) or advise(value))


def _advise_nested(value: Mapping[str, Any]) -> str:
    """The readings of numbers behind keys of names, as of tasks and systems, that give systems with the same items."""
    ways: dict[str, str] = {}
    for path, score in _paths_of_numbers(value):
        stars = range(1, 1 + path.split(".").count("*"))
        for k in stars if not ways else ():
            item = "+".join(f"@{other}" for other in stars if other != k)
            layout = JsonLayout(rows=path, fields={"system": f"@{k}", "item": item, "score": score}, own=False)
            found: dict[Any, list[Any]] = {}
            for row in layout.take(value) if item else ():
                found.setdefault(row["system"], []).append((row["item"], isinstance(row["score"], PLAIN)))
            first, *others = found.values() or [[]]
            same = len({*first}) == len(first) >= len(found) and all(numeric for _, numeric in first)
            if same and others and all({*one} == {*first} for one in others) and are_all(found, str):
                ways[next(iter(found))] = f"{layout.spell()}{_advise_repeats(value, layout)}"
    said = "; ".join(f"if {name!r} is a system {said}" for name, said in ways.items())
    return said and f"say which are the systems: {said}"


def _advise_repeats(value: Any, layout: JsonLayout) -> str:
    """The reading in which keys that would be parts of items are runs, as all have the same items, or samples."""
    parts = layout.fields["item"].split("+")
    keys = {part: [place.find(part) for place in places(value, layout.rows)] for part in parts}
    for part, of_part in sorted(keys.items(), key=lambda one: len({*one[1]})):
        items = [other for other in parts if other != part]
        n, n_items = len({*of_part}), len({*zip(*map(keys.__getitem__, items), strict=True)})
        samples = isinstance(of_part[0], int) and part == parts[-1] and n < n_items
        if n > 1 and (samples or 0 < n * n_items == len({*zip(*keys.values(), strict=True)})):
            fields = {**layout.fields, "item": "+".join(items), "sample" if samples else "run": part}
            said = "lists hold samples" if samples else f"{of_part[0]!r} is a run"
            return f", or if {said} {replace(layout, fields=fields).spell()}"
    return ""


def _paths_of_numbers(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Paths of numbers below objects, with ``*`` for all that is like the first of its kind, and of each its score."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    rows = inner if inner is value and are_all(inner, dict) else []
    if not inner or path.count(".") > _MOST_KEYS or (rows and (item_key(rows) or numbers_of(rows[0]))):
        return
    spoken = isinstance(value, dict) and any(parse_measure(key) and not is_aside(key) for key in value)
    if not spoken and are_all(inner, PLAIN):
        yield f"{path}.*".lstrip("."), "@"
    elif not spoken and len(inner) > 1 and are_all(inner, type(inner[0])) and isinstance(inner[0], dict | list):
        yield from _paths_of_numbers(inner[0], f"{path}.*".lstrip("."))
    elif isinstance(value, dict):
        yield from ((path, name) for name in numbers_of(value)[:1])
        for key, one in value.items():
            if isinstance(one, dict | list) and not is_aside(key):
                yield from _paths_of_numbers(one, f"{path}.{key}".lstrip("."))


def _ids(rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """The ids of rows, if no two have the same."""
    key = item_key(rows)
    ids = frozenset(str(row.get(key)) for row in rows)
    return ids if key and len(ids) == len(rows) else frozenset()


def flatten(rows: Sequence[Mapping[str, Any]], key: str) -> list[dict[str, Any]]:
    """Rows with the values of the object at a key beside the others; texts are those of systems."""
    return [
        {k: v for k, v in row.items() if k != key}
        | {_beside(n, v, key if n in row else ""): v for n, v in row[key].items()}
        for row in rows
    ]


def _beside(name: str, value: Any, key: str) -> str:
    return f"{SYSTEM_PREFIX[0]}{name}" if isinstance(value, str) else f"{key}.{name}" if key else name


def nested_scores(rows: Iterable[Mapping[str, Any]], kinds: tuple[type, ...] = PLAIN) -> str | None:
    """A key whose values are objects with numbers, or values of other kinds, in every row."""
    rows = list(rows)
    for key in rows[0] if rows else ():
        cells = [row.get(key) for row in rows]
        if all(isinstance(cell, dict) and cell and are_all(cell.values(), kinds) for cell in cells):
            return key
    return None


def advise_parts(name: str, row: Mapping[str, Any]) -> str:
    """The option that takes values out of the objects in a row, at ``name`` and where else single ones are expected."""
    fields: dict[str, str] = {}
    for key, cell in row.items():
        inside = numbers_in({key: cell}) if isinstance(cell, dict) else {}
        role = _role(key) or ("reference" if key == name else "")
        if inside and role and role not in fields:
            fields[role] = next(iter(inside))
    cell = row.get(name)
    if isinstance(cell, list) and cell and are_all(cell, str):
        many = "write labels of one item in one text, as 'a;b', in the gold too, and score them by -m 'f1:separator=;'"
        one = JsonLayout(fields={_role(name): f"{name}.0"}).spell() if len(cell) == 1 and _role(name) else ""
        return f"if each holds one answer, take it with {one}; if labels, {many}" if one else many
    if not fields:
        return "write a single value"
    return f"say which of its values it is, as with {JsonLayout(fields=fields).spell()}"


def _role(name: str) -> str:
    """The role of a key by its name; empty where it has none."""
    name = name.lower()
    known = {"item": name in ITEM, "output": name in OUTPUT, "reference": bool(REFERENCE.fullmatch(name))}
    known |= {"score": name == "score", "system": name in SYSTEM}
    return next((role for role, is_it in known.items() if is_it), "")
