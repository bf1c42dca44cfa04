"""Boundaries of texts, 1 and 0 for each gap: what the metrics of segmentation read."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

GOLD = ["0001000100", "00100010001"]


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    least = getattr(metric, "k", None) or 0
    gaps = draw(st.lists(st.tuples(*[st.sampled_from("0001")] * 2), min_size=least, max_size=least + 12))
    gold, output = ("".join(part) for part in zip(*gaps, strict=True)) if gaps else ("", "")
    return One(references=(gold,), output=draw(st.sampled_from([gold, output, " ".join(output)])))


def given(outputs: list[str], *gold: list[str]) -> Items:
    return Items(n=len(outputs), outputs=outputs, references=gold)


def refuses(metric: Metric) -> Sequence[Items]:
    lacking = [given(["0"], ["000"])] if getattr(metric, "k", None) is None else [given(["01"], ["01"])]
    return [*lacking, given(GOLD), given(GOLD, GOLD, GOLD), given(["000a"], ["0001"]), given(["0001"], ["0021"])]


SEGMENTS = Case(
    item=item,
    perfect=lambda metric: given(GOLD, GOLD),
    bad=lambda metric: given(["0000000000", "11111111111"], GOLD),
    nothing=lambda metric: given(["", ""], ["", ""]) if getattr(metric, "k", None) is None else None,
    refuses=refuses,
    several_references=False,
)
CASES.update(dict.fromkeys(("pk", "windowdiff"), SEGMENTS))
