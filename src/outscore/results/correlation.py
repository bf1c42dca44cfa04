"""The record of metrics against humans."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """How well one metric agrees with the humans.

    Attributes:
        level: ``system``, ``segment``, ``segment-by-item`` or ``segment-by-system``.
        coefficient: ``pearson``, ``spearman``, ``kendall`` (tau-b), ``kendall-c`` or ``accuracy``.
        value: None where it is undefined; ``ci``: its interval at level 1 - alpha.
        epsilon: differences of the metric up to this one are ties, where the threshold was calibrated.
        n_groups: groups that have a value, of which it is the mean; ``n_undefined``: those without one.
        group_size: systems or segments in a group.
        notes: codes of the notes that concern it.
    """

    metric: str
    level: str
    coefficient: str
    value: float | None
    ci: Interval | None
    epsilon: float | None
    n_groups: int
    n_undefined: int
    group_size: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CorrelationGain:
    """One metric against another under one coefficient.

    Attributes:
        metric: the one judged; ``other``: the one that it is compared with.
        gain: its coefficient minus that of the other; ``ci``: interval at level 1 - alpha.
        test, null: name of the test, and its null hypothesis in words.
        p_value, p_kind, p_error, p_min, p_adjusted, n_resamples: as in ``Pair``.
        notes: codes of the notes that concern it.
    """

    metric: str
    other: str
    level: str
    coefficient: str
    gain: float | None
    ci: Interval | None
    test: str
    null: str
    p_value: float | None
    p_kind: str
    p_error: float | None
    p_min: float | None
    p_adjusted: float | None
    n_resamples: int | None
    notes: tuple[str, ...] = ()


@kinds.register("correlate")
@dataclass(frozen=True, kw_only=True, repr=False)
class Correlations(Result):
    """Metrics against humans; ``scores`` are the scores of the systems, by the humans and by every metric.

    Attributes:
        human: name of what the humans gave, among the metrics of ``scores``.
        resampled: the things resampled and permuted: ``both``, ``systems`` or ``items``.
        alternative: side of the tests; ``correction``: over all of them.
    """

    human: str
    resampled: str
    alternative: str
    correction: str
    correlations: tuple[Correlation, ...]
    gains: tuple[CorrelationGain, ...]
    command: str = "correlate"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each metric and coefficient, then one for each pair of metrics."""
        rows = []
        every: list[Correlation | CorrelationGain] = [*self.correlations, *self.gains]
        for found in every:
            row = {
                **dict.fromkeys(("metric", "other", "level", "coefficient", "value", "gain")),
                **dataclasses.asdict(found),
            }
            row["ci_low"], row["ci_high"] = row.pop("ci") or (None, None)
            row["notes"] = " ".join(found.notes)
            rows.append(row)
        names = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in names} for row in rows]

    def __repr__(self) -> str:
        metrics = dict.fromkeys(found.metric for found in self.correlations)
        return f"<Correlations of {inflect(len(metrics), 'metric')} with {self.human!r}: {', '.join(metrics)}>"
