"""The work of the study of printed numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from outscore.base.errors import InputError, UsageError
from outscore.engine.normal import normal_ppf
from outscore.multiplicity.replicability import replicability
from outscore.results.result import Interval
from outscore.results.study import Finding
from outscore.significance.p_values import holm
from outscore.significance.proportions import wilson
from outscore.significance.settings import Settings
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.printed import Printed
from outscore.studies.printed.means import read_rows, spec_of_means, summarize_means
from outscore.studies.printed.of_runs import spec_of_runs, summarize_runs
from outscore.studies.shared.form import (
    p_value,
    parse_numbers,
    table,
    text,
)
from outscore.studies.shared.material import Material


def grid(study: Printed, material: Material) -> list[Spec]:
    """One cell for each kind of numbers."""
    del material
    if not -1 < study.alike < 1:
        raise UsageError(f"--alike {study.alike:g}: expected a correlation between -1 and 1")
    found: list[Spec] = []
    if study.runs:
        found.append(spec_of_runs(study))
    if study.means:
        found.append(spec_of_means(Path(study.means), study.alike))
    if study.p_values:
        found.append({"kind": "p", **_read_p_values(Path(study.p_values))})
    if study.counts:
        found.append({"kind": "counts", "counts": _parse_counts(study.counts)})
    if not found:
        raise UsageError("give what was printed: --runs, --means, --p-values or --counts")
    return found


def cell(study: Printed, material: Material, spec: Spec, seed: int) -> Found:
    """Nothing is drawn: a summary is all there is."""
    del study, material, spec, seed
    return {}


def summary(study: Printed, material: Material, cells: Cells) -> Summary:
    """The tables of each kind, one after the other."""
    del study
    made = [_MAKERS[spec["kind"]](spec, material.settings) for spec, _ in cells]
    return Summary(
        design=" ".join(one.design for one in made),
        findings=tuple(finding for one in made for finding in one.findings),
        tables=tuple(table for one in made for table in one.tables),
        figures=tuple(figure for one in made for figure in one.figures),
    )


# --- p-values -----------------------------------------------------------------------------------------------------


def _p(spec: Spec, settings: Settings) -> Summary:
    """Søgaard et al. 2014, Tables 2 and 3: a free choice of the metric, and what is left after correction."""
    alpha = settings.alpha
    metrics, names = spec["metrics"], spec["sets"]
    p = np.asarray(spec["p"], dtype=np.float64)
    smallest = np.minimum(1.0, len(metrics) * p.min(axis=1))
    found = [*(p <= alpha).sum(axis=0).tolist()]
    every = replicability(p.max(axis=1).tolist(), alpha=alpha)
    findings = [
        *(_count(f"data sets with p ≤ {alpha:g} by {name}", n) for name, n in zip(metrics, found, strict=True)),
        _count(f"data sets with p ≤ {alpha:g} by some metric", int((p <= alpha).any(axis=1).sum())),
        _count(f"data sets with p ≤ {alpha:g} by every metric", int((p <= alpha).all(axis=1).sum())),
        _count("the same by some metric, after Bonferroni over the metrics", int((smallest <= alpha).sum())),
        _count("left of all p-values after Holm over all of them", int((holm(p.ravel()) <= alpha).sum())),
        *(
            _count(f"data sets on which the gain holds by {name}", replicability(column.tolist(), alpha=alpha).count)
            for name, column in zip(metrics, p.T, strict=True)
        ),
        _count("data sets on which the gain holds by every metric", every.count),
    ]
    rows = [
        (name, *values, best, "yes" if best <= alpha else "no")
        for name, values, best in zip(names, p.tolist(), smallest.tolist(), strict=True)
    ]
    fields = (
        text("set", "Data set"),
        *(p_value(f"p{k}", name) for k, name in enumerate(metrics)),
        p_value("smallest", "smallest, corrected"),
        text("holds", f"≤ {alpha:g}"),
    )
    about = (
        "Corrected: times the number of metrics. So many data sets on which the gain holds, whichever they are, there "
        f"are with certainty {1 - alpha:g} (Dror et al. 2017); of two-sided p-values that is a gain on either side. "
        "< .001 is taken for .001."
    )
    return Summary(
        design=f"{p.size} printed p-values of {len(names)} data sets by {len(metrics)} metrics.",
        findings=tuple(findings),
        tables=(table("p", "Printed p-values", fields, rows, about=about),),
        figures=(),
    )


def _count(what: str, value: int) -> Finding:
    return Finding(what=what, value=value, kind="count")


# --- counts -------------------------------------------------------------------------------------------------------


def _counts(spec: Spec, settings: Settings) -> Summary:
    """O'Connor 2015: a confusion matrix. F1 = 2J/(1 + J), J the proportion of right among all that either side has."""
    alpha = settings.alpha
    tp, fp, fn, tn = spec["counts"]
    n, level = tp + fp + fn + tn, 1 - alpha
    jaccard = wilson(tp, tp + fp + fn, level) if tp + fp + fn else None
    found: list[tuple[str, float | None, Interval | None]] = [
        _proportion("precision", tp, tp + fp, level),
        _proportion("recall", tp, tp + fn, level),
        ("F1", 2 * tp / (2 * tp + fp + fn), (_f1(jaccard[0]), _f1(jaccard[1]))) if jaccard else ("F1", None, None),
        _proportion("accuracy", tp + tn, n, level),
        _kappa(tp, fp, fn, tn, alpha),
    ]
    return Summary(
        design=f"Of the printed counts of {n:,} items, taken for independent.",
        findings=tuple(Finding(what=what, value=value, ci=ci, reason=_WHY[what]) for what, value, ci in found),
        tables=(),
        figures=(),
    )


