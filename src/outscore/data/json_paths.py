"""Rows inside JSON, and what stands in them, by paths: ``results.samples``, ``*.*``, ``metrics.f1``, ``@1``.

Where rows may stand in several places, the option that reads them is advised.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from outscore.base.errors import InputError, join
from outscore.base.lazy import dataclass
from outscore.data.columns import ITEM, OUTPUT, REFERENCE, RUN, SYSTEM
from outscore.data.grades import grades_among
from outscore.data.measures import is_aside, only_measures

_ABSENT: Final = object()
_TEXTS = ("system", "item", "run", "sample", "metric", "annotator", "label")
ROLES = (*_TEXTS, "score", "output", "reference", "domain", "cluster")
"""Those that a field may have; one of another name is a measure."""
MEASURE = {"metric": "measure"}
"""The option that says where a role stands, where it has another name."""


@dataclass(frozen=True, kw_only=True)
class JsonLayout:
    """Place of the rows in a JSON value, and of the values in each row.

    Attributes:
        rows: path of the rows, keys joined by points. ``*`` stands for every value of an object or a list, a number
            for one of a list; a list at the end is taken apart.
        fields: path of the value of each role, or of a column, in the row. ``@`` is the row itself, ``@1`` the key or
            position that the first ``*`` stood for, ``^key`` is taken from the nearest object around the row that has
            it, ``a|b`` is the first that is there, and ``a+b`` both.
        columns: path of an object of numbers, or of a list of objects with name and score: a column for each.
        skip, void: path and value by which a row is none, or has no score.
        order: path of a number that sorts the rows, where they stand as they were done.
        own: the other values of a row are columns too.
    """

    rows: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    columns: str = ""
    skip: tuple[str, Any] | None = None
    void: tuple[str, Any] | None = None
    order: str = ""
    own: bool = True

    def spell(self) -> str:
        """The option of the command line that reads rows of this layout."""
        fields = {MEASURE.get(name, name): path for name, path in self.fields.items()}
        said = {"rows": self.rows, **fields, "columns": self.columns}
        return "--reader 'json:" + ",".join(f"{name}={path}" for name, path in said.items() if path) + "'"

    def take(self, value: Any) -> list[dict[str, Any]]:
        """The rows of a JSON value by the names of columns; empty where the path leads nowhere.

        Where columns or fields are measures, there is a row for each of them, with the keys metric and score.
        """
        rows: list[dict[str, Any]] = []
        scores: list[dict[str, Any]] = []
        found = (one for one in places(value, self.rows) if self.skip is None or one.find(self.skip[0]) != self.skip[1])
        for place in sorted(found, key=lambda one: str(one.find(self.order)).zfill(9)) if self.order else found:
            row = dict(place.value) if self.own and isinstance(place.value, dict) else {}
            named: dict[str, Any] = {}
            for name, path in self.fields.items():
                whole = path if path in row else path.partition(".")[0]  # the object that a value is taken from, too
                if whole == path or isinstance(row.get(whole), dict):
                    row.pop(whole, None)
                cell = place.find(path)
                into = row if name in ROLES else named
                into[name] = _text(cell) if name in _TEXTS else cell
            named |= _columns(place.find(self.columns)) if self.columns else {}
            if self.void is not None and place.find(self.void[0]) == self.void[1]:
                named, row["score"] = dict.fromkeys(named), None
            rows.append(row)
            scores.append(named)
        names = dict.fromkeys(name for named in scores for name in named)
        if not names:
            return rows
        every = [
            ({"score": row.pop("score")} if "score" in row else {}) | {name: named.get(name) for name in names}
            for row, named in zip(rows, scores, strict=True)
        ]
        return [
            row | {"metric": name, "score": score}
            for row, named in zip(rows, every, strict=True)
            for name, score in named.items()
        ]


@dataclass(frozen=True)
class JsonPlace:
    """A value inside JSON, the keys and positions that ``*`` stood for on the way, and the values around it."""

    value: Any
    keys: tuple[str | int, ...] = ()
    above: tuple[Any, ...] = ()

    def find(self, path: str) -> Any:
        """The value at a path from here; None where there is none."""
        for one in path.split("|"):
            if (found := self._find(one)) not in (None, _ABSENT):
                return found
        return None

    def _find(self, path: str) -> Any:
        if path == "@":
            return self.value
        if path[:1] == "@" and path[1:].isdecimal():
            return self.keys[int(path[1:]) - 1] if 0 < int(path[1:]) <= len(self.keys) else _ABSENT
        if path[:1] == "^":
            around = (get(value, path[1:]) for value in reversed(self.above) if isinstance(value, dict))
            found = next((found for found in around if found is not _ABSENT), _ABSENT)
        else:
            found = get(self.value, path)
        if found is _ABSENT and "+" in path:
            parts = [_text(self._find(part)) for part in path.split("+")]
            return _ABSENT if {_ABSENT, None, ""}.intersection(parts) else "/".join(map(str, parts))
        return found


def places(value: Any, path: str) -> Iterator[JsonPlace]:
    """The values that a path leads to; those of a list where it ends at one."""
    for place in _walk(JsonPlace(value), path.split(".") if path else []):
        if isinstance(place.value, list):
            yield from _each(place)
        else:
            yield place


def _walk(place: JsonPlace, steps: Sequence[str]) -> Iterator[JsonPlace]:
    if not steps:
        yield place
    elif steps[0] == "*":
        for one in _each(place):
            yield from _walk(one, steps[1:])
    else:
        found, left = _step(place.value, steps)
        if found is not _ABSENT:
            yield from _walk(JsonPlace(found, place.keys, (*place.above, place.value)), left)


def _each(place: JsonPlace) -> Iterator[JsonPlace]:
    value = place.value
    inner = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    for key, one in inner:
        yield JsonPlace(one, (*place.keys, key), (*place.above, value))


def _step(value: Any, steps: Sequence[str]) -> tuple[Any, Sequence[str]]:
    """The value behind the first step, and the steps that are left: a key may hold points itself."""
    if isinstance(value, dict):
        for n in range(len(steps), 0, -1):
            if (key := ".".join(steps[:n])) in value:
                return value[key], steps[n:]
    if isinstance(value, list) and steps[0].lstrip("-").isdecimal() and -len(value) <= int(steps[0]) < len(value):
        return value[int(steps[0])], steps[1:]
    return _ABSENT, steps


def get(value: Any, path: str) -> Any:
    """The value at a path, with ``*`` for the first one of an object or list."""
    return next((place.value for place in _walk(JsonPlace(value), path.split("."))), _ABSENT)


def has(value: Any, path: str) -> bool:
    """Whether something stands at a path, be it null."""
    return get(value, path) is not _ABSENT


def _columns(value: Any) -> dict[str, Any]:
    """Numbers by name, of an object or of a list of objects with name and score."""
    if isinstance(value, list):
        return {str(one.get("name")): one.get("score") for one in value if isinstance(one, dict)}
    return dict(value) if isinstance(value, dict) else {}


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if isinstance(value, dict | list) else value


def numbers_in(row: Any, deepest: int = 3) -> dict[str, Any]:
    """The single values in a row, also those in objects inside it, by their paths."""
    found: dict[str, Any] = {}
    for key, one in row.items() if isinstance(row, dict) else ():
        if isinstance(one, dict) and deepest > 1:
            found |= {f"{key}.{path}": value for path, value in numbers_in(one, deepest - 1).items()}
        elif not isinstance(one, dict | list):
            found[key] = one
    return found


PLAIN = (int, float, bool, type(None))
MEASURES = ("metric", "metric_name", "measure", "name")
_NO_SCORES = (*ITEM, *RUN)
_DEEPEST = 5
_FEW = 2


def item_key(rows: Sequence[Mapping[str, Any]]) -> str:
    """The key of the ids of items, by a name that they have; empty where none has one."""
    return next((key for key, one in rows[0].items() if key.lower() in ITEM and not isinstance(one, dict | list)), "")


def walk(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The values in objects, with their paths, outermost first."""
    yield path, value
    for key, one in value.items() if isinstance(value, dict) and depth < _DEEPEST else ():
        yield from walk(one, f"{path}.{key}" if path else key, depth + 1)


