"""Averages over weighted items and unequal documents, runs on items in clusters, differences of correlations."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell


def weighted(measure: str, rng: np.random.Generator) -> float:
    """Of 40 items one in ten has ten times the weight: whether equal systems are told apart, or a share is covered."""
    weight, gold = np.where(rng.random(40) < 0.1, 10, 1), rng.choice(3, 40, p=[0.5, 0.3, 0.2])
    items = {"weight": list(map(int, weight))}
    if measure == "coverage":
        right = {"a": (rng.random(40) < 0.8).astype(float).tolist()}
        found = outscore.score(right, items=items, metrics="accuracy:weight=weight", n_resamples=999).scores[0].ci
        return float(found is not None and found[0] <= 0.8 <= found[1])
    data = {
        name: list(map(str, np.where(rng.random(40) < 0.8, gold, rng.integers(3, size=40)))) for name in ("new", "base")
    }
    options: dict[str, Any] = {"references": list(map(str, gold)), "items": items, "n_resamples": 999}
    (pair,) = outscore.compare(data, metrics="f1:average=macro,weight=weight", **options).pairs
    return float(pair.verdict in ("better", "worse"))


def unequal_documents(rng: np.random.Generator) -> float:
    """Whether equal systems that err alike in the same documents, 4 of 60 items and 26 of 3, are told apart."""
    place = np.repeat(np.arange(30), [60] * 4 + [3] * 26)
    gold, systems = rng.choice(3, place.size, p=[0.55, 0.27, 0.18]), {}
    for name in ("new", "base"):
        skill = 1 / (1 + np.exp(-np.array([1.7, 1.1, 0.85])[gold] - rng.normal(size=30)[place]))
        wrong = (gold + rng.integers(1, 3, place.size)) % 3
        systems[name] = list(map(str, np.where(rng.random(place.size) < skill, gold, wrong)))
    items, references = {"document": list(map(str, place))}, list(map(str, gold))
    options: dict[str, Any] = {"metrics": "f1:average=macro", "cluster": "document", "n_resamples": 999}
    (pair,) = outscore.compare(systems, references=references, items=items, **options).pairs
    return float(pair.verdict in ("better", "worse"))


def runs_in_clusters(rng: np.random.Generator) -> float:
    """Whether three runs each, on items in 10 clusters of lognormal size in which both do alike, are told apart."""
    sizes = np.maximum(1, np.exp(rng.normal(np.log(8) - 1.5**2 / 2, 1.5, 10)).round()).astype(int)
    place, data = np.repeat(np.arange(10), sizes), {}
    for name in ("a", "b"):
        liked = 0.7 * rng.normal(size=10)[place] + 0.7 * rng.normal(size=place.size)
        data[name] = liked + rng.normal(size=(3, place.size))
    options: dict[str, Any] = {"items": {"doc": place.tolist()}, "cluster": "doc", "metrics": "mean"}
    (pair,) = outscore.compare(data, n_resamples=199, **options).pairs
    return float("nan") if pair.p_value is None else float(pair.p_value <= 0.05)


def _correlated(coefficient: str, rng: np.random.Generator) -> tuple[bool, tuple[float, float]]:
    """Whether p of two metrics over 12 systems is at most .05, and the interval of their difference."""
    import pandas

    text = 0.5 * rng.normal(size=(12, 1)) + 0.5 * rng.normal(size=30) + rng.normal(size=(12, 30))
    columns = {"human": text + 0.5 * rng.normal(size=(12, 30))}
    for name, error in (("near", 0.1), ("far", 0.6)):
        columns[name] = text + error * rng.normal(size=(12, 1)) + rng.normal(size=(12, 30))
    ids = {"system": np.repeat([f"s{s}" for s in range(12)], 30), "item": np.tile(np.arange(30), 12)}
    frame = pandas.DataFrame({**ids, **{name: values.ravel() for name, values in columns.items()}})
    options: dict[str, Any] = {"levels": "system", "coefficients": coefficient, "n_resamples": 199, "jobs": 1}
    found: Any = outscore.correlate(frame, human="human", **options)
    (gain,) = found.pairs if hasattr(found, "pairs") else found.gains  # as 0.1.0 called them
    return (gain.p_value or 1.0) <= 0.05, gain.ci or (math.nan, math.nan)


def told(rng: np.random.Generator) -> float:
    """Whether the better of two metrics is shown to agree better: p and the interval both say so."""
    small, (low, high) = _correlated("kendall", rng)
    return float(small and not low <= 0 <= high)


def difference(rng: np.random.Generator) -> float:
    """Whether the interval of the difference of Pearson's r holds that of the population of systems."""
    _, (low, high) = _correlated("pearson", rng)
    text = 0.25 + 1 / 30
    near, far = (text / math.sqrt((text + 0.25 / 30) * (text + error**2 + 1 / 30)) for error in (0.1, 0.6))
    return float(low <= near - far <= high)


def recall(skill: float, rng: np.random.Generator) -> float:
    """Whether recalls of .6 and of ``skill`` are told apart, 60 sentences with up to three entities each."""
    import pandas

    held = rng.binomial(3, 0.3, 60)
    right = [rng.binomial(held, p) for p in (0.6, skill)]
    columns = {"den": np.tile(held, 2), "num": np.concatenate(right)}
    data = pandas.DataFrame({"system": ["a"] * 60 + ["b"] * 60, "item": [*range(60)] * 2, **columns})
    (pair,) = outscore.compare(data, metrics="ratio:num=num,den=den", n_resamples=999).pairs
    return float(pair.p_value is not None and pair.p_value <= 0.05)


CELLS = (
    *(
        Cell(
            "4 sums",
            f"recall of 60 sentences, .9 entities each: {said}",
            measure,
            nominal,
            partial(recall, skill),
            2000,
        )
        for skill, said, measure, nominal in ((0.6, "equal", "level", 0.05), (0.8, ".6 and .8", "power", None))
    ),
    Cell(
        point="averages",
        name="macro F1 of three classes, 4 documents of 60 items and 26 of 3",
        measure="level",
        nominal=0.05,
        run=unequal_documents,
    ),
    *(
        Cell(
            point="averages",
            name=f"{said}, 40 items, one in ten of ten times the weight",
            measure=measure,
            nominal=nominal,
            run=partial(weighted, measure),
        )
        for said, measure, nominal in (("macro F1 of three classes", "level", 0.05), ("share of .8", "coverage", 0.95))
    ),
    Cell("11 runs", "3 runs each, 10 clusters of unequal size", "level", 0.05, runs_in_clusters, 2000),
    Cell("correlate", "Kendall over 12 systems, the better of two metrics is told", "power", None, told),
    Cell("correlate", "Pearson over 12 systems, difference of two metrics", "coverage", 0.95, difference),
)