_WHY = {
    "precision": "Wilson's interval.",
    "recall": "Wilson's interval.",
    "F1": "Wilson's interval of the proportion of right ones among all that the system or the gold labels have.",
    "accuracy": "Wilson's interval.",
    "kappa": "Large-sample error of Fleiss, Cohen and Everitt 1969.",
}


def _f1(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)


def _proportion(name: str, x: int, n: int, level: float) -> tuple[str, float | None, Interval | None]:
    return (name, x / n, wilson(x, n, level)) if n else (name, None, None)


def _kappa(tp: int, fp: int, fn: int, tn: int, alpha: float) -> tuple[str, float | None, Interval | None]:
    n = tp + fp + fn + tn
    p = np.array([[tp, fp], [fn, tn]]) / n
    rows, cols = p.sum(axis=1), p.sum(axis=0)
    observed, chance = float(np.trace(p)), float(rows @ cols)
    if chance == 1:
        return "kappa", None, None
    kappa = (observed - chance) / (1 - chance)
    # Fleiss, Cohen and Everitt 1969, equation 13, written as the variance of what each cell adds
    moves = (np.eye(2) - (1 - kappa) * (rows[None, :] + cols[:, None])) / (1 - chance)
    variance = float((p * moves**2).sum() - (p * moves).sum() ** 2) / n
    half = -normal_ppf(alpha / 2) * math.sqrt(max(variance, 0.0))
    return "kappa", kappa, (kappa - half, min(1.0, kappa + half))


# --- what was typed -----------------------------------------------------------------------------------------------


def _parse_counts(typed: str) -> list[int]:
    values = parse_numbers(typed, "--counts", 0, math.inf)
    if len(values) != 4 or not all(value.is_integer() for value in values) or not sum(values):
        raise UsageError(f"--counts {typed!r}: expected four counts, as in 5000,7,100,400000")
    return [int(value) for value in values]


def _read_p_values(path: Path) -> Spec:
    """A table of p-values: a header, then the name of a data set and its p-values on each line."""
    rows = read_rows(path)
    metrics = [name.strip() for name in rows[0][1:]]
    sets, values = [], []
    for number_of, row in enumerate(rows[1:], 2):
        values.append(_p_of_line(row, len(metrics), f"{path}, line {number_of}"))
        sets.append(row[0].strip())
    return {"metrics": metrics, "sets": sets, "p": values}


def _p_of_line(row: Sequence[str], n: int, where: str) -> list[float]:
    if len(row) != n + 1:
        raise InputError(f"{where}: {len(row) - 1} p-values, expected {n} as in the header")
    found = []
    for typed in row[1:]:
        try:
            # what is printed as <.001 is at most that
            value = float(typed.strip().lstrip("<"))
        except ValueError:
            value = math.nan
        if not 0 < value <= 1:
            raise InputError(
                f"{where}: {typed.strip()!r} is no p-value above 0 and up to 1 (for 0 or '< .001' put .001)"
            )
        found.append(value)
    return found


_MAKERS = {"runs": summarize_runs, "means": summarize_means, "p": _p, "counts": _counts}
