"""Which interval a score and a gain get: the one asked for, or the one that suits metric and design."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from outscore.base.errors import UsageError
from outscore.significance import Outcome, notes
from outscore.significance.contrast import Contrast, ScoreContrast, What
from outscore.significance.crossed import Crossed
from outscore.significance.gain import GainContrast
from outscore.significance.interval import UNDEFINED, Found, IntervalMethod, intervals
from outscore.significance.interval.bootstrap import Bca, Resampled
from outscore.significance.interval.proportions import Tango, Wilson
from outscore.significance.interval.rao import Rao, suits
from outscore.significance.interval.student import (
    Delta,
    Jackknife,
    Logit,
    TInterval,
    error_by_chance,
    has_logit,
    is_one_point,
    linear_t,
    make_unvarying,
)
from outscore.significance.proportions import Ends
from outscore.significance.resamples import BOOTSTRAP, DrawRequest, Resamples

AUTO = "auto"
_ROUNDING = 1e-9
_ENOUGH_FOR_BCA = 200
"""Effective units from which BCa covers as it says.

At 30, 50 and 100 it covers .89, .905 and .94 (gains of BLEU) and .85, .895 and .94 (F1 of entities), where the delta
method with t covers .955, .955 and .96, and .92, .935 and .955 (400 sets each). Of an error rate over 200 and 400
segments of very unequal length (lognormal, sd 1.5 of the logarithm), which count like 30 and 50, BCa covers .885 and
.87, the delta method .945 and .94.
"""
_ANYTHING = (-math.inf, math.inf)
_FEW_BEYOND = 10


def find_method(interval: str | IntervalMethod, *compared: What) -> IntervalMethod | None:
    """The interval of that name; None for ``auto``, which leaves the choice to the metric, the design and the items.

    Args:
        compared: what gets intervals; one that covers nothing of it is refused.

    Raises:
        UsageError: unknown, or for something else.
    """
    if interval == AUTO:
        return None
    method = intervals.make(interval) if isinstance(interval, str) else interval
    if method.covers not in ("both", *compared):
        others = [name for name, cls in intervals if cls.covers in compared]
        raise UsageError(f"{method.name} is an interval of a {method.covers}; use --interval {', '.join(others)} or t")
    return method


def refuse(method: IntervalMethod | None, resamples: Resamples) -> None:
    """Raises UsageError where the interval that was asked for cannot be had for a gain or a score."""
    if method is None:
        return
    by_metric = range(len(resamples.by_metric))
    gains = (GainContrast(resamples, p, *pair) for p in by_metric for pair in resamples.pairs)
    scores = (ScoreContrast(resamples, p, s) for p in by_metric for s in range(len(resamples.systems)))
    for estimate in (*gains, *scores):
        refusal = method.refuses(estimate) if _covers(method, estimate) else None
        if refusal:
            raise UsageError(refusal)


def gain_interval(pair: GainContrast, method: IntervalMethod | None = None, level: float | None = None) -> Found:
    """Interval of a gain at a level, 1 - alpha unless said otherwise, its name, and what must be said of it.

    Beside a one-sided test it is one-sided: the other end is the limit of the metric's gains, or infinite.
    Unless one is asked for that covers gains: of right-or-wrong items Tango's score interval, in clusters too; of other
    means t, cluster-robust where items come in clusters; of averages over classes what the intervals of the classes
    make; of other corpus scores the BCa bootstrap from 200 effective units on, the delta method with t below; so too of
    means whose strata are resampled, but of averages over classes always BCa. Scores of a ranking get t
    over jackknife pseudo-values, as a bootstrap ranks items beside their own copies and covers too little (average
    precision: .89 at n = 100).
    """
    gain, chosen = _resolve_for_gain(pair, method, level)
    return _apply_side(gain, _compute(gain, chosen, asked=chosen is method))


def needed_for_gain(
    pair: GainContrast, outcome: Outcome, method: IntervalMethod | None = None, level: float | None = None
) -> Sequence[DrawRequest]:
    """The draws that ``choose_interval`` reads, of the same arguments."""
    if _own_ends(outcome, method) is not None:
        return ()
    gain, chosen = _resolve_for_gain(pair, method, level)
    return chosen.needed(gain)


def choose_interval(
    pair: GainContrast, outcome: Outcome, method: IntervalMethod | None = None, level: float | None = None
) -> Found:
    """The interval that stands beside an outcome: the one asked for, or the test's own, if it brings one.

    Args:
        level: of an interval that is not the test's own, as in ``gain_interval``.
    """
    own = _own_ends(outcome, method)
    if own is not None:
        return _apply_side(pair, (fold(pair, own), outcome.ci_method, ()))
    return gain_interval(pair, method, level)


def score_interval(resamples: Resamples, metric_index: int, system: int, method: IntervalMethod | None = None) -> Found:
    """Interval of one system's score at level 1 - alpha, over runs and items where there are several runs.

    Unless one is asked for that covers scores: of right-or-wrong items Wilson's; of other means t, on the logit scale
    where the values have limits, as right-or-wrong items in clusters or over runs have; of rankings t over jackknife
    pseudo-values, on the logit scale too; of corpus scores as for gains, the delta method on the logit scale; of
    weighted kappa Wilson's by that variance, or by that of slips to any label where few items differ.
    """
    score = ScoreContrast(resamples, metric_index, system)
    chosen = _resolve_for_score(score, method)
    return UNDEFINED if chosen is None else _compute(score, chosen, asked=chosen is method)


def needed_for_score(
    resamples: Resamples, metric_index: int, system: int, method: IntervalMethod | None = None
) -> Sequence[DrawRequest]:
    """The draws that ``score_interval`` and ``selection_error`` read, of the same arguments."""
    score = ScoreContrast(resamples, metric_index, system)
    of_error = () if score.n_units < 2 or _closed_form(score) else (BOOTSTRAP,)
    chosen = _resolve_for_score(score, method)
    return of_error if chosen is None else (*of_error, *chosen.needed(score))


def plain_interval(pair: GainContrast, level: float | None = None) -> tuple[float, float] | None:
    """An interval of a gain that costs no resampling, for breakdowns: the delta method, of rankings the jackknife.

    Over runs and items where both systems have several runs; of plain means and averages over classes the default one.
    None of one unit, and where systems differ and nothing varies, so that it would be one point.

    Args:
        level: as in ``gain_interval``.
    """
    pair, over_runs = pair if level is None else pair.at(level), Crossed()
    if pair.n_units < 2:
        return None
    if over_runs.refuses(pair) is None and not pair.identical and (outcome := over_runs.run(pair)).p_value is not None:
        found = choose_interval(pair, outcome)
    elif pair.stats.plain_mean or suits(pair):
        found = gain_interval(pair)
    else:
        found = _apply_side(pair, _clip(pair, Delta() if pair.stats.of_sums else Jackknife()))
    return None if found[1] == "degenerate" and not pair.identical else found[0]


def selection_error(resamples: Resamples, metric_index: int, system: int) -> float | None:
    """s_sel: the bootstrap standard deviation of the score, averaged over runs (Clark et al. 2011, §3.3).

    For means of items it is the closed form that the bootstrap approaches.
    """
    score = ScoreContrast(resamples, metric_index, system)
    if score.n_units < 2:
        return None
    if _closed_form(score):
        items = score.stats.items[system][..., 0] * score.stats.steps[0]
        return float(np.mean(items.std(axis=1) / math.sqrt(items.shape[1])))
    drawn = resamples.draw((BOOTSTRAP,))
    return float(drawn.bootstrap_scores(metric_index, system).std(axis=1, ddof=1).mean())


def needed_for_errors(resamples: Resamples) -> Sequence[DrawRequest]:
    """The draws that ``selection_error`` reads, of all systems under all metrics."""
    scores = (ScoreContrast(resamples, p, 0) for p in range(len(resamples.by_metric)))
    return (BOOTSTRAP,) if any(score.n_units > 1 and not _closed_form(score) for score in scores) else ()


def _closed_form(score: ScoreContrast) -> bool:
    """A mean of items that are independent and of one stratum."""
    return score.stats.plain_mean and not score.clustered and not score.stratified


def _covers(method: IntervalMethod, estimate: Contrast) -> bool:
    return method.covers in ("both", estimate.what)


def _own_ends(outcome: Outcome, method: IntervalMethod | None) -> Ends | None:
    """The ends of the test's own interval, where it brings one and no other was asked for."""
    return outcome.ci if method is None or method.covers == "score" else None


