"""``rank``: scores or preferences of many systems in, the ranks that each can have out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from outscore.api.histories.recorder import Recorder, recorder
from outscore.api.leaderboard.block_ranks import mean_ranks
from outscore.api.leaderboard.boards import make_notes, places
from outscore.api.leaderboard.competitors import Competitors, from_judgments, from_scores, from_sets
from outscore.api.shared.alone import check_several
from outscore.api.shared.family import (
    check_correction,
    choose_sizes,
    correction_for,
    family_of,
    is_settled,
    note_unsettled,
)
from outscore.api.shared.inputs import align_from, check_resamples
from outscore.api.shared.interrupting import interruptible
from outscore.api.shared.judged import draw_for_intervals, judge
from outscore.api.shared.measuring import Meant, Measurements
from outscore.api.shared.naming import attribute, pair_name, score_name
from outscore.api.shared.records import pair_record, provenance, score_record, unique_notes
from outscore.api.shared.sets import data_sets_from
from outscore.api.shared.verdicts import decide
from outscore.base.errors import UsageError
from outscore.base.notes import INTERRUPTED
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.data.columns import holds_preferences
from outscore.data.dataset import Dataset
from outscore.data.frames import frame_of
from outscore.data.judgments import Preferences, Ratings, judgments_from
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine
from outscore.jobs import Progress, cores
from outscore.multiplicity.adjust import AUTO
from outscore.results import Leaderboard, MeanRanks, Provenance
from outscore.significance import Test, notes
from outscore.significance.confidence import find_method, refuse
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.kinds import make_paired
from outscore.significance.omnibus.friedman import FriedmanTest
from outscore.significance.preferences import Ties
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.settings import Settings
from outscore.significance.student import StudentT

if TYPE_CHECKING:
    from outscore.api.histories.kept import HistoryLike

_RANKS = ("Al Mohamad et al. 2022", "Mogstad et al. 2024", "Piepho 2004")
_OF_RATINGS = (notes.FEW_ITEMS.code, notes.FEW_CLUSTERS.code, INTERRUPTED.code)
"""Of the notes on a mean of items those that are true of a rating, too."""


@interruptible
def rank(
    data: Any,
    *,
    metrics: Meant = None,
    references: Any = None,
    items: Any = None,
    test: str | Test = AUTO,
    n_resamples: int | Literal["auto"] = 10_000,
    seed: int = DEFAULT_SEED,
    engine: Engine = "cyclic",
    alpha: float = 0.05,
    interval: str | IntervalMethod = AUTO,
    correction: str = AUTO,
    cluster: str | None = None,
    strata: str | None = None,
    blocks: str | None = None,
    ties: Ties = "half",
    elo: bool = False,
    lower: bool = False,
    missing: Missing = "error",
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    history: HistoryLike = None,
    progress: Progress | None = None,
) -> Leaderboard:
    """Which ranks can the systems of a leaderboard have?

    Every two systems are compared on shared resamples and corrected together. What follows holds for all systems at
    once: rank sets, the leaders, tiers, letters.

    Args:
        data: as in ``compare``; or data sets, a mapping from their names to what ``read`` gave (``read_sets``),
            each of which then counts as one number for each system; or judgments (``read_judgments``, or a data frame
            with columns [item,] system1, system2, winner), of which Bradley and Terry's ratings are ranked.
        metrics, references, items, test, seed, engine, strata, missing, jobs, cache, progress: as in ``compare``.
        history: as in ``compare``, for one test set: every two systems are one use of it.
        n_resamples: resampled test sets, for all pairs together, or ``auto``, as in ``compare``.
        alpha: all rank sets hold the true ranks with probability 1 - alpha.
        interval, correction: as in ``compare``.
        cluster: column of items, or prompts, that are not independent.
        blocks: column within whose values systems are ranked too, for mean ranks; by default ``domain``, ``none`` for
            none, ``item`` for every item by itself. Of several data sets each is a block.
        ties: of preferences: ``half`` a win for each, or ``davidson``, an outcome of their own.
        elo: ratings on the scale of Elo rather than in log odds.
        lower: of judgments that are ratings or ranks: lower is better.

    Raises:
        UsageError: an option is wrong.
        InputError: the data are wrong.
        Interrupted: Ctrl-C; its ``result`` is of what had been done.
    """
    plan = choose_sizes(n_resamples)
    check_resamples(plan[0])
    check_correction(correction)
    runtime = Runtime(jobs=cores() if jobs is None else jobs, progress=progress)
    settings = Settings(alpha=alpha, n_resamples=plan[0], seed=seed, engine=engine, runtime=runtime)
    asked = _Request(
        test=None if test == AUTO else test if isinstance(test, Test) else make_paired(test),
        interval=find_method(interval, "gain", "score"),
        correction=correction,
        plan=plan,
        named=test if isinstance(test, str) else test.label,
    )
    frame = frame_of(data)
    if frame is not None and holds_preferences(frame.columns):
        data = judgments_from(data)
    if isinstance(data, Preferences | Ratings):
        given = {
            "metrics": metrics, "references": references, "items": items, "blocks": blocks, "strata": strata,
            "cache": cache, "test": None if test == AUTO else test, "interval": asked.interval, "history": history,
        }  # fmt: skip
        _refuse_given(given, "judgments have no {0}: leave {0} out")
        return _rank(from_judgments(data, ties, elo, lower, cluster), asked, settings)
    _refuse_given({"ties": ties != "half", "elo": elo, "lower": lower}, "{0} is for judgments: use --preferences")
    if isinstance(data, Mapping) and data and all(isinstance(one, Dataset) for one in data.values()):
        _refuse_given({"blocks": blocks}, "every data set is a block: leave {0} out")
        _refuse_given({"history": history}, "{0} is of one test set, not of several: leave it out")
        sets = data_sets_from(
            data, None, references=references, items=items, missing=missing, metrics=metrics, cluster=cluster,
            strata=strata, runtime=runtime, cache=None if cache is None else Path(cache),
        )  # fmt: skip
        return _rank(from_sets(sets), asked, settings)
    record = recorder(history)
    aligned = align_from(data, references=references, items=items, missing=missing)
    check_several(aligned, lacks="cannot be ranked")
    made = Measurements.of(aligned, metrics, runtime, cluster=cluster, strata=strata, cache=cache)
    return _rank(from_scores(made, blocks), asked, settings, record)


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
    for n in asked.plan:
        settings = replace(settings, n_resamples=n)
        systems = Resamples(entered.systems, [m.stats for m in measured], 0, settings, all_pairs=True)
        refuse(asked.interval, systems)
        met = [GainContrast(systems, p, *pair) for p in range(len(measured)) for pair in systems.pairs]
        tested, drawn = judge(met, named, measured, systems, asked.interval, beside=False)
        family = family_of(tested, correction_for(asked.correction, drawn), settings.alpha)
        enough = len(asked.plan) == 1 or is_settled(family, times=len(asked.plan))
        if enough or drawn.interrupted:
            break
    corrected, correction = family.adjusted, family.correction
    each = [(p, m, s) for p, m in enumerate(measured) for s in range(len(entered.systems))]
    drawn = drawn.draw((BOOTSTRAP,))  # of which the bootstrap ranks are made
    judged, drawn = draw_for_intervals(family.judged, [(p, s) for p, _, s in each], drawn, asked.interval)
    found = decide(judged, corrected, None, correction)
    verdicts = [one.verdict for one in found]
    judged = [j.add_notes(one.notes) for j, one in zip(judged, found, strict=True)]
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
    said = attribute((pair_name(j.pair), j.notes) for j in judged)
    said += attribute((score_name(record, len(measured)), extra) for record, extra in scored)
    if made:
        said = [note for note in said if note.code in _OF_RATINGS]
        pairs = [made.paired(replace(pair, notes=tuple(c for c in pair.notes if c in _OF_RATINGS))) for pair in pairs]
        scores = [made.make_score(score, s) for score, (_, _, s) in zip(scores, each, strict=True)]
    said += [*family.notes, *make_notes(board, correction, asked.correction, runs=drawn.has_runs)]
    said += [] if enough else note_unsettled(family, asked.plan, said)
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
        provenance=_provenance(entered, judged, settings, asked, correction),
    )
    if record is not None and drawn.interrupted:
        # what was cut short is no use: it will be made in full
        return replace(ranked, notes=(*ranked.notes, notes.NOT_RECORDED))
    return ranked if record is None else record(ranked, entered.data, measured)


def _mean_ranks(entered: Competitors, settings: Settings) -> tuple[MeanRanks, ...]:
    if entered.blocks is None:
        return ()
    name, scores = entered.blocks
    each = zip(entered.measured, scores, strict=True)
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
