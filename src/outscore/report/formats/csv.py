"""For programs, in full precision: CSV, safe to open in a spreadsheet, and JSON, which ``show`` draws again."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.base.text import clean, disarm
from outscore.report.formats import format_
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
