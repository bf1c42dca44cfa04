"""Scores inside the rows of JSON, in lists or objects: the option that reads them, or the command that does it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from shlex import quote
from typing import Any

from outscore.base.errors import join
from outscore.base.lazy import dataclass
from outscore.data.columns import ITEM, OUTPUT, REFERENCE, SYSTEM
from outscore.data.json_paths import (
    MEASURES,
    PLAIN,
    JsonLayout,
    are_all,
    id_of,
    item_key,
    numbers_in,
    numbers_of,
    refused,
)
from outscore.data.measures import only_measures, only_systems

_SYSTEMS = frozenset((*SYSTEM, "systems", "models"))
_ITEMS = frozenset((*ITEM, "items", "ids", "questions", "examples", "prompts", "tasks", "queries", "segments"))
_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, kw_only=True)
class _Surroundings:
    """Rows with scores inside them, and what stands around these.

    Attributes:
        at: path of the rows, with ``*`` at its end.
        item: path of the id of a row, or of its key or position.
        system: path of the system of a row; empty where none is named.
        alone: each row holds all scores of a system.
        deep: number of the key or position inside a row.
    """

    at: str
    item: str
    system: str
    alone: bool
    deep: int


def _around(rows: Sequence[Mapping[str, Any]], at: str) -> _Surroundings:
    at = at if at.endswith("*") else f"{at}.*".lstrip(".")
    stars, key = at.split(".").count("*"), id_of(rows)
    system = next((name for name in rows[0] if name.lower() in SYSTEM), "")
    return _Surroundings(
        at=at,
        item=f"^{key}" if key else f"@{stars}",
        system=system and f"^{system}",
        alone=bool(system) and len({str(row.get(system)) for row in rows}) == len(rows) > 1,
        deep=stars + 1,
    )


def check_inside(rows: Sequence[Mapping[str, Any]], file: str, at: str) -> None:
    """Refuses rows, which stand at a path, without scores beside their ids where such may stand inside them.

    Raises:
        InputError: with the option that reads them.
    """
    around, key = _around(rows, at), id_of(rows)
    for name, one in rows[0].items():
        lists = list(one.values()) if isinstance(one, dict) else [one]
        if lists and all(isinstance(part, list) and part and are_all(part, (int, float)) for part in lists):
            said = _advise_lists(rows, name, around)
            raise refused(f"the rows hold lists of numbers ({name!r}), expected a score", file, said)
        if isinstance(one, list) and one and are_all(one, dict) and (score := numbers_of(one[0])):
            said = _advise_rows(one, name, score[0], around, key)
            raise refused(f"{name!r} holds lists of rows, expected a score", file, said)
        parts = list(one.values()) if isinstance(one, dict) else []
        inner = next(iter(numbers_in(parts[0])), "") if parts and are_all(parts, dict) else ""
        if inner and all(isinstance(row.get(name), dict) for row in rows):
            fields = {"system": f"@{around.deep}", "item": around.item, "score": inner}
            said = _say(JsonLayout(rows=f"{around.at}.{name}.*", fields=fields), "systems")
            raise refused(f"the scores stand inside {name!r}, expected them beside the others", file, said)


def holds_lists(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether rows hold lists of numbers, or objects of such."""
    inner = [part for one in rows[0].values() for part in (one.values() if isinstance(one, dict) else [one])]
    return any(isinstance(part, list) and part and are_all(part, (int, float)) for part in inner)


def _advise_lists(rows: Sequence[Mapping[str, Any]], name: str, around: _Surroundings) -> str:
    """The option that reads lists of numbers under a key of the rows, or under keys of the object there."""
    one, deep = rows[0][name], f"@{around.deep}"
    of_systems = {"system": around.system or "^name", "item": deep, "score": "@"}
    samples = {"system": around.system, "item": around.item, "sample": deep, "score": "@"}
    if isinstance(one, dict):
        samples = {"system": deep, "item": around.item, "sample": f"@{around.deep + 1}", "score": "@"}
        if around.alone:
            samples |= {"system": around.system, "item": deep}
        return _say(JsonLayout(rows=f"{around.at}.{name}.*", fields=samples), "samples")
    path = f"{around.at}.{name}"
    if around.alone:
        return _say(JsonLayout(rows=path, fields=of_systems), "items, of a system each")
    said = _say(JsonLayout(rows=path, fields=samples), "samples")
    names = {str(row.get("name")) for row in rows}
    if not around.system and "name" in rows[0] and len(names) == len(rows) < len(one):
        said += f"; if {rows[0]['name']!r} is a system, {JsonLayout(rows=path, fields=of_systems).spell()}"
    return said


def _advise_rows(inner: Sequence[Mapping[str, Any]], name: str, score: str, around: _Surroundings, key: str) -> str:
    """The option that reads lists of rows under a key of the rows."""
    system = next((part for part in inner[0] if part.lower() in SYSTEM), "")
    metric = next((part for part in inner[0] if part.lower() in MEASURES), "")
    own, deep = item_key(inner), f"@{around.deep}"
    fields = {"item": own, "score": score} | ({"domain": f"^{key}"} if key else {})
    what = "systems" if system else "measures" if metric else "items" if own else "samples"
    if around.alone and not system:
        metrics = {str(part.get(metric)) for part in inner}
        # a name that comes once in each list names its items
        measured = metric and (own or only_measures(metrics))
        role = {"metric": metric} if measured else {}
        fields = {"system": around.system, "item": own or _name_items(inner) or deep, **role, "score": score}
        what = "items, of a system each"
    elif system or metric or not own:
        role = {"system": system} if system else {"metric": metric} if metric else {"sample": deep}
        fields = {"system": around.system, **role, "item": around.item, "score": score}
    return _say(JsonLayout(rows=f"{around.at}.{name}", fields=fields), what)


