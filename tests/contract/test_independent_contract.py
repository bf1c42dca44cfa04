"""What every registered test of independent samples keeps, with every value of its options."""

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
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import ASYMPTOTIC, EXACT, MONTE_CARLO, Outcome
from outscore.significance.independent import IndependentSamples, IndependentTest, Unit, independent_tests
from outscore.significance.settings import Settings
from tests.contract.outcomes import check_whole
from tests.examples import at

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


_SAMPLES = {shape: samples(shape) for shape in SHAPES}
ANSWERED = {test: [shape for shape in SHAPES if test.refuses(_SAMPLES[shape]) is None] for test in EVERY}


def label(value: object) -> str:
    return spell(value) if isinstance(value, IndependentTest) else str(value)


every = pytest.mark.parametrize("test", EVERY, ids=label)


@functools.cache
def outcome_of(test: IndependentTest, shape: Shape, **how: Any) -> Outcome:
    return test.run(samples(shape, **how))


@pytest.mark.parametrize("name", NAMES)
def test_every_test_answers_for_some_samples(name: str) -> None:
    assert any(test.name == name and shapes for test, shapes in ANSWERED.items())


@every
def test_the_name_of_a_test_makes_it_again(test: IndependentTest) -> None:
    assert independent_tests.make(spell(test)) == test
    assert pickle.loads(pickle.dumps(test)) == test


@every
def test_a_refusal_says_why_and_what_to_do(test: IndependentTest) -> None:
    for shape in SHAPES:
        if shape not in ANSWERED[test]:
            with at(shape):
                refusal = test.refuses(_SAMPLES[shape])
                assert refusal is not None and test.name in refusal
                assert re.search(r"\buse\b|\bgive\b|--unit", refusal), refusal
                assert "\n" not in refusal


@every
def test_an_outcome_is_whole(test: IndependentTest) -> None:
    for shape, seed in itertools.product(ANSWERED[test], range(3)):
        with at((shape, seed)):
            assert test.question(_SAMPLES[shape]).split("?")[0].split()[4:]
            found = outcome_of(test, shape, seed=seed, alternative="two-sided")
            check_whole(found, samples(shape, seed=seed).gain, (EXACT, MONTE_CARLO, ASYMPTOTIC))


@every
def test_the_same_data_give_the_same_outcome(test: IndependentTest) -> None:
    for shape in ANSWERED[test]:
        assert test.run(samples(shape)) == outcome_of(test, shape, seed=0, alternative="two-sided"), shape


@every
def test_where_nothing_varies_p_is_1(test: IndependentTest) -> None:
    for shape, alternative in itertools.product(ANSWERED[test], ALTERNATIVES):
        with at((shape, alternative)):
            outcome = test.run(samples(shape, constant=True, alternative=alternative))
            assert outcome.p_value == 1
            assert "identical_outputs" in {note.code for note in outcome.notes}


@every
def test_one_sided_tests_look_to_their_side(test: IndependentTest) -> None:
    for shape in ANSWERED[test]:
        with at(shape):
            assert samples(shape, shift=0.8).gain > 0
            found = {a: outcome_of(test, shape, shift=0.8, alternative=a) for a in ALTERNATIVES}
            greater, less, both = (found[a].p_value for a in ("greater", "less", "two-sided"))
            assert greater is not None and less is not None and both is not None
            assert greater < less
            assert greater <= both * (1 + 1e-9)
            # an observed value lies in both tails
            assert found["less"].p_kind == MONTE_CARLO or greater + less >= 1 - 1e-9


@every
def test_exchanging_the_systems_mirrors_the_test(test: IndependentTest) -> None:
    mirrored: tuple[tuple[Alternative, Alternative], ...] = (("two-sided", "two-sided"), ("greater", "less"))
    for shape, seed, (alternative, mirror) in itertools.product(ANSWERED[test], range(3), mirrored):
        with at((shape, seed, alternative)):
            there = outcome_of(test, shape, seed=seed, alternative=alternative)
            is_mirrored(there, test.run(samples(shape, seed=seed, alternative=mirror, swapped=True)))


def is_mirrored(there: Outcome, back: Outcome) -> None:
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


@every
def test_a_large_gain_is_found(test: IndependentTest) -> None:
    for shape in ANSWERED[test]:
        if shape.unit == "item":
            outcome = test.run(samples(shape, shift=3.0))
            assert outcome.p_value is not None
            assert outcome.p_value < max(0.02, 1.01 * (outcome.p_min or 0)), shape


@pytest.mark.parametrize("test", [t for t in EVERY if any(s.unit == "run" for s in ANSWERED[t])], ids=label)
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
