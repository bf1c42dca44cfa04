"""TER's statistics are sacrebleu's, segment by segment, though they are found by other means.

Oracle: sacrebleu 2.6.0, its ``translation_edit_rate`` for word sequences, and the statistics of its ``TER`` for texts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter
from sacrebleu.metrics.ter import TER

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics import ter
from outscore.metrics.ter import Ter
from tests.examples import examples, first
from tests.metrics.translations import SETS, translations, without_missing

Pair = tuple[list[str], list[str]]

many = settings(max_examples=examples(150), suppress_health_check=[HealthCheck.too_slow])
few = settings(max_examples=examples(15), suppress_health_check=[HealthCheck.too_slow])

LIMITS = {"_BEAM": "_BEAM_WIDTH", "_BLOCK": "_MAX_SHIFT_SIZE", "_DISTANCE": "_MAX_SHIFT_DIST",
          "_TRIED": "_MAX_SHIFT_CANDIDATES"}  # fmt: skip

NARROW = [[1, 2, 3, 25], [1, 3, 10], [0, 4, 50], [1, 10, 1000]]


@st.composite
def pairs(draw: st.DrawFn, longest: int = 40) -> Pair:
    """An output and a reference of few distinct words: blocks of it in another order, with edits, or anything."""
    words = st.sampled_from([str(i) for i in range(draw(st.sampled_from([1, 2, 3, 5, 10, 30])))])
    reference = draw(st.lists(words, max_size=longest))
    if draw(st.booleans()):
        return draw(st.lists(st.one_of(words, st.just("x")), max_size=longest)), reference
    output = list(reference)
    for _ in range(draw(st.integers(1, 4))):
        start, target = draw(st.integers(0, len(output))), draw(st.integers(0, len(output)))
        block = output[start : start + draw(st.integers(1, 1 + longest // 3))]
        del output[start : start + len(block)]
        output[target:target] = block
        if draw(st.booleans()):
            output.insert(target, draw(words))
    return output, reference


def theirs(pair: Pair) -> int:
    return int(lib_ter.translation_edit_rate(*pair)[0])


@many
@example(([], []))
@example((["a"], []))
@example(([], ["a", "b"]))
@example((["a", "b"], ["b", "a"]))
@example((list("abcab"), list("bcaba")))
@example((list("cbadb"), list("abcbd")))  # a target right behind the block
@example((list("cdfgfa"), list("chadfg")))  # a target right behind a block that is not the first
@given(pair=pairs())
def test_edits_are_those_of_sacrebleu(pair: Pair) -> None:
    assert ter.count_shifted_edits(*pair) == theirs(pair)


def test_of_no_reference_any_word_is_wholly_wrong() -> None:
    sums = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 4.0]])
    assert Ter().score(sums).tolist() == [0.0, 100.0, 100.0, 25.0]


@few
@given(pair=pairs(longest=100))
def test_edits_of_long_texts_are_those_of_sacrebleu(pair: Pair) -> None:
    assert ter.count_shifted_edits(*pair) == theirs(pair)


@pytest.mark.parametrize(
    "limits",
    [
        {"_BEAM": 1},
        {"_BEAM": 2, "_DISTANCE": 4},
        {"_BEAM": 5, "_BLOCK": 3},
        {"_DISTANCE": 0},
        {"_DISTANCE": 3},
        {"_BLOCK": 1},
        {"_TRIED": 1},
        {"_TRIED": 10},
        {"_TRIED": 40, "_BEAM": 3},
    ],
    ids=str,
)
@many
@given(pair=pairs())
def test_every_limit_cuts_as_in_sacrebleu(limits: dict[str, int], pair: Pair) -> None:
    """With narrow limits short texts meet all of them; sacrebleu gets the same ones."""
    with pytest.MonkeyPatch.context() as patch:
        for ours, limit in limits.items():
            patch.setattr(ter, ours, limit)
            patch.setattr(lib_ter, LIMITS[ours], limit)
        assert ter.count_shifted_edits(*pair) == theirs(pair)


@pytest.mark.parametrize("number", [600, pytest.param(4000, marks=pytest.mark.slow)])
def test_many_short_texts_under_narrow_limits(number: int) -> None:
    """Rare meetings of limits, which shrinking searches seldom reach: very different lengths, paths along the beam."""
    draw = np.random.default_rng(1)
    with pytest.MonkeyPatch.context() as patch:
        for _ in range(number):
            for (ours, limit), choices in zip(LIMITS.items(), NARROW, strict=True):
                value = int(draw.choice(choices))
                patch.setattr(ter, ours, value)
                patch.setattr(lib_ter, limit, value)
            words = draw.choice([1, 2, 3, 5, 10])
            output, reference = (draw.integers(words, size=draw.integers(draw.choice([5, 40]))) for _ in range(2))
            pair = [*map(str, output)], [*map(str, reference)]
            assert ter.count_shifted_edits(*pair) == theirs(pair)


def test_the_limits_are_those_of_sacrebleu() -> None:
    assert {ours: getattr(ter, ours) for ours in LIMITS} == {o: getattr(lib_ter, t) for o, t in LIMITS.items()}


def numbers(*of: int, kind: str = "") -> list[str]:
    return [f"{kind}{i}" for i in range(*of)]


FAR: Pair = (numbers(60) + numbers(30, kind="after"), numbers(30, kind="before") + numbers(60))
NUMBERS = np.random.default_rng(1)
LONG: dict[str, Pair] = {
    "what is equal lies outside the beam": FAR,
    "two halves in the other order": (numbers(60, 120) + numbers(60), numbers(120)),
    "two words over and over": ([*map(str, NUMBERS.integers(2, size=90))], [*map(str, NUMBERS.integers(2, size=90))]),
    "much shorter": (["1", "7", "3"], [*map(str, NUMBERS.integers(9, size=400))]),
    "much longer": ([*map(str, NUMBERS.integers(40, size=600))], [*map(str, NUMBERS.integers(40, size=30))]),
    "a loop": (["the", "cat", "sat"] * 100, ["on", "the", "mat", "the", "cat", "sat", "again"] * 4),
    "all words in another order": ([*map(str, NUMBERS.permutation(70))], numbers(70)),
}


@pytest.mark.parametrize("case", first(LONG, "much shorter", "a loop", others=pytest.mark.slow))
def test_texts_of_hundreds_of_words(case: str) -> None:
    assert ter.count_shifted_edits(*LONG[case]) == theirs(LONG[case])


def test_the_beam_is_part_of_the_count() -> None:
    """Sixty words are equal, but thirty words away: aligned, they leave the thirty before and the thirty after."""
    narrow = ter.count_shifted_edits(*FAR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ter, "_BEAM", 40)
        assert ter.count_shifted_edits(*FAR) == 60 < narrow


def test_a_block_that_moved_is_one_edit() -> None:
    output, reference = ["d", "e", "a", "b", "c", "f"], ["a", "b", "c", "d", "e", "f"]
    assert ter.count_shifted_edits(output, reference) == 1
    assert ter.count_shifted_edits(["x", *output], reference) == 2


TEXT = st.lists(
    st.sampled_from(["the", "The", "cat", "cat,", "sat.", "\"on\"", "1.5", "日本語", "、", "&amp;", "a-b", "'s", "!"]),
    max_size=12,
).map(" ".join)  # fmt: skip


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("no_punct", [False, True])
@pytest.mark.parametrize("asian_support", [False, True])
@pytest.mark.parametrize("case_sensitive", [False, True])
@few
@example(outputs=[""], streams=[[""]])
@example(outputs=["", "the cat"], streams=[["the cat", ""]])
@given(outputs=st.lists(TEXT, min_size=1, max_size=5), streams=st.lists(st.lists(TEXT, min_size=5, max_size=5),
       min_size=1, max_size=3))  # fmt: skip
def test_statistics_are_those_of_sacrebleu_with_all_options(
    normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool, outputs: list[str], streams: Any
) -> None:
    options: dict[str, Any] = {
        "normalized": normalized,
        "no_punct": no_punct,
        "asian_support": asian_support,
        "case_sensitive": case_sensitive,
    }
    references = [stream[: len(outputs)] for stream in streams]
    assert_same(Ter(**options), TER(**options), outputs, references)


def assert_same(metric: Ter, oracle: Any, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    expected = oracle._extract_corpus_statistics(outputs, without_missing(references))
    found: Float = metric.statistics(Items(n=len(outputs), outputs=outputs, references=tuple(references)))
    assert found.tolist() == expected


PARTS = 8


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_some_segments_of_every_translation_set(data_root: Path, name: str) -> None:
    systems, references = translations(data_root, name)
    draw = np.random.default_rng(1)
    places = draw.choice(len(references[0]), size=40, replace=False)
    outputs = [systems[draw.integers(len(systems))][i] for i in places]
    assert_same(Ter(), TER(), outputs, [[stream[i] for i in places] for stream in references])


@pytest.mark.nightly
@pytest.mark.data
@pytest.mark.parametrize("part", range(PARTS if "OUTSCORE_EVERY_SEGMENT" in os.environ else 1))
@pytest.mark.parametrize("name", SETS)
def test_every_segment_of_every_translation_set(data_root: Path, name: str, part: int) -> None:
    """One in eight of them; all, which takes sacrebleu 40 minutes, where OUTSCORE_EVERY_SEGMENT is set."""
    systems, references = translations(data_root, name)
    for outputs in systems:
        assert_same(Ter(), TER(), outputs[part::PARTS], [stream[part::PARTS] for stream in references])


@pytest.mark.parametrize("moved", first([24, 25, 26, 27], 24, 25, others=pytest.mark.slow))
def test_words_that_moved_further_than_the_beam_are_not_found_again(moved: int) -> None:
    words = [f"w{i}" for i in range(30)]
    pair = [*(f"x{i}" for i in range(moved)), *words], [*words, *(f"y{i}" for i in range(moved))]
    assert ter.count_shifted_edits(*pair) == theirs(pair)


@pytest.mark.parametrize("place", [5, 30, 45, 70, 89])
def test_one_word_finds_its_place_in_a_long_reference_as_far_as_the_beam_goes(place: int) -> None:
    pair = [f"w{place}"], [f"w{i}" for i in range(90)]
    assert ter.count_shifted_edits(*pair) == theirs(pair)
