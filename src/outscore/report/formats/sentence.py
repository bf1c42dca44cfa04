"""The result in a sentence."""

from __future__ import annotations

from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.report.formats import format_
from outscore.report.screen import sentence_of
from outscore.results.result import Result


@format_("sentence")
@dataclass(frozen=True)
class SentenceFormat:
    """The verdict, how it was tested, and the notes that change the answer. Never the word "equal"."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    has_notes: ClassVar[bool] = False
    has_tables: ClassVar[bool] = False

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """Plain text on one line; ``decimals`` of scores."""
        return sentence_of(result, decimals) + "\n"
