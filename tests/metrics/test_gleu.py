"""GLEU of a corpus is that of nltk."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from outscore.base.errors import UsageError
from outscore.base.items import Items
from outscore.metrics import metrics
from tests.cli import commandline
from tests.examples import examples

gleu_score = pytest.importorskip("nltk.translate.gleu_score")

texts = st.lists(st.sampled_from(["the", "The", "cat.", "a", "1.5", "Ünï", "(x)"]), max_size=9).map(" ".join)
segments = st.lists(st.tuples(texts, texts, st.one_of(texts, st.just(""))), min_size=1, max_size=6)


def score(spec: str, outputs: list[str], *references: list[str]) -> float:
    metric = metrics.make(spec)
    statistics = metric.statistics(Items(n=len(outputs), outputs=outputs, references=references))
    return float(metric.score(statistics.sum(axis=0)))


def test_the_example_of_nltk_has_the_score_that_is_printed_there() -> None:
    outputs = [
        "It is a guide to action which ensures that the military always obeys the commands of the party",
        "he read the book because he was interested in world history",
    ]
    references = [
        [
            "It is a guide to action that ensures that the military will forever heed Party commands",
            "he was interested in world history because he read the book",
        ],
        [
            "It is the guiding principle which guarantees the military forces always being under the command of the "
            "Party",
            "",
        ],
        ["It is the practical guide for the army always to heed the directions of the party", ""],
    ]
    assert str(score("gleu", outputs, *references)).startswith("0.5673")


@pytest.mark.parametrize(
    ("spec", "order", "cut"),
    [
        ("gleu", 4, lambda text: BLEU().tokenizer(text).split()),
        ("gleu:tokenize=none,max_order=2", 2, str.split),
        ("gleu:lowercase=true", 4, lambda text: BLEU().tokenizer(text.lower()).split()),
    ],
)
@settings(max_examples=examples(50))
@given(rows=segments)
def test_the_score_of_a_corpus_is_that_of_nltk(spec: str, order: int, cut: object, rows: list[tuple[str, ...]]) -> None:
    assert callable(cut)
    golds = [[cut(gold) for gold in filter(None, both)] or [[]] for _, *both in rows]
    expected = gleu_score.corpus_gleu(golds, [cut(output) for output, *_ in rows], max_len=order)
    outputs, *references = ([*texts] for texts in zip(*rows, strict=True))
    assert score(spec, outputs, *references) == pytest.approx(expected)


def test_the_signature_says_what_was_counted() -> None:
    items = Items(n=1, outputs=["a"], references=(["a"], ["b"]))
    assert metrics.make("google_bleu:lowercase=true").signature(items) == "gleu|nrefs:2|case:lc|tok:13a|order:4"


def test_a_tokenizer_that_there_is_not_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b\n", encoding="utf-8")
    found = commandline.outscore("score", tmp_path / "a.txt", "-r", tmp_path / "a.txt", "-m", "gleu:tokenize=14a")
    assert found.code == 2
    assert "gleu:tokenize=14a: no such tokenizer; did you mean '13a'" in found.complaint
    with pytest.raises(UsageError, match="gleu:max_order=0: expected 1 or more"):
        metrics.make("gleu:max_order=0")
