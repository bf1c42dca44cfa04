"""What every registered test of independent samples keeps, with every value of its options."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
import re
import typing
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from outscore.base.arrays import Float
from outscore.base.registry import spell
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import ASYMPTOTIC, EXACT, MONTE_CARLO
from outscore.significance.independent import IndependentSamples, IndependentTest, Unit, independent_tests
from outscore.significance.settings import Settings

RESAMPLES = 400


def variants(name: str) -> Iterator[IndependentTest]:
    """A test with every combination of its options that have a list of values."""
    cls = independent_tests.find(name)
    hints = typing.get_type_hints(cls)
    choices: dict[str, tuple[object, ...]] = {}
    for field in dataclasses.fields(cls):
        if typing.get_origin(hints[field.name]) is typing.Literal:
            choices[field.name] = typing.get_args(hints[field.name])
        elif hints[field.name] is bool:
            choices[field.name] = (False, True)
    for values in itertools.product(*choices.values()):
        yield cls(**dict(zip(choices, values, strict=True)))


NAMES = independent_tests.names()
EVERY = [test for name in NAMES for test in variants(name)]


@dataclasses.dataclass(frozen=True)
class Shape:
    """One kind of samples: how a number is drawn, what it stands for, and how many there are."""

    name: str
    values: Callable[[np.random.Generator, int], Float]
    sizes: tuple[int, int]
    unit: Unit = "item"

    def __str__(self) -> str:
        return self.name


def real(draw: np.random.Generator, n: int) -> Float:
    return draw.normal(0, 1, n).round(2)


SHAPES = [
    Shape("real items", real, (31, 24)),
    Shape("right or wrong", lambda draw, n: (draw.random(n) < 0.5).astype(float), (40, 31)),
    Shape("heavy ties", lambda draw, n: draw.integers(0, 4, n).astype(float), (25, 30)),
    Shape("runs", real, (5, 4), "run"),
    Shape("as many runs", real, (6, 6), "run"),
]


def samples(
    shape: Shape,
    *,
    seed: int = 0,
    shift: float = 0.0,
    constant: bool = False,
    swapped: bool = False,
    alternative: Alternative = "two-sided",
) -> IndependentSamples:
    """Two samples of one shape; ``shift`` is added to the numbers of the system."""
    draw = np.random.default_rng(seed)
    system, baseline = (np.ones(n) if constant else shape.values(draw, n) for n in shape.sizes)
    binary = shape.name == "right or wrong"
    system = np.clip(system + np.sign(shift), 0, 1) if binary else system + shift
    system, baseline = (baseline, system) if swapped else (system, baseline)
    made = Settings(n_resamples=RESAMPLES, alternative=alternative)
    return IndependentSamples(system=system, baseline=baseline, unit=shape.unit, settings=made)


ANSWERED = [(t, s) for t in EVERY for s in SHAPES if t.refuses(samples(s)) is None]


def label(value: object) -> str:
    return spell(value) if isinstance(value, IndependentTest) else str(value)


def every(pairs: list[tuple[IndependentTest, Shape]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("test", "shape"), pairs, ids=label)


def p_of(test: IndependentTest, data: IndependentSamples) -> float:
    p = test.run(data).p_value
    assert p is not None
    return p


@pytest.mark.parametrize("name", NAMES)
def test_every_test_answers_for_some_samples(name: str) -> None:
    assert any(test.name == name for test, _ in ANSWERED)


@pytest.mark.parametrize("name", NAMES)
def test_the_docstring_explains_every_option(name: str) -> None:
    cls = independent_tests.find(name)
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    for field in dataclasses.fields(cls):
        assert field.name in (cls.__doc__ or "")


@pytest.mark.parametrize("test", EVERY, ids=label)
def test_the_name_of_a_test_makes_it_again(test: IndependentTest) -> None:
    assert independent_tests.make(spell(test)) == test
    assert pickle.loads(pickle.dumps(test)) == test


@pytest.mark.parametrize("test", EVERY, ids=label)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_refusal_says_why_and_what_to_do(test: IndependentTest, shape: Shape) -> None:
    refusal = test.refuses(samples(shape))
    if refusal is not None:
        assert test.name in refusal
        assert re.search(r"\buse\b|\bgive\b|--unit", refusal), refusal
        assert "\n" not in refusal


@every(ANSWERED)
def test_an_outcome_is_whole(test: IndependentTest, shape: Shape) -> None:
    assert test.question(samples(shape)).split("?")[0].split()[4:]
    for seed in range(3):
        data = samples(shape, seed=seed)
        outcome = test.run(data)
        assert outcome == test.run(data), "the same data give the same outcome"
        assert outcome.p_value is not None
        assert 0 < outcome.p_value <= 1
        assert outcome.p_kind in (EXACT, MONTE_CARLO, ASYMPTOTIC)
        assert (outcome.p_error is not None) == (outcome.n_resamples is not None) == (outcome.p_kind == MONTE_CARLO)
        if outcome.p_min is not None:
            assert 0 < outcome.p_min <= outcome.p_value * (1 + 1e-9)
        if outcome.ci is not None:
            assert outcome.ci[0] <= data.gain <= outcome.ci[1]
            assert outcome.ci_method
        assert len({note.code for note in outcome.notes}) == len(outcome.notes)
        for value in outcome.effect.values():
            assert value is None or isinstance(value, str | int | float)


@every(ANSWERED)
def test_where_nothing_varies_p_is_1(test: IndependentTest, shape: Shape) -> None:
    for alternative in ALTERNATIVES:
        data = samples(shape, constant=True, alternative=alternative)
        outcome = test.run(data)
        assert outcome.p_value == 1
        assert "identical_outputs" in {note.code for note in outcome.notes}


@every(ANSWERED)
def test_one_sided_tests_look_to_their_side(test: IndependentTest, shape: Shape) -> None:
    data = {a: samples(shape, shift=0.8, alternative=a) for a in ALTERNATIVES}
    assert data["greater"].gain > 0
    greater, less, both = (p_of(test, data[a]) for a in ("greater", "less", "two-sided"))
    assert greater < less
    assert greater <= both * (1 + 1e-9)
    # an observed value lies in both tails
    assert test.run(data["less"]).p_kind == MONTE_CARLO or greater + less >= 1 - 1e-9


@every(ANSWERED)
def test_exchanging_the_systems_mirrors_the_test(test: IndependentTest, shape: Shape) -> None:
    mirrored: tuple[tuple[Alternative, Alternative], ...] = (("two-sided", "two-sided"), ("greater", "less"))
    for seed, (alternative, mirror) in itertools.product(range(3), mirrored):
        there = test.run(samples(shape, seed=seed, alternative=alternative))
        back = test.run(samples(shape, seed=seed, alternative=mirror, swapped=True))
        assert there.p_value is not None
        assert back.p_value is not None
        assert back.p_kind == there.p_kind
        if there.p_kind == MONTE_CARLO:
            # 5 standard errors of a difference of two estimates: a false alarm in 10^6
            assert abs(there.p_value - back.p_value) < 5 * np.sqrt(2 * 0.25 / RESAMPLES)
        else:
            assert back.p_value == pytest.approx(there.p_value, rel=1e-9)
            if there.ci is not None and back.ci is not None:
                assert back.ci == pytest.approx((-there.ci[1], -there.ci[0]), rel=1e-9, abs=1e-12)


@every([(t, s) for t, s in ANSWERED if s.unit == "item"])
def test_a_large_gain_is_found(test: IndependentTest, shape: Shape) -> None:
    outcome = test.run(samples(shape, shift=3.0))
    assert outcome.p_value is not None
    assert outcome.p_value < max(0.02, 1.01 * (outcome.p_min or 0))


@pytest.mark.parametrize("test", [t for t in EVERY if any(a == t and s.unit == "run" for a, s in ANSWERED)], ids=label)
@hypothesis_settings(max_examples=15)
@given(
    system=st.lists(st.integers(-3, 3), min_size=1, max_size=8),
    baseline=st.lists(st.integers(-3, 3), min_size=1, max_size=8),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_any_small_samples_give_a_p_value(
    test: IndependentTest, system: list[int], baseline: list[int], alternative: Alternative
) -> None:
    """Ties, constant samples, single numbers: p is a number in (0, 1], or a note says why there is none."""
    made = Settings(n_resamples=100, alternative=alternative)
    a, b = np.array(system, dtype=float), np.array(baseline, dtype=float)
    data = IndependentSamples(system=a, baseline=b, unit="run", settings=made)
    if test.refuses(data) is not None:
        return
    found = test.run(data)
    if found.p_value is None:
        assert found.notes
    else:
        assert 0 < found.p_value <= 1
