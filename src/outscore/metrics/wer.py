"""Error rates of speech recognition from word or character alignments, as jiwer counts them."""

from __future__ import annotations

import math
from functools import cache
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.installed import require
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.limits import check_words
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import pairs, reference_count

_AT_ONCE = 64
"""Words that the library of jiwer compares in one step: the bits of a number."""


@dataclass(frozen=True)
class AlignmentMetric(Metric):
    """A score of hits, substitutions, deletions and insertions; lower is better."""

    example: ClassVar[str]
    extra: ClassVar[str] = "asr"
    of_words: ClassVar[bool] = True

    lowercase: bool = False
    no_punct: bool = False

    @property
    def higher_is_better(self) -> bool:
        return False

    def statistics(self, items: Items) -> Float:
        texts = pairs(items, self.name)
        process = require("jiwer", self.name, self.extra).process_words
        transform = _transform(self.of_words, self.lowercase, self.no_punct)
        rows = []
        for output, references in texts:
            n, *others = (text.count(" ") if self.of_words else len(text) for text in (output, *references))
            check_words(n, max(others), _AT_ONCE)
            found = [process(r, output, transform, transform) for r in references]
            counts = np.array([[f.hits, f.substitutions, f.deletions, f.insertions] for f in found], dtype=np.float64)
            rows.append(counts[np.argmin(self.score(counts))])
        return np.array(rows)

    def signature(self, items: Items) -> str:
        case, punctuation = "lc" if self.lowercase else "mixed", "no" if self.no_punct else "yes"
        return (
            f"{self.name}|nrefs:{reference_count(items)}|case:{case}|punct:{punctuation}"
            f"|version:jiwer-{version('jiwer')}"
        )


@dataclass(frozen=True)
class ErrorRate(AlignmentMetric):
    """Edits over the length of the reference."""

    def score(self, sums: Float) -> Float:
        hits, substitutions, deletions, insertions = np.moveaxis(sums, -1, 0)
        length = hits + substitutions + deletions
        # jiwer's rule for empty references: each inserted word is one whole error
        return np.where(length > 0, safe_ratio(substitutions + deletions + insertions, length), insertions)

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([0.0, 1.0, 1.0, 1.0]), np.array([1.0, 1.0, 1.0, 0.0]), 1.0


@metric("wer")
@dataclass(frozen=True)
class WordErrorRate(ErrorRate):
    """Substituted, deleted and inserted words over reference words; lower is better, and it may exceed 1.

    Statistics per item: ``[hits, substitutions, deletions, insertions]``. Of several references the one with the lowest
    rate counts. Words are what blanks separate, case and punctuation included, as in jiwer.

    Args:
        lowercase: fold case.
        no_punct: leave punctuation out.
    """

    also: ClassVar[tuple[str, ...]] = ("word_error_rate",)
    unit: ClassVar[str] = "WER 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, math.inf)
    citation: ClassVar[str] = "Levenshtein 1966; Morris et al. 2004, From WER and RIL to MER and WIL"
    example: ClassVar[str] = "wer:lowercase=true"


@metric("cer")
@dataclass(frozen=True)
class CharacterErrorRate(ErrorRate):
    """Substituted, deleted and inserted characters over reference characters; lower is better, and it may exceed 1.

    Statistics per item: ``[hits, substitutions, deletions, insertions]``. Of several references the one with the lowest
    rate counts. Blanks inside a text are characters, as in jiwer.

    Args:
        lowercase: fold case.
        no_punct: leave punctuation out.
    """

    also: ClassVar[tuple[str, ...]] = ("character_error_rate",)
    unit: ClassVar[str] = "CER 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, math.inf)
    citation: ClassVar[str] = "Levenshtein 1966; Morris et al. 2004, From WER and RIL to MER and WIL"
    example: ClassVar[str] = "cer:lowercase=true"
    of_words: ClassVar[bool] = False


@metric("mer")
@dataclass(frozen=True)
class MatchErrorRate(AlignmentMetric):
    """Proportion of the aligned words that are errors, 0-1; lower is better.

    Statistics per item: ``[hits, substitutions, deletions, insertions]``; the score is the last three over all four. Of
    several references the one with the lowest rate counts.

    Args:
        lowercase: fold case.
        no_punct: leave punctuation out.
    """

    unit: ClassVar[str] = "MER 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Morris et al. 2004, From WER and RIL to MER and WIL"
    example: ClassVar[str] = "mer:lowercase=true"

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 1:].sum(axis=-1), sums.sum(axis=-1))

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([0.0, 1.0, 1.0, 1.0]), np.ones(4), 1.0


@metric("wil")
@dataclass(frozen=True)
class WordInformationLost(AlignmentMetric):
    """1 less hits over reference words times hits over output words, 0-1; lower is better.

    Statistics per item: ``[hits, substitutions, deletions, insertions]``. Of several references the one with the lowest
    value counts.

    Args:
        lowercase: fold case.
        no_punct: leave punctuation out.
    """

    unit: ClassVar[str] = "WIL 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "Morris et al. 2004, From WER and RIL to MER and WIL"
    example: ClassVar[str] = "wil:lowercase=true"

    def score(self, sums: Float) -> Float:
        hits, substitutions, deletions, insertions = np.moveaxis(sums, -1, 0)
        reference, output = hits + substitutions + deletions, hits + substitutions + insertions
        # nothing said and nothing heard loses nothing
        silence = np.where(reference + output > 0, 0.0, 1.0)
        return 1.0 - np.maximum(safe_ratio(hits, reference) * safe_ratio(hits, output), silence)


@cache
def _transform(of_words: bool, lowercase: bool, no_punct: bool) -> Any:
    """jiwer's default transform of words or characters, after the changes that were asked for."""
    jiwer = require("jiwer", "wer", "asr")
    changes = [jiwer.ToLowerCase()] * lowercase + [jiwer.RemovePunctuation()] * no_punct
    return jiwer.Compose([*changes, *(jiwer.wer_default if of_words else jiwer.cer_default).transforms])