def _resolve_for_gain(
    pair: GainContrast, method: IntervalMethod | None, level: float | None
) -> tuple[GainContrast, IntervalMethod]:
    """The gain at the level, and the method of its interval: the one asked for if it covers gains, or what suits."""
    gain = pair if level is None else pair.at(level)
    if method is not None and _covers(method, gain):
        return gain, method
    return gain, _choose_for_gain(gain) if level is None else _choose_at_level(gain)


def _resolve_for_score(score: ScoreContrast, method: IntervalMethod | None) -> IntervalMethod | None:
    """The method of a score's interval: the one asked for if it covers scores, or one that suits; None of one unit."""
    if method is not None and _covers(method, score):
        return method
    return _choose_for_score(score) if score.n_units > 1 else None


def _compute(estimate: Contrast, method: IntervalMethod, *, asked: bool) -> Found:
    """The interval: one that was asked for as its formula has it, with notes; another within the limits."""
    if not asked:
        return _clip(estimate, method)
    ends, name, said = method.compute(estimate)
    held = (notes.INTERVAL_RUNS_FIXED,) if method.holds_runs(estimate) else ()
    limits = estimate.limits
    beyond = ends is not None and limits is not None and (ends[0] < limits[0] or ends[1] > limits[1])
    return ends, name, (*said, *held, *((notes.BEYOND_LIMITS,) * beyond))


