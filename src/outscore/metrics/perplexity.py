"""Perplexity of a test set from log-likelihoods and counts of tokens."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import column

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
