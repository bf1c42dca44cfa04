"""p over cut-offs of a number known of each item, such as its length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, inflect
from outscore.results.plain import finite_or_none
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
from outscore.significance.confidence import plain_interval
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.choices import Covariates
from outscore.studies.choices.forking_paths import Match, analyse, make_matches, name_items, refuse_ranked
from outscore.studies.choices.rates import PAIR, Rate, choice_findings, count_findings, level_table, notes_on_runs
from outscore.studies.shared.form import METRIC, columns, count, ends, number, share, table, text
from outscore.studies.shared.material import Material

LENGTH = "length"
_PANELS = 12
_PRINTED = 40
_WIDE = 20.0  # largest over smallest cut-off from which on the axis is logarithmic


def grid(study: Covariates, material: Material) -> list[Spec]:
    """One cell for each metric and pair of systems."""
    if study.versions < 2 or study.cutoffs < 2 or study.least < 1:
        raise UsageError("--versions and --cutoffs are 2 or more, --least is 1 or more")
    pairs = make_matches(material, study.pairs, study.by)
    refuse_ranked(material)
    for pair in pairs:
        part, _, _ = pair.select(material, study.by)
        if len(_make_analyses(study, _values(study, part))) < 2:
            raise UsageError(
                f"--least {study.least} leaves no cut-off but all of {part.n_items} items: give a smaller one"
            )
    return [{"metric": stats.name, **vars(pair)} for stats in material.by_metric for pair in pairs]


def cell(study: Covariates, material: Material, spec: Spec, seed: int) -> Found:
    """One pair under one metric at all cut-offs."""
    settings = replace(material.settings, seed=seed)
    alpha = settings.alpha
    part, system, baseline = Match.of(spec).select(material, study.by)
    stats = part.stats(spec["metric"])
    where = _make_analyses(study, _values(study, part))
    analyses = analyse([(stats, items) for _, _, items in where], system, baseline, settings, study.versions)
    rows = []
    for place, (side, cutoff, items) in enumerate(where):
        held = Resamples(part.systems, [stats.restrict(np.flatnonzero(items))], baseline, settings)
        ends = plain_interval(GainContrast(held, 0, system)) or (math.nan, math.nan)
        rows.append(
            {
                "side": side,
                "cutoff": cutoff,
                "n": int(items.sum()),
                "gain": GainContrast(held, 0, system).gain,
                "low": finite_or_none(ends[0]),
                "high": finite_or_none(ends[1]),
                "p": float(analyses.p[place]),
                "holm": float(analyses.holm[place]),
                "joint": float(analyses.joint[place]),
            }
        )
    return {
        "analyses": rows,
        "whole": next(number for number, (_, _, items) in enumerate(where) if items.all()),
        "alone": Rate.mean(analyses.rates_of_each(alpha)).value,
        **analyses.free_choice(alpha),
        "varies": bool((analyses.draws != 0).any(axis=1).all()),
    }


def summary(study: Covariates, material: Material, cells: Cells) -> Summary:
    """p at all cut-offs, what is left after correction, and false positives of a free choice."""
    alpha = material.settings.alpha
    found = [(spec["metric"], Match.of(spec).name, cell) for spec, cell in cells]
    pairs = [(metric, pair, *_find_best(c, alpha)) for metric, pair, c in found]
    every = [
        (metric, pair, *(analysis[field.name] for field in _ANALYSIS))
        for metric, pair, c in found
        for analysis in c["analyses"]
    ]
    return Summary(
        design=_design(study, material),
        findings=tuple(_findings(found, alpha)),
        tables=(
            _pairs(pairs),
            table(
                "cutoffs",
                f"Every cut-off ({study.covariate or 'length in words'})",
                (METRIC, PAIR, *_ANALYSIS),
                every,
                about="Holm, joint: p corrected over all cut-offs of its pair and metric. Intervals are of each "
                "cut-off by itself.",
                printed=len(every) <= _PRINTED,
            ),
            level_table([(metric, pair) for metric, pair, _ in found], alpha, more=(0.0,)),
        ),
        figures=tuple(
            figure
            for number, stats in enumerate(material.by_metric)
            for figure in _figures(study, material, stats.name, material.units[number], found)
        ),
        notes=tuple(notes_on_runs(material)),
    )


def _values(study: Covariates, material: Material) -> Float:
    if not study.covariate:
        if not material.lengths:
            raise UsageError("the items have no reference to tell their lengths from: name a column with --covariate")
        values = np.array(material.lengths)
    else:
        values = _numbers(study.covariate, material.column(study.covariate, "--covariate"))
    if (values == values[0]).all():
        raise UsageError(f"{study.covariate or LENGTH} is {values[0]:g} for all items: there is nothing to cut")
    return values


def _make_analyses(study: Covariates, values: Float) -> list[tuple[str, float, Bool]]:
    """Side, cut-off and items of each analysis; all items are among them, once."""
    if study.at:
        chosen = np.unique(_numbers("--at", study.at.split(",")))
    else:
        # quantiles that are values of items
        shares = np.arange(study.cutoffs + 1) / study.cutoffs
        chosen = np.unique(np.quantile(values, shares, method="inverted_cdf"))
    sides: list[tuple[str, float, Bool]] = []
    if study.side != "from":
        ups = chosen[chosen < values.max()].tolist()
        sides += [("up to", cutoff, values <= cutoff) for cutoff in [*ups, float(values.max())]]
    if study.side != "up-to":
        downs = chosen[chosen > values.min()].tolist()
        whole = [float(values.min())] if study.side == "from" else []
        sides += [("from", cutoff, values >= cutoff) for cutoff in [*whole, *downs]]
    # cut-offs between which no item lies are one
    once: dict[bytes, tuple[str, float, Bool]] = {}
    for analysis in sides:
        once.setdefault(analysis[2].tobytes(), analysis)
    return [analysis for analysis in once.values() if analysis[2].sum() >= min(study.least, len(values))]


def _design(study: Covariates, material: Material) -> str:
    return (
        f"Cut-offs by {study.covariate or 'length in words'} at {name_items(material, study.by)}, randomization test "
        f"({material.settings.alternative}), {material.settings.n_resamples} permutations; {study.versions} null "
        "versions of each pair."
    )


def _figures(
    study: Covariates, material: Material, metric: str, unit: str, found: Sequence[tuple[str, str, Any]]
) -> list[Figure]:
    mine = [c for name, _, c in found if name == metric]
    alpha = material.settings.alpha
    some, left = (sum(min(analysis[p] for analysis in c["analyses"]) <= alpha for c in mine) for p in ("p", "joint"))
    whole = sum(c["analyses"][c["whole"]]["p"] <= alpha for c in mine)
    cuts = [analysis["cutoff"] for c in mine for analysis in c["analyses"]]
    scale: Literal["linear", "log"] = "log" if min(cuts) > 0 and max(cuts) / min(cuts) >= _WIDE else "linear"
    # room for the points at both ends
    low, high = min(cuts), max(cuts)
    ends = (low / 1.05, high * 1.05) if scale == "log" else (low - (high - low) / 40, high + (high - low) / 40)
    x = Axis(title=f"Cut-off of {study.covariate or 'length (words)'}", scale=scale, domain=ends)
    colour = "side" if study.side == "both" else ""
    p = Figure(
        name=metric,
        title=f"Significant on all items: {whole} of {inflect(len(mine), 'pair')}, at some cut-off: {some}, "
        f"corrected: {left}",
        subtitle=f"{metric}. {_design(study, material)}\nBroken curve: p corrected over all cut-offs; "
        f"broken line: p = {alpha:g}",
        where=("metric", metric),
        facet="pair" if len(mine) > 1 else "",
        x=x,
        y=Axis(title="p", scale="sqrt", domain=(0.0, 1.02)),
        layers=(
            Layer(mark="y-rule", table="alpha", y="alpha"),
            Layer(mark="line", table="cutoffs", x="cutoff", y="joint", colour=colour, dashed=True),
            Layer(mark="line", table="cutoffs", x="cutoff", y="p", colour=colour),
            Layer(mark="point", table="cutoffs", x="cutoff", y="p", colour=colour),
        ),
    )
    gains = Figure(
        name=f"{metric} gains",
        title=f"Gains change with the cut-off: {_span(mine)} ({unit})",
        subtitle=f"{metric}. {_design(study, material)}\nIntervals of each cut-off by itself",
        where=("metric", metric),
        facet="pair" if len(mine) > 1 else "",
        x=x,
        y=Axis(title=f"Gain ({unit})"),
        layers=(
            Layer(mark="y-rule", table="alpha", y="zero"),
            Layer(mark="band", table="cutoffs", x="cutoff", low="low", high="high", colour=colour),
            Layer(mark="line", table="cutoffs", x="cutoff", y="gain", colour=colour),
        ),
    )
    return [p, gains] if len(mine) <= _PANELS else []


def _numbers(name: str, texts: Sequence[str]) -> Float:
    values = np.empty(len(texts))
    for place, said in enumerate(texts):
        try:
            values[place] = float(said)
        except ValueError:
            values[place] = math.nan
        if not math.isfinite(values[place]):
            raise UsageError(f"{name}: expected numbers, got {said!r} (entry {place + 1})")
    return values


def _span(cells: Sequence[Any]) -> str:
    gains = [analysis["gain"] for c in cells for analysis in c["analyses"]]
    return f"{min(gains):.2g} to {max(gains):.2g}"


def _find_best(cell: Any, alpha: float) -> tuple[Value, ...]:
    analyses = cell["analyses"]
    best = min(analyses, key=lambda analysis: analysis["p"])
    free = Rate(*cell["free"])
    return (
        analyses[cell["whole"]]["p"],
        best["p"],
        f"{best['side']} {best['cutoff']:g}",
        min(analysis["holm"] for analysis in analyses),
        min(analysis["joint"] for analysis in analyses),
        free.value,
        *free.ends(alpha),
    )


def _findings(found: Sequence[tuple[str, str, Any]], alpha: float) -> list[Finding]:
    cells = [c for _, _, c in found]
    counts = [
        ("Pairs with p ≤ alpha on all items", [c["analyses"][c["whole"]]["p"] for c in cells]),
        ("Pairs with p ≤ alpha at some cut-off", [min(analysis["p"] for analysis in c["analyses"]) for c in cells]),
        ("Pairs left after Holm's correction", [min(analysis["holm"] for analysis in c["analyses"]) for c in cells]),
        ("Pairs left after joint correction", [min(analysis["joint"] for analysis in c["analyses"]) for c in cells]),
    ]
    return [*count_findings(counts, alpha), *choice_findings(cells, alpha, "some cut-off", _COARSE)]


_COARSE = "gains at the narrowest cut-offs take few values, so that a test cannot use up its level, or are not normal"

_ANALYSIS = (
    text("side", "Items"),
    number("cutoff", "cut-off"),
    count("n", "items"),
    *ends(number("gain", "Gain")),
    *columns("p", p="p", holm="Holm", joint="joint"),
)


def _pairs(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return table(
        "pairs",
        "The best cut-off of each pair",
        (
            METRIC,
            PAIR,
            *columns("p", whole="p, all items", smallest="smallest p"),
            text("where", "at"),
            *columns("p", holm="Holm", joint="joint"),
            *ends(share("free", "by luck")),
        ),
        rows,
        about="Holm, joint: the smallest p corrected over all cut-offs. By luck: null versions whose smallest p is at "
        "most alpha.",
    )
