"""Equal rows become counts, and columns that follow from others are added up once."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass

_CONSTANT = -1


def collapse(rows: Float) -> tuple[Float, Int]:
    """Distinct rows ``(u, c)`` of ``(n, c)`` and how often each occurs ``(u,)``, whatever the order of items."""
    plain = np.ascontiguousarray(rows + 0.0)  # -0.0 and 0.0 are the same row
    # rows as strings of bytes: sorted by one comparison each, in whatever order; np.unique along an axis takes longer
    keys = plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return plain[first], counts.astype(np.int64)


@dataclass(frozen=True)
class Columns:
    """Columns of whole numbers without those that are constant, or differ from another by a constant.

    The weighted sum of such a column is the other's sum plus the constant times the sum of the weights. Of the ten
    columns of BLEU eight are left, or six where no output has fewer than four words: the totals of words, bigrams,
    trigrams and fourgrams are then its length less 0, 1, 2 and 3.

    Attributes:
        distinct: ``(q, n)``, one row for each column that has to be added up.
        place: ``(k,)`` row of ``distinct`` for each column, or -1 for a constant.
        shift: ``(k,)`` what is added to it.
    """

    distinct: Float
    place: tuple[int, ...]
    shift: tuple[float, ...]

    @classmethod
    def of(cls, rows: Float) -> Columns:
        """The columns of ``(n, k)`` whole numbers."""
        columns = np.ascontiguousarray(rows.T)
        known: dict[bytes, int] = {}
        kept: list[Float] = []
        place, shift = [], []
        for column in columns:
            moved = column - column[0]
            if not moved.any():
                place.append(_CONSTANT)
                shift.append(float(column[0]))
                continue
            at = known.setdefault((moved + 0.0).tobytes(), len(kept))
            if at == len(kept):
                kept.append(column)
            place.append(at)
            shift.append(float(column[0] - kept[at][0]))
        return cls(np.array(kept).reshape(len(kept), len(rows)), tuple(place), tuple(shift))

    def sums(self, added: Float, weight: Float | float, out: Float | None = None) -> Float:
        """Sums of all columns ``(b, k)``, each column contiguous.

        Args:
            added: sums of the distinct ones ``(q, b)``.
            weight: sum of the weights, one for all resamples or ``(b,)``.
            out: ``(k, b)`` memory to write to.
        """
        if self.place == tuple(range(len(added))) and not any(self.shift):
            return added.T
        sums = np.empty((len(self.place), added.shape[1])) if out is None else out
        for row, place, shift in zip(sums, self.place, self.shift, strict=True):
            if place == _CONSTANT:
                row[:] = shift * weight
            elif shift:
                np.add(added[place], shift * weight, out=row)
            else:
                row[:] = added[place]
        return sums.T
