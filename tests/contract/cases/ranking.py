"""Rankings and relevance judgements: what the metrics of retrieval read."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

DOCUMENTS = [f"d{i}" for i in range(9)]
JUDGED = ["d1 2\nd2 0\nd3 3", "d4 2\nd5 0"]


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    grades = draw(st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1))
    # few scores, so that there are ties
    scores = draw(st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-2, 4)))
    ranking = draw(st.sampled_from([scores, grades]))
    return One(
        references=("\n".join(f"{d} {g}" for d, g in grades.items()),),
        output="\n".join(f"{d} {s / 2}" for d, s in ranking.items()),
    )


def refuses(metric: Metric) -> Sequence[Items]:
    return [
        Items(n=2, outputs=JUDGED),
        Items(n=2, outputs=JUDGED, references=(JUDGED, JUDGED)),
        Items(n=2, outputs=JUDGED, references=([JUDGED[0], ""],)),
        Items(n=2, outputs=["d1 1\nd1 2", "d1"], references=(JUDGED,)),
        Items(n=2, outputs=["d1 nan", ""], references=(JUDGED,)),
        Items(n=2, outputs=JUDGED, references=(["d1 1.5", "d1 2"],)),
        Items(n=2, outputs=JUDGED, references=(["d1 9999999999", "d1 2"],)),
    ]


CASES["ranking"] = Case(
    item=item,
    perfect=lambda metric: Items(n=2, outputs=JUDGED, references=(JUDGED,)),
    bad=lambda metric: Items(n=2, outputs=["d9 8\nd8 7\nd2 6\nd1 2", "d5 1"], references=(JUDGED,)),
    refuses=refuses,
    several_references=False,
)
