"""``outscore correlate``, beside its verb: what is missing is treated by the verb, which knows what is correlated."""

from dataclasses import dataclass, replace

from outscore.cli.command import Around, Call


@dataclass(frozen=True, kw_only=True)
class AroundCorrelate(Around):
    """Systems that may lack numbers."""

    def check(self, call: Call) -> Call:
        """Tells the verb how to treat what is missing, as the reader is told."""
        call = super().check(call)
        return replace(call, chosen={**call.chosen, "missing": call.inputs.missing})
