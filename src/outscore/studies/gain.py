"""Gain against confidence, over all pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outscore.base.errors import inflect
from outscore.base.notes import Note
from outscore.results.study import DataTable, Field, Figure, Finding, Value
from outscore.studies import Found, Spec, Summary, study
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import DIFFERENT, SAME, StudyPair
from outscore.studies.shared.readings import (
    ALL,
    PLAIN,
    OfGains,
    Reading,
    add_plain_rows,
    make_plain_tables,
    threshold_tables,
)
from outscore.studies.shared.thresholds import SURE, jackknife_error, select_informative, z_of


@study("gain")
@dataclass(frozen=True)
class GainStudy(OfGains):
    """How large must a gain be before a test is sure of it? Every two systems, gain against confidence.

    Pairs of systems of one group (a team, a model trained several times) are told from others: their outputs are alike,
    so smaller gains are sure. The threshold at p = .05 is given twice: as the source does it, a quantile of the gains
    among the pairs whose p lies in a window, and by a curve fitted to all pairs, with an interval over systems. Runs of
    a system count as systems of one group. Why a threshold is small stands beside it: the correlation of the systems,
    item by item, and the standard error that it makes.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §3.1, Figures 2 to 8.
    """

    question = "How large must a gain be before a test is sure of it?"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = "outscore study gain -r ref.txt 'system*.txt' --groups teams.tsv -m bleu --plot gain.svg"

    def grid(self, material: Material) -> list[Spec]:
        """One cell for each metric."""
        self.check(material)
        return [{"metric": stats.name} for stats in material.by_metric]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """All pairs under one metric."""
        apart = material.with_runs_apart
        stats = next(stats for stats in apart.by_metric if stats.name == spec["metric"])
        return {"pairs": [pair.to_plain() for pair in self.compare_all_pairs(apart, stats, seed)]}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """Thresholds, what makes them, curves and all pairs."""
        apart = material.with_runs_apart
        how = f"{self.describe(apart)}, {inflect(apart.n_items, 'item')}"
        rows: dict[str, list[tuple[Value, ...]]] = {name: [] for name in ("thresholds", "window", "why", *PLAIN)}
        figures: list[Figure] = []
        findings: list[Finding] = []
        notes: list[Note] = []
        for (spec, found), unit in zip(cells, material.units, strict=True):
            metric = spec["metric"]
            readings = self.readings([StudyPair.of(pair) for pair in found["pairs"]], apart)
            drawn = readings[1:] or readings
            rows["thresholds"] += [(metric, one.relation, *one.row_by_curve()) for one in readings]
            rows["window"] += [(metric, one.relation, *one.row_by_window()) for one in readings]
            rows["why"] += [(metric, one.relation, *self._explain(one, apart)) for one in readings]
            for one in drawn:
                add_plain_rows(rows, (metric, one.relation), one, self, self.end(drawn))
            title = _title(drawn)
            figures.append(self.figure(metric, metric, title, unit, how, drawn, "relation", (DIFFERENT, SAME, ALL)))
            findings += _orders(metric, drawn, material.settings.alpha)
            notes += self.notes(readings)
        keys = (Field(name="metric", title="Metric", kind="text"), Field(name="relation", title="Pairs", kind="text"))
        return Summary(
            design=f"{how}.",
            tables=(
                *threshold_tables(keys, rows),
                _why_table(keys, rows["why"]),
                *make_plain_tables(keys, rows),
            ),
            figures=tuple(figures),
            findings=tuple(findings),
            notes=tuple(notes),
        )

    def _explain(self, reading: Reading, material: Material) -> tuple[Value, ...]:
        """Correlation, standard error, the threshold they make, and that of the curve, over the pairs that tell it."""
        used = select_informative(reading.pairs, self.claim, material.settings.n_resamples)
        known = [p.correlation for p in used if p.correlation is not None]
        errors = [p.error for p in used if p.error]
        error = float(np.exp(np.log(errors).mean())) if errors else None
        made = None if error is None else float(z_of(SURE, self.claim)) * error
        curve = None if reading.curve is None else reading.curve.threshold
        return (len(used), float(np.mean(known)) if known else None, error, made, curve)


def _why_table(keys: tuple[Field, ...], rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return DataTable(
        name="why",
        title="What makes the threshold",
        fields=(
            *keys,
            Field(name="used", title="that tell", kind="count"),
            Field(name="correlation", title="Correlation"),
            Field(name="error", title="Standard error"),
            Field(name="made", title="z × error"),
            Field(name="fitted", title="By the curve"),
        ),
        rows=tuple(rows),
        about="Over the pairs that tell the curve: mean correlation of what two systems get for an item (jackknife "
        "pseudo-values), geometric mean of the jackknife standard error of their gain, and the gain that is as many "
        "errors as p = .05 asks for. The squared error is that of both systems less twice their covariance.",
    )


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
