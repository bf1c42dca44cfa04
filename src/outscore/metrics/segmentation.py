"""Errors of text segmentation in a window that slides over the gaps between units: Pk and WindowDiff."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, inflect
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import check_option, metric
from outscore.metrics.shared.columns import RatioOfSums, pairs


@dataclass(frozen=True)
class WindowMetric(RatioOfSums):
    """Proportion of the windows whose boundaries, counted up to ``most``, are not as many in both; lower is better."""

    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    most: ClassVar[float] = np.inf

    k: int | None = None
    average: Literal["micro", "macro"] = "micro"

    def __post_init__(self) -> None:
        check_option(self.k is None or 1 <= self.k <= 10**9, self, "k", "1 or more")

    @property
    def higher_is_better(self) -> bool:
        return False

    def statistics(self, items: Items) -> Float:
        rows = []
        for i, texts in enumerate(_boundaries(items, self.name)):
            n = texts.shape[1]
            if self.k is not None and n < self.k:
                raise InputError(
                    f"{self.label}: item {i + 1} has {inflect(n, 'gap')}, and no window of {self.k}",
                    item=i,
                    remedy="leave it out of all files, or leave k out",
                )
            k = self.k or max(round(n / (2 * max(texts[1].sum(), 1))), 1)
            upto = np.cumsum(np.insert(texts, 0, 0, axis=1), axis=1)
            output, reference = np.minimum(upto[:, k:] - upto[:, :-k], self.most)
            rows.append([np.sum(output != reference), len(output)])
        counts = np.array(rows, dtype=np.float64)
        return counts / np.maximum(counts[:, 1:], 1.0) if self.average == "macro" else counts

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0


@metric("pk")
@dataclass(frozen=True)
class Pk(WindowMetric):
    """Proportion of the windows in which output or reference alone has a boundary, 0-1; lower is better.

    An item is a text: 1 for each gap between its units that is a boundary, and 0 for each other one, as in 0100010.
    Statistics per item: ``[wrong windows, windows]``. Given k, an item has the score that nltk and segeval give it.

    Args:
        k: gaps in a window; by default, item by item, half as many as there are for each boundary of the reference,
            rounded half to even, and at least 1 (nltk takes 0 then and finds no error; segeval takes half of the mean
            segment, of one unit more than gaps and one segment more than boundaries, and at least 2).
        average: ``micro``, all windows together; ``macro``, the mean over the items that have windows.
    """

    also: ClassVar[tuple[str, ...]] = ("p_k",)
    unit: ClassVar[str] = "Pk 0-1"
    citation: ClassVar[str] = "Beeferman et al. 1999, Statistical models for text segmentation"
    example: ClassVar[str] = "pk:average=macro"
    most: ClassVar[float] = 1


@metric("windowdiff")
@dataclass(frozen=True)
class WindowDiff(WindowMetric):
    """Proportion of the windows in which output and reference have not as many boundaries, 0-1; lower is better.

    An item is a text: 1 for each gap between its units that is a boundary, and 0 for each other one, as in 0100010.
    Statistics per item: ``[wrong windows, windows]``. Given k, an item has the score that nltk and segeval give it.

    Args:
        k: gaps in a window; by default that of ``pk`` (nltk has none).
        average: ``micro``, all windows together; ``macro``, the mean over the items that have windows.
    """

    also: ClassVar[tuple[str, ...]] = ("window_diff",)
    unit: ClassVar[str] = "WindowDiff 0-1"
    citation: ClassVar[str] = (
        "Pevzner & Hearst 2002, A critique and improvement of an evaluation metric for text segmentation"
    )
    example: ClassVar[str] = "windowdiff:k=3"


def _boundaries(items: Items, of: str) -> list[Int]:
    """Boundaries ``(2, gaps)`` of output and reference of each item.

    Raises:
        InputError: there are several references, something else than 0 and 1, or not as many gaps in both.
    """
    found = []
    for i, (output, references) in enumerate(pairs(items, of)):
        given, *gold = ("".join(text.split()) for text in (output, *references))
        wrong = next((text for text in (given, *gold) if not {*text} <= {"0", "1"}), None)
        said = ""
        if len(gold) > 1:
            said = f"{len(gold)} references, and {of} compares with one"
        elif wrong is not None:
            said = f"{wrong[:40]!r}, and {of} reads 1 for a boundary and 0 for none"
        elif len(given) != len(gold[0]):
            said = f"{inflect(len(given), 'gap')} in the output, but {len(gold[0])} in the reference"
        if said:
            remedy = "give 0 or 1 for each gap between units, as in 0100010"
            raise InputError(f"item {i + 1} has {said}", item=i, remedy=remedy)
        found.append(np.array([[gap == "1" for gap in text] for text in (given, gold[0])], dtype=np.int64))
    return found
