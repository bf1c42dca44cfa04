"""``outscore bayes``, beside its verb: systems may have items of their own."""

from dataclasses import dataclass
from typing import Any

from outscore.cli.command import Around, Call


@dataclass(frozen=True, kw_only=True)
class AroundBayes(Around):
    """Systems on the same items, or apart."""

    def read(self, call: Call) -> tuple[Any, ...]:
        """As the method takes them; a wrong one is said before any file is read."""
        from outscore.significance.bayes import SampleMethod, methods

        method = call.chosen["method"]
        apart = method != "auto" and isinstance(methods.make(method), SampleMethod)
        return (call.inputs.read_apart() if apart else call.inputs.read(),)
