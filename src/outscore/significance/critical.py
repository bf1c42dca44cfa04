"""Critical regions: the values of a statistic for which a test rejects (Dror et al. 2020, Algorithms 3.1 and 3.2)."""

from __future__ import annotations

import bisect
import math

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.beta import binomial_cdf
from outscore.engine.exact import flip_law
from outscore.engine.extreme import Alternative, is_as_extreme
from outscore.results.pairs import Numbers, Region
from outscore.significance import EXACT, Named, Outcome
from outscore.significance.bootstrap import Bootstrap
from outscore.significance.discordant import DiscordantPairs, McNemar, Method, Sign
from outscore.significance.gain import GainContrast
from outscore.significance.laws import bootstrap_law, randomization_law
from outscore.significance.p_values import normal_quantile, student_quantile
from outscore.significance.randomization import Randomization
from outscore.significance.settings import Settings
from outscore.significance.wilcoxon import HALF_TIE, Wilcoxon, sign_ranks


def critical_region(test: Named, outcome: Outcome, settings: Settings, pair: GainContrast | None = None) -> Numbers:
    """The critical region of a test at alpha, as named numbers; ``critical`` is None where its law is not at hand.

    Args:
        pair: of items that both systems answered; None for independent samples.
    """
    if outcome.p_value is None or (pair is not None and pair.identical):
        return {"critical": None}
    found = None
    if outcome.effect.keys() >= {"statistic", "df", "se"}:
        found = _of_student(outcome.effect, settings)
    elif pair is not None and isinstance(test, McNemar | Sign):
        found = _of_counts(DiscordantPairs.of(pair.differences), test.variant, settings)
    elif pair is not None and outcome.p_kind == EXACT:
        found = _of_law(test, pair, settings)
    return {"critical": None} if found is None else vars(found)


def _of_student(effect: Numbers, settings: Settings) -> Region | None:
    statistic, df = effect["statistic"], effect["df"]
    if not isinstance(statistic, int | float) or not isinstance(df, int | float):
        return None
    side, alpha = settings.alternative, settings.alpha
    level = 1 - alpha if side == "two-sided" else 1 - 2 * alpha
    edge = normal_quantile(level) if math.isinf(df) else student_quantile(level, df)
    return _region("z" if math.isinf(df) else "t", statistic, edge, side, alpha)


def _of_counts(pairs: DiscordantPairs, variant: Method, settings: Settings) -> Region:
    """Of the wins among the pairs that differ, which are fair coins under the null hypothesis."""
    n, side = pairs.b + pairs.c, settings.alternative
    upper: Alternative = "two-sided" if side == "two-sided" else "greater"
    most = bisect.bisect_left(  # numbers of losses that are few enough
        range(n // 2 + 1), True, key=lambda c: DiscordantPairs(n - c, c).p(variant, upper) > settings.alpha
    )
    sides = 2 if side == "two-sided" else 1
    size = sides * binomial_cdf(most - 1, n)
    if not most:
        return Region("wins", pairs.b, None, None, 0.0)
    low, high = None if side == "greater" else most - 1, None if side == "less" else n - most + 1
    return Region("wins", pairs.b, low, high, size)


def _of_law(test: Named, pair: GainContrast, settings: Settings) -> Region | None:
    """Of a statistic whose whole law under the null hypothesis can be computed."""
    side, alpha = settings.alternative, settings.alpha
    if isinstance(test, Wilcoxon):
        ranks = sign_ranks(pair.whole_differences, test.zeros)
        law = flip_law(ranks).scale(0.5)  # the ranks are doubled
        return _discrete("W+ - W-", ranks.sum() / 2, law.support, law.mass, alpha, side, HALF_TIE / 2)
    if isinstance(test, Randomization) and test.form == "plain":
        permuted = randomization_law(pair)
        if permuted is not None:
            return _discrete("gain", pair.pooled_gain, permuted.support, permuted.mass, alpha, side, pair.slack)
    if isinstance(test, Bootstrap) and test.form == "shift":
        drawn = bootstrap_law(pair)
        if drawn is not None:
            moved = drawn.support - (pair.gain if test.centre == "gain" else drawn.mean())
            return _discrete("gain", pair.gain, moved, drawn.mass, alpha, side, pair.slack)
    return None


def _discrete(
    name: str, at: float, support: Float, mass: Float, alpha: float, side: Alternative, slack: float
) -> Region:
    reach = {"two-sided": np.abs(support), "greater": support, "less": -support}[side]
    order = np.argsort(-reach, kind="stable")
    reach, tails = reach[order], np.cumsum(mass[order])
    tie = is_as_extreme(reach[1:], reach[:-1], alternative="greater", slack=slack)
    whole = np.append(~tie, True)  # values that tie are in the region together
    inside = np.flatnonzero(whole & (tails <= alpha))
    if not inside.size:
        return Region(name, at, None, None, 0.0)
    return _region(name, at, float(reach[inside[-1]]), side, float(tails[inside[-1]]))


def _region(name: str, at: float, edge: float, side: Alternative, size: float) -> Region:
    return Region(name, at, None if side == "greater" else -edge, None if side == "less" else edge, size)
