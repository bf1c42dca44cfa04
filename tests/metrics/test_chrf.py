"""chrF's n-grams are sacrebleu's, segment by segment, though they are found for many texts at once.

Oracle: sacrebleu (2.6.0 when this was written), its ``_extract_corpus_statistics``, on which its own significance tests
stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from outscore.base.items import Items
from outscore.metrics.chrf import Chrf
from tests.examples import examples, first
from tests.metrics.translations import SETS, translations, without_missing

many = settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow])

OPTIONS: list[dict[str, Any]] = [
    {},
    {"word_order": 2},
    {"char_order": 1},
    {"char_order": 9, "word_order": 3, "beta": 1},
    {"whitespace": True},
    {"lowercase": True, "whitespace": True, "word_order": 1},
    {"eps_smoothing": True, "word_order": 2},
    {"eps_smoothing": True, "char_order": 10},
    {"beta": 0},
]

pieces = ["ab", "a", "A.", ".", "(b)", "(", "ab,", " ", "\n", "\u3000", "\xa0", "日本", "\U0001f600", "İ", "--", "b-a"]
texts = st.one_of(st.lists(st.sampled_from(pieces), max_size=10).map("".join), st.text(max_size=12), st.just(""))


def label(options: dict[str, Any]) -> str:
    return ",".join(f"{k}={v}" for k, v in options.items()) or "default"


def oracle(references: Sequence[Sequence[str]], **options: Any) -> CHRF:
    """sacrebleu's own object that knows the references."""
    return CHRF(**options, references=without_missing(references))


def assert_same(metric: Chrf, theirs: CHRF, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    found = metric.statistics(Items(n=len(outputs), outputs=outputs, references=tuple(references)))
    assert found.tolist() == theirs._extract_corpus_statistics(outputs, None)


@pytest.mark.parametrize("options", OPTIONS, ids=label)
@many
@given(data=st.data())
def test_statistics_are_those_of_sacrebleu(options: dict[str, Any], data: st.DataObject) -> None:
    """Few characters, so that n-grams repeat and references tie; items that share references; missing references."""
    n, streams = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
    references = [data.draw(st.lists(texts, min_size=n, max_size=n)) for _ in range(streams)]
    outputs = [data.draw(st.one_of(texts, st.sampled_from([r[i] for r in references]))) for i in range(n)]
    again = data.draw(st.lists(st.integers(0, n - 1), max_size=4))
    references = [stream + [stream[i] for i in again] for stream in references]
    outputs += [data.draw(texts) for _ in again]
    assert_same(Chrf(**options), oracle(references, **options), outputs, references)


@pytest.mark.parametrize("n", first([400, 3000], 400))
@pytest.mark.parametrize("options", OPTIONS, ids=label)
def test_of_equally_good_references_the_first_is_chosen(options: dict[str, Any], n: int) -> None:
    """Hundreds of short texts of two letters with four references: ties, exact and nearly exact, are frequent."""
    draw = np.random.default_rng(1)
    outputs, *references = (
        ["".join(draw.choice(["a", "b", " "], draw.integers(1, 8))) for _ in range(n)] for _ in "01234"
    )
    assert_same(Chrf(**options), oracle(references, **options), outputs, references)


@pytest.mark.parametrize(
    "options",
    [pytest.param(o, marks=pytest.mark.slow if o in OPTIONS[3:5] + OPTIONS[6:] else ()) for o in OPTIONS],
    ids=label,
)
@many
@given(data=st.data())
def test_a_score_is_the_same_bits_alone_or_among_others(options: dict[str, Any], data: st.DataObject) -> None:
    """Equal resamples must tie, whatever the block they were drawn in; so must the references of one segment."""
    metric = Chrf(**options)
    orders = metric.char_order + metric.word_order
    number = st.one_of(st.integers(0, 3), st.integers(0, 100_000))
    order = st.tuples(number, number, number).map(lambda c: [c[0], c[1], min(c)])
    rows = data.draw(st.lists(st.lists(order, min_size=orders, max_size=orders), min_size=1, max_size=6))
    batch = np.array(rows * 7, dtype=float).reshape(-1, 3 * orders)
    theirs = metric.reference_implementation()
    alone = [theirs._compute_f_score([c for cell in row for c in cell]) for row in rows * 7]
    by_column = np.ascontiguousarray(batch.T).T
    assert metric.score(batch).tolist() == metric.score(by_column).tolist() == alone
    assert [float(metric.score(row)) for row in batch] == alone


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_some_segments_of_every_translation_set(data_root: Path, name: str) -> None:
    """One in ten, with two orders of words, and all references."""
    systems, references = translations(data_root, name)
    references = [stream[::10] for stream in references]
    assert_same(Chrf(word_order=2), oracle(references, word_order=2), systems[0][::10], references)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("options", [{}, {"word_order": 2}], ids=label)
@pytest.mark.parametrize("name", first(SETS, "mt_multeval_opt"))
def test_every_segment_of_every_translation_set(data_root: Path, name: str, options: dict[str, Any]) -> None:
    systems, references = translations(data_root, name)
    theirs = oracle(references, **options)
    for outputs in systems:
        assert_same(Chrf(**options), theirs, outputs, references)
