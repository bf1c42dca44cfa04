"""Friedman's test: several systems on the same items (or data sets) by their ranks on each, and what follows it.

Blocks are items or data sets; rank 1 is the best, and greater values are better. Of answers that are right or wrong it
is Cochran's Q.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.significance import ASYMPTOTIC, EXACT, notes
from outscore.significance.omnibus import (
    Groups,
    OmnibusFinding,
    OmnibusTest,
    PostHoc,
    block_ranks,
    make_finding,
    omnibus_test,
    permutation_exceedances,
    permutation_p,
)
from outscore.significance.p_values import chi2_p, f_p, holm, normal_p, range_p, range_quantile

Ties = Literal["corrected", "uncorrected"]


@omnibus_test("friedman")
@dataclass(frozen=True)
class FriedmanTest(OmnibusTest):
    """Does any system rank higher than the others, item by item? Rank 1 is the best.

    The p of a pair is that of the difference of its mean ranks, ``rank_difference``, positive where the system is
    better than the baseline; the gain shown is that of the means, and no word is given where the two point apart.

    Args:
        law: of the statistic under the null hypothesis. ``permutation`` permutes the ranks within each item: all
            permutations where they can be enumerated, else random ones; ``f`` is Iman and Davenport's F, ``chi2``
            Friedman's χ²; ``auto`` enumerates where it can and else takes F.
        ties: ``corrected``, or ``uncorrected`` as Demšar's tables are.
        pairs: p-values of all pairs by ``nemenyi`` or ``holm``.
    """

    also: ClassVar[tuple[str, ...]] = ("nemenyi", "friedman_nemenyi")
    null: ClassVar[str] = "within each item every order of the systems is equally likely"
    formula: ClassVar[str] = (
        "χ² = 12 n/(K (K + 1)) Σ (R̄_k - (K + 1)/2)², corrected for ties; F = (n - 1) χ²/(n (K - 1) - χ²) with K - 1 "
        "and (K - 1)(n - 1) degrees of freedom; pairs: z = (R̄_j - R̄_k)/√(K (K + 1)/(6 n)), Nemenyi's by the "
        "studentized range"
    )
    applies: ClassVar[str] = (
        "several systems on the same items, or on the same data sets, whose scores are comparable within an item only; "
        "of scores that mean the same everywhere, ranks throw the size of the differences away"
    )
    needs: ClassVar[str] = "two or more systems with scores on the same two or more items"
    citation: ClassVar[str] = "Friedman 1937; Iman & Davenport 1980; Nemenyi 1963; Demšar 2006; Benavoli et al. 2016"

    law: Literal["auto", "permutation", "f", "chi2"] = "auto"
    ties: Literal["corrected", "uncorrected"] = "corrected"
    pairs: Literal["nemenyi", "holm"] = "nemenyi"

    def question(self, groups: Groups) -> str:
        return "does any system rank higher than the others, on new items?"

    def refuses(self, groups: Groups) -> str | None:
        if not groups.blocks:
            return "friedman needs scores of all systems on the same items; use kruskal-wallis for systems apart"
        if groups.values[0].size < 2:
            return "friedman needs two items or more; use more items"
        return None

    def run(self, groups: Groups) -> OmnibusFinding:
        values, level = groups.matrix, 1 - groups.settings.alpha
        n, k = values.shape
        found = friedman(values, ties=self.ties)
        if found.degenerate:
            return OmnibusFinding(p_value=1.0, p_kind=EXACT, notes=(notes.IDENTICAL,))
        ranks = block_ranks(values)
        agreed = math.isinf(found.f)  # then F says nothing, and the enumeration is a formula
        exact = permutation_p(ranks) if self.law in ("auto", "permutation") or (self.law == "f" and agreed) else None
        by_f = exact is None and self.law in ("auto", "f")
        f = None if agreed else found.f
        effect: dict[str, float | int | str | None] = {
            **({"statistic": f, "chi2": found.chi2} if by_f else {"statistic": found.chi2, "f": f}),
            "df": found.df,
            "kendall_w": found.kendall_w,
            "critical_difference": critical_difference(n, k, level),
            **{f"mean_rank {name}": rank for name, rank in zip(groups.names, found.mean_ranks, strict=True)},
        }
        pairs = tuple(
            PostHoc(
                system=gap.second,
                baseline=gap.first,
                gain=gap.gap,
                p_adjusted=gap.p_nemenyi if self.pairs == "nemenyi" else gap.p_holm,
            )
            for gap in rank_gaps(values)
        )
        method = "Nemenyi" if self.pairs == "nemenyi" else "Holm on mean ranks"
        if exact is None and self.law == "permutation":
            exceedances = permutation_exceedances(ranks, groups.settings.n_resamples, groups.settings.seed)
            return make_finding(exceedances, effect=effect, pairs=pairs, pairs_method=method, notes=(notes.POOL,))
        asymptotic = found.p_chi2 if self.law == "chi2" else found.p_f
        return OmnibusFinding(
            p_value=asymptotic if exact is None else exact,
            p_kind=ASYMPTOTIC if exact is None else EXACT,
            effect=effect,
            pairs=pairs,
            pairs_method=method,
            notes=(notes.POOL,),
        )


@dataclass(frozen=True, kw_only=True)
class FriedmanResult:
    """Friedman's test.

    Attributes:
        mean_ranks: ``(k,)`` over blocks.
        chi2: Friedman's χ², with ``df`` = k - 1 degrees of freedom; 0 if every block ties.
        p_chi2: its p-value.
        f: Iman and Davenport's F with ``df`` and ``df_blocks`` = (k - 1)(N - 1) degrees of freedom; infinite if all
            blocks agree.
        p_f: its p-value.
        kendall_w: agreement of the blocks, χ²/(N(k - 1)), between 0 and 1.
        degenerate: ``identical_outputs`` or the empty string.
    """

    mean_ranks: tuple[float, ...]
    chi2: float
    df: int
    p_chi2: float
    f: float
    df_blocks: int
    p_f: float
    kendall_w: float
    degenerate: Literal["", "identical_outputs"] = ""


@dataclass(frozen=True, kw_only=True)
class MeanRankGap:
    """Two of the systems by their mean ranks.

    Attributes:
        first, second: numbers of the systems, the first below the second.
        gap: mean rank of the first minus that of the second: positive if the second is better.
        z: gap/√(k(k + 1)/(6N)).
        p: unadjusted, of z by the normal law.
        p_nemenyi: adjusted over all pairs by the range of k normal variables (Nemenyi 1963).
        p_holm: adjusted over all pairs by Holm.
    """

    first: int
    second: int
    gap: float
    z: float
    p: float
    p_nemenyi: float
    p_holm: float


@dataclass(frozen=True, kw_only=True)
class AgainstControl:
    """p-values ``(k - 1,)`` of all other systems, in order, against one of them."""

    p_holm: Float
    p_bonferroni_dunn: Float


def friedman(values: Float, *, ties: Ties = "corrected") -> FriedmanResult:
    """Friedman's test.

    Null hypothesis: within each block every order of the systems' values is equally likely.

    χ² = (12/(N k (k + 1)) ΣR² - 3N(k + 1))/C, C = 1 - Σ(t³ - t)/(N (k³ - k)) for ties (Friedman 1937; R's
    ``friedman.test``); ``uncorrected`` leaves C out, as Demšar 2006 does. F = (N - 1)χ²/(N(k - 1) - χ²) (Iman &
    Davenport 1980).

    Args:
        values: ``(blocks, k)``.
        ties: as above.

    Raises:
        UsageError: fewer than two blocks or systems.
    """
    n, k = _shape(values)
    doubled = block_ranks(values)
    sums = doubled.sum(axis=0) / 2
    plain = 12 / (n * k * (k + 1)) * float((sums**2).sum()) - 3 * n * (k + 1)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    # each value of a group of t equal ones adds t² - 1, so the group adds t³ - t
    left = 1 - int((equal**2 - 1).sum()) / (n * (k**3 - k))
    degenerate = left == 0
    chi2 = 0.0 if degenerate or plain <= 0 else plain / (left if ties == "corrected" else 1.0)
    spare = n * (k - 1) - chi2
    f = (n - 1) * chi2 / spare if spare > 1e-9 * n * k else math.inf
    df, df_blocks = k - 1, (k - 1) * (n - 1)
    return FriedmanResult(
        mean_ranks=tuple((sums / n).tolist()), chi2=chi2, df=df, p_chi2=chi2_p(chi2, df), f=f, df_blocks=df_blocks,
        p_f=f_p(f, df, df_blocks), kendall_w=chi2 / (n * (k - 1)),
        degenerate="identical_outputs" if degenerate else "",
    )  # fmt: skip


def rank_gaps(values: Float) -> list[MeanRankGap]:
    """All pairs by their mean ranks, in the order (0, 1), (0, 2), ... (1, 2).

    Null hypotheses: the order of two systems is even. The answer for a pair depends on which other systems are compared
    (Benavoli et al. 2016).
    """
    n, k = _shape(values)
    ranks = block_ranks(values).mean(axis=0) / 2
    pairs = list(combinations(range(k), 2))
    gaps = [float(ranks[i] - ranks[j]) for i, j in pairs]
    z = [gap / _rank_error(n, k) for gap in gaps]
    raw = np.array([normal_p(one) for one in z])
    return [
        MeanRankGap(first=i, second=j, gap=gap, z=one, p=float(p),
                    p_nemenyi=range_p(abs(one) * math.sqrt(2), k, math.inf), p_holm=float(adjusted))
        for (i, j), gap, one, p, adjusted in zip(pairs, gaps, z, raw, holm(raw), strict=True)
    ]  # fmt: skip


def compare_to_control(values: Float, control: int = 0) -> AgainstControl:
    """All systems against one: Holm, and Bonferroni (Dunn 1961), over the k - 1 pairs; z as in ``rank_gaps``."""
    n, k = _shape(values)
    ranks = block_ranks(values).mean(axis=0) / 2
    others = np.delete(ranks, control)
    raw = np.array([normal_p(float(ranks[control] - r) / _rank_error(n, k)) for r in others])
    return AgainstControl(p_holm=holm(raw), p_bonferroni_dunn=np.minimum(1.0, (k - 1) * raw))


def critical_difference(n: int, k: int, level: float = 0.95) -> float:
    """Mean ranks of N blocks that lie farther apart differ by Nemenyi's test: q_{α;k,∞}/√2 √(k(k + 1)/(6N))."""
    return range_quantile(level, k, math.inf) / math.sqrt(2) * _rank_error(n, k)


def _rank_error(n: int, k: int) -> float:
    return math.sqrt(k * (k + 1) / (6 * n))


def _shape(values: Float) -> tuple[int, int]:
    n, k = values.shape
    if n < 2 or k < 2:
        raise UsageError(f"ranks within blocks need two blocks and two systems, but there are {n} and {k}")
    return n, k


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