def paths_of_rows(value: Any) -> Iterator[tuple[str, list[Any]]]:
    """The paths that lead to rows, outermost first: lists of objects, or objects of objects with keys in common."""
    inside: list[str] = []
    for path, one in walk(value):
        if any(path.startswith(f"{outer}.") for outer in inside) or not path:
            continue
        rows = one if isinstance(one, list) else list(one.values()) if isinstance(one, dict) else []
        alike = isinstance(one, list) or (
            len(rows) > _FEW and are_all(rows, dict) and frozenset.intersection(*map(frozenset, rows))
        )
        if len(rows) >= _FEW and are_all(rows, dict) and alike:
            inside.append(path)
            yield path if isinstance(one, list) else f"{path}.*", rows


def advise(value: Any) -> str:
    """The paths that hold rows, and the option that reads the likeliest."""
    if isinstance(value, dict) and (said := _advise_lists(value)):
        return said
    found = dict(paths_of_rows(value)) if isinstance(value, dict) else {"": value} if isinstance(value, list) else {}
    found = {path: rows for path, rows in found.items() if rows and are_all(rows, dict)}
    if not found:
        for path, one in walk(value):
            inside = one if path and isinstance(one, dict) and not only_measures(one) else {}
            if len(inside) > _FEW and are_all(inside.values(), PLAIN):
                layout = JsonLayout(rows=f"{path}.*", fields={"item": "@1", "score": "@"})
                found_at = f"numbers stand at {path!r} ({join(one, 3)})"
                return f"{found_at}: if they are scores of items, say so: {layout.spell()}"
        return "write an object with item and score for each item"
    within = {at: outer for path, outer in found.items() for at, _ in _with_inner(path, outer) if at != path}
    alone = {at: rows for path, outer in found.items() for at, rows in _with_inner(path, outer)}
    found = _together(value, alone)
    shown, ways = [], []
    for path, rows in found.items():
        cells = numbers_in(rows[0])
        known, outer = _inner(cells, ITEM), within.get(path, [{}])
        item = known or "@1" * path.endswith("*")
        named = {"item": item or next(iter(cells), "@1")}
        again = len({str(row.get(named["item"])) for row in rows}) < len(rows)  # what is around tells them apart
        around = next((f"^{name}" for name in outer[0] if name.lower() in SYSTEM), "")
        if again and not known and not around and (key := id_of(outer)):
            measure = next((name for name in cells if name in MEASURES), "")
            item, named["metric"], named["sample"] = f"^{key}", measure, "" if measure else f"@{path.count('*') + 1}"
        elif again and not around and "name" in outer[0]:
            around = "^name"
        named["item"] = (item or named["item"]) if path in alone else f"@1+{known or '@2'}"
        score = [name for name in numbers_of(rows[0]) if name not in named["item"].split("+")]
        texts = {role: name for name in cells for role in ("output", "reference") if _is_text(role, name, rows)}
        named |= texts if len(texts) == _FEW and not score else {"score": next(iter(score), "PATH")}
        system = around or _inner(cells, SYSTEM)
        named |= {"system": system} if around or len({numbers_in(row).get(system) for row in rows}) > 1 else {}
        good = bool(item) and "PATH" not in named.values()
        ways.append((good, len(rows), JsonLayout(rows=path, fields=named)))
        shown.append(f"{path or 'its list'!r} ({len(rows)} with {join(cells, 6)})")
    likeliest = max(ways, key=lambda way: way[:2])[2]
    said = f"rows stand at {', '.join(shown[:6])}: say which hold the scores, as with {likeliest.spell()}"
    if likeliest.rows not in alone:
        of_systems = {"system": "@1", **likeliest.fields, "item": likeliest.fields["item"].removeprefix("@1+")}
        one = next(places(value, likeliest.rows)).keys[0]
        said += f"; if {one!r} is a system, {JsonLayout(rows=likeliest.rows, fields=of_systems).spell()}"
    if (around := likeliest.fields.get("system", "")) == "^name":
        parts = {"item": f"{around}+{likeliest.fields['item']}"}
        parts |= {name: at for name, at in likeliest.fields.items() if name not in ("system", "item")}
        said += f"; if the names are of tasks, {JsonLayout(rows=likeliest.rows, fields=parts).spell()}"
    return said