def _name_items(rows: Sequence[Mapping[str, Any]]) -> str:
    """The key of ids, or else the first whose texts, or whole numbers, are another in each row; empty without one."""
    for kind in (str, int):
        for name in rows[0]:
            cells = [row.get(name) for row in rows]
            if are_all(cells, kind) and not are_all(cells, bool) and len({*cells}) == len(rows):
                return id_of(rows) or name
    return id_of(rows)


def check_objects(rows: Sequence[Mapping[str, Any]], file: str, at: str, *, of_lines: bool = False) -> None:
    """Refuses rows with an object of scores for each system, or with one of the scores of all items of a system.

    Raises:
        InputError: with the command that lays them flat, or the option that reads them.
    """
    around = _around(rows, at)
    of = {name: one for name, one in rows[0].items() if isinstance(one, dict) and one}
    of = {name: one for name, one in of.items() if all(isinstance(row.get(name), dict) for row in rows)}
    for name, one in of.items():
        by_item = around.alone and are_all(one.values(), PLAIN) and len(one) > len(rows)
        if by_item and not item_key(rows) and only_systems(one) is True:
            fields = {"system": around.system, "item": f"@{around.deep}", "score": "@"}
            said = _say(JsonLayout(rows=f"{around.at}.{name}.*", fields=fields), "items, of a system each")
            raise refused(f"the scores stand inside {name!r}, expected them beside the others", file, said)
    of = {n: one for n, one in of.items() if not (n.lower() in OUTPUT or REFERENCE.fullmatch(n.lower()))}
    scores = {tuple(numbers_of(one)[:1]) for one in of.values()}
    alone = all(len(numbers_of(one)) == 1 for one in of.values())  # else one of several numbers would be picked
    alike = len(of) > 1 and len({*map(frozenset, of.values())}) == 1 and (alone or only_systems(of) is True)
    if not alike or len(scores) > 1 or not (score := next(iter(scores))) or around.system:
        return
    if not (item := _name_items(rows)):
        return
    cells = ", ".join(f"{json.dumps(n, ensure_ascii=False)}: {_step(f'{n}.{score[0]}')}" for n in of)
    whole = f'{{"item": {_step(item)}, {cells}}}'
    program = whole if of_lines else f"[{_steps(around.at)} | {whole}]"
    name, to = quote(file), quote(f"flat-{PurePath(file).name}")
    say = f"jq {'-c ' * of_lines}{quote(program)} {name} > {to}"
    raise refused(
        f"each row holds an object of {join(of, 3)}, expected scores beside the id",
        file,
        f"if these are systems, or measures of one, lay their scores flat: {say}",
    )


def _steps(path: str) -> str:
    """A path of rows as jq writes it."""
    return "".join("[]" if step == "*" else _step(step) for step in path.split(".")).replace("[]", ".[]", path == "*")


def _step(path: str) -> str:
    return "".join(f".{key}" if _PLAIN_KEY.fullmatch(key) else f".[{json.dumps(key)}]" for key in path.split("."))


def rows_of_matrix(value: Any) -> list[dict[str, Any]]:
    """Rows of lists of systems and items and a list of the scores of each; empty where these are not what is there."""
    lists = {key: one for key, one in value.items() if isinstance(one, list) and one} if isinstance(value, dict) else {}
    systems = next((one for key, one in lists.items() if key.lower() in _SYSTEMS), [])
    items = next((one for key, one in lists.items() if key.lower() in _ITEMS), [])
    tables = [one for one in lists.values() if are_all(one, list) and all(are_all(row, PLAIN) for row in one)]
    if len(tables) != 1 or not are_all(systems, str) or not are_all(items, (str, int)):
        return []
    shape = {(len(tables[0]), len(row)) for row in tables[0]}
    if len(systems) == len(items) or shape not in ({(len(systems), len(items))}, {(len(items), len(systems))}):
        return []
    table = tables[0] if len(tables[0]) == len(systems) else [*zip(*tables[0], strict=True)]
    scored = [
        (system, item, score)
        for system, of in zip(systems, table, strict=True)
        for item, score in zip(items, of, strict=True)
    ]
    return [{"system": system, "item": str(item), "score": score} for system, item, score in scored]


def _say(layout: JsonLayout, of: str) -> str:
    return f"if they are of {of}, say so: {layout.spell()}"


def run_of(file: str) -> str:
    """The command that writes ``{query: {document: score}}`` as a run of TREC, tagged by the name of the file."""
    stem = file.removesuffix(".gz").removesuffix(".json")
    tag = json.dumps("_".join(PurePath(stem).name.split()), ensure_ascii=False)[1:-1]
    program = f'to_entries[] | .key as $q | .value | to_entries[] | "\\($q) Q0 \\(.key) 0 \\(.value) {tag}"'
    if file == "<stdin>":
        return f"jq -r {quote(program)} before the pipe"
    name = quote(f"./{file}" if file.startswith("-") else file)
    read = f"gzip -dc {name} | jq -r {quote(program)}" if file.endswith(".gz") else f"jq -r {quote(program)} {name}"
    return f"{read} > {quote(f'{stem}.run')}"
