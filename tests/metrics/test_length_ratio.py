"""Length against the reference that is closest in length, as BLEU chooses it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from outscore.base.items import Items
from outscore.metrics import metrics
from tests.examples import examples

texts = st.lists(st.sampled_from(["a", "bb", "ccc.", ""]), max_size=6).map(" ".join)


def statistics(spec: str, output: str, *references: str) -> Any:
    return metrics.make(spec).statistics(Items(n=1, outputs=[output], references=tuple([r] for r in references)))


@settings(max_examples=examples(80))
@given(output=texts, references=st.lists(texts, min_size=1, max_size=4))
def test_lengths_are_those_of_the_brevity_penalty(output: str, references: list[str]) -> None:
    given_ = [[r] for r in references if r] or [[""]]
    theirs = BLEU(tokenize="none", force=True).corpus_score([output], given_)
    assert statistics("length_ratio", output, *references).tolist() == [[theirs.sys_len, theirs.ref_len]]


def test_of_two_that_are_equally_close_the_shorter_counts() -> None:
    assert statistics("length_ratio", "a b c", "a b c d", "a b").tolist() == [[3, 2]]


def test_characters_are_counted_without_blanks() -> None:
    assert statistics("length_ratio:of=chars", "日本 語", "a b").tolist() == [[3, 2]]


def test_the_score_is_the_ratio_of_the_sums() -> None:
    metric = metrics.make("length_ratio")
    items = Items(n=2, outputs=["a b c", "a"], references=(["a b", "a b c"],))
    assert float(metric.score(metric.statistics(items).sum(axis=0))) == pytest.approx(4 / 5)
