"""The same pairs under several metrics: p of each, and what the choice of a metric does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from outscore.base.errors import UsageError, inflect
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
from outscore.significance.settings import Settings
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.choices import Metrics
from outscore.studies.choices.forking_paths import Match, analyse, make_matches, name_items, p_by_normal_law
from outscore.studies.choices.rates import (
    PAIR,
    Rate,
    choice_findings,
    count_findings,
    level_table,
    notes_on_runs,
    rate_finding,
)
from outscore.studies.shared.form import METRIC, columns, ends, hidden, number, p_value, points, share, table, text
from outscore.studies.shared.material import Material

_CURVE = 41
_COLOURS = 6


def grid(study: Metrics, material: Material) -> list[Spec]:
    """One cell for each pair of systems."""
    if study.versions < 2:
        raise UsageError("--versions: two null versions or more")
    pairs = make_matches(material, study.pairs, study.by)
    if len(material.by_metric) < 2:
        raise UsageError("one metric leaves no choice: give at least two (-m bleu -m chrf)")
    return [dict(vars(pair)) for pair in pairs]


def cell(study: Metrics, material: Material, spec: Spec, seed: int) -> Found:
    """One pair under all metrics."""
    settings = replace(material.settings, seed=seed)
    part, system, baseline = Match.of(spec).select(material, study.by)
    analyses = analyse([(stats, None) for stats in part.by_metric], system, baseline, settings, study.versions)
    alpha = settings.alpha
    two = [
        {
            "metrics": [material.by_metric[i].name, material.by_metric[j].name],
            "correlation": float(analyses.correlations[i, j]),
            "rate": analyses.rate(np.any(analyses.null_p[[i, j]] <= alpha, axis=0)).to_plain(),
        }
        for i, j in combinations(range(len(material.by_metric)), 2)
    ]
    return {
        "gains": analyses.gains.tolist(),
        "p": analyses.p.tolist(),
        "holm": analyses.holm.tolist(),
        "joint": analyses.joint.tolist(),
        "alone": [rate.to_plain() for rate in analyses.rates_of_each(alpha)],
        "correlations": analyses.correlations.tolist(),
        **analyses.free_choice(alpha),
        "varies": bool((analyses.draws != 0).any()),
        "two": two,
    }


def summary(study: Metrics, material: Material, cells: Cells) -> Summary:
    """p by metric, what is left after correction, and false positives of a free choice."""
    alpha, names = material.settings.alpha, [stats.name for stats in material.by_metric]
    found = [(Match.of(spec).name, cell) for spec, cell in cells]
    wide = [(pair, *c["p"], min(c["p"]), min(c["holm"]), min(c["joint"])) for pair, c in found]
    each = [
        (pair, name, c["gains"][m], c["p"][m], c["holm"][m], c["joint"][m], c["alone"][m][0])
        for pair, c in found
        for m, name in enumerate(names)
    ]
    choice = [(pair, *_rates(c, alpha), c["normal"], c["after_holm"][0], c["after_joint"][0]) for pair, c in found]
    two: list[tuple[Value, ...]] = [
        (pair, " or ".join(t["metrics"]), t["correlation"], t["rate"][0], *Rate(*t["rate"]).ends(alpha))
        for pair, c in found
        for t in c["two"]
        if c["varies"]
    ]
    mean = np.mean([c["correlations"] for _, c in found], axis=0)
    law = _law(two, material.settings)
    return Summary(
        design=_design(study, material, len(found)),
        findings=tuple(_findings(found, names, alpha)),
        tables=(
            _wide(names, wide),
            _correlations(names, mean),
            _choice(choice),
            hidden("gains", "Every pair under every metric", _EACH, each),
            hidden("points", "p under each metric, and corrected over all of them", _POINTS, _points(found, names)),
            hidden("two", "A choice between two metrics", _TWO, two),
            hidden("law", "A choice between two metrics by the normal law", _LAW, law),
            level_table([()], alpha, fields=()),
        ),
        figures=tuple(_figures(study, material, found, two)),
        notes=tuple(notes_on_runs(material)),
    )


def _design(study: Metrics, material: Material, pairs: int) -> str:
    return (
        f"{inflect(pairs, 'pair')} on {name_items(material, study.by)} under {len(material.by_metric)} metrics, "
        f"randomization test ({material.settings.alternative}), {material.settings.n_resamples} permutations; "
        f"{study.versions} null versions of each pair."
    )


def _figures(
    study: Metrics, material: Material, found: list[tuple[str, Any]], two: list[tuple[Value, ...]]
) -> list[Figure]:
    alpha = material.settings.alpha
    by_one = max(sum(c["p"][m] <= alpha for _, c in found) for m in range(len(material.by_metric)))
    by_any = sum(min(c["p"]) <= alpha for _, c in found)
    left = sum(min(c["joint"]) <= alpha for _, c in found)
    largest = max(max(c["p"]) for _, c in found)
    p = Figure(
        name="p",
        title=f"Under one metric at most {by_one} of {inflect(len(found), 'pair')} are significant, "
        f"under some metric {by_any}, corrected {left}",
        subtitle=f"{_design(study, material, len(found))}\nBroken line: p = {alpha:g}",
        x=Axis(title="p", scale="sqrt", domain=(0.0, min(1.02, max(2 * alpha, 1.1 * largest)))),
        y=Axis(title="", scale="names"),
        layers=(
            Layer(mark="x-rule", table="alpha", x="alpha"),
            Layer(mark="point", table="points", x="p", y="pair", colour="under"),
        ),
    )
    if not two:
        return [p]
    rates = [float(row[3]) for row in two]  # type: ignore[arg-type]
    span = f"{100 * min(rates):.1f} to {100 * max(rates):.1f} %" if len(rates) > 1 else f"{100 * rates[0]:.1f} %"
    # more than a handful of colours tell nothing apart
    colour = "metrics" if len({row[1] for row in two}) <= _COLOURS else ""
    choice = Figure(
        name="choice",
        title=f"With a choice between two metrics {span} of null versions are significant",
        subtitle=f"{_design(study, material, len(found))}\nPoints: every pair of systems and two metrics, with "
        "intervals; broken line: normal law",
        x=Axis(title="Correlation of the two metrics' gains under permutations"),
        y=Axis(title=f"Null versions with p ≤ {alpha:g} under either", percent=True),
        layers=(
            Layer(mark="line", table="law", x="correlation", y="rate", dashed=True),
            *points("two", "correlation", "rate", colour),
        ),
    )
    return [p, choice]


def _rates(cell: Any, alpha: float) -> tuple[float, float, float]:
    rate = Rate(*cell["free"])
    return (rate.value, *rate.ends(alpha))


def _points(found: list[tuple[str, Any]], names: list[str]) -> list[tuple[Value, ...]]:
    return [
        (pair, under, p)
        for pair, c in found
        for under, p in [*zip(names, c["p"], strict=True), ("smallest, corrected jointly", min(c["joint"]))]
    ]


def _law(two: list[tuple[Value, ...]], settings: Settings) -> list[tuple[Value, ...]]:
    """The normal law of a choice between two metrics, where their correlations lie."""
    seen = [float(row[2]) for row in two]  # type: ignore[arg-type]
    if not seen:
        return []
    between = np.linspace(max(-1.0, min(seen) - 0.05), min(1.0, max(seen) + 0.05), _CURVE)
    return [
        (rho, p_by_normal_law(np.array([[1.0, rho], [rho, 1.0]]), settings.alpha, settings.alternative))
        for rho in between.tolist()
    ]


def _findings(found: list[tuple[str, Any]], names: list[str], alpha: float) -> list[Finding]:
    smallest = [
        (f"Pairs with p ≤ {alpha:g} under {name}", [c["p"][m] for _, c in found]) for m, name in enumerate(names)
    ]
    smallest += [
        (f"Pairs with p ≤ {alpha:g} under some metric", [min(c["p"]) for _, c in found]),
        (f"Pairs with p ≤ {alpha:g} under every metric", [max(c["p"]) for _, c in found]),
        ("Pairs left after Holm's correction", [min(c["holm"]) for _, c in found]),
        ("Pairs left after joint correction", [min(c["joint"]) for _, c in found]),
    ]
    counts = count_findings(smallest, alpha)
    moving = [c for _, c in found if c["varies"]]
    if not moving:
        return counts
    alone = Rate.mean(_average(c["alone"]) for c in moving)
    return [
        *counts,
        rate_finding(f"Null versions with p ≤ {alpha:g}, one metric", alone, alpha, reason=_COARSE),
        *choice_findings(moving, alpha, "smallest p", _COARSE),
    ]


def _average(alone: Sequence[Sequence[float]]) -> Rate:
    """The mean over metrics of one pair, whose errors are not independent."""
    values, errors = np.mean(alone, axis=0).tolist()
    return Rate(values, errors)


_COARSE = "gains of these data take few values, so that a test cannot use up its level, or are far from normal"

_EACH = (
    PAIR,
    METRIC,
    number("gain", "Gain"),
    *columns("p", p="p", holm="Holm", joint="joint"),
    share("alone", "null versions with p ≤ alpha"),
)
_POINTS = (PAIR, text("under", "Metric"), p_value("p", "p"))
_TWO = (
    PAIR,
    text("metrics", "Metrics"),
    number("correlation", "Correlation"),
    *ends(share("rate", "null versions with p ≤ alpha")),
)
_LAW = (number("correlation", "Correlation"), share("rate", "p ≤ alpha"))


def _wide(names: list[str], rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return table(
        "p",
        "p of each pair under each metric",
        (
            PAIR,
            *(p_value(f"p:{name}", name) for name in names),
            *columns("p", smallest="smallest p", holm="Holm", joint="joint"),
        ),
        rows,
        about="Holm, joint: the smallest p corrected over the metrics of its pair.",
    )


def _correlations(names: list[str], mean: np.ndarray[Any, Any]) -> DataTable:
    return table(
        "correlations",
        "Correlation of gains under permutations, mean over pairs",
        (METRIC, *(number(f"with:{name}", name) for name in names)),
        [(name, *row) for name, row in zip(names, mean.tolist(), strict=True)],
    )


def _choice(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return table(
        "choice",
        "Null versions that are significant",
        (
            PAIR,
            *ends(share("free", "by the smallest p")),
            *columns("share", normal="normal law", holm="after Holm", joint="after joint"),
        ),
        rows,
        about="Normal law: what the correlations of the gains make of a free choice if gains are normal.",
    )
