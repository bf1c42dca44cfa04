"""``outscore judge``, beside its verb: the columns that are read are those that are named."""

from dataclasses import dataclass, replace
from typing import Any

from outscore.cli.command import Around, Call


@dataclass(frozen=True, kw_only=True)
class AroundJudge(Around):
    """Columns of labels in place of systems."""

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems with both columns."""
        named = tuple(name for name in (call.chosen["human"], call.chosen["judge"]) if name is not None)
        return (replace(call.inputs, measures=named).read(),)
