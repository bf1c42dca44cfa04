"""Simplified texts with their sources: what SARI reads."""

from __future__ import annotations

from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One
from tests.contract.cases.text import BAD, REFERENCE, sentences

SOURCE = ["the old cat sat down on the red mat .", "it pours in the old town today"]


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    references = tuple(draw(sentences()) for _ in range(n_references))
    output = draw(st.one_of(sentences(), st.just(references[0])))
    return One(references=references, output=output, labels={"source": draw(st.one_of(sentences(), st.just(output)))})


def given(outputs: list[str], gold: list[str], source: list[str]) -> Items:
    return Items(n=2, outputs=outputs, references=(gold,), labels={"source": source})


SIMPLIFIED = Case(
    item=item,
    perfect=lambda metric: given(REFERENCE, REFERENCE, SOURCE),
    bad=lambda metric: given(BAD, REFERENCE, SOURCE),
    nothing=lambda metric: given(["", ""], ["", ""], ["", ""]),
    refuses=lambda metric: [
        Items(n=2, outputs=REFERENCE, references=(REFERENCE,)),
        Items(n=2, outputs=REFERENCE, labels={"source": SOURCE}),
    ],
)
CASES.update(dict.fromkeys(("sari", "corpus_sari"), SIMPLIFIED))
