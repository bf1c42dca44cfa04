"""Whole records compared at once: every field by its path, numbers up to rounding."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from numbers import Real
from typing import Any

import pytest


def flat(thing: Any, path: str = "") -> dict[str, Any]:
    """Every value of records, mappings and sequences by its path, and the length of each sequence."""
    if is_dataclass(thing):
        inner = {field.name: getattr(thing, field.name) for field in fields(thing)}
    elif isinstance(thing, dict):
        inner = {str(key): value for key, value in thing.items()}
    elif isinstance(thing, tuple | list):
        inner = {**{str(i): value for i, value in enumerate(thing)}, "length": len(thing)}
    else:
        return {path: thing}
    return {key: value for name, one in inner.items() for key, value in flat(one, f"{path}.{name}").items()}


def differing(found: Any, expected: Any) -> dict[str, tuple[Any, Any]]:
    """What is not the same in both, by its path, as found and as expected; nothing where they agree."""
    ours, theirs = flat(found), flat(expected)
    paths = sorted(ours.keys() | theirs.keys())
    both = {path: (ours.get(path, "lacking"), theirs.get(path, "lacking")) for path in paths}
    return {path: pair for path, pair in both.items() if not _same(*pair)}


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Real) and isinstance(other, Real):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


def near(value: Any) -> Any:
    """The same up to rounding, whatever it is compared with."""
    return pytest.approx(value)
