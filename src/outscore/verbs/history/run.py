"""The work of ``history``: read the file, choose, decide anew; carry uses between files, and check them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from outscore.base.errors import InputError, UsageError, join, suggestion
from outscore.base.files import write_whole
from outscore.data.history import jsonl
from outscore.data.history.store import Kept, open_history
from outscore.multiplicity.online import procedure
from outscore.results.history import HistoryEntry, KnownSet, RecordedComparison, SetUses, Uses
from outscore.results.result import Provenance
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
    by_set: dict[str, list[RecordedComparison]] = {}
    for one in kept:
        by_set.setdefault(one.comparison.test_set, []).append(one.comparison)
    placed = levels_of(kept, correction, alpha)
    return Uses(
        seed=0,
        alpha=alpha,
        file=str(file),
        procedure=correction,
        test_sets=tuple(_make_uses(one, by_set[one.digest]) for one in sets if one.digest in by_set),
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


def _make_uses(known: KnownSet, here: Sequence[RecordedComparison]) -> SetUses:
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


_File = str | os.PathLike[str]


def export_history(file: _File, to: _File) -> int:
    """Writes every use of a history to a file of text (JSONL); how many.

    Args:
        file: the history.
        to: the file that is written.

    Raises:
        InputError: the history is missing or damaged, or the other file cannot be written.
    """
    with open_history(Path(file)) as store:
        sets = {one.digest: one for one in store.sets()}
        kept = store.list_uses()
    lines = jsonl.format_lines((sets[one.comparison.test_set], one.comparison) for one in kept)
    write_whole(Path(to), "".join(f"{line}\n" for line in lines))
    return len(kept)


def import_history(file: _File, source: _File) -> tuple[int, int]:
    """Adds what ``export_history`` wrote to a history: all of it, or nothing where a line is wrong.

    Uses that are there already are left out, so it may be done again and again; the others come after those that are
    there, and change none of their levels.

    Args:
        file: the history.
        source: what was exported.

    Returns:
        How many were added, and how many were there.

    Raises:
        InputError: the file is missing, or a line of it is wrong; the history cannot be written.
    """
    try:
        text = Path(source).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read ({error.strerror})", file=str(source)) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", file=str(source)) from None
    # not splitlines, which also breaks at characters that JSON may hold as they are
    uses = list(jsonl.read(text.removesuffix("\n").split("\n"), str(source)))
    with open_history(Path(file), new=True) as store, store.transaction():
        new = [store.add(known, [use], sharpen=False)[0] for known, use in uses]
    return sum(new), len(new) - sum(new)


def check_history(file: _File) -> tuple[int, list[str]]:
    """How many comparisons a history holds, and what is wrong with it, one line each.

    Args:
        file: the history.

    Raises:
        InputError: it is missing, or so damaged that it cannot be read.
    """
    with open_history(Path(file)) as store:
        return len(store.list_uses()), store.faults()
