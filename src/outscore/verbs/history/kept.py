"""Compared pairs are recorded in the history of their test set: uses counted, kept, corrected for, and noted."""

from __future__ import annotations

import getpass
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from outscore.base import __version__
from outscore.base.errors import inflect
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.data.history.store import Kept, Store, open_history, outputs_digest, set_of
from outscore.metrics import Metric
from outscore.multiplicity.online import PROCEDURES, online_levels, procedure
from outscore.results.comparison import Comparison
from outscore.results.history import KnownSet, PairInHistory, RecordedComparison, SetHistory
from outscore.results.leaderboard import Leaderboard
from outscore.results.pairs import Pair
from outscore.results.plain import finite_or_none
from outscore.verbs.history.sequences import UsesByFamily
from outscore.verbs.shared.measured import Measured
from outscore.verbs.shared.naming import append_names
from outscore.verbs.shared.reading import layers_of

Compared = TypeVar("Compared", bound=Comparison | Leaderboard)


@dataclass(frozen=True, kw_only=True)
class History:
    """Where comparisons are recorded, and what is made of it.

    Attributes:
        file: SQLite file, made if it is not there.
        family: name of the uses of a test set that are corrected together; by default each metric by itself.
        correction: over the history of the family: ``alpha-spending``, ``lond``, ``lord``, ``saffron`` or ``addis``;
            None to count uses only.
        test_set: a name by which to know the test set, instead of its items and references.
        who: who asks; by default the name of the user at this machine.
    """

    file: str | os.PathLike[str]
    family: str | None = None
    correction: str | None = None
    test_set: str | None = None
    who: str | None = None


HistoryLike = History | str | os.PathLike[str] | None
"""History as ``compare`` and ``rank`` take it: an object, its file alone, or None."""


@dataclass(frozen=True)
class Recorder:
    """Records results in one history."""

    asked: History

    def __call__(self, result: Compared, data: Dataset, measured: Sequence[Measured]) -> Compared:
        """The result with its place in the history of its test set, where its pairs are recorded now."""
        return record(result, data.in_file_order(), measured, self.asked)


def history_from(asked: History | str | os.PathLike[str]) -> History:
    """The history that is meant, opened once, so that what is wrong with it is said before any work is done.

    Raises:
        UsageError: no such correction.
        InputError: the file cannot be used.
    """
    found = asked if isinstance(asked, History) else History(file=asked)
    if found.correction is not None:
        procedure(found.correction)
    with open_history(Path(found.file), new=True):
        return found


def record(result: Compared, data: Dataset, measured: Sequence[Measured], asked: History) -> Compared:
    """The result with its place in the history of its test set, where it is recorded now.

    Args:
        result: a comparison or a leaderboard.
        data: outputs that were compared, under ``measured``.
        asked: the history.

    Raises:
        InputError: the file cannot be written.
    """
    known = set_of(data, None if asked.test_set is None else _encode(asked.test_set))
    known = replace(known, name=_encode(known.name))
    uses = _make_records(result, data, measured, known, asked)
    with open_history(Path(asked.file), new=True) as store, store.transaction():
        earlier = UsesByFamily(store, known.digest)
        told_apart = known.known_by not in ("name", "number of items")
        shorter = [one for one in store.sets()[-_RECENT:] if told_apart and one.n_items < known.n_items]
        starts = [one for one in shorter if one.digest == set_of(data, n=one.n_items).digest]
        last = store.use(earlier.last).comparison if earlier.last else None
        families = dict.fromkeys(use.family for use in uses)
        mixed = asked.correction and earlier.decided_otherwise(families, asked.correction, result.alpha)
        new = store.add(known, uses)
        in_history = _decide(store, earlier, result, uses, new, asked.correction)
    found = SetHistory(
        file=str(asked.file), test_set=known, before=earlier.uses, procedure=asked.correction, pairs=tuple(in_history)
    )
    cited = () if asked.correction is None else (procedure(asked.correction).citation,)
    where = replace(result.provenance, citations=tuple(dict.fromkeys((*result.provenance.citations, *cited))))
    notes = [*note_uses(found, sum(new), last), *notes_of_levels(result, found, data, starts, mixed=bool(mixed))]
    return replace(result, history=found, notes=(*result.notes, *notes), provenance=where)


