"""Gain against confidence on the whole test set."""

from __future__ import annotations

from collections.abc import Sequence

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
from outscore.studies.gain.thresholds import SURE, jackknife_error, select_informative
from outscore.studies.shared.form import METRIC, columns, count, table, text
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import DIFFERENT, SAME, StudyPair, compare_all_pairs, z_of


def grid(study: GainStudy, material: Material) -> list[Spec]:
    """One cell for each metric."""
    check(study, material)
    return [{"metric": stats.name} for stats in material.by_metric]


def cell(study: GainStudy, material: Material, spec: Spec, seed: int) -> Found:
    """All pairs under one metric."""
    apart = material.with_runs_apart
    pairs = compare_all_pairs(apart, apart.stats(spec["metric"]), study.test, study.claim, seed)
    return {"pairs": [pair.to_plain() for pair in pairs]}


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
    drawn.add_readings([(one.relation, one) for one in shown])
    of = f"{drawn.metric}: " if len(drawn.material.by_metric) > 1 else ""
    drawn.draw_curves(drawn.metric, of + _title(shown), shown, "relation", (DIFFERENT, SAME, ALL))
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
    return [*threshold_tables(keys, drawn.rows), why, *make_plain_tables(keys, drawn.rows)]


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
    return f"p = {SURE:g} at a gain of about {at[ALL]:#.2g}" if ALL in at else "Gain and confidence"


def _orders(metric: str, drawn: Sequence[Reading], alpha: float) -> list[Finding]:
    """The threshold of one group as a proportion of that of different groups, the same systems left out in turn."""
    from scipy import special

    curve = {one.relation: one.curve for one in drawn}
    same, other = curve.get(SAME), curve.get(DIFFERENT)
    if same is None or other is None:
        return []
    ratio, ci = float(np.log(same.scale / other.scale)), None
    common = [name for name in same.without if name in other.without]
    if len(common) >= 4:
        error = jackknife_error([same.without[name] - other.without[name] for name in common])
        wide = float(special.stdtrit(len(common) - 1, 1 - alpha / 2)) * error
        ci = (float(np.exp(ratio - wide)), float(np.exp(ratio + wide)))
    return [
        Finding(
            what=f"threshold within a group over that between groups, by the curves ({metric})",
            value=float(np.exp(ratio)),
            ci=ci,
            reason="below 1 where systems of one group are alike",
        )
    ]
