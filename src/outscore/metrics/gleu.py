"""GLEU of translations (Wu et al. 2016), Google's BLEU, as nltk computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import check_option, metric, safe_ratio
from outscore.metrics.bleu import Bleu
from outscore.metrics.shared.columns import RatioOfSums, pairs, reference_count
from outscore.metrics.shared.ngrams import count_matches
from outscore.metrics.shared.sacre import Pair, split_texts


class _Tokenizer(Bleu):
    name: ClassVar[str] = "gleu"  # in what it refuses


@metric("gleu")
@dataclass(frozen=True)
class Gleu(RatioOfSums):
    """N-grams of all orders shared with the reference over those of the longer of the two texts, 0-1.

    Statistics per item: ``[matches, n-grams of output or reference, whichever has more]``. Of several references that
    with the highest share counts. It is not the GLEU of grammatical error correction (Napoles et al. 2015).

    Args:
        tokenize: tokenizer, as of ``bleu``; none for texts that are tokens between blanks, as nltk takes them.
        lowercase: fold case before tokenizing.
        max_order: highest n-gram order.
    """

    also: ClassVar[tuple[str, ...]] = ("google_bleu",)
    unit: ClassVar[str] = "GLEU 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Wu et al. 2016, Google's Neural Machine Translation System"
    example: ClassVar[str] = "gleu:tokenize=none"

    tokenize: str = "13a"
    lowercase: bool = False
    max_order: int = 4

    def __post_init__(self) -> None:
        check_option(1 <= self.max_order <= 100, self, "max_order", "1 or more")

    def statistics(self, items: Items) -> Float:
        return np.concatenate([self._rows(part) for part in split_texts(pairs(items, self.name))])

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0

    def signature(self, items: Items) -> str:
        case = "lc" if self.lowercase else "mixed"
        return f"gleu|nrefs:{reference_count(items)}|case:{case}|tok:{self.tokenize}|order:{self.max_order}"

    def _rows(self, texts: Sequence[Pair]) -> Float:
        each = np.array([len(references) for _, references in texts])
        outputs = [output for output, references in texts for _ in references]
        lines = [*outputs, *(reference for _, references in texts for reference in references)]
        tokens = _Tokenizer(tokenize=self.tokenize, lowercase=self.lowercase).tokens(lines)
        n = len(outputs)
        matches = count_matches(tokens, np.tile(np.arange(n), 2), n, self.max_order).sum(axis=1)
        grams = np.maximum(tokens.lengths[:, None] - np.arange(self.max_order), 0).sum(axis=1)
        rows = np.stack([matches, np.maximum(grams[:n], grams[n:])], axis=-1)
        first = np.cumsum(each) - each
        return rows[[at + int(safe_ratio(*rows[at : at + k].T).argmax()) for at, k in zip(first, each, strict=True)]]
