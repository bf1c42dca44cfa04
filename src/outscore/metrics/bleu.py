"""BLEU (Papineni et al. 2002) as sacrebleu computes it (Post 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError, suggestion
from outscore.base.items import Items
from outscore.metrics import check_option, metric, safe_ratio
from outscore.metrics.shared.sacre import SacreMetric

_SMOOTH_VALUE = {"floor": 0.1, "add-k": 1.0}
_SLIDE_WEIGHTS = np.array([1.0, 0.5, 0.25, 0.125])


@metric("bleu")
@dataclass(frozen=True)
class Bleu(SacreMetric):
    """Corpus BLEU: brevity penalty times the geometric mean of clipped n-gram precisions, 0-100.

    Statistics per segment: ``[output length, closest reference length, matches 1..N, totals 1..N]``.

    Args:
        tokenize: sacrebleu's tokenizer: 13a, intl, zh, char, none, ja-mecab, ko-mecab, spm, flores101, flores200 ...
        smooth: smoothing of orders without a match, applied to the sums: exp, floor, add-k or none.
        smooth_value: its parameter; none for the method's default.
        lowercase: fold case before tokenizing.
        max_order: highest n-gram order.
        effective_order: leave out orders that the output is too short to have.
        variant: standard; or slide, exp(ln p1 + ln p2 / 2 + ln p3 / 4 + ln p4 / 8 - max(r / c - 1, 0)) as lecture
            slides have it (O'Connor), without smoothing: for teaching, on another scale than BLEU.
    """

    unit: ClassVar[str] = "BLEU 0-100"
    citation: ClassVar[str] = "Papineni et al. 2002, BLEU; Post 2018, A Call for Clarity in Reporting BLEU Scores"
    example: ClassVar[str] = "bleu:tokenize=intl"

    tokenize: str = "13a"
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"
    smooth_value: float | None = None
    lowercase: bool = False
    max_order: int = 4
    effective_order: bool = False
    variant: Literal["standard", "slide"] = "standard"

    def __post_init__(self) -> None:
        check_option(1 <= self.max_order <= 100, self, "max_order", "1 or more")
        value = self.smooth_value
        check_option(value is None or 0 <= value < float("inf"), self, "smooth_value", "a number of 0 or more")
        fixed = (self.smooth, value, self.max_order, self.effective_order) == ("exp", None, 4, False)
        check_option(
            fixed or self.variant == "standard",
            self,
            "variant",
            "no other option than tokenize and lowercase beside it",
        )

    def reference_implementation(self) -> Any:
        from sacrebleu.metrics.bleu import BLEU

        if self.tokenize not in BLEU.TOKENIZERS:
            raise UsageError(
                f"bleu:tokenize={self.tokenize}: no such tokenizer{suggestion(self.tokenize, BLEU.TOKENIZERS)} "
                f"(there are: {', '.join(BLEU.TOKENIZERS)})"
            )
        return BLEU(
            lowercase=self.lowercase,
            tokenize=self.tokenize,
            smooth_method="none" if self.variant == "slide" else self.smooth,
            smooth_value=self.smooth_value,
            max_ngram_order=self.max_order,
            effective_order=self.effective_order,
            force=True,
        )

    def score(self, sums: Float) -> Float:
        length, reference = sums[..., 0], sums[..., 1]
        matches = sums[..., 2 : 2 + self.max_order]
        totals = sums[..., 2 + self.max_order :]
        if self.variant == "slide":
            with np.errstate(divide="ignore"):
                logs = np.log(safe_ratio(matches, totals)) @ _SLIDE_WEIGHTS
            slide: Float = 100.0 * np.exp(logs - np.maximum(_over(reference, length) - 1.0, 0.0))
            return slide
        any_match = (matches > 0).any(axis=-1)
        if self.smooth == "add-k":
            added = np.full(self.max_order, self._smooth_value)
            added[0] = 0.0
            matches, totals = matches + added, totals + added
        # sacrebleu stops at the first order without n-grams: later orders count as precision 0
        present = np.logical_and.accumulate(totals > 0, axis=-1)
        smoothed = np.zeros_like(matches)
        zero = (matches == 0) & present
        if self.smooth == "exp":
            smoothed = np.where(zero, 0.5 ** np.cumsum(zero, axis=-1), 0.0)
        elif self.smooth == "floor":
            smoothed = np.where(zero, self._smooth_value, 0.0)
        precision = np.where(present, safe_ratio(matches + smoothed, totals), 0.0)
        used = present if self.effective_order else np.ones_like(present)
        with np.errstate(divide="ignore"):
            logs = np.where(used, np.log(precision), 0.0).sum(axis=-1)
            mean_log = logs / np.maximum(used.sum(axis=-1), 1)
            brevity = np.where(length < reference, np.exp(np.minimum(0.0, 1.0 - _over(reference, length))), 1.0)
        score: Float = np.where(any_match, 100.0 * brevity * np.exp(mean_log), 0.0)
        return score

    def signature(self, items: Items) -> str:
        theirs = super().signature(items)
        return theirs if self.variant == "standard" else f"variant:{self.variant}|{theirs}"

    def _assert_same_score(self, theirs: Any, statistics: Float) -> None:
        if self.variant == "standard":
            super()._assert_same_score(theirs, statistics)

    @property
    def _smooth_value(self) -> float:
        return _SMOOTH_VALUE.get(self.smooth, 0.0) if self.smooth_value is None else self.smooth_value


def _over(reference: Float, length: Float) -> Float:
    """Reference length over output length; an empty output is infinitely short, so its brevity penalty is 0."""
    return safe_ratio(reference, length, empty=np.inf)
