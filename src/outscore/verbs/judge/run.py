"""The work of ``judge``: labels and gains of each system, estimated by every method."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from outscore.base.arrays import Array, Bool, Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.dataset import Dataset
from outscore.data.same_items import in_order, runs_by_name
from outscore.metrics.shared.columns import check_magnitude
from outscore.multiplicity.adjust import adjust, level_of_one
from outscore.results.judge import JudgeBias, JudgeEstimate, Judgements
from outscore.significance import notes
from outscore.significance.clusters import OF_INTERVALS, find_clusters, note_clusters
from outscore.significance.confidence import fold_within
from outscore.significance.interval.student import FEW_AWAY, is_few_away
from outscore.significance.means import TTest
from outscore.significance.p_values import holm, student_quantile
from outscore.significance.prediction_powered import (
    ENOUGH,
    FEW_OTHERS,
    binary,
    disagreements,
    labelled_p,
    mean_t,
    n_others,
    prediction_powered,
    rogan_gladen,
    tune_weight,
)
from outscore.significance.proportions import logit_of, tango, wilson
from outscore.significance.settings import Settings
from outscore.verbs.judge import Judge
from outscore.verbs.judge.labels import check_labelled, find_columns, note_labelled_apart, note_partly_labelled
from outscore.verbs.shared.inputs import align_from, baseline_of, design_of
from outscore.verbs.shared.records import ENOUGH_DIFFERENCES, provenance, unique_notes

NULL = "the systems have the same mean human label over the population of items"
_FEW = 30
_SUSPICIOUS = 0.01


def judge(data: Any, asked: Judge) -> Judgements:
    """The estimates that are asked for."""
    alpha, lower, correction = asked.alpha, asked.lower, asked.correction
    roles = [column for column in (asked.human, asked.judge) if column is not None]
    aligned = align_from(data, references=None, items=asked.items, missing=asked.missing, labels=roles)
    human, name = find_columns(aligned, asked.human, asked.judge)
    aligned = in_order(runs_by_name(aligned.with_numbers([name])))
    design = design_of(aligned, asked.cluster, None)
    labels = {system: _mean_over_runs(aligned, system, human) for system in aligned.systems}
    judged = {system: _mean_over_runs(aligned, system, name) for system in aligned.systems}
    first = aligned.systems[baseline_of(aligned.systems, asked.baseline)]
    check_labelled(labels, judged, human, name, first)
    sign = -1.0 if lower else 1.0
    every = (*labels.values(), *judged.values())  # right or wrong, or means of such, and numbers of the same range
    proportions = all(bool(((c >= 0) & (c <= 1) | ~np.isfinite(c)).all()) for c in every)
    samples = [
        _Sample(labels[system], judged[system], design.labels, alpha, system, proportions=proportions)
        for system in aligned.systems
    ]
    for system in aligned.systems:
        if system != first:
            y, f = (sign * (column[system] - column[first]) for column in (labels, judged))
            samples.append(_Sample(y, f, design.labels, alpha, system, first, proportions))
    if design.cluster is None:
        apart = holm(np.array([labelled_p(s.labels, s.judged, len(samples)) for s in samples])) < _SUSPICIOUS
        samples = [replace(sample, differs=bool(it)) for sample, it in zip(samples, apart, strict=True)]
    found = [each for sample in samples for each in sample.estimates()]
    few = [sample.few for sample in samples if sample.few]
    said = [*aligned.notes, *note_partly_labelled(aligned, human), *note_labelled_apart(labels, first)]
    said += [*([notes.note_few_labels(few, asked.cluster is not None)] if few else [])]
    said += [note for _, more in found for note in more]
    if design.cluster is None:
        said += note_clusters(find_clusters([[(s.contributions, aligned.labels) for s in samples]]), OF_INTERVALS)
    made = provenance(aligned, [], [], Settings(alpha=alpha), "prediction-powered", correction, design)
    sources = ["Angelopoulos et al. 2023", "Angelopoulos, Duchi & Zrnic 2023"]
    sources += ["Rogan & Gladen 1978"] * any(e.method == "rogan-gladen" for e, _ in found)
    return Judgements(
        seed=DEFAULT_SEED,
        alpha=alpha,
        scores=(),
        human=human,
        judge=name,
        baseline=first,
        correction=correction,
        estimates=_adjust([e for e, _ in found], correction),
        biases=_find_biases(samples, alpha, correction),
        notes=unique_notes(said),
        provenance=replace(made, citations=tuple(sources)),
    )


@dataclass(frozen=True)
class _Sample:
    """Labels ``(items,)``, NaN where there are none, and the judge's numbers, of a system or of its gain."""

    labels: Float
    judged: Float
    clusters: Array | None
    alpha: float
    system: str
    baseline: str | None = None
    proportions: bool = False
    """Labels and the judge's numbers lie between 0 and 1, and so do their means."""
    differs: bool = False
    """The judge scores labelled items otherwise than the others."""

    def estimates(self) -> list[tuple[JudgeEstimate, tuple[Note, ...]]]:
        """By every method, with what must be said."""
        return [(replace(e, ci=self._clip(e)), said) for e, said in self._estimate_by_method()]

    def _clip(self, found: JudgeEstimate) -> tuple[float, float] | None:
        """The interval without the values that no proportion, and no gain of proportions, can have.

        Those of scores have none but for that of the judge alone, see ``_proportion_ends``.
        """
        low = 0.0 if self.baseline is None else -1.0
        kept = not self.proportions or (self.baseline is None and found.method != "judge")
        if kept or found.ci is None or found.value is None or not low <= found.value <= 1:
            return found.ci
        return fold_within((low, 1.0), found.value, found.ci)

    def _estimate_by_method(self) -> list[tuple[JudgeEstimate, tuple[Note, ...]]]:
        weight, level = self._weight(), 1 - self.alpha
        alone = prediction_powered(self.labels, self.judged, weight=0, clusters=self.clusters, level=level)
        tuned, full = (
            prediction_powered(self.labels, self.judged, weight=w, tuned=t, clusters=self.clusters, level=level)
            for w, t in ((weight, True), (1.0, False))
        )
        units, others = self._count_units(np.isfinite(self.labels)), n_others(self.labels, self.clusters)
        few, skewed = units < _FEW, not self.proportions and others < ENOUGH_DIFFERENCES
        said = (*[notes.UNDER_30_LABELS] * few, *[notes.LABELLED_DIFFER] * self.differs)
        said += (FEW_OTHERS,) * (skewed and self.baseline is None)
        few_apart = not few and self.clusters is not None and is_few_away(others, units)
        said += (FEW_AWAY,) * (few_apart and self.proportions and self.baseline is None)
        found = [
            (self._estimate("prediction-powered", tuned, weight, alone, said), said),
            (self._estimate("labelled", alone, 0.0, alone, ()), ()),
            (self._estimate("prediction-powered:weight=1", full, 1.0, alone, ()), ()),
        ]
        if self.baseline is None and binary(self.labels, self.judged):
            made = rogan_gladen(self.labels, self.judged, clusters=self.clusters, level=level)
            found.append(
                (replace(found[0][0], method="rogan-gladen", **_make_fields(made.estimate, made.low, made.high)), ())
            )
        naive = mean_t(self.judged, self.clusters, level)
        ends = self._ends_without_spread(naive, self.judged, np.ones(len(self.judged), dtype=bool))
        fields = _make_fields(naive.estimate, *(ends or (math.nan, math.nan)))
        found.append((replace(found[0][0], method="judge", **fields), (notes.JUDGE_ALONE,)))
        return found

    def bias(self, level: float) -> JudgeBias:
        """How far the judge lies above the human labels on the items that have one."""
        known = np.isfinite(self.labels)
        errors = self.judged[known] - self.labels[known]
        made = mean_t(errors, None if self.clusters is None else self.clusters[known], level)
        return JudgeBias(
            system=self.system,
            baseline=self.baseline,
            bias=made.estimate,
            ci=self._bias_ends(errors, made, level),
            n_labelled=len(errors),
            same=float((errors == 0).mean()),
            chance=self._same_by_chance(known),
        )

    def _same_by_chance(self, known: Bool) -> float | None:
        if self.baseline is not None or not binary(self.labels, self.judged):
            return None
        right, judged = float(self.labels[known].mean()), float(self.judged[known].mean())
        return right * judged + (1 - right) * (1 - judged)

    def _bias_ends(self, errors: Float, made: TTest, level: float) -> tuple[float, float] | None:
        """Tango's interval where judge and humans say right or wrong, and where nothing varies; else t."""
        furthest = 1.0 if self.baseline is None else 2.0  # of proportions
        if self.baseline is None and self.clusters is None and binary(self.labels, self.judged):
            return tango(int((errors > 0).sum()), int((errors < 0).sum()), len(errors), level)
        if made.se > 0:
            ends = _ends(made.low, made.high)
            if ends is None or not self.proportions:
                return ends
            return fold_within((-furthest, furthest), made.estimate, ends)
        if not self.proportions or made.estimate:
            return None
        low, high = tango(0, 0, self._count_units(np.isfinite(self.labels)), level)
        return furthest * low, furthest * high

    def _weight(self) -> float:
        """The tuned weight; 0 where too few labelled disagreements tell of the judge's errors."""
        return 0.0 if self.few else tune_weight(self.labels, self.judged, self.clusters)

    @property
    def contributions(self) -> Float:
        """``(items,)`` what each adds to the prediction-powered estimate."""
        known = np.isfinite(self.labels)
        weight = self._weight()
        values = np.where(known, self.labels - weight * self.judged, weight * self.judged)
        for part in filter(np.any, (known, ~known)):
            values[part] = (values[part] - values[part].mean()) / part.mean()
        return values

    def _count_units(self, here: Bool) -> int:
        """Some of the items ``(items,)``, or the clusters that have one of them."""
        return int(here.sum()) if self.clusters is None else len(np.unique(self.clusters[here]))

    @cached_property
    def few(self) -> str:
        """On how many labelled items, or clusters, judge and humans differ, where too few do; else nothing."""
        known = np.isfinite(self.labels)
        found = disagreements(self.labels, self.judged, self.clusters)
        if found >= ENOUGH or known.all():
            return ""
        of = self.system if self.baseline is None else f"{self.system} over {self.baseline}"
        return f"{of}: {found} of {self._count_units(known)}"

    def _proportion_ends(self, made: TTest, weight: float) -> tuple[float, float]:
        """Of a proportion between 0 and 1, as ``score`` has it: Student's on the logit scale, Wilson's of labels alone.

        The t interval of the proportion itself covers .86 of 100 labels of which 95 % are right.
        """
        known = np.isfinite(self.labels)
        n, level = int(known.sum()), 1 - self.alpha
        alone = (weight == 0 or int((~known).sum()) < 2) and bool(np.isin(self.labels[known], (0, 1)).all())
        if alone and self.clusters is None:
            return wilson(round(float(self.labels[known].sum())), n, level)
        worth = made.estimate * (1 - made.estimate) / made.se**2
        # right-or-wrong labels never count for more than there are
        return logit_of(made.estimate, min(worth, n) if alone else worth, student_quantile(level, made.df))

    def _interval(self, made: TTest, weight: float) -> tuple[float, float] | None:
        if not made.se > 0:
            return self._ends_without_spread(made, self.labels, np.isfinite(self.labels))
        if self.baseline is None and self.proportions and 0 < made.estimate < 1:
            return self._proportion_ends(made, weight)
        return _ends(made.low, made.high)

    def _ends_without_spread(self, made: TTest, values: Float, here: Bool) -> tuple[float, float] | None:
        """Score intervals where every label, or gain, of 0 and 1 is the same: a sample without errors has no variance.

        Wilson's of a proportion, Tango's of a gain, of as many units as have a value.
        """
        n, same = self._count_units(here), made.estimate
        if not np.isin(values[here], same).all() or same not in (-1.0, 0.0, 1.0):
            return _ends(made.low, made.high)
        if self.baseline is None:
            return wilson(n if same == 1 else 0, n, 1 - self.alpha) if same >= 0 else _ends(made.low, made.high)
        return tango(n if same == 1 else 0, n if same == -1 else 0, n, 1 - self.alpha)

    def _estimate(self, method: str, made: TTest, weight: float, alone: TTest, said: tuple[Note, ...]) -> JudgeEstimate:
        tested = self.baseline is not None and made.degenerate in ("", "identical_outputs")
        shorter, n_labelled = made.se > 0 and alone.se > 0, int(np.isfinite(self.labels).sum())
        return JudgeEstimate(
            system=self.system,
            baseline=self.baseline,
            method=method,
            value=made.estimate,
            ci=self._interval(made, weight),
            weight=weight,
            null=NULL if self.baseline is not None else "",
            p_value=made.p if tested else None,
            p_adjusted=None,
            n_labelled=n_labelled,
            n_items=len(self.labels),
            worth=n_labelled * (alone.se / made.se) ** 2 if shorter else None,
            notes=(*([notes.FEW_LABELS] if self.few and method != "labelled" else []), *(note.code for note in said)),
        )


