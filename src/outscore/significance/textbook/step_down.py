"""Step-down adjusted p-values: the smallest p against all hypotheses, the next one against those that are left."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from outscore.base.arrays import Float


def holm(p: Float) -> Float:
    """Step-down Bonferroni: family-wise error under any dependence (Holm 1979)."""
    return step_down(p, lambda ordered, left: np.minimum(1.0, left * ordered))


def step_down(p: Float, bound: Callable[[Float, Float], Float]) -> Float:
    """Adjusted p-values ``(m,)`` in the order of the raw ones, monotone and at most 1.

    Args:
        bound: p-values in increasing order, and how many hypotheses are left at each, to single-step bounds.
    """
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1, dtype=np.float64)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(bound(p[order], left)))
    return adjusted
