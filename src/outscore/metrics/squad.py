"""Exact match and token F1 of short answers, as the SQuAD evaluation script counts them (Rajpurkar et al.)."""

from __future__ import annotations

import re
import string
from abc import abstractmethod
from collections import Counter
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import metric
from outscore.metrics.shared.columns import MeanOfItems, pairs

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


@dataclass(frozen=True)
class AnswerMetric(MeanOfItems):
    """The best agreement of an answer with any of the gold answers, both normalised; the mean over items."""

    citation: ClassVar[str] = (
        "Rajpurkar et al. 2016, SQuAD; Rajpurkar et al. 2018, Know What You Don't Know (evaluate-v2.0.py)"
    )

    def values(self, items: Items) -> Float:
        values = []
        for output, references in pairs(items, self.name):
            answer = normalize(output)
            # a gold answer of which nothing is left is none, and without any the right answer is none
            golds = [gold for gold in map(normalize, references) if gold] or [[]]
            values.append(max(self.agreement(answer, gold) for gold in golds))
        return np.array(values, dtype=np.float64)

    @staticmethod
    @abstractmethod
    def agreement(answer: list[str], gold: list[str]) -> float:
        """0-1 for the words of an answer and of one gold answer."""


@metric("squad_em")
@dataclass(frozen=True)
class SquadExactMatch(AnswerMetric):
    """Proportion of answers equal to a gold answer but for case, punctuation, articles and blanks, 0-1.

    Statistics per item: ``[equal, 1]``. Where all gold answers are empty, the empty answer is the right one (SQuAD 2).
    """

    also: ClassVar[tuple[str, ...]] = ("em", "squad")
    unit: ClassVar[str] = "EM 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    example: ClassVar[str] = "squad_em"

    @staticmethod
    def agreement(answer: list[str], gold: list[str]) -> float:
        return float(answer == gold)


@metric("squad_f1")
@dataclass(frozen=True)
class TokenF1(AnswerMetric):
    """F1 of the words shared with the best gold answer, without punctuation and articles, mean over items, 0-1.

    Statistics per item: ``[F1, 1]``. Where all gold answers are empty, the empty answer has F1 1 and any other 0
    (SQuAD 2).
    """

    also: ClassVar[tuple[str, ...]] = ("token_f1", "squad")
    unit: ClassVar[str] = "F1 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    example: ClassVar[str] = "squad_f1"

    @staticmethod
    def agreement(answer: list[str], gold: list[str]) -> float:
        if not answer or not gold:
            return float(answer == gold)
        shared = (Counter(answer) & Counter(gold)).total()
        return 2.0 * shared / (len(answer) + len(gold))


def normalize(text: str) -> list[str]:
    """The words of an answer in lower case, without punctuation and the articles a, an and the."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()
