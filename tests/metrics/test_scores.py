"""What every metric keeps: its formula of sums and its ratio, the scores that there can be, the ends of its options."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.metrics import metrics
from outscore.metrics.meteor import Meteor

NEED_OPTIONS = {"ir", "ratio"}


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


def test_bits_for_each_word_are_at_least_none() -> None:
    assert metrics.make("perplexity:bits=true").limits == (0.0, float("inf"))


def test_the_score_of_texts_that_match_whole_is_the_highest_that_meteor_knows() -> None:
    """Six words in each, of which two are function words, all matched as they are."""
    whole = np.array([6.0, 6, 2, 2, 4, 4, 2, 2, *[0] * 13, 6, 6])
    assert tuple(Meteor().score(np.stack([0 * whole, whole]))) == pytest.approx(Meteor.limits)


SHARES = (
    *("accuracy", "auc", "average_precision", "exact_match", "f1", "fbeta", "gleu", "map", "meteor", "mrr"),
    *("multiclass_auc", "ndcg"),
    *("pass_at_k", "pass_hat_k", "precision", "recall", "rouge", "squad_em", "squad_f1", "token_accuracy"),
)


PERCENT = (
    *("alignment", "bleu", "blex", "chrf", "clas", "evalb", "las", "mlas", "ner", "uas", "ud", "upos", "win_rate"),
    *("alignment:measure=recall", "corpus_sari", "ner:average=macro", "sari", "ud:metric=MLAS"),
)


INF = math.inf


ERRORS = {"aer": 100.0, "cer": INF, "mer": 1.0, "optimality_gap": INF, "pk": 1.0, "ter": INF}
ERRORS |= {"wer": INF, "wil": 1.0, "windowdiff": 1.0}


LIMITS = {
    **dict.fromkeys(SHARES, (0.0, 1.0)),
    **dict.fromkeys(PERCENT, (0.0, 100.0)),
    **{name: (0.0, most) for name, most in ERRORS.items()},
    **dict.fromkeys(("kappa", "mcc"), (-1.0, 1.0)),
    "length_ratio": (0.0, INF),
    "perplexity": (1.0, INF),
    "perplexity:bits=true": (0.0, INF),
    "mean": None,
    "suite": None,
    "iqm": None,
    "ratio:num=a,den=b": None,
    "ir:measure=P@5": (0.0, 1.0),
}


@pytest.mark.parametrize("spec", LIMITS)
def test_a_metric_knows_the_lowest_and_the_highest_score_and_which_one_is_good(spec: str) -> None:
    metric = metrics.make(spec)
    if spec != "ir:measure=P@5":
        assert metric.limits == LIMITS[spec]
    assert metric.higher_is_better == (spec not in ERRORS and not spec.startswith("perplexity"))


def test_every_metric_is_among_them() -> None:
    assert {spec.partition(":")[0] for spec in LIMITS} >= set(metrics.names())


def over(a: float, b: float) -> float:
    return a / b if b else 0.0


def f_of_links(alpha: float) -> Callable[[Float], float]:
    def f(s: Float) -> float:
        precision, recall = over(s[3], s[0]), over(s[2], s[1])
        return 100 * over(precision * recall, alpha * recall + (1 - alpha) * precision)

    return f


def f_of_counts(beta: float) -> Callable[[Float], float]:
    return lambda s: over((1 + beta**2) * s[0], (1 + beta**2) * s[0] + s[1] + beta**2 * s[2])


def word_information_lost(s: Float) -> float:
    hits, reference, output = s[0], s[0] + s[1] + s[2], s[0] + s[1] + s[3]
    if reference + output == 0:
        return 0.0
    return 1 - over(hits, reference) * over(hits, output)


def correlation(s: Float) -> float:
    """Of two classes by their four counts: right, gold, predicted, outside."""
    right, gold, predicted, outside = s[0], s[1:3], s[3:5], s[5]
    n, answers = gold.sum(), predicted.sum() + outside
    below = (n**2 - (gold**2).sum()) * (answers**2 - (predicted**2).sum() - outside**2)
    return over(right * n - (gold * predicted).sum(), math.sqrt(max(below, 0)))


SCORES: dict[str, tuple[int, Callable[[Float], float]]] = {
    "accuracy": (2, lambda s: over(s[0], s[1])),
    "aer": (4, lambda s: 100 * (1 - (s[2] + s[3]) / (s[0] + s[1])) if s[0] + s[1] else 0.0),
    "alignment": (4, f_of_links(0.5)),
    "alignment:alpha=0.2": (4, f_of_links(0.2)),
    "alignment:measure=precision": (4, lambda s: 100 * over(s[3], s[0])),
    "alignment:measure=recall": (4, lambda s: 100 * over(s[2], s[1])),
    "f1": (3, f_of_counts(1.0)),
    "fbeta:beta=2": (3, f_of_counts(2.0)),
    "fbeta:beta=0.5": (3, f_of_counts(0.5)),
    "precision": (3, lambda s: over(s[0], s[0] + s[1])),
    "recall": (3, lambda s: over(s[0], s[0] + s[2])),
    "mcc": (6, correlation),
    "kappa": (
        6,
        lambda s: over(s[1] * s[3] + s[2] * s[4] - (s[5] - s[0]) * (s[1] + s[2]), s[1] * s[3] + s[2] * s[4]),
    ),
    "length_ratio": (2, lambda s: over(s[0], s[1])),
    "ner": (3, lambda s: 100 * over(2 * s[0], s[1] + s[2])),
    "ner:measure=precision": (3, lambda s: 100 * over(s[0], s[2])),
    "ner:measure=recall": (3, lambda s: 100 * over(s[0], s[1])),
    "las": (3, lambda s: 100 * over(2 * s[0], s[1] + s[2])),
    "evalb": (3, lambda s: 100 * over(2 * s[0], s[1] + s[2])),
    "gleu": (2, lambda s: over(s[0], s[1])),
    "pk": (2, lambda s: over(s[0], s[1])),
    "windowdiff": (2, lambda s: over(s[0], s[1])),
    "perplexity": (2, lambda s: math.exp(over(s[0], s[1]))),
    "perplexity:bits=true": (2, lambda s: over(s[0], s[1]) / math.log(2)),
    "ratio:num=a,den=b,scale=7": (2, lambda s: 7 * over(s[0], s[1])),
    "token_accuracy": (2, lambda s: over(s[0], s[1])),
    "wer": (4, lambda s: over(s[1] + s[2] + s[3], s[0] + s[1] + s[2]) if s[0] + s[1] + s[2] else s[3]),
    "mer": (4, lambda s: over(s[1] + s[2] + s[3], s.sum())),
    "wil": (4, word_information_lost),
    "win_rate": (2, lambda s: s[0] / s[1] if s[1] else 50.0),
}


RATIOS = [
    spec
    for spec in dict.fromkeys((*(name for name in metrics.names() if name not in NEED_OPTIONS), *SCORES))
    if metrics.make(spec).ratio() is not None
]


@pytest.mark.parametrize("spec", RATIOS)
def test_the_ratio_of_a_metric_is_its_score(spec: str) -> None:
    """Exact laws are computed from the ratio, everything else from the score."""
    metric = metrics.make(spec)
    ratio = metric.ratio()
    assert ratio is not None
    over, under, scale = ratio
    sums = np.random.default_rng(3).uniform(1.0, 9.0, (50, len(over)))
    np.testing.assert_allclose(metric.score(sums), scale * (sums @ over) / (sums @ under), rtol=1e-12)


@pytest.mark.parametrize("spec", SCORES)
def test_a_score_of_sums_is_its_formula_with_nothing_in_places_too(spec: str) -> None:
    columns, formula = SCORES[spec]
    metric = metrics.make(spec)
    draw = np.random.default_rng(5)
    sums = draw.integers(0, 4, (60, columns)).astype(float)
    sums[0], sums[1] = 0.0, 1.0
    np.testing.assert_allclose(metric.score(sums), [formula(row) for row in sums], rtol=1e-12, atol=1e-12)


def score_of(spec: str, outputs: list[str] | None, *references: list[str], **columns: list[float]) -> float:
    n = len(outputs or next(iter(columns.values())))
    arrays = {name: np.array(values, dtype=float) for name, values in columns.items()}
    items = Items(n=n, outputs=outputs, references=references, columns=arrays)
    (metric,) = metrics.make(spec).prepare([items])
    if metric.ranked:
        return float(metric.score_weighted(metric.statistics(items), np.ones((1, n)))[0])
    return float(metric.score(metric.statistics(items).sum(axis=0)))


GOLD, GUESS = ["a", "b", "a", "c", "b", "a"], ["a", "a", "a", "c", "x", "b"]


# tp, fp, fn of a: 2, 1, 1; of b: 0, 1, 2; of c: 1, 0, 0
COUNTED: list[tuple[str, float]] = [
    ("f1", (4 / 6 + 0 + 1) / 3),
    ("f1:average=weighted", (3 * 4 / 6 + 0 + 1) / 6),
    ("f1:average=micro", 3 / 6),
    ("f1:of=a", 4 / 6),
    ("precision", (2 / 3 + 0 + 1) / 3),
    ("recall", (2 / 3 + 0 + 1) / 3),
    ("recall:average=weighted", 3 / 6),
    ("fbeta:beta=2,of=a", 5 * 2 / (5 * 2 + 1 + 4)),
    ("accuracy", 3 / 6),
    ("exact_match", 3 / 6),
    ("kappa", 1 - (1 - 3 / 6) / (1 - (3 * 3 + 2 * 1 + 1 * 1) / 36)),
]


@pytest.mark.parametrize(("spec", "expected"), COUNTED)
def test_scores_of_labels_are_counted(spec: str, expected: float) -> None:
    assert score_of(spec, GUESS, GOLD) == pytest.approx(expected)


def test_a_number_that_is_none_is_named_by_its_item() -> None:
    with pytest.raises(InputError, match="infinite for 2 items, first for item 2") as said:
        score_of("mean", None, score=[1.0, math.nan, 2.0, math.inf])
    assert said.value.item == 1


def test_a_text_that_is_no_parse_is_shown_by_its_beginning() -> None:
    with pytest.raises(InputError, match=f", in '{'x' * 40}';"):
        score_of("las", ["x" * 60], ["x" * 60])


@pytest.mark.parametrize(("base", "nats"), [("e", 1.0), ("2", math.log(2)), ("10", math.log(10))])
def test_perplexities_are_of_nats_a_token_up_to_seven_hundred(base: str, nats: float) -> None:
    given = {"loglik": [-3.0, -1.0, 0.0], "tokens": [2.0, 1.0, 1.0]}
    assert score_of(f"perplexity:base={base}", None, **given) == pytest.approx(math.exp(nats))
    assert score_of(f"perplexity:base={base},bits=true", None, **given) == pytest.approx(nats / math.log(2))
    at = {"loglik": [-700.0], "tokens": [1.0]}
    assert score_of("perplexity", None, **at) == pytest.approx(math.exp(700.0))
    for bad in (
        {"loglik": [-700.1], "tokens": [1.0]},
        {"loglik": [1e-9], "tokens": [1.0]},
        {"loglik": [-1.0], "tokens": [0.0]},
    ):
        with pytest.raises(InputError, match="item 1"):
            score_of("perplexity", None, **bad)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("pass_at_k:k=1", "pass_at_k:k=0"),
        ("fbeta:beta=0", "fbeta:beta=-0.1"),
        ("fbeta:beta=1000000", "fbeta:beta=1000001"),
        ("alignment:alpha=0", "alignment:alpha=-0.01"),
        ("alignment:alpha=1", "alignment:alpha=1.01"),
        ("ndcg:cutoff=1", "ndcg:cutoff=0"),
        ("ndcg:cutoff=1000000000", "ndcg:cutoff=1000000001"),
        ("map:rel=1", "map:rel=0"),
        ("map:rel=1000000", "map:rel=1000001"),
        ("ratio:num=a,den=b,scale=0.001", "ratio:num=a,den=b,scale=0"),
        ("bleu:max_order=1", "bleu:max_order=0"),
        ("bleu:smooth=floor,smooth_value=0", "bleu:smooth=floor,smooth_value=-0.1"),
        ("bleu:smooth=floor,smooth_value=1e150", "bleu:smooth=floor,smooth_value=inf"),
        ("bleu:max_order=100", "bleu:max_order=101"),
        ("chrf:char_order=100", "chrf:char_order=101"),
        ("chrf:word_order=100", "chrf:word_order=101"),
        ("chrf:beta=1000000", "chrf:beta=1000001"),
        ("chrf:char_order=1", "chrf:char_order=0"),
        ("meteor:memory=1k", "meteor:memory=k"),
    ],
)
def test_options_end_where_they_say(good: str, bad: str) -> None:
    metrics.make(good)
    with pytest.raises(UsageError):
        metrics.make(bad)


@pytest.mark.parametrize(("off", "same"), [(0.0, True), (9e-10, True), (2e-9, False), (0.01, False)])
def test_meteors_own_score_of_the_corpus_must_be_ours(off: float, same: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    sums = np.array([6.0, 7, 2, 3, 4, 4, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 6, 7])
    metric = Meteor()
    ours = float(metric.score(sums))

    def answers(call: Any, lines: list[str]) -> list[str]:
        assert lines[0].startswith("EVAL ||| 6.0 7.0")
        return ["0.0", repr(ours + off)]

    monkeypatch.setattr("outscore.metrics.meteor.answers", answers)
    monkeypatch.setattr(Meteor, "_call", lambda self: [])
    assert 0 < ours < 1
    if same:
        metric._assert_same_score(sums)
    else:
        with pytest.raises(AssertionError, match="is not the jar's"):
            metric._assert_same_score(sums)


@pytest.mark.parametrize(
    ("language", "score"),
    [
        ("en", 0.282101788627839),
        ("cz", 0.1892765119766744),
        ("de", 0.32535561537449187),
        ("es", 0.4201960931902924),
        ("fr", 0.3337020691058559),
        ("ru", 0.3440203723330815),
        ("pt", 0.30496063220003533),
    ],
)
def test_each_language_has_its_weights(language: Any, score: float) -> None:
    """Numbers that test_meteor.py holds against the jar; all stages of matching have matches here."""
    sums = np.array([40, 42, 17, 19, 9, 8, 5, 6, 3, 2, 1, 1, 2, 3, 2, 1, 4, 3, 1, 2, 12, 30, 31], dtype=float)
    assert float(Meteor(language=language, norm=language != "pt").score(sums)) == pytest.approx(score, rel=1e-12)
