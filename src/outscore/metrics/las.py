"""Labelled attachment (Buchholz and Marsi 2006; Zeman et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.notation.conllu import ParsedSentence
from outscore.metrics import metric
from outscore.metrics.shared.dependency import WordByWord, with_heads


@metric("las")
@dataclass(frozen=True)
class Las(WordByWord):
    """Labelled attachment score: words with the right head and relation, 0-100; F1 where systems split the text.

    Statistics per item: ``[right words, gold words, system words]``.

    Args:
        punct: count punctuation too.
        subtypes: compare whole relations (``nmod:poss``), not their universal part alone (``nmod``).
    """

    unit: ClassVar[str] = "LAS 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Buchholz and Marsi 2006, CoNLL-X Shared Task; Zeman et al. 2018, CoNLL 2018 Shared Task"
    example: ClassVar[str] = "las:subtypes=true"

    subtypes: bool = False

    def answers(self, sentence: ParsedSentence) -> list[tuple[int, str]]:
        relations = sentence.deprels if self.subtypes else [r.partition(":")[0] for r in sentence.deprels]
        return list(zip(with_heads(sentence, self.name), relations, strict=True))
