"""What a change of a saved result changes in all that is said of it: words, tables, rows, pictures, gates.

Each file of ``tests/golden/changed`` is about one kind of result. A line that begins with ``###`` is a change, as JSON:
fields by their path with what stands there, ``-PATH`` for what is taken away, and ``copies of NAME`` for so many more
systems. The lines below it are what is said no more, and what is said instead. A change that lets words be said which
no other result says is a line more; ``OUTSCORE_GOLDEN=write pytest tests/report/test_changed.py`` writes what follows.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from outscore.base.errors import OutscoreError
from outscore.report.plots import charts_of
from outscore.report.screen import screen_of
from outscore.results.result import GATES, Result
from tests.report.kinds import KINDS
from tests.report.test_kinds import drawn

GOLDEN = Path(__file__).parents[1] / "golden" / "changed"


@pytest.mark.parametrize("kind", sorted(file.stem for file in GOLDEN.glob("*.txt")))
def test_a_change_changes_the_same_words(kind: str) -> None:
    file = GOLDEN / f"{kind}.txt"
    kept = file.read_text(encoding="utf-8")
    plain = json.loads(KINDS[kind]().to_json())
    was = list(shown(plain))
    made = "".join(
        "\n".join([line, *differences(was, changed(plain, json.loads(line[4:]))), "", ""])
        for line in kept.splitlines()
        if line.startswith("### ")
    )
    if os.environ.get("OUTSCORE_GOLDEN") == "write":
        file.write_text(made, encoding="utf-8")
    else:
        assert made == kept


def changed(plain: Any, changes: dict[str, Any]) -> Any:
    """What is saved of a result, with changes; ``*`` in a path is every one of a list."""
    data = copy.deepcopy(plain)
    for path, value in changes.items():
        if path.startswith("copies of "):
            data = _multiplied(data, path.removeprefix("copies of "), value)
        else:
            _change(data, path.removeprefix("-").split("."), value, absent=path.startswith("-"))
    return data


def _change(data: Any, path: list[str], value: Any, *, absent: bool) -> None:
    name, *further = path
    for place in range(len(data)) if name == "*" else [int(name) if isinstance(data, list) else name]:
        if further:
            _change(data[place], further, value, absent=absent)
        elif absent:
            del data[place]
        else:
            data[place] = copy.deepcopy(value)


def _multiplied(value: Any, name: str, n: int) -> Any:
    """With ``n`` systems, or metrics, more that are like one, but for their numbers."""
    if isinstance(value, dict):
        return {key: _multiplied(each, name, n) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    found = []
    for each in value:
        found.append(_multiplied(each, name, n))
        if each == name or (isinstance(each, dict) and name in map(each.get, ("system", "name", "metric"))):
            found += [_like(each, name, i) for i in range(1, n + 1)]
    return found


def _like(value: Any, name: str, i: int) -> Any:
    if isinstance(value, dict):
        return {key: _like(each, name, i) for key, each in value.items()}
    if isinstance(value, list):
        return [_like(each, name, i) for each in value]
    if value == name:
        return f"{name}{i}"
    return round(value * (1 - i / 97), 5) if isinstance(value, float) else value


def differences(was: list[str], data: Any) -> list[str]:
    """Lines that are said no more, and others in their place; or why there is no such result."""
    return [
        line for line in unified_diff(was, list(shown(data)), lineterm="", n=0) if line[:2] not in ("--", "++", "@@")
    ]


def shown(data: Any) -> Iterator[str]:
    """All that is said of a saved result, a line each."""
    try:
        result = Result.from_json(json.dumps(data))
    except OutscoreError as error:
        yield str(error)
        return
    screen = screen_of(result)
    yield from (
        *screen.verdict,
        *(line for table in screen.tables for line in drawn(table)),
        screen.how,
        *screen.method,
    )
    yield from (repr(result), result.to("methods:plain=true").splitlines()[0])
    yield from (json.dumps(row, ensure_ascii=False) for row in result.rows())
    for chart in charts_of(result):
        yield from _pieces(asdict(chart))
    if hasattr(result, "gate"):
        yield from (f"gate {condition}: {_gate(result, condition)}" for condition in GATES)


def _gate(result: Any, condition: str) -> str:
    try:
        gate = result.gate(condition)
    except OutscoreError as error:
        return str(error)
    return f"{bool(gate)}; not {', '.join(getattr(one, 'system', repr(one)) for one in gate.failing)}"


def _pieces(value: Any, name: str = "chart") -> Iterator[str]:
    """A picture as lines: a row each, and what is no row by its name."""
    if isinstance(value, dict) and any(isinstance(each, dict | list | tuple) and each for each in value.values()):
        for key, each in value.items():
            yield from _pieces(each, f"{name}.{key}")
    elif isinstance(value, list | tuple) and any(isinstance(each, dict) for each in value):
        for each in value:
            yield from _pieces(each, name)
    elif value not in (None, "", (), [], {}, False):
        yield f"{name} {json.dumps(value, ensure_ascii=False)}"
