"""How a verb that compares systems records its pairs in a history, if one is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from outscore.api.shared.measured import Measured
from outscore.data.dataset import Dataset

if TYPE_CHECKING:
    from outscore.api.histories.kept import Compared, History, HistoryLike


class Recorder:
    """Records results in one history; use ``recorder``."""

    def __init__(self, asked: History) -> None:
        self._asked = asked

    def __call__(self, result: Compared, data: Dataset, measured: Sequence[Measured]) -> Compared:
        """The result with its place in the history of its test set, where its pairs are recorded now."""
        from outscore.api.histories.kept import record

        return record(result, data, measured, self._asked)


def recorder(history: HistoryLike) -> Recorder | None:
    """Open the history that is meant, to record in it; None for none.

    Faults of the history are reported here, before any work is done.

    Raises:
        UsageError: no such correction.
        InputError: the file cannot be used.
    """
    if history is None:
        return None
    from outscore.api.histories.kept import history_from  # SQLite, for the few who ask for it

    return Recorder(history_from(history))
