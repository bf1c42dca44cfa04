"""Hands a command what it reads, where it writes, and what it records, as one thing each."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

from outscore.cli.history_options import HistoryOptions
from outscore.cli.inputs import Inputs
from outscore.cli.output import Output


def bundle(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with parameters ``inputs``, ``output`` or ``history_choice`` gets in them the options
    that they are made of."""
    wanted: dict[str, type[Any]] = {"inputs": Inputs, "output": Output, "history_choice": HistoryOptions}
    kinds = {name: kind for name, kind in wanted.items() if name in command.__annotations__}

    @functools.wraps(command)
    def call(*before: Any, **choices: Any) -> Any:
        bundles = {}
        for name, kind in kinds.items():
            fields = [field.name for field in dataclasses.fields(kind) if field.name in choices]
            bundles[name] = kind(**{field: choices.pop(field) for field in fields})
            if kind is Inputs:
                bundles[name] = dataclasses.replace(bundles[name], measures=tuple(choices.get("metrics") or ()))
        return command(*before, **bundles, **choices)

    return call
