"""``compare``: outputs or scores of two or more systems in, a comparison that holds out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from outscore.api.details import details_of
from outscore.api.histories.recorder import recorder
from outscore.api.margins import Margin, margins_of
from outscore.api.pairwise import PairwiseRequest, align_or_pair, compare_by_pairs
from outscore.api.shared.alone import check_several
from outscore.api.shared.family import (
    check_correction,
    choose_sizes,
    correction_for,
    family_of,
    is_settled,
    note_unsettled,
)
from outscore.api.shared.inputs import baseline_of, check_resamples, domain_column
from outscore.api.shared.interrupting import interruptible
from outscore.api.shared.judged import draw_for_intervals, find_descriptive, judge, named_test, note_ignored_clusters
from outscore.api.shared.measured import measuring_notes
from outscore.api.shared.measuring import Measurements
from outscore.api.shared.naming import attribute, pair_name, score_name
from outscore.api.shared.records import domain_gains, pair_record, provenance, score_record, unique_notes
from outscore.api.shared.verdicts import citations, decide
from outscore.base.notes import INTERRUPTED
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.data.collection import Collection
from outscore.engine.extreme import Alternative
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine
from outscore.jobs import Progress, cores
from outscore.metrics import Metric
from outscore.multiplicity.adjust import AUTO
from outscore.results import Comparison
from outscore.significance import Test, notes
from outscore.significance.confidence import find_method, refuse
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.resamples import BOOTSTRAP
from outscore.significance.settings import Settings

if TYPE_CHECKING:
    from outscore.api.histories.kept import HistoryLike


@interruptible
def compare(
    data: Any,
    *,
    metrics: Sequence[str | Metric] | str | Metric | None = None,
    references: Any = None,
    items: Any = None,
    baseline: str | None = None,
    test: str | Test = "auto",
    n_resamples: int | Literal["auto"] = 10_000,
    seed: int = DEFAULT_SEED,
    engine: Engine = "cyclic",
    alpha: float = 0.05,
    interval: str | IntervalMethod = "auto",
    alternative: Alternative = "two-sided",
    correction: str = AUTO,
    margin: Margin | None = None,
    cluster: str | None = None,
    strata: str | None = None,
    domain: str | None = None,
    all_pairs: bool = False,
    details: bool = False,
    missing: Missing | Literal["pairwise"] = "error",
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    history: HistoryLike = None,
    progress: Progress | None = None,
) -> Comparison:
    """Does a system really outscore the baseline?

    Args:
        data: what ``read`` gave; or a mapping from system names to scores ``(items,)``, ``(runs, items)``, mappings
            from item ids to scores, or lists of texts; or a data frame of any kind with columns system, item, score
            [, run, cluster, domain, metric].
        metrics: names with options (``"bleu:tokenize=intl"``), metric objects, or column names of the data; by default
            BLEU for texts, accuracy for labels, the mean for scores.
        references: texts or labels, ``(items,)`` or several streams, where ``data`` are outputs.
        items: descriptions of the items (a data frame or a mapping of columns), e.g. ``{"document": [...]}``.
        baseline: the system compared against; by default the first.
        test: ``auto`` chooses by metric, design and number of items and says why; or a name with options.
        n_resamples: resampled test sets; ``auto`` draws until chance in the drawing could hardly turn a decision, at
            most a million.
        seed: seed of the resampling; 0 is a seed like any other.
        engine: ``cyclic``, where every drawn vector of weights is used in all its rotations (at least twenty vectors,
            so more test sets than asked for may be drawn), or ``iid``, the slow twin with independent resamples.
        alpha: level of the tests; intervals cover 1 - alpha.
        interval: ``auto`` chooses by metric, design and number of items; or a name with options, for all gains and
            scores that it covers. ``max-t`` gives intervals that cover all gains, and all scores, at once.
        alternative: ``two-sided``, ``greater`` (the system is better) or ``less``.
        correction: over all (system, metric) pairs, p-values and intervals of gains alike: ``auto`` (max-t, or holm
            where systems have several runs or there are fewer than 20 items or clusters), max-t, max-t-step-down,
            holm, bonferroni, hochberg, hommel, sidak, holm-sidak, bh, by, none. Intervals by max-t cover together;
            by holm and its kind each covers 1 - alpha/m; by bh, by and none each 1 - alpha by itself.
        margin: the largest gain or loss that does not matter, fixed beforehand: a number in the metric's own unit, a
            per cent of the baseline's score (``"1%"``), or one of them for each metric
            (``{"bleu": 0.5, "chrf": 0.3}``). Adds equivalence and non-inferiority.
        cluster: column of items that are not independent; ``none`` to ignore one called ``cluster``.
        strata: column of strata that a bootstrap redraws in fixed numbers.
        domain: column to break gains down by.
        all_pairs: compare every two systems, each with those that stand before it, not only all with the baseline.
        details: keep what a report shows beside the numbers: the resampled gains, gains by length and cluster, and the
            items that speak most for and against a system, with their texts.
        missing: ``error``; ``drop`` items that some system lacks from all systems; ``zero`` to score them 0;
            ``pairwise`` compares each pair on the items that both have, corrected by holm.
        jobs: cores to use, by default all; they change no result.
        cache: directory in which counted statistics are kept for the next time.
        history: file in which every use of the test set is recorded, or a ``History``, which corrects over them too.
        progress: called with (what, done, of).

    Raises:
        UsageError: an option is wrong.
        InputError: the data are wrong.
        Interrupted: Ctrl-C; its ``result`` is of what had been done.
    """
    plan = choose_sizes(n_resamples)
    check_resamples(plan[0])
    settings = Settings(
        alternative=alternative,
        alpha=alpha,
        n_resamples=plan[0],
        seed=seed,
        engine=engine,
        runtime=Runtime(jobs=cores() if jobs is None else jobs, progress=progress),
    )
    check_correction(correction)
    named = named_test(test)
    method = find_method(interval, "gain", "score")
    aligned = align_or_pair(data, missing, references=references, items=items)
    if isinstance(aligned, Collection):
        how = PairwiseRequest(
            metrics, baseline, named, str(test), plan, method, correction, margin, cluster, strata, domain, all_pairs,
            details, cache, history,
        )  # fmt: skip
        return compare_by_pairs(aligned, how, settings)
    check_several(aligned)
    first = baseline_of(aligned.systems, baseline)
    record = recorder(history)
    made = Measurements.of(aligned, metrics, settings.runtime, cluster=cluster, strata=strata, cache=cache)
    aligned, design = made.data, made.design
    domains = domain_column(aligned, domain)
    measured = made.measured
    margins = margins_of(margin, made.by_metric, first)
    for n in plan:
        settings = replace(settings, n_resamples=n)
        systems = made.resamples(settings, first, all_pairs=all_pairs)
        refuse(method, systems)
        pairs = [GainContrast(systems, p, *pair) for p in range(len(measured)) for pair in systems.pairs]
        judged, drawn = judge(pairs, named, measured, systems, method, described=find_descriptive(measured))
        family = family_of(judged, correction_for(correction, drawn), alpha)
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
    verdicts = decide(judged, adjusted, margins, correction)
    judged = [j.add_notes(v.notes) for j, v in zip(judged, verdicts, strict=True)]
    records = [
        replace(pair_record(j, a), verdict=v.verdict, equivalence=v.equivalence)
        for j, a, v in zip(judged, adjusted, verdicts, strict=True)
    ]
    by_domain = domain_gains(measured, aligned, domains, first, settings) if domains else []
    found = [*measuring_notes(made.measured), *family.notes]
    found += attribute((pair_name(j.pair), j.notes) for j in judged)
    found += attribute((score_name(record, len(measured)), extra) for record, extra in scores)
    if not enough:
        found += note_unsettled(family, plan, found)
    drawn = drawn.draw((BOOTSTRAP,)) if details else drawn
    kept = details_of(drawn, measured, aligned, design) if details else None
    if drawn.interrupted:
        found.append(INTERRUPTED)
    where = provenance(aligned, measured, judged, settings, str(test), correction, design, method)
    result = Comparison(
        baseline=aligned.systems[first],
        seed=seed,
        alpha=alpha,
        alternative=alternative,
        correction=correction,
        scores=tuple(record for record, _ in scores),
        pairs=tuple(records),
        domains=tuple(by_domain),
        details=kept,
        notes=(*aligned.notes, *unique_notes(found)),
        provenance=replace(where, citations=tuple(dict.fromkeys((*where.citations, *citations(verdicts))))),
    )
    if record is not None and drawn.interrupted:
        # what was cut short is no use of the test set: it will be made in full
        return replace(result, notes=(*result.notes, notes.NOT_RECORDED))
    return result if record is None else record(result, aligned, measured)
