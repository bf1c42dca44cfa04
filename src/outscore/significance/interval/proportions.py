"""Intervals from counts of items: of the proportion that is right, and of a paired difference of proportions."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.significance import notes
from outscore.significance.contrast import Contrast
from outscore.significance.gain import GainContrast
from outscore.significance.interval import UNDEFINED, Covers, Found, IntervalMethod, interval
from outscore.significance.interval.student import linear_t
from outscore.significance.proportions import (
    ClusteredProportions,
    Ends,
    agresti_coull,
    bonett_price,
    clopper_pearson,
    jeffreys,
    newcombe_paired,
    paired_wald,
    tango,
    wald,
    wilson,
    wilson_cc,
)

Counts = tuple[int, ...]
"""Of a score the right items and all; of a gain what both, only the system, only the baseline got right, and all."""


@dataclass(frozen=True)
class Counted(IntervalMethod):
    """An interval of a proportion of right items, or of a difference of two such shares, from counts of items.

    Class attributes:
        called: what the interval is called in a result.
        in_clusters: it takes items that come in clusters or strata.
    """

    of_counts: ClassVar[bool] = True
    needs: ClassVar[str] = "an answer that is right or wrong on each item, one run, no clusters, no strata"
    called: ClassVar[str]
    in_clusters: ClassVar[bool] = False

    def refuses(self, estimate: Contrast) -> str | None:
        if not estimate.binary:
            what = f"each item right or wrong, and one run, which {estimate.stats.name} here does not have"
            return f"{self.name} needs {what}; use --interval auto"
        if estimate.clustered and not self.in_clusters:
            instead = "logit" if estimate.what == "score" else "tango"
            return f"{self.name} takes items as independent, but they come in clusters; use --interval {instead} or t"
        return None if self.in_clusters else self.refuses_strata(estimate, "bca or delta")

    def find(self, estimate: Contrast) -> Found:
        return self.ends(estimate.counts, estimate.level), self.called, ()

    @abstractmethod
    def ends(self, counts: Counts, level: float) -> Ends:
        """The ends from the counts, as its source has them."""


@interval("wald")
@dataclass(frozen=True)
class Wald(Counted):
    """A proportion, or a paired difference of proportions, plus and minus z standard errors."""

    formula: ClassVar[str] = (
        "p ± z √(p (1 - p)/n); of a gain: (b - c)/n ± z √(b + c - (b - c)²/n)/n, b and c items that only the system, "
        "only the baseline gets right"
    )
    applies: ClassVar[str] = (
        "only to reproduce older numbers: near 0 and 1, and where the systems differ on few items, it covers too little"
    )
    citation: ClassVar[str] = "Laplace 1812; Brown, Cai & DasGupta 2001"
    called: ClassVar[str] = "Wald interval"
    cautions: ClassVar[tuple[Note, ...]] = (notes.WALD,)

    def ends(self, counts: Counts, level: float) -> Ends:
        if len(counts) == 2:
            right, n = counts
            return wald(right, n, level)
        _, b, c, n = counts
        return paired_wald(b, c, n, level)


@interval("wilson")
@dataclass(frozen=True)
class Wilson(Counted):
    """Wilson's score interval of a proportion: all proportions that a score test would not reject.

    Args:
        continuity: with continuity correction, which makes it wider and hardly ever too narrow.
    """

    also: ClassVar[tuple[str, ...]] = ("score",)
    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "(p + z²/(2n) ± z √(p (1 - p)/n + z²/(4n²)))/(1 + z²/n), p the proportion of right items"
    applies: ClassVar[str] = "accuracies of any number of items, the default there"
    citation: ClassVar[str] = "Wilson 1927; Newcombe 1998, Statistics in Medicine 17:857"
    called: ClassVar[str] = "Wilson interval"

    continuity: bool = False

    def ends(self, counts: Counts, level: float) -> Ends:
        right, n = counts
        return (wilson_cc if self.continuity else wilson)(right, n, level)


@interval("clopper-pearson")
@dataclass(frozen=True)
class ClopperPearson(Counted):
    """The exact binomial interval of a proportion: its coverage is never below its level, and as a rule above."""

    also: ClassVar[tuple[str, ...]] = ("exact", "clopper", "binomial")
    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "[Beta⁻¹(α/2; x, n - x + 1), Beta⁻¹(1 - α/2; x + 1, n - x)], x of n items right"
    applies: ClassVar[str] = "accuracies whose interval must not fall short of its level at any price in width"
    citation: ClassVar[str] = "Clopper & Pearson 1934"
    called: ClassVar[str] = "Clopper-Pearson interval"

    def ends(self, counts: Counts, level: float) -> Ends:
        right, n = counts
        return clopper_pearson(right, n, level)


@interval("jeffreys")
@dataclass(frozen=True)
class Jeffreys(Counted):
    """The equal-tailed interval of a proportion from the Beta(½, ½) prior."""

    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "[Beta⁻¹(α/2; x + ½, n - x + ½), Beta⁻¹(1 - α/2; x + ½, n - x + ½)], x of n items right"
    applies: ClassVar[str] = "accuracies, in the mean over all of them close to its level; below it for some"
    citation: ClassVar[str] = "Brown, Cai & DasGupta 2001"
    called: ClassVar[str] = "Jeffreys interval"

    def ends(self, counts: Counts, level: float) -> Ends:
        right, n = counts
        return jeffreys(right, n, level)


@interval("agresti-coull")
@dataclass(frozen=True)
class AgrestiCoull(Counted):
    """The Wald interval of a proportion after adding z²/2 right and z²/2 wrong items."""

    covers: ClassVar[Covers] = "score"
    formula: ClassVar[str] = "p̃ ± z √(p̃ (1 - p̃)/ñ), ñ = n + z², p̃ = (x + z²/2)/ñ, x of n items right"
    applies: ClassVar[str] = "accuracies with 40 items or more; close to Wilson's, a little wider near 0 and 1"
    citation: ClassVar[str] = "Agresti & Coull 1998"
    called: ClassVar[str] = "Agresti-Coull interval"

    def ends(self, counts: Counts, level: float) -> Ends:
        right, n = counts
        return agresti_coull(right, n, level)


@interval("newcombe")
@dataclass(frozen=True)
class Newcombe(Counted):
    """Both Wilson intervals joined by the correlation of the answers (Newcombe's method 10 for paired data)."""

    covers: ClassVar[Covers] = "gain"
    formula: ClassVar[str] = (
        "from δ - √(a² - 2 φ a d + d²), a = p_A - l_A, d = u_B - p_B, to δ + √(e² - 2 φ e g + g²), e = u_A - p_A, g ="
        " p_B - l_B; l and u the ends of Wilson's intervals, φ the correlation of the answers"
    )
    applies: ClassVar[str] = "gains in accuracy with 30 items or more; it uses the items on which the systems agree too"
    citation: ClassVar[str] = "Newcombe 1998, Statistics in Medicine 17:2635; Fagerland et al. 2014"
    called: ClassVar[str] = "Newcombe interval"

    def ends(self, counts: Counts, level: float) -> Ends:
        both, b, c, n = counts
        return newcombe_paired(both, b, c, n, level)


@interval("tango")
@dataclass(frozen=True)
class Tango(Counted):
    """Tango's score interval of a paired difference of proportions: all differences that a score test would not reject.

    With clusters the variance is CR2's between 0 and the gain, changes beyond them as that of Tango's score, and the
    quantile is Student's: it leaves out 0 exactly where the CR2 t test rejects. Where the clusters show no variance,
    each counts as one item. With strata it is so with the variance within them, and of independent items it is that of
    as many as have the same variance.
    """

    also: ClassVar[tuple[str, ...]] = ("score",)
    covers: ClassVar[Covers] = "gain"
    formula: ClassVar[str] = (
        "all Δ with |b - c - n Δ| ≤ z √(n (2 q + Δ (1 - Δ))), b and c items that only the system, only the baseline "
        "gets right, q the likeliest proportion of the latter where the gain is Δ; with clusters |d̄ - Δ| ≤ t "
        "√(V v(Δ)/v(Δ₀)), V the CR2 variance, v(Δ) = 2 q + Δ (1 - Δ), Δ₀ what lies nearest to Δ between 0 and d̄"
    )
    applies: ClassVar[str] = (
        "gains in accuracy of any number of items, in clusters too, the default there; it says something even if no "
        "item differs"
    )
    needs: ClassVar[str] = "an answer that is right or wrong on each item, one run"
    citation: ClassVar[str] = "Tango 1998; Fagerland et al. 2014; Pustejovsky & Tipton 2018"
    called: ClassVar[str] = "Tango score interval"
    in_clusters: ClassVar[bool] = True

    def find(self, estimate: Contrast) -> Found:
        if not (estimate.clustered or estimate.stratified):
            return super().find(estimate)
        assert isinstance(estimate, GainContrast)
        if estimate.n_units < 2:
            return UNDEFINED
        if estimate.stratified:
            _, b, c, n = estimate.counts
            law = ClusteredProportions(b, c, n, estimate.n_units, linear_t(estimate))
            share = law.n_effective / n
            found = tango(b * share, c * share, n * share, estimate.level)
            ends = law.ends(estimate.level) if estimate.clustered else found
            return ends, "Tango score interval on the variance within strata", ()
        return estimate.clustered_proportions.ends(estimate.level), "Tango score interval on the CR2 variance", ()

    def ends(self, counts: Counts, level: float) -> Ends:
        _, b, c, n = counts
        return tango(b, c, n, level)


@interval("bonett-price")
@dataclass(frozen=True)
class BonettPrice(Counted):
    """The Wald interval of a paired difference of proportions after adding one item that only each system got right."""

    covers: ClassVar[Covers] = "gain"
    formula: ClassVar[str] = (
        "p_b - p_c ± z √((p_b + p_c - (p_b - p_c)²)/(n + 2)), p_b = (b + 1)/(n + 2), p_c = (c + 1)/(n + 2), b and c "
        "items that only the system, only the baseline gets right"
    )
    applies: ClassVar[str] = (
        "gains in accuracy, where a formula for the back of an envelope is wanted; a little too wide"
    )
    citation: ClassVar[str] = "Bonett & Price 2012"
    called: ClassVar[str] = "Bonett-Price interval"

    def ends(self, counts: Counts, level: float) -> Ends:
        _, b, c, n = counts
        return bonett_price(b, c, n, level)
