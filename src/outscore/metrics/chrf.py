"""chrF and chrF++ (Popović 2015, 2017) as sacrebleu computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.metrics import check_option, metric, safe_ratio
from outscore.metrics.shared.sacre import SacreMetric

_EPSILON = 1e-16  # the reference implementation's own constant


@metric("chrf")
@dataclass(frozen=True)
class Chrf(SacreMetric):
    """F-beta of character (and word) n-gram precision and recall, averaged over orders, 0-100.

    Statistics per segment: ``[output n-grams, reference n-grams, matches]`` for each order.

    Args:
        char_order: highest character n-gram order.
        word_order: highest word n-gram order; 2 is chrF++.
        beta: weight of recall.
        lowercase: fold case.
        whitespace: count blanks as characters.
        eps_smoothing: smooth as chrF++.py does instead of leaving out empty orders.
    """

    unit: ClassVar[str] = "chrF 0-100"
    citation: ClassVar[str] = "Popović 2015, chrF; Popović 2017, chrF++"
    example: ClassVar[str] = "chrf:word_order=2"

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        check_option(1 <= self.char_order <= 100, self, "char_order", "1 or more")
        check_option(0 <= self.word_order <= 100, self, "word_order", "0 or more")
        check_option(0 <= self.beta <= 10**6, self, "beta", "0 or more")

    def reference_implementation(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
        )

    def score(self, sums: Float) -> Float:
        by_order = sums.reshape(*sums.shape[:-1], -1, 3)
        outputs, references, matches = by_order[..., 0], by_order[..., 1], by_order[..., 2]
        if self.eps_smoothing:
            precision = safe_ratio(matches, outputs, empty=_EPSILON)
            recall = safe_ratio(matches, references, empty=_EPSILON)
            mean_f: Float = self._f(precision, recall, empty=_EPSILON).mean(axis=-1)
            return 100.0 * mean_f
        present = (outputs > 0) & (references > 0)
        orders = np.maximum(present.sum(axis=-1), 1)
        precision = np.where(present, safe_ratio(matches, outputs), 0.0).sum(axis=-1) / orders
        recall = np.where(present, safe_ratio(matches, references), 0.0).sum(axis=-1) / orders
        return 100.0 * self._f(precision, recall, empty=0.0)

    def _f(self, precision: Float, recall: Float, empty: float) -> Float:
        factor = float(self.beta) ** 2
        return safe_ratio((1 + factor) * precision * recall, factor * precision + recall, empty=empty)
