"""What every registered test keeps, with every value of its options: a new entry is picked up from the registry."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import pickle
import re
import typing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.base.registry import spell
from outscore.base.rng import DEFAULT_SEED
from outscore.engine.design import Design
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.metrics import Metric, metrics
from outscore.significance import ASYMPTOTIC, EXACT, MONTE_CARLO, SADDLEPOINT, Named, Outcome, Test, tests
from outscore.significance.choose import KINDS as KINDS_OF_TESTS
from outscore.significance.choose import Kind, all_tests, kind_of
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.contract.explained import check_explained
from tests.contract.outcomes import check_whole
from tests.examples import at, examples

KINDS = (EXACT, MONTE_CARLO, SADDLEPOINT, ASYMPTOTIC)
RESAMPLES = 400


def variants(name: str) -> Iterator[Test]:
    """A test with every combination of its options that have a list of values."""
    cls = tests.find(name)
    hints = typing.get_type_hints(cls)
    choices: dict[str, tuple[object, ...]] = {}
    for field in dataclasses.fields(cls):
        if typing.get_origin(hints[field.name]) is typing.Literal:
            choices[field.name] = typing.get_args(hints[field.name])
        elif hints[field.name] is bool:
            choices[field.name] = (False, True)
        elif field.default is dataclasses.MISSING and hints[field.name] is float:
            choices[field.name] = (0.7,)
    for values in itertools.product(*choices.values()):
        yield cls(**dict(zip(choices, values, strict=True)))


NAMES = tests.names()
EVERY = [test for name in NAMES for test in variants(name)]
# these print the law of a published program, which has one alternative and no rule for ties
PRINTED = ("form=bbk", "as_coded=true")
LAWFUL = [test for test in EVERY if not any(option in spell(test) for option in PRINTED)]


@functools.cache
def mark(test: Test) -> list[pytest.MarkDecorator]:
    """Each value of each option is tried by default; what several options do together is slow."""
    first = next(variants(test.name))
    changed = sum(getattr(test, field.name) != getattr(first, field.name) for field in dataclasses.fields(test))
    return [pytest.mark.slow] if changed > 1 else []


@dataclasses.dataclass(frozen=True)
class Shape:
    """One kind of data: what the two systems' statistics are, and how items hang together."""

    name: str
    metric: str
    runs: tuple[int, int] = (1, 1)
    clusters: int = 0
    values: Callable[[np.random.Generator, int], Float] = lambda draw, n: draw.normal(0, 1, n).round(1)
    n: int = 36

    def __str__(self) -> str:
        return self.name


def right_or_wrong(draw: np.random.Generator, n: int) -> Float:
    return (draw.random(n) < 0.6).astype(float)


SHAPES = [
    Shape("right or wrong", "accuracy", values=right_or_wrong),
    Shape("a mean", "mean"),
    Shape("lower is better", "mean:lower=true"),
    Shape("few items", "mean", n=7),
    Shape("a ratio", "ratio:num=score,den=length", values=lambda draw, n: draw.integers(0, 6, n).astype(float)),
    Shape("a share", "ratio:num=score,den=length", values=lambda draw, n: draw.integers(0, 3, n).astype(float)),
    Shape("a weighted mean", "mean:weight=length"),
    Shape("clusters", "mean", clusters=9),
    Shape("clusters of right or wrong", "accuracy", clusters=9, values=right_or_wrong),
    Shape("runs", "mean", runs=(3, 3)),
    Shape("unequal runs", "mean", runs=(2, 4)),
    Shape("one run and three", "mean", runs=(1, 3)),
    Shape("runs of a ratio", "ratio:num=score,den=length", runs=(2, 2), values=right_or_wrong),
    Shape("runs in clusters", "mean", runs=(3, 2), clusters=6),
]
BY_NAME = {shape.name: shape for shape in SHAPES}


def pair(
    shape: Shape,
    *,
    seed: int = 0,
    shift: float = 0.0,
    identical: bool = False,
    swapped: bool = False,
    alternative: Alternative = "two-sided",
    draws: int = DEFAULT_SEED,
) -> GainContrast:
    """Two systems of one shape; ``shift`` is added to the numbers of the second, which is the one tested.

    Args:
        seed, draws: of the data, and of the resamples.
    """
    draw = np.random.default_rng(seed)
    metric = metrics.make(shape.metric)
    length = draw.integers(2, 9, shape.n).astype(float)
    base = shape.values(draw, shape.n)
    systems = []
    for s, runs in enumerate(shape.runs):
        values = np.stack([shape.values(draw, shape.n) for _ in range(runs)])
        if identical:
            values[:] = base
        elif s and shift:
            values = np.clip(values + shift, 0, 1) if metric.name == "accuracy" else values + shift
        systems.append(np.stack([statistics_of(metric, v, length) for v in values]))
    labels = [f"c{i % shape.clusters}" for i in range(shape.n)] if shape.clusters else None
    stats = Statistics(
        metric.label,
        systems,
        metric.score,
        Design.named(shape.n, labels),
        higher_is_better=metric.higher_is_better,
        per_item=metric.per_item,
        ratio=metric.ratio(),
    )
    settings = Settings(n_resamples=RESAMPLES, alternative=alternative, seed=draws)
    return GainContrast(Resamples(("a", "b"), [stats], 1 if swapped else 0, settings), 0, 0 if swapped else 1)


