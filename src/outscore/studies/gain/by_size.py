"""Gain against confidence on test sets of several sizes, and the law of the square root."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
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
    parse_size,
    read_thresholds,
    subset_of,
    summarize,
    threshold_tables,
)
from outscore.studies.gain.thresholds import SURE, jackknife_error
from outscore.studies.shared.form import (
    METRIC,
    Row,
    Verdict,
    columns,
    compare_numbers,
    count,
    hidden,
    number,
    points,
    text,
)
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import DIFFERENT, SAME, StudyPair

_FIRST, _MOST = 100, 6  # the source's sizes: 100, 200, 400 ... and all; as many as there are colours
_NEAR = 0.7  # of the whole, a size that tells nothing beside it
_LAW = -0.5
_ROOM = 1.2  # times the data that a logarithmic axis goes beyond them
_MARGIN = 0.1  # of the exponent: at four times the items a threshold that is off by 15 %


def grid(study: GainStudy, material: Material) -> list[Spec]:
    """One cell for each metric, size and draw."""
    check(study, material)
    n, design = material.n_items, material.by_metric[0].design
    sizes = sorted({parse_size(one, n) for one in study.sizes.split(",")}) if study.sizes else _default(n)
    units = design.restrict(_items(study, material, sizes[0], 0)).n_units if sizes else design.n_units
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
        for draw in range(study.draws if size < n else 1)
    ]


def cell(study: GainStudy, material: Material, spec: Spec, seed: int) -> Found:
    """All pairs under one metric on one part, and what its items leave open."""
    return pairs_on(_items(study, material, spec["size"], spec["draw"]), material, spec["metric"], study, seed)


def summary(study: GainStudy, material: Material, cells: Cells) -> Summary:
    """Thresholds by size, the law, curves and all pairs."""
    return summarize(study, material, cells, f"{study.pick} items", _add, _tables)


def _add(drawn: GainSummary, cells: Cells) -> None:
    parts, rows, metric = _find_subsets(drawn, cells), drawn.rows, drawn.metric
    add_parts(drawn, parts, labelled=False)
    whole = [part.readings[0] for part in parts]
    laws = {}
    for relation in [one.relation for one in parts[-1].readings]:
        found = law(parts, relation, drawn.material.settings.alpha, drawn.study.draws)
        if found is not None:
            laws[relation] = found
            drawn.findings += _findings(metric, relation, found)
    shown = [name for name in laws if name != ALL] or list(laws)
    curves = [
        (metric, name, part.items, one.curve.threshold, one.curve.low, one.curve.high)
        for name in shown
        for part in parts
        if (one := part.reading(name)) is not None and one.curve is not None
    ]
    rows["laws"] += curves
    rows["line"] += [
        (metric, name, part.items, laws[name].threshold_at(part.items)) for name in shown for part in parts
    ]
    drawn.figures.append(_draw_against_size(drawn, _title(laws), curves))
    title = "Larger test sets are sure of smaller gains" if _falls(parts) else "Gain and confidence by size"
    drawn.draw_curves(f"{metric}-curves", title, whole, "part", [part.label for part in parts])
    drawn.add_notes(whole)


def _tables(drawn: GainSummary) -> Iterator[DataTable]:
    start = (METRIC, text("relation", "Pairs"), count("items", "Items"), number("threshold", "Gain at which p = .05"))
    yield from threshold_tables((METRIC, *KEYS), drawn.rows, (ROOTED,))
    yield hidden("laws", "By size", (*start, *columns("number", low="low", high="high")), drawn.rows["laws"])
    yield hidden("line", "The law of the root", start, drawn.rows["line"])
    yield from make_plain_tables((METRIC, text("part", "Part")), drawn.rows)


def _items(study: GainStudy, material: Material, size: int, draw: int) -> Int:
    generator = None if study.pick == "first" else stream(material.settings.seed, "parts", draw)
    return subset_of(np.arange(material.n_items), material.by_metric[0].design.labels, size, generator)


def _find_subsets(drawn: GainSummary, cells: Cells) -> list[Subset]:
    """The parts by size, those of several draws put together."""
    found: dict[int, list[Found]] = {}
    for spec, one in cells:
        found.setdefault(spec["size"], []).append(one)
    parts = []
    for draws in found.values():
        pairs = [StudyPair.of(pair) for one in draws for pair in one["pairs"]]
        items = round(float(np.mean([one["items"] for one in draws])))
        readings = read_thresholds(drawn.study, drawn.material, pairs)
        parts.append(Subset(inflect(items, "item"), items, readings, draws[0]["errors"]))
    return parts


def _default(n: int) -> list[int]:
    """100, 200, 400 ... and all, or halves where that is one size only; the largest six."""
    sizes = [_FIRST * 2**k for k in range(20) if _FIRST * 2**k < _NEAR * n]
    if len(sizes) < 2:
        sizes = [n // 8, n // 4, n // 2]
    return [size for size in [*sizes, n][-_MOST:] if size >= FEWEST]


@dataclass(frozen=True)
class SizeLaw:
    """Thresholds against sizes as a straight line in logarithms.

    Attributes:
        exponent: its slope; ``low``, ``high``: interval over systems and items; ``error``: its standard error; None
            with fewer than four systems.
        level: threshold times the root of n, geometric mean over the sizes.
        largest: the largest deviation of a threshold times the root of n from the level, as a proportion of it.
        n: sizes that it rests on.
    """

    exponent: float
    error: float | None
    low: float | None
    high: float | None
    level: float
    largest: float
    n: int

    def threshold_at(self, items: float) -> float:
        """The threshold by the law of the root."""
        return self.level / float(np.sqrt(items))


def law(parts: Sequence[Subset], relation: str, alpha: float, draws: int = 1) -> SizeLaw | None:
    """The line of least squares through the thresholds of nested parts, from the smallest to the largest.

    The error of a nested part holds that of the larger one that it lies in: with a variance v of one item, two parts
    of n and m items covary by v / max(n, m). Parts drawn several times from the largest share its error only. To that
    the variance over systems is added, from leaving each out in turn.

    Args:
        parts: by size; the largest tells v.
        relation: of which pairs.
        alpha: 1 - level of the interval.
        draws: parts of each size but the largest.

    Returns:
        None with fewer than two sizes that have a curve.
    """
    from scipy import special

    found = [(part, one.curve) for part in parts if (one := part.reading(relation)) is not None and one.curve]
    if len(found) < 2:
        return None
    n = np.array([part.items for part, _ in found], dtype=float)
    weights = _slope(np.log(n))
    thresholds = np.array([curve.threshold for _, curve in found])
    exponent = float(weights @ np.log(thresholds))
    rooted = thresholds * np.sqrt(n)
    level = float(np.exp(np.log(rooted).mean()))
    fit = (level, float(np.abs(rooted / level - 1).max()), len(found))
    common = [name for name in found[0][1].without if all(name in curve.without for _, curve in found)]
    of_items = found[-1][0].errors.get(relation)
    if len(common) < 4 or of_items is None:
        return SizeLaw(exponent, None, None, None, *fit)
    over_systems = jackknife_error([float(weights @ [curve.without[name] for _, curve in found]) for name in common])
    covariances = 1 / n[-1] + (1 / np.maximum(n[:, None], n) - 1 / n[-1]) / draws
    over_items = of_items**2 * n[-1] * float(weights @ covariances @ weights)
    error = float(np.sqrt(over_systems**2 + over_items))
    wide = float(special.stdtrit(len(common) - 1, 1 - alpha / 2)) * error
    return SizeLaw(exponent, error, exponent - wide, exponent + wide, *fit)


def _slope(x: Float) -> Float:
    """The weight of each value in the slope of least squares."""
    centred = x - x.mean()
    return np.asarray(centred / float(centred @ centred))


def _findings(metric: str, relation: str, found: SizeLaw) -> list[Finding]:
    ci = None if found.low is None or found.high is None else (found.low, found.high)
    verdict: Verdict = "" if found.error is None else compare_numbers(found.exponent, _LAW, found.error, _MARGIN)
    return [
        Finding(
            what=f"exponent of n in the threshold ({metric}, {relation})",
            value=found.exponent,
            ci=ci,
            expected=_LAW,
            margin=_MARGIN,
            verdict=verdict,
            reason="the first items are not like the others; --pick random" if verdict == "differs" else "",
        ),
        Finding(
            what=f"largest deviation of threshold × √n from its mean ({metric}, {relation})",
            value=found.largest,
            kind="share",
        ),
    ]


def _title(laws: Mapping[str, SizeLaw]) -> str:
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


def _draw_against_size(drawn: GainSummary, title: str, rows: Sequence[Row]) -> Figure:
    gains = [value for row in rows for value in row[3:]]
    return Figure(
        name=drawn.metric,
        title=title,
        where=("metric", drawn.metric),
        subtitle=f"{drawn.how}\nPoints: gain at which p = {SURE:g}, by the curve, with its interval over systems\n"
        "Broken: the law of the square root",
        x=Axis(title="Items", scale="log", domain=_axis_ends([row[2] for row in rows])),
        y=Axis(title=f"Gain ({drawn.unit})", scale="log", domain=_axis_ends(gains)),
        layers=(
            Layer(mark="line", table="line", x="items", y="threshold", colour="relation", dashed=True),
            *points("laws", "items", "threshold", "relation"),
        ),
        colours=(DIFFERENT, SAME, ALL),
    )


def _axis_ends(values: Sequence[Value]) -> tuple[float, float] | None:
    """The ends of a logarithmic axis that leave room around all points."""
    known = [float(value) for value in values if isinstance(value, int | float)]
    return (min(known) / _ROOM, max(known) * _ROOM) if known else None
