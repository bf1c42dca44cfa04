"""HTML: one page with everything, to be read by people and sent by mail."""

from __future__ import annotations

from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.report.formats import format_
from outscore.report.html.page import page
from outscore.results.result import Result


@format_("html")
@dataclass(frozen=True)
class Html:
    """A self-contained page: verdict, tables, pictures, notes, items, methods, data; it fetches nothing."""

    suffixes: ClassVar[tuple[str, ...]] = (".html", ".htm")

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The page."""
        return page(result, decimals)
