"""p while a sample grows, what repeated interim analyses do, and how often a subset of the items is enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from outscore.base.errors import UsageError, inflect
from outscore.base.rng import stream
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
from outscore.significance.proportions import wilson
from outscore.significance.settings import Settings
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.choices import SampleSize
from outscore.studies.choices.forking_paths import (
    Match,
    analyse,
    equal_steps,
    make_matches,
    name_items,
    p_by_normal_law,
    refuse_ranked,
)
from outscore.studies.choices.growing import anytime, order_units, p_of_all, p_of_subset, steps_of
from outscore.studies.choices.rates import PAIR, Rate, level_table, notes_on_runs, rate_finding
from outscore.studies.shared.form import METRIC, columns, count, ends, hidden, number, points, share, table, text
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import contrast_of
from outscore.verbs.sequential.live import GIVEN_ORDER

_PANELS = 12
_PRINTED = 40
_ANSWERS = SMALLEST, JOINT, ANYTIME = "smallest p", "corrected jointly", "at any time"
"""Answers on a sample that grows: the smallest p so far, and two that hold at all steps together."""


def grid(study: SampleSize, material: Material) -> list[Spec]:
    """For each metric and pair one cell of growing samples, and one for each proportion of the items."""
    if study.steps < 2 or study.versions < 2 or study.subsamples < 1 or not study.lowest < study.highest:
        raise UsageError(
            "--steps and --versions are 2 or more, --subsamples 1 or more, and --lowest is below --highest"
        )
    pairs = make_matches(material, study.pairs, study.by)
    refuse_ranked(material)
    for pair in pairs:
        units = pair.select(material, study.by)[0].by_metric[0].design.n_units
        if units < 2 * study.steps:
            raise UsageError(f"{units} items (clusters) are too few for {study.steps} steps: use fewer --steps")
    return [
        {"metric": stats.name, **vars(pair), "share": share}
        for stats in material.by_metric
        for pair in pairs
        for share in (None, *_proportions(study))
    ]


def cell(study: SampleSize, material: Material, spec: Spec, seed: int) -> Found:
    """One pair under one metric, growing or in parts."""
    settings = replace(material.settings, seed=seed)
    alpha = settings.alpha
    part, system, baseline = Match.of(spec).select(material, study.by)
    stats = part.stats(spec["metric"])
    pair = contrast_of(stats.items[baseline], stats.items[system], stats, settings)
    if spec["share"] is not None:
        n = max(1, round(spec["share"] * pair.n_units))
        whole = n == pair.n_units
        return {"p": [p_of_all(pair)] if whole else [p_of_subset(pair, n, k) for k in range(study.subsamples)]}
    # one order for all pairs and metrics
    shuffled = stream(material.settings.seed, "order of items").permutation(pair.n_units)
    order = order_units(stats.design) if study.order == "given" else shuffled
    steps, masks = steps_of(stats.design, study.steps, order)
    found = analyse([(stats, mask) for mask in masks], system, baseline, settings, study.versions)
    # the last step is all items, which decide the same however they are resampled
    p = [*found.p[:-1].tolist(), p_of_all(pair)]
    always = anytime(pair, order, steps, (study.lowest, study.highest), study.versions)
    by_then = {SMALLEST: found.null_p, JOINT: found.null_joint, **({} if always is None else {ANYTIME: always.null_p})}
    return {
        "n": [int(mask.sum()) for mask in masks],
        "gain": found.gains.tolist(),
        "p": p,
        "joint": np.maximum(found.joint, p).tolist(),
        "anytime": None if always is None else always.p,
        "kind": None if always is None else always.kind,
        "rates": {
            name: [found.rate(row).to_plain() for row in np.logical_or.accumulate(p <= alpha)]
            for name, p in by_then.items()
        },
        "varies": bool((found.draws != 0).any(axis=1).all()),
    }


def summary(study: SampleSize, material: Material, cells: Cells) -> Summary:
    """Curves of p, false positives of looking again, and proportions of subsamples."""
    alpha = material.settings.alpha
    named = [(spec["metric"], Match.of(spec).name, spec["share"], c) for spec, c in cells]
    growing = [(metric, pair, c) for metric, pair, share, c in named if share is None]
    parts = [(metric, pair, share, c["p"]) for metric, pair, share, c in named if share is not None]
    steps = [
        (metric, pair, c["n"][k], c["gain"][k], c["p"][k], c["joint"][k], c["anytime"][k] if c["anytime"] else None)
        for metric, pair, c in growing
        for k in range(study.steps)
    ]
    peeking = _peeking([c for _, _, c in growing], study.steps, material.settings)
    return Summary(
        design=_design(study, material),
        findings=tuple(_findings(growing, material.settings)),
        tables=(
            _ratios(parts, _proportions(study), alpha),
            _steps(steps),
            peeking,
            _subsamples(parts, alpha),
            level_table([(metric, pair) for metric, pair, _ in growing], alpha),
        ),
        figures=tuple(_figures(study, material, growing, parts, peeking.rows)),
        notes=(*notes_on_runs(material), *((GIVEN_ORDER,) if study.order == "given" else ())),
    )


def _proportions(study: SampleSize) -> list[float]:
    try:
        shares = sorted({float(text) for text in study.fractions.split(",")})
    except ValueError:
        shares = []
    if not shares or not 0 < shares[0] <= shares[-1] <= 1:
        raise UsageError(f"--fractions {study.fractions!r}: expected proportions above 0 and up to 1, as 0.1,0.5,1")
    return shares


def _design(study: SampleSize, material: Material) -> str:
    return (
        f"{name_items(material, study.by)} in {study.steps} steps ({study.order} order), randomization test "
        f"({material.settings.alternative}), {material.settings.n_resamples} permutations; {study.versions} null "
        f"versions and {inflect(study.subsamples, 'subsample')} of each proportion."
    )


def _figures(
    study: SampleSize,
    material: Material,
    growing: Sequence[tuple[str, str, Any]],
    parts: Sequence[Any],
    looking: Sequence[Any],
) -> list[Figure]:
    alpha = material.settings.alpha
    made = []
    for stats in material.by_metric:
        mine = [c for metric, _, c in growing if metric == stats.name]
        if len(mine) > _PANELS:
            continue
        gone = sum(min(c["p"]) <= alpha < c["p"][-1] for c in mine)
        made.append(
            Figure(
                name=stats.name,
                title=f"Significant at some step and not on all items: {gone} of {inflect(len(mine), 'pair')}",
                subtitle=f"{stats.name}. {_design(study, material)}\nBroken curve: p corrected over all steps; "
                f"broken line: p = {alpha:g}",
                where=("metric", stats.name),
                facet="pair" if len(mine) > 1 else "",
                x=Axis(title="Items", domain=(0.0, 1.02 * max(n for c in mine for n in c["n"]))),
                y=Axis(title="p", scale="sqrt", domain=(0.0, 1.02)),
                layers=(
                    Layer(mark="y-rule", table="alpha", y="alpha"),
                    Layer(mark="line", table="steps", x="n", y="joint", dashed=True),
                    Layer(mark="line", table="steps", x="n", y="p"),
                    Layer(mark="point", table="steps", x="n", y="p"),
                ),
            )
        )
    if looking:
        luck = 100 * looking[study.steps - 1][2]
        made.append(
            Figure(
                name="peeking",
                title=f"Looking {study.steps} times finds something in {luck:.1f} % of null versions",
                subtitle=f"{_design(study, material)}\nMeans over all pairs and metrics; broken line: normal law "
                "(Armitage et al. 1969)",
                x=Axis(title="Interim analyses so far", domain=(0.5, study.steps + 0.5)),
                y=Axis(title=f"Null versions with p ≤ {alpha:g} by then", percent=True),
                layers=(
                    Layer(mark="line", table="peeking", x="analyses", y="law", dashed=True),
                    *points("peeking", "analyses", "rate", "by"),
                ),
            )
        )
    some = [sum(p <= alpha for p in ps) / len(ps) for _, _, share, ps in parts if share < 1]
    if some:
        made.append(
            Figure(
                name="subsamples",
                title=f"Parts of the items are significant in {100 * min(some):.0f} to {100 * max(some):.0f} % "
                "of draws",
                subtitle=f"{_design(study, material)}",
                facet="metric" if len(material.by_metric) > 1 else "",
                x=Axis(title="Proportion of the items", percent=True, domain=(0.0, 1.05)),
                y=Axis(title=f"Subsamples with p ≤ {alpha:g}", percent=True, domain=(0.0, 1.02)),
                layers=(
                    Layer(mark="line", table="subsamples", x="share", y="ratio", colour="pair"),
                    *points("subsamples", "share", "ratio", "pair"),
                ),
            )
        )
    return made


def _findings(growing: Sequence[tuple[str, str, Any]], settings: Settings) -> list[Finding]:
    alpha = settings.alpha
    cells = [c for _, _, c in growing]
    counts = [
        ("Pairs with p ≤ alpha on all items", sum(c["p"][-1] <= alpha for c in cells)),
        ("Pairs with p ≤ alpha at some step", sum(min(c["p"]) <= alpha for c in cells)),
        ("Pairs that lost it again with more items", sum(_is_lost(c["p"], alpha) for c in cells)),
        ("Pairs left after joint correction", sum(min(c["joint"]) <= alpha for c in cells)),
    ]
    if any(c["anytime"] for c in cells):
        found = sum(c["anytime"] is not None and c["anytime"][-1] <= alpha for c in cells)
        counts.append(("Pairs decided at any time (confidence sequence)", found))
    made = [Finding(what=what, value=value, kind="count") for what, value in counts]
    moving = [c for c in cells if c["varies"]]
    for name in (SMALLEST, JOINT, ANYTIME):
        some = [Rate(*c["rates"][name][-1]) for c in moving if name in c["rates"]]
        if not some:
            continue
        analyses = len(moving[0]["p"])
        law = p_by_normal_law(equal_steps(analyses), alpha, settings.alternative) if name == SMALLEST else alpha
        most = " (at most)" if name == ANYTIME else ""
        what = f"Null versions with p ≤ {alpha:g}, {analyses} analyses, {name}{most}"
        made.append(rate_finding(what, Rate.mean(some), law, at_most=bool(most), reason=_COARSE))
    return made


def _is_lost(p: Sequence[float], alpha: float) -> bool:
    """Whether some step is significant and a later one is not."""
    return any(here <= alpha < there for k, here in enumerate(p) for there in p[k + 1 :])


_COARSE = "gains of the smallest samples take few values, so that a test cannot use up its level, or are not normal"


def _ratios(parts: Sequence[Any], shares: Sequence[float], alpha: float) -> DataTable:
    """As Table 4 of Søgaard et al. 2014: a row for each pair and metric, a column for each proportion.

    Args:
        parts: metric, pair, share, and p of each subsample.
    """
    rows: dict[tuple[str, str], list[Value]] = {}
    for metric, pair, _, ps in parts:
        rows.setdefault((metric, pair), []).append(sum(p <= alpha for p in ps) / len(ps))
    return table(
        "ratios",
        f"Subsamples with p ≤ {alpha:g}",
        (METRIC, PAIR, *(share(f"share:{part:g}", f"{100 * part:g}% of items") for part in shares)),
        [(*key, *values) for key, values in rows.items()],
        about="All items are one test set, tested with so many permutations that the answer is 0 or 100%.",
    )


def _subsamples(parts: Sequence[Any], alpha: float) -> DataTable:
    """The same, a row for each proportion, with intervals (Wilson) where subsamples were drawn."""
    rows = [
        (metric, pair, part, len(ps), hits / len(ps), *(wilson(hits, len(ps), 1 - alpha) if part < 1 else (None,) * 2))
        for metric, pair, part, ps in parts
        for hits in [sum(p <= alpha for p in ps)]
    ]
    fields = (
        METRIC,
        PAIR,
        share("share", "Proportion of the items"),
        count("subsamples", "subsamples"),
        *ends(share("ratio", "with p ≤ alpha")),
    )
    return hidden("subsamples", "Subsamples of each proportion", fields, rows)


def _steps(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    """p at each step: metric, pair, items, gain, p, p corrected jointly, p at any time."""
    return table(
        "steps",
        "p while the sample grows",
        (
            METRIC,
            PAIR,
            count("n", "items"),
            number("gain", "Gain"),
            *columns("p", p="p", joint="joint", anytime="at any time"),
        ),
        rows,
        about="joint: p corrected over all steps of its pair and metric. At any time: p of a confidence sequence, the "
        "smallest so far, which may be looked at after every item; for means of items.",
        printed=len(rows) <= _PRINTED,
    )


def _peeking(cells: Sequence[Mapping[str, Any]], steps: int, settings: Settings) -> DataTable:
    """How often null versions were significant by each interim analysis, for each kind of answer.

    Args:
        cells: of one pair and metric each, with ``rates`` by interim analysis for every kind of answer; those in which
            nothing ``varies`` are left out.
    """
    alpha, rows = settings.alpha, []
    for name in _ANSWERS:
        some = [c["rates"][name] for c in cells if c["varies"] and name in c["rates"]]
        for k in range(steps if some else 0):
            rate = Rate.mean(Rate(*rates[k]) for rates in some)
            law = p_by_normal_law(equal_steps(k + 1), alpha, settings.alternative) if name == SMALLEST else None
            rows.append((k + 1, name, rate.value, *rate.ends(alpha), law))
    return table(
        "peeking",
        f"Null versions with p ≤ {alpha:g} at some interim analysis so far, mean over pairs and metrics",
        (
            count("analyses", "analyses"),
            text("by", "by"),
            *ends(share("rate", "significant")),
            share("law", "normal law"),
        ),
        rows,
        about="Normal law: of the smallest p of so many interim analyses at equal steps (Armitage et al. 1969).",
        printed=bool(rows),
    )
