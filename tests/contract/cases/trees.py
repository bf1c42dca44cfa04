"""Small bracketed trees over the same words, with punctuation, unary chains, and now and then no parse at all."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

LABELS = ["S", "NP", "VP", "ADVP", "PRT", "NP-SBJ", "TOP", "-NONE-"]
TAGS = ["DT", "NN", "VBD", ",", "."]
WORDS = ["the", "cat", "sat", ",", "."]


@st.composite
def trees(draw: st.DrawFn, words: list[tuple[str, str]]) -> str:
    """Any tree over these words with their tags."""
    parts = [f"({draw(st.sampled_from([tag, 'NN']))} {word})" for word, tag in words]
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(parts) - 1))
        end = draw(st.integers(start + 1, len(parts)))
        parts[start:end] = [f"({draw(st.sampled_from(LABELS))} {' '.join(parts[start:end])})"]
    return f"(TOP {' '.join(parts)})"


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    words = draw(st.lists(st.sampled_from(list(zip(WORDS, TAGS, strict=True))), min_size=1, max_size=7))
    gold = draw(trees(words))
    usual = trees(words)
    output = draw(st.one_of(usual, usual, usual, st.just(gold), st.sampled_from(["", "(())", "(S (NN other))"])))
    return One(references=(gold,), output=output)


GOLD = [
    "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (NN mats))))))",
    "(TOP (NP (NN rain) (NN falls)))",
]
BAD = [
    "(TOP (X (NP (DT the)) (X (NN cat) (VBD sat)) (X (NN on) (NN mats))))",
    "(TOP (NP (NP (CD rain)) (VP (CD falls))))",
]
COUNTS = ("matched", "gold_brackets", "test_brackets", "crossing", "words", "tags", "length", "status")


def table(rows: list[tuple[int, ...]]) -> Items:
    """Items with the counts of EVALB's report."""
    return Items(n=len(rows), columns=dict(zip(COUNTS, np.array(rows, dtype=float).T, strict=True)))


CASES["tree"] = Case(
    item=item,
    perfect=lambda metric: Items(n=2, outputs=GOLD, references=(GOLD,)),
    bad=lambda metric: Items(n=2, outputs=BAD, references=(GOLD,)),
    nothing=lambda metric: Items(n=2, outputs=["", ""], references=(["", ""],)),
    refuses=lambda metric: [
        Items(n=2, outputs=GOLD),
        Items(n=2, outputs=GOLD, references=(GOLD, GOLD)),
        Items(n=2, outputs=[GOLD[0], "rain falls"], references=(GOLD,)),
        Items(n=2, outputs=GOLD, references=([GOLD[0], GOLD[1][:-1]],)),
        Items(n=2, columns={"score": np.ones(2)}),
    ],
    several_references=False,
)
