"""Rows inside JSON, and what stands in them, by paths: ``results.samples``, ``*.*``, ``metrics.f1``, ``@1``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from outscore.base.lazy import dataclass

_ABSENT: Final = object()
_TEXTS = ("system", "item", "run", "sample", "metric")
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
        own: the other values of a row are columns too.
    """

    rows: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    columns: str = ""
    skip: tuple[str, Any] | None = None
    void: tuple[str, Any] | None = None
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
        for place in places(value, self.rows):
            if self.skip is not None and place.find(self.skip[0]) == self.skip[1]:
                continue
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
            return next((found for found in around if found is not _ABSENT), _ABSENT)
        found = get(self.value, path)
        if found is _ABSENT and "+" in path:
            parts = [self._find(part) for part in path.split("+")]
            return _ABSENT if _ABSENT in parts else "/".join(str(_text(part)) for part in parts)
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
