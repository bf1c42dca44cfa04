"""Intervals of what does not vary on the data, which every variance of the sample takes for certain."""

from __future__ import annotations

import math

from outscore.significance.contrast import Contrast
from outscore.significance.interval import Found
from outscore.significance.p_values import student_quantile
from outscore.significance.proportions import Ends, wilson_of

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
    have all gains within the limits.
    """
    limits = range_of(estimate)
    assert limits is not None
    if estimate.what == "gain":
        unseen = 1 - ((1 - estimate.level) / 2) ** (1 / _n_telling(estimate))
        low, high = (estimate.value + unseen * (end - estimate.value) for end in limits)
        return (low, high), "bound on units unlike these, as none varies", ()
    n = _n_telling(estimate)
    ends = wilson_of(proportion_of(estimate)[0], n, student_quantile(estimate.level, max(n - 1, 1)))
    return scale_ends(estimate, ends), "Wilson interval of units, as none varies", ()


def _n_telling(estimate: Contrast) -> float:
    """Units that the estimate rests on, of sums those that count alike: a sentence without entities tells nothing."""
    stats = estimate.stats
    units = estimate.n_units if estimate.what == "gain" else stats.n_decisive
    return min(units, estimate.n_effective) if stats.of_sums and not stats.plain_mean else units


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
