"""SARI of simplified texts (Xu et al. 2016): the n-grams of the source that are kept or deleted, and those added."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import MeanOfItems, pairs, reference_count
from outscore.metrics.shared.ngrams import cut_13a

Grams = Counter[tuple[str, ...]]


@dataclass(frozen=True)
class Simplification(Metric):
    """A score of the n-grams of sources, outputs and references, up to four words."""

    unit: ClassVar[str] = "SARI 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification"
    empty: ClassVar[list[str]] = []  # the words of an empty text

    source: str = "source"
    tokenize: Literal["13a", "none"] = "13a"
    lowercase: bool = True

    def signature(self, items: Items) -> str:
        return f"{self.label}|nrefs:{reference_count(items)}"

    def _counts(self, items: Items) -> Iterator[list[tuple[Grams, ...]]]:
        """Of each item, n-grams of source and output, each as often as there are references, and of all references."""
        if self.source not in items.labels:
            key = self.source if self.source.isidentifier() else json.dumps(self.source)
            raise InputError(
                f"{self.name} needs the source of each item, and there is no column {self.source!r} of texts",
                remedy=f"name another one, {self.name}:source=COLUMN, or add it to the table or by --items FILE.jsonl, "
                f"which of plain lines is made by jq -R '{{{key}: .}}' LINES > FILE.jsonl",
            )
        for source, (output, references) in zip(items.labels[self.source], pairs(items, self.name), strict=True):
            cut = [self._cut(text) or self.empty for text in (source, output, *references)]
            grams = [[Counter(zip(*(words[i:] for i in range(n)), strict=False)) for words in cut] for n in range(1, 5)]
            yield [tuple(sum(c, Counter()) for c in ([s] * len(r), [o] * len(r), r)) for s, o, *r in grams]

    def _cut(self, text: str) -> list[str]:
        text = text.lower() if self.lowercase else text
        return cut_13a(text) if self.tokenize == "13a" else text.split()


@metric("sari")
@dataclass(frozen=True)
class Sari(Simplification, MeanOfItems):
    """Mean over items of F1 of kept and added and precision of deleted n-grams, averaged over orders 1 to 4, 0-100.

    Statistics per item: ``[SARI, 1]``, as Hugging Face's evaluate has it: nothing right of nothing is 1, and recall of
    what is kept counts n-grams. The authors' script has 0 there, and counts distinct ones.

    Args:
        source: the column of the texts that are simplified.
        tokenize: 13a, as of ``bleu``, or none for tokens between blanks.
        lowercase: fold case before tokenizing.
    """

    example: ClassVar[str] = "sari:tokenize=none"
    empty: ClassVar[list[str]] = [""]

    def values(self, items: Items) -> Float:
        return np.array([100 * np.mean([_score(*grams) for grams in orders]) for orders in self._counts(items)])


@metric("corpus_sari")
@dataclass(frozen=True)
class CorpusSari(Simplification):
    """Mean of the F1 of kept, deleted and added n-grams of orders 1 to 4, counted over all items, 0-100.

    Statistics per item: ``[twice what is right, what output and references do]`` for what is kept, deleted and added of
    each order, as easse and the authors' Java program count it.

    Args:
        source: the column of the texts that are simplified.
        tokenize: 13a, as of ``bleu``, or none for tokens between blanks.
        lowercase: fold case before tokenizing.
    """

    example: ClassVar[str] = "corpus_sari:tokenize=none"

    def statistics(self, items: Items) -> Float:
        rows = [[count for grams in orders for count in _agreement(*grams)] for orders in self._counts(items)]
        return np.array(rows, dtype=np.float64)

    def score(self, sums: Float) -> Float:
        return np.asarray(100 * safe_ratio(sums[..., ::2], sums[..., 1::2]).mean(axis=-1))


def _score(source: Grams, output: Grams, references: Grams) -> float:
    kept, deleted = source & output, source - output
    right, wanted = kept & references, source & references
    added, missing = output.keys() - source.keys(), references.keys() - source.keys()
    keep = _mean_share(right, kept), right.total() / wanted.total() if wanted else 1.0
    hits = len(added & missing)
    add = hits / len(added) if added else 1.0, hits / len(missing) if missing else 1.0
    f1 = [2 * precision * recall / (precision + recall or 1.0) for precision, recall in (keep, add)]
    return (sum(f1) + _mean_share(deleted - references, deleted)) / 3


def _mean_share(right: Grams, of: Grams) -> float:
    return sum(count / of[gram] for gram, count in right.items()) / len(of) if of else 1.0


def _agreement(s: Grams, o: Grams, r: Grams) -> Iterator[int]:
    added, missing = (Counter(dict.fromkeys(text.keys() - s.keys(), 1)) for text in (o, r))
    for done, wanted in ((s & o, s & r), (s - o, s - r), (added, missing)):
        yield from (2 * (done & wanted).total(), done.total() + wanted.total())
