"""Ratios of summed columns, of lengths, and perplexity: corpus metrics whose statistics another tool has counted."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.shared.columns import RatioOfSums, column, pairs


@metric("ratio")
@dataclass(frozen=True)
class Ratio(RatioOfSums):
    """Sum of one column over the sum of another: token accuracy, TER from edits and lengths, WER ...

    Statistics per item: ``[numerator, denominator]``. A sum of denominators of 0 gives 0.

    Args:
        num: column of the numerator; ``a+b`` adds columns.
        den: column of the denominator, or columns to add.
        scale: factor of the score, e.g. 100.
        lower: lower is better.
    """

    unit: ClassVar[str] = "units of the ratio"
    citation: ClassVar[str] = "ratio of sums"
    example: ClassVar[str] = "ratio:num=edits,den=ref_len,scale=100,lower=true"

    num: str
    den: str
    scale: float = 1.0
    lower: bool = False

    def __post_init__(self) -> None:
        check_option(0 < self.scale < float("inf"), self, "scale", "a number above 0 (lower=true turns the direction)")

    @property
    def higher_is_better(self) -> bool:
        return not self.lower

    def statistics(self, items: Items) -> Float:
        return np.stack([self._add(items, columns) for columns in (self.num, self.den)], axis=-1)

    def _add(self, items: Items, columns: str) -> Float:
        names = [columns] if columns in items.columns else columns.split("+")
        added: Float = np.sum([column(items, name, self.name) for name in names], axis=0)
        return added

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), self.scale


@metric("length_ratio")
@dataclass(frozen=True)
class LengthRatio(RatioOfSums):
    """Output length over reference length: above 1 is longer, below 1 shorter; a gain means longer, not better.

    Statistics per item: ``[output length, length of the reference that is closest in length]``, the shorter of two that
    are equally close, as in BLEU. Without any reference text the ratio is 0.

    Args:
        of: what is counted: words, which are what blanks separate, or chars, without blanks.
        tested: its gains are tested too, and count in the correction, although it stands beside other metrics.
    """

    also: ClassVar[tuple[str, ...]] = ("len_ratio",)
    limits: ClassVar[tuple[float, float] | None] = (0.0, math.inf)
    unit: ClassVar[str] = "ratio, 1 is as long as the reference"
    citation: ClassVar[str] = "Papineni et al. 2002, BLEU; Clark et al. 2011, Better Hypothesis Testing (MultEval)"
    example: ClassVar[str] = "length_ratio:of=chars"

    of: Literal["words", "chars"] = "words"
    tested: bool = False

    @property
    def descriptive(self) -> bool:
        return not self.tested

    @property
    def direction(self) -> None:
        return None

    def statistics(self, items: Items) -> Float:
        rows = []
        for output, references in pairs(items, self.name):
            length = self._length(output)
            closest = min(map(self._length, references), key=lambda other: (abs(other - length), other))
            rows.append([length, closest])
        return np.array(rows, dtype=np.float64)

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0

    def _length(self, text: str) -> int:
        words = text.split()
        return len(words) if self.of == "words" else sum(map(len, words))


_LARGEST = 700.0  # nats per token; exp of more is no number


@metric("perplexity")
@dataclass(frozen=True)
class Perplexity(Metric):
    """exp(-sum of log-likelihoods / sum of tokens); lower is better.

    Statistics per item: ``[-log-likelihood in nats, tokens]``. What is counted as a token is up to the data: with bytes
    it is the perplexity per byte. Texts of no tokens at all have perplexity 1.

    Args:
        loglik: column of the log-likelihood of each item, 0 or less.
        tokens: column of the number of its tokens, words or bytes, above 0.
        base: base of the logarithm in which the log-likelihoods are given: ``e``, ``2`` or ``10``.
        bits: the binary logarithm of the perplexity instead: bits per token, word or byte.
    """

    also: ClassVar[tuple[str, ...]] = ("ppl", "bits_per_token:bits=true")
    limits: ClassVar[tuple[float, float] | None] = (1.0, math.inf)
    unit: ClassVar[str] = "perplexity (with bits=true: bits per token)"
    citation: ClassVar[str] = "Jelinek et al. 1977, Perplexity: a measure of the difficulty of speech recognition tasks"
    example: ClassVar[str] = "perplexity:base=2"

    loglik: str = "loglik"
    tokens: str = "tokens"
    base: Literal["e", "2", "10"] = "e"
    bits: bool = False

    def __post_init__(self) -> None:
        if self.bits:
            object.__setattr__(self, "limits", (0.0, math.inf))

    @property
    def higher_is_better(self) -> bool:
        return False

    def statistics(self, items: Items) -> Float:
        given, tokens = column(items, self.loglik, self.name), column(items, self.tokens, self.name)
        nats = -given * (1.0 if self.base == "e" else math.log(float(self.base)))
        self._refuse(nats < 0, given, f"a log-likelihood of 0 or less in {self.loglik!r}", "give log-probabilities")
        self._refuse(tokens <= 0, tokens, f"a count above 0 in {self.tokens!r}", "leave out items without tokens")
        self._refuse(
            nats > _LARGEST * tokens,
            given,
            f"at least {-_LARGEST:g} nats a token in {self.loglik!r}",
            "check base= and that log-likelihood and tokens are of the same texts",
        )
        return np.stack([nats + 0.0, tokens], axis=-1)

    def score(self, sums: Float) -> Float:
        nats = safe_ratio(sums[..., 0], sums[..., 1])
        return nats / math.log(2) if self.bits else np.exp(nats)

    def ratio(self) -> tuple[Float, Float, float] | None:
        return (np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1 / math.log(2)) if self.bits else None

    def _refuse(self, wrong: np.ndarray[tuple[int], np.dtype[np.bool_]], found: Float, what: str, remedy: str) -> None:
        where = np.flatnonzero(wrong)
        if where.size:
            i = where[0]
            said = f"perplexity expects {what}, but item {i + 1} has {found[i]:g}"
            raise InputError(said, item=int(i), remedy=remedy)
