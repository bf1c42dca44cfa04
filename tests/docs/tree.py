"""The tree from data to test: its leaves, small data for each, and its picture; ``python -m tests.docs.tree`` draws."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from tests.docs.words import DOCS

WORDS = ("the", "cat", "sat", "on", "a", "mat", "by", "my", "old", "house")
PICTURE = DOCS / "pictures" / "tree.svg"


@dataclass(frozen=True)
class Leaf:
    """A kind of data, and the test that ``advise`` names for it.

    Attributes:
        question: what is asked in the picture, before the next one is.
        answer: what leads here, where it is more than yes.
        test: name of the test, in the table and as ``advise`` gives it.
        row: how the row of the table begins.
        data: arguments of ``advise``.
    """

    question: str
    answer: str
    test: str
    row: str
    data: Callable[[], Mapping[str, Any]]


def _scores(size: int, values: Callable[[random.Random], float], **more: Any) -> Mapping[str, Any]:
    draw = random.Random(1)
    return {"data": {name: [values(draw) for _ in range(size)] for name in ("base", "new")}, **more}


def _words(metric: str, size: int = 30, **more: Any) -> Mapping[str, Any]:
    draw = random.Random(2)
    texts = [" ".join(draw.choices(WORDS, k=8)) for _ in range(size)]
    outputs = {
        name: [" ".join(w for w in text.split() if draw.random() > share) or "cat" for text in texts]
        for name, share in (("base", 0.3), ("new", 0.1))
    }
    return {"data": outputs, "references": [texts], "metrics": metric, **more}


def _right(draw: random.Random) -> float:
    return float(draw.random() < 0.7)


def _documents(items: int) -> dict[str, list[str]]:
    return {"document": [f"d{i // 5}" for i in range(items)]}


def _runs() -> Mapping[str, Any]:
    draw = random.Random(3)
    return {"data": {name: [[draw.random() for _ in range(30)] for _ in range(3)] for name in ("base", "new")}}


def _ranking() -> Mapping[str, Any]:
    gold = [i % 2 for i in range(40)]
    return _scores(40, lambda draw: draw.random(), references=gold, metrics="auc")


def _claims() -> Mapping[str, Any]:
    """One system says yes on every item, the other on 12."""
    gold = ["yes" if i % 10 else "no" for i in range(150)]
    data = {"base": ["yes"] * 150, "new": ["yes" if i % 12 == 1 else "no" for i in range(150)]}
    return {"data": data, "references": [gold], "metrics": "precision:of=yes"}


LEAVES = (
    Leaf("Several runs of each system?", "", "crossed", "several runs", _runs),
    Leaf(
        "Items in clusters or strata?",
        "a mean of items",
        "t",
        "items in clusters, a mean",
        lambda: _scores(150, _right, metrics="accuracy", items=_documents(150), cluster="document"),
    ),
    Leaf(
        "",
        "another score, or strata",
        "randomization",
        "items in clusters otherwise",
        lambda: _words("bleu", 150, items=_documents(150), cluster="document"),
    ),
    Leaf("Right or wrong?", "", "mcnemar", "right or wrong", lambda: _scores(60, _right, metrics="accuracy")),
    Leaf("Another mean of items?", "10 items or more", "t", "another mean", lambda: _scores(30, lambda d: d.random())),
    Leaf("", "fewer", "randomization", "a mean of fewer", lambda: _scores(7, lambda draw: draw.random())),
    Leaf("A ranking (AUC)?", "", "randomization", "a score of a ranking", _ranking),
    Leaf("Equal denominators (TER, WER)?", "", "randomization", "a ratio", lambda: _words("ter", 400)),
    Leaf("", "few right or wrong claims", "rao", "few right or wrong", _claims),
    Leaf("", "no: BLEU, chrF, F1", "randomization:form=studentized", "another corpus", lambda: _words("bleu")),
)

_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" viewBox="0 0 640 {height}">
<title>The test that outscore chooses, question by question</title>
<style>
svg {{ background: #fff }}
rect {{ fill: #f2f5f9; stroke: #4a6785; rx: 4 }}
.test {{ fill: #e8f3ec; stroke: #3b7a57 }}
path {{ stroke: #888; fill: none }}
text {{ font: 13px sans-serif; fill: #333 }}
.said {{ font-size: 12px; fill: #666 }}
@media (prefers-color-scheme: dark) {{
svg {{ background: #1b1b1f }}
rect {{ fill: #26303c; stroke: #8fb0d3 }}
.test {{ fill: #22362b; stroke: #7fc29b }}
text {{ fill: #e6e6e6 }}
.said {{ fill: #b5b5b5 }}
}}
</style>"""


def draw() -> str:
    """The picture as SVG: questions in a column, the tests at their right."""
    parts, top, before = [], 10, None
    for leaf in LEAVES:
        if leaf.question:
            if before is not None:
                parts.append(f'<path d="M110 {before + 30} V{top}"/>')
                parts.append(f'<text x="118" y="{top - 4}" class="said">no</text>')
            parts.append(f'<rect x="10" y="{top}" width="225" height="30"/>')
            parts.append(f'<text x="20" y="{top + 20}">{escape(leaf.question)}</text>')
            parts.append(f'<path d="M235 {top + 15} H410"/>')
            before = top
        else:
            parts.append(f'<path d="M245 {top - 37} V{top + 15} H410"/>')
        parts.append(f'<text x="252" y="{top + 11}" class="said">{escape(leaf.answer or "yes")}</text>')
        parts.append(f'<rect x="410" y="{top}" width="220" height="30" class="test"/>')
        parts.append(f'<text x="420" y="{top + 20}">{escape(leaf.test)}</text>')
        top += 52
    return "\n".join((_HEAD.format(height=top), *parts, "</svg>\n"))


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8", newline="\n")