def _together(value: Any, found: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Paths of rows with one for those of the same last key, as items, that differ in one above and have rows alike."""
    wholes: dict[tuple[str, frozenset[str]], list[str]] = {}
    for path, rows in found.items():
        steps = path.split(".")
        for at in range(path.removesuffix(".*").count(".")):
            wholes.setdefault((".".join([*steps[:at], "*", *steps[at + 1 :]]), frozenset(rows[0])), []).append(path)
    for (whole, _), like in wholes.items():
        every = [row for path in like for row in found[path]]
        if len(like) > 1 and len(list(places(value, whole))) == len(every):
            return {path: rows for path, rows in found.items() if path not in like} | {whole: every}
    return found


def _inner(cells: Mapping[str, Any], names: Sequence[str]) -> str:
    """The path of a value of one of these names; else, for items, of an id by its name."""
    found = [path for path in cells if path.rpartition(".")[2].lower() in names]
    return next(iter(found or [path for path in cells if path.lower().endswith("id") and names is ITEM]), "")


def advise_inside(rows: Sequence[Mapping[str, Any]]) -> tuple[str, bool]:
    """The option that reads scores inside rows, and whether ids stand there, too; empty where there are no scores."""
    if not any(isinstance(one, dict) for one in rows[0].values()) or not (scores := numbers_of(rows[0])):
        return "", False
    cells = [numbers_in(row) for row in rows]
    item, system = _inner(cells[0], ITEM), _inner(cells[0], SYSTEM)
    graded = isinstance(cells[0][scores[0]], str) and not any(isinstance(one, str) for one in rows[0].values())
    item = item or next(iter(cells[0])) * graded
    unique = len({(row.get(item), row.get(system)) for row in cells}) == len(rows)
    beside = item_key(rows) or any(key.lower().endswith("id") for key in rows[0])
    return advise(list(rows)), unique and not beside and (item.lower().endswith("id") or (graded and "." in item))


def _advise_lists(value: Mapping[str, Any]) -> str:
    """The reading of lists of as many rows without ids as answers of systems in one order; empty for others."""
    lists = list(value.values())
    if len(lists) < _FEW or not are_all(lists, list) or not all(rows and are_all(rows, dict) for rows in lists):
        return ""
    if len({*map(len, lists)}) > 1 or any(item_key(rows) for rows in lists):
        return ""
    layout = JsonLayout(rows="*", fields={"system": "@1", "item": "@2"})
    return f"if {join(value, 3)} are systems with the same items in the same order, say so: {layout.spell()}"


def _with_inner(path: str, rows: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """These rows, and the rows of lists in them."""
    yield path, rows
    for key, one in rows[0].items():
        inner = [part for row in rows if isinstance(row.get(key), list) for part in row[key]]
        if isinstance(one, list) and inner and are_all(inner, dict):
            yield f"{path}.{key}" if path.endswith("*") else f"{path}.*.{key}".lstrip("."), inner


def _is_text(role: str, key: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    known = key.lower() in OUTPUT if role == "output" else bool(REFERENCE.fullmatch(key.lower()))
    return known and are_all((row.get(key) for row in rows), str)


def numbers_of(row: Any) -> list[str]:
    """The paths of numbers in a row that may be scores; else of grades inside objects, where there is no output."""
    inside = numbers_in(row)
    known = (path for path in inside if (n := path.rpartition(".")[2]).lower() not in _NO_SCORES and not is_aside(n))
    found = [path for path in known if isinstance(inside[path], int | float)]
    graded = () if found or any(name.lower() in OUTPUT for name in inside) else inside
    return found or [p for p in graded if "." in p and isinstance(inside[p], str) and grades_among([inside[p]])]


def id_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """The key of the ids of items, by its name, or by what it ends in where no two rows have the same."""
    ends = (name for name in rows[0] if name.lower().endswith("id"))
    cells = {name: [row.get(name) for row in rows] for name in ends}
    unique = (name for name, of in cells.items() if are_all(of, (str, int)) and len({*of}) == len(of))
    return item_key(rows) or next(unique, "")


def refused(message: str, file: str, remedy: str) -> InputError:
    """The error of a file whose rows cannot be told."""
    return InputError(message, file=file, line=1, remedy=remedy)


def are_all(values: Iterable[Any], kinds: type | tuple[type, ...]) -> bool:
    """Whether all values are of these kinds."""
    return all(isinstance(value, kinds) for value in values)
