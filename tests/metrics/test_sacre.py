"""BLEU, chrF and TER are sacrebleu's, whatever the options and the texts.

Oracle: ``corpus_score`` of sacrebleu (2.6.0 when this was written), its public interface. Our scores come from sums of
statistics by vectorised formulas of our own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from outscore.base.errors import InputError, MissingExtra, UsageError
from outscore.base.items import Items
from outscore.base.registry import options_of
from outscore.metrics import Metric, metrics
from outscore.metrics.bleu import Bleu
from outscore.metrics.chrf import Chrf
from outscore.metrics.shared import sacre
from outscore.metrics.ter import Ter
from tests.examples import examples
from tests.metrics.translations import without_missing

WORDS = [
    "the",
    "The",
    "cat",
    "sat",
    "on",
    "mat",
    ".",
    ",",
    "1.5",
    "3,000",
    "Ünï",
    "日本語",
    "a-b",
    "(x)",
    "'s",
    "--",
    "!",
]

Corpus = tuple[list[str], tuple[list[str], ...]]


@st.composite
def corpora(draw: st.DrawFn, streams: int | None = None) -> Corpus:
    """Outputs and reference streams: near copies, texts with words in common, empty ones, and anything at all."""
    n = draw(st.integers(1, 6))
    usual = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
    sentence = st.one_of(usual, usual, usual, st.text(max_size=15))
    count = streams or draw(st.integers(1, 3))
    references = tuple([draw(sentence) for _ in range(n)] for _ in range(count))
    outputs = []
    for i in range(n):
        output = draw(st.one_of(sentence, st.sampled_from([r[i] for r in references])))
        cut = draw(st.integers(0, 3))
        outputs.append(output[cut:] if draw(st.booleans()) else output)
    return outputs, references


def ours(metric: Metric, corpus: Corpus) -> float:
    outputs, references = corpus
    statistics = metric.statistics(Items(n=len(outputs), outputs=outputs, references=references))
    return float(metric.score(statistics.sum(axis=0)))


def theirs(oracle: Any, corpus: Corpus) -> float:
    outputs, references = corpus
    return float(oracle.corpus_score(outputs, without_missing(references)).score)


def assert_same(metric: Metric, oracle: Any, corpus: Corpus) -> None:
    expected = theirs(oracle, corpus)
    assert ours(metric, corpus) == pytest.approx(expected, rel=1e-9, abs=1e-9)


many = settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
few = settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])

EMPTY: Corpus = ([""], ([""],))
NO_OUTPUT: Corpus = (["", ""], (["the cat", "sat"],))
NO_REFERENCE: Corpus = (["the cat", "sat"], (["", ""],))
SHORT: Corpus = (["the", "cat ."], (["the", "cat ."],))
HOLES: Corpus = (["the cat sat", "", "on mat"], (["the cat sat", "the", ""], ["", "cat", "on the mat"]))

THEIR_NAMES = {"smooth": "smooth_method", "max_order": "max_ngram_order"}
BLEU_OPTIONS: list[dict[str, Any]] = [
    *({"tokenize": t} for t in ("13a", "none", "intl", "zh", "char")),
    *({"smooth": s} for s in ("exp", "floor", "add-k", "none")),
    *({"smooth": "floor", "smooth_value": v} for v in (0.0, 0.01, 0.5, 2.0)),
    *({"smooth": "add-k", "smooth_value": v} for v in (0.5, 1.0, 3.0)),
    *({"max_order": n} for n in (1, 2, 3, 6)),
    *({"effective_order": True, "smooth": s} for s in ("exp", "floor", "add-k", "none")),
    {"lowercase": True},
    {"lowercase": True, "tokenize": "intl", "smooth": "add-k", "max_order": 2, "effective_order": True},
]


@many
@given(corpus=corpora(), order=st.integers(1, 5), method=st.sampled_from(["exp", "floor", "add-k", "none"]),
       value=st.one_of(st.none(), st.floats(0.001, 5)), effective=st.booleans(), lowercase=st.booleans())  # fmt: skip
def test_any_combination_of_bleu_options(
    corpus: Corpus, order: int, method: Any, value: float | None, effective: bool, lowercase: bool
) -> None:
    metric = Bleu(smooth=method, smooth_value=value, max_order=order, effective_order=effective, lowercase=lowercase)
    oracle = BLEU(
        smooth_method=method,
        smooth_value=value,
        max_ngram_order=order,
        effective_order=effective,
        lowercase=lowercase,
        force=True,
    )
    assert_same(metric, oracle, corpus)


CHRF_OPTIONS: list[dict[str, Any]] = [
    {},
    {"word_order": 1},
    {"word_order": 2},
    *({"beta": b} for b in (0, 1, 3)),
    {"char_order": 1},
    {"char_order": 8, "word_order": 2},
    {"whitespace": True},
    {"lowercase": True, "whitespace": True},
    {"eps_smoothing": True},
    {"eps_smoothing": True, "word_order": 2, "beta": 1},
]


TER_OPTIONS: list[dict[str, Any]] = [
    {},
    {"normalized": True},
    {"no_punct": True},
    {"case_sensitive": True},
    {"normalized": True, "asian_support": True},
    {"normalized": True, "asian_support": True, "no_punct": True, "case_sensitive": True},
]


THEIRS: list[tuple[Metric, Any]] = [
    *((Bleu(**o), BLEU(**{THEIR_NAMES.get(k, k): v for k, v in o.items()}, force=True)) for o in BLEU_OPTIONS),
    *((Chrf(**o), CHRF(**o)) for o in CHRF_OPTIONS),
    *((Ter(**o), TER(**o)) for o in TER_OPTIONS),
]


@pytest.mark.parametrize(("metric", "oracle"), THEIRS, ids=[metric.label for metric, _ in THEIRS])
@few
@example(EMPTY)
@example(NO_OUTPUT)
@example(NO_REFERENCE)
@example(SHORT)
@example(HOLES)
@given(corpus=corpora())
def test_scores_are_those_of_sacrebleu(metric: Metric, oracle: Any, corpus: Corpus) -> None:
    assert_same(metric, oracle, corpus)


@pytest.mark.parametrize("oracle", [BLEU, CHRF, TER])
def test_every_option_of_sacrebleu_can_be_given(oracle: Any) -> None:
    """All but what warns (force), chooses a default tokenizer (trg_lang) or keeps references between calls."""
    renamed = {"smooth_method": "smooth", "max_ngram_order": "max_order"}
    asked = {renamed.get(p, p) for p in inspect.signature(oracle).parameters} - {"force", "trg_lang", "references"}
    ours_ = {f.name for f in options_of(metrics.find(oracle.__name__.lower()))}
    assert asked == ours_ - {"variant"}


@pytest.mark.parametrize("spec", ["bleu", "chrf", "chrf:word_order=2", "ter"])
def test_a_missing_reference_is_no_empty_reference(spec: str) -> None:
    outputs = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
    first = ["", "It was not unexpected.", "The man bit him first."]
    second = ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."]
    metric = metrics.make(spec)
    some = float(metric.score(statistics_of(metric, (outputs, (first, second))).sum(axis=0)))
    one_by_one = [
        statistics_of(metric, ([o], tuple([r] for r in (a, b) if r)))
        for o, a, b in zip(outputs, first, second, strict=True)
    ]
    assert some == float(metric.score(np.concatenate(one_by_one).sum(axis=0)))
    if spec == "bleu":
        assert some == pytest.approx(29.44, abs=0.005), "the example of sacrebleu's README"
    signature = metric.signature(Items(n=3, outputs=outputs, references=(first, second)))
    assert "nrefs:var" in signature
    assert "nrefs:1" in metric.signature(Items(n=3, outputs=outputs, references=(second, [""] * 3)))
    assert "nrefs:1" in metric.signature(Items(n=3, outputs=outputs, references=([""] * 3, ["a", "", ""])))


def statistics_of(metric: Metric, corpus: Corpus) -> Any:
    outputs, references = corpus
    return metric.statistics(Items(n=len(outputs), outputs=outputs, references=references))


def test_the_formula_of_the_slides_is_another_score_and_says_so() -> None:
    corpus: Corpus = (["the cat sat on the mat today ."], (["the cat sat on a mat and slept on it today ."],))
    matches, totals = [7, 4, 2, 1], [8, 7, 6, 5]
    weights, penalty = (1, 1 / 2, 1 / 4, 1 / 8), 12 / 8 - 1
    expected = np.exp(sum(w * np.log(m / t) for w, m, t in zip(weights, matches, totals, strict=True)) - penalty)
    slide = metrics.make("bleu:variant=slide")
    assert statistics_of(slide, corpus).tolist() == [[8, 12, *matches, *totals]]
    assert ours(slide, corpus) == pytest.approx(100 * expected, rel=1e-12)
    assert ours(slide, corpus) < ours(Bleu(), corpus)
    assert slide.label == "bleu:variant=slide"
    signature = slide.signature(Items(n=1, outputs=corpus[0], references=corpus[1]))
    assert signature.startswith("variant:slide|")
    assert "smooth:none" in signature


def test_the_formula_of_the_slides_has_no_smoothing() -> None:
    corpus: Corpus = (["the cat"], (["the dog"],))
    assert ours(metrics.make("bleu:variant=slide"), corpus) == 0
    assert ours(metrics.make("bleu:variant=slide"), EMPTY) == 0
    for option in ("smooth=floor", "smooth_value=1", "max_order=2", "effective_order=true"):
        with pytest.raises(UsageError, match="no other option than tokenize and lowercase"):
            metrics.make(f"bleu:variant=slide,{option}")


@pytest.mark.parametrize(("tokenize", "library"), [("ja-mecab", "ja"), ("ko-mecab", "ko"), ("spm", "sentencepiece")])
def test_a_tokenizer_without_its_library_names_it(tokenize: str, library: str) -> None:
    metric = Bleu(tokenize=tokenize)
    try:
        metric.reference_implementation()
    except (ImportError, RuntimeError):
        with pytest.raises(MissingExtra, match=rf"pip install '[\w\[]*{library}"):
            statistics_of(metric, SHORT)


MAKERS: dict[str, Callable[[], Any]] = {
    "bleu": lambda: BLEU(force=True),
    "bleu:tokenize=intl,lowercase=true": lambda: BLEU(tokenize="intl", lowercase=True),
    "bleu:smooth=floor,smooth_value=0.5": lambda: BLEU(smooth_method="floor", smooth_value=0.5),
    "chrf:word_order=2": lambda: CHRF(word_order=2),
    "chrf:char_order=3,lowercase=true,whitespace=true,eps_smoothing=true": lambda: CHRF(
        char_order=3, lowercase=True, whitespace=True, eps_smoothing=True
    ),
    "ter:case_sensitive=true": lambda: TER(case_sensitive=True),
}


@pytest.mark.parametrize("spec", MAKERS)
def test_the_signature_is_that_of_sacrebleu(spec: str) -> None:
    outputs, references = ["the cat", "sat"], (["the cat", "sat"], ["a cat", "sits"])
    oracle = MAKERS[spec]()
    oracle.corpus_score(outputs, list(references))
    found = metrics.make(spec).signature(Items(n=2, outputs=outputs, references=references))
    assert found == str(oracle.get_signature())
    assert f"version:{sacrebleu.__version__}" in found
    assert "nrefs:2" in found


@pytest.mark.parametrize("spec", [*MAKERS, "bleu:effective_order=true", "chrf:eps_smoothing=true", "ter", "chrf"])
@few
@given(corpus=corpora(), seed=st.integers(0, 99))
def test_scores_of_resamples_are_those_of_sacrebleu_one_by_one(spec: str, corpus: Corpus, seed: int) -> None:
    """What the resampling rests on: many sums scored at once, each as sacrebleu scores the repeated corpus."""
    outputs, references = corpus
    metric = metrics.make(spec)
    statistics = metric.statistics(Items(n=len(outputs), outputs=outputs, references=references))
    weights = np.random.default_rng(seed).multinomial(len(outputs), [1 / len(outputs)] * len(outputs), size=4)
    scores = metric.score(weights.astype(float) @ statistics)
    oracle = metric.reference_implementation()  # type: ignore[attr-defined]
    for count, score in zip(weights, scores, strict=True):
        drawn = [i for i, c in enumerate(count) for _ in range(c)]
        again: Corpus = ([outputs[i] for i in drawn], tuple([stream[i] for i in drawn] for stream in references))
        assert score == pytest.approx(theirs(oracle, again), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter"])
def test_texts_without_references_are_refused(spec: str) -> None:
    with pytest.raises(InputError, match=f"{spec} needs references; add -r REFERENCE_FILE"):
        metrics.make(spec).statistics(Items(n=1, outputs=["a"]))


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter"])
def test_scores_in_place_of_texts_are_refused(spec: str) -> None:
    with pytest.raises(InputError, match=f"{spec} reads texts"):
        metrics.make(spec).statistics(Items(n=1, columns={"score": np.ones(1)}, references=(["a"],)))


def test_an_unknown_tokenizer_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"tokenize=int1: no such tokenizer; did you mean 'intl'\? \(there are: .*13a"):
        metrics.make("bleu:tokenize=int1").statistics(Items(n=1, outputs=["a"], references=(["a"],)))


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("bleu:smooth=epx", "expected one of exp, floor, add-k, none; did you mean 'exp'"),
        ("bleu:tokenise=13a", "has no option 'tokenise'; did you mean 'tokenize'"),
        ("bleu:max_order=four", "expected int"),
        ("bleu:lowercase=si", "expected true or false"),
        ("bleu:smooth_value=x", "expected float"),
        ("chrff", "unknown metric 'chrff'; did you mean 'chrf'"),
    ],
)
def test_wrong_options_are_named_with_their_remedy(spec: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        metrics.make(spec)


@pytest.mark.parametrize(("wrong", "noticed"), [(2e-7, True), (5e-8, False)])
def test_a_wrong_score_of_ours_would_be_noticed(wrong: float, noticed: bool) -> None:
    """Where sacrebleu cuts or counts the texts, its corpus score is compared with ours at every use: to nine digits."""

    class Wrong(Bleu):
        def score(self, sums: Any) -> Any:
            return super().score(sums) + wrong

    with pytest.raises(AssertionError, match="is not sacrebleu's") if noticed else nullcontext():
        Wrong(tokenize="intl").statistics(Items(n=1, outputs=["a b c d"], references=(["a b c d"],)))


@pytest.mark.parametrize("metric", [Bleu(), Chrf(word_order=2)], ids=lambda metric: metric.name)
def test_the_parts_change_nothing(metric: Bleu | Chrf, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = ["the cat sat on the mat.", "a dog", "", "the cat sat", "on the mat it sat"]
    items = Items(n=5, outputs=outputs, references=(outputs[::-1], ["the cat"] * 5))
    whole = metric.statistics(items)
    for characters in (1, 30, 70):
        monkeypatch.setattr(sacre, "_PART", characters)
        assert metric.statistics(items).tolist() == whole.tolist()
