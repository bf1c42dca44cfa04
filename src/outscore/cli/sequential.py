"""``outscore sequential``, beside its verb: a stream in place of files, and a gate of sequences."""

import sys
from dataclasses import dataclass
from typing import Any

import click

from outscore.cli.command import Call
from outscore.cli.gate import Gated
from outscore.cli.streams import print_now

_OF_FILES = {"metrics": "-m", "baseline": "--baseline", "cluster": "--cluster"}
_OF_STREAMS = ("alpha", "margin", "bounds", "method", "population", "every", "stop")


@dataclass(frozen=True, kw_only=True)
class AroundSequential(Gated):
    """A running evaluation on stdin is followed; a finished one is replayed."""

    def check(self, call: Call) -> Call:
        """Refuses what a stream has no use for, too."""
        call = super().check(call)
        if _is_stream(call):
            stray = ["-r"] if call.inputs.references else []
            stray += [flag for name, flag in _OF_FILES.items() if call.chosen[name]]
            stray += ["--items"] if call.inputs.items else []
            stray += ["--order"] if call.chosen["order"] == "random" else []
            stray += ["--orders"] if call.chosen["orders"] else []
            if stray:
                raise click.UsageError(f"{', '.join(stray)}: not for a stream, which is two scores a line as they come")
        return call

    def answer(self, call: Call) -> Any:
        """The stream on stdin, each interim analysis said on stderr when it comes; or files, replayed."""
        if not _is_stream(call):
            return super().answer(call)
        from outscore.report.lines import analysis_line
        from outscore.verbs.sequential.following import follow

        asked = call.verb(**call.chosen)
        tell = None if call.output.quiet else lambda analysis: print_now(analysis_line(analysis), err=True)
        with call.output.keep_interrupted():
            chosen = {name: call.chosen[name] for name in _OF_STREAMS}
            return asked.sign(lambda: follow(sys.stdin, file="stdin", tell=tell, **chosen))

    def tell(self, result: Any, gate: Any) -> str:
        """The decisions that the gate does not allow."""
        return f"not {gate.condition} ({', '.join(f'{one.system}: {one.decision}' for one in gate.failing)})"


def _is_stream(call: Call) -> bool:
    return call.inputs.files == ("-",)
