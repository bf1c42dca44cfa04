"""Unlabelled attachment (Buchholz and Marsi 2006; Zeman et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.notation.conllu import ParsedSentence
from outscore.metrics import metric
from outscore.metrics.shared.dependency import WordByWord, with_heads


@metric("uas")
@dataclass(frozen=True)
class Uas(WordByWord):
    """Unlabelled attachment score: words with the right head, 0-100; F1 where systems split the text themselves.

    Statistics per item: ``[right words, gold words, system words]``.

    Args:
        punct: count punctuation too.
    """

    unit: ClassVar[str] = "UAS 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Buchholz and Marsi 2006, CoNLL-X Shared Task; Zeman et al. 2018, CoNLL 2018 Shared Task"
    example: ClassVar[str] = "uas:punct=false"

    def answers(self, sentence: ParsedSentence) -> list[tuple[int, str]]:
        return [(head, "") for head in with_heads(sentence, self.name)]
