"""ROUGE (Lin 2004) as the rouge-score package computes it."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.installed import require
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.limits import check_words
from outscore.metrics import metric
from outscore.metrics.shared.columns import MeanOfItems, pairs, reference_count

_FIELDS = {"f": "fmeasure", "precision": "precision", "recall": "recall"}
_WORD = re.compile("[A-Za-z0-9]+")


@metric("rouge")
@dataclass(frozen=True)
class Rouge(MeanOfItems):
    """Words, word pairs or the longest common subsequence shared with the reference, mean over items, 0-1.

    Statistics per item: ``[value, 1]``. Of several references the one with the highest F counts, as in ``score_multi``.

    Args:
        type: what is matched: rouge1 words, rouge2 word pairs and so on to rouge9, rougeL the longest common
            subsequence, rougeLsum the same for every sentence, where a newline ends a sentence.
        measure: f, precision or recall.
        stemmer: strip suffixes by Porter's stemmer (English).
    """

    also: ClassVar[tuple[str, ...]] = (
        "rouge_1",
        *(f"rouge_{n}:type=rouge{n}" for n in range(2, 10)),
        "rouge_l:type=rougeL",
        "rouge_lsum:type=rougeLsum",
    )
    unit: ClassVar[str] = "ROUGE 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    extra: ClassVar[str] = "rouge"
    citation: ClassVar[str] = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries"
    example: ClassVar[str] = "rouge:type=rougeL"

    type: Literal[
        "rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rouge6", "rouge7", "rouge8", "rouge9", "rougeL", "rougeLsum"
    ] = "rouge1"
    measure: Literal["f", "precision", "recall"] = "f"
    stemmer: bool = False

    def values(self, items: Items) -> Float:
        texts = pairs(items, self.name)
        package = require("rouge_score.rouge_scorer", self.name, self.extra)
        if self.type in ("rougeL", "rougeLsum"):
            for output, references in texts:
                n, *others = (_WORD.subn("", text)[1] for text in (output, *references))
                check_words(n, max(others))
        scorer = package.RougeScorer([self.type], use_stemmer=self.stemmer)
        best = [scorer.score_multi(references, output)[self.type] for output, references in texts]
        return np.array([getattr(score, _FIELDS[self.measure]) for score in best], dtype=np.float64)

    def signature(self, items: Items) -> str:
        return (
            f"{self.type}|nrefs:{reference_count(items)}|measure:{self.measure}"
            f"|stemmer:{'yes' if self.stemmer else 'no'}|version:{version('rouge-score')}"
        )
