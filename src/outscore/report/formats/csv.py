"""For programs: CSV, safe to open in a spreadsheet; JSON, which ``show`` draws again; and JUnit's XML."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import Any, ClassVar
from xml.sax.saxutils import escape, quoteattr

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.text import clean, disarm
from outscore.report.formats import format_
from outscore.report.screen import reason
from outscore.report.writer import ReportWriter
from outscore.results.result import Result

_HIDDEN = re.compile("[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters with power over a terminal, or hidden, that may stand in JSON; as escapes they are the same text."""


@format_("csv")
@dataclass(frozen=True)
class Csv:
    """The rows of a result with a header; numbers stay numbers, what is undefined is empty.

    Attributes:
        raw: no apostrophe stands before texts that begin like a formula.
    """

    raw: bool = False

    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    has_notes: ClassVar[bool] = False
    has_tables: ClassVar[bool] = False

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The CSV text; ``decimals`` have no part in it, as nothing is rounded."""
        rows = result.rows()
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = dict.fromkeys(name for row in rows for name in row)  # names of labels stand among them
        if names:
            writer.writerow(map(self._write, names))
        writer.writerows([self._write(row.get(name)) for name in names] for row in rows)
        return out.getvalue()

    def _write(self, value: object) -> object:
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
            return ""
        if not isinstance(value, str):
            return value
        return clean(value) if self.raw else disarm(clean(value))


@format_("json")
@dataclass(frozen=True)
class Json:
    """The public JSON contract (``schema_version``); null for what is undefined, never NaN."""

    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The JSON text; ``decimals`` have no part in it, as nothing is rounded."""
        return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", result.to_json())


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
