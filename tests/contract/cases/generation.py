"""Generated texts: METEOR, ROUGE, error rates, length and short answers."""

from __future__ import annotations

import os
import shutil

import pytest
from hypothesis import strategies as st

from outscore.base.errors import MissingExtra
from outscore.base.items import Items
from outscore.metrics import Metric
from outscore.metrics.meteor import find_jar
from tests.contract.cases import CASES, Case, One
from tests.contract.cases.text import BAD, REFERENCE, sentences

ODD = ["|||", "a ||| b", "the\ncat", "\r", "The", "an", "", "  ", "\x00", "\ud800", "\u2028x", "ŉ İ", "SCORE", "Error"]


def needs_meteor() -> None:
    """Skips where there is no Java or no jar, unless everything must be tested."""
    try:
        jar = find_jar("")
    except MissingExtra:
        jar = None
    if (shutil.which("java") is None or jar is None) and not os.environ.get("OUTSCORE_DATA_REQUIRED"):
        pytest.skip("METEOR needs Java and the jar of pycocoevalcap")


@st.composite
def texts(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    sentence = st.one_of(sentences(), sentences(), st.sampled_from(ODD))
    references = tuple(draw(sentence) for _ in range(n_references))
    return One(references=references, output=draw(st.one_of(sentence, st.just(references[0]))))


def item(metric: Metric, n_references: int) -> st.SearchStrategy[One]:
    if metric.name == "meteor":
        needs_meteor()
    return texts(metric, n_references)


def given(metric: Metric, outputs: list[str], reference: list[str] = REFERENCE) -> Items:
    if metric.name == "meteor":
        needs_meteor()
    return Items(n=2, outputs=outputs, references=(reference,))


GENERATION = Case(
    item=item,
    perfect=lambda metric: given(metric, REFERENCE),
    bad=lambda metric: given(metric, BAD if metric.name != "length_ratio" else ["on mats", "sunshine"]),
    nothing=lambda metric: given(metric, ["", ""], ["", ""]),
    refuses=lambda metric: [Items(n=2, outputs=REFERENCE), Items(n=2, references=(REFERENCE,))],
)
CASES.update(
    dict.fromkeys(
        ("gleu", "meteor", "rouge", "wer", "cer", "mer", "wil", "length_ratio", "squad_em", "squad_f1"),
        GENERATION,
    )
)
