"""Several systems on the same items with binary outcomes: Cochran's Q."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from outscore.base.arrays import Array
from outscore.base.errors import UsageError
from outscore.significance.p_values import chi2_p
from outscore.significance.textbook.blocks import permutation_p


@dataclass(frozen=True, kw_only=True)
class CochranQResult:
    """Cochran's Q test.

    Attributes:
        statistic: Q; NaN if no item tells the systems apart.
        df: k - 1.
        p: p-value; 1 if no item tells the systems apart.
        method: chi2 or exact.
        n_informative: items that some systems have right and others wrong.
        degenerate: ``identical_outputs`` or the empty string.
    """

    statistic: float
    df: int
    p: float
    method: Literal["chi2", "exact"]
    n_informative: int
    degenerate: Literal["", "identical_outputs"] = ""


def cochran_q(outcomes: Array, *, method: Literal["chi2", "exact"] = "chi2") -> CochranQResult:
    """Cochran's Q.

    Null hypothesis: within each item every assignment of its outcomes to the systems is equally likely.

    Q = (k - 1)(k ΣG² - (ΣG)²)/(k ΣL - ΣL²), G the systems' and L the items' numbers of successes; referred to
    χ²_{k-1}, or exactly to all assignments within items (Cochran 1950). For two systems Q is McNemar's χ².

    Args:
        outcomes: shape ``(items, systems)``, zeros and ones.
        method: chi2 or exact; exact runs over the distinct multisets of column sums and suits few systems.

    Raises:
        UsageError: outcomes other than 0 and 1, fewer than two systems, or too many states for exact.
    """
    table = np.asarray(outcomes)
    if table.ndim != 2 or table.shape[1] < 2 or not np.isin(table, (0, 1)).all():
        raise UsageError("Cochran's Q needs zeros and ones of at least two systems, items in rows")
    if method not in ("chi2", "exact"):
        raise UsageError(f"method={method!r}: expected chi2 or exact")
    k = table.shape[1]
    rows = table.sum(axis=1).astype(np.int64)
    informative = rows[(rows > 0) & (rows < k)]
    if not informative.size:
        return CochranQResult(
            statistic=math.nan,
            df=k - 1,
            p=1.0,
            method=method,
            n_informative=0,
            degenerate="identical_outputs",
        )
    columns = table.sum(axis=0).astype(np.int64)
    spread = int(k * rows.sum() - (rows**2).sum())
    q = (k - 1) * int(k * (columns**2).sum() - columns.sum() ** 2) / spread
    p = chi2_p(q, k - 1)
    if method == "exact":
        found = permutation_p(table.astype(np.int64))
        if found is None:
            raise UsageError(
                f"Cochran's Q of {informative.size} items and {k} systems is too large to enumerate: use chi2"
            )
        p = found
    return CochranQResult(statistic=q, df=k - 1, p=p, method=method, n_informative=int(informative.size))
