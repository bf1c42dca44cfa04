"""Cochran's Q: several systems that are right or wrong on the same items."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Array
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.significance import ASYMPTOTIC, EXACT, notes
from outscore.significance.omnibus import (
    Groups,
    OmnibusFinding,
    OmnibusTest,
    make_finding,
    omnibus_test,
    permutation_exceedances,
    permutation_p,
)
from outscore.significance.p_values import chi2_p

_ENOUGH = 24  # answers on items that tell systems apart, from which the χ² law is near (Tate & Brown 1970)


@omnibus_test("cochran-q")
@dataclass(frozen=True)
class CochranQ(OmnibusTest):
    """Is any system right more often than the others? Only items that some get right and others wrong count.

    Args:
        law: of Q under the null hypothesis. ``permutation`` permutes the answers within each item: all permutations
            where they can be enumerated, else random ones; ``chi2`` is the law for many items; ``auto`` enumerates
            where it can and else takes χ².
    """

    also: ClassVar[tuple[str, ...]] = ("cochran", "q", "cochrans_q")
    null: ClassVar[str] = "within each item every assignment of the right and wrong answers to the systems is as likely"
    formula: ClassVar[str] = (
        "Q = (K - 1)(K Σ C_k² - T²)/(K T - Σ L_i²), C_k right answers of system k, L_i of item i, T of all; χ² with K"
        " - 1 degrees of freedom, or all permutations within items"
    )
    applies: ClassVar[str] = "several systems, one run each, that answered the same items right or wrong"
    needs: ClassVar[str] = "two or more systems with 1 or 0 on the same items"
    citation: ClassVar[str] = "Cochran 1950; Tate & Brown 1970"

    law: Literal["auto", "permutation", "chi2"] = "auto"

    def question(self, groups: Groups) -> str:
        return "is any system right more often than the others, on new items?"

    def refuses(self, groups: Groups) -> str | None:
        if not groups.blocks:
            return "cochran-q needs answers of all systems to the same items; use kruskal-wallis for systems apart"
        if not all(np.isin(v, (0.0, 1.0)).all() for v in groups.values):
            return "cochran-q needs items that are right or wrong (1 or 0); use friedman for other scores"
        return None

    def run(self, groups: Groups) -> OmnibusFinding:
        table = groups.matrix.astype(np.int64)
        statistic, telling, df = cochran_q(table), informative(table), table.shape[1] - 1
        if not telling:
            return OmnibusFinding(p_value=1.0, p_kind=EXACT, notes=(notes.IDENTICAL,))
        effect: dict[str, float | int | str | None] = {
            "statistic": statistic,
            "df": df,
            "n_informative": telling,
        }
        exact = None if self.law == "chi2" else permutation_p(table)
        if exact is not None:
            return OmnibusFinding(p_value=exact, p_kind=EXACT, effect=effect)
        if self.law == "permutation":
            exceedances = permutation_exceedances(table, groups.settings.n_resamples, groups.settings.seed)
            return make_finding(exceedances, effect=effect)
        few = telling * table.shape[1] < _ENOUGH
        said = (notes.FEW_INFORMATIVE,) if few else ()
        return OmnibusFinding(p_value=chi2_p(statistic, df), p_kind=ASYMPTOTIC, effect=effect, notes=said)


def cochran_q(outcomes: Array) -> float:
    """Cochran's Q; NaN if no item tells the systems apart.

    Null hypothesis: within each item every assignment of its outcomes to the systems is equally likely.

    Q = (k - 1)(k ΣG² - (ΣG)²)/(k ΣL - ΣL²), G the systems' and L the items' numbers of successes; referred to
    χ²_{k-1}, or exactly to all assignments within items (Cochran 1950), see ``permutation_p``. For two systems Q is
    McNemar's χ².

    Args:
        outcomes: shape ``(items, systems)``, zeros and ones.

    Raises:
        UsageError: outcomes other than 0 and 1, or fewer than two systems.
    """
    table = np.asarray(outcomes)
    if table.ndim != 2 or table.shape[1] < 2 or not np.isin(table, (0, 1)).all():
        raise UsageError("Cochran's Q needs zeros and ones of at least two systems, items in rows")
    k = table.shape[1]
    rows, columns = (table.sum(axis=axis).astype(np.int64) for axis in (1, 0))
    spread = int(k * rows.sum() - (rows**2).sum())
    return (k - 1) * int(k * (columns**2).sum() - columns.sum() ** 2) / spread if spread else math.nan


def informative(outcomes: Array) -> int:
    """Items that some systems have right and others wrong."""
    right = np.asarray(outcomes).sum(axis=1)
    return int(((right > 0) & (right < outcomes.shape[1])).sum())
