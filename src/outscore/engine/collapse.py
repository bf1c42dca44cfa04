"""Equal rows become counts: n items with u distinct rows of statistics are u rows and their multiplicities."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float, Int


def collapse(rows: Float) -> tuple[Float, Int]:
    """Distinct rows ``(u, c)`` of ``(n, c)`` and how often each occurs ``(u,)``, whatever the order of items."""
    plain = np.ascontiguousarray(rows + 0.0)  # -0.0 and 0.0 are the same row
    keys = plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return plain[first], counts.astype(np.int64)
