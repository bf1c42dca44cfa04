"""The work of ``replicate``: every data set tested, and how many of them show a gain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED, Note
from outscore.multiplicity import adjust as corrections
from outscore.multiplicity.joint import JointLaw, adjust_side_by_side
from outscore.multiplicity.replicability import replicability
from outscore.results.replication import Replication
from outscore.results.result import Provenance, Score
from outscore.results.set_gains import AcrossSets, Ranking, Replicated, SetGain
from outscore.significance import Test, notes
from outscore.significance.clusters import Contributions, find_clusters, influences_on_gain, note_clusters
from outscore.significance.confidence import find_method, refuse
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.means import paired_t
from outscore.significance.omnibus.friedman import FriedmanTest
from outscore.significance.settings import Settings
from outscore.verbs.replicate import Replicate
from outscore.verbs.shared.family import note_floor
from outscore.verbs.shared.inputs import baseline_of, check_resamples, check_several
from outscore.verbs.shared.judged import draw_for_intervals, find_descriptive, judge, named_test
from outscore.verbs.shared.measured import measuring_notes, runtime_of
from outscore.verbs.shared.naming import append_names, attribute
from outscore.verbs.shared.records import JudgedPair, pair_record, unique_notes
from outscore.verbs.shared.sets import MeasuredSet, assess_gains, combine, data_sets_from, provenance_of_sets, ranking
from outscore.verbs.shared.verdicts import difference

_ENOUGH_SETS = 6
"""Names in a note."""
_REMEDIES = {notes.UNSTABLE.code: "use a larger -n/--resamples"}
"""Where those of notes are not to be had here."""
_COUNTS = ("Dror et al. 2017", "Benjamini & Heller 2008", "Holm 1979")
_ACROSS = "Demšar 2006"


def replicate(data: Any, options: Replicate) -> Replication:
    """The counts of data sets that are asked for."""
    check_resamples(options.n_resamples)
    if options.correction != corrections.MAX_T:
        corrections.adjust([], options.correction)  # an unknown name is said before any work
    settings = Settings(
        alternative=options.alternative,
        alpha=options.alpha,
        n_resamples=options.n_resamples,
        seed=options.seed,
        runtime=runtime_of(options.jobs, options.progress),
    )
    named, method = named_test(options.test), find_method(options.interval, "gain")
    sets = _sets_of(data, options, settings)
    systems = sets[0].data.systems
    check_several(sets[0].data)
    first = baseline_of(systems, options.baseline)
    joint = options.correction == corrections.MAX_T
    level = 1 - corrections.level_of_one(settings.alpha, len(sets), "holm")
    each = [_measure_set(one, first, settings, named, method, level, joint=joint) for one in sets]
    found = _add_ignored(sets, each)
    gains = _correct([gain for one in found for gain in one.gains], found, options.correction, settings)
    claims = list(dict.fromkeys((gain.system, gain.metric) for gain in gains))
    gains = [gain for claim in claims for gain in _correct_by_holm([g for g in gains if (g.system, g.metric) == claim])]
    low = note_floor(gains, settings.alpha, settings.n_resamples)
    largest = {
        m.stats.name: max(abs(s) for one in found for s in one.scores[p])
        for p, m in enumerate(sets[0].measured)
        if p not in find_descriptive(sets[0].measured)
    }
    replicated = [
        _combine_sets([g for g in gains if (g.system, g.metric) == claim], settings, largest.get(claim[1]))
        for claim in claims
    ]
    replicated = _adjust_across(replicated)
    rankings = _rankings(sets, found, systems, first, settings.alpha)
    judged = [j for one in found for j in one.judged]
    return Replication(
        baseline=systems[first],
        seed=settings.seed,
        alpha=settings.alpha,
        alternative=options.alternative,
        correction=options.correction,
        data_sets=tuple(one.name for one in sets),
        scores=tuple(_mean_scores(sets, found, systems)),
        replicated=tuple(replicated),
        set_gains=tuple(gains),
        rankings=tuple(rankings),
        notes=unique_notes([*_notes(sets, found, replicated, rankings), *_note_means(replicated, settings), *low]),
        provenance=_provenance(sets, judged, settings, str(options.test), options.correction, method),
    )


def _sets_of(data: Any, options: Replicate, settings: Settings) -> list[MeasuredSet]:
    return data_sets_from(
        data,
        options.column,
        references=options.references,
        items=options.items,
        missing=options.missing,
        metrics=options.metrics,
        cluster=options.cluster,
        strata=options.strata,
        runtime=settings.runtime,
        cache=None if options.cache is None else Path(options.cache),
    )


@dataclass(frozen=True)
class _OnSet:
    """Gains, tests and scores on one data set.

    Attributes:
        gains: of every system and metric, not yet corrected.
        judged: how they were tested; nothing where the data set cannot be tested.
        scores: for each metric those of all systems.
        law: the joint law of those of ``gains`` that may move, whose numbers are ``moving``, where it is wanted.
    """

    gains: tuple[SetGain, ...]
    judged: tuple[JudgedPair, ...]
    scores: tuple[tuple[float, ...], ...]
    law: JointLaw | None
    moving: tuple[int, ...]
    stopped: bool

    @property
    def interrupted(self) -> bool:
        return self.stopped or (self.law is not None and bool(self.law.stops))


def _attribute_to_gains(found: Sequence[_OnSet]) -> list[Note]:
    """Each note on gains once, with the data sets, metrics or systems that it is about, unless it is about all."""
    gains = [gain for one in found for gain in one.gains if one.judged]
    whose: dict[Note, list[SetGain]] = {}
    for one in found:
        for judged, gain in zip(one.judged, one.gains if one.judged else (), strict=True):
            for note in judged.notes:
                whose.setdefault(note, []).append(gain)
    named = ((append_names(note, _where(of, gains)) if len(of) < len(gains) else note) for note, of in whose.items())
    return [replace(note, remedy=_REMEDIES.get(note.code, note.remedy)) for note in named]


def _where(of: Sequence[SetGain], gains: Sequence[SetGain]) -> list[str]:
    """``on law`` and other data sets, ``under bleu`` or ``for new``, where these are all their gains; else each."""
    for field, word in (("metric", "under"), ("data_set", "on"), ("system", "for")):
        named = list(dict.fromkeys(str(getattr(gain, field)) for gain in of))
        if len(of) == sum(getattr(gain, field) in named for gain in gains):
            return [f"{word} {named[0]}", *named[1:]]
    return list(dict.fromkeys(f"{gain.system} on {gain.data_set}" for gain in of))


def _measure_set(
    one: MeasuredSet, first: int, settings: Settings, named: Test | None, method: IntervalMethod | None, level: float,
    *, joint: bool,
) -> _OnSet:  # fmt: skip
    """The gains on one data set, tested where it has more than one unit.

    Args:
        one: the data set; ``first``: the number of its baseline.
        settings, named, method: of the tests and intervals; None for those that suit.
        level: of the interval of one gain, so that those of all data sets hold together.
        joint: whether p-values are corrected by a joint law.
    """
    systems = one.resamples(first, settings)
    scores = tuple(tuple(float(s.mean()) for s in m.stats.run_scores) for m in one.measured)
    pairs = [(p, *pair) for p in range(len(one.measured)) for pair in systems.pairs]
    if one.single:
        gains = tuple(
            SetGain(
                data_set=one.name, system=one.data.systems[s], baseline=one.data.systems[b],
                metric=one.measured[p].stats.name, n_items=one.design.n_items, baseline_score=scores[p][b],
                system_score=scores[p][s], gain=one.measured[p].stats.gain(s, b), ci=None, ci_method="undefined",
                test="", p_value=None, p_kind="", p_error=None, p_holm=None, p_adjusted=None,
                notes=(notes.ONE_NUMBER_EACH.code,),
            )
            for p, s, b in pairs
        )  # fmt: skip
        return _OnSet(gains, (), scores, None, (), stopped=False)
    refuse(method, systems)
    judged, drawn = judge([GainContrast(systems, *pair) for pair in pairs], named, one.measured, systems, method)
    judged, drawn = draw_for_intervals(judged, [], drawn, method)
    judged = [replace(j.add_notes(_note_disagreement(j)), level=level) for j in judged]
    judged, drawn = draw_for_intervals(judged, [], drawn, method)
    if joint and any(j.pair.has_runs for j in judged):
        raise UsageError("--correct max-t is defined for one run of each system; with several runs use holm")
    moving = tuple(i for i, j in enumerate(judged) if joint and j.outcome.p_value is not None and not j.pair.identical)
    return _OnSet(
        gains=tuple(_set_gain(one, j, scores[p][s], scores[p][b]) for j, (p, s, b) in zip(judged, pairs, strict=True)),
        judged=tuple(judged),
        scores=scores,
        law=JointLaw([judged[i].pair for i in moving], [judged[i].outcome for i in moving]) if moving else None,
        moving=moving,
        stopped=drawn.interrupted,
    )


def _add_ignored(sets: Sequence[MeasuredSet], found: Sequence[_OnSet]) -> list[_OnSet]:
    """The same with a note on clusters that were not given: of a claim the mean of their effects on its data sets."""
    claims: dict[tuple[int, int], list[Contributions]] = {}
    for one, on in zip(sets, found, strict=True):
        for j in on.judged if one.design.cluster is None else ():
            of = j.pair.metric_index, j.pair.system
            claims.setdefault(of, []).append((influences_on_gain(j.pair), one.labels))
    ignored = note_clusters(find_clusters(claims.values()))
    codes = tuple(note.code for note in ignored)
    return [
        replace(
            on,
            judged=tuple(j.add_notes(ignored) for j in on.judged),
            gains=tuple(replace(gain, notes=(*gain.notes, *codes)) if on.judged else gain for gain in on.gains),
        )
        for on in found
    ]


def _note_disagreement(judged: JudgedPair) -> tuple[Note, ...]:
    """A note where p and interval of one data set, each by itself, disagree about a gain of 0."""
    settings = judged.pair.settings
    return difference(
        judged.outcome.p_value, judged.interval[:2], judged.pair.gain, settings.alpha, settings.alternative
    )[1]


def _set_gain(one: MeasuredSet, judged: JudgedPair, score: float, baseline_score: float) -> SetGain:
    pair = pair_record(judged, None)
    return SetGain(
        data_set=one.name,
        system=pair.system,
        baseline=pair.baseline,
        metric=pair.metric,
        n_items=pair.n_items,
        baseline_score=baseline_score,
        system_score=score,
        gain=pair.gain,
        ci=pair.ci,
        ci_method=pair.ci_method,
        test=pair.test,
        p_value=pair.p_value,
        p_kind=pair.p_kind,
        p_error=pair.p_error,
        p_holm=None,
        p_adjusted=None,
        notes=pair.notes,
    )


def _correct(gains: Sequence[SetGain], found: Sequence[_OnSet], correction: str, settings: Settings) -> list[SetGain]:
    """The gains with p-values adjusted over all of them that have one."""
    tested = [i for i, gain in enumerate(gains) if gain.p_value is not None]
    raw = np.array([gains[i].p_value for i in tested], dtype=np.float64)
    if correction == corrections.MAX_T:
        adjusted = np.ones(len(gains))
        starts = np.cumsum([0, *(len(one.gains) for one in found)]).tolist()
        moving = [start + i for start, one in zip(starts, found, strict=False) for i in one.moving]
        if moving:
            laws = [one.law for one in found if one.law is not None]
            adjusted[moving] = np.concatenate(adjust_side_by_side(laws, settings.seed))
        values = adjusted[tested]
    else:
        values = corrections.adjust(raw, correction)
    by_number = dict(zip(tested, values.tolist(), strict=True))
    return [replace(gain, p_adjusted=by_number.get(i)) for i, gain in enumerate(gains)]


def _correct_by_holm(gains: Sequence[SetGain]) -> list[SetGain]:
    """The gains of one system and metric, adjusted by Holm over their data sets."""
    adjusted = corrections.adjust([_p(gain) for gain in gains], "holm").tolist()
    return [replace(gain, p_holm=None if gain.p_value is None else p) for gain, p in zip(gains, adjusted, strict=True)]


def _p(gain: SetGain) -> float:
    """p of a data set among the others; one that has no answer speaks for no gain, but it is one of the data sets."""
    return 1.0 if gain.p_value is None else gain.p_value


def _combine_sets(gains: Sequence[SetGain], settings: Settings, largest: float | None) -> Replicated:
    """Combine the gains of one system under one metric over all data sets; without ``largest`` they describe."""
    values = np.array([gain.gain for gain in gains])
    mean = paired_t(values, level=1 - settings.alpha)
    side = 1 if settings.alternative == "greater" else -1
    tested = any(gain.p_value is not None for gain in gains)
    p = [_p(gain) for gain in gains]
    any_dependence = replicability(p, alpha=settings.alpha)
    independent = replicability(p, alpha=settings.alpha, combination="fisher")
    open_ = {i for i in any_dependence.identified if notes.P_AND_INTERVAL.code in gains[i].notes}
    held = [i for i in any_dependence.identified if i not in open_]
    sizes = [gain.n_items for gain in gains]
    combinations = combine(p, sizes, settings.alternative, settings.n_resamples) if tested else []
    return Replicated(
        system=gains[0].system,
        baseline=gains[0].baseline,
        metric=gains[0].metric,
        n_sets=len(gains),
        n_ahead=int((side * values > 0).sum()),
        gain=float(values.mean()),
        ci=None if math.isnan(mean.low) else (mean.low, mean.high),
        count=any_dependence.count - len(open_) if tested else None,
        count_independent=max(0, independent.count - len(open_)) if tested else None,
        p_counts=tuple(any_dependence.p_monotone.tolist()) if tested else (),
        p_counts_independent=tuple(independent.p_monotone.tolist()) if tested else (),
        holds_on=tuple(gains[i].data_set for i in held) if tested else (),
        overall=() if largest is None else (*assess_gains(values, largest), *combinations),
    )


def _adjust_across(replicated: Sequence[Replicated]) -> list[Replicated]:
    """The same, each answer across data sets adjusted by Holm over the systems and metrics that have it."""
    tests = dict.fromkeys(answer.test for one in replicated for answer in one.overall)
    adjusted: dict[tuple[str, int], float] = {}
    for name in tests:
        having = [(i, a.p_value) for i, one in enumerate(replicated) for a in one.overall if a.test == name]
        values = corrections.adjust([p for _, p in having], "holm").tolist()
        adjusted |= {(name, i): p for (i, _), p in zip(having, values, strict=True)}

    def of(i: int, answer: AcrossSets) -> AcrossSets:
        return replace(answer, p_adjusted=adjusted[answer.test, i])

    return [replace(one, overall=tuple(of(i, answer) for answer in one.overall)) for i, one in enumerate(replicated)]


def _rankings(
    sets: Sequence[MeasuredSet], found: Sequence[_OnSet], systems: tuple[str, ...], first: int, alpha: float
) -> list[Ranking]:
    """Friedman's test for each metric, where there are three systems or more."""
    if len(systems) < 3:
        return []
    return [
        ranking(m.stats.name, systems, m.stats.sign * np.array([one.scores[p] for one in found]), first, alpha)
        for p, m in enumerate(sets[0].measured)
        if p not in find_descriptive(sets[0].measured)
    ]


