"""The work of the study of printed numbers: p-values; that of means, of runs and of counts stands beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from outscore.base.errors import InputError, UsageError, inflect, join
from outscore.multiplicity.replicability import fisher, replicability, stouffer
from outscore.results.study import Finding
from outscore.significance.p_values import holm
from outscore.significance.settings import Settings
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.printed import Printed
from outscore.studies.printed.of_counts import (
    spec_of_counts,
    spec_of_two,
    summarize_counts,
    summarize_matrix,
    summarize_two,
)
from outscore.studies.printed.of_means import read_means, summarize_means
from outscore.studies.printed.of_runs import spec_of_runs, summarize_runs
from outscore.studies.shared.form import (
    are_typed,
    p_value,
    read_rows,
    split_typed,
    table,
    text,
)
from outscore.studies.shared.material import Material

_LARGEST = 1 - 1e-12
"""A p of 1 has no normal quantile."""


def grid(study: Printed, material: Material) -> list[Spec]:
    """One cell for each kind of numbers."""
    if not -1 < study.alike < 1:
        raise UsageError(f"--alike {study.alike:g}: expected a correlation between -1 and 1")
    if material.settings.alternative != "two-sided" and (study.p_values or study.counts):
        raise UsageError("--alternative turns no printed p-value and no interval of counts: leave it out")
    found: list[Spec] = []
    if study.runs:
        found.append(spec_of_runs(study))
    if study.means:
        found.append(read_means(Path(study.means), study.alike))
    if study.p_values:
        found.append({"kind": "p", **_read_p_values(study.p_values)})
    if study.counts:
        found.append(spec_of_counts(study.counts))
    if study.right:
        found.append(spec_of_two(study.right))
    if not found:
        raise UsageError("give what was printed: --runs, --means, --p-values or --counts (--right of two systems)")
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
    smallest, left = np.minimum(1.0, len(metrics) * p.min(axis=1)), holm(p.ravel())
    each = {name: column.tolist() for name, column in zip(metrics, p.T, strict=True)}
    if len(metrics) > 1:
        each["every metric"] = p.max(axis=1).tolist()
    findings = []
    for name, column in each.items():
        held = replicability(column, alpha=alpha)
        what = f"data sets on which the gain holds by {name}"
        which = join((names[k] for k in held.identified), 8) if held.identified else "none"
        at_least = replicability(column, alpha=alpha, combination="fisher").count
        findings += [
            _count(what, held.count),
            Finding(what=f"data sets that hold by {name}", value=which, kind="text"),
            _count(f"the same by {name}, at least, if the data sets share nothing (Fisher)", max(at_least, held.count)),
        ]
    findings += [
        _count(f"data sets with p ≤ {alpha:g} by {name}", sum(one <= alpha for one in column))
        for name, column in each.items()
    ]
    for name, column in zip(metrics, p.T, strict=True):
        if len(names) > 1:
            what = f"p that no data set has a gain by {name}, if they share nothing"
            findings += [
                Finding(what=f"{what} (Fisher)", value=fisher(column).p, kind="p"),
                Finding(what=f"{what} (Stouffer)", value=stouffer(np.minimum(column, _LARGEST)).p, kind="p"),
                Finding(
                    what=f"p that no data set has a gain by {name}, whatever they share (Bonferroni)",
                    value=min(1.0, len(names) * float(column.min())),
                    kind="p",
                ),
            ]
    if len(metrics) > 1:
        findings += [
            _count(f"data sets with p ≤ {alpha:g} by some metric", int((p <= alpha).any(axis=1).sum())),
            _count("the same by some metric, after Bonferroni over the metrics", int((smallest <= alpha).sum())),
            _count("left of all p-values after Holm over all of them", int((left <= alpha).sum())),
        ]
    rows = [
        (name, *values, best, "yes" if best <= alpha else "no")
        for name, values, best in zip(names, p.tolist(), left.reshape(p.shape).min(axis=1).tolist(), strict=True)
    ]
    fields = (
        text("set", "Data set"),
        *(p_value(f"p{k}", name) for k, name in enumerate(metrics)),
        p_value("smallest", "smallest, corrected"),
        text("holds", f"≤ {alpha:g}"),
    )
    about = (
        "Corrected: by Holm over all p-values here. So many data sets on which the gain holds, whichever they are, "
        f"there are with certainty {1 - alpha:g} (Dror et al. 2017); of two-sided p that is a gain on either side. "
        "< .001 is taken for .001."
    )
    return Summary(
        design=f"{inflect(p.size, 'printed p-value')} of {inflect(len(names), 'data set')}, corrected by Holm and "
        "two-sided as a rule: of gains that are all on the side that was asked about, give half of each, and it may "
        "count more.",
        findings=tuple(findings),
        tables=(table("p", "Printed p-values", fields, rows, about=about),),
        figures=(),
    )


def _count(what: str, value: int) -> Finding:
    return Finding(what=what, value=value, kind="count")


# --- what was typed -----------------------------------------------------------------------------------------------


def _read_p_values(typed: str) -> Spec:
    """A table of p-values: a header, then the name of a data set and its p-values on each line; or p-values alone."""
    path = Path(typed)
    rows = [[one] for one in split_typed(typed).split(",")] if are_typed(typed) else read_rows(path, bare=True)
    bare = len(rows[0]) == 1
    if bare:
        rows = [[str(k), *row] for k, row in enumerate([["p"], *rows[rows[0][0][:1].isalpha() :]])]
    metrics = [name.strip() for name in rows[0][1:]]
    lines = enumerate(rows[1:], 1 if bare else 2)
    values = [_p_of_line(row, len(metrics), f"{path}, {'value' if bare else 'line'} {k}") for k, row in lines]
    return {"metrics": metrics, "sets": [row[0].strip() for row in rows[1:]], "p": values}


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


_MAKERS = {
    "runs": summarize_runs,
    "means": summarize_means,
    "p": _p,
    "counts": summarize_counts,
    "matrix": summarize_matrix,
    "two": summarize_two,
}
