"""Tags of sentences: what the metrics of spans read."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

TAGS = ["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "I-MISC", "E-PER", "S-LOC"]
GOLD = ["B-PER I-PER O B-LOC O", "O O B-ORG"]


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    gold = draw(st.lists(st.sampled_from(TAGS), min_size=1, max_size=8))
    other = st.lists(st.sampled_from(TAGS), min_size=len(gold), max_size=len(gold))
    return One(references=(" ".join(gold),), output=" ".join(draw(st.one_of(st.just(gold), other))))


def refuses(metric: Metric) -> Sequence[Items]:
    some = Items(n=1, outputs=["O"], references=(["O"],))
    return [
        Items(n=1, outputs=some.outputs),
        Items(n=1, outputs=some.outputs, references=(*some.references, *some.references)),
        Items(n=1, outputs=["O O"], references=some.references),
        Items(n=1, outputs=["O  O"], references=(["O O O"],)),
    ]


CASES["tags"] = Case(
    item=item,
    perfect=lambda metric: Items(n=2, outputs=GOLD, references=(GOLD,)),
    bad=lambda metric: Items(n=2, outputs=["I-LOC O O B-ORG I-ORG", "B-ORG I-ORG O"], references=(GOLD,)),
    nothing=lambda metric: Items(n=2, outputs=["O", ""], references=(["O", ""],)),
    refuses=refuses,
    several_references=False,
)
