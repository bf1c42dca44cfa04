"""Class labels, and sequences of tags: what the metrics of classification and of tagging read."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

LABELS = ("1", "2", "3")
GOLD = ["1", "2", "3", "1"]
TAGS = ("NOUN", "VERB", "X")


@st.composite
def label(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    """Three classes that are numbers; predictions are often right, and now and then no class at all."""
    gold = draw(st.sampled_from(LABELS))
    return One(references=(gold,), output=draw(st.sampled_from([*LABELS, gold, gold, " 7 "])))


@st.composite
def tags(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    """A sentence of tags, as many predicted as gold."""
    pairs = draw(st.lists(st.tuples(st.sampled_from(TAGS), st.sampled_from((*TAGS, ""))), max_size=6))
    return One(references=(" ".join(g for g, _ in pairs),), output=" ".join(p or g for g, p in pairs))


def labelled(predicted: list[str]) -> Items:
    return Items(n=len(GOLD), outputs=predicted, references=(GOLD,))


def tagged(*outputs: str) -> Items:
    return Items(n=2, outputs=outputs, references=(["NOUN VERB", "X X NOUN"],))


def refused(metric: Metric) -> Sequence[Items]:
    """No gold labels, two of them for an item, and one that is missing."""
    return (
        Items(n=2, outputs=["1", "2"]),
        Items(n=2, outputs=["1", "2"], references=(["1", "2"], ["1", "3"])),
        Items(n=2, outputs=["1", "2"], references=(["1", " "],)),
    )


CLASSES = Case(
    item=label,
    perfect=lambda metric: labelled(GOLD),
    bad=lambda metric: labelled(["2", "2", "1", ""] if getattr(metric, "weights", "none") == "none" else GOLD[::-1]),
    refuses=refused,
    several_references=False,
)
for name in ("precision", "recall", "f1", "mcc", "kappa"):
    CASES[name] = CLASSES
CASES["token_accuracy"] = Case(
    item=tags,
    perfect=lambda metric: tagged("NOUN VERB", "X X NOUN"),
    bad=lambda metric: tagged("X VERB", "X VERB VERB"),
    nothing=lambda metric: Items(n=2, outputs=["", ""], references=(["", " "],)),
    refuses=lambda metric: (tagged("NOUN VERB", "X X"), Items(n=1, outputs=["X"])),
    several_references=False,
)
