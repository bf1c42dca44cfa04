"""CSV: one line for each pair, or for each score; full precision, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import math
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.report.formats import format_
from outscore.report.text import clean
from outscore.results.result import Result

FORMULA = "=+-@\t\r\n＝＋－＠"
"""Characters that make spreadsheets read a cell as a formula (OWASP, CSV Injection)."""


@format_("csv")
@dataclass(frozen=True)
class Csv:
    """The rows of a result with a header; numbers stay numbers, what is undefined is empty."""

    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    has_notes: ClassVar[bool] = False

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The CSV text; ``decimals`` have no part in it, as nothing is rounded."""
        rows = result.rows()
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if rows:
            writer.writerow(map(_value, rows[0]))  # names of labels stand in it
        writer.writerows([_value(v) for v in row.values()] for row in rows)
        return out.getvalue()


def _value(value: object) -> object:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if not isinstance(value, str):
        return value
    risky = value.lstrip(" ")[:1] in FORMULA if value.strip(" ") else False
    return f"'{clean(value)}" if risky else clean(value)
