"""Tango's score interval of a paired difference of shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.significance.estimate import Estimate, GainEstimand
from outscore.significance.interval import UNDEFINED, Covers, Found, interval
from outscore.significance.interval.counted import Counted
from outscore.significance.proportions import Ends, tango


@interval("tango")
@dataclass(frozen=True)
class Tango(Counted):
    """Tango's score interval of a paired difference of shares: all differences that a score test would not reject.

    With clusters the variance is CR2's between 0 and the gain, changes beyond them as that of Tango's score, and the
    quantile is Student's: it leaves out 0 exactly where the CR2 t test rejects. Where the clusters show no variance,
    each counts as one item.
    """

    covers: ClassVar[Covers] = "gain"
    formula: ClassVar[str] = (
        "all Δ with |b - c - n Δ| ≤ z √(n (2 q + Δ (1 - Δ))), b and c items that only the system, only the baseline "
        "gets right, q the likeliest share of the latter where the gain is Δ; with clusters |d̄ - Δ| ≤ t √(V v(Δ)/v(Δ₀"
        ")), V the CR2 variance, v(Δ) = 2 q + Δ (1 - Δ), Δ₀ what lies nearest to Δ between 0 and d̄"
    )
    applies: ClassVar[str] = (
        "gains in accuracy of any number of items, in clusters too, the default there; it says something even if no "
        "item differs"
    )
    needs: ClassVar[str] = "an answer that is right or wrong on each item, one run, no strata"
    citation: ClassVar[str] = "Tango 1998; Fagerland et al. 2014; Pustejovsky & Tipton 2018"
    called: ClassVar[str] = "Tango score interval"
    in_clusters: ClassVar[bool] = True

    def find(self, estimate: Estimate) -> Found:
        if not estimate.clustered:
            return super().find(estimate)
        assert isinstance(estimate, GainEstimand)
        if estimate.n_units < 2:
            return UNDEFINED
        return estimate.pair.clustered_shares.ends(estimate.level), "Tango score interval on the CR2 variance", ()

    def ends(self, estimate: Estimate) -> Ends:
        _, b, c, n = estimate.counts
        return tango(b, c, n, estimate.level)