def _mean_scores(sets: Sequence[MeasuredSet], found: Sequence[_OnSet], systems: tuple[str, ...]) -> list[Score]:
    """The scores of all systems, each data set with the same weight."""
    records = []
    for p, m in enumerate(sets[0].measured):
        for s, system in enumerate(systems):
            mean = float(np.mean([one.scores[p][s] for one in found]))
            records.append(
                Score(
                    system=system, metric=m.stats.name, signature=m.signature, unit=m.metric.unit,
                    higher_is_better=m.metric.direction, score=mean, ci=None, ci_method="undefined",
                    runs=("mean over data sets",), run_scores=(mean,), s_sel=None, s_test=None, run_min=mean,
                    run_max=mean, median_run="mean over data sets",
                    n_items=sum(one.design.n_items for one in sets),
                )
            )  # fmt: skip
    return records


def _notes(
    sets: Sequence[MeasuredSet],
    found: Sequence[_OnSet],
    replicated: Sequence[Replicated],
    rankings: Sequence[Ranking],
) -> list[Note]:
    said = attribute((repr(one.name), (*one.data.notes, *measuring_notes(one.measured))) for one in sets)
    said += _attribute_to_gains(found)
    said += [notes.FEW_DATA_SETS] if len(sets) < _ENOUGH_SETS else []
    said += [notes.ONE_NUMBER_EACH] if any(one.single for one in sets) else []
    said += [] if any(one.judged for one in found) else [notes.NOT_A_MEAN_TEST]  # ranks decide
    several = sum(bool(one.overall) for one in replicated) > 1
    said += [notes.COUNTS_APART] if several and any(one.judged for one in found) else []
    said += [notes.POOL] if rankings else []
    return said + [INTERRUPTED for one in found if one.interrupted]


def _note_means(replicated: Sequence[Replicated], settings: Settings) -> list[Note]:
    """A note where Wilcoxon's p over data sets of one number each and the interval of the mean gain disagree."""
    said = [
        (
            repr(one.system),
            difference(one.p_overall("wilcoxon"), (one.ci, ""), one.gain, settings.alpha, settings.alternative)[1]
            and [notes.RANKS_AND_INTERVAL],
        )
        for one in replicated
        if one.count is None
    ]
    return attribute(said)


def _provenance(
    sets: Sequence[MeasuredSet], judged: Sequence[JudgedPair], settings: Settings, test: str, correction: str,
    method: IntervalMethod | None,
) -> Provenance:  # fmt: skip
    found = provenance_of_sets(sets, judged, settings, test, correction, method)
    ranks = (FriedmanTest.citation,) if len(sets[0].data.systems) > 2 else ()
    cited = (*found.citations, *(_COUNTS if judged else ()), _ACROSS, *ranks)
    return replace(found, citations=tuple(dict.fromkeys(cited)))