def _find_biases(samples: Sequence[_Sample], alpha: float, correction: str) -> tuple[JudgeBias, ...]:
    """The judge's on each system, and on each gain; intervals of either kind hold together, as p-values do."""
    found = []
    for kind in ([s for s in samples if s.baseline is None], [s for s in samples if s.baseline is not None]):
        level = 1 - level_of_one(alpha, len(kind), correction)
        found += [sample.bias(level) for sample in kind]
    return tuple(found)


def _make_fields(estimate: float, low: float, high: float) -> dict[str, Any]:
    """Fields of an estimate by a method that neither weighs the judge nor tests a gain."""
    known = math.isfinite(estimate)
    return {
        "value": estimate if known else None,
        "ci": _ends(low, high),
        "weight": None,
        "worth": None,
        "p_value": None,
        "null": "",
        "notes": (),
    }


def _ends(low: float, high: float) -> tuple[float, float] | None:
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def _adjust(found: list[JudgeEstimate], correction: str) -> tuple[JudgeEstimate, ...]:
    """The same with p-values corrected over the gains of each method."""
    by_method: dict[str, list[float]] = {}
    for e in found:
        if e.p_value is not None:
            by_method.setdefault(e.method, []).append(e.p_value)
    left = {method: iter(adjust(p, correction).tolist()) for method, p in by_method.items()}
    return tuple(e if e.p_value is None else replace(e, p_adjusted=next(left[e.method])) for e in found)


def _mean_over_runs(data: Dataset, system: str, column: str) -> Float:
    runs = (([c.columns[column] for c in data.layers[system, run]], run) for run in data.runs[system])
    found = np.asarray(np.mean([data.average(system, run, layers) for layers, run in runs], axis=0))
    check_magnitude(found, column)
    return found
