"""N-grams that texts share with their references, counted for many texts at once."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.metrics.shared.tokens import Tokens

_HALF = 32  # bits of either number of a pair


def clipped_matches(texts: Tokens, group: Int, outputs: int, max_order: int) -> Float:
    """N-grams of each output that its references have, ``(outputs, max_order)``, for n = 1 ... max_order.

    An n-gram matches as often as it is in the output, but no more often than in the reference that has it most often
    (Papineni et al. 2002, §2.1).

    Args:
        texts: the outputs, then the references.
        group: ``(texts,)``, a number that an output and its references have in common.
        outputs: how many of the texts are outputs.
        max_order: the longest n-gram.
    """
    matches = np.zeros((outputs, max_order))
    text = np.repeat(np.arange(len(texts.lengths)), texts.lengths)
    left = np.repeat(np.cumsum(texts.lengths), texts.lengths) - np.arange(len(text))
    # an n-gram is numbered within its group, from the number of its first n - 1 words and that of its last word
    at = np.arange(len(text))
    word = gram = _numbered(group[text], texts.ids)
    for order in range(1, max_order + 1):
        found, times = np.unique(_pair(text[at], gram), return_counts=True)
        where, which = found >> _HALF, found & (1 << _HALF) - 1
        first = np.searchsorted(where, outputs)
        most = np.zeros(gram.max(initial=0) + 1, np.int64)
        np.maximum.at(most, which[first:], times[first:])
        clipped = np.minimum(times[:first], most[which[:first]])
        matches[:, order - 1] = np.bincount(where[:first], clipped, outputs)
        # an n-gram that no reference has is part of no longer match
        longer = (most[gram] > 0) & (left[at] > order)
        at = at[longer]
        gram = _numbered(gram[longer], word[at + order])
    return matches


def _pair(first: Int, second: Int) -> Int:
    return first << _HALF | second


def _numbered(first: Int, second: Int) -> Int:
    """Numbers from 0 on, the same for the same pair."""
    return np.unique(_pair(first, second), return_inverse=True)[1]
