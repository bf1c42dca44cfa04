"""JUnit's XML, which continuous integration shows as tests."""

from __future__ import annotations

from typing import Any, ClassVar
from xml.sax.saxutils import escape, quoteattr

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.report.formats import format_
from outscore.report.screen import reason
from outscore.report.writer import ReportWriter
from outscore.results.result import Result


@format_("junit")
@dataclass(frozen=True)
class JUnit:
    """A test for each system and metric, which fails where a gate does not hold; without a gate one, which passes.

    Attributes:
        gate: ``better``, ``not-worse`` or ``equivalent``; on the command line that of ``--fail-unless``.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".xml",)

    gate: str = ""

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The XML text, with the first screen as what the tests printed; ``decimals`` of scores."""
        cases = self._cases(result, ReportWriter(result, decimals)) if self.gate else [(result.command, "")]
        failures = sum(bool(why) for _, why in cases)
        counts = f'tests="{len(cases)}" failures="{failures}" errors="0"'
        lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<testsuite name="outscore" {counts}>']
        for name, why in cases:
            failure = f"<failure message={quoteattr(why)}/>" if why else ""
            lines.append(f"<testcase classname={quoteattr(f'outscore.{result.command}')} name={quoteattr(name)}>")
            lines[-1] += f"{failure}</testcase>"
        screen = result.to("terminal:columns=100,plain=true", decimals=decimals)
        lines += [f"<system-out>{escape(screen)}</system-out>", "</testsuite>"]
        return "\n".join(lines) + "\n"

    def _cases(self, result: Any, w: ReportWriter) -> list[tuple[str, str]]:
        """Names of tests, and why those fail that do.

        Raises:
            UsageError: the result is of a kind that has no gates.
        """
        if not hasattr(result, "gate"):
            raise UsageError(f"a result of {result.command} has no gates: leave out gate={self.gate}")
        gate = result.gate(self.gate)
        told = [(one, "") for one in gate.holding] + [(one, reason(w, one, gate.condition)) for one in gate.failing]
        return [(clean(f"{one.system} {gate.condition} on {w.label(one.metric)}"), why) for one, why in told]
