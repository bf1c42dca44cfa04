"""Gain against confidence on the whole test set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from outscore.base.errors import inflect
from outscore.results.study import DataTable, Finding, Value
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.gain import GainStudy
from outscore.studies.gain.readings import (
    ALL,
    GainSummary,
    Reading,
    check,
    make_plain_tables,
    read_thresholds,
    summarize,
    threshold_tables,
)
from outscore.studies.gain.thresholds import (
    SURE,
    ThresholdCurve,
    jackknife_error,
    p_at,
    select_informative,
    share_interval,
)
from outscore.studies.shared.form import METRIC, columns, count, ends, parse_numbers, share, table, text
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import DIFFERENT, SAME, StudyPair, compare_all_pairs, z_of

_NEAR = 0.1  # of a gain that is tried


def grid(study: GainStudy, material: Material) -> list[Spec]:
    """One cell for each metric."""
    check(study, material)
    _gains_tried(study)
    return [{"metric": stats.name} for stats in material.by_metric]


def cell(study: GainStudy, material: Material, spec: Spec, seed: int) -> Found:
    """All pairs under one metric."""
    apart = material.with_runs_apart
    pairs = compare_all_pairs(apart, apart.stats(spec["metric"]), study.test, study.claim, seed)
    if study.classes == "each":
        group = dict(zip(apart.systems, apart.groups, strict=True))
        pairs = [replace(pair, relation=_class_of(group[pair.winner], group[pair.loser])) for pair in pairs]
    return {"pairs": [pair.to_plain() for pair in pairs]}


def _class_of(one: str, other: str) -> str:
    return f"within {one}" if one == other else " × ".join(sorted((one, other)))


def summary(study: GainStudy, material: Material, cells: Cells) -> Summary:
    """Thresholds, what makes them, curves and all pairs."""
    return summarize(study, material, cells, inflect(material.n_items, "item"), _add, _tables)


def _add(drawn: GainSummary, cells: Cells) -> None:
    ((_, found),) = cells
    readings = read_thresholds(drawn.study, drawn.material, [StudyPair.of(pair) for pair in found["pairs"]])
    shown = readings[1:] or readings
    for one in readings:
        key = drawn.metric, one.relation
        drawn.rows["thresholds"].append((*key, *one.row_by_curve()))
        drawn.rows["window"].append((*key, *one.row_by_window()))
        drawn.rows["why"].append((*key, *_explain(one, drawn.study, drawn.material)))
        drawn.rows["tried"] += [(*key, *row) for row in _try_gains(one, drawn.study, drawn.material)]
    drawn.add_readings([(one.relation, one) for one in shown])
    of = f"{drawn.metric}: " if len(drawn.material.by_metric) > 1 else ""
    names = [one.relation for one in shown] if drawn.study.classes == "each" else [DIFFERENT, SAME, ALL]
    drawn.draw_curves(drawn.metric, of + _title(shown), shown, "relation", names)
    drawn.findings += _orders(drawn.metric, shown, drawn.material.settings.alpha)
    drawn.add_notes(readings)


def _tables(drawn: GainSummary) -> Sequence[DataTable]:
    keys = (METRIC, text("relation", "Pairs"))
    why = table(
        "why",
        "What makes the threshold",
        (
            *keys,
            count("used", "that tell"),
            *columns(
                "number", correlation="Correlation", error="Standard error", made="z × error", fitted="By the curve"
            ),
        ),
        drawn.rows["why"],
        about="Over the pairs that tell the curve: mean correlation of what two systems get for an item (jackknife "
        "pseudo-values), geometric mean of the jackknife standard error of their gain, and the gain that is as "
        "many errors as p = .05 asks for. The squared error is that of both systems less twice their covariance.",
    )
    tried = table(
        "tried",
        "A gain as a rule of thumb",
        (
            *keys,
            *columns("number", gain="Gain", curve="p by the curve"),
            text("place", "Gains"),
            count("pairs", "pairs"),
            *ends(share("significant", "Significant")),
        ),
        drawn.rows["tried"],
        about=f"Of the pairs whose gain lies within {_NEAR:.0%} of it, above that and below that, the proportion that "
        "is significant, with its interval over systems; none where all of them are, or none.",
    )
    rules = [tried] if drawn.study.at else []
    return [*threshold_tables(keys, drawn.rows), *rules, why, *make_plain_tables(keys, drawn.rows)]


def _gains_tried(study: GainStudy) -> list[float]:
    return parse_numbers(study.at, "--at", 0, math.inf) if study.at else []


def _try_gains(reading: Reading, study: GainStudy, material: Material) -> Iterator[tuple[Value, ...]]:
    """For each gain that is tried p by the curve, and the significant pairs near it, above and below."""
    alpha, seed = material.settings.alpha, material.settings.seed
    for gain in _gains_tried(study):
        near = _NEAR * gain
        places = {"above": (gain + near, math.inf), "near": (gain - near, gain + near), "below": (-1.0, gain - near)}
        curve = None if reading.curve is None else float(p_at(np.array(gain), reading.curve.scale, study.claim))
        for place, (low, high) in places.items():
            inside = [pair for pair in reading.pairs if low < pair.gain <= high]
            sure = sum(pair.p is not None and pair.p <= alpha for pair in inside)
            interval = share_interval(reading.pairs, inside, alpha, seed) or (None, None)
            yield gain, curve, place, len(inside), sure / len(inside) if inside else None, *interval


def _explain(reading: Reading, study: GainStudy, material: Material) -> tuple[Value, ...]:
    """Correlation, standard error, the threshold they make, and that of the curve, over the pairs that tell it."""
    used = select_informative(reading.pairs, study.claim, material.settings.n_resamples)
    known = [p.correlation for p in used if p.correlation is not None]
    errors = [p.error for p in used if p.error]
    error = float(np.exp(np.log(errors).mean())) if errors else None
    made = None if error is None else float(z_of(SURE, study.claim)) * error
    curve = None if reading.curve is None else reading.curve.threshold
    return (len(used), float(np.mean(known)) if known else None, error, made, curve)


def _title(drawn: Sequence[Reading]) -> str:
    at = {one.relation: one.curve.threshold for one in drawn if one.curve is not None}
    if {SAME, DIFFERENT} <= at.keys():
        return f"p = {SURE:g} at a gain of {at[SAME]:#.2g} within a group, of {at[DIFFERENT]:#.2g} between groups"
    if ALL in at:
        return f"p = {SURE:g} at a gain of about {at[ALL]:#.2g}"
    if len(at) < 2:
        return "Gain and confidence"
    low, high = min(at, key=at.__getitem__), max(at, key=at.__getitem__)
    return f"p = {SURE:g} at a gain of {at[low]:#.2g} ({low}) to {at[high]:#.2g} ({high})"


def _orders(metric: str, drawn: Sequence[Reading], alpha: float) -> list[Finding]:
    """The threshold of one group as a proportion of that of different groups; of each class, of the largest one's."""
    curve = {one.relation: one.curve for one in drawn if one.curve is not None}
    if {SAME, DIFFERENT} <= curve.keys():
        what = f"threshold within a group over that between groups, by the curves ({metric})"
        return [_ratio(what, curve[SAME], curve[DIFFERENT], alpha, "below 1 where systems of one group are alike")]
    largest = max(curve, key=lambda name: curve[name].n, default="")
    return [
        _ratio(f"threshold, {name} over {largest}, by the curves ({metric})", own, curve[largest], alpha, "")
        for name, own in curve.items()
        if name != largest
    ]


def _ratio(what: str, one: ThresholdCurve, other: ThresholdCurve, alpha: float, reason: str) -> Finding:
    """Of two thresholds, with its interval over systems: those of both are left out in turn, or those of either."""
    from scipy import special

    ratio, ci = float(np.log(one.scale / other.scale)), None
    common = [name for name in one.without if name in other.without] or [*one.without, *other.without]
    if len(common) >= 4:
        error = jackknife_error(
            [
                one.without.get(name, math.log(one.scale)) - other.without.get(name, math.log(other.scale))
                for name in common
            ]
        )
        wide = float(special.stdtrit(len(common) - 1, 1 - alpha / 2)) * error
        ci = (float(np.exp(ratio - wide)), float(np.exp(ratio + wide)))
    return Finding(what=what, value=float(np.exp(ratio)), ci=ci, reason=reason)
