"""The work of ``compare`` by a test of another kind than of pairs: the numbers of systems that may be apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.collection import list_pairs
from outscore.multiplicity import adjust as corrections
from outscore.results.comparison import Comparison
from outscore.results.pairs import Overall, Pair
from outscore.results.posteriors import Beliefs
from outscore.significance import ASYMPTOTIC, Named, Outcome, notes
from outscore.significance.critical import critical_region
from outscore.significance.independent import IndependentSamples, IndependentTest, Unit, gain_interval
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, PostHoc
from outscore.significance.settings import Settings
from outscore.verbs.compare import Compare
from outscore.verbs.compare.margins import margins_of
from outscore.verbs.compare.posterior import infer_samples
from outscore.verbs.declared import declared
from outscore.verbs.shared.inputs import align_apart_from, baseline_of, check_resamples, check_several
from outscore.verbs.shared.measured import runtime_of
from outscore.verbs.shared.naming import attribute, score_name
from outscore.verbs.shared.records import split_statistic, unique_notes
from outscore.verbs.shared.samples import Numbers, SharedItems, Systems
from outscore.verbs.shared.verdicts import difference

_OF_PAIRS = ("margin", "by", "interval", "strata", "history", "flips", "words")
"""Options of tests of pairs."""


def compare_apart(data: Any, named: Named, asked: Compare) -> Comparison:
    """The comparison by a test of independent samples or of several systems."""
    n_resamples, alternative, unit = asked.n_resamples, asked.alternative, asked.unit
    _refuse_given(asked, named)
    if asked.missing not in ("error", "drop", "zero"):
        raise UsageError(f"--missing {asked.missing} belongs to tests of pairs, and {named.name} is none: leave it out")
    if n_resamples == "auto":
        raise UsageError("-n auto belongs to tests of pairs; give a number of resamples")
    check_resamples(n_resamples)
    settings = Settings(
        alternative=alternative,
        alpha=asked.alpha,
        n_resamples=n_resamples,
        seed=asked.seed,
        engine=asked.engine,
        runtime=runtime_of(asked.jobs, asked.progress),
    )
    correction = "holm" if asked.correction == corrections.AUTO else asked.correction
    corrections.adjust([], correction)  # a wrong name is said before any work
    aligned = align_apart_from(data, references=asked.references, items=asked.items, missing=asked.missing)
    check_several(*aligned)
    kept = None if asked.cache is None else Path(asked.cache)
    systems = Systems([SharedItems.of(part, asked.metrics, asked.cluster, settings, kept) for part in aligned])
    first = baseline_of(systems.names, asked.baseline)
    if isinstance(named, IndependentTest):
        found = correct_all(compare_all(named, systems, first, unit, settings, all_pairs=asked.all_pairs), correction)
        answers: Sequence[IndependentComparison | MetricFinding] = found
        said = attribute((name_of(one, systems), one.notes) for one in found)
        pairs, overall = [pair_record(one, systems, critical=asked.critical) for one in found], []
    else:
        assert isinstance(named, OmnibusTest)
        if alternative != "two-sided":
            raise UsageError(f"--alternative {alternative}: {named.name} is of all systems at once and has no side")
        answers = of_all = findings(named, systems, unit, settings)
        brought = [(each, pair) for each in of_all for pair in post_hoc_records(each, systems, first)]
        pairs = [pair for _, pair in brought]
        overall = [overall_record(each) for each in of_all]
        said = attribute((f"under {each.numbers.metric}", each.notes) for each in of_all)
        under = [f" under {pair.metric}" * (len(of_all) > 1) for pair in pairs]
        said += attribute(
            (f"{pair.system!r} against {pair.baseline!r}{metric}", each.numbers.note_limits(pair.ci))
            for (each, pair), metric in zip(brought, under, strict=True)
        )
        correction = next((each.outcome.pairs_method for each in of_all if each.outcome.pairs), "none")
    beliefs = _believe(asked, named, systems, first, settings)
    scores = systems.scores()
    said += attribute((score_name(record, len(systems.metrics)), extra) for record, extra in scores)
    source = systems.provenance(answers, settings, named.label, correction)
    return Comparison(
        baseline=systems.names[first],
        seed=asked.seed,
        alpha=asked.alpha,
        alternative=alternative,
        correction=correction,
        scores=tuple(record for record, _ in scores),
        pairs=tuple(pairs),
        overall=tuple(overall),
        posteriors=beliefs.records,
        notes=unique_notes([*systems.notes(), *said, *beliefs.notes]),
        provenance=replace(source, citations=tuple(dict.fromkeys([*source.citations, *beliefs.citations]))),
    )


def _believe(asked: Compare, named: Named, systems: Systems, first: int, settings: Settings) -> Beliefs:
    """The posteriors of the pairs that a test of independent samples compares, where they are asked for."""
    if asked.posterior is None:
        return Beliefs()
    if not isinstance(named, IndependentTest):
        raise UsageError(
            f"--posterior is about pairs of systems, and {named.name} about all at once: name another test"
        )
    part, place = (systems.parts[0], first) if len(systems.parts) == 1 else (systems.parts[first], 0)
    margins = margins_of(asked.margin, part.made.by_metric, place)
    pairs = list_pairs(range(len(systems.names)), first, all_pairs=asked.all_pairs)
    return infer_samples(asked.posterior, systems, pairs, margins, settings)


def _refuse_given(asked: Compare, named: Named) -> None:
    """Raises UsageError for an option that only tests of pairs have."""
    given = next((one for one in declared(Compare) if one.name in _OF_PAIRS and one.changes(asked)), None)
    if given is not None and given.name == "margin" and asked.posterior is not None:
        given = None  # the ROPE
    if given is not None:
        flag = next(iter(given.said.flags), f"--{given.name}")
        raise UsageError(f"{flag} belongs to tests of pairs, and {named.name} is none: leave it out")


@dataclass(frozen=True)
class IndependentComparison:
    """Two systems under one metric, the numbers of both, and what the test found.

    ``adjusted`` is p in its family, ``alone`` the level at which its intervals cover together.
    """

    test: IndependentTest
    outcome: Outcome
    samples: IndependentSamples
    numbers: Numbers
    system: int
    baseline: int
    adjusted: float | None = None
    alone: float | None = None

    @property
    def unattainable(self) -> bool:
        """Whether no outcome on these data could have reached alpha."""
        least = self.outcome.p_min
        return least is not None and not self.samples.constant and least > self.samples.settings.alpha

    @cached_property
    def interval(self) -> tuple[tuple[float, float] | None, str, tuple[Note, ...]]:
        """Interval of the gain, its name and its notes: the test's own, if it brings one."""
        if self.alone in (None, self.samples.settings.alpha):
            own, samples = self.outcome, self.samples
        else:
            samples = replace(self.samples, settings=replace(self.samples.settings, alpha=self.alone))
            own = self.test.run(samples) if self.outcome.ci is not None else self.outcome
        ends, name, said = (own.ci, own.ci_method, ()) if own.ci is not None else gain_interval(samples)
        if ends is None or name == "degenerate":
            return ends, name, said
        sided = samples.settings.one_sided(ends, self.numbers.limits)
        return sided, name, (*said, *self.numbers.note_limits(sided))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Everything a reader must know of this pair."""
        found = [*self.outcome.notes, *self.numbers.notes]
        found += [notes.UNATTAINABLE] if self.unattainable else []
        found += [] if self.outcome.decides(self.samples.settings.alpha) else [notes.UNSTABLE]
        said = (notes.RANKS_AND_INTERVAL,) if notes.NOT_A_MEAN_TEST in found and self._decided[1] else self._decided[1]
        return unique_notes([*found, *self.interval[2], *said])

    @property
    def verdict(self) -> str:
        """``better`` or ``worse``, where one of them is shown."""
        return self._decided[0] or "inconclusive"

    @cached_property
    def _decided(self) -> tuple[str, tuple[Note, ...]]:
        settings, gain, favours = self.samples.settings, self.samples.gain, self.outcome.favours
        # of a test of ranks the ranks say which side it favours, and no word is given where the gain says another
        side = gain if favours is None or gain * favours > 0 else 0.0
        return difference(self.adjusted, self.interval[:2], side, settings.alpha, settings.alternative)


def compare_all(
    named: IndependentTest, systems: Systems, first: int, unit: Unit | None, settings: Settings, *, all_pairs: bool
) -> list[IndependentComparison]:
    """The outcomes of all pairs under all metrics."""
    found = []
    for metric in systems.metrics:
        numbers = systems.numbers(metric, unit, blocks=False)
        for system, baseline in list_pairs(range(len(systems.names)), first, all_pairs=all_pairs):
            samples = IndependentSamples(
                system=numbers.values[system],
                baseline=numbers.values[baseline],
                unit=numbers.unit,
                settings=settings,
                shared=numbers.shared,
                by_item=(numbers.by_item[system], numbers.by_item[baseline]) if numbers.by_item else None,
            )
            if refusal := named.refuses(samples):
                raise UsageError(refusal)
            found.append(IndependentComparison(named, named.run(samples), samples, numbers, system, baseline))
    return found


def name_of(compared: IndependentComparison, systems: Systems) -> str:
    """Name of a pair in a note: both systems, and the metric where there are several."""
    name = f"{systems.names[compared.system]!r} against {systems.names[compared.baseline]!r}"
    return name if len(systems.metrics) == 1 else f"{name} under {compared.numbers.metric}"


def correct_all(compared: Sequence[IndependentComparison], correction: str) -> list[IndependentComparison]:
    """The same with p-values corrected over all that have one."""
    raw = np.array([c.outcome.p_value for c in compared if c.outcome.p_value is not None], dtype=np.float64)
    values = iter(corrections.adjust(raw, correction).tolist())
    level = corrections.level_of_one(compared[0].samples.settings.alpha, len(raw), correction) if compared else None
    return [replace(c, adjusted=None if c.outcome.p_value is None else next(values), alone=level) for c in compared]


def pair_record(compared: IndependentComparison, systems: Systems, *, critical: bool) -> Pair:
    """The public record of one pair, with the critical region of its test if that is asked for."""
    samples, outcome = compared.samples, compared.outcome
    interval, method, _ = compared.interval
    n, m = samples.sizes
    region = critical_region(compared.test, outcome, samples.settings) if critical else {}
    statistic, effect = split_statistic(outcome, samples.gain)
    return Pair(
        system=systems.names[compared.system],
        baseline=systems.names[compared.baseline],
        metric=compared.numbers.metric,
        gain=samples.gain,
        ci=interval,
        ci_method=method,
        test=compared.test.label,
        question=compared.test.question(samples),
        null=compared.test.null,
        alternative=samples.settings.alternative,
        p_value=outcome.p_value,
        p_kind=outcome.p_kind,
        p_error=outcome.p_error,
        p_min=outcome.p_min,
        p_adjusted=compared.adjusted,
        n_items=systems.n_items(compared.system, compared.baseline),
        n_resamples=outcome.n_resamples,
        statistic=statistic,
        effect={"n_system": n, "n_baseline": m, "unit": samples.unit, **effect, **region},
        notes=tuple(note.code for note in compared.notes),
        verdict=compared.verdict,
    )


@dataclass(frozen=True)
class MetricFinding:
    """All systems under one metric, and what the test found."""

    test: OmnibusTest
    outcome: OmnibusFinding
    groups: Groups
    numbers: Numbers

    @property
    def notes(self) -> tuple[Note, ...]:
        """Everything a reader must know of this answer."""
        return unique_notes([*self.outcome.notes, *self.numbers.notes])


def findings(named: OmnibusTest, systems: Systems, unit: Unit | None, settings: Settings) -> list[MetricFinding]:
    """The findings under all metrics."""
    found = []
    for metric in systems.metrics:
        numbers = systems.numbers(metric, unit, blocks=True)
        groups = Groups(
            names=systems.names, values=numbers.values, unit=numbers.unit, blocks=numbers.blocks, settings=settings
        )
        if refusal := named.refuses(groups):
            raise UsageError(refusal)
        found.append(MetricFinding(named, named.run(groups), groups, numbers))
    return found


def overall_record(found: MetricFinding) -> Overall:
    groups, outcome = found.groups, found.outcome
    statistic, effect = split_statistic(outcome, None)
    return Overall(
        metric=found.numbers.metric,
        test=found.test.label,
        question=found.test.question(groups),
        null=found.test.null,
        p_value=outcome.p_value,
        p_kind=outcome.p_kind,
        p_error=outcome.p_error,
        n_resamples=outcome.n_resamples,
        n_systems=len(groups.names),
        n_units=groups.values[0].size if groups.blocks else sum(v.size for v in groups.values),
        unit=groups.unit,
        statistic=statistic,
        effect=effect,
        notes=tuple(note.code for note in found.notes),
    )


def post_hoc_records(found: MetricFinding, systems: Systems, first: int) -> list[Pair]:
    """The pairs that a test of several systems brings, against the baseline where it is one of the two."""
    pairs = []
    for pair in found.outcome.pairs:
        turned = pair.system == first
        sign = -1.0 if turned else 1.0
        system, baseline = (pair.baseline, pair.system) if turned else (pair.system, pair.baseline)
        values = found.groups.values
        gain = float(values[system].mean() - values[baseline].mean())
        pairs.append(
            Pair(
                system=systems.names[system],
                baseline=systems.names[baseline],
                metric=found.numbers.metric,
                gain=gain,
                ci=_turn(pair, sign),
                ci_method=f"{found.outcome.pairs_method} interval" if pair.ci else "undefined",
                test=found.outcome.pairs_method,
                question="do these two of the systems differ?",
                null="the two systems do not differ",
                alternative="two-sided",
                p_value=None,
                p_kind=ASYMPTOTIC,
                p_error=None,
                p_min=None,
                p_adjusted=pair.p_adjusted,
                n_items=systems.n_items(system, baseline),
                n_resamples=None,
                statistic=gain,
                effect={} if np.isclose(sign * pair.gain, gain) else {"rank_difference": sign * pair.gain},
                notes=tuple(note.code for note in (*found.notes, *found.numbers.note_limits(pair.ci))),
                verdict=_verdict(pair, sign, gain, found.groups.settings.alpha),
            )
        )
    return pairs


def _turn(pair: PostHoc, sign: float) -> tuple[float, float] | None:
    if pair.ci is None:
        return None
    low, high = sorted(sign * end for end in pair.ci)
    return low, high


def _verdict(pair: PostHoc, sign: float, gain: float, alpha: float) -> str:
    """Verdict by the adjusted p-value: inconclusive where ranks and the gain point to different systems."""
    shown = _turn(pair, sign), ""  # of the same law as p
    return difference(pair.p_adjusted, shown, gain if sign * pair.gain * gain > 0 else 0.0, alpha)[0] or "inconclusive"
