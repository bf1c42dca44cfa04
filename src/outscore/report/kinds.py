"""The room of the report that belongs to one kind of result, by the command that makes it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from outscore.results import Result

_ROOMS = {
}


def room_of(result: Result) -> Any:
    """The module with ``tables(result, width)`` and, where it has one, ``sentence(result, width)``; None without."""
    name = _ROOMS.get(result.command)
    return None if name is None else import_module(f"outscore.report.{name}")
