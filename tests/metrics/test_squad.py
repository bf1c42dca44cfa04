"""SQuAD's exact match and F1; the oracle is a transcription of what ``evaluate-v2.0.py`` does, step by step."""

from __future__ import annotations

import collections
import re
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import metrics
from tests.examples import examples

WORDS = ["the", "The", "a", "an", "cat", "Cat!", "sat", "ann", "-", "1,000", "New", "York's", "Ünï", " ", "«x»", "and"]
answers = st.one_of(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), st.text(max_size=6))


def official_tokens(answer: str) -> list[str]:
    text = answer.lower()
    text = "".join(character for character in text if character not in set(string.punctuation))
    text = re.sub(re.compile(r"\b(a|an|the)\b", re.UNICODE), " ", text)
    return " ".join(text.split()).split()


def official_f1(gold: str, answer: str) -> float:
    gold_tokens, answer_tokens = official_tokens(gold), official_tokens(answer)
    common = collections.Counter(gold_tokens) & collections.Counter(answer_tokens)
    same = sum(common.values())
    if len(gold_tokens) == 0 or len(answer_tokens) == 0:
        return int(gold_tokens == answer_tokens)
    if same == 0:
        return 0
    precision, recall = same / len(answer_tokens), same / len(gold_tokens)
    return 2 * precision * recall / (precision + recall)


def official(name: str, answer: str, golds: list[str]) -> float:
    golds = [gold for gold in golds if official_tokens(gold)] or [""]
    if name == "squad_em":
        return max(float(official_tokens(gold) == official_tokens(answer)) for gold in golds)
    return max(official_f1(gold, answer) for gold in golds)


def value(name: str, answer: str, golds: list[str]) -> float:
    row: Any = metrics.make(name).statistics(Items(n=1, outputs=[answer], references=tuple([g] for g in golds)))[0]
    assert row[1] == 1
    return float(row[0])


@pytest.mark.parametrize("name", ["squad_em", "squad_f1"])
@settings(max_examples=examples(150))
@given(answer=answers, golds=st.lists(answers, min_size=1, max_size=3))
def test_scores_are_those_of_the_official_script(name: str, answer: str, golds: list[str]) -> None:
    assert value(name, answer, golds) == pytest.approx(official(name, answer, golds), rel=1e-12)


@pytest.mark.parametrize(
    ("answer", "golds", "em", "f1"),
    [
        ("The Cat.", ["cat"], 1, 1),
        ("the black cat", ["a cat"], 0, 2 / 3),
        ("two black cats", ["cat", "black cats"], 0, 4 / 5),
        ("", ["", ""], 1, 1),
        ("anything", ["", ""], 0, 0),
        ("the", [""], 1, 1),
        ("", ["cat"], 0, 0),
        ("cat", ["the", "cat"], 1, 1),
        ("the", ["the", "cat"], 0, 0),  # version 1.1 of the script keeps the first gold answer: 1 and 0
        ("U.S.", ["US"], 1, 1),
        ("well-known", ["wellknown"], 1, 1),
        ("Ann", ["nn"], 0, 0),
    ],
)
def test_hand_counts(answer: str, golds: list[str], em: float, f1: float) -> None:
    assert value("squad_em", answer, golds) == em
    assert value("squad_f1", answer, golds) == pytest.approx(f1)


def test_an_item_without_gold_answers_among_others_is_unanswerable() -> None:
    metric = metrics.make("squad_em")
    items = Items(n=3, outputs=["cat", "", "x"], references=(["cat", "", ""], ["cats", "", ""]))
    assert metric.statistics(items)[:, 0].tolist() == [1, 1, 0]
    assert float(metric.score(metric.statistics(items).sum(axis=0))) == pytest.approx(2 / 3)
