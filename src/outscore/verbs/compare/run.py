"""The work of ``compare``: align, count, judge each pair, correct, decide, record; and again as a note advises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

from outscore.base.errors import UsageError
from outscore.base.notes import INTERRUPTED, Note
from outscore.data.collection import Collection, check_pairs
from outscore.data.dataset import Dataset
from outscore.data.exports import OVERLAP
from outscore.multiplicity.adjust import AUTO
from outscore.results.comparison import Comparison
from outscore.results.pairs import Otherwise, Pair
from outscore.results.posteriors import Beliefs
from outscore.significance import Named, Test, notes
from outscore.significance.choose import make_test
from outscore.significance.confidence import find_method, refuse
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.settings import Settings
from outscore.verbs.compare import Compare
from outscore.verbs.compare.details import details_of
from outscore.verbs.compare.margins import margins_of
from outscore.verbs.compare.pairwise import PairwiseRequest, align_or_pair, compare_by_pairs
from outscore.verbs.compare.words import word_gains
from outscore.verbs.history import recorder
from outscore.verbs.shared.buckets import Buckets, bucket_gains
from outscore.verbs.shared.family import (
    Family,
    check_correction,
    choose_sizes,
    correction_for,
    family_of,
    is_settled,
    note_unsettled,
)
from outscore.verbs.shared.inputs import baseline_of, check_resamples, check_several
from outscore.verbs.shared.judged import (
    draw_for_intervals,
    find_ignored,
    judge,
    note_ignored_clusters,
)
from outscore.verbs.shared.measured import Measurements, runtime_of
from outscore.verbs.shared.naming import attribute, pair_name, score_name
from outscore.verbs.shared.records import add_regions, pair_record, provenance, score_record, unique_notes
from outscore.verbs.shared.verdicts import citations, decide


def compare(data: Any, asked: Compare) -> Comparison:
    """The comparison that is asked for."""
    named = None if asked.test == AUTO else asked.test if isinstance(asked.test, Named) else make_test(asked.test)
    if not (named is None or isinstance(named, Test)):
        from outscore.verbs.compare.apart import compare_apart  # what tests of pairs have no use for

        return compare_apart(data, named, asked)
    if asked.unit is not None:
        of = f"{named.name} is a test of pairs" if named else "auto chooses one of pairs"
        raise UsageError(f"--unit belongs to tests of independent samples and of several systems; {of}")
    return _compare_pairs(_join(data), named, asked)


def _compare_pairs(data: Any, named: Test | None, asked: Compare, *, beside: bool = True) -> Comparison:
    """The comparison by a test of pairs; None for the one that suits the data. ``beside``: other tests answer, too."""
    plan = choose_sizes(asked.n_resamples)
    check_resamples(plan[0])
    settings = Settings(
        alternative=asked.alternative,
        alpha=asked.alpha,
        n_resamples=plan[0],
        seed=asked.seed,
        engine=asked.engine,
        runtime=runtime_of(asked.jobs, asked.progress),
    )
    check_correction(asked.correction)
    method = find_method(asked.interval, "gain", "score")
    aligned = align_or_pair(data, asked.missing, references=asked.references, items=asked.items)
    if isinstance(aligned, Collection):
        return compare_by_pairs(aligned, PairwiseRequest(asked, named, plan, method), settings)
    check_several(aligned)
    check_pairs(len(aligned.systems), all_pairs=asked.all_pairs)
    first, record = baseline_of(aligned.systems, asked.baseline), recorder(asked.history)
    made = Measurements.of(
        aligned, asked.metrics, settings.runtime, cluster=asked.cluster, strata=asked.strata, cache=asked.cache
    )
    buckets = Buckets.of(made, asked.by)
    aligned, design, measured = made.data, made.design, made.measured
    margins = margins_of(asked.margin, made.by_metric, first)
    family = Family([], [], asked.correction, asked.alpha)
    for n in plan:
        settings = replace(settings, n_resamples=n)
        systems = made.resamples(settings, first, all_pairs=asked.all_pairs)
        refuse(method, systems)
        pairs = [GainContrast(systems, p, *pair) for p in range(len(measured)) for pair in systems.pairs]
        judged, drawn = judge(pairs, named, measured, systems, method, beside=beside, before=family.judged)
        family = family_of(judged, correction_for(asked.correction, drawn), asked.alpha, family)
        drawn = drawn.stop(family.stopped)
        enough = len(plan) == 1 or is_settled(family, times=len(plan))
        if enough or drawn.interrupted:
            break
    adjusted, correction = family.adjusted, family.correction
    each = [(p, s) for p in range(len(measured)) for s in range(len(aligned.systems))]
    judged, drawn = draw_for_intervals(family.judged, each, drawn, method)
    if design.cluster is None:
        ignored = note_ignored_clusters(drawn, aligned)
        judged = [j.add_notes(ignored) for j in judged]
    scores = [score_record(drawn, measured[p], p, s, method) for p, s in each]
    verdicts = decide(judged, adjusted, margins, correction, family.notes)
    judged = [j.add_notes(v.notes) for j, v in zip(judged, verdicts, strict=True)]
    beliefs, drawn = _believe(asked, drawn, margins)
    records = [v.complete(pair_record(j, a)) for j, a, v in zip(judged, adjusted, verdicts, strict=True)]
    records = add_otherwise(add_regions(records, judged) if asked.critical else records, asked, aligned, drawn)
    within = bucket_gains(buckets, first, settings, correction)
    found = [*made.notes("--by", buckets.by if buckets else asked.by), *family.notes, *within.notes]
    found += attribute((pair_name(j.pair), j.notes) for j in judged)
    found += [*attribute((score_name(record, len(measured)), extra) for record, extra in scores), *beliefs.notes]
    if not enough:
        found += note_unsettled(family, plan, found)
    drawn = drawn.draw((BOOTSTRAP,)) if asked.flips else drawn
    kept = details_of(drawn, measured, aligned, design, asked.flips, correction) if asked.flips else None
    found += [INTERRUPTED] if drawn.interrupted else []
    where = provenance(aligned, measured, judged, drawn.told, str(asked.test), correction, design, method)
    result = Comparison(
        baseline=aligned.systems[first],
        seed=asked.seed,
        alpha=asked.alpha,
        alternative=asked.alternative,
        correction=correction,
        scores=tuple(record for record, _ in scores),
        pairs=tuple(records),
        posteriors=beliefs.records,
        buckets=within.gains,
        interactions=within.interactions,
        words=word_gains(aligned, design, first, settings, asked.words) if asked.words else (),
        details=kept,
        notes=(*_heed(aligned.notes, beliefs), *unique_notes(found)),
        provenance=replace(
            where,
            citations=tuple(
                dict.fromkeys((*where.citations, *citations(verdicts), *beliefs.citations, *within.citations))
            ),
        ),
    )
    if record is not None and drawn.interrupted:
        # what was cut short is no look: it will be made in full
        return replace(result, notes=(*result.notes, notes.NOT_RECORDED))
    return result if record is None else record(result, aligned, measured)


def _believe(asked: Compare, drawn: Resamples, margins: Sequence[float] | None) -> tuple[Beliefs, Resamples]:
    """The posteriors of the pairs where they are asked for, and the resamples with what was drawn for them."""
    if asked.posterior is None:
        return Beliefs(), drawn
    from outscore.verbs.compare.posterior import infer_pairs

    return infer_pairs(asked.posterior, drawn, margins)


def _heed(said: Sequence[Note], beliefs: Beliefs) -> list[Note]:
    """The notes without advice that the posterior follows already."""
    followed = {OVERLAP} if any(note.code == "correlation_is_given" for note in beliefs.notes) else set()
    how = "go by the posterior, which reckons with it"
    return [replace(n, remedy=how) if n.code in followed and "t:rho=" in n.remedy else n for n in said]


def _join(data: Any) -> Any:
    """Data that were read apart as those of one set of items, which a test of pairs takes."""
    if isinstance(data, tuple) and data and all(isinstance(part, Dataset) for part in data):
        if len(data) > 1:
            raise UsageError(
                "a test of pairs needs systems on the same items, but these have items of their own: name another "
                "--test, such as welch"
            )
        return data[0]
    return data


_MOST_PAIRS = 6
"""Pairs of which this is computed; a line of a note holds no more."""


def add_otherwise(records: Sequence[Pair], asked: Compare, aligned: Dataset, drawn: Resamples) -> list[Pair]:
    """The records with what a note leads to on ignored clusters or on runs as items, where it is cheap: few pairs.

    All is compared again in the other way, all else being equal, so that both answers are corrected alike.
    """
    if drawn.interrupted or len(records) > _MOST_PAIRS:
        return list(records)
    alone = replace(asked, references=None, items=None, history=None, flips=0, posterior=None, by="none", words=0)
    pooled = any(notes.MULTEVAL_SIZE.code in one.notes for one in records)
    column = None if pooled or drawn.by_metric[0].design.cluster is not None else find_ignored(drawn, aligned)
    if pooled:
        other, code, how = replace(alone, test="auto"), notes.MULTEVAL_SIZE.code, "--test auto"
    elif column is not None and asked.test == "auto" and all(stats.plain_mean for stats in drawn.by_metric):
        other, code, how = replace(alone, cluster=column), notes.CLUSTERS_IGNORED.code, f"--cluster {quote(column)}"
    else:
        return list(records)
    return [
        replace(one, otherwise=Otherwise(note=code, how=how, gain=again.gain, ci=again.ci, p_value=again.p))
        for one, again in zip(records, _compare_pairs(aligned, None, other, beside=False).pairs, strict=True)
    ]
