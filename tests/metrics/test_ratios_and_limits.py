"""What metrics say of themselves: the ratio that their score is, and the scores that there can be."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.base.errors import UsageError
from outscore.base.items import Items
from outscore.metrics import metrics

NEED_OPTIONS = {"ir", "ratio"}
RATIOS = [
    name for name in metrics.names() if name not in NEED_OPTIONS and metrics.make(name).ratio() is not None
] + [
    *("perplexity:bits=true", "ratio:num=a,den=b", "alignment:measure=precision", "alignment:measure=recall"),
]  # fmt: skip


@pytest.mark.parametrize("spec", RATIOS)
def test_the_ratio_of_a_metric_is_its_score(spec: str) -> None:
    """Exact laws are computed from the ratio, everything else from the score."""
    metric = metrics.make(spec)
    ratio = metric.ratio()
    assert ratio is not None
    over, under, scale = ratio
    sums = np.random.default_rng(3).uniform(1.0, 9.0, (50, len(over)))
    np.testing.assert_allclose(metric.score(sums), scale * (sums @ over) / (sums @ under), rtol=1e-12)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "exact_match", "kappa", "mcc", "accuracy", "f1", "token_accuracy"])
def test_the_highest_score_that_there_can_be_is_that_of_the_references_themselves(spec: str) -> None:
    texts = ["the cat sat on the mat", "a b c d e f", "it is what it is again"]
    if spec in ("kappa", "mcc", "accuracy", "f1"):
        texts = ["1", "0", "1", "0"]
    items = Items(n=len(texts), outputs=texts, references=(texts,))
    metric, *_ = metrics.make(spec).prepare([items])
    assert metric.limits is not None
    assert float(metric.score(metric.statistics(items).sum(axis=0))) == pytest.approx(metric.limits[1])


@pytest.mark.parametrize("spec", ["kappa", "mcc"])
def test_the_lowest_score_that_there_can_be_is_that_of_answers_that_are_all_wrong(spec: str) -> None:
    gold, wrong = ["1", "0", "1", "0"], ["0", "1", "0", "1"]
    items = Items(n=4, outputs=wrong, references=(gold,))
    metric, *_ = metrics.make(spec).prepare([items])
    assert metric.limits is not None
    assert float(metric.score(metric.statistics(items).sum(axis=0))) == pytest.approx(metric.limits[0])


@pytest.mark.parametrize(
    ("most", "more"),
    [
        ("bleu:max_order=100", "bleu:max_order=101"),
        ("chrf:char_order=100", "chrf:char_order=101"),
        ("chrf:word_order=100", "chrf:word_order=101"),
        ("chrf:beta=1000000", "chrf:beta=1000001"),
        ("bleu:smooth=floor,smooth_value=1e300", "bleu:smooth=floor,smooth_value=inf"),
    ],
)
def test_options_have_an_end(most: str, more: str) -> None:
    metrics.make(most)
    with pytest.raises(UsageError):
        metrics.make(more)


def test_bits_for_each_word_are_at_least_none() -> None:
    assert metrics.make("perplexity:bits=true").limits == (0.0, float("inf"))
