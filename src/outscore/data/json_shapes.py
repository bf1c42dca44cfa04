"""JSON of every shape as rows: lists, columns, scores by item and system, rows somewhere inside; or a question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from shlex import quote
from typing import Any

from outscore.base.errors import InputError, inflect, join
from outscore.base.lazy import dataclass
from outscore.data.columns import ITEM, OUTPUT, grades_among, is_known
from outscore.data.json_paths import JsonLayout, numbers_in
from outscore.data.json_tools import tool_of
from outscore.data.measures import SPREADS, is_aside, only_systems, parse_measure

_PLAIN = (int, float, bool, type(None))
_BY_SYSTEM = JsonLayout(rows="*.*", fields={"system": "@1", "item": "@2", "score": "@"})
_BY_ITEM = JsonLayout(rows="*.*", fields={"system": "@2", "item": "@1", "score": "@"})
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


def rows_at(value: Any, layout: JsonLayout, file: str) -> Rows:
    """The rows where the user says that they are.

    Raises:
        InputError: there are none.
    """
    rows = layout.take(value)
    absent = [f"{name}={path}" for name, path in layout.fields.items() if all(row.get(name) is None for row in rows)]
    if not rows or absent:
        told = f"rows={layout.rows}" if not rows else join(absent)
        raise InputError(f"nothing stands at {told}", file=file, remedy=_advise(value, file))
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
        raise _refused(f"found {tool.name}, expected scores of items", file, tool.remedy(file))
    return _list(value, file) if isinstance(value, list) else _object(value, file)


def _name_cells(value: list[Any]) -> list[dict[str, Any]] | None:
    """The rows of a list of lists whose first names the cells; None where it may be a row like the others."""
    if len(value) < 2 or not _are_all(value, list) or len({len(row) for row in value}) > 1:
        return None
    names, *rows = value
    if not _are_all(names, str) or len(set(names)) < len(names) or len(names) < 2 or "" in names:
        return None
    # texts above texts are names where one of them is known to be
    alike = all(isinstance(cell, str) for row in rows for cell in row)
    if alike and not any(is_known(name) or name.lower() in ITEM for name in names):
        return None
    return [dict(zip(names, row, strict=True)) for row in rows]


def _list(value: list[Any], file: str) -> Rows:
    if value and _are_all(value, dict):
        return Rows(value)
    if (named := _name_cells(value)) is not None:
        return Rows(named)
    field = "score" if _are_all(value, (int, float, bool)) else "output" if _are_all(value, str) else ""
    if not value or not field:
        kind = "an empty list" if not value else "a list of lists" if _are_all(value, list) else "a list"
        raise _refused(
            f"found {kind}, expected objects or numbers",
            file,
            "write an object with names for its values for each, or begin with a list of names: item, system, score",
        )
    layout = JsonLayout(fields={"item": "@1", field: "@"})
    return Rows(layout.take(value), f"a list of {'texts' if field == 'output' else 'numbers'}", layout)


def _object(value: Any, file: str) -> Rows:
    if not isinstance(value, dict) or not value:
        kind = "an empty object" if value == {} else "a text" if isinstance(value, str) else "a number"
        raise _refused(
            f"found {'null' if value is None else kind}, expected rows of scores",
            file,
            "write an object with item and score for each",
        )
    inner, named = list(value.values()), any(is_known(key) for key in value)
    scalars = [key for key, one in value.items() if not isinstance(one, dict | list)]
    if any(key.lower() in (*ITEM, *OUTPUT) for key in scalars):
        if any(_numbers_of(rows[0]) for _, rows in _paths(value)):
            return _inside(value, file)  # a score of the whole, beside those of the items
        return Rows([value])
    if {"columns", "data"} <= set(value) and isinstance(value["data"], list) and _are_all(value["data"], list):
        rows = [dict(zip(value["columns"], row, strict=False)) for row in value["data"]]
        return Rows(rows, "a table of columns and data")
    if _are_all(inner, list) and not any(isinstance(one, dict | list) for column in inner for one in column):
        return _columns(value, file, named=named)
    if _are_all(inner, dict) and all(_are_all(one.values(), (*_PLAIN, str)) for one in inner):
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
    if _are_all(inner, _PLAIN):
        if only_systems(value) is not True or any(map(is_aside, value)) or named:
            raise _refused(
                f"found an object of averages ({join(value, 3)}), expected scores of items",
                file,
                "give the file that has a score for each item",
            )
        layout = JsonLayout(rows="*", fields={"item": "@1", "score": "@"})
        return Rows(layout.take(value), "an object with a number for each key, as {item: score}", layout)
    if _are_all(inner, str):
        layout = JsonLayout(rows="*", fields={"item": "@1", "output": "@"})
        return Rows(layout.take(value), "an object with a text for each key, as {item: output}", layout)
    return _inside(value, file)


def _columns(value: dict[str, list[Any]], file: str, *, named: bool) -> Rows:
    """Lists of one length: the columns of a table, or else the scores of a system each, in the order of the items."""
    lengths = {key: len(one) for key, one in value.items()}
    if len(set(lengths.values())) > 1:
        said = join(f"{key}: {n}" for key, n in lengths.items())
        raise _refused(f"found lists of different lengths ({said})", file, "give every list a value for each item")
    rows = [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
    if named:
        return Rows(rows, "an object of columns")
    if len(value) > len(rows):  # systems have more items than there are systems, items few samples
        ways = {"a system": _LIST_BY_SYSTEM, "an item, with its samples": _LIST_BY_ITEM}
        said = "; ".join(f"of {what} {layout.spell()}" for what, layout in ways.items())
        raise _refused(f"found {len(value)} lists of {inflect(len(rows), 'value')}", file, f"say what each is {said}")
    rows = [{"item": at, **row} for at, row in enumerate(rows, 1)]
    return Rows(rows, "an object of lists, whose positions are the items")


_MANY = 10
_SPLITS = frozenset(("train", "training", "dev", "valid", "validation", "eval", "test"))


def _scores(value: dict[str, dict[str, Any]], file: str) -> Rows:
    """Numbers by two keys. Systems have items in common, queries few documents; many with all in common may be any."""
    inner = list(value.values())
    every = frozenset[str]().union(*inner)
    common = all(len(one) == len(every) for one in inner)
    if len(inner) > 1 and len(every) > 2 * max(map(len, inner)):
        raise _refused(
            "found an object of objects, as {query: {document: score}}",
            file,
            f"make a run of TREC of it: {_run_of(file)}",
        )
    spread = [name for name in every if (meant := parse_measure(name)) and meant.word in SPREADS]
    if spread or _SPLITS.issuperset(map(str.lower, value)):
        what = f"averages with their {join(spread)}" if spread else f"values of {join(value)}"
        raise _refused(f"found {what}, expected scores of items", file, "give the file that has a score for each item")
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
    said += [f"for documents ranked for queries a run of TREC: {_run_of(file)}"] if ranks else []
    raise _refused(f"found an object of objects, as {' or '.join(shapes)}", file, f"say which: {'; '.join(said)}")


def _inside(value: dict[str, Any], file: str) -> Rows:
    """The rows inside an object, where one path alone leads to rows, or each list of rows is of a system."""
    if value.keys() >= {"schema_version", "command", "provenance"}:
        raise InputError(
            "a result that was saved, which holds no items",
            file=file,
            remedy="give the outputs or scores that it was made of; `outscore show` draws it",
        )
    found = dict(_paths(value))
    tables = [key for key in value if isinstance(value[key], list)]
    if len(tables) == len(value) > 1 and set(tables) == set(found):
        ids = [_ids(rows) for rows in found.values()]
        if (
            ids[0]
            and all(one == ids[0] for one in ids)
            and not any("system" in row for rows in found.values() for row in rows)
        ):
            layout = JsonLayout(rows="*", fields={"system": "@1"})
            return Rows(layout.take(value), "an object of lists of rows, as {system: [row, row]}", layout)
    if len(found) == 1:
        ((path, rows),) = found.items()
        layout = JsonLayout(rows=path, fields={} if isinstance(_at(value, path), list) else {"item": "@1"})
        if layout.fields or _item_key(rows):
            return Rows(layout.take(value), f"rows inside, at {path!r}", layout)
    raise _refused("found an object, expected rows of scores", file, _advise(value, file))


def _at(value: Any, path: str) -> Any:
    return next((one for at, one in _walk(value) if at == path.removesuffix(".*")), None)


def _item_key(rows: Sequence[Mapping[str, Any]]) -> str:
    """The key of the ids of items, by a name that they have; empty where none has one."""
    return next((key for key, one in rows[0].items() if key.lower() in ITEM and not isinstance(one, dict | list)), "")


def _ids(rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """The ids of rows, if no two have the same."""
    key = _item_key(rows)
    ids = frozenset(str(row.get(key)) for row in rows)
    return ids if key and len(ids) == len(rows) else frozenset()


_DEEPEST = 5
_FEW = 2


def _walk(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    yield path, value
    for key, one in value.items() if isinstance(value, dict) and depth < _DEEPEST else ():
        yield from _walk(one, f"{path}.{key}" if path else key, depth + 1)


def _paths(value: Any) -> Iterator[tuple[str, list[Any]]]:
    """The paths that lead to rows, outermost first: lists of objects, or objects of objects with keys in common."""
    inside: list[str] = []
    for path, one in _walk(value):
        if any(path.startswith(f"{outer}.") for outer in inside) or not path:
            continue
        rows = one if isinstance(one, list) else list(one.values()) if isinstance(one, dict) else []
        alike = isinstance(one, list) or (
            len(rows) > _FEW and _are_all(rows, dict) and frozenset.intersection(*map(frozenset, rows))
        )
        if len(rows) >= _FEW and _are_all(rows, dict) and alike:
            inside.append(path)
            yield path if isinstance(one, list) else f"{path}.*", rows


def _advise(value: Any, file: str) -> str:
    """The paths that hold rows, and the option that reads the likeliest."""
    found = dict(_paths(value)) if isinstance(value, dict) else {"": value} if isinstance(value, list) else {}
    found = {path: rows for path, rows in found.items() if rows and _are_all(rows, dict)}
    if not found:
        for path, one in _walk(value):
            if path and isinstance(one, dict) and len(one) > _FEW and _are_all(one.values(), _PLAIN):
                layout = JsonLayout(rows=f"{path}.*", fields={"item": "@1", "score": "@"})
                return (
                    f"numbers stand at {path!r} ({join(one, 3)}): if they are scores of items, say so: {layout.spell()}"
                )
        return "write an object with item and score for each item"
    said, ways = [], []
    for path, rows in found.items():
        cells = numbers_in(rows[0])
        item = next((key for key in cells if key.lower() in ITEM), "@1" if path.endswith("*") else "")
        named = {"item": item or next(iter(cells), "@1")}
        score = [key for key in _numbers_of(rows[0]) if key != named["item"]]
        named["score"] = next(iter(score), "PATH")
        ways.append((bool(item) and bool(score), len(rows), JsonLayout(rows=path, fields=named)))
        said.append(f"{path or 'its list'!r} ({len(rows)} with {join(cells, 6)})")
    likeliest = max(ways, key=lambda way: way[:2])[2]
    return f"rows stand at {', '.join(said[:6])}: say which hold the scores, as with {likeliest.spell()}"


def _numbers_of(row: Any) -> list[str]:
    """The paths of numbers in a row that may be scores."""
    names = ((path, one, path.rpartition(".")[2]) for path, one in numbers_in(row).items())
    return [p for p, one, n in names if isinstance(one, int | float) and n.lower() not in ITEM and not is_aside(n)]


def check_inside(rows: Sequence[Mapping[str, Any]], file: str) -> None:
    """Refuses rows without scores beside their ids where such may stand inside them.

    Raises:
        InputError: with the option that reads them.
    """
    key = _item_key(rows)
    item = {"item": f"^{key}" if key else "@1"}
    for name, one in rows[0].items():
        if isinstance(one, list) and one and _are_all(one, (int, float)):
            layout = JsonLayout(rows=f"*.{name}", fields={**item, "sample": "@2", "score": "@"})
            raise _refused(
                f"the rows hold lists of numbers ({name!r}), expected a score", file, _say(layout, "samples")
            )
        if isinstance(one, list) and one and _are_all(one, dict) and (score := _numbers_of(one[0])):
            fields = {"item": _item_key(one) or "@2", "score": score[0]}
            layout = JsonLayout(rows=f"*.{name}", fields=fields | ({"domain": f"^{key}"} if key else {}))
            raise _refused(f"{name!r} holds lists of rows, expected a score", file, _say(layout, "items"))
        parts = list(one.values()) if isinstance(one, dict) else []
        inner = next(iter(numbers_in(parts[0])), "") if parts and _are_all(parts, dict) else ""
        if inner and all(isinstance(row.get(name), dict) for row in rows):
            layout = JsonLayout(rows=f"*.{name}.*", fields={"system": "@2", **item, "score": inner})
            raise _refused(
                f"the scores stand inside {name!r}, expected them beside the others", file, _say(layout, "systems")
            )


def _say(layout: JsonLayout, of: str) -> str:
    return f"if they are of {of}, say so: {layout.spell()}"


def advise_part(name: str, cell: Any) -> str:
    """The option that takes a value out of an object that stands where a single one is expected."""
    inside = numbers_in({name: cell})
    role = (
        name.lower()
        if name.lower() in ("item", "score", "output", "system")
        else "item"
        if name.lower() in ITEM
        else ""
    )
    role = role or ("output" if name.lower() in OUTPUT else "reference")
    if not inside:
        return "write a single value"
    return f"say which of its values it is, as with {JsonLayout(fields={role: next(iter(inside))}).spell()}"


def _run_of(file: str) -> str:
    """The command that writes ``{query: {document: score}}`` as a run of TREC, tagged by the name of the file."""
    stem = file.removesuffix(".gz").removesuffix(".json")
    tag = json.dumps("_".join(PurePath(stem).name.split()), ensure_ascii=False)[1:-1]
    program = f'to_entries[] | .key as $q | .value | to_entries[] | "\\($q) Q0 \\(.key) 0 \\(.value) {tag}"'
    if file == "<stdin>":
        return f"jq -r {quote(program)} before the pipe"
    name = quote(f"./{file}" if file.startswith("-") else file)
    read = f"gzip -dc {name} | jq -r {quote(program)}" if file.endswith(".gz") else f"jq -r {quote(program)} {name}"
    return f"{read} > {quote(f'{stem}.run')}"


def flatten(rows: Sequence[Mapping[str, Any]], key: str) -> list[dict[str, Any]]:
    """Rows with the values of the object at a key beside the others."""
    return [
        {k: v for k, v in row.items() if k != key}
        | {(n if n not in row else f"{key}.{n}"): v for n, v in row[key].items()}
        for row in rows
    ]


def nested_scores(rows: Iterable[Mapping[str, Any]]) -> str | None:
    """A key whose values are objects with numbers in every row."""
    rows = list(rows)
    for key in rows[0] if rows else ():
        cells = [row.get(key) for row in rows]
        if all(isinstance(cell, dict) and cell and _are_all(cell.values(), _PLAIN) for cell in cells):
            return key
    return None


def objects_in(text: str) -> list[Any]:
    """The JSON values that stand one after another in a text; none where one is broken."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        found.append(value)
    return found


def _refused(message: str, file: str, remedy: str) -> InputError:
    return InputError(message, file=file, line=1, remedy=remedy)


def _are_all(values: Iterable[Any], kinds: type | tuple[type, ...]) -> bool:
    return all(isinstance(value, kinds) for value in values)
