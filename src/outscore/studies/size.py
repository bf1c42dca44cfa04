"""Gain against confidence on test sets of several sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import UsageError, inflect
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.studies import Found, Spec, Summary, option, study
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import DIFFERENT, SAME, StudyPair
from outscore.studies.shared.readings import ALL, PLAIN, OfGains, add_plain_rows, make_plain_tables, threshold_tables
from outscore.studies.shared.subsets import FEWEST, KEYS, ROOTED, SizeLaw, Subset, law, pairs_on, subset_of
from outscore.studies.shared.thresholds import SURE

_FIRST, _MOST = 100, 6  # the source's sizes: 100, 200, 400 ... and all; as many as there are colours
_NEAR = 0.7  # of the whole, a size that tells nothing beside it
_LAW = -0.5
_ROWS = ("thresholds", "window", "laws", "line", *PLAIN)
_ROOM = 1.2  # times the data that a logarithmic axis goes beyond them
_AGREES = 4  # standard errors within which the exponent agrees with the law


@study("size")
@dataclass(frozen=True)
class Size(OfGains):
    """How does the gain that a test is sure of fall with the size of the test set?

    Every two systems are tested on subsets of the test set: its first items, or random ones, with clusters kept whole.
    Thresholds are read as by the study gain, and a power of n is fitted to those of the curve: its exponent is -1/2
    where items are independent. The interval of the exponent holds for other systems and other items.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §4.1, Figures 9 and 10.
    """

    seen = 1.3
    question = "How does the gain that a test is sure of fall with the size of the test set?"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = "outscore study size -r ref.txt 'system*.txt' -m bleu --sizes 100,400,all --plot size.svg"

    sizes: str = option("", "Items, or proportions: 100,0.5,all.", "Separated by commas.", shown="100, 200, 400 ...")
    pick: Literal["first", "random"] = option("first", "The first items, or random ones.")
    draws: int = option(1, "Random subsets of each size.", "Their pairs are put together.")

    def grid(self, material: Material) -> list[Spec]:
        """One cell for each metric, size and draw."""
        self.check(material)
        if self.draws < 1 or (self.draws > 1 and self.pick == "first"):
            raise UsageError("--draws is 1 or more; there is one first part, so more than 1 go with --pick random")
        n, design = material.n_items, material.by_metric[0].design
        sizes = _default(n) if not self.sizes else sorted({_size(one, n) for one in self.sizes.split(",")})
        units = design.n_units if not sizes else design.restrict(self._items(material, sizes[0], 0)).n_units
        if len(sizes) < 2 or units < FEWEST:
            what = inflect(units, "item" if design.labels is None else "cluster")
            raise UsageError(
                f"--sizes: two sizes or more are needed, from at least {FEWEST} items or clusters up to {n} items; the "
                f"smallest of {len(sizes)} has {what}"
            )
        return [
            {"metric": stats.name, "size": size, "draw": draw}
            for stats in material.by_metric
            for size in sizes
            for draw in range(self.draws if size < n else 1)
        ]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """All pairs under one metric on one part, and what its items leave open."""
        return pairs_on(self._items(material, spec["size"], spec["draw"]), material, spec["metric"], self, seed)

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """Thresholds by size, the law, curves and all pairs."""
        apart = material.with_runs_apart
        how = f"{self.describe(apart)}, {self.pick} items"
        rows: dict[str, list[tuple[Value, ...]]] = {name: [] for name in _ROWS}
        figures: list[Figure] = []
        findings: list[Finding] = []
        notes: list[Note] = []
        for stats, unit in zip(material.by_metric, material.units, strict=True):
            metric = stats.name
            parts = self._find_subsets(metric, cells, apart)
            whole = [part.readings[0] for part in parts]
            laws = {}
            for part in parts:
                rows["thresholds"] += [(metric, *row) for row in part.row_by_curve()]
                rows["window"] += [(metric, *row) for row in part.row_by_window()]
                add_plain_rows(rows, (metric, part.label), part.readings[0], self, self.end(whole))
            for relation in [one.relation for one in parts[-1].readings]:
                found = law(parts, relation, material.settings.alpha, self.draws)
                if found is not None:
                    laws[relation] = found
                    rows["line"] += [(metric, relation, part.items, found.threshold_at(part.items)) for part in parts]
                    findings += _findings(metric, relation, found)
            drawn = [name for name in laws if name != ALL] or list(laws)
            rows["laws"] += [
                (metric, name, part.items, one.curve.threshold, one.curve.low, one.curve.high)
                for name in drawn
                for part in parts
                if (one := part.reading(name)) is not None and one.curve is not None
            ]
            rows["line"] = [row for row in rows["line"] if row[0] != metric or row[1] in drawn]
            figures.append(_draw_against_size(metric, unit, _title(laws), how, rows["laws"]))
            title = "Larger test sets are sure of smaller gains" if _falls(parts) else "Gain and confidence by size"
            order = [part.label for part in parts]
            figures.append(self.figure(f"{metric}-curves", metric, title, unit, how, whole, "part", order))
            notes += self.notes(whole)
        keys = (Field(name="metric", title="Metric", kind="text"), Field(name="part", title="Part", kind="text"))
        return Summary(
            design=f"{how}.",
            tables=(
                *threshold_tables((keys[0], *KEYS), rows, (ROOTED,)),
                *_figure_tables(rows),
                *make_plain_tables(keys, rows),
            ),
            figures=tuple(figures),
            findings=tuple(findings),
            notes=tuple(notes),
        )

    def _items(self, material: Material, size: int, draw: int) -> Int:
        generator = None if self.pick == "first" else stream(material.settings.seed, "parts", draw)
        return subset_of(np.arange(material.n_items), material.by_metric[0].design.labels, size, generator)

    def _find_subsets(self, metric: str, cells: Sequence[tuple[Spec, Found]], material: Material) -> list[Subset]:
        """The parts by size, those of several draws put together."""
        found: dict[int, list[Found]] = {}
        for spec, one in cells:
            if spec["metric"] == metric:
                found.setdefault(spec["size"], []).append(one)
        parts = []
        for draws in found.values():
            pairs = [StudyPair.of(pair) for one in draws for pair in one["pairs"]]
            items = round(float(np.mean([one["items"] for one in draws])))
            parts.append(Subset(inflect(items, "item"), items, self.readings(pairs, material), draws[0]["errors"]))
        return parts


def _default(n: int) -> list[int]:
    """100, 200, 400 ... and all, or halves where that is one size only; the largest six."""
    sizes = [_FIRST * 2**k for k in range(20) if _FIRST * 2**k < _NEAR * n]
    if len(sizes) < 2:
        sizes = [n // 8, n // 4, n // 2]
    return [size for size in [*sizes, n][-_MOST:] if size >= FEWEST]


def _size(text: str, n: int) -> int:
    """Items of a size as the user writes it."""
    said = text.strip()
    try:
        size = n if said == "all" else round(float(said) * n) if "." in said else int(said)
    except ValueError:
        size = 0
    if not FEWEST <= size <= n:
        raise UsageError(
            f"--sizes: {said!r} is neither all, nor a number from {FEWEST} to {n}, nor such a proportion as 0.5"
        )
    return size


def _findings(metric: str, relation: str, found: SizeLaw) -> list[Finding]:
    ci = None if found.low is None or found.high is None else (found.low, found.high)
    near = found.error is not None and abs(found.exponent - _LAW) <= _AGREES * found.error
    return [
        Finding(
            what=f"exponent of n in the threshold ({metric}, {relation})",
            value=found.exponent,
            ci=ci,
            published=_LAW,
            source="Berg-Kirkpatrick et al. 2012, §4.1: the square root of the test size",
            verdict="" if found.error is None else "agrees" if near else "differs",
            reason="" if near or found.error is None else "the first items are not like the others; --pick random",
        ),
        Finding(
            what=f"largest deviation of threshold × √n from its mean ({metric}, {relation})",
            value=found.largest,
            kind="share",
        ),
    ]


def _title(laws: dict[str, SizeLaw]) -> str:
    found = laws.get(ALL)
    return (
        "Thresholds by size"
        if found is None
        else f"Thresholds fall as n to the power of {found.exponent:.2f}".replace("-", "−")
    )


def _falls(parts: Sequence[Subset]) -> bool:
    """Whether each threshold is smaller than that of the size before."""
    at = [part.readings[0].curve.threshold for part in parts if part.readings[0].curve is not None]
    return len(at) > 1 and all(a > b for a, b in pairwise(at))


def _draw_against_size(metric: str, unit: str, title: str, how: str, rows: Sequence[tuple[Value, ...]]) -> Figure:
    drawn = [row[2:] for row in rows if row[0] == metric]
    gains = [value for _, *values in drawn for value in values]
    return Figure(
        name=metric,
        title=title,
        where=("metric", metric),
        subtitle=f"{how}\nPoints: gain at which p = {SURE:g}, by the curve, with its interval over systems\n"
        "Broken: the law of the square root",
        x=Axis(title="Items", scale="log", domain=_axis_ends([items for items, *_ in drawn])),
        y=Axis(title=f"Gain ({unit})", scale="log", domain=_axis_ends(gains)),
        layers=(
            Layer(mark="line", table="line", x="items", y="threshold", colour="relation", dashed=True),
            Layer(mark="interval", table="laws", x="items", low="low", high="high", colour="relation"),
            Layer(mark="point", table="laws", x="items", y="threshold", colour="relation"),
        ),
        colours=(DIFFERENT, SAME, ALL),
    )


def _axis_ends(values: Sequence[Value]) -> tuple[float, float] | None:
    """The ends of a logarithmic axis that leave room around all points."""
    known = [float(value) for value in values if isinstance(value, int | float)]
    return (min(known) / _ROOM, max(known) * _ROOM) if known else None


def _figure_tables(rows: dict[str, list[tuple[Value, ...]]]) -> list[DataTable]:
    start = (
        Field(name="metric", title="Metric", kind="text"),
        Field(name="relation", title="Pairs", kind="text"),
        Field(name="items", title="Items", kind="count"),
        Field(name="threshold", title="Gain at which p = .05"),
    )
    ends = (Field(name="low", title="low"), Field(name="high", title="high"))
    return [
        DataTable(name="laws", title="By size", fields=(*start, *ends), rows=tuple(rows["laws"]), printed=False),
        DataTable(name="line", title="The law of the root", fields=start, rows=tuple(rows["line"]), printed=False),
    ]
