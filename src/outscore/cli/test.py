"""``outscore test``, beside its verb: the name of the test, by which the files are read."""

from dataclasses import dataclass
from typing import Any, ClassVar

from outscore.cli.command import Around, Call


@dataclass(frozen=True, kw_only=True)
class AroundTest(Around):
    """A named test of systems on the same items, or apart."""

    words: ClassVar[tuple[str, ...]] = ("name",)

    def check(self, call: Call) -> Call:
        """Says what is wrong with the name before any file is read."""
        from outscore.significance.kinds import make_test

        call = super().check(call)
        make_test(call.words["name"])
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems as the test takes them, and its name."""
        from outscore.significance.kinds import kind_of

        name = call.words["name"]
        return (call.inputs.read() if kind_of(name) == "paired" else call.inputs.read_apart(), name)
