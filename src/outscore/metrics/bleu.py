"""BLEU (Papineni et al. 2002) as sacrebleu computes it (Post 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError, suggestion
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import check_option, metric, safe_ratio
from outscore.metrics.shared.ngrams import Tokens, count_matches, spans, tokens_13a
from outscore.metrics.shared.sacre import Pair, SacreMetric

_SMOOTH_VALUE = {"floor": 0.1, "add-k": 1.0}
_HALF = 32  # bits of either part of a rank
_ROOTS = {1: 0, 2: 1, 4: 2}  # square roots that make the root of each order


@metric("bleu")
@dataclass(frozen=True)
class Bleu(SacreMetric):
    """Corpus BLEU: brevity penalty times the geometric mean of clipped n-gram precisions, 0-100.

    Statistics per segment: ``[output length, closest reference length, matches 1..N, totals 1..N]``.

    Args:
        tokenize: sacrebleu's tokenizer: 13a, intl, zh, char, none, ja-mecab, ko-mecab, spm, flores101, flores200 ...
        smooth: smoothing of orders without a match, applied to the sums: exp, floor, add-k or none.
        smooth_value: its parameter; none for the method's default.
        lowercase: fold case before tokenizing.
        max_order: highest n-gram order.
        effective_order: leave out orders that the output is too short to have; of segments correlate always does.
        variant: standard; or slide, exp(ln p1 + ln p2 / 2 + ln p3 / 4 + ln p4 / 8 - max(r / c - 1, 0)) as lecture
            slides have it (O'Connor), without smoothing: for teaching, on another scale than BLEU.
    """

    also: ClassVar[tuple[str, ...]] = (
        "sacrebleu",
        "bleu_{max_order}",
        "spbleu:tokenize=flores101",
        "spbleu:tokenize=flores200",
    )
    unit: ClassVar[str] = "BLEU 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Papineni et al. 2002, BLEU; Post 2018, A Call for Clarity in Reporting BLEU Scores"
    example: ClassVar[str] = "bleu:tokenize=intl"

    tokenize: str = "13a"
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"
    smooth_value: float | None = None
    lowercase: bool = False
    max_order: int = 4
    effective_order: bool = False
    variant: Literal["standard", "slide"] = "standard"

    def __post_init__(self) -> None:
        check_option(1 <= self.max_order <= 100, self, "max_order", "1 or more")
        value = self.smooth_value
        check_option(value is None or 0 <= value < float("inf"), self, "smooth_value", "a number of 0 or more")
        fixed = (self.smooth, value, self.max_order, self.effective_order) == ("exp", None, 4, False)
        check_option(
            fixed or self.variant == "standard",
            self,
            "variant",
            "no other option than tokenize and lowercase beside it",
        )

    def reference_implementation(self) -> Any:
        from sacrebleu.metrics.bleu import BLEU

        if self.tokenize not in BLEU.TOKENIZERS:
            raise UsageError(
                f"{self.name}:tokenize={self.tokenize}: no such tokenizer{suggestion(self.tokenize, BLEU.TOKENIZERS)} "
                f"(there are: {', '.join(BLEU.TOKENIZERS)})"
            )
        return BLEU(
            lowercase=self.lowercase,
            tokenize=self.tokenize,
            smooth_method="none" if self.variant == "slide" else self.smooth,
            smooth_value=self.smooth_value,
            max_ngram_order=self.max_order,
            effective_order=self.effective_order,
            force=True,
        )

    @property
    def _counted_here(self) -> bool:
        return self.tokenize == "13a"

    def _rows(self, texts: Sequence[Pair], theirs: Any) -> Float:
        number: dict[tuple[str, ...], int] = {}
        cited = np.array([number.setdefault(references, len(number)) for _, references in texts], dtype=np.int64)
        streams = np.array([len(references) for references in number], dtype=np.int64)
        owner = np.repeat(np.arange(len(streams)), streams)
        tokens = self.tokens([*(output for output, _ in texts), *chain.from_iterable(number)], theirs)
        length, reference_length = np.split(tokens.lengths, [len(texts)])
        return np.column_stack(
            [
                length,
                _closest(length, cited, reference_length, streams),
                count_matches(tokens, np.concatenate([cited, owner]), len(texts), self.max_order),
                np.maximum(length[:, None] - np.arange(self.max_order), 0),
            ]
        )

    def tokens(self, texts: Sequence[str], theirs: Any = None) -> Tokens:
        """The tokens of texts; ``theirs`` is sacrebleu's own object, where it has been made."""
        if self.tokenize != "13a":
            theirs = theirs or self._theirs()
            return Tokens.of([theirs._preprocess_segment(text).split() for text in texts])
        return tokens_13a([text.lower() for text in texts] if self.lowercase else texts)

    def score(self, sums: Float) -> Float:
        if self.variant == "slide":
            return self._slide(sums)
        roots = _ROOTS.get(self.max_order)
        if roots is None or self.smooth == "add-k":
            return self._smooth(sums)
        # with a match of every order nothing is smoothed, and the mean of logarithms is a root of a product
        matched, totals = self._product(sums, 2), self._product(sums, 2 + self.max_order)
        plain = (matched > 0) & (totals > 0)
        score = matched
        with np.errstate(divide="ignore", invalid="ignore"):
            score /= totals
            for _ in range(roots):
                np.sqrt(score, out=score)
            score *= 100.0
            score *= _brevity(sums)
        if not plain.all():
            score[~plain] = self._smooth(sums[~plain])
        return score

    def score_segments(self, statistics: Float) -> Float:
        """With effective order, as sacrebleu scores sentences: without, all of three words or fewer score 0."""
        return (self if self.variant == "slide" else replace(self, effective_order=True)).score(statistics)

    def _product(self, sums: Float, first: int) -> Float:
        """The product of the counts of all orders, the first of which is in column ``first``."""
        product = np.array(sums[..., first])
        for order in range(1, self.max_order):
            product *= sums[..., first + order]
        return product

    def _smooth(self, sums: Float) -> Float:
        """The score as sacrebleu finds it order by order, with its smoothing."""
        logs = np.zeros(sums.shape[:-1])
        used = np.zeros_like(logs)
        halved = np.ones_like(logs)
        any_match = np.zeros_like(logs, dtype=bool)
        present = np.ones_like(any_match)
        for order in range(self.max_order):
            matches, totals = sums[..., 2 + order], sums[..., 2 + self.max_order + order]
            any_match |= matches > 0
            if self.smooth == "add-k" and order > 0:
                matches, totals = matches + self._smooth_value, totals + self._smooth_value
            # sacrebleu stops at the first order without n-grams: later orders count as precision 0
            present &= totals > 0
            zero = (matches == 0) & present
            if self.smooth == "exp":
                halved = np.where(zero, halved / 2, halved)
                matches = np.where(zero, halved, matches)
            elif self.smooth == "floor":
                matches = np.where(zero, self._smooth_value, matches)
            counts = present if self.effective_order else np.ones_like(present)
            precision = np.where(present, safe_ratio(matches, totals), 0.0)
            with np.errstate(divide="ignore"):
                logs += np.where(counts, np.log(precision), 0.0)
            used += counts
        mean = np.exp(logs / np.maximum(used, 1.0))
        score: Float = np.where(any_match, 100.0 * mean * _brevity(sums), 0.0)
        return score

    def _slide(self, sums: Float) -> Float:
        # exp(ln p1 + (ln p2 + (ln p3 + ln p4 / 2) / 2) / 2) by square roots
        score = np.ones(sums.shape[:-1])
        for order in reversed(range(self.max_order)):
            score = np.sqrt(score) * safe_ratio(sums[..., 2 + order], sums[..., 2 + self.max_order + order])
        return 100.0 * score * _brevity(sums)

    def signature(self, items: Items) -> str:
        theirs = super().signature(items)
        return theirs if self.variant == "standard" else f"variant:{self.variant}|{theirs}"

    @property
    def _signature(self) -> str:
        if (self.tokenize, self.smooth, self.max_order, self.variant) != ("13a", "exp", 4, "standard"):
            return ""
        case, effective = "lc" if self.lowercase else "mixed", "yes" if self.effective_order else "no"
        return f"case:{case}|eff:{effective}|tok:13a|smooth:exp"

    def _assert_same_score(self, theirs: Any, statistics: Float) -> None:
        if self.variant == "standard":
            super()._assert_same_score(theirs, statistics)

    @property
    def _smooth_value(self) -> float:
        return _SMOOTH_VALUE.get(self.smooth, 0.0) if self.smooth_value is None else self.smooth_value


def _closest(length: Int, cited: Int, references: Int, streams: Int) -> Int:
    """The length of the reference nearest to each output's; of two as near, the shorter.

    Args:
        length: ``(outputs,)``, tokens of each output.
        cited: ``(outputs,)``, its set of references.
        references: tokens of each reference, set after set.
        streams: ``(sets,)``, references of each set.
    """
    each = streams[cited]
    candidates = references[spans((np.cumsum(streams) - streams)[cited], each)]
    # the distance decides, then the length: both in one number
    ranks = np.abs(np.repeat(length, each) - candidates) << _HALF | candidates
    return np.minimum.reduceat(ranks, np.cumsum(each) - each) & (1 << _HALF) - 1


def _brevity(sums: Float) -> Float:
    """The brevity penalty; 0 for an empty output, unless the reference is empty as well."""
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.asarray(sums[..., 1] / sums[..., 0])
    np.subtract(1.0, excess, out=excess)
    # of 0 and "not a number", which is where both are empty, fmin is 0
    np.fmin(excess, 0.0, out=excess)
    return np.exp(excess, out=excess)
