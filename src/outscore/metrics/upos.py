"""Accuracy of part-of-speech tags (Zeman et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.notation.conllu import ParsedSentence
from outscore.metrics import metric
from outscore.metrics.shared.dependency import WordByWord


@metric("upos")
@dataclass(frozen=True)
class Upos(WordByWord):
    """Words with the right universal part of speech, 0-100; F1 where systems split the text themselves.

    In CoNLL-X files it is the coarse tag, CPOSTAG. Statistics per item: ``[right words, gold words, system words]``.

    Args:
        punct: count punctuation too.
    """

    unit: ClassVar[str] = "UPOS 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Zeman et al. 2018, CoNLL 2018 Shared Task"
    example: ClassVar[str] = "upos:punct=false"

    def answers(self, sentence: ParsedSentence) -> list[tuple[int, str]]:
        return [(0, tag) for tag in sentence.upos]
