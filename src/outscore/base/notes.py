"""Notes: warnings as data, which travel with the result and end as footnotes of its table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something a reader of the result must know.

    Attributes:
        code: short stable name, e.g. ``few_items``; pairs refer to notes by it.
        text: the matter, in one sentence.
        remedy: the way to mend it, or the empty string.
    """

    code: str
    text: str
    remedy: str = ""


INTERRUPTED = Note(
    code="interrupted",
    text="the resampling was interrupted: the result holds the resamples that were done",
    remedy="run it again for all of them",
)
