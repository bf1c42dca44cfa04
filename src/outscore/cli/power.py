"""``outscore power``, beside its verb: a design by name in place of files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from outscore.cli.command import Around, Call


@dataclass(frozen=True, kw_only=True)
class AroundPower(Around):
    """A design, or a pilot."""

    def check(self, call: Call) -> Call:
        """Refuses to plan of nothing."""
        if not call.inputs.files:
            raise click.UsageError("no design and no files: name a design, such as t:sd=0.3, or the files of a pilot")
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """The design as it is written, or the pilot."""
        return (call.inputs.files[0] if _is_design(call.inputs.files) else call.inputs.read(),)


def _is_design(files: tuple[str, ...]) -> bool:
    """Whether a design is named, or misspelt: ``NAME:OPTION=...`` is no way to write a file."""
    from outscore.power.plans import plans

    name, colon, _ = files[0].partition(":")
    return len(files) == 1 and not Path(files[0]).exists() and (plans.knows(name) or bool(colon and "=" not in name))
