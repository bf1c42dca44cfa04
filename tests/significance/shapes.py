"""Small data of many shapes: at the thresholds of notes, with ties, without variance, in clusters, strata and runs."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.engine.design import Design
from outscore.engine.extreme import Alternative
from outscore.metrics import metrics
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples, Unit
from outscore.significance.omnibus import Groups
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

RESAMPLES = 150

Draw = Callable[[np.random.Generator, tuple[int, int]], Float]
"""Numbers ``(runs, items)``."""


def variants(find: Callable[[str], type[Any]], name: str) -> Iterator[Any]:
    """A method as it is, and with each other value of each option alone."""
    cls = find(name)
    hints = typing.get_type_hints(cls)
    given = {f.name: 0.7 for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING}
    plain = cls(**given)
    yield plain
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        for value in (False, True) if hint is bool else typing.get_args(hint):
            if value != getattr(plain, field.name) and not isinstance(value, type):
                yield dataclasses.replace(plain, **{field.name: value})


def real(draw: np.random.Generator, size: tuple[int, int]) -> Float:
    return draw.normal(0, 1, size).round(1)


def right_or_wrong(draw: np.random.Generator, size: tuple[int, int]) -> Float:
    return (draw.random(size) < 0.6).astype(float)


def grades(draw: np.random.Generator, size: tuple[int, int]) -> Float:
    return draw.integers(0, 4, size).astype(float)


def skewed(draw: np.random.Generator, size: tuple[int, int]) -> Float:
    return draw.exponential(1, size).round(3) ** 3


@dataclasses.dataclass(frozen=True)
class Shape:
    """Data of two or three systems.

    Attributes:
        values: (generator, size) to numbers.
        runs: of each system.
        clusters, strata: numbers of them, none where 0; clusters are of unequal size.
        edit: what is changed in the numbers ``(runs, items)`` of the system, the last one.
    """

    n: int = 12
    values: Callable[[np.random.Generator, tuple[int, int]], Float] = lambda draw, size: draw.normal(0, 1, size).round(
        1
    )
    runs: tuple[int, ...] = (1, 1)
    clusters: int = 0
    strata: int = 0
    weighted: bool = False
    score: Literal["mean", "f1", "classes", "corpus"] = "mean"
    limits: tuple[float, float] | None = None
    lower: bool = False
    edit: Callable[[list[Float]], None] = lambda systems: None


def _same(systems: list[Float]) -> None:
    for runs in systems:
        runs[:] = systems[0][:1]


def _shifted(systems: list[Float]) -> None:
    systems[-1][:] = systems[0][:1] + 0.5


def _better(systems: list[Float]) -> None:
    systems[-1] += 1.1


def _all_right(systems: list[Float]) -> None:
    systems[-1][:] = 1.0


def _apart(systems: list[Float]) -> None:
    systems[0][:], systems[-1][:] = 0.0, 1.0


SHAPES = {
    "one item": Shape(1),
    "two items": Shape(2),
    "three items, shifted": Shape(3, edit=_shifted),
    "five items": Shape(5),
    "six items, better": Shape(6, edit=_better),
    "nine items": Shape(9),
    "ten items, lower is better": Shape(10, lower=True),
    "19 grades": Shape(19, grades),
    "20 grades": Shape(20, grades, edit=_better),
    "29 items": Shape(29),
    "30 items": Shape(30),
    "same outputs": Shape(8, edit=_same),
    "49 skewed": Shape(49, skewed),
    "50 skewed": Shape(50, skewed, edit=_better),
    "29 right or wrong": Shape(29, right_or_wrong),
    "30 right or wrong": Shape(30, right_or_wrong, edit=_all_right),
    "four, all right against all wrong": Shape(4, right_or_wrong, edit=_apart),
    "250 numbers": Shape(250),
    "weighted": Shape(14, weighted=True),
    "weighted grades in clusters": Shape(16, grades, weighted=True, clusters=5),
    "two clusters": Shape(8, clusters=2),
    "nine clusters": Shape(30, clusters=9, edit=_better),
    "29 clusters": Shape(62, clusters=29),
    "30 clusters": Shape(62, clusters=30),
    "clusters of right or wrong": Shape(40, right_or_wrong, clusters=11),
    "strata": Shape(24, strata=3),
    "strata of right or wrong": Shape(18, right_or_wrong, strata=2),
    "two runs each": Shape(11, runs=(2, 2)),
    "three runs and two, clusters": Shape(20, runs=(3, 2), clusters=6),
    "four runs each, better": Shape(13, runs=(4, 4), edit=_better),
    "five runs each": Shape(30, runs=(5, 5)),
    "one run and three": Shape(12, runs=(1, 3)),
    "nine runs and ten": Shape(7, runs=(9, 10)),
    "ten runs of right or wrong": Shape(30, right_or_wrong, runs=(10, 10)),
    "three runs, same outputs": Shape(9, runs=(3, 3), edit=_same),
    "runs of weighted": Shape(12, runs=(3, 3), weighted=True),
    "bounded grades": Shape(30, grades, limits=(0.0, 3.0)),
    "bounded grades in clusters": Shape(24, grades, limits=(0.0, 3.0), clusters=7),
    "bounded runs": Shape(9, grades, limits=(0.0, 3.0), runs=(3, 4)),
    "bounded, same outputs": Shape(6, grades, limits=(0.0, 3.0), edit=_same),
    "f1 of few": Shape(9, grades, score="f1", limits=(0.0, 1.0)),
    "f1": Shape(60, grades, score="f1", limits=(0.0, 1.0)),
    "f1 of clusters": Shape(40, grades, score="f1", limits=(0.0, 1.0), clusters=12),
    "f1 of runs": Shape(20, grades, score="f1", limits=(0.0, 1.0), runs=(3, 3)),
    "f1 of strata": Shape(32, grades, score="f1", limits=(0.0, 1.0), strata=2),
    "f1, better": Shape(35, grades, score="f1", limits=(0.0, 1.0), edit=_better),
    "classes": Shape(40, score="classes", limits=(0.0, 1.0)),
    "classes of clusters": Shape(40, score="classes", limits=(0.0, 1.0), clusters=10),
    "few of classes": Shape(9, score="classes", limits=(0.0, 1.0)),
    "corpus": Shape(30, grades, score="corpus", limits=(0.0, 100.0)),
    "corpus of few": Shape(8, grades, score="corpus", limits=(0.0, 100.0), lower=True),
    "corpus of clusters": Shape(36, grades, score="corpus", limits=(0.0, 100.0), clusters=12),
    "corpus of runs": Shape(12, grades, score="corpus", limits=(0.0, 100.0), runs=(3, 2)),
}


def experiment(name: str, alternative: Alternative = "two-sided", systems: int = 2) -> Resamples:
    """The systems of a shape, the first of them the baseline."""
    shape = SHAPES[name]
    draw = np.random.default_rng(len(name))
    runs = (*shape.runs, *shape.runs)[:systems]
    values = [shape.values(draw, (r, shape.n)) for r in runs]
    shape.edit(values)
    weight = draw.integers(1, 6, shape.n).astype(float) if shape.weighted else np.ones(shape.n)
    numbers = np.arange(shape.n)
    labels = (
        [f"c{i if i < shape.clusters else i * i % 13 % shape.clusters}" for i in numbers] if shape.clusters else None
    )
    strata = [f"s{i % (2 * shape.strata) % shape.strata if i % 5 else 0}" for i in numbers] if shape.strata else None
    stats = _stats(shape, values, weight, Design.named(shape.n, labels, strata))
    made = Settings(n_resamples=RESAMPLES, alternative=alternative)
    return Resamples(tuple(f"system {s}" for s in range(systems)), [stats], 0, made)


def _stats(shape: Shape, values: list[Float], weight: Float, design: Design) -> Statistics:
    options: dict[str, Any] = {"higher_is_better": not shape.lower, "limits": shape.limits}
    if shape.score == "classes":
        draw = np.random.default_rng(shape.n)
        gold = [*"aab" * (shape.n // 3), *"c" * (shape.n % 3), "c"][: shape.n]
        said = [[one if draw.random() < right else "a" for one in gold] for right in (0.6, 0.75, 0.7)[: len(values)]]
        cells = [Items(n=shape.n, outputs=texts, references=(gold,)) for texts in said]
        (metric,) = metrics.make("f1").prepare(cells)
        columns = [metric.statistics(cell)[None] for cell in cells]
        return Statistics("f1", columns, metric.score, design, averaged=metric.as_average(), **options)
    if shape.score == "f1":
        whole = [np.maximum(np.rint(v), 0.0) for v in values]
        columns = [np.stack([v, (v + weight) % 3, (2 * v + 1) % 3], axis=-1) for v in whole]
        metric = metrics.make("f1:average=micro")
        return Statistics("f1", columns, metric.score, design, ratio=metric.ratio(), **options)
    if shape.score == "corpus":
        columns = [np.stack([v + 1, np.full_like(v, 5.0), v % 2 + 1], axis=-1) for v in values]
        return Statistics("corpus", columns, _corpus, design, **options)
    columns = [np.stack([v * weight, np.broadcast_to(weight, v.shape)], axis=-1) for v in values]
    ratio = (np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0) if shape.weighted else None
    score = metrics.make("mean").score
    return Statistics("mean", columns, score, design, per_item=not shape.weighted, ratio=ratio, **options)


def _corpus(sums: Float) -> Float:
    """A score of sums that is no ratio: a root of two shares, 0-100."""
    return np.asarray(100 * np.sqrt(sums[..., 0] * sums[..., 2] / np.maximum(sums[..., 1], 1e-9) ** 2))


def pairing(name: str, alternative: Alternative = "two-sided") -> GainContrast:
    """The two systems of a shape."""
    return GainContrast(experiment(name, alternative), 0, 1)


def samples(n: int, m: int, kind: str, unit: Unit, alternative: Alternative = "two-sided") -> IndependentSamples:
    """Two independent samples: ``real`` numbers, ``grades``, ``skewed``, ``right or wrong``, or without variance."""
    draw = np.random.default_rng(100 * n + m)
    system, baseline = (_numbers(kind, draw, size, s) for s, size in enumerate((n, m)))
    made = Settings(n_resamples=RESAMPLES, alternative=alternative)
    return IndependentSamples(system=system, baseline=baseline, unit=unit, settings=made)


def groups(sizes: tuple[int, ...], kind: str, *, blocks: bool, unit: Unit = "item") -> Groups:
    """Several samples, as ``samples`` are."""
    draw = np.random.default_rng(sum(sizes))
    values = tuple(_numbers(kind, draw, size, s) for s, size in enumerate(sizes))
    names = tuple(f"system {s}" for s in range(len(sizes)))
    return Groups(names=names, values=values, unit=unit, blocks=blocks, settings=Settings(n_resamples=RESAMPLES))


def _numbers(kind: str, draw: np.random.Generator, size: int, place: int) -> Float:
    """Of the system at this place: the later ones are a little better, but for those that are right or wrong."""
    if kind in ("same", "apart"):
        return np.full(size, float(place) if kind == "apart" else 0.5)
    if kind == "right or wrong":
        return np.asarray(right_or_wrong(draw, (1, size))[0])
    of = {"real": real, "grades": grades, "skewed": skewed}
    return np.asarray(of[kind](draw, (1, size))[0] + (1.0 if kind == "grades" else 0.4) * place)


KINDS = ("real", "grades", "right or wrong", "same", "apart")
SIZES = [(1, 2), (2, 2), (2, 3), (4, 4), (5, 3), (9, 12), (19, 20), (20, 21), (29, 30), (30, 31)]
SEVERAL: dict[str, list[tuple[int, ...]]] = {
    "real": [(3, 4, 2), (6, 6), (29, 30)],
    "grades": [(2, 2, 2), (6, 6, 6)],
    "right or wrong": [(4, 4, 4), (3, 4, 2), (6, 6), (9, 9, 9, 9)],
    "same": [(3, 4, 2), (3, 3, 3)],
    "apart": [(3, 4, 2), (3, 3, 3)],
}
