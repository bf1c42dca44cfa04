"""How a verb that compares systems records its pairs in a history, if one is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outscore.verbs.history.kept import HistoryLike, Recorder


def recorder(history: HistoryLike) -> Recorder | None:
    """Open the history that is meant, to record in it; None for none.

    Faults of the history are reported here, before any work is done.

    Raises:
        UsageError: no such correction.
        InputError: the file cannot be used.
    """
    if history is None:
        return None
    from outscore.verbs.history.kept import Recorder, history_from  # SQLite, for the few who ask for it

    return Recorder(history_from(history))
