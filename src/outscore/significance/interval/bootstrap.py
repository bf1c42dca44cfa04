"""Intervals from the values of an estimate on bootstrap resamples of the test set."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine import intervals
from outscore.significance import notes
from outscore.significance.contrast import Contrast
from outscore.significance.interval import Found, IntervalMethod, constant, finite, interval
from outscore.significance.resamples import BOOTSTRAP, DrawRequest

_ENOUGH_ALIKE = 30
"""Clusters of equal size with fewer of which max-t intervals are far too short: with 50 they hold together in .93."""
_FEW_ITEMS = replace(notes.FEW_ITEMS, remedy="more items, or --interval t")


@dataclass(frozen=True)
class Resampled(IntervalMethod):
    """An interval from the values of an estimate on bootstrap resamples of the test set; runs are kept.

    Class attributes:
        few: it keeps its level with fewer than 30 units.
    """

    needs: ClassVar[str] = "two items (clusters) or more"
    few: ClassVar[bool] = False

    def draws(self, estimate: Contrast) -> Sequence[DrawRequest]:
        return (BOOTSTRAP,)

    def find(self, estimate: Contrast) -> Found:
        if np.ptp(self.replicates(estimate)) <= estimate.slack:
            return constant(estimate)
        found = self.from_replicates(estimate)
        said: tuple[Note, ...] = ()
        if estimate.n_units < 30 and not self.few:
            said += (notes.FEW_CLUSTERS if estimate.clustered else _FEW_ITEMS,)
        if found.fallback:
            said += (notes.BCA_FALLBACK if found.fallback.startswith("bca") else notes.STUDENTIZED_FALLBACK,)
        return finite(found.low, found.high, f"{found.method} bootstrap interval", *said)

    def replicates(self, estimate: Contrast) -> Float:
        """The values ``(B,)`` it is made from."""
        return estimate.bootstrap_values

    @abstractmethod
    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        """The interval of an estimate that varies."""


@interval("percentile")
@dataclass(frozen=True)
class Percentile(Resampled):
    """From the alpha/2 to the 1 - alpha/2 quantile of the resampled values.

    Args:
        quantile: definition of a sample quantile by Hyndman and Fan 1996: 6, 7 (R's and numpy's) or 1.
    """

    also: ClassVar[tuple[str, ...]] = ("perc", "bootstrap")
    formula: ClassVar[str] = "[q(α/2), q(1 - α/2)], q the quantiles of the resampled values θ*"
    applies: ClassVar[str] = "200 items or more and little bias; it is what most programs print"
    citation: ClassVar[str] = "Efron & Tibshirani 1993, §13.3; Koehn 2004"

    quantile: intervals.Quantile = 6

    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        return intervals.percentile(estimate.bootstrap_values, estimate.level, kind=self.quantile)


@interval("basic")
@dataclass(frozen=True)
class Basic(Resampled):
    """The percentile interval mirrored at the estimate: what redrawing adds to the estimate is taken off it.

    Args:
        quantile: definition of a sample quantile by Hyndman and Fan 1996: 6, 7 (R's and numpy's) or 1.
    """

    also: ClassVar[tuple[str, ...]] = ("pivotal", "reverse_percentile")
    formula: ClassVar[str] = "[2θ - q(1 - α/2), 2θ - q(α/2)], q the quantiles of the resampled values θ*"
    applies: ClassVar[str] = (
        "200 items or more and an estimate that may be biased; it can leave the scale of the metric"
    )
    citation: ClassVar[str] = "Davison & Hinkley 1997, eq. 5.6"

    quantile: intervals.Quantile = 6

    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        return intervals.basic(estimate.value, estimate.bootstrap_values, estimate.level, kind=self.quantile)


@interval("bca")
@dataclass(frozen=True)
class Bca(Resampled):
    """The percentile interval at levels that make up for bias and skewness (bias-corrected and accelerated).

    Args:
        quantile: definition of a sample quantile by Hyndman and Fan 1996: 6, 7 (R's and numpy's) or 1.
    """

    also: ClassVar[tuple[str, ...]] = ("bootstrap", "bootstrap_bca")
    formula: ClassVar[str] = (
        "[q(a₁), q(a₂)], q the quantiles of the resampled θ*; a₁ = Φ(z₀ + (z₀ - z)/(1 - a (z₀ - z))), a₂ with + z; z₀ ="
        " Φ⁻¹(P*(θ* < θ) + ½ P*(θ* = θ)), a = Σ L³/(6 (Σ L²)^1.5), L_i the mean of the θ without an item less θ "
        "without item i"
    )
    applies: ClassVar[str] = "corpus scores with 200 items or more, the default there; not differences with heavy tails"
    citation: ClassVar[str] = "Efron 1987; Efron & Tibshirani 1993, §14.3"

    quantile: intervals.Quantile = 6

    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        without = estimate.without_units
        if estimate.stratified:
            without = estimate.stats.design.centre(without)
        return intervals.bca(
            estimate.value, estimate.bootstrap_values, without, estimate.level, kind=self.quantile, slack=estimate.slack
        )


@interval("studentized")
@dataclass(frozen=True)
class StudentizedInterval(Resampled):
    """Bootstrap-t: quantiles of how far resampled values lie from the estimate, each in its own standard error.

    The standard errors are those of the linearised score (infinitesimal jackknife).

    Args:
        quantile: definition of a sample quantile by Hyndman and Fan 1996: 6, 7 (R's and numpy's) or 1.
    """

    also: ClassVar[tuple[str, ...]] = ("bootstrap_t", "stud")
    formula: ClassVar[str] = (
        "[θ - se q(1 - α/2), θ - se q(α/2)], q the quantiles of (θ* - θ)/se*, se* the standard error in the resample"
    )
    applies: ClassVar[str] = "scores of sums with few items, where the law of the score is skewed"
    needs: ClassVar[str] = "a score of sums (a mean, a ratio, F, BLEU ...), two items (clusters) or more"
    citation: ClassVar[str] = "Hall 1992; Davison & Hinkley 1997, §5.2.1"
    few: ClassVar[bool] = True

    quantile: intervals.Quantile = 6

    def refuses(self, estimate: Contrast) -> str | None:
        return self.refuses_all_but_sums(estimate)

    def draws(self, estimate: Contrast) -> Sequence[DrawRequest]:
        return (estimate.studentized_bootstrap,)

    def replicates(self, estimate: Contrast) -> Float:
        values, _ = estimate.studentized.values
        return np.asarray(values)

    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        drawn = estimate.studentized
        values, errors = drawn.values
        found = intervals.studentized(drawn.centre, drawn.error, values, errors, estimate.level, kind=self.quantile)
        # the score of pooled runs is not quite the mean of their scores
        moved = estimate.value - drawn.centre
        return replace(found, low=found.low + moved, high=found.high + moved)


@interval("normal")
@dataclass(frozen=True)
class Normal(Resampled):
    """The estimate plus and minus z bootstrap standard errors.

    Args:
        bias_corrected: first subtract the bias, the mean of the resampled values minus the estimate.
    """

    also: ClassVar[tuple[str, ...]] = ("bootstrap_se",)
    formula: ClassVar[str] = (
        "θ ± z s*, s* the standard deviation of the resampled values θ*; bias_corrected: 2θ less the mean of θ*, in "
        "place of θ"
    )
    applies: ClassVar[str] = "200 items or more and an estimate whose law is near normal, which few items do not give"
    citation: ClassVar[str] = "Davison & Hinkley 1997, eq. 5.5"

    bias_corrected: bool = False

    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        return intervals.normal(
            estimate.value, estimate.bootstrap_values, estimate.level, bias_corrected=self.bias_corrected
        )


@interval("max-t")
@dataclass(frozen=True)
class MaxT(Resampled):
    """Intervals that cover all gains (or all scores) of the comparison at once: the max-statistic of shared resamples.

    Each is the estimate plus and minus c bootstrap standard errors. The c is the 1 - alpha quantile of the largest
    deviation over all pairs and metrics, so what hangs together costs less than by Bonferroni.
    """

    also: ClassVar[tuple[str, ...]] = ("simultaneous",)
    joint: ClassVar[bool] = True
    formula: ClassVar[str] = (
        "θ_j ± c se_j, c the 1 - α quantile of max over j of |θ*_j - θ_j|/se_j, se_j the standard deviation of the "
        "resampled θ*_j"
    )
    applies: ClassVar[str] = "several systems or metrics of which the best, or any, will be reported; 50 items or more"
    citation: ClassVar[str] = "Westfall & Young 1993; Davison & Hinkley 1997, §4.2.4"

    def find(self, estimate: Contrast) -> Found:
        ends, name, said = super().find(estimate)
        design = estimate.stats.design
        few = design.labels is not None and design.n_alike < _ENOUGH_ALIKE and name != "degenerate"
        return ends, name, (*said, *((notes.note_joint_in_clusters(design.n_alike),) * few))

    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        found = intervals.simultaneous(estimate.value, estimate.bootstrap_values, estimate.largest, estimate.level)
        return replace(found, method="simultaneous (max-t)")


@interval("oconnor")
@dataclass(frozen=True)
class OConnor(Resampled):
    """The mean of the resampled values plus and minus two of their standard deviations, at level .954."""

    formula: ClassVar[str] = "the mean of the resampled values θ* ± 2 of their standard deviations"
    applies: ClassVar[str] = (
        "only to reproduce older numbers: it is centred at the mean of the resampled values, which doubles the bias of "
        "the estimate"
    )
    citation: ClassVar[str] = "O'Connor 2015 (lecture slides)"
    cautions: ClassVar[tuple[Note, ...]] = (notes.OCONNOR,)

    def from_replicates(self, estimate: Contrast) -> intervals.Interval:
        return replace(intervals.oconnor(estimate.bootstrap_values), method="mean ± 2 sd")
