"""Student's t intervals: of means, of all smooth scores by their standard errors, and on the logit scale.

What does not vary on the data has an interval too, although every variance of the sample takes it for certain.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.metrics import safe_ratio
from outscore.significance.contrast import Contrast
from outscore.significance.crossed import over_runs
from outscore.significance.interval import UNDEFINED, Covers, Found, IntervalMethod, constant, finite, interval
from outscore.significance.means import TTest, cluster_t, paired_t, satterthwaite, t_from
from outscore.significance.p_values import student_quantile
from outscore.significance.proportions import Ends, logit_of, wilson_of
from outscore.significance.statistics import Statistics
from outscore.significance.studentized import slopes

FEW_AWAY = Note(
    code="few_clusters_apart",
    text=(
        "few clusters hold an answer unlike most (they count like fewer than 15 of equal weight), and these alone say "
        "how much clusters vary: 95 % intervals cover in 90 to 94 % of cases, in 85 to 91 % if sizes are very unequal"
    ),
    remedy="collect more clusters",
)


@interval("t")
@dataclass(frozen=True)
class TInterval(IntervalMethod):
    """Student's t interval of a mean of items; CR2 with clusters; crossed over runs and items with several runs.

    Args:
        runs: ``new``, several runs vary like items, so that the interval speaks of the methods; or ``fixed``, it speaks
            of these runs.
    """

    also: ClassVar[tuple[str, ...]] = ("student", "student_t")
    formula: ClassVar[str] = (
        "d̄ ± t s_d/√n, t with n - 1 degrees of freedom; with clusters √V for s_d/√n, V the CR2 variance; with runs "
        "the variance and degrees of freedom of the crossed test"
    )
    applies: ClassVar[str] = "means of items with 30 items or more, and any score with several runs, the default there"
    needs: ClassVar[str] = "a mean in which every item counts the same, or two runs of each system or more; no strata"
    citation: ClassVar[str] = "Student 1908; Pustejovsky & Tipton 2018; Miller 2024"

    runs: Literal["new", "fixed"] = "new"

    def holds_runs(self, estimate: Contrast) -> bool:
        return super().holds_runs(estimate) and not self._crosses(estimate)

    def refuses(self, estimate: Contrast) -> str | None:
        if estimate.stratified or estimate.stats.plain_mean or self._crosses(estimate):
            return self.refuses_strata(estimate, "bca or delta")
        return f"{estimate.stats.name} has no score of its own for each item, which t needs; use --interval jackknife"

    def find(self, estimate: Contrast) -> Found:
        if self._crosses(estimate):
            found, called = over_runs(estimate), "crossed t interval over runs and items"
        else:
            found, called = _test_items(estimate)
        if found.degenerate in ("zero_variance", "identical_outputs"):
            return constant(estimate)
        return finite(found.low, found.high, called)

    def _crosses(self, estimate: Contrast) -> bool:
        return self.runs == "new" and min(estimate.n_runs) > 1


def _test_items(estimate: Contrast) -> tuple[TTest, str]:
    """The t test of a mean of items, with the CR2 variance in clusters, and the name of its interval."""
    labels = estimate.stats.design.labels
    if labels is None:
        return paired_t(estimate.of_items, level=estimate.level), "t interval"
    return cluster_t(estimate.of_items, labels, level=estimate.level), "CR2 t interval"


@interval("delta")
@dataclass(frozen=True)
class Delta(IntervalMethod):
    """A t interval with the variance of the linearised score (infinitesimal jackknife); nothing is drawn.

    Of a plain mean it is the t interval, in clusters too. Variance and degrees of freedom are those of CR2, where each
    item (cluster) weighs as much as it holds of what the score is divided by: words of a segment in an error rate,
    claims in a precision. With strata the variance is that within strata.
    """

    formula: ClassVar[str] = (
        "θ ± t √(Σ L_i²/(1 - w_i)), L_i = f'(S) · (s_i - S/n) for a score f of sums S = Σ s_i, w_i the proportion of "
        "the divisor that item (cluster) i holds, of other scores of all sums, each as much as it matters; "
        "Satterthwaite's degrees of freedom, n - 1 for equal w"
    )
    applies: ClassVar[str] = (
        "ratios, F, BLEU and other smooth scores of sums, the default of gains below 200 effective items (clusters); "
        "the quickest"
    )
    needs: ClassVar[str] = "a score of sums (a mean, a ratio, F, BLEU ...), two items (clusters) or more"
    citation: ClassVar[str] = "Jaeckel 1972; Davison & Hinkley 1997, §2.7.2; Pustejovsky & Tipton 2018"

    def refuses(self, estimate: Contrast) -> str | None:
        return self.refuses_all_but_sums(estimate)

    def find(self, estimate: Contrast) -> Found:
        found = linear_t(estimate)
        return finite(found.low, found.high, "delta method interval") if found.se else constant(estimate)


def linear_t(estimate: Contrast) -> TTest:
    """The t test of a score of sums by its linear parts, whose error is 0 where none varies."""
    design = estimate.stats.design
    squares, strata = design.centre(estimate.influences) ** 2, design.strata_of_units
    if len(strata) == 1:
        # CR2: a unit that holds much of the sums draws the score to itself, so that its own part is seen too small
        shares = estimate.shares
        rest = np.where(shares < 1, 1 - shares, np.inf)
        variance, df = float((squares / rest).sum()), satterthwaite(shares) if shares.max() < 1 else 0.0
    else:
        variance = sum(float(squares[units].sum()) * len(units) / max(len(units) - 1, 1) for units in strata)
        df = design.n_units - len(strata)
    return t_from(estimate.value, math.sqrt(variance), df, level=estimate.level)


@interval("jackknife")
@dataclass(frozen=True)
class Jackknife(IntervalMethod):
    """A t interval over the pseudo-values of the units, n times the estimate less n - 1 times that without the unit."""

    formula: ClassVar[str] = (
        "J̄ ± t s_J/√n, J_i = n θ - (n - 1) θ₋ᵢ with θ₋ᵢ the value without item i, t with n - 1 degrees of freedom"
    )
    applies: ClassVar[str] = (
        "any smooth score, rankings (AUC, average precision) too, where it is the default for gains"
    )
    needs: ClassVar[str] = "two items (clusters) or more, no strata"
    citation: ClassVar[str] = "Quenouille 1956; Tukey 1958; Miller 1974"

    def refuses(self, estimate: Contrast) -> str | None:
        return self.refuses_strata(estimate, "bca")

    def find(self, estimate: Contrast) -> Found:
        n, without = estimate.n_units, estimate.without_units
        if np.ptp(without) <= estimate.slack:
            return constant(estimate)
        found = paired_t(n * estimate.value - (n - 1) * without, level=estimate.level)
        return finite(found.low, found.high, "t interval over jackknife pseudo-values")


@interval("logit")
@dataclass(frozen=True)
class Logit(IntervalMethod):
    """Student's interval of a score between two limits, made on the logit scale, which has none.

    The variance is that of the items, of the clusters (CR2), or of runs and items together; of the score of a ranking
    it is the jackknife's, with as many degrees of freedom as the rarer label has items, less one: with 10 and 20
    positives of 200 items AUC of .96 is covered in .92 of sets, by t of all items in .76 and .83, by BCa in .89 and .9.
    Of scores of sums it is that of the delta method: an F1 of .98 on 100 entities in 50 sentences is covered in .97 of
    sets, on the scale of F1 in .87. Answers that are right or wrong never count for more items than there are. Where
    nothing varies it is Wilson's interval of as many items as there are (effective) units, or units with the rarer
    label; of weighted kappa always of as many as have its variance, the logit one being twice as long for few slips.
    """

    covers: ClassVar[Covers] = "score"
    of_counts: ClassVar[bool] = True
    formula: ClassVar[str] = (
        "logit⁻¹(logit p ± t/√(n_eff p (1 - p))), p the score as a proportion of its range, n_eff = p (1 - p)/V, V the "
        "variance of the t interval, of sums that of the delta method, of a ranking that of the jackknife; V = 0: (p + "
        "t²/(2G) ± t √(p (1 - p)/G + t²/(4G²)))/(1 + t²/G), G units"
    )
    applies: ClassVar[str] = (
        "means of values between known limits, in clusters and over runs too, scores of rankings, and of sums below "
        "200 effective items (clusters), the default there; right or wrong answers in clusters or over runs"
    )
    needs: ClassVar[str] = "two items (clusters) or more, values that have a lowest and a highest one, no strata"
    citation: ClassVar[str] = "Korn & Graubard 1998; Franco et al. 2019"

    def holds_runs(self, estimate: Contrast) -> bool:
        return False

    def refuses(self, estimate: Contrast) -> str | None:
        if estimate.stratified or (has_logit(estimate) and (estimate.stats.plain_mean or max(estimate.n_runs) == 1)):
            return self.refuses_strata(estimate, "bca")
        what = (
            f"a score between known limits, and of a mean where there are runs, which {estimate.stats.name} here is not"
        )
        return f"logit needs {what}; use --interval bca or t"

    def find(self, estimate: Contrast) -> Found:
        if estimate.n_units < 2:
            return UNDEFINED
        share, width = proportion_of(estimate)
        found, called = _spread(estimate)
        if found.degenerate or not 0 < share < 1:
            return make_unvarying(estimate)
        least, most = error_by_chance(estimate)
        worth = share * (1 - share) * (width / max(found.se, least)) ** 2
        worth = min(worth, _most_items(estimate))
        quantile = student_quantile(estimate.level, min(found.df, most))
        if math.isfinite(most):
            return scale_ends(estimate, wilson_of(share, worth, quantile)), "Wilson interval by the delta method", ()
        said = (FEW_AWAY,) if is_few_away(_n_away(estimate), estimate.n_units) else ()
        return scale_ends(estimate, logit_of(share, worth, quantile)), called, said


def error_by_chance(estimate: Contrast) -> tuple[float, float]:
    """The least standard error of a score between -1 and 1, on the scale of Fisher's z that of answers by chance.

    And the most degrees of freedom, infinite where those of its units will do.

    Where none of 20 items of a rare class is found, kappa hardly varies over samples of these answers, and ends at -.01
    covered a kappa of 0 in .63 of sets.
    """
    stats = estimate.stats
    if estimate.what == "gain" or stats.by_chance is None or max(estimate.n_runs) > 1:
        return 0.0, math.inf
    least, df = stats.by_chance(stats.items[estimate.signed[0][0]][0] * stats.steps)
    return least / math.sqrt(stats.design.n_items) * (1 - estimate.value**2), df


def _spread(estimate: Contrast) -> tuple[TTest, str]:
    """The standard error and degrees of freedom that a score has before it is put on the logit scale."""
    if not estimate.stats.of_sums:
        n, without = estimate.n_units, estimate.without_units
        pseudo = np.full_like(without, estimate.value) if np.ptp(without) <= estimate.slack else without
        error = paired_t((n - 1) * pseudo).se
        return t_from(estimate.value, error, max(estimate.stats.n_decisive - 1, 1)), "logit jackknife t interval"
    if max(estimate.n_runs) > 1:
        return over_runs(estimate), "logit t interval over runs and items"
    if estimate.stratified or not estimate.stats.plain_mean:
        return linear_t(estimate), "logit delta method interval"
    found, called = _test_items(estimate)
    return found, f"logit {called}"


def _most_items(estimate: Contrast) -> float:
    """As how many items right or wrong answers can count: all, with weights as many equal ones (Kish 1965).

    Where the few heavy items happen to be all right, the variance of the sample takes them for certain: .8 of 40 items,
    four of which weigh ten times as much, was covered in .87.
    """
    stats, limits = estimate.stats, range_of(estimate)
    if estimate.right_or_wrong:
        return float(stats.design.n_items * max(estimate.n_runs))
    if not stats.per_item or max(estimate.n_runs) > 1 or limits is None:
        return math.inf
    sums, weights = (stats.items[estimate.signed[0][0]][0] * stats.steps).T
    right_or_wrong = np.isclose(sums, limits[0] * weights) | np.isclose(sums, limits[1] * weights)
    return float(weights.sum() ** 2 / (weights**2).sum()) if right_or_wrong.all() else math.inf


def _n_away(estimate: Contrast) -> float:
    """As how many clusters those count in which something is not at the limit that is nearer to the mean.

    These alone say how much clusters vary: of 60 documents with 98 % right answers five hold a wrong one.
    """
    limits, labels = range_of(estimate), estimate.stats.design.labels
    if limits is None or labels is None or not estimate.stats.plain_mean:
        return math.inf
    nearest = min(limits, key=lambda end: abs(end - estimate.value))
    away = np.bincount(labels, np.abs(estimate.of_items - nearest))
    return float(safe_ratio(away.sum() ** 2, (away**2).sum(), empty=1.0))


def is_few_away(away: float, clusters: int) -> bool:
    """Whether so many of these clusters with an answer unlike most are too few, and not just as many as others."""
    return away < min(15, clusters / 2)


_POINT = 1e-6
"""Proportion of the range below which an interval is one point: derivatives of BLEU at 100 leave 3e-7 of it."""


def is_one_point(estimate: Contrast, ends: Ends) -> bool:
    """Whether an interval is one point, although other values are possible and their range is known."""
    limits = range_of(estimate)
    return limits is not None and ends[1] - ends[0] <= _POINT * (limits[1] - limits[0])


def make_unvarying(estimate: Contrast) -> Found:
    """The interval of a score or gain that does not vary: units that differ are rare, but not known to be impossible.

    Of a score it is Wilson's: each unit counts as one answer that is right or wrong, which is the most that the limits
    allow; of a ranking each with the rarer label. Of a gain it holds what there can be beside it: if a proportion of
    units above 1 - (α/2)^(1/n) had another gain, one of n units would show it in 1 - α/2 of cases, and these units can
    have all gains within the limits, of identical outputs those that ``unlike`` says.
    """
    limits = range_of(estimate)
    assert limits is not None
    if estimate.what == "gain":
        n, ends = _n_telling(estimate), limits
        if estimate.identical:
            n, reach = unlike(estimate)
            ends = -reach, reach
        unseen = 1 - ((1 - estimate.level) / 2) ** (1 / n)
        low, high = (estimate.value + unseen * (end - estimate.value) for end in ends)
        low, high = max(low, limits[0]), min(high, limits[1])
        return (low, high), "bound on units unlike these, as none varies", ()
    n = _n_telling(estimate)
    ends = wilson_of(proportion_of(estimate)[0], n, student_quantile(estimate.level, max(n - 1, 1)))
    return scale_ends(estimate, ends), "Wilson interval of units, as none varies", ()


def unlike(gain: Contrast) -> tuple[float, float]:
    """As how many units identical outputs count, and n times the most that a unit may move their gain.

    It is the range of the baseline's own (pseudo-)values, or where these do not vary the highest gain.
    """
    reach, limits = float(np.ptp(gain.stats.pseudo_values[gain.signed[1][0]].mean(axis=0))), range_of(gain)
    return (gain.n_units, reach) if reach > gain.slack or limits is None else (_n_telling(gain), limits[1])


def _n_telling(estimate: Contrast) -> float:
    """Units that the estimate rests on, of sums those that count alike: a sentence without entities tells nothing.

    Of a score that is no sum of ratios no more than the units that would each have to add so much to one statistic for
    the whole range: one item of a rare class is worth more of Matthews' correlation than one in n.
    """
    stats = estimate.stats
    units: float = estimate.n_units if estimate.what == "gain" else stats.n_decisive
    if not stats.of_sums or stats.plain_mean:
        return units
    units = min(units, estimate.n_effective)
    limits = range_of(estimate)
    if stats.ratios is None and limits is not None:
        worth = max(_most_of_a_unit(stats, system) for system, _ in estimate.signed)
        units = min(units, (limits[1] - limits[0]) / len(estimate.signed) / worth) if worth > 0 else units
    return units


def _most_of_a_unit(stats: Statistics, system: int) -> float:
    """How much of the score hangs on one statistic of one unit at most, to first order."""
    rows, steps = stats.pooled[system], stats.steps / stats.runs[system]
    return float(np.abs(rows * slopes(rows, lambda sums: stats.function(sums * steps))).max())


def range_of(estimate: Contrast) -> Ends | None:
    """The lowest and highest value of an estimate that has both.

    Rates that have no highest value are taken as if no unit could be worse than an error on every word, or than the
    worst score that there is.
    """
    limits = estimate.limits
    if limits is None or estimate.bounded:
        return limits
    stats = estimate.stats
    if stats.ratio is None or stats.limits is None or not math.isfinite(stats.limits[0]):
        return None
    lowest, scale = stats.limits[0], stats.ratio[2]
    highest = max(lowest + scale, *(float(scores.max()) for scores in stats.run_scores))
    return (lowest, highest) if estimate.what == "score" else (lowest - highest, highest - lowest)


def proportion_of(estimate: Contrast) -> tuple[float, float]:
    """The value as a proportion of the way from the lowest to the highest one, and that way."""
    limits = range_of(estimate)
    assert limits is not None
    lowest, highest = limits
    return min(max((estimate.value - lowest) / (highest - lowest), 0.0), 1.0), highest - lowest


def has_logit(estimate: Contrast) -> bool:
    """Whether an estimate lies between limits whose logits say how near they are.

    A rate without a highest value has one only on paper: in the upper half it is not known how near that is.
    """
    return range_of(estimate) is not None and (estimate.bounded or proportion_of(estimate)[0] <= 0.5)


def scale_ends(estimate: Contrast, ends: Ends) -> Ends:
    """Ends as proportions of that way as values."""
    limits = range_of(estimate)
    assert limits is not None
    lowest, highest = limits
    return lowest + (highest - lowest) * ends[0], lowest + (highest - lowest) * ends[1]
