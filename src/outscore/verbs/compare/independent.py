"""Systems against the baseline by a test of independent samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.collection import list_pairs
from outscore.multiplicity import adjust as corrections
from outscore.results.pairs import Pair
from outscore.significance import Outcome, notes
from outscore.significance.critical import critical_region
from outscore.significance.independent import IndependentSamples, IndependentTest, Unit
from outscore.significance.independent.notes import gain_interval
from outscore.significance.settings import Settings
from outscore.verbs.shared.records import split_statistic, unique_notes
from outscore.verbs.shared.samples import Numbers, Systems
from outscore.verbs.shared.verdicts import difference


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
        return unique_notes([*found, *self.interval[2], *self._decided[1]])

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
