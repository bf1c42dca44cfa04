"""BLEU's tokens, n-grams and scores are sacrebleu's, though they are found for many texts at once.

Oracle: sacrebleu (2.6.0 when this was written): its tokenizers, its ``_extract_corpus_statistics``, on which its own
significance tests stand, and its ``compute_bleu``, a loop over orders for one corpus.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics.bleu import Bleu
from outscore.metrics.shared import sacre
from outscore.metrics.shared.ngrams import Tokens, tokens_13a
from tests.examples import examples, first
from tests.metrics.translations import SETS, translations, without_missing

many = settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow])
few = settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])

# what the rules of 13a speak of, what meets them, and the blanks and controls of Unicode
PIECES = [
    *("a", "B", "é", "ß", "日本", "\U0001f600", "0", "7", "12", "٣", "²", "ⅷ", "e\u0301", "İ", "Σ"),
    *(".", ",", "..", ".,", "-", "--", "'", "/", "@", "[", "]", "{", "~", "`", "$", "%", "&", "(", "!", "?", "…", "“"),
    *("&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&amp", "<skipped>", "<ski<skipped>pped>", "<", ">", ";"),
    *(" ", "  ", "\t", "\n", "-\n", "-<skipped>\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0"),
    *("\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u3000", "\u200b", "\ufeff", "\0", "\x7f", "\xad"),
]
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.text(max_size=12))


def theirs(lines: Sequence[str]) -> Tokens:
    tokenizer = BLEU(tokenize="13a").tokenizer
    return Tokens.of([tokenizer(line.rstrip()).split() for line in lines])


def assert_same_tokens(lines: Sequence[str]) -> None:
    found, expected = tokens_13a(lines), theirs(lines)
    assert found.lengths.tolist() == expected.lengths.tolist()
    # both number tokens in the order in which they first appear
    assert found.ids.tolist() == expected.ids.tolist()


@many
@example([])
@example([""])
@example(["", " ", "\n"])
@example(["a-\nb", "a-\n", "-\n-\n", "a-<skipped>\nb"])
@example(["1.5,3 .5 5. 5.a a.5 a,.b ...", "1-2 a-2 1--2", "&amp;quot;&quot", "\xa0.\u30005,"])
@given(lines=st.lists(texts, max_size=6))
def test_tokens_are_those_of_sacrebleu(lines: list[str]) -> None:
    assert_same_tokens(lines)


def test_every_character_is_cut_as_by_sacrebleu() -> None:
    """All that are no letters or digits, between letters, between digits, doubled, and alone."""
    others = [c for c in map(chr, range(sys.maxunicode + 1)) if not c.isalnum() and not "\ud800" <= c <= "\udfff"]
    named = [c for c in others if c < "\u3100" or c.isspace()]
    assert_same_tokens([f"a{c}b 1{c}2 {c} {c}{c} .{c}. 3{c}" for c in named])


def test_equal_tokens_have_equal_numbers() -> None:
    """Within a text, between texts, and whatever stands beside them."""
    found = tokens_13a(["the cat, the dog.", "dog", "(cat)"])
    assert found.ids.tolist() == [0, 1, 2, 0, 3, 4, 3, 5, 1, 6]
    assert found.lengths.tolist() == [6, 1, 3]


def oracle(metric: Bleu, references: Sequence[Sequence[str]]) -> Any:
    """sacrebleu's own object that knows the references."""
    return BLEU(
        tokenize=metric.tokenize,
        lowercase=metric.lowercase,
        max_ngram_order=metric.max_order,
        force=True,
        references=without_missing(references),
    )


def assert_same_statistics(metric: Bleu, theirs: Any, outputs: Sequence[str], references: Sequence[list[str]]) -> None:
    found = metric.statistics(Items(n=len(outputs), outputs=outputs, references=tuple(references)))
    assert found.tolist() == theirs._extract_corpus_statistics(outputs, None)


