"""The work of the study of printed numbers: means and p-values; that of runs and of counts stands beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from outscore.base.errors import InputError, UsageError, inflect, join
from outscore.engine.beta import normal_ppf
from outscore.multiplicity.replicability import replicability
from outscore.results.study import Finding
from outscore.significance.discordant import p_by_disagreements
from outscore.significance.means import t_from
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
from outscore.studies.printed.of_runs import name_side, spec_of_runs, summarize_runs
from outscore.studies.shared.form import Row, columns, ends, number, p_value, read_rows, table, text
from outscore.studies.shared.material import Material

_POWER = 0.8

_ROLES = {
    "system": ("system", "model", "name"),
    "n": ("n", "items", "n_items", "count", "total"),
    "sd": ("sd", "std", "stdev"),
    "se": ("se", "stderr", "sem", "standard_error"),
}
"""Names of columns; whichever is left is the score."""

_LEAST_SD = 0.1
"""Of the standard deviation of right or wrong items: a smaller one is hardly that of items."""
_NO_MEAN = re.compile(r"f.?1|f.?(score|measure)|kappa|mcc|bleu(?!rt)|chrf|auc|auroc|precision|recall")
"""Scores whose error is not that of a mean over items."""


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
        found.append(_read_means(Path(study.means), study.alike))
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


# --- means --------------------------------------------------------------------------------------------------------


def _read_means(file: Path, alike: float) -> Spec:
    """The cell of a table with a line for each system, the baseline first.

    Raises:
        InputError: it cannot be read, or lacks what an error needs.
    """
    header, *lines = read_rows(file)
    names = [name.strip().lower() for name in header]
    places = {role: next((names.index(one) for one in known if one in names), None) for role, known in _ROLES.items()}
    scores = [k for k in range(len(names)) if k not in places.values()]
    if places["system"] is None or len(scores) != 1 or len(lines) < 2:
        raise InputError(
            f"{file}: expected a column system, one with the score, and se, or sd and n, or correct and total; and "
            "a line for each of two systems or more"
        )
    places["score"], called = scores[0], names[scores[0]] + "/total" * ("total" in names)
    systems = []
    for line, row in enumerate(lines, 2):
        if len(row) != len(names):
            raise InputError(f"{file}:{line}: found {len(row)} cells, expected {len(names)} (write 1,319 as 1319)")
        cells = {role: row[k].strip() for role, k in places.items() if k is not None}
        systems.append(_parse_system(cells, f"{file}:{line}", called))
    return {"kind": "means", "systems": systems, "alike": alike}


def _parse_numbers(cells: Mapping[str, str], where: str) -> dict[str, float]:
    found = {}
    for role, typed in cells.items():
        if role == "system" or not typed:
            continue
        try:
            found[role] = float(f"{typed[:-1].strip()}e-2" if typed.endswith("%") else typed)
        except ValueError:
            found[role] = math.nan
        if not math.isfinite(found[role]) or (role != "score" and found[role] < 0):
            two = "; write mean,se or mean,sd in columns of their own" if re.search(r"±|\+/?-|\(", typed) else ""
            raise InputError(f"{where}: {role} {typed!r} is no number that it can be{two}")
    return found


def _parse_system(cells: Mapping[str, str], where: str, called: str) -> tuple[str, float, float, float | None, float]:
    """Name, score, standard error, degrees of freedom or None for the normal law; of a bound, half a last place."""
    found = _parse_numbers(cells, where)
    score, n, name = found.get("score"), found.get("n"), cells["system"]
    if score is None:
        raise InputError(f"{where}: no score of {name!r}")
    if n is not None and not (n.is_integer() and n > 1):
        raise InputError(f"{where}: {n:g} items of {name!r}; an error takes two or more")
    df = None if n is None else n - 1
    if called == "correct/total" and n is not None and score.is_integer() and 0 <= score <= n:
        return name, score / n, math.sqrt(score * (n - score) / (n - 1)) / n, df, 0.0
    if "se" in found:
        return name, score, found["se"], df, 0.0
    if "sd" in found and n is not None:
        widest = math.sqrt(max(0.0, score * ((1 if score <= 1 else 100) - score)))
        if found["sd"] < _LEAST_SD * widest:
            raise InputError(
                f"{where}: sd {found['sd']:g} of {name!r} is less than items vary (right or wrong ones: {widest:.3g}); "
                "between runs it is for --runs; if it is of items, write it divided by √n as se"
            )
        return name, score, found["sd"] / math.sqrt(n), df, 0.0
    if n is not None and 0 <= score <= 1:
        if _NO_MEAN.search(called):
            raise InputError(
                f"{where}: {called} is no mean over items, and n alone gives it no error; add se, give --counts, or "
                "call the column mean where it is one"
            )
        # the variance of what lies between 0 and 1 is largest where all is 0 or 1 (Bhatia and Davis 2000)
        places = Decimal(cells["score"].replace(" ", "").replace("%", "e-2")).as_tuple().exponent
        return name, score, math.sqrt(score * (1 - score) / (n - 1)), df, 10.0 ** int(places) / 2
    lacks = "n, of scores beyond 0 to 1," if n is not None else "sd without n" if "sd" in found else "a score alone"
    raise InputError(
        f"{where}: {lacks} has no error, and nothing tells a gain of {name!r} from luck; add se, or sd and n (n "
        "alone bounds the error of a mean of scores from 0 to 1: write 83.1 as 83.1% or 0.831)"
    )


def _means(spec: Spec, settings: Settings) -> Summary:
    """Differences with the first system: at correlation 0, at the one that is taken, and whatever it is."""
    first, *others = spec["systems"]
    bounded = any(one[4] for one in spec["systems"])
    rows: list[Row] = []
    findings: list[Finding] = []
    for one in others:
        row, found = _compare(first, one, spec["alike"], len(others), settings)
        rows.append(row)
        findings += found
    together = f"; p and intervals by Bonferroni over {len(others)}" if len(others) > 1 else ""
    one_sided = name_side(settings)
    about = (
        f"Gain and p: as if on different items. At {spec['alike']:g}: if the systems correlate so over the "
        "items, which is not printed; anyhow: whatever the correlation is. Needed: that from which "
        f"{f'p is at most alpha{one_sided}' if one_sided else 'the interval leaves out 0'}. Finds: the gain found with "
        f"{_POWER:.0%} power, on different items{one_sided}.{' Intervals are two-sided.' * bool(one_sided)}"
    )
    fields = (
        text("system", "System"),
        *ends(number("gain", "Gain")),
        p_value("p", f"p{one_sided}"),
        *ends(number("alike", f"at {spec['alike']:g}"), "alike_"),
        *ends(number("anyhow", "anyhow"), "anyhow_"),
        *columns("number", needed="needed", finds="finds"),
    )
    errors = (
        "bounds on their errors, as items score from 0 to 1 (not so F1, kappa, BLEU)" if bounded else "their errors"
    )
    return Summary(
        design=f"Of printed means and {errors}{together}. A paired test, clusters, rank tests and other metrics need "
        "the scores of items.",
        findings=tuple(findings),
        tables=(table("means", f"Gains over {first[0]}", fields, rows, about=about),),
        figures=(),
    )


def _compare(
    base: Sequence[Any], one: Sequence[Any], alike: float, family: int, settings: Settings
) -> tuple[Row, list[Finding]]:
    (_, a, s, df_a, half_a), (name, b, t, df_b, half_b) = base, one
    gain, scale, dfs = b - a, max(abs(a), abs(b)), [math.inf if df is None else df for df in (df_a, df_b)]
    level, least, welch = 1 - settings.alpha / family, min(dfs), _welch_df((s, t), dfs)

    def at(correlation: float, df: float) -> tuple[float, float, float]:
        error = math.sqrt(max(s * s + t * t - 2 * correlation * s * t, 0.0))
        found = t_from(gain, error, df, alternative=settings.alternative, level=level, scale=scale)
        return min(1.0, family * found.p), found.low, found.high

    p, low, high = at(0.0, welch)
    _, *likely = at(alike, least)
    _, *anyhow = at(-1.0, least)
    sides, sign = (2, 1) if settings.alternative == "two-sided" else (1, -1 if settings.alternative == "less" else 1)
    unit = t_from(0.0, 1.0, least, level=1 - 2 / sides * (1 - level)).high
    rest = s * s + t * t - (gain / unit) ** 2
    needed = rest / (2 * s * t) if s and t else math.copysign(math.inf, rest)  # a share of 0 or 1 correlates with none
    if sides == 1 and sign * gain <= 0:
        needed = math.inf  # a gain on the other side is shown by nothing
    finds = (unit + normal_ppf(_POWER)) * math.hypot(s, t)
    row = (name, gain, low, high, p, gain, *likely, gain, *anyhow, needed if -1 <= needed <= 1 else None, finds)
    said, paired = {}, dict[int, float]()
    shown = f"gain of {name} is shown{name_side(settings)}"
    if needed >= 1:
        said[shown] = "at no correlation of the systems"
    elif needed < -1:
        said[shown] = "whatever the correlation of the systems"
    else:
        said[shown] = f"if systems correlate over items by {needed:.2f} or more"
    if half_a and half_b and df_a == df_b:
        n = round(least + 1)
        most, paired = p_by_disagreements(a, b, min(half_a, half_b), n, settings, family)
        on = " to ".join(dict.fromkeys(f"{d:,}" for d in most if d is not None))
        rounded = (", or at no number" * (most[0] is None) + " (rounded)") * (most[0] != most[1])
        on = f"if they disagree on at most {on} of {n:,} items{rounded}" if on else "at no number of disagreements"
        said["the same, right or wrong"] = on
    times = f", times {family}" if family > 1 else ""
    return row, [
        Finding(what=f"gain of {name}, unpaired", value=gain, ci=(low, high)),
        Finding(what=f"p of {name}, unpaired{times}{name_side(settings)}", value=p, kind="p"),
        *(Finding(what=what, value=value, kind="text") for what, value in said.items()),
        *(Finding(what=f"p of {name}, {d:,} differ{times}", value=p, kind="p") for d, p in paired.items()),
    ]


def _welch_df(errors: Sequence[float], dfs: Sequence[float]) -> float:
    """Of Welch and Satterthwaite."""
    below = sum(error**4 / df for error, df in zip(errors, dfs, strict=True))
    return sum(error**2 for error in errors) ** 2 / below if below else math.inf


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
        findings += [_count(what, held.count), Finding(what=f"data sets that hold by {name}", value=which, kind="text")]
    findings += [
        _count(f"data sets with p ≤ {alpha:g} by {name}", sum(one <= alpha for one in column))
        for name, column in each.items()
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
        "two-sided as a rule; outscore replicate takes one-sided ones, half of these where the gain is on that side, "
        "and so may count more.",
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
    listed = "," in typed and not path.exists()
    rows = [[one] for one in typed.split(",")] if listed else read_rows(path, bare=True)
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
    "means": _means,
    "p": _p,
    "counts": summarize_counts,
    "matrix": summarize_matrix,
    "two": summarize_two,
}