def levels_of(kept: Sequence[Kept], name: str | None, alpha: float) -> dict[int, tuple[int, float | None]]:
    """By id of each use with a p-value: its number in its family, and its level under a correction, if one is asked.

    Args:
        kept: all uses of some test sets, in the order in which they came in.
        name: of the correction.
        alpha: its level.
    """
    streams: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for one in kept:
        use = one.comparison
        if use.p_value is not None:
            streams.setdefault((use.test_set, use.family), []).append((one.id, use.p_value))
    found: dict[int, tuple[int, float | None]] = {}
    for stream in streams.values():
        levels = [None] * len(stream) if name is None else online_levels([p for _, p in stream], name, alpha).tolist()
        found |= {id_: (k, level) for k, ((id_, _), level) in enumerate(zip(stream, levels, strict=True), 1)}
    return found


def _make_records(
    result: Comparison | Leaderboard,
    data: Dataset,
    measured: Sequence[Measured],
    known: KnownSet,
    asked: History,
) -> list[RecordedComparison]:
    digests = {m.stats.name: _digests(m.metric, data) for m in measured}
    signatures = {m.stats.name: m.signature for m in measured}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    who = _encode(_user() if asked.who is None else asked.who)
    return [
        RecordedComparison(
            test_set=known.digest,
            family=_encode(asked.family or pair.metric),
            system=_encode(pair.system),
            baseline=_encode(pair.baseline),
            system_digest=digests[pair.metric][pair.system],
            baseline_digest=digests[pair.metric][pair.baseline],
            metric=_encode(pair.metric),
            signature=_encode(signatures[pair.metric]),
            test=_encode(pair.test),
            alternative=pair.alternative,
            cluster=_encode_or_none(result.provenance.cluster),
            strata=_encode_or_none(result.provenance.strata),
            engine=result.provenance.engine,
            seed=result.seed,
            n_resamples=pair.n_resamples,
            alpha=result.alpha,
            p_value=pair.p_value,
            p_adjusted=pair.p_adjusted,
            correction=result.correction,
            gain=finite_or_none(pair.gain),
            ci_low=finite_or_none(pair.ci[0]) if pair.ci else None,
            ci_high=finite_or_none(pair.ci[1]) if pair.ci else None,
            n_items=pair.n_items,
            version=__version__,
            created=now,
            who=who,
        )
        for pair in result.pairs
    ]


def _digests(metric: Metric, data: Dataset) -> dict[str, str]:
    """By system, what the metric reads of it."""
    found = {}
    for system, runs in layers_of(metric, data).items():
        layers = [layer for of_run in runs.values() for layer in of_run]
        columns = _columns_read(metric, layers[0])
        found[system] = outputs_digest(layers, data, columns, texts=not columns)
    return found


def _columns_read(metric: Metric, layer: Items) -> list[str]:
    """The column that a metric names, or finds for itself; none where it reads texts; all where only it knows."""
    wanted = getattr(metric, "column", None)
    if wanted:
        return [wanted]
    if layer.outputs is not None:
        return []
    own = next((name for name in (metric.name, "score") if wanted is not None and name in layer.columns), None)
    return sorted(layer.columns) if own is None else [own]


def _decide(
    store: Store,
    earlier: UsesByFamily,
    result: Comparison | Leaderboard,
    uses: Sequence[RecordedComparison],
    new: Sequence[bool],
    name: str | None,
) -> list[PairInHistory]:
    """Each pair with its number, level and decision; those decided now are kept with their uses."""
    kept = [store.find(use) for use in uses]
    tested: dict[str, list[int]] = {}
    for one in kept:
        if one.comparison.p_value is not None:
            tested.setdefault(one.comparison.family, []).append(one.id)
    placed: dict[int, tuple[int, float | None]] = {}
    for family, ids in tested.items():
        placed |= earlier.place(family, ids, name, result.alpha)
    found = []
    for pair, use, is_new, one in zip(result.pairs, uses, new, kept, strict=True):
        p = one.comparison.p_value
        number, level = placed.get(one.id, (None, None))
        rejected = None if p is None or level is None else p <= level
        if name is not None and level is not None and rejected is not None:
            store.decide(one.id, name, level, rejected)
        found.append(
            PairInHistory(
                system=pair.system,
                baseline=pair.baseline,
                metric=pair.metric,
                family=use.family,
                number=number,
                seen_before=not is_new,
                p_value=p,
                level=level,
                rejected=rejected,
            )
        )
    return found


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no name at all, as in some containers
        return ""


