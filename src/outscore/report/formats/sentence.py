"""The result in words, ready for a paper."""

from __future__ import annotations

import re
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.report.formats import format_
from outscore.report.screen import screen_of
from outscore.report.text import join_remedy
from outscore.results.result import Result


@format_("sentence")
@dataclass(frozen=True)
class SentenceFormat:
    """The verdict, how it was tested, and what it hangs on if a note says so. Never the word "equal"."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    has_notes: ClassVar[bool] = False
    has_tables: ClassVar[bool] = False

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """Plain text on one line; ``decimals`` of scores."""
        screen = screen_of(result, decimals)
        how = screen.how_in_print.strip().rstrip(".")
        said = " ".join([*screen.verdict, *([f"({how}.)"] if how else [])])
        plain = re.sub(r", (BUT see !|see ! on [\d,]+ pairs?)", "", said)
        marked = [note for note in screen.notes if note.rank == "answer"] if plain != said else []
        return " ".join([plain, *(f"But {join_remedy(note.text, '')}" for note in marked)]) + "\n"
