"""CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import math
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.base.text import clean, disarm
from outscore.report.formats import format_
from outscore.results.result import Result


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
