"""``outscore compare``, beside its verb: how files are read goes by the test."""

from dataclasses import dataclass, replace
from typing import Any

import click

from outscore.cli.command import Call
from outscore.cli.gate import Gated
from outscore.cli.history_options import without_environment


@dataclass(frozen=True, kw_only=True)
class AroundCompare(Gated):
    """Systems on the same items, or apart."""

    def check(self, call: Call) -> Call:
        """Says what is wrong with the names of tests and methods before any file is read."""
        call = super().check(call)
        _check_posterior(call.chosen["posterior"])
        if _of_pairs(call):
            html = call.output.format.partition(":")[0] == "html"
            return replace(call, chosen={**call.chosen, "flips": call.chosen["flips"] or ("auto" if html else 0)})
        # a history that the environment names is meant for tests that can be recorded
        return replace(call, past=without_environment(click.get_current_context(), call.past))

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems as the test takes them."""
        return super().read(call) if _of_pairs(call) else (call.inputs.read_apart(),)


def _check_posterior(method: str | None) -> None:
    """Raises UsageError for a method that there is not."""
    if method not in (None, "auto"):
        from outscore.significance.bayes import methods

        methods.make(method)


def _of_pairs(call: Call) -> bool:
    """Whether the test is one of pairs.

    Raises:
        UsageError: there is no such test, or it has no such option.
    """
    from outscore.significance import Test
    from outscore.significance.kinds import make_test

    return call.chosen["test"] == "auto" or isinstance(make_test(call.chosen["test"]), Test)
