"""HTML: one page with everything, to be read by people and sent by mail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.report.formats import format_
from outscore.report.html.page import page
from outscore.results.result import Result


@format_("html")
@dataclass(frozen=True)
class Html:
    """A self-contained page: verdict, pictures, tables, items, notes, methods, data; nothing is fetched from anywhere.

    Attributes:
        static: no script in it, so that it passes every filter; tables are not sortable, pictures not live.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".html", ".htm")

    static: bool = False

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The page."""
        return page(result, decimals, static=self.static)
