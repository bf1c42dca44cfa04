"""What every registered interval keeps, with every value of its options: a new entry is picked up from the registry."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
import re
import typing
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from outscore.base.items import Items
from outscore.base.registry import spell
from outscore.engine.design import Design
from outscore.metrics import metrics
from outscore.report.formats.methods import bibtex
from outscore.significance.contrast import Contrast
from outscore.significance.contrast import ScoreContrast as ScoreOf
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod, intervals
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.contract.explained import check_explained
from tests.examples import at

N = 36


def variants(name: str) -> Iterator[IntervalMethod]:
    """An interval with every combination of its options."""
    cls = intervals.find(name)
    hints = typing.get_type_hints(cls)
    values = [typing.get_args(hints[f.name]) or (False, True) for f in dataclasses.fields(cls)]
    for chosen in itertools.product(*values):
        yield cls(**dict(zip([f.name for f in dataclasses.fields(cls)], chosen, strict=True)))


NAMES = intervals.names()
EVERY = [method for name in NAMES for method in variants(name)]


def of_classes(rng: np.random.Generator, *, identical: bool) -> Statistics:
    """Macro F1 of two systems over three classes, one of which two items have."""
    gold = [*["a", "b"] * (N // 2 - 1), "rare", "rare"]
    texts = [[label if rng.random() < 0.7 else "a" for label in gold] for _ in range(2)]
    cells = [Items(n=N, outputs=texts[0 if identical else k], references=(gold,)) for k in range(2)]
    (metric,) = metrics.make("f1").prepare(cells)
    statistics = [metric.statistics(cell)[None] for cell in cells]
    return Statistics("f1", statistics, metric.score, Design(N), limits=metric.limits, averaged=metric.as_average())


def stats(shape: str, *, identical: bool = False) -> Statistics:
    """Two systems of one kind of data."""
    rng = np.random.default_rng(4)
    if shape == "classes":
        return of_classes(rng, identical=identical)
    runs = (2, 3) if shape == "runs" else (1, 1)
    binary = shape in ("right or wrong", "wrong or right")
    systems = [(rng.random((r, N)) < 0.6).astype(float) if binary else rng.normal(size=(r, N)).round(2) for r in runs]
    if identical:
        systems[1] = systems[0]
    labels = [f"c{i % 9}" for i in range(N)] if shape == "clusters" else None
    strata = [f"s{i % 3}" for i in range(N)] if shape == "strata" else None
    design = Design.named(N, labels, strata)
    weight = rng.integers(1, 5, size=N).astype(float) if shape in ("a ratio", "strata") else np.ones(N)
    columns = [np.stack([s * weight, np.broadcast_to(weight, s.shape)], axis=-1) for s in systems]
    higher = shape != "wrong or right"
    return Statistics("mean", columns, metrics.make("mean").score, design, higher_is_better=higher, per_item=True)


SHAPES = ("right or wrong", "wrong or right", "a mean", "a ratio", "clusters", "strata", "runs", "classes")


def estimates(shape: str, *, swapped: bool = False) -> list[Contrast]:
    experiment = Resamples(("a", "b"), [stats(shape)], 0, Settings(n_resamples=300))
    pair = GainContrast(experiment, 0, 0, 1) if swapped else GainContrast(experiment, 0, 1, 0)
    return [pair, ScoreOf(experiment, 0, 1)]


ESTIMATES = [(shape, what, estimate) for shape in SHAPES for what, estimate in enumerate(estimates(shape))]
GIVEN = {
    method: [
        (shape, what)
        for shape, what, estimate in ESTIMATES
        if method.covers in ("both", estimate.what) and method.refuses(estimate) is None
    ]
    for method in EVERY
}


def every(methods: Iterable[IntervalMethod]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("method", list(methods), ids=lambda method: method.label)


@pytest.mark.parametrize("name", NAMES)
def test_an_interval_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    cls = intervals.find(name)
    assert cls.name == name
    assert cls.covers in ("gain", "score", "both")
    assert len(cls.applies.split()) >= 4
    assert len(cls.needs.split()) >= 3
    assert re.search(r"\b(1[89]|20)\d\d\b", cls.citation), "a source has a year"
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    check_explained(cls)


@every(EVERY)
def test_the_name_of_an_interval_makes_it_again(method: IntervalMethod) -> None:
    assert intervals.make(spell(method)) == method
    assert pickle.loads(pickle.dumps(method)) == method


@pytest.mark.parametrize("name", NAMES)
def test_every_interval_answers_for_all_that_it_covers(name: str) -> None:
    covered = {what for method, given in GIVEN.items() for _, what in given if method.name == name}
    assert covered == {"gain": {0}, "score": {1}, "both": {0, 1}}[intervals.find(name).covers]


@every(EVERY)
def test_a_refusal_names_what_to_use(method: IntervalMethod) -> None:
    for shape, what, estimate in ESTIMATES:
        refusal = method.refuses(estimate)
        if refusal is not None:
            with at((shape, what)):
                other = re.search(r"; use --interval ([a-z]+)", refusal)
                assert other is not None, refusal
                assert other[1] == "auto" or intervals.make(other[1]).refuses(estimate) is None
                assert "\n" not in refusal


@every(EVERY)
def test_an_interval_holds_the_estimate_and_is_the_same_again(method: IntervalMethod) -> None:
    for shape, what in GIVEN[method]:
        with at((shape, what)):
            estimate = estimates(shape)[what]
            ends, called, _ = found = method.compute(estimate)
            assert ends is not None
            assert ends[0] < estimate.value < ends[1]
            assert called
            assert method.compute(estimates(shape)[what]) == found


@every(method for method in EVERY if method.covers != "score")
def test_exchanging_the_systems_mirrors_the_interval_of_their_gain(method: IntervalMethod) -> None:
    for shape, what in GIVEN[method]:
        if what == 0:
            with at(shape):
                there, back = (method.compute(estimates(shape, swapped=swapped)[0])[0] for swapped in (False, True))
                assert there is not None
                assert back is not None
                assert back == pytest.approx((-there[1], -there[0]), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "oconnor"])
def test_every_source_has_an_entry_in_the_bibliography(name: str) -> None:
    works = intervals.find(name).citation.split("; ")
    assert bibtex(works).count("@") == len(works)
    assert "\n%" not in f"\n{bibtex(works)}"
