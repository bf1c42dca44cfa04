"""Evidence of all data sets together: p-values combined, gains as one number each, systems ranked on each."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.extreme import Alternative
from outscore.multiplicity.replicability import fisher, simes, stouffer
from outscore.results.plain import finite_or_none
from outscore.results.set_gains import AcrossSets, MeanRank, Ranking
from outscore.significance import ASYMPTOTIC, EXACT
from outscore.significance.discordant import DiscordantPairs, Sign
from outscore.significance.omnibus import block_ranks, permutation_p
from outscore.significance.omnibus.friedman import FriedmanTest, compare_to_control, critical_difference, friedman
from outscore.significance.p_values import clip_tiny, range_p
from outscore.significance.wilcoxon import Wilcoxon, wilcoxon

_NO_EFFECT = "the system outscores the baseline on no data set"
_NO_LOSS = "the baseline outscores the system on no data set"
_GRID = 1e-10  # scores and gains that differ by less than this fraction of the largest score tie


def round_to_integers(values: Float, largest: float) -> Float:
    """Whole numbers in place of scores or gains, so that those tie which differ by rounding alone."""
    return np.asarray(np.rint(values / (_GRID * largest))) if largest > 0 else np.zeros_like(values)


def combine(p: Sequence[float], sizes: Sequence[int], side: Alternative, n_resamples: int) -> list[AcrossSets]:
    """One-sided p-values of the data sets ``(n,)``, combined by Fisher, Stouffer (weights: √items) and Simes.

    For Stouffer a p-value of 1 becomes B/(B + 1), as far from 1 as a sampled one from 0: it would outweigh all others.
    """
    null = _NO_EFFECT if side == "greater" else _NO_LOSS
    below_one = [n_resamples / (n_resamples + 1) if one == 1 else one for one in p]
    found = {"fisher": fisher(p), "stouffer": stouffer(below_one, np.sqrt(sizes)), "simes": simes(p)}
    return [
        AcrossSets(
            test=name, null=null, alternative=side, statistic=finite_or_none(one.statistic), p_value=clip_tiny(one.p),
            p_kind=ASYMPTOTIC, p_min=None, p_adjusted=clip_tiny(one.p),
        )
        for name, one in found.items()
    ]  # fmt: skip


def assess_gains(gains: Float, largest: float) -> list[AcrossSets]:
    """Wilcoxon's test and the sign test of the gains on the data sets ``(n,)``, two-sided (Demšar 2006).

    Args:
        largest: the largest score, which says what rounding is.
    """
    rounded = round_to_integers(gains, largest)
    ranks, signs = wilcoxon(rounded), DiscordantPairs.of(rounded)
    sign_p = signs.p("exact")
    return [
        AcrossSets(
            test="wilcoxon", null=Wilcoxon.null, alternative="two-sided", statistic=ranks.w_plus, p_value=ranks.p,
            p_kind=ranks.p_kind, p_min=ranks.p_min,
            p_adjusted=ranks.p,
        ),
        AcrossSets(
            test="sign", null=Sign.null, alternative="two-sided", statistic=float(signs.b), p_value=sign_p,
            p_kind=EXACT, p_min=signs.p_min("exact"), p_adjusted=sign_p,
        ),
    ]  # fmt: skip


def ranking(metric: str, systems: Sequence[str], scores: Float, baseline: int, alpha: float) -> Ranking:
    """Friedman's test of systems by their scores ``(sets, systems)``, signed so that more is better.

    The p-value is that of all orders within data sets where they can be enumerated, else of Iman and Davenport's F. The
    pairs with the baseline come with Nemenyi's and Holm's p-values.
    """
    values = round_to_integers(scores, float(np.abs(scores).max()))
    n, k = values.shape
    found = friedman(values)
    exact = 1.0 if found.degenerate else permutation_p(block_ranks(values))
    holm = iter(compare_to_control(values, baseline).p_holm.tolist())
    of_baseline, error = found.mean_ranks[baseline], math.sqrt(k * (k + 1) / (6 * n))

    def rank(number: int) -> MeanRank:
        mean = found.mean_ranks[number]
        if number == baseline:
            return MeanRank(system=systems[number], mean_rank=mean, gap=None, p_nemenyi=None, p_holm=None)
        gap = of_baseline - mean
        nemenyi = clip_tiny(range_p(abs(gap) / error * math.sqrt(2), k, math.inf))
        return MeanRank(
            system=systems[number], mean_rank=mean, gap=gap, p_nemenyi=nemenyi, p_holm=clip_tiny(next(holm))
        )

    return Ranking(
        metric=metric, null=FriedmanTest.null.replace("item", "data set"), n_sets=n, statistic=found.chi2,
        f=finite_or_none(found.f), df=found.df, df_blocks=found.df_blocks,
        p_value=clip_tiny(found.p_f if exact is None else exact),
        p_kind=ASYMPTOTIC if exact is None else EXACT, kendall_w=found.kendall_w,
        critical_difference=critical_difference(n, k, 1 - alpha), ranks=tuple(rank(number) for number in range(k)),
    )  # fmt: skip
