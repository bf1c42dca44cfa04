"""Word alignments of short sentences, gold ones with possible links."""

from __future__ import annotations

from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

POSITIONS = st.integers(0, 3)
OUTPUTS = st.lists(st.builds("{}-{}".format, POSITIONS, POSITIONS), max_size=8).map(" ".join)
GOLDS = st.lists(st.builds("{}{}{}".format, POSITIONS, st.sampled_from("-?p"), POSITIONS), max_size=8).map(" ".join)


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    golds = tuple(draw(GOLDS) for _ in range(n_references))
    return One(references=golds, output=draw(st.one_of(OUTPUTS, st.just(golds[0]))))


GOLD = ["0-0 1-1 2?3", "0-0 1-2 2-1"]
BEST = ["0-0 1-1 2-3", "0-0 1-2 2-1"]
BAD = ["0-1 1-1 2-2", "0-0 1-1 2-2 3-3"]
NO_LINKS = ["0-0 1-1", "rain falls"]

CASES["links"] = Case(
    item=item,
    perfect=lambda metric: Items(n=2, outputs=BEST, references=(GOLD,)),
    bad=lambda metric: Items(n=2, outputs=BAD, references=(GOLD,)),
    nothing=lambda metric: Items(n=2, outputs=["", ""], references=(["", ""],)),
    refuses=lambda metric: [
        Items(n=2, outputs=GOLD),
        Items(n=2, outputs=NO_LINKS, references=(GOLD,)),
        Items(n=2, outputs=GOLD, references=(NO_LINKS,)),
    ],
)