words = st.lists(st.sampled_from(["the", "The", "cat", "cat,", "sat.", "1.5", "."]), max_size=12).map(" ".join)


@many
@given(data=st.data(), order=st.sampled_from([1, 2, 4, 4, 6, 30]), lowercase=st.booleans(),
       tokenize=st.sampled_from(["13a", "13a", "none", "intl", "zh", "char"]))  # fmt: skip
def test_statistics_are_those_of_sacrebleu(data: st.DataObject, order: int, lowercase: bool, tokenize: str) -> None:
    """Few distinct words, so that n-grams repeat; items that share their references; references that are missing."""
    n, streams = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
    text = st.one_of(words, words, st.just(""), texts)
    references = [data.draw(st.lists(text, min_size=n, max_size=n)) for _ in range(streams)]
    outputs = data.draw(st.lists(text, min_size=n, max_size=n))
    again = data.draw(st.lists(st.integers(0, n - 1), max_size=4))
    references = [stream + [stream[i] for i in again] for stream in references]
    outputs += outputs[::-1][: len(again)]
    outputs += [""] * (n + len(again) - len(outputs))
    metric = Bleu(tokenize=tokenize, lowercase=lowercase, max_order=order)
    assert_same_statistics(metric, oracle(metric, references), outputs, references)


def test_of_two_references_as_near_the_shorter_counts() -> None:
    items = Items(n=2, outputs=["a b c", "a b c"], references=(["a b c d", "a b"], ["a b", "a b c d"], ["a", "a"]))
    assert Bleu().statistics(items)[:, 1].tolist() == [2, 2]


def test_a_match_counts_as_often_as_in_the_reference_that_has_it_most_often() -> None:
    items = Items(n=1, outputs=["the the the the"], references=(["the cat the"], ["the dog sat there on a mat"]))
    assert Bleu(max_order=1).statistics(items).tolist() == [[4, 3, 2, 4]]


@few
@given(pairs=st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3).map(tuple)), min_size=1, max_size=9),
       characters=st.sampled_from([1, 10, 100]))  # fmt: skip
