"""A command that ends with 1 where a condition does not hold."""

import sys
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import click

from outscore.cli.command import Around, Call
from outscore.verbs.declared import Option

FailUnless = Annotated[
    Literal["better", "not-worse", "equivalent"] | None,
    Option(
        "Exit code 1 unless better, not-worse, equivalent.",
        "This is to hold for every system and metric; the last two need --margin.",
        metavar="CONDITION",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Gated(Around):
    """Beside a result its gate."""

    fail_unless: FailUnless = None

    def check(self, call: Call) -> Call:
        """Refuses a gate about a margin that is not given, too."""
        if self.fail_unless in ("not-worse", "equivalent") and call.chosen["margin"] is None:
            raise click.UsageError(
                f"--fail-unless {self.fail_unless} needs to know what does not matter: add --margin NUMBER"
            )
        return super().check(call)

    def finish(self, call: Call, result: Any) -> None:
        """Writes the result, and says and ends with 1 where the gate does not hold."""
        super().finish(call, result)
        if self.fail_unless and not (gate := result.gate(self.fail_unless)):
            click.echo(f"outscore: {self.tell(result, gate)}", err=True)
            sys.exit(1)

    def tell(self, result: Any, gate: Any) -> str:
        """One line that says why the gate does not hold."""
        from outscore.report.lines import gate_line

        return gate_line(result, gate)