def _encode(text: str) -> str:
    """Text that any file can hold; file names that are not UTF-8 reach us with lone surrogates."""
    return text.encode("utf-8", errors="backslashreplace").decode()


def _encode_or_none(text: str | None) -> str | None:
    return None if text is None else _encode(text)


_MOST_FAMILIES = 4
_RECENT = 20
"""Test sets, the last, of which this one may be a longer version."""


def note_uses(found: SetHistory, new: int, last: RecordedComparison | None) -> list[Note]:
    """How often the test set was used, and for what."""
    known, before = found.test_set, sum(found.before.values())
    named = f"{known.name} ({known.digest[:12]})" if known.name else known.digest[:12]
    said = "was used for the first time"
    if last is not None:
        families = [f"{family} {n}" for family, n in list(found.before.items())[:_MOST_FAMILIES]]
        more = len(found.before) - len(families)
        said = (
            f"had been used {inflect(before, 'time')} before ({', '.join(families)}"
            f"{f' and {more} more' if more > 0 else ''}; the last: {last.system} against {last.baseline} under "
            f"{last.metric}, {last.created[:10]})"
        )
    again = len(found.pairs) - new
    same = f", and {inflect(again, 'pair')} had been compared just so" if again else ""
    remedy = ""
    if before + new > 1 and found.procedure is None:
        remedy = "decide over all uses by --correct-history alpha-spending"
    notes = [Note(code="test_set_history", text=f"the test set {named} {said}; {inflect(new, 'use')} added{same}",
                  remedy=remedy)]  # fmt: skip
    if known.known_by == "number of items":
        notes.append(
            Note(
                code="test_set_unknown",
                text=f"neither ids nor references tell this test set from others of {inflect(known.n_items, 'item')}",
                remedy="name it: --test-set NAME",
            )
        )
    return notes


def notes_of_levels(
    result: Comparison | Leaderboard, found: SetHistory, data: Dataset, starts: Sequence[KnownSet], *, mixed: bool
) -> list[Note]:
    """Notes on the assumptions that the levels over the history rest on."""
    notes = []
    if starts:
        sizes = ", ".join(f"{one.n_items:,}" for one in starts)
        notes.append(
            Note(
                code="test_set_cut",
                text=f"its first {sizes} items are a test set of an earlier use: looks at one that grows are "
                "counted as first uses",
                remedy="name the whole: --test-set NAME, or look by outscore sequential",
            )
        )
    if data.dropped and found.test_set.known_by != "name":
        notes.append(
            Note(
                code="test_set_cut",
                text="items were dropped, and what is left counts as a test set of its own",
                remedy="name the whole: --test-set NAME",
            )
        )
    if found.procedure is None:
        return notes
    if PROCEDURES[found.procedure].dependence == "independent":
        notes.append(
            Note(
                code="uses_depend",
                text=f"{found.procedure} is proved for independent p-values, and uses of one test set share its items",
                remedy="alpha-spending holds however they depend, lond where they depend positively",
            )
        )
    beyond = [pair for pair, one in zip(result.pairs, found.pairs, strict=True) if _out_of_reach(pair, one)]
    if beyond:
        note = Note(
            code="level_out_of_reach",
            text="so many uses leave a level below the smallest p-value that this test can give",
            remedy="draw more resamples (-n), which is no new use, or begin a new test set",
        )
        names = [f"{pair.system!r} against {pair.baseline!r} under {pair.metric}" for pair in beyond]
        notes.append(note if len(beyond) == len(result.pairs) else append_names(note, names))
    if mixed:
        notes.append(
            Note(
                code="procedures_mixed",
                text="earlier uses were decided under another correction or alpha; the levels are those of this one "
                "had it been used from the start",
                remedy="keep to one",
            )
        )
    return notes


def _out_of_reach(pair: Pair, one: PairInHistory) -> bool:
    if one.level is None or one.rejected:
        return False
    drawn = 0.0 if pair.n_resamples is None else 1 / (pair.n_resamples + 1)
    return max(drawn, pair.p_min or 0.0) > one.level