def test_many_texts_are_counted_inparts_of(pairs: list[sacre.Pair], characters: int) -> None:
    """No part is longer than a limit and one text more, and none is lost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sacre, "_PART", characters)
        parts = sacre.split_texts(pairs)
    assert [pair for part in parts for pair in part] == pairs
    for part in parts:
        assert sum(len("".join([output, *references])) for output, references in part[1:]) <= characters


OPTIONS: list[dict[str, Any]] = [
    *({"smooth": s, "effective_order": e} for s in ("exp", "floor", "add-k", "none") for e in (False, True)),
    *({"max_order": n, "smooth": s} for n in (1, 2, 3, 6) for s in ("exp", "add-k")),
    {"variant": "slide"},
]


def label(options: dict[str, Any]) -> str:
    return ",".join(f"{k}={v}" for k, v in options.items())


@st.composite
def sums(draw: st.DrawFn, order: int) -> list[int]:
    """Sums of statistics as texts can have them: fewer n-grams than words, fewer matches than n-grams; often 0."""
    most = draw(st.sampled_from([3, 100, 100_000]))
    numbers = st.lists(st.integers(draw(st.sampled_from([0, 0, 1])), most), min_size=order, max_size=order)
    totals, matches = (sorted(draw(numbers), reverse=True) for _ in range(2))
    return [totals[0], draw(st.integers(0, most)), *map(min, matches, totals), *totals]


@pytest.mark.parametrize("options", OPTIONS[:-1], ids=label)
@few
@given(data=st.data())
def test_a_score_of_sums_is_that_of_sacrebleu(options: dict[str, Any], data: st.DataObject) -> None:
    metric = Bleu(**options)
    row = data.draw(sums(metric.max_order))
    expected = metric.reference_implementation()._compute_score_from_stats(list(row)).score
    assert float(metric.score(np.array(row, dtype=float))) == pytest.approx(expected, rel=1e-12, abs=1e-300)


def layouts(batch: Float) -> dict[str, Float]:
    """The same sums ``(b, 2, k)`` in other orders of memory."""
    by_column = np.ascontiguousarray(batch.transpose(1, 2, 0)).transpose(2, 0, 1)
    spread = np.full((2 * len(batch), *batch.shape[1:]), np.nan)
    spread[::2] = batch
    return {
        "rows": batch,
        "columns": by_column,
        "Fortran": np.asfortranarray(batch),
        "spread": spread[::2],
        "backwards": np.ascontiguousarray(batch[::-1])[::-1],
    }


@pytest.mark.parametrize("options", OPTIONS, ids=label)
@few
@given(data=st.data())
def test_a_score_is_the_same_bits_alone_or_among_others(options: dict[str, Any], data: st.DataObject) -> None:
    """Equal resamples must tie, whatever the block they were drawn in."""
    metric = Bleu(**options)
    rows = data.draw(st.lists(sums(metric.max_order), min_size=1, max_size=6))
    times = data.draw(st.sampled_from([1, 7, 40]))
    batch = np.stack([np.array(rows * times, dtype=float), np.array(rows[::-1] * times, dtype=float)], axis=1)
    alone = np.array([[float(metric.score(row)) for row in pair] for pair in batch])
    for name, view in layouts(batch).items():
        assert metric.score(view).tolist() == alone.tolist(), name


def test_sums_are_read_and_not_written() -> None:
    batch = np.array([[7, 8, 6, 4, 2, 1, 7, 6, 5, 4], [3, 3, 3, 2, 1, 0, 3, 2, 1, 0]], dtype=float)
    kept = batch.copy()
    Bleu().score(batch)
    assert batch.tolist() == kept.tolist()


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", first(SETS, "mt_multeval_opt"))
def test_tokens_of_every_translation_set(data_root: Path, name: str) -> None:
    systems, references = translations(data_root, name)
    for stream in [*systems, *references]:
        assert_same_tokens(stream)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", first(SETS, "mt_multeval_opt", "mt_wmt22_de-en"))
def test_statistics_of_every_translation_set(data_root: Path, name: str) -> None:
    systems, references = translations(data_root, name)
    prepared = oracle(Bleu(), references)
    for outputs in systems:
        assert_same_statistics(Bleu(), prepared, outputs, references)


WAYS = [("13a", True), ("intl", False), ("none", True)]


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "tokenize", "lowercase"),
    first(
        [(name, *way) for name in SETS for way in WAYS],
        (SETS[2], *WAYS[2]),
        others=pytest.mark.slow,
    ),
)
def test_other_statistics_of_a_system_of_every_set(data_root: Path, name: str, tokenize: str, lowercase: bool) -> None:
    """One reference, another tokenizer, one case."""
    systems, references = translations(data_root, name)
    metric = Bleu(tokenize=tokenize, lowercase=lowercase)
    assert_same_statistics(metric, oracle(metric, references[:1]), systems[-1], references[:1])


@pytest.mark.parametrize("references", [[["a b"] * 3], [["a b"] * 3, ["b"] * 3], [["a b"] * 3, ["b", "", "c"]]])
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("effective_order", [False, True])
def test_the_signature_is_sacrebleus(references: list[list[str]], lowercase: bool, effective_order: bool) -> None:
    items = Items(n=3, outputs=["a b", "b", "c"], references=tuple(references))
    metric = Bleu(lowercase=lowercase, effective_order=effective_order)
    theirs = BLEU(lowercase=lowercase, effective_order=effective_order, force=True)
    streams: list[Any] = [[text or None for text in stream] for stream in references]
    theirs.corpus_score(list(items.outputs or ()), streams)
    assert metric.signature(items) == str(theirs.get_signature())
