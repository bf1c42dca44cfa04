"""TER (Snover et al. 2006): sacrebleu's words, limits and counts; its edits, found faster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.metrics import metric, safe_ratio
from outscore.metrics.shared.edits import shifted_edits
from outscore.metrics.shared.sacre import SacreMetric


@metric("ter")
@dataclass(frozen=True)
class Ter(SacreMetric):
    """Edits (with block shifts) for each 100 reference words; lower is better.

    Statistics per segment: ``[edits to the nearest reference, mean reference length]``.

    Args:
        normalized: tercom's normalisation of the text.
        no_punct: leave punctuation out.
        asian_support: treat Asian characters one by one.
        case_sensitive: keep case.
    """

    unit: ClassVar[str] = "TER 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, math.inf)
    citation: ClassVar[str] = "Snover et al. 2006, A Study of Translation Edit Rate"
    example: ClassVar[str] = "ter:normalized=true"

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    @property
    def higher_is_better(self) -> bool:
        return False

    def reference_implementation(self) -> Any:
        from sacrebleu.metrics.ter import TER

        return TER(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )

    def score(self, sums: Float) -> Float:
        edits, length = sums[..., 0], sums[..., 1]
        # sacrebleu's rule for empty references: 0 when the output is empty too, else 1
        without_reference = np.where(edits > 0, 1.0, 0.0)
        score: Float = 100.0 * np.where(length > 0, safe_ratio(edits, length), without_reference)
        return score

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 100.0

    def _counted(self, theirs: Any, output: str, references: Any) -> Sequence[float]:
        words, streams = output.split(), references["ref_words"]
        return [min(shifted_edits(words, r) for r in streams), sum(len(r) for r in streams) / len(streams)]
