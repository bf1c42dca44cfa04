"""Frozen records from the plain dictionaries of JSON, with every type checked on the way."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from typing import Any

from outscore.base.registry import hints_of


def finite_or_none(value: float) -> float | None:
    """A number as a record holds it: None for what is undefined."""
    return float(value) if math.isfinite(value) else None


def from_plain(hint: Any, value: Any, where: str = "") -> Any:
    """``value`` as the type that ``hint`` names: records from dictionaries, tuples from lists.

    Args:
        hint: a dataclass, ``tuple[X, ...]``, ``tuple[X, Y]``, ``Mapping[str, X]``, a union, ``Literal``, or a plain
            type.
        value: as JSON gave it.
        where: the path of ``value`` in the document, for the message.

    Raises:
        TypeError: the value does not fit; the message names the path.
    """
    if hint is Any:
        return value
    if dataclasses.is_dataclass(hint):
        return _record(typing.cast(type[Any], hint), value, where)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _union(arguments, value, where)
    if origin is typing.Literal:
        if value not in arguments:
            raise TypeError(f"{where} is {value!r:.40}")
        return value
    if origin is tuple:
        return _tuple(arguments, value, where)
    if origin is not None and isinstance(value, dict):
        return {key: from_plain(arguments[1], v, f"{where}.{key}") for key, v in value.items()}
    if hint is float and value is None:
        return math.nan  # JSON has no other word for what is undefined
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if origin is None and isinstance(value, hint) and not (isinstance(value, bool) and hint is not bool):
        return value
    raise TypeError(f"{where or 'it'} is {_kind(value)}")


def _record(cls: type[Any], value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise TypeError(f"{where or 'it'} is {_kind(value)}")
    hints = hints_of(cls)
    unknown = next((key for key in value if key not in hints), None)
    if unknown is not None:
        raise TypeError(f"{where}.{unknown} is unknown")
    return cls(**{key: from_plain(hints[key], v, f"{where}.{key}") for key, v in value.items()})


def _union(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in choices:
        return None
    for choice in choices:
        if choice is int and isinstance(value, int) and not isinstance(value, bool):
            return value
    for choice in (c for c in choices if c is not type(None)):
        try:
            return from_plain(choice, value, where)
        except TypeError:
            continue
    raise TypeError(f"{where} is {_kind(value)}")


def _tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{where} is {_kind(value)}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(from_plain(arguments[0], v, f"{where}[{i}]") for i, v in enumerate(value))
    if len(arguments) != len(value):
        raise TypeError(f"{where} has {len(value)} entries, not {len(arguments)}")
    if arguments == (float, float) and value.count(None) == 1:  # an interval with one end
        low, high = value
        value = [-math.inf if low is None else low, math.inf if high is None else high]
    return tuple(from_plain(a, v, f"{where}[{i}]") for i, (a, v) in enumerate(zip(arguments, value, strict=True)))


def _kind(value: Any) -> str:
    return "null" if value is None else f"a {type(value).__name__}"
