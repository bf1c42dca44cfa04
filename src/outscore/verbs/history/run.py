"""The work of ``history``: read the file, choose, decide anew."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from outscore.base.errors import UsageError, join, suggestion
from outscore.data.history.store import Kept, open_history
from outscore.multiplicity.online import procedure
from outscore.results import HistoryEntry, KnownSet, Provenance, SetUses, Uses
from outscore.verbs.history import ListUses
from outscore.verbs.history.kept import levels_of


def history(file: str | os.PathLike[str], asked: ListUses) -> Uses:
    """The uses that are asked for."""
    alpha, correction = asked.alpha, asked.correction
    if not 0 < alpha < 1:
        raise UsageError(f"alpha={alpha}: expected a number between 0 and 1")
    cited = () if correction is None else (procedure(correction).citation,)
    with open_history(Path(file)) as store:
        sets, kept = store.sets(), store.list_uses()
    sets = _choose_sets(sets, asked.test_set)
    digests = {one.digest for one in sets}
    kept = [one for one in kept if one.comparison.test_set in digests]
    kept = _choose_family(kept, asked.family)
    placed = levels_of(kept, correction, alpha)
    return Uses(
        seed=0,
        alpha=alpha,
        file=str(file),
        procedure=correction,
        test_sets=tuple(found for one in sets if (found := _make_uses(one, kept)) is not None),
        uses=tuple(_make_record(one, *placed.get(one.id, (None, None)), asked=correction is not None) for one in kept),
        provenance=Provenance(
            libraries={},
            correction=correction or "none",
            citations=cited,
        ),
    )


def _choose_sets(sets: Sequence[KnownSet], wanted: str | None) -> list[KnownSet]:
    if wanted is None:
        return list(sets)
    found = [one for one in sets if one.name == wanted or one.digest.startswith(wanted)]
    if not found:
        names = [one.name or one.digest[:12] for one in sets]
        raise UsageError(f"no test set {wanted!r}{suggestion(wanted, names)}; there are {join(names)}")
    return found


def _choose_family(kept: Sequence[Kept], wanted: str | None) -> list[Kept]:
    found = [one for one in kept if wanted is None or one.comparison.family == wanted]
    if wanted is not None and not found:
        names = sorted({one.comparison.family for one in kept})
        raise UsageError(f"no family {wanted!r}{suggestion(wanted, names)}; there are {join(names)}")
    return found


def _make_uses(known: KnownSet, kept: Sequence[Kept]) -> SetUses | None:
    here = [one.comparison for one in kept if one.comparison.test_set == known.digest]
    if not here:
        return None
    families: dict[str, int] = {}
    for use in here:
        families[use.family] = families.get(use.family, 0) + 1
    times = [use.created for use in here]
    return SetUses(test_set=known, n_uses=len(here), families=families, first=min(times), last=max(times))


def _make_record(one: Kept, number: int | None, level: float | None, *, asked: bool) -> HistoryEntry:
    use = one.comparison
    if not asked:
        return HistoryEntry(number=number, level=use.level, rejected=use.rejected, comparison=use)
    rejected = None if use.p_value is None or level is None else use.p_value <= level
    return HistoryEntry(number=number, level=level, rejected=rejected, comparison=use)
