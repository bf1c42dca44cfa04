"""``outscore recheck``, beside its verb: the file that the program printed."""

from dataclasses import dataclass
from typing import Any, ClassVar

import click

from outscore.cli.command import Around, Call


@dataclass(frozen=True, kw_only=True)
class AroundRecheck(Around):
    """Printed numbers, and the outputs that were scored."""

    words: ClassVar[tuple[str, ...]] = ("printed",)
    drawn: ClassVar[bool] = False

    def check(self, call: Call) -> Call:
        """Refuses to read the standard input twice."""
        call = super().check(call)
        if call.words["printed"] == "-" and "-" in (*call.inputs.files, *call.inputs.references):
            raise click.UsageError("the standard input can be read once: name a file for all but one of them")
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """The name of the printed file, and the outputs."""
        return call.words["printed"], call.inputs.read()
