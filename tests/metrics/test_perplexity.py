"""Perplexity against its definition, token by token."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import metrics

TEXTS = st.lists(st.lists(st.floats(1e-6, 1), min_size=1, max_size=6), min_size=1, max_size=6)
LOGARITHMS = {"e": math.log, "2": math.log2, "10": math.log10}


def score(spec: str, **columns: list[float]) -> float:
    arrays = {name: np.array(values, dtype=float) for name, values in columns.items()}
    metric = metrics.make(spec)
    return float(metric.score(metric.statistics(Items(n=len(next(iter(arrays.values()))), columns=arrays)).sum(axis=0)))


@given(texts=TEXTS, base=st.sampled_from(sorted(LOGARITHMS)))
def test_it_is_the_inverse_geometric_mean_of_all_probabilities(texts: list[list[float]], base: str) -> None:
    loglik = [sum(map(LOGARITHMS[base], probabilities)) for probabilities in texts]
    tokens = [float(len(probabilities)) for probabilities in texts]
    every = [p for probabilities in texts for p in probabilities]
    expected = math.prod(p ** (-1 / len(every)) for p in every)
    assert score(f"perplexity:base={base}", loglik=loglik, tokens=tokens) == pytest.approx(expected, rel=1e-9)
    bits = score(f"perplexity:base={base},bits=true", loglik=loglik, tokens=tokens)
    assert 2**bits == pytest.approx(expected, rel=1e-9)


def test_it_is_of_the_corpus_and_no_mean_of_texts() -> None:
    assert score("perplexity", loglik=[-8 * math.log(2), 0], tokens=[2, 6]) == pytest.approx(2)


def test_less_is_better() -> None:
    assert not metrics.make("perplexity").higher_is_better


def test_columns_may_have_any_name() -> None:
    assert score("perplexity:loglik=ll,tokens=bytes", ll=[-1], bytes=[2]) == pytest.approx(math.exp(0.5))


@pytest.mark.parametrize(
    ("loglik", "tokens", "message"),
    [
        (0.5, 1, "expects a log-likelihood of 0 or less in 'loglik', but item 2 has 0.5; give log-probabilities"),
        (-1, 0, "expects a count above 0 in 'tokens', but item 2 has 0; leave out items without tokens"),
        (-1, -2, "expects a count above 0 in 'tokens', but item 2 has -2; "),
        (-5000, 2, "expects at least -700 nats a token in 'loglik', but item 2 has -5000; check base= "),
        (float("-inf"), 2, "column 'loglik' is missing or infinite for 1 item, first for item 2; "),
    ],
)
def test_what_is_no_likelihood_of_tokens_is_refused(loglik: float, tokens: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        score("perplexity", loglik=[-1, loglik], tokens=[1, tokens])
