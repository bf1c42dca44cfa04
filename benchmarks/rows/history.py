"""One more use of a test set that was used 100,000 times, decided by LOND, beside reading all its uses."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

from inputs import Inputs
from measure import Call

from rows.row import Peer, Row

USES = 100_000


def ours(inputs: Inputs, whole: bool = False) -> Callable[[], float]:
    """Records a new use and places it; its level is the answer."""
    from outscore.data.history.store import open_history
    from outscore.results.history import KnownSet, RecordedComparison
    from outscore.verbs.history.kept import levels_of
    from outscore.verbs.history.sequences import UsesByFamily

    known = KnownSet(digest="0" * 64, name="ref.txt", known_by="references", n_items=10)
    use = RecordedComparison(
        test_set=known.digest, family="bleu", system="new", baseline="base", system_digest="a", baseline_digest="b",
        metric="bleu", signature="nrefs:1", test="t", alternative="two-sided", cluster=None, strata=None,
        engine="cyclic", seed=1, n_resamples=None, alpha=0.05, p_value=0.5, p_adjusted=0.5, correction="holm", gain=1.5,
        ci_low=0.1, ci_high=2.9, n_items=10, version="0", created="2026-01-01T00:00:00+00:00", who="me",
    )  # fmt: skip
    path, number = Path(tempfile.mkdtemp()) / "history.db", count()

    def add(times: int) -> float:
        with open_history(path, new=True) as store, store.transaction():
            before = UsesByFamily(store, known.digest)
            uses = [replace(use, system_digest=f"s{next(number)}") for _ in range(times)]
            store.add(known, uses)
            id_ = store.find(uses[-1]).id
            placed = levels_of(store.list_uses(), "lond", 0.05) if whole else before.place("bleu", [id_], "lond", 0.05)
            return placed[id_][1] or 0.0

    add(USES)
    return lambda: add(1)


def read_all(inputs: Inputs) -> Callable[[], float]:
    """The same by reading all uses once; 0.1.0 read them twice."""
    return ours(inputs, whole=True)


ROWS = (
    Row(
        "history",
        "one more use after 100,000 of one test set, LOND",
        Call("rows.history:ours"),
        Peer("all uses read once; 0.1.0 read them twice", Call("rows.history:read_all"), "outscore"),
        20,
        None,
        "counts by triggers, and what LOND has come to",
        in_process=True,
    ),
)