def fold(estimate: Contrast, ends: Ends) -> Ends:
    """The ends of an interval whose formula knows no limits, within what the estimate can be."""
    return ends if estimate.limits is None else fold_within(estimate.limits, estimate.value, ends)


def fold_within(limits: Ends, value: float, ends: Ends) -> Ends:
    """The ends of an interval around ``value`` within the ``limits``.

    An end up to half of the way from the estimate to the limit stays as it is; what lies farther is folded
    exponentially into the other half, so that a higher level still gives a wider interval. An end beyond 0 was farther
    than half of the way only where the interval held 0, so that it holds 0 still.
    """
    ways = max(value - limits[0], 0.0), max(limits[1] - value, 0.0)
    low, high = (_fold(abs(end - value), way) for end, way in zip(ends, ways, strict=True))
    return value - low, value + high


def _fold(distance: float, way: float) -> float:
    if distance <= way / 2:
        return distance
    return way * (1 - math.exp(1 - 2 * distance / way) / 2) if way else 0.0


def _clip(estimate: Contrast, method: IntervalMethod) -> Found:
    """The interval by a method that was chosen, without the values that no score, and no gain, can have."""
    ends, name, said = method.compute(estimate)
    if ends is None or estimate.limits is None:
        return ends, name, said
    # of identical texts it stays: their score says little of what there can be beside them
    of_proportions = estimate.stats.ratios is not None or estimate.stats.by_chance is not None
    if is_one_point(estimate, ends) and (of_proportions or not estimate.identical):
        ends, name, more = make_unvarying(estimate)
        return ends, name, (*said, *more)
    return (fold(estimate, ends) if isinstance(method, _WITHOUT_LIMITS) else ends), name, said


_WITHOUT_LIMITS = (TInterval, Delta, Jackknife)
"""Methods chosen by default whose formulas know no limits."""


def _apply_side(pair: GainContrast, found: Found) -> Found:
    """An interval with one end, where the test has one side; one point has no sides."""
    ends, name, said = found
    if ends is None or name == "degenerate":
        return found
    return pair.settings.one_sided(ends, pair.limits or _ANYTHING), name, said


def _choose_for_gain(gain: GainContrast) -> IntervalMethod:
    if gain.binary or (gain.right_or_wrong and gain.identical):
        return Tango()
    if gain.stratified and gain.stats.of_sums and not gain.identical:
        return _choose_in_strata(gain)
    if suits(gain):
        return Rao()
    return _choose_for_means(gain, TInterval(runs="fixed")) or (Bca() if gain.stats.of_sums else Jackknife())


def _choose_at_level(gain: GainContrast) -> IntervalMethod:
    """As by default, but from the linearised score where too few resamples lie beyond the ends of this level."""
    method = _choose_for_gain(gain)
    beyond = (1 - gain.level) / 2 * gain.settings.n_resamples
    return Delta() if isinstance(method, Resampled) and beyond < _FEW_BEYOND else method


def _choose_for_score(score: ScoreContrast) -> IntervalMethod:
    of_items = Logit() if score.stats.plain_mean and score.bounded else TInterval()
    if score.n_runs[0] > 1:
        return of_items
    if score.stratified and score.stats.of_sums:
        found = Logit() if score.right_or_wrong else _choose_in_strata(score)
        return Logit() if isinstance(found, Delta) and has_logit(score) else found
    if score.binary and not score.clustered:
        return Wilson()
    if score.bounded and not score.stats.of_sums:
        return Logit()
    least, df = error_by_chance(score)
    if least and (math.isfinite(df) or least > linear_t(score).se):
        return Logit()
    found = _choose_for_means(score, of_items) or Bca()
    return Logit() if isinstance(found, Delta) and has_logit(score) else found


def _choose_for_means(estimate: Contrast, of_items: IntervalMethod) -> IntervalMethod | None:
    """Means by their items, averages over classes by their classes, other sums of few units by the delta method."""
    if estimate.stats.plain_mean:
        return of_items
    if estimate.stats.averaged is not None and max(estimate.n_runs) == 1:
        return Rao()
    return Delta() if estimate.stats.of_sums and _few(estimate) else None


def _choose_in_strata(estimate: Contrast) -> IntervalMethod:
    return Delta() if _few(estimate) and estimate.stats.averaged is None else Bca()


def _few(estimate: Contrast) -> bool:
    return estimate.n_effective < _ENOUGH_FOR_BCA * (1 - _ROUNDING)
