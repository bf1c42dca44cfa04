"""Error rates are jiwer's, whatever the texts; the counts are those of a Levenshtein alignment."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from outscore.base.errors import MissingExtra
from outscore.base.items import Items
from outscore.metrics import metrics
from tests.examples import examples
from tests.metrics.translations import columns

jiwer = pytest.importorskip("jiwer")

RATES = ["wer", "cer", "mer", "wil"]
WORDS = ["the", "The", "cat", "sat", "on", ".", "it's", "日本", "a-b", "", "\t"]
texts = st.one_of(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), st.text(max_size=8))
Corpus = list[tuple[str, str]]
corpora = st.lists(st.tuples(texts, texts), min_size=1, max_size=6)


def statistics(spec: str, corpus: Corpus, *more: list[str]) -> Any:
    outputs, references = (list(side) for side in zip(*corpus, strict=True))
    return metrics.make(spec).statistics(Items(n=len(outputs), outputs=outputs, references=(references, *more)))


def score(spec: str, corpus: Corpus, *more: list[str]) -> float:
    return float(metrics.make(spec).score(statistics(spec, corpus, *more).sum(axis=0)))


def edits(a: list[str], b: list[str]) -> int:
    """The least number of substitutions, deletions and insertions, by the table."""
    row = list(range(len(b) + 1))
    for i, word in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


@pytest.mark.parametrize("name", RATES)
@settings(max_examples=examples(80))
@example(corpus=[("", "")])
@example(corpus=[("the cat", "")])
@example(corpus=[("", "the cat")])
@example(corpus=[("", "the cat"), ("a b", "")])
@given(corpus=corpora)
def test_rates_are_those_of_jiwer(name: str, corpus: Corpus) -> None:
    outputs, references = (list(side) for side in zip(*corpus, strict=True))
    assert score(name, corpus) == pytest.approx(getattr(jiwer, name)(references, outputs), rel=1e-12, abs=1e-12)


@settings(max_examples=examples(60))
@given(corpus=corpora)
def test_edits_are_the_fewest_and_lengths_are_those_of_the_texts(corpus: Corpus) -> None:
    for row, (output, reference) in zip(statistics("cer", corpus), corpus, strict=True):
        hits, substitutions, deletions, insertions = row
        heard, said = list(output.strip()), list(reference.strip())
        assert substitutions + deletions + insertions == edits(heard, said)
        assert hits + substitutions + deletions == len(said)
        assert hits + substitutions + insertions == len(heard)


def test_hand_counts() -> None:
    corpus = [("the cat sat at the mat now", "the cat sat on the mat"), ("hello", "hello world")]
    assert statistics("wer", corpus).tolist() == [[5, 1, 0, 1], [1, 0, 1, 0]]
    assert score("wer", corpus) == pytest.approx(3 / 8)
    assert score("mer", corpus) == pytest.approx(3 / 9)
    assert score("wil", corpus) == pytest.approx(1 - 6 / 8 * 6 / 8)


def test_rates_may_exceed_1_and_lower_is_better() -> None:
    assert score("wer", [("a b c", "x")]) == 3
    assert score("mer", [("a b c", "x")]) == 1
    assert not any(metrics.make(name).higher_is_better for name in RATES)


def test_of_several_references_the_nearest_counts() -> None:
    corpus = [("the cat sat", "a dog stood there"), ("yes", "yes")]
    assert statistics("wer", corpus, ["the cat sits", ""]).tolist() == [[2, 1, 0, 0], [1, 0, 0, 0]]


def test_a_missing_reference_is_not_nearest_to_an_empty_output() -> None:
    assert score("wer", [("", "the cat")], [""]) == 1


def test_case_and_punctuation_count_unless_told_otherwise() -> None:
    corpus = [("the cat sat", "The cat, sat.")]
    assert score("wer", corpus) == 1
    assert score("wer:lowercase=true", corpus) == pytest.approx(2 / 3)
    assert score("wer:lowercase=true,no_punct=true", corpus) == 0
    assert score("cer:lowercase=true,no_punct=true", corpus) == 0
    signature = metrics.make("wer:lowercase=true").signature(Items(n=1, outputs=["a"], references=(["a"],)))
    assert signature == f"wer|nrefs:1|case:lc|punct:yes|version:jiwer-{version('jiwer')}"


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jiwer", None)
    with pytest.raises(MissingExtra, match=r"cer needs an extra: pip install 'outscore\[asr\]'"):
        score("cer", [("a", "a")])


@pytest.mark.data
@pytest.mark.parametrize("name", RATES)
def test_a_corpus_of_sentences_against_jiwer(name: str, data_root: Path) -> None:
    texts = columns(data_root)
    outputs, references = texts["sys:baseline.opt0"][:800], texts["ref:0"][:800]
    found = score(name, list(zip(outputs, references, strict=True)))
    assert found == pytest.approx(getattr(jiwer, name)(references, outputs), rel=1e-12)
    assert 0.3 < found < 1
