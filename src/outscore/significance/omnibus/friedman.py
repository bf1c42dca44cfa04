"""Friedman's test: several systems on the same items (or data sets) by their ranks on each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.significance import ASYMPTOTIC, EXACT, notes
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, PostHoc, omnibus_test, sampled_finding
from outscore.significance.textbook.blocks import block_ranks, permutation_exceedances, permutation_p
from outscore.significance.textbook.friedman import critical_difference, friedman, rank_gaps


@omnibus_test("friedman")
@dataclass(frozen=True)
class FriedmanTest(OmnibusTest):
    """Does any system rank higher than the others, item by item? Rank 1 is the best.

    The p of a pair is that of the difference of its mean ranks, ``rank_difference``, positive where the system is
    better than the baseline; the gain shown is that of the means, and no word is given where the two point apart.

    Args:
        law: of the statistic under the null hypothesis. ``permutation`` exchanges the ranks within each item: all
            exchanges where they can be enumerated, else random ones; ``f`` is Iman and Davenport's F, ``chi2``
            Friedman's χ²; ``auto`` enumerates where it can and else takes F.
        ties: ``corrected``, or ``uncorrected`` as Demšar's tables are.
        pairs: p-values of all pairs by ``nemenyi`` or ``holm``.
    """

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
        effect: dict[str, float | int | str | None] = {
            "statistic": found.chi2 if self.law == "chi2" else None if math.isinf(found.f) else found.f,
            "chi2": found.chi2,
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
        ranks = block_ranks(values)
        agreed = math.isinf(found.f)  # then F says nothing, and the enumeration is a formula
        exact = permutation_p(ranks) if self.law in ("auto", "permutation") or (self.law == "f" and agreed) else None
        if exact is None and self.law == "permutation":
            exceedances = permutation_exceedances(ranks, groups.settings.n_resamples, groups.settings.seed)
            return sampled_finding(exceedances, effect=effect, pairs=pairs, pairs_method=method, notes=(notes.POOL,))
        asymptotic = found.p_chi2 if self.law == "chi2" else found.p_f
        return OmnibusFinding(
            p_value=asymptotic if exact is None else exact,
            p_kind=ASYMPTOTIC if exact is None else EXACT,
            effect=effect,
            pairs=pairs,
            pairs_method=method,
            notes=(notes.POOL,),
        )
