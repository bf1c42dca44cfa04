"""Scores of word alignments: error rate, precision, recall and F (Och & Ney 2003; Fraser & Marcu 2007)."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.lists import LINKS, Link, Links, parse
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.shared.columns import RatioOfSums


@metric("alignment")
@dataclass(frozen=True)
class LinkScore(Metric):
    """Precision, recall or F of the links over all sentence pairs, 0-100.

    Statistics per item: ``[links, sure links, links that are sure, links that are sure or possible]``. Precision is the
    proportion of links that are at least possible, recall the proportion of sure links that were found; 0 without any.

    Args:
        measure: f1, precision or recall.
        alpha: weight of precision in F, from 0 to 1; 0.5 is F1. Fraser & Marcu (2007) choose it by what helps the
            translations.
    """

    unit: ClassVar[str] = "F 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = (
        "Fraser & Marcu 2007, Measuring Word Alignment Quality for Statistical Machine Translation"
    )
    example: ClassVar[str] = "alignment:alpha=0.4"
    reads: ClassVar[str] = LINKS

    measure: Literal["f1", "precision", "recall"] = "f1"
    alpha: float = 0.5

    def __post_init__(self) -> None:
        check_option(0 <= self.alpha <= 1, self, "alpha", "a number from 0 to 1")
        if self.measure != "f1":
            object.__setattr__(self, "unit", f"{self.measure} 0-100")

    def statistics(self, items: Items) -> Float:
        return link_statistics(items, self.name)

    def score(self, sums: Float) -> Float:
        links, sure, found, allowed = (sums[..., i] for i in range(4))
        precision, recall = safe_ratio(allowed, links), safe_ratio(found, sure)
        if self.measure == "f1":
            score = safe_ratio(precision * recall, self.alpha * recall + (1 - self.alpha) * precision)
        else:
            score = precision if self.measure == "precision" else recall
        return 100.0 * score

    def ratio(self) -> tuple[Float, Float, float] | None:
        if self.measure == "f1":
            return None
        numerator, denominator = (3, 0) if self.measure == "precision" else (2, 1)
        return np.eye(4)[numerator], np.eye(4)[denominator], 100.0


def link_statistics(items: Items, metric: str) -> Float:
    """``[A, S, A and S, A and P]`` for each item: A the links, S the sure and P the possible links of the gold.

    Links of a second and further reference are possible links; S is part of P.

    Raises:
        InputError: no outputs or no references, a text that spells no links, or sure links behind the possible ones.
    """
    if items.outputs is None:
        raise InputError(f"{metric} reads links, but the systems hold none", remedy="give files of lines like 0-0 1-2")
    if not items.references:
        raise InputError(f"{metric} needs gold links", remedy="add -r GOLD_FILE")
    rows, later, within = [], 0, True
    for i, (output, *golds) in enumerate(zip(items.outputs, *items.references, strict=True)):
        links = _links(output, i, "output").possible
        first, *more = (_links(gold, i, "reference") for gold in golds)
        possible = first.possible.union(*(gold.possible for gold in more))
        rows.append((len(links), len(first.sure), len(links & first.sure), len(links & possible)))
        later += len(frozenset[Link]().union(*(gold.possible for gold in more)))
        within = within and possible == first.sure
    if within and 0 < later < sum(sure for _, sure, _, _ in rows):
        raise InputError(
            "the later gold links are all among the first, and fewer, as if sure links came behind possible ones",
            remedy="give the sure links first: -r SURE -r POSSIBLE",
        )
    return np.array(rows, dtype=np.float64)


def _links(text: str, item: int, role: str) -> Links:
    try:
        return parse(text)
    except NotationError as error:
        raise InputError(
            f"the {role} of item {item + 1} holds no links: {error}",
            item=item,
            remedy="write blanks between links, and an empty text for none",
        ) from None


@metric("aer")
@dataclass(frozen=True)
class Aer(RatioOfSums):
    """Alignment error rate ``1 - (|A and S| + |A and P|) / (|A| + |S|)`` over all sentence pairs, 0-100.

    Statistics per item: ``[links A, sure links S, links that are sure, links that are sure or possible]``. Lower is
    better; without any links, gold or found, it is 0.
    """

    unit: ClassVar[str] = "AER 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Och & Ney 2003, A Systematic Comparison of Various Statistical Alignment Models"
    example: ClassVar[str] = "aer"
    reads: ClassVar[str] = LINKS

    @property
    def higher_is_better(self) -> bool:
        return False

    def statistics(self, items: Items) -> Float:
        return link_statistics(items, self.name)

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 1.0, -1.0, -1.0]), np.array([1.0, 1.0, 0.0, 0.0]), 100.0
