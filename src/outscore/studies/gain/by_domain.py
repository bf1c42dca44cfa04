"""Gain against confidence on equally large parts of several domains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import UsageError, inflect, join
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.data.specs import natural
from outscore.multiplicity.adjust import adjust
from outscore.results.study import Axis, DataTable, Figure, Finding, Value
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.gain import GainStudy
from outscore.studies.gain.readings import (
    ALL,
    FEWEST,
    KEYS,
    ROOTED,
    GainSummary,
    Subset,
    add_parts,
    check,
    make_plain_tables,
    pairs_on,
    read_thresholds,
    subset_of,
    summarize,
    threshold_tables,
)
from outscore.studies.gain.thresholds import SURE, jackknife_error
from outscore.studies.shared.form import METRIC, columns, ends, hidden, number, points, table, text
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import StudyPair

_KEYS = (METRIC, text("part", "Domain"))


def grid(study: GainStudy, material: Material) -> list[Spec]:
    """One cell for each metric and domain."""
    check(study, material)
    domains = _sizes(study, material)
    if study.sizes and not study.sizes.strip().isdecimal():
        raise UsageError(f"--sizes {study.sizes!r}: domains have one size, a number of items")
    size = int(study.sizes) if study.sizes else min(domains.values())
    enough = [name for name, n in domains.items() if n >= size]
    if size < FEWEST or len(enough) < 2:
        have = ", ".join(f"{name} {n}" for name, n in domains.items())
        raise UsageError(
            f"--sizes {size}: at least {FEWEST} items (or clusters) of two domains or more are needed; there are {have}"
        )
    specs: list[Spec] = [
        {"metric": stats.name, "domain": name, "size": size} for stats in material.by_metric for name in enough
    ]
    for spec in specs:
        units = material.by_metric[0].design.restrict(_items(study, material, spec)).n_units
        if units < FEWEST:
            raise UsageError(
                f"{study.domains} {spec['domain']!r}: {spec['size']} items are {inflect(units, 'cluster')}, too few; "
                f"a test needs {FEWEST}: choose larger --sizes, which leave small domains out, or --cluster none"
            )
    return specs


def cell(study: GainStudy, material: Material, spec: Spec, seed: int) -> Found:
    """All pairs under one metric on a part of one domain, and what its items leave open."""
    return pairs_on(_items(study, material, spec), material, spec["metric"], study, seed)


def summary(study: GainStudy, material: Material, cells: Cells) -> Summary:
    """Thresholds by domain, how they differ, curves and all pairs."""
    return summarize(study, material, cells, f"{study.pick} {cells[0][0]['size']} items of each domain", _add, _tables)


def _add(drawn: GainSummary, cells: Cells) -> None:
    parts = [
        Subset(
            spec["domain"],
            found["items"],
            read_thresholds(drawn.study, drawn.material, [StudyPair.of(pair) for pair in found["pairs"]]),
            found["errors"],
        )
        for spec, found in cells
    ]
    add_parts(drawn, parts, labelled=True)
    whole, metric, title = [part.readings[0] for part in parts], drawn.metric, _title(drawn.metric, parts)
    drawn.rows["by"] += [
        (metric, part.label, c.threshold, c.low, c.high) for part in parts if (c := part.readings[0].curve)
    ]
    drawn.rows["differences"] += [(metric, *one) for one in differences(parts, drawn.material.settings.alpha)]
    drawn.findings += _findings(metric, parts)
    drawn.draw_curves(metric, title, whole, "part", [part.label for part in parts])
    drawn.figures.append(
        Figure(
            name=f"{metric}-thresholds",
            title=title,
            where=("metric", metric),
            subtitle=f"{drawn.how}\nGain at which p = {SURE:g}, by the curve, with its interval over systems",
            x=Axis(title="", scale="names"),
            y=Axis(title=f"Gain ({drawn.unit})"),
            layers=points("by", "part", "threshold"),
        )
    )
    drawn.add_notes(whole)
    left = [name for name in _sizes(drawn.study, drawn.material) if name not in {part.label for part in parts}]
    if left:
        text = f"too small for this --sizes, and left out, are {join(left)}"
        drawn.notes.append(Note(code="small_domains", text=text))


def _tables(drawn: GainSummary) -> Iterator[DataTable]:
    yield from threshold_tables((*_KEYS, *KEYS), drawn.rows, (ROOTED,))
    yield table(
        "differences",
        "Each domain beside the mean of all",
        (*_KEYS, *ends(number("ratio", "Threshold over the mean"), "ratio_"), *columns("p", p="p", holm="p (Holm)")),
        drawn.rows["differences"],
        about="By the curves of all pairs, at one size by the law of the root. Intervals and p: over systems and "
        "items.",
    )
    gain = number("threshold", "Gain at which p = .05")
    yield hidden("by", "By domain", (*_KEYS, gain, *columns("number", low="low", high="high")), drawn.rows["by"])
    yield from make_plain_tables(_KEYS, drawn.rows)


def _sizes(study: GainStudy, material: Material) -> dict[str, int]:
    """Items of each domain."""
    names = material.column(study.domains, "--domains")
    return {name: names.count(name) for name in sorted(set(names), key=natural)}


def _items(study: GainStudy, material: Material, spec: Spec) -> Int:
    names = np.asarray(material.column(study.domains, "--domains"), dtype=object)
    generator = None if study.pick == "first" else stream(material.settings.seed, f"part of {spec['domain']}")
    inside = np.flatnonzero(names == spec["domain"])
    return subset_of(inside, material.by_metric[0].design.labels, spec["size"], generator)


def differences(parts: Sequence[Subset], alpha: float) -> list[tuple[Value, ...]]:
    """Each domain's threshold, at one size, over the geometric mean of all domains: all pairs.

    The domains share the systems, so that each system is left out of all of them at once; items of different domains
    are independent.

    Returns:
        Of each domain its name, the ratio, its ends, p and Holm's p; None where they are unknown.
    """
    from scipy import special

    known = [(part, curve, part.errors.get(ALL)) for part in parts if (curve := part.readings[0].curve) is not None]
    if len(known) < 2:
        return []
    n = len(known)
    contrasts = np.eye(n) - 1 / n
    logs = np.array([np.log(curve.threshold * np.sqrt(part.items)) for part, curve, _ in known])
    ratios = contrasts @ logs
    common = [name for name in known[0][1].without if all(name in curve.without for _, curve, _ in known)]
    of_items = [error for _, _, error in known if error is not None]
    if len(common) < 4 or len(of_items) < n:
        return [
            (part.label, float(np.exp(r)), None, None, None, None)
            for (part, _, _), r in zip(known, ratios, strict=True)
        ]
    without = np.array([[curve.without[name] for name in common] for _, curve, _ in known])
    over_systems = np.array([jackknife_error(list(row)) for row in contrasts @ without])
    errors = np.sqrt(over_systems**2 + contrasts**2 @ np.square(of_items))
    wide = float(special.stdtrit(len(common) - 1, 1 - alpha / 2)) * errors
    p = 2 * special.stdtr(len(common) - 1, -np.abs(ratios) / errors)
    ends = np.exp(ratios), np.exp(ratios - wide), np.exp(ratios + wide)
    return [
        (part.label, *(float(column[i]) for column in (*ends, p, adjust(p, "holm"))))
        for i, (part, _, _) in enumerate(known)
    ]


def _scale_thresholds(parts: Sequence[Subset]) -> dict[str, float]:
    """Thresholds of all pairs by domain, each brought to the size of the first part."""
    at = {p.label: p.readings[0].curve.threshold * p.items**0.5 for p in parts if p.readings[0].curve is not None}
    return {name: value / parts[0].items ** 0.5 for name, value in at.items()}


def _title(metric: str, parts: Sequence[Subset]) -> str:
    at = _scale_thresholds(parts)
    if len(at) < 2:
        return f"Gain and confidence by domain ({metric})"
    low, high = min(at, key=at.__getitem__), max(at, key=at.__getitem__)
    return f"p = {SURE:g} at a gain of {at[low]:#.2g} in {low}, of {at[high]:#.2g} in {high}"


def _findings(metric: str, parts: Sequence[Subset]) -> list[Finding]:
    at = _scale_thresholds(parts)
    curves = [curve for part in parts if (curve := part.readings[0].curve) is not None]
    spread = [curve.last / curve.first for curve in curves]
    if len(at) < 2:
        return []
    return [
        Finding(what=f"largest threshold over the smallest ({metric})", value=max(at.values()) / min(at.values())),
        Finding(
            what=f"spread (gain enough for 95% of the pairs over that for 5%), largest over the smallest ({metric})",
            value=max(spread) / min(spread),
        ),
    ]
