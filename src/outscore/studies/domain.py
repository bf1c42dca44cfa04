"""Gain against confidence on equally large parts of several domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import UsageError, inflect, join
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.multiplicity.adjust import adjust
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.studies import Found, Spec, Summary, option, study
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import StudyPair
from outscore.studies.shared.readings import ALL, PLAIN, OfGains, add_plain_rows, make_plain_tables, threshold_tables
from outscore.studies.shared.subsets import FEWEST, KEYS, ROOTED, Subset, pairs_on, subset_of
from outscore.studies.shared.thresholds import SURE, jackknife_error

_ROWS = ("thresholds", "window", "differences", "by", *PLAIN)


@study("domain")
@dataclass(frozen=True)
class Domain(OfGains):
    """Is a test sure of the same gains in every domain? Every two systems, on as many items of each domain.

    Thresholds are read as by the study gain, on equally large parts, with clusters kept whole. Each is compared with
    the geometric mean of all domains, after bringing them to one size by the law of the root; the interval holds for
    other systems and other items of these domains, and p is corrected over the domains (Holm).

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §4.1, Figure 11.
    """

    seen = 1.6
    question = "Is a test sure of the same gains in every domain?"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = "outscore study domain -r ref.txt 'system*.txt' --items items.csv -m bleu --plot domain.svg"

    by: str = option("domain", "Column of the domains.")
    size: int | None = option(None, "Items of each domain.", shown="those of the smallest")
    pick: Literal["first", "random"] = option("first", "The first items, or random ones.")

    def grid(self, material: Material) -> list[Spec]:
        """One cell for each metric and domain."""
        self.check(material)
        domains = self._sizes(material)
        size = min(domains.values()) if self.size is None else self.size
        enough = [name for name, n in domains.items() if n >= size]
        if size < FEWEST or len(enough) < 2:
            have = ", ".join(f"{name} {n}" for name, n in domains.items())
            raise UsageError(
                f"--size {size}: at least {FEWEST} items (or clusters) of two domains or more are needed; there are "
                f"{have}"
            )
        specs: list[Spec] = [
            {"metric": stats.name, "domain": name, "size": size} for stats in material.by_metric for name in enough
        ]
        for spec in specs:
            units = material.by_metric[0].design.restrict(self._items(material, spec)).n_units
            if units < FEWEST:
                raise UsageError(
                    f"{self.by} {spec['domain']!r}: {spec['size']} items are {inflect(units, 'cluster')}, too few; "
                    f"a test needs {FEWEST}: choose a larger --size, which leaves small domains out, or --cluster none"
                )
        return specs

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """All pairs under one metric on a part of one domain, and what its items leave open."""
        return pairs_on(self._items(material, spec), material, spec["metric"], self, seed)

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """Thresholds by domain, how they differ, curves and all pairs."""
        apart = material.with_runs_apart
        how = f"{self.describe(apart)}, {self.pick} {cells[0][0]['size']} items of each domain"
        rows: dict[str, list[tuple[Value, ...]]] = {name: [] for name in _ROWS}
        figures: list[Figure] = []
        findings: list[Finding] = []
        notes: list[Note] = []
        for stats, unit in zip(material.by_metric, material.units, strict=True):
            metric = stats.name
            parts = [
                Subset(
                    spec["domain"],
                    found["items"],
                    self.readings([StudyPair.of(pair) for pair in found["pairs"]], apart),
                    found["errors"],
                )
                for spec, found in cells
                if spec["metric"] == metric
            ]
            whole = [part.readings[0] for part in parts]
            for part in parts:
                rows["thresholds"] += [(metric, part.label, *row) for row in part.row_by_curve()]
                rows["window"] += [(metric, part.label, *row) for row in part.row_by_window()]
                add_plain_rows(rows, (metric, part.label), part.readings[0], self, self.end(whole))
            rows["by"] += [
                (metric, part.label, c.threshold, c.low, c.high) for part in parts if (c := part.readings[0].curve)
            ]
            different = differences(parts, material.settings.alpha)
            rows["differences"] += [(metric, *one) for one in different]
            title = _title(metric, parts)
            findings += _findings(metric, parts)
            figures += [
                self.figure(metric, metric, title, unit, how, whole, "part", [part.label for part in parts]),
                _by_domain(metric, unit, title, how),
            ]
            notes += self.notes(whole)
        left = [name for name in self._sizes(material) if all(spec["domain"] != name for spec, _ in cells)]
        if left:
            notes.append(Note(code="small_domains", text=f"too small for this --size, and left out, are {join(left)}"))
        keys = (Field(name="metric", title="Metric", kind="text"), Field(name="part", title="Domain", kind="text"))
        return Summary(
            design=f"{how}.",
            tables=(
                *threshold_tables((*keys, *KEYS), rows, (ROOTED,)),
                _differences_table(keys, rows["differences"]),
                _by_table(keys, rows["by"]),
                *make_plain_tables(keys, rows),
            ),
            figures=tuple(figures),
            findings=tuple(findings),
            notes=tuple(notes),
        )

    def _sizes(self, material: Material) -> dict[str, int]:
        """Items of each domain, in the order of the items."""
        names = material.column(self.by, "--by")
        return {name: names.count(name) for name in dict.fromkeys(names)}

    def _items(self, material: Material, spec: Spec) -> Int:
        names = np.asarray(material.column(self.by, "--by"), dtype=object)
        generator = None if self.pick == "first" else stream(material.settings.seed, f"part of {spec['domain']}")
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


def _by_domain(metric: str, unit: str, title: str, how: str) -> Figure:
    return Figure(
        name=f"{metric}-thresholds",
        title=title,
        where=("metric", metric),
        subtitle=f"{how}\nGain at which p = {SURE:g}, by the curve, with its interval over systems",
        x=Axis(title="", scale="names"),
        y=Axis(title=f"Gain ({unit})"),
        layers=(
            Layer(mark="interval", table="by", x="part", low="low", high="high"),
            Layer(mark="point", table="by", x="part", y="threshold"),
        ),
    )


def _by_table(keys: tuple[Field, ...], rows: Sequence[tuple[Value, ...]]) -> DataTable:
    fields = (
        *keys,
        Field(name="threshold", title="Gain at which p = .05"),
        Field(name="low", title="low"),
        Field(name="high", title="high"),
    )
    return DataTable(name="by", title="By domain", fields=fields, rows=tuple(rows), printed=False)


def _differences_table(keys: tuple[Field, ...], rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return DataTable(
        name="differences",
        title="Each domain beside the mean of all",
        fields=(
            *keys,
            Field(name="ratio", title="Threshold over the mean", low="ratio_low", high="ratio_high"),
            Field(name="ratio_low", title="low"),
            Field(name="ratio_high", title="high"),
            Field(name="p", title="p", kind="p"),
            Field(name="holm", title="p (Holm)", kind="p"),
        ),
        rows=tuple(rows),
        about="By the curves of all pairs, at one size by the law of the root. Intervals and p: over systems and "
        "items.",
    )
