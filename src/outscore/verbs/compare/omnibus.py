"""All systems at once by a test of several systems, and the pairs that it brings."""

from __future__ import annotations

import numpy as np

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.results.pairs import Overall, Pair
from outscore.significance import ASYMPTOTIC
from outscore.significance.independent import Unit
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, PostHoc
from outscore.significance.settings import Settings
from outscore.verbs.shared.records import split_statistic, unique_notes
from outscore.verbs.shared.samples import Numbers, Systems
from outscore.verbs.shared.verdicts import difference


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
