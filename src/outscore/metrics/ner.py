"""F1 of named entities and other spans, as conlleval counts it (Tjong Kim Sang and Buchholz 2000)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any, ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError, inflect, join, suggestion
from outscore.base.installed import require
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.tags import TAGS, Scheme, Span, spans, tags_of
from outscore.base.registry import options_of
from outscore.metrics import Averaged, Metric, check_option, metric, safe_ratio

Spans = tuple[Span, ...]

# weights of [correct, gold, predicted] above and below the fraction
_RATIOS = {
    "f1": ([2.0, 0.0, 0.0], [0.0, 1.0, 1.0]),
    "precision": ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
    "recall": ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
}
_STRATEGIES = {
    "strict": "StrictEvaluation",
    "exact": "ExactEvaluation",
    "partial": "PartialEvaluation",
    "ent_type": "EntityTypeEvaluation",
}


@metric("ner")
@dataclass(frozen=True)
class Ner(Metric):
    """F1 (or precision, or recall) of spans that are right in type and both ends, 0-100.

    Statistics per item: ``[correct, gold, predicted]`` spans, for each gold type in turn where types are averaged.
    ``correct`` counts a partial match as one half. Without any span, gold or predicted, the score is 0.

    Args:
        measure: f1, precision or recall.
        type: only the spans of this type, gold and predicted; by default all.
        average: micro sums over all types; macro is the mean over the gold types, weighted that by their number of
            gold spans; each gives every gold type apart.
        labelled: false compares the ends alone, as if all spans had one type.
        scheme: how tags mark spans: conlleval, or strictly iob1, iob2, ioe1, ioe2 or bioes.
        suffix: tags have their letter behind the type, PER-B for B-PER.
        match: which spans are right: conlleval; or a scheme of SemEval 2013, as nervaluate counts it: strict (type and
            ends), exact (ends), partial (ends; an overlap is one half), ent_type (type; an overlap is enough).
        overlap: the least overlap of partial and ent_type, in per cent of a gold span; by default a token is enough.

    The gold types that are averaged are kept in ``_types``; a domain, or one data set of several, is scored over those
    that its own gold tags have.
    """

    also: ClassVar[tuple[str, ...]] = (
        "span_f1",
        "entity_f1",
        "chunk_f1",
        "ner_f1",
        "seqeval",
        "conlleval",
        "nervaluate",
        "entity_precision:measure=precision",
        "entity_recall:measure=recall",
    )
    unit: ClassVar[str] = "F1 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = (
        "Tjong Kim Sang and Buchholz 2000, Introduction to the CoNLL-2000 Shared Task: Chunking; "
        "for other matches Segura-Bedmar et al. 2013, SemEval-2013 Task 9"
    )
    example: ClassVar[str] = "ner:average=macro"
    reads: ClassVar[str] = TAGS

    measure: Literal["f1", "precision", "recall"] = "f1"
    type: str = ""
    average: Literal["micro", "macro", "weighted", "each"] = "micro"
    labelled: bool = True
    scheme: Scheme = "conlleval"
    suffix: bool = False
    match: Literal["conlleval", "strict", "exact", "partial", "ent_type"] = "conlleval"
    overlap: float = 1.0
    _types: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        whole = not self.type and self.average == "micro"
        check_option(whole or self.labelled, self, "labelled", "true where types are told apart")
        check_option(not self.type or self.average == "micro", self, "average", "micro where one type is asked for")
        overlaps = self.overlap == 1 or self.match in ("partial", "ent_type")
        check_option(overlaps and 1 <= self.overlap <= 100, self, "overlap", "1 to 100, and match=partial or ent_type")

    def prepare(self, runs: Sequence[Items]) -> tuple[Metric, ...]:
        every = replace(self, type="")
        checked = [list(every._span_pairs(run)) for run in runs]
        types = tuple(sorted({span.type for gold, _ in checked[0] for span in gold}))
        if self.type and self.type not in types:
            raise UsageError(
                f"{self.name}:type={self.type}: no such type among the gold tags{suggestion(self.type, types)} "
                f"(there are: {join(types)})"
            )
        if self.average == "each":
            if not types:
                raise InputError("the gold tags mark no span", remedy="check which column holds the gold tags")
            return tuple(replace(self, type=name, average="micro") for name in types)
        return (self if self.average == "micro" else replace(self, _types=types),)

    def statistics(self, items: Items) -> Float:
        if self.average in ("macro", "weighted") and self._types is None:
            return self.prepare([items])[0].statistics(items)
        correct = self._correct()
        groups = ("",) if self._types is None else self._types
        rows = np.zeros((items.n, len(groups), 3))
        for row, (gold, predicted) in zip(rows, self._span_pairs(items), strict=True):
            for cell, name in zip(row, groups, strict=True):
                g, p = _select_type(gold, name), _select_type(predicted, name)
                cell[:] = correct(g, p), len(g), len(p)
        return rows.reshape(items.n, -1)

    def score(self, sums: Float) -> Float:
        above, below = map(np.array, _RATIOS[self.measure])
        groups = sums.reshape(*sums.shape[:-1], -1, 3)
        scores = 100 * safe_ratio(groups @ above, groups @ below)
        if self.average == "weighted":
            gold = groups[..., 1]
            return safe_ratio((gold * scores).sum(axis=-1), gold.sum(axis=-1))
        total: Float = scores.sum(axis=-1) / max(scores.shape[-1], 1)
        return total

    def as_average(self) -> Averaged | None:
        if self._types is None or len(self._types) < 2 or self.average == "weighted":
            return None
        above, below = map(np.array, _RATIOS[self.measure])
        return Averaged(above, below, gold=np.array([0.0, 1.0, 0.0]), scale=100.0, names=self._types)

    def ratio(self) -> tuple[Float, Float, float] | None:
        if self.average in ("macro", "weighted"):
            return None
        above, below = map(np.array, _RATIOS[self.measure])
        return above, below, 100.0

    def signature(self, items: Items) -> str:
        own = ("labelled", "suffix", "overlap")
        parts = [f"{f.name}:{getattr(self, f.name) or 'all'}" for f in options_of(self) if f.name not in own]
        counted_by = [] if self.match == "conlleval" else [f"nervaluate:{version('nervaluate')}"]
        behind = ["suffix:yes"] * self.suffix + [f"overlap:{self.overlap:g}"] * (self.overlap != 1)
        return "|".join([*parts, *behind, f"labelled:{'yes' if self.labelled else 'no'}", *counted_by])

    def _span_pairs(self, items: Items) -> Iterator[tuple[Spans, Spans]]:
        """The gold and the predicted spans of each sentence that this metric looks at.

        Raises:
            InputError: there are no outputs or no gold tags, a sentence has more of one than of the other, or they
                are no tags of the scheme.
        """
        if items.outputs is None:
            raise InputError(f"{self.name} reads tags, but the systems hold scores", remedy="give tagged files")
        if len(items.references) != 1:
            for i, text in enumerate(items.outputs):
                self._spans(items, i, text)  # where no gold was seen the tags may be why
            raise InputError(
                f"{self.name} needs one file of gold tags, found {len(items.references)}",
                remedy="give it with -r GOLD_FILE",
            )
        for i, texts in enumerate(zip(items.references[0], items.outputs, strict=True)):
            pair = self._spans(items, i, texts[0]), self._spans(items, i, texts[1])
            gold, predicted = map(tags_of, texts)
            if len(gold) != len(predicted):
                raise InputError(
                    f"{_sentence(items, i)} has {inflect(len(gold), 'gold tag')}, but {len(predicted)} predicted",
                    item=i,
                    remedy="give all systems the gold tokens, a tag for each",
                )
            yield pair

    def _spans(self, items: Items, i: int, text: str) -> Spans:
        """The spans of one sentence that this metric looks at."""
        try:
            return self._seen(spans(tags_of(text), self.scheme, suffix=self.suffix))
        except NotationError as error:
            remedy = "check the columns of the files, or use -m token_accuracy for tags that mark no spans"
            raise InputError(f"{_sentence(items, i)}: {error}", remedy=remedy) from None

    def _seen(self, found: Spans) -> Spans:
        if not self.labelled:
            return tuple(span._replace(type="") for span in found)
        return _select_type(found, self.type)

    def _correct(self) -> Callable[[Spans, Spans], float]:
        """How many predicted spans are right, given the gold spans and the predicted ones of a sentence."""
        if self.match == "conlleval":
            return lambda gold, predicted: len(set(gold) & set(predicted))
        entity = require("nervaluate.entities", self.label, "ner").Entity
        strategy: Any = getattr(require("nervaluate.strategies", self.label, "ner"), _STRATEGIES[self.match])(
            self.overlap
        )

        def correct(gold: Spans, predicted: Spans) -> float:
            # nervaluate counts the last token of a span as its end
            both = ([entity(s.type, s.start, s.end - 1) for s in found] for found in (gold, predicted))
            result, _ = strategy.evaluate(*both, [])
            return float(result.correct + 0.5 * result.partial)

        return correct


def _select_type(found: Spans, name: str) -> Spans:
    return tuple(span for span in found if span.type == name) if name else found


def _sentence(items: Items, i: int) -> str:
    """The name of an item in a message: its number, and how it begins."""
    texts = items.labels.get("tokens") or (*items.references, items.outputs or ())[0]
    return f"sentence {i + 1} ({texts[i][:40]!r})"
