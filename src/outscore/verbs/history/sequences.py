"""Where the uses of a test set stand in their families, and in corrections over them, without reading them all."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from outscore.data.history.store import Store
from outscore.multiplicity.online import ALWAYS, PROCEDURES, SequenceSoFar, advance, earlier_levels

_END = 2**62  # beyond any id
_TESTS = "test_set = ? AND family = ? AND p_value IS NOT NULL"


class UsesByFamily:
    """The uses of a test set by family, as they are when this is made.

    Args:
        store: of the uses, in a transaction.
        test_set: its digest.

    Attributes:
        uses: how many by family, in the order in which these began.
        last: id of the last of all; 0 for none.
    """

    def __init__(self, store: Store, test_set: str) -> None:
        connection = store.connection
        self._connection, self._set, self._damage = connection, test_set, store.damage
        query = "SELECT family, n, last FROM sequence WHERE test_set = ? ORDER BY id"
        rows = connection.execute(query, (test_set,)).fetchall()
        self.uses: Mapping[str, int] = {family: n for family, n, _ in rows}
        self.last: int = max((last for *_, last in rows), default=0)

    def decided_otherwise(self, families: Iterable[str], procedure: str, alpha: float) -> bool:
        """Whether any use of these families was decided under another correction or alpha."""
        # each is one search in the index
        others = ("procedure < ?1", "procedure > ?1", "procedure = ?1 AND alpha < ?2", "procedure = ?1 AND alpha > ?2")
        return any(
            self._connection.execute(
                f"SELECT 1 FROM use WHERE {other} AND test_set = ?3 AND family = ?4 AND procedure IS NOT NULL",
                (procedure, alpha, self._set, family),
            ).fetchone()
            for family in families
            for other in others
        )

    def place(
        self, family: str, ids: Iterable[int], procedure: str | None, alpha: float
    ) -> dict[int, tuple[int, float | None]]:
        """By id, the number of a use in its family, and its level under a correction; also of later uses.

        Args:
            family: of them.
            ids: of uses with a p-value.
            procedure: the correction, if one is asked; how far it has come is kept for the next time.
            alpha: its level.
        """
        row, tested = self._connection.execute(
            "SELECT id, tested FROM sequence WHERE test_set = ? AND family = ?", (self._set, family)
        ).fetchone()
        last, before = (self.last, None) if procedure is None else self._read(row, procedure, alpha)
        since = self._tests(family, last)
        levels: list[float | None] = [None] * len(since)
        if procedure is not None:
            p = np.array([p for _, p in since], dtype=np.float64)
            found, before = advance(p, procedure, alpha, before)
            levels = list(found.tolist())
            self._keep(row, procedure, alpha, since[-1][0] if since else last, before)
        first = tested - len(since) + 1
        placed = {id_: (n, level) for n, ((id_, _), level) in enumerate(zip(since, levels, strict=True), first)}
        older = sorted(set(ids) - set(placed))
        passing = ALWAYS if procedure is None else PROCEDURES[procedure].passing
        places = self._count(family, older, passing, (tested, before.time if before else tested))
        levels = [None] * len(older)
        if procedure is not None and before is not None and older:
            levels = list(earlier_levels(before, procedure, alpha, places))
        return placed | {id_: (n + 1, level) for id_, (n, _), level in zip(older, places, levels, strict=True)}

    def _tests(self, family: str, after: int) -> list[tuple[int, float]]:
        found = self._connection.execute(
            f"SELECT id, p_value FROM use WHERE {_TESTS} AND id > ? ORDER BY id", (self._set, family, after)
        ).fetchall()
        wrong = next((id_ for id_, p in found if not isinstance(p, float)), None)
        if wrong is not None:
            raise self._damage(f"comparison {wrong} has no number as p_value")
        return [(id_, p) for id_, p in found]

    def _count(
        self, family: str, ids: Sequence[int], passing: tuple[float, float], end: tuple[int, int]
    ) -> list[tuple[int, int]]:
        """How many tests came before each of these, in order, and how many of them let the time pass.

        Each is counted from the end of the family that is nearer to it; ``end`` is what all of them give.
        """
        passed = "count(*)" if passing == ALWAYS else f"total(p_value > {passing[0]} AND p_value <= {passing[1]})"
        query = f"SELECT count(*), {passed} FROM use WHERE {_TESTS} AND id >= ? AND id < ?"
        half = bisect_left(ids, self.last // 2)
        placed = dict[int, tuple[int, int]]()
        for part, start, way in ((ids[:half], (0, 0, 0), 1), (reversed(ids[half:]), (_END, *end), -1)):
            edge, n, time = start
            for id_ in part:
                ends = sorted((edge, id_))
                more, passes = self._connection.execute(query, (self._set, family, *ends)).fetchone()
                edge, n, time = id_, n + way * more, time + way * int(passes)
                placed[id_] = n, time
        return [placed[id_] for id_ in ids]

    def _read(self, row: int, procedure: str, alpha: float) -> tuple[int, SequenceSoFar | None]:
        """The last use that is in what is kept of a correction, and that; nothing where it is not as it was written."""
        found = self._connection.execute(
            "SELECT last, n, time, found, digest FROM so_far WHERE sequence = ? AND procedure = ? AND alpha = ?",
            (row, procedure, alpha),
        ).fetchone()
        if found is None or found[4] != _digest(row, procedure, alpha, *found[:4]):
            return 0, None
        last, n, time, raw, _ = found
        return last, SequenceSoFar(n, time, np.frombuffer(raw, dtype="<i8").reshape(2, -1))

    def _keep(self, row: int, procedure: str, alpha: float, last: int, so_far: SequenceSoFar) -> None:
        values = (row, procedure, alpha, last, so_far.n, so_far.time, so_far.found.astype("<i8").tobytes())
        self._connection.execute(
            "INSERT OR REPLACE INTO so_far VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*values, _digest(*values))
        )


def _digest(*values: Any) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()
