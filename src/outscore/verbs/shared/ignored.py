"""The note on clusters that nobody gave, which all verbs share."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from outscore.base.notes import Note
from outscore.significance.notes import CLUSTERS_IGNORED

OF_TEST = "the test ignores: p is too small"
OF_INTERVALS = "the intervals ignore: they are too narrow"
OF_PLAN = "the plan ignores: more items are needed"


def note_clusters(found: Sequence[tuple[str, float]], what: str = OF_TEST) -> tuple[Note, ...]:
    """A note on the column of clusters that was not used and matters most, if there is one.

    Args:
        found: columns and design effects, the largest first (see ``find_clusters``).
        what: ignores them, and what follows.
    """
    return tuple(
        Note(
            code=CLUSTERS_IGNORED.code,
            text=f"items of one {column!r} are alike (design effect {effect:.2f}), which {what}",
            remedy=f"use --cluster {quote(column)}",
        )
        for column, effect in found[:1]
    )
