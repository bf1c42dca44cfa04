"""``compare --missing pairwise``: each pair of systems on the items that both have, corrected together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED, Note
from outscore.data.align import Missing
from outscore.data.collection import PAIRWISE, Collection, list_pairs
from outscore.data.dataset import Dataset
from outscore.multiplicity.adjust import AUTO, JOINT
from outscore.results.comparison import Comparison
from outscore.results.pairs import OwnScores, Pair
from outscore.significance import Test
from outscore.significance.confidence import refuse
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.verbs.compare import Compare
from outscore.verbs.compare.margins import margins_of
from outscore.verbs.shared.buckets import BucketedGains, Buckets, bucket_gains
from outscore.verbs.shared.family import family_of, is_settled, note_unsettled
from outscore.verbs.shared.inputs import align_from, baseline_of, pairwise_from
from outscore.verbs.shared.judged import draw_for_intervals, judge, note_ignored_clusters
from outscore.verbs.shared.measured import Measurements, measuring_notes
from outscore.verbs.shared.naming import attribute, pair_name, score_name
from outscore.verbs.shared.records import JudgedPair, add_regions, pair_record, provenance, score_record, unique_notes
from outscore.verbs.shared.verdicts import citations, decide

_MOST = 4
BY_HOLM = Note(
    code="pairwise_by_holm",
    text="pairs of different items have no resamples in common, which a joint correction (max-t) needs: p-values are "
    "corrected by Holm, and each interval is at 1 - alpha/m",
    remedy="",
)
WITHOUT_DETAILS = Note(
    code="pairwise_without_details",
    text="no details are kept: they belong to items that all systems have",
    remedy="use --missing drop",
)


@dataclass(frozen=True)
class PairwiseRequest:
    """A request of the user, with what its names were found to mean.

    Attributes:
        asked: as the user has it.
        test: None for one that is chosen by the data.
        plan: numbers of resamples to look at.
        method: of intervals; None for one that is chosen by the data.
    """

    asked: Compare
    test: Test | None
    plan: tuple[int, ...]
    method: IntervalMethod | None


def align_or_pair(data: object, missing: Any, *, references: object, items: object) -> Dataset | Collection:
    """The data for ``compare``: in pairs only where that is asked for and some system lacks items of others."""
    if not isinstance(data, Collection):
        if missing != PAIRWISE or isinstance(data, Dataset):
            told: Missing = "drop" if missing == PAIRWISE else missing
            return align_from(data, references=references, items=items, missing=told)
        data = pairwise_from(data, references=references, items=items)
    return data.align_all() or data


def compare_by_pairs(held: Collection, how: PairwiseRequest, settings: Settings) -> Comparison:
    """Each pair on its own items, with its own test, all in one family; scores are of all items that a system has.

    Raises:
        UsageError: an option that needs resamples, or a score, that all pairs share.
        InputError: two systems have no item in common.
    """
    if how.asked.posterior is not None:
        raise UsageError("--posterior needs the same items for all pairs: use --missing drop")
    if how.asked.words:
        raise UsageError("--show-words needs the same items for all pairs: use --missing drop")
    if how.asked.history is not None:
        raise UsageError("a history is of one test set, and --missing pairwise gives each pair another: leave it out")
    correction = _correction(how)
    first = baseline_of(held.systems, how.asked.baseline)
    pairs = list_pairs(held.systems, first, all_pairs=how.asked.all_pairs)

    def measure(data: Measurements) -> Measurements:
        names = [m.stats.name for m in data.measured]
        if names != labels:
            raise UsageError(f"pairs have different metrics by default, {labels} and {names}: name one with -m")
        return data

    parts = [_measure(held.pair(*pair), how, settings) for pair in pairs]
    labels = [m.stats.name for m in parts[0].measured]
    parts = [measure(part) for part in parts]
    for n in how.plan:
        settings = replace(settings, n_resamples=n)
        by_part = [_judge(part, how, settings) for part in parts]
        # metric by metric, as where all pairs have the same items
        family = family_of([of_part[p] for p in range(len(labels)) for of_part in by_part], correction, settings.alpha)
        enough = len(how.plan) == 1 or is_settled(family, times=len(how.plan))
        if enough or any(j.pair.resamples.interrupted for j in family.judged):
            break
    judged = [_add_interval(j, part) for j, part in zip(family.judged, parts * len(labels), strict=True)]
    margins = margins_of(how.asked.margin, parts[0].by_metric, 0)
    verdicts = decide(judged, family.adjusted, margins, correction, family.notes)
    judged = [j.add_notes(v.notes) for j, v in zip(judged, verdicts, strict=True)]
    found = [v.complete(_record(j, p)) for j, p, v in zip(judged, family.adjusted, verdicts, strict=True)]
    found = add_regions(found, judged) if how.asked.critical else found
    alone = [_measure(held.align_system(system), how, settings) for system in held.systems]
    scored = [(part, _draw_for_scores(part, how, settings)) for part in alone]
    scores = [
        score_record(drawn, part.measured[p], p, 0, how.method) for p in range(len(labels)) for part, drawn in scored
    ]
    of_baseline = [part for part, pair in zip(parts, pairs, strict=True) if pair[1] == held.systems[first]]
    said = [note for part in (*parts, *alone) for note in part.data.notes]
    said += [note for part in parts for note in measuring_notes(part.measured)]
    said += attribute((pair_name(j.pair), j.notes) for j in judged)
    said += attribute((score_name(record, len(labels)), extra) for record, extra in scores)
    said += [] if enough else note_unsettled(family, how.plan, said)
    stopped = any(j.pair.resamples.interrupted for j in judged) or any(drawn.interrupted for _, drawn in scored)
    said += [INTERRUPTED] if stopped else []
    split = [bucket_gains(Buckets.of(part, how.asked.by), 0, settings, correction) for part in of_baseline]
    within = BucketedGains.joined(split, correction)
    said += within.notes
    where = provenance(
        alone[first].data,
        alone[first].measured,
        judged,
        settings,
        str(how.asked.test),
        correction,
        alone[first].design,
        how.method,
    )
    sources = dict.fromkeys(source for part in alone for source in part.data.sources)
    clusters = {name for part in alone for name in part.design.names}
    return Comparison(
        baseline=held.systems[first],
        seed=settings.seed,
        alpha=settings.alpha,
        alternative=settings.alternative,
        correction=correction,
        scores=tuple(record for record, _ in scores),
        pairs=tuple(found),
        buckets=within.gains,
        interactions=within.interactions,
        notes=(*_notes(held, how, found), *unique_notes([*family.notes, *said])),
        provenance=replace(
            where,
            inputs=tuple(sources),
            n_items_read=held.n_items,
            dropped={},
            n_clusters=len(clusters) or None,
            samples={system: n for part in alone for system, n in part.data.n_samples.items()},
            citations=tuple(dict.fromkeys((*where.citations, *citations(verdicts), *within.citations))),
        ),
    )


def _correction(how: PairwiseRequest) -> str:
    """The correction, where one can be had without resamples in common.

    Raises:
        UsageError: what is asked for cannot be had by pairs.
    """
    correction, method = how.asked.correction, how.method
    joint = f"--interval {method.label}" if method is not None and method.joint else ""
    if asked := f"--correct {correction}" if correction in JOINT else joint:
        raise UsageError(
            f"{asked} needs resamples that all pairs share, and --missing pairwise gives each pair items of its own: "
            "use holm, or --missing drop"
        )
    if "%" in str(how.asked.margin):
        raise UsageError(
            "--margin in per cent of the baseline's score differs from pair to pair with --missing pairwise: give a "
            "number"
        )
    return "holm" if correction == AUTO else correction


def _measure(data: Dataset, how: PairwiseRequest, settings: Settings) -> Measurements:
    return Measurements.of(
        data,
        how.asked.metrics,
        settings.runtime,
        cluster=how.asked.cluster,
        strata=how.asked.strata,
        cache=how.asked.cache,
    )


def _judge(part: Measurements, how: PairwiseRequest, settings: Settings) -> list[JudgedPair]:
    """One pair under every metric."""
    systems = part.resamples(settings)
    refuse(how.method, systems)
    pairs = [GainContrast(systems, p, 1) for p in range(len(part.measured))]
    return judge(pairs, how.test, part.measured, systems, how.method)[0]


def _add_interval(judged: JudgedPair, part: Measurements) -> JudgedPair:
    """The same with what its interval needs drawn, and a note on clusters that were ignored."""
    (judged,), drawn = draw_for_intervals([judged], [], judged.pair.resamples, judged.method)
    return judged if part.design.cluster else judged.add_notes(note_ignored_clusters(drawn, part.data))


def _draw_for_scores(part: Measurements, how: PairwiseRequest, settings: Settings) -> Resamples:
    """One system under every metric, with what the intervals of its scores need drawn."""
    each = [(p, 0) for p in range(len(part.measured))]
    return draw_for_intervals([], each, part.resamples(settings), how.method)[1]


def _record(judged: JudgedPair, adjusted: float | None) -> Pair:
    """The record of a pair with the scores of both on its items, of which the gain is the difference."""
    pair, record = judged.pair, pair_record(judged, adjusted)
    ours, theirs = (float(pair.stats.run_scores[s].mean()) for s in (pair.system, pair.baseline))
    return replace(record, effect={**vars(OwnScores(ours, theirs)), **record.effect})


def _notes(held: Collection, how: PairwiseRequest, pairs: Sequence[Pair]) -> list[Note]:
    """The notes on pairs that have different items."""
    lacking = [f"{system!r} lacks {n}" for system, n in held.lacking.items()]
    who = ", ".join(lacking[:_MOST]) + (f" and {len(lacking) - _MOST} more some" if len(lacking) > _MOST else "")
    fewest, most = min(pairs, key=lambda p: p.n_items), max(pairs, key=lambda p: p.n_items)
    size = inflect(fewest.n_items, "item")
    if fewest.n_items < most.n_items:
        size = (
            f"from {size} ({fewest.system!r} against {fewest.baseline!r}) to {most.n_items} ({most.system!r} against "
            f"{most.baseline!r})"
        )
    said = [
        Note(
            code="pairwise_items",
            text=f"of {held.n_items} items {who}: each pair is compared on the items that both have, {size}. Gains "
            "of different pairs are of different items: they need not add up, nor order the systems; and scores are "
            "of all items that a system has, so that a gain need not be the difference of two of them",
            remedy="read each pair by itself; --missing drop compares all on the same items",
        )
    ]
    said += [BY_HOLM] if how.asked.correction == AUTO and len(pairs) > 1 else []
    return [*said, WITHOUT_DETAILS] if how.asked.flips else said
