"""``outscore replicate``, beside its verb: folders or tables of data sets."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from outscore.cli.command import Around, Call
from outscore.cli.sets import Sets


@dataclass(frozen=True, kw_only=True)
class AroundReplicate(Around):
    """Data sets by their folders, or told apart by a column."""

    sets: Sets = ()

    def check(self, call: Call) -> Call:
        """Refuses data sets that are named twice, or not at all."""
        files = call.inputs.files
        if self.sets and call.chosen["column"]:
            raise click.UsageError("--sets and --set both say what the data sets are: give one of them")
        if not self.sets and not files:
            raise click.UsageError("no systems: give NAME=FILE for each, the baseline first, or tables with --sets")
        folder = next((file for file in files if Path(file).is_dir()), None)
        if folder:
            raise click.UsageError(f"{folder!r} is a folder: quote the pattern of the data sets, --sets 'DIR/*'")
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Data sets, or one of which a column tells several apart."""
        return (call.inputs.read_sets(self.sets) if self.sets else call.inputs.read(),)