def statistics_of(metric: Metric, values: Float, length: Float) -> Float:
    from outscore.base.items import Items

    return metric.statistics(Items(n=len(values), columns={"score": values, "length": length}))


_PAIRS = {shape: pair(shape) for shape in SHAPES}
ANSWERED = {test: [shape for shape in SHAPES if test.refuses(_PAIRS[shape]) is None] for test in EVERY}


def label(value: object) -> str:
    return spell(value) if isinstance(value, Test) else str(value)


def every(chosen: list[Test]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("test", [pytest.param(test, marks=mark(test)) for test in chosen], ids=label)


@functools.cache
def outcome_of(test: Test, shape: Shape, **how: Any) -> Outcome:
    return test.run(pair(shape, **how))


def p_of(test: Test, shape: Shape, **how: Any) -> float:
    p = outcome_of(test, shape, **how).p_value
    assert p is not None
    return p


def test_names_are_unique_over_all_kinds_of_tests() -> None:
    names = [name for registry in KINDS_OF_TESTS.values() for name in registry.names()]
    assert len(names) == len(set(names)) == len(all_tests())


@pytest.mark.parametrize(("name", "kind", "cls"), [(name, kind, cls) for name, (kind, cls) in all_tests().items()])
def test_a_test_of_any_kind_says_what_it_tests_and_where_it_comes_from(name: str, kind: Kind, cls: type[Named]) -> None:
    assert cls.__doc__ is not None
    assert len(cls.null.split()) >= 5
    for said in (cls.applies, cls.needs):
        assert len(said.split()) >= 5
        assert not said.endswith(".")
    assert kind_of(name) == kind_of(f"{name}:option=value") == kind
    assert re.search(r"\b(1[89]|20)\d\d\b", cls.citation), "a source has a year"
    assert cls.name == name
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    check_explained(cls)


@pytest.mark.parametrize("name", NAMES)
def test_every_test_answers_for_some_data(name: str) -> None:
    assert any(test.name == name and shapes for test, shapes in ANSWERED.items())


@pytest.mark.parametrize("test", EVERY, ids=label)
def test_the_name_of_a_test_makes_it_again(test: Test) -> None:
    assert tests.make(spell(test)) == test
    assert test.label == spell(test)
    assert pickle.loads(pickle.dumps(test)) == test


@every(EVERY)
def test_a_refusal_says_why_and_what_to_do(test: Test) -> None:
    for shape in SHAPES:
        if shape not in ANSWERED[test]:
            with at(shape):
                refusal = test.refuses(_PAIRS[shape])
                assert refusal is not None
                assert test.name in refusal or _PAIRS[shape].stats.name in refusal
                assert re.search(r"--test|\buse\b|\btry\b|belongs to", refusal), refusal
                assert "\n" not in refusal


@every(EVERY)
def test_the_question_is_a_sentence_about_this_pair(test: Test) -> None:
    for shape in ANSWERED[test]:
        with at(shape):
            question = test.question(_PAIRS[shape])
            assert "?" in question
            assert len(question.split()) >= 5


@every(EVERY)
def test_an_outcome_is_whole(test: Test) -> None:
    for shape, seed in itertools.product(ANSWERED[test], range(3)):
        with at((shape, seed)):
            found = outcome_of(test, shape, seed=seed)
            check_whole(found, pair(shape, seed=seed).gain, KINDS, lawful=test in LAWFUL)
            assert found.n_resamples is None or found.n_resamples >= RESAMPLES


@every(LAWFUL)
def test_identical_systems_have_p_1(test: Test) -> None:
    for shape, alternative in itertools.product(ANSWERED[test], ALTERNATIVES):
        with at((shape, alternative)):
            outcome = test.run(pair(shape, identical=True, alternative=alternative))
            assert outcome.p_value == 1
            assert "identical_outputs" in {note.code for note in outcome.notes}


@every(LAWFUL)
def test_one_sided_tests_look_to_their_side(test: Test) -> None:
    for shape in ANSWERED[test]:
        with at(shape):
            looks_to_its_side(test, shape)


def looks_to_its_side(test: Test, shape: Shape) -> None:
    shift = -1.0 if shape.metric.endswith("lower=true") else 1.0
    assert pair(shape, shift=shift).gain > 0
    kinds = {a: outcome_of(test, shape, shift=shift, alternative=a) for a in ALTERNATIVES}
    greater, less, both = (p_of(test, shape, shift=shift, alternative=a) for a in ("greater", "less", "two-sided"))
    assert greater < less
    assert greater <= both
    assert greater <= 0.5
    small = [p_of(test, shape, seed=1, alternative=a) for a in ALTERNATIVES]
    assert small[ALTERNATIVES.index("two-sided")] > 1.2 * min(small), "both tails count"
    # an observed value lies in both tails; a saddlepoint beside a sampled p does not know that
    mixed = kinds["greater"].p_kind != kinds["less"].p_kind
    assert greater + less >= 1 - (5 * (kinds["less"].p_error or 0.0) if mixed else 1e-9)
    if kinds["greater"].p_kind != MONTE_CARLO and not test.label.endswith("-cc"):
        # these have no symmetric law: of ratios, and of redrawn items
        assert both <= 2 * greater + 1e-9 or test.name in ("randomization", "bootstrap")


@every(LAWFUL)
def test_exchanging_the_systems_mirrors_the_test(test: Test) -> None:
    for shape in ANSWERED[test]:
        with at(shape):
            is_mirrored(test, shape)


def is_mirrored(test: Test, shape: Shape) -> None:
    mirrored: tuple[tuple[Alternative, Alternative], ...] = (
        ("two-sided", "two-sided"),
        ("greater", "less"),
        ("less", "greater"),
    )
    # resamples are not mirrored with the systems: a sampled p-value is another estimate of the same number
    sampled = outcome_of(test, shape, seed=0).p_kind == MONTE_CARLO
    for seed, (alternative, mirror) in enumerate(mirrored[:1] * 3 if sampled else mirrored):
        data = pair(shape, seed=seed, alternative=alternative)
        swap = pair(shape, seed=seed, alternative=mirror, swapped=True)
        assert swap.gain == pytest.approx(-data.gain, rel=1e-12)
        # the outcome of two-sided tests is known from above
        known = {} if alternative == "two-sided" else {"alternative": alternative}
        there, back = outcome_of(test, shape, seed=seed, **known), test.run(swap)
        assert there.p_value is not None
        assert back.p_value is not None
        if sampled:
            # 5 standard errors of a difference of two estimates: a false alarm in 10^6
            assert abs(there.p_value - back.p_value) < 5 * np.sqrt(2 * 0.25 / RESAMPLES)
            continue
        assert back.p_value == pytest.approx(there.p_value, rel=1e-9)
        assert back.p_kind == there.p_kind
        if there.ci is not None and back.ci is not None:
            assert back.ci == pytest.approx((-there.ci[1], -there.ci[0]), rel=1e-9, abs=1e-12)


@every(EVERY)
def test_the_same_data_give_the_same_outcome_and_stay_what_they_are(test: Test) -> None:
    """Other tests of the pair see the same arrays."""
    for shape in ANSWERED[test]:
        data = pair(shape)
        given = [*data.stats.items, *([data.differences] if data.stats.plain_mean else [])]
        kept = [values.copy() for values in given]
        assert test.run(data) == outcome_of(test, shape, seed=0), shape
        for values, before in zip(given, kept, strict=True):
            np.testing.assert_array_equal(values, before)


@every(EVERY)
def test_another_seed_draws_other_resamples(test: Test) -> None:
    """Or one that is bad by chance could not be told from the others."""
    sampled = [shape for shape in ANSWERED[test] if outcome_of(test, shape, seed=0).p_kind == MONTE_CARLO]
    seeds = itertools.product(sampled, range(3))
    assert not sampled or any(
        test.run(pair(shape, draws=seed)) != outcome_of(test, shape, seed=0) for shape, seed in seeds
    )


@every(LAWFUL)
def test_a_large_gain_is_found(test: Test) -> None:
    for shape in ANSWERED[test]:
        if shape.clusters == 0 and max(shape.runs) == 1 and shape.n > 30:
            down = -1 if shape.metric.endswith("lower=true") else 1
            outcome = test.run(pair(shape, shift=3.0 * down))
            assert outcome.p_value is not None
            assert 0 < outcome.p_value < max(0.02, 1.01 * (outcome.p_min or 0)), shape


@pytest.mark.parametrize("test", [t for t in LAWFUL if BY_NAME["a mean"] in ANSWERED[t]], ids=label)
@hypothesis_settings(max_examples=examples(20))
@given(
    values=st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=12),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_any_small_data_give_a_p_value(test: Test, values: list[tuple[int, int]], alternative: Alternative) -> None:
    """Ties, constant differences, single differences: p is a number in (0, 1], and 1 where nothing differs."""
    metric = metrics.make("mean")
    a, b = (np.array(v, dtype=float) for v in zip(*values, strict=True))
    systems = [statistics_of(metric, v, np.ones_like(v))[None] for v in (a, b)]
    stats = Statistics("mean", systems, metric.score, Design(len(a)), per_item=True)
    found = test.run(
        GainContrast(Resamples(("a", "b"), [stats], 0, Settings(n_resamples=100, alternative=alternative)), 0, 1)
    )
    if found.p_value is None:
        assert found.notes
    else:
        assert 0 < found.p_value <= 1 or "zero_variance" in {n.code for n in found.notes}
        assert found.p_value == 1 or (a != b).any()


def test_the_shapes_show_what_they_are_named_after() -> None:
    """Or the tests above would be about nothing."""
    assert pair(BY_NAME["right or wrong"]).binary
    assert pair(BY_NAME["clusters"]).n_units == 9
    assert not pair(BY_NAME["a weighted mean"]).stats.plain_mean
    assert pair(BY_NAME["lower is better"], shift=1.0).gain < 0
