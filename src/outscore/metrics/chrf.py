"""chrF and chrF++ (Popović 2015, 2017) as sacrebleu computes them."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.metrics import check_option, metric, safe_ratio
from outscore.metrics.shared.ngrams import Tokens, characters, count_matches, tokens_of_words
from outscore.metrics.shared.sacre import Pair, SacreMetric

_EPSILON = 1e-16  # the reference implementation's own constant
_PUNCTUATION = frozenset(string.punctuation)


@metric("chrf")
@dataclass(frozen=True)
class Chrf(SacreMetric):
    """F-beta of character (and word) n-gram precision and recall, averaged over orders, 0-100.

    Statistics per segment: ``[output n-grams, reference n-grams, matches]`` for each order.

    Args:
        char_order: highest character n-gram order.
        word_order: highest word n-gram order; 2 is chrF++.
        beta: weight of recall.
        lowercase: fold case.
        whitespace: count blanks as characters.
        eps_smoothing: smooth as chrF++.py does instead of leaving out empty orders.
    """

    also: ClassVar[tuple[str, ...]] = (
        "chrf{beta}",
        "chrf++:word_order=2",
        "chrfpp:word_order=2",
        "chrf{beta}++:word_order=2",
    )
    unit: ClassVar[str] = "chrF 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Popović 2015, chrF; Popović 2017, chrF++"
    example: ClassVar[str] = "chrf:word_order=2"

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        check_option(1 <= self.char_order <= 100, self, "char_order", "1 or more")
        check_option(0 <= self.word_order <= 100, self, "word_order", "0 or more")
        check_option(0 <= self.beta <= 10**6, self, "beta", "0 or more")

    def reference_implementation(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
        )

    @property
    def _counted_here(self) -> bool:
        return True

    @property
    def _signature(self) -> str:
        case, effective = "lc" if self.lowercase else "mixed", "no" if self.eps_smoothing else "yes"
        space = "yes" if self.whitespace else "no"
        return f"case:{case}|eff:{effective}|nc:{self.char_order}|nw:{self.word_order}|space:{space}"

    def _rows(self, texts: Sequence[Pair], theirs: Any) -> Float:
        number: dict[str, int] = {}
        # each output once for each of its references
        cited = np.array([number.setdefault(r, len(number)) for _, references in texts for r in references])
        each = np.array([len(references) for _, references in texts])
        lines = [*(output for output, references in texts for _ in references), *number]
        if self.lowercase:
            lines = [line.lower() for line in lines]
        letters = lines if self.whitespace else ["".join(line.split()) for line in lines]
        rows = _counts(characters(letters), cited, self.char_order)
        if self.word_order:
            words = tokens_of_words(lines, lambda words: [_part_punctuation(word) for word in words])
            rows = np.concatenate([rows, _counts(words, cited, self.word_order)], axis=1)
        return rows[_find_best(self.score(rows), each)]

    def score(self, sums: Float) -> Float:
        # in the order of sacrebleu's additions, since the reference with the best score is chosen by it
        factor, orders = float(self.beta) ** 2, self.char_order + self.word_order
        columns = [(sums[..., j], sums[..., j + 1], sums[..., j + 2]) for j in range(0, 3 * orders, 3)]
        if self.eps_smoothing:
            total = np.zeros_like(sums[..., 0])
            for outputs, references, matches in columns:
                precision = safe_ratio(matches, outputs, empty=_EPSILON)
                total += _f(precision, safe_ratio(matches, references, empty=_EPSILON), factor, empty=_EPSILON)
            return 100.0 * total / orders
        precision, recall, present = (np.zeros_like(sums[..., 0]) for _ in range(3))
        with np.errstate(invalid="ignore"):
            for outputs, references, matches in columns:
                # of 0 and "not a number", which is where there are no n-grams, fmax is 0
                precision += np.fmax(matches / outputs, 0.0)
                recall += np.fmax(matches / references, 0.0)
                present += (outputs > 0) & (references > 0)
        np.maximum(present, 1.0, out=present)
        return 100.0 * _f(precision / present, recall / present, factor, empty=0.0)


def _part_punctuation(word: str) -> list[str]:
    """The word without the mark at its end, or else at its beginning, and that mark: as chrF++.py does."""
    if len(word) == 1:
        return [word]
    if word[-1] in _PUNCTUATION:
        return [word[:-1], word[-1]]
    return [word[0], word[1:]] if word[0] in _PUNCTUATION else [word]


def _f(precision: Float, recall: Float, factor: float, empty: float) -> Float:
    return safe_ratio((1 + factor) * precision * recall, factor * precision + recall, empty=empty)


def _counts(texts: Tokens, cited: Int, max_order: int) -> Float:
    """``[output n-grams, reference n-grams, matches]`` for each order, a row for each output and one reference.

    Args:
        texts: the outputs, then the references.
        cited: ``(outputs,)``, the reference of each output.
        max_order: the longest n-gram.
    """
    outputs = len(cited)
    group = np.concatenate([cited, np.arange(len(texts.lengths) - outputs)])
    grams = np.maximum(texts.lengths[:, None] - np.arange(max_order), 0)
    of_reference = grams[outputs:][cited]
    of_output = np.where(of_reference > 0, grams[:outputs], 0)
    matches = count_matches(texts, group, outputs, max_order)
    return np.stack([of_output, of_reference, matches], axis=-1).reshape(outputs, -1)


def _find_best(scores: Float, each: Int) -> Int:
    """Where the first of the best scores of each output is; an output has so many of them, one after another."""
    best = np.maximum.reduceat(scores, np.cumsum(each) - each)
    where = np.flatnonzero(scores == np.repeat(best, each))
    output = np.repeat(np.arange(len(each)), each)[where]
    first: Int = where[np.searchsorted(output, np.arange(len(each)))]
    return first
