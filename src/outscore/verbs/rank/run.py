"""The work of ``rank``: every two systems compared and corrected, and what follows for the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED
from outscore.data.columns import holds_preferences
from outscore.data.dataset import Dataset
from outscore.data.frames import frame_of
from outscore.data.judgments import Preferences, Ratings, judgments_from
from outscore.multiplicity.adjust import AUTO
from outscore.results.leaderboard import Leaderboard
from outscore.results.places import MeanRanks
from outscore.results.result import Provenance
from outscore.significance import Test, notes
from outscore.significance.choose import make_paired
from outscore.significance.confidence import find_method, refuse
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.omnibus.friedman import FriedmanTest
from outscore.significance.resamples import BOOTSTRAP, SCORES, Resamples
from outscore.significance.settings import Settings
from outscore.significance.student import StudentT
from outscore.verbs.history import recorder
from outscore.verbs.rank import Rank
from outscore.verbs.rank.boards import lead_is_safe, make_notes, mean_ranks, note_others, places, set_apart
from outscore.verbs.rank.contests import Competitors, from_judgments, from_scores, from_sets
from outscore.verbs.shared.family import (
    Family,
    check_correction,
    choose_sizes,
    correction_for,
    family_of,
    find_unsettled,
    is_settled,
    note_unsettled,
)
from outscore.verbs.shared.inputs import align_from, check_resamples, check_several
from outscore.verbs.shared.judged import draw_for_intervals, find_descriptive, judge, note_ignored_clusters
from outscore.verbs.shared.measured import Measurements, runtime_of
from outscore.verbs.shared.naming import attribute, pair_name, score_name
from outscore.verbs.shared.records import engine_of, pair_record, provenance, score_record, unique_notes
from outscore.verbs.shared.sets import data_sets_from
from outscore.verbs.shared.verdicts import decide

if TYPE_CHECKING:
    from outscore.verbs.history.kept import Recorder

_RANKS = ("Al Mohamad et al. 2022", "Mogstad et al. 2024", "Piepho 2004")
_OF_RATINGS = (notes.CLUSTERS_IGNORED.code, notes.FEW_ITEMS.code, notes.FEW_CLUSTERS.code, INTERRUPTED.code)
"""Of the notes on a mean of items those that are true of a rating, too."""


def rank(data: Any, options: Rank) -> Leaderboard:
    """The ranks that are asked for."""
    plan = choose_sizes(options.n_resamples)
    check_resamples(plan[0])
    check_correction(options.correction)
    runtime, test = runtime_of(options.jobs, options.progress), options.test
    settings = Settings(alpha=options.alpha, n_resamples=plan[0], seed=options.seed, runtime=runtime)
    asked = _Request(
        test=None if test == AUTO else test if isinstance(test, Test) else make_paired(test),
        interval=find_method(options.interval, "gain", "score"),
        correction=options.correction,
        plan=plan,
        named=test if isinstance(test, str) else test.label,
    )
    frame = frame_of(data)
    if frame is not None and holds_preferences(frame.columns):
        data = judgments_from(data)
    if isinstance(data, Preferences | Ratings):
        given = {
            **{
                name: getattr(options, name) for name in ("metrics", "references", "items", "blocks", "strata", "cache")
            },
            "test": None if test == AUTO else test,
            "interval": asked.interval,
            "history": options.history,
        }
        _refuse_given(given, "judgments have no {0}: leave {0} out")
        return _rank(from_judgments(data, options.ties, options.elo, options.lower, options.cluster), asked, settings)
    _refuse_given(
        {"ties": options.ties != "half", "elo": options.elo, "lower": options.lower},
        "{0} is for judgments: use --preferences",
    )
    if isinstance(data, Mapping) and data and all(isinstance(one, Dataset) for one in data.values()):
        _refuse_given({"blocks": options.blocks}, "every data set is a block: leave {0} out")
        _refuse_given({"history": options.history}, "{0} is of one test set, not of several: leave it out")
        sets = data_sets_from(
            data,
            None,
            references=options.references,
            items=options.items,
            missing=options.missing,
            metrics=options.metrics,
            cluster=options.cluster,
            strata=options.strata,
            runtime=runtime,
            cache=None if options.cache is None else Path(options.cache),
        )
        return _rank(from_sets(sets), asked, settings)
    record = recorder(options.history)
    aligned = align_from(data, references=options.references, items=options.items, missing=options.missing)
    check_several(aligned, lacks="cannot be ranked")
    made = Measurements.of(
        aligned, options.metrics, runtime, cluster=options.cluster, strata=options.strata, cache=options.cache
    )
    return _rank(from_scores(made, options.blocks), asked, settings, record)


@dataclass(frozen=True)
class _Request:
    """How pairs are tested, intervals made and p-values corrected, as the user wants it."""

    test: Test | None
    interval: IntervalMethod | None
    correction: str
    plan: tuple[int, ...]
    named: str


def _rank(entered: Competitors, asked: _Request, settings: Settings, record: Recorder | None = None) -> Leaderboard:
    """Every two systems compared, corrected, and what follows for the ranks."""
    measured, made = entered.measured, entered.contest
    named = StudentT() if made else asked.test
    family = Family([], [], asked.correction, settings.alpha)
    for n in asked.plan:
        settings = replace(settings, n_resamples=n)
        systems = Resamples(entered.systems, [m.stats for m in measured], 0, settings, all_pairs=True)
        refuse(asked.interval, systems)
        met = [GainContrast(systems, p, *pair) for p in range(len(measured)) for pair in systems.pairs]
        tested, drawn = judge(met, named, measured, systems, asked.interval, beside=False, before=family.judged)
        family = family_of(tested, correction_for(asked.correction, drawn), settings.alpha, family)
        drawn = drawn.stop(family.stopped)
        enough = len(asked.plan) == 1 or is_settled(family, times=len(asked.plan))
        if enough or drawn.interrupted:
            break
    corrected, correction = family.adjusted, family.correction
    each = [(p, m, s) for p, m in enumerate(measured) for s in range(len(entered.systems))]
    judged, drawn = draw_for_intervals(family.judged, [(p, s) for p, _, s in each], drawn, asked.interval)
    drawn = drawn if BOOTSTRAP in drawn.drawn else drawn.draw((SCORES,))  # of which the bootstrap ranks are made
    judged = [j.on(drawn) for j in judged]
    found = decide(judged, corrected, None, correction, family.notes)
    verdicts = [one.verdict for one in found]
    of_items = entered.design.cluster is None and entered.design.n_items == len(entered.data.items)
    ignored = note_ignored_clusters(drawn, entered.data) if of_items else ()
    judged = [j.add_notes((*one.notes, *ignored)) for j, one in zip(judged, found, strict=True)]
    pairs = [replace(pair_record(j, p), verdict=v) for j, p, v in zip(judged, corrected, verdicts, strict=True)]
    scored = [score_record(drawn, m, p, s, asked.interval) for p, m, s in each]
    scores = [record for record, _ in scored]
    size = len(drawn.pairs)
    board = [
        place
        for p in range(len(measured))
        for place in places(
            drawn, p, judged[p * size : (p + 1) * size], verdicts[p * size : (p + 1) * size]
        )
    ]  # fmt: skip
    of_blocks = _mean_ranks(entered, settings)
    safe = lead_is_safe(board, pairs)
    hanging = {i for i, pair in enumerate(pairs) if notes.UNSTABLE.code in pair.notes}
    hanging |= set() if enough else set(find_unsettled(family, 1 - 0.01 / len(asked.plan)))
    apart = {i for i in hanging if safe[i]}
    pairs = [set_apart(pair) if i in apart else pair for i, pair in enumerate(pairs)]
    own = ([n for n in j.notes if i not in apart or n.code != notes.UNSTABLE.code] for i, j in enumerate(judged))
    said = attribute((pair_name(j.pair), found_notes) for j, found_notes in zip(judged, own, strict=True))
    said += [note_others(len(apart), len(pairs))] if apart else []
    said += attribute((score_name(record, len(measured)), extra) for record, extra in scored)
    if made:
        said = [note for note in said if note.code in _OF_RATINGS]
        pairs = [made.paired(replace(pair, notes=tuple(c for c in pair.notes if c in _OF_RATINGS))) for pair in pairs]
        scores = [made.make_score(score, s) for score, (_, _, s) in zip(scores, each, strict=True)]
    said += [*family.notes, *make_notes(board, correction, asked.correction, runs=drawn.has_runs)]
    said += [] if enough else note_unsettled(family, asked.plan, said, without=apart)
    said += [notes.POOL] if of_blocks else []
    said += [INTERRUPTED] if drawn.interrupted else []
    ranked = Leaderboard(
        seed=settings.seed,
        alpha=settings.alpha,
        kind="ratings" if made else "scores",
        unit=entered.unit,
        correction=correction,
        scores=tuple(scores),
        places=tuple(board),
        pairs=tuple(pairs),
        mean_ranks=of_blocks,
        effect=made.effect if made else {},
        notes=unique_notes([*entered.notes, *said]),
        provenance=replace(
            _provenance(entered, judged, drawn.told, asked, correction),
            engine=engine_of(drawn.independent, settings.engine),
        ),
    )
    if record is not None and drawn.interrupted:
        # what was cut short is no use: it will be made in full
        return replace(ranked, notes=(*ranked.notes, notes.NOT_RECORDED))
    return ranked if record is None else record(ranked, entered.data, measured)


def _mean_ranks(entered: Competitors, settings: Settings) -> tuple[MeanRanks, ...]:
    if entered.blocks is None:
        return ()
    name, scores = entered.blocks
    described = find_descriptive(entered.measured)
    each = [one for p, one in enumerate(zip(entered.measured, scores, strict=True)) if p not in described]
    return tuple(mean_ranks(m.stats.name, name, entered.systems, values, settings.alpha) for m, values in each)


def _provenance(
    entered: Competitors, judged: Sequence[Any], settings: Settings, asked: _Request, correction: str
) -> Provenance:
    found = provenance(
        entered.data, entered.measured, judged, settings, asked.named, correction, entered.design, asked.interval
    )
    ranks = (FriedmanTest.citation,) if entered.blocks else ()
    cited = (*(entered.contest.citations if entered.contest else ()), *found.citations, *_RANKS, *ranks)
    return replace(found, citations=tuple(dict.fromkeys(cited)))


def _refuse_given(given: Mapping[str, Any], what: str) -> None:
    """Raises UsageError for the first option that is given."""
    name = next((name for name, value in given.items() if value), None)
    if name is not None:
        raise UsageError(what.format(f"--{name}"))
