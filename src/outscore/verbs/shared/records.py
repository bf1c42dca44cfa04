"""From outcomes to the frozen records of a result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from outscore.base.installed import LIBRARIES, packages_of, versions_of
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.data.readers import readers
from outscore.engine.design import Design
from outscore.results.pairs import Answer, Numbers, Pair
from outscore.results.result import Provenance, Score
from outscore.significance import MONTE_CARLO, Named, Outcome, Test, notes
from outscore.significance.clusters import cluster_effect, unequal
from outscore.significance.confidence import (
    choose_interval,
    needed_for_gain,
    score_interval,
    selection_error,
)
from outscore.significance.critical import critical_region
from outscore.significance.gain import GainContrast, standard_effect
from outscore.significance.interval import IntervalMethod
from outscore.significance.means import is_skewed
from outscore.significance.omnibus import OmnibusFinding
from outscore.significance.resamples import DrawRequest, Resamples
from outscore.significance.runs import median_run
from outscore.significance.settings import Settings
from outscore.verbs.shared.measured import Measured

ENOUGH_DIFFERENCES = 300
"""Items (clusters) that differ from which on fewer than one sample in twenty lacks a gain of one in a hundred, so that
its looks show what makes up for the others. Of 200 items 13 % lack it, and all of these reject. With fewer a note goes
by the count and not by the looks of the sample."""
_IN_PER_CENT = replace(
    notes.FEW_DIFFERENCES,
    text="all scores are 0 or 100, and tested as means; divided by 100 they are tested as right or wrong",
    remedy="divide them by 100",
)
_FEW_EFFECTIVE = 100  # items, of which other parts of a sum are said though many differ

_CORRECTION_SOURCES = {
    "holm": "Holm 1979",
    "hochberg": "Hochberg 1988",
    "hommel": "Hommel 1988",
    "sidak": "Šidák 1967",
    "holm-sidak": "Šidák 1967; Holm 1979",
    "bh": "Benjamini & Hochberg 1995",
    "by": "Benjamini & Yekutieli 2001",
    "max-t": "Westfall & Young 1993; Hothorn, Bretz & Westfall 2008",
    "max-t-step-down": "Westfall & Young 1993",
}


class Answered(Protocol):
    """An answer of a test of any kind."""

    @property
    def test(self) -> Named: ...

    @property
    def outcome(self) -> Outcome | OmnibusFinding: ...


@dataclass(frozen=True)
class JudgedPair:
    """A pair with its main outcome and what stands beside it.

    ``of_samples`` where the metric joins runs to one; ``direction`` is the metric's; ``method`` the interval asked for,
    if any; ``level``: what it covers by itself so that those of the family cover together, if it is in one.
    """

    pair: GainContrast
    test: Test
    outcome: Outcome
    beside: tuple[tuple[Test, Outcome], ...]
    reasons: tuple[Note, ...]
    of_samples: bool = False
    direction: bool | None = True
    method: IntervalMethod | None = None
    level: float | None = None

    def add_notes(self, more: Iterable[Note]) -> JudgedPair:
        """The same with further notes."""
        made = replace(self, reasons=(*self.reasons, *more))
        if "interval" in self.__dict__:  # notes change none, and to find it once is enough
            made.__dict__["interval"] = self.interval
        return made

    def on(self, resamples: Resamples) -> JudgedPair:
        """The same, of systems from which more was drawn."""
        return replace(self, pair=self.pair.on(resamples))

    @property
    def needed(self) -> Sequence[DrawRequest]:
        """The draws that ``interval`` reads."""
        level = None if self._joint else self.level
        return needed_for_gain(self.pair, self.outcome, self.method, level)

    @property
    def _joint(self) -> bool:
        """The interval asked for covers all gains at once by itself."""
        return self.method is not None and self.method.covers != "score" and self.method.joint

    @cached_property
    def interval(self) -> tuple[tuple[float, float] | None, str, tuple[Note, ...]]:
        """Interval of the gain, its name and its notes: the one asked for, or the test's own, if it brings one."""
        asked = self.method is not None and self.method.covers != "score"
        if self.level is None or self._joint:
            return choose_interval(self.pair, self.outcome, self.method)
        rerun = self.outcome.ci is not None and not asked
        outcome = self.test.run(self.pair.at(self.level)) if rerun else self.outcome
        return choose_interval(self.pair, outcome, self.method, self.level)

    @property
    def unmatched(self) -> bool:
        """Whether no output of either system can be right, so that no difference could be seen."""
        return any(note.code == "never_gold" for note in self.reasons)

    @property
    def unattainable(self) -> bool:
        """Whether no outcome on these data could have reached alpha."""
        least = self.outcome.p_min
        if least is None or self.outcome.p_value is None or self.pair.identical:
            return False
        return least > self.pair.settings.alpha

    @property
    def _can_be_skewed(self) -> bool:
        """Whether this is a test of a mean, or of a score of sums, which skewed differences of items mislead."""
        own = self.outcome.notes
        if not self.pair.can_be_skewed or self.outcome.p_value is None:
            return False
        return notes.NOT_A_MEAN_TEST not in own and notes.RUNS_ONLY not in own

    @property
    def _skewness_notes(self) -> list[Note]:
        """Whether skewed differences can mislead the test, by their number and by their looks."""
        pair = self.pair
        if not self._can_be_skewed:
            return []
        said = [notes.FEW_DIFFERENCES] if pair.n_different < ENOUGH_DIFFERENCES else []
        if pair.clustered:
            return said
        if pair.stats.plain_mean:
            both = (pair.stats.items[s][..., 0] * pair.stats.steps[0] for s in (pair.system, pair.baseline))
            if said and not pair.has_runs and all(((each == 0) | (each == 100)).all() for each in both):
                said = [_IN_PER_CENT]
            return said + list(pair.shape_notes)
        if not said and pair.n_effective < _FEW_EFFECTIVE:
            return [notes.note_few_effective(pair.n_effective)]
        return said or ([notes.SKEWED] if is_skewed(pair.influences) else [])

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Everything a reader must know of this pair, its own test first."""
        found = [*self.reasons, *self.outcome.notes]
        if self.unattainable:
            found.append(notes.UNATTAINABLE)
        if self.pair.stratified and self.test.name not in ("bootstrap", "randomization"):
            found.append(notes.TEST_IGNORES_STRATA)
        found += self._skewness_notes
        if self.pair.clustered and self.pair.n_units < 30:
            found.append(notes.FEW_CLUSTERS)
        elif (large := unequal(self.pair)) is not None:
            found.append(large)
        if not self.pair.has_runs and not self.of_samples:
            found.append(notes.SINGLE_RUN)
        ends, _, said = self.interval
        found += said
        if notes.P_AND_INTERVAL in found and ends is not None and ends[0] <= 0 <= ends[1]:
            found = [note for note in found if note != notes.UNSTABLE]  # whatever p is, no difference is claimed
        if {notes.P_AND_INTERVAL, notes.NOT_A_MEAN_TEST} <= set(found):
            found.append(notes.RANKS_AND_INTERVAL)
        if notes.ZERO_VARIANCE in found:
            pair = self.pair
            same = notes.note_same_everywhere(self.test.name, clustered=pair.clustered, has_runs=pair.has_runs)
            found = [same if note == notes.ZERO_VARIANCE else note for note in found]
        return tuple({note.code: note for note in found}.values())


def add_regions(records: Sequence[Pair], judged: Sequence[JudgedPair]) -> list[Pair]:
    """The records with the critical region of each test among its numbers."""
    found = [critical_region(one.test, one.outcome, one.pair.settings, one.pair) for one in judged]
    return [replace(record, effect={**record.effect, **one}) for record, one in zip(records, found, strict=True)]


def split_statistic(outcome: Outcome | OmnibusFinding, otherwise: float | None) -> tuple[float | None, Numbers]:
    """The statistic of a test, ``otherwise`` where it names none and None where it is infinite, and its effects."""
    effect = dict(outcome.effect)
    found = effect.pop("statistic", otherwise)
    return found if isinstance(found, int | float) and math.isfinite(found) else None, effect


def pair_record(judged: JudgedPair, adjusted: float | None) -> Pair:
    """The public record of one pair."""
    pair, outcome, names = judged.pair, judged.outcome, judged.pair.resamples.systems
    interval, method, _ = judged.interval
    tested = notes.DESCRIBED not in {note.code for note in outcome.notes}
    statistic, effect = split_statistic(outcome, pair.gain)
    return Pair(
        system=names[pair.system],
        baseline=names[pair.baseline],
        metric=pair.stats.name,
        gain=pair.gain,
        ci=interval,
        ci_method=method,
        test=judged.test.label if tested else "",
        question=judged.test.question(pair) if tested else "",
        null=judged.test.null if tested else "",
        alternative=judged.test.side(pair),
        p_value=outcome.p_value,
        p_kind=outcome.p_kind,
        p_error=outcome.p_error,
        p_min=outcome.p_min,
        p_adjusted=adjusted,
        n_items=pair.n_items,
        n_resamples=outcome.n_resamples,
        statistic=statistic,
        effect={**standard_effect(pair), **effect, **cluster_effect(pair)},
        also=tuple(
            Answer(test=t.label, question=t.question(pair), p_value=o.p_value, p_kind=o.p_kind, p_error=o.p_error)
            for t, o in judged.beside
        ),
        notes=tuple(note.code for note in judged.notes),
    )


def score_record(
    resamples: Resamples, measured: Measured, metric_index: int, system: int, method: IntervalMethod | None = None
) -> tuple[Score, tuple[Note, ...]]:
    """The public record of one system under one metric, and the notes of its interval; ``method`` makes it if given."""
    stats = resamples.by_metric[metric_index]
    scores = stats.run_scores[system]
    runs = measured.runs[resamples.systems[system]]
    interval, name, found = score_interval(resamples, metric_index, system, method)
    record = Score(
        system=resamples.systems[system],
        metric=stats.name,
        signature=measured.signature,
        unit=measured.metric.unit,
        higher_is_better=measured.metric.direction,
        score=float(scores.mean()),
        ci=interval,
        ci_method=name,
        runs=runs,
        run_scores=tuple(scores.tolist()),
        s_sel=selection_error(resamples, metric_index, system),
        s_test=float(scores.std(ddof=1)) if len(scores) > 1 else None,
        run_min=float(scores.min()),
        run_max=float(scores.max()),
        median_run=runs[median_run(scores)],
        n_items=stats.design.n_items,
    )
    return record, found


def unique_notes(found: Iterable[Note]) -> tuple[Note, ...]:
    """Each note once; of one code there may be several, which say it of others."""
    return tuple(dict.fromkeys(found))


def engine_of(independent: Iterable[bool], asked: str) -> str:
    """How resamples were drawn, of which it is known whether they are independent; as asked for where there are none.

    Not all are cyclic where the engine is: scores that are no functions of sums are drawn one by one.
    """
    return " or ".join(sorted({"iid" if one else "cyclic" for one in independent})) or asked


def _is_independent(outcome: Outcome | OmnibusFinding) -> bool:
    """Whether the resamples of a test are; those that it does not hand over it drew by itself."""
    exceedances = getattr(outcome, "exceedances", None)
    return exceedances is None or exceedances.independent


def _readers_of(data: Dataset) -> list[object]:
    """The readers of its files."""
    names = dict.fromkeys(source.reader for source in data.sources)
    return [readers.make(name) for name in names if readers.knows(name)]


def provenance(
    data: Dataset,
    measured: Sequence[Measured],
    judged: Sequence[Answered],
    settings: Settings,
    test: str,
    correction: str,
    design: Design,
    method: IntervalMethod | None = None,
) -> Provenance:
    """Its provenance."""
    sampled = [j.outcome for j in judged if j.outcome.n_resamples is not None]
    used = [m.metric.citation for m in measured] + [j.test.citation for j in judged]
    used += [] if method is None else [method.citation]
    used += ["Clark et al. 2011"] if any(max(m.stats.runs) > 1 for m in measured) else []
    used += ["Phipson & Smyth 2010"] if any(j.outcome.p_kind == MONTE_CARLO for j in judged) else []
    used += [_CORRECTION_SOURCES[correction]] if len(judged) > 1 and correction in _CORRECTION_SOURCES else []
    return Provenance(
        libraries=versions_of(*LIBRARIES)
        | packages_of([*(m.metric for m in measured), *(j.test for j in judged), method, *_readers_of(data)]),
        n_resamples=settings.n_resamples,
        test=test,
        correction=correction,
        inputs=data.sources,
        n_items_read=data.n_items_read,
        dropped=data.dropped,
        cluster=design.cluster,
        n_clusters=design.n_units if design.cluster else None,
        strata=design.stratum,
        samples=data.n_samples,
        engine=engine_of(map(_is_independent, sampled), settings.engine),
        interval="auto" if method is None else method.label,
        citations=tuple(dict.fromkeys(used)),
    )
