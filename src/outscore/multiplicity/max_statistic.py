"""Step-down max-statistic (Westfall & Young 1993): uses the dependence between hypotheses that Holm ignores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.base.rng import stream
from outscore.engine.extreme import count, p_from_count
from outscore.engine.normal import normal_ppf

_SLACK = 1e-12
_GOLDEN, _OTHER = (5**0.5 - 1) / 2, 2**0.5 - 1


def single_step(observed: Float, null_draws: Float, *, complete: bool = False) -> Float:
    """Adjusted p-values ``(m,)``: how often the largest of all null statistics reaches each observed one.

    Args:
        observed: statistics ``(m,)``, larger is more extreme, on a common scale.
        null_draws: the same under the null, jointly drawn ``(B, m)``.
        complete: the draws are the complete law, the observed labelling included: shares, without the added one.
    """
    largest = null_draws.max(axis=1, keepdims=True)
    return _p(largest, observed, complete)


def step_down(observed: Float, null_draws: Float, *, complete: bool = False) -> Float:
    """As ``single_step``, each hypothesis against the maximum over those not more extreme than itself; monotone."""
    order = np.argsort(-observed, kind="stable")
    successive = np.maximum.accumulate(null_draws[:, order[::-1]], axis=1)[:, ::-1]
    adjusted = np.empty(len(observed))
    adjusted[order] = np.maximum.accumulate(_p(successive, observed[order], complete))
    return adjusted


def centred_statistics(gains: Float, draws: Float, alternative: str, p: Float) -> tuple[Float, Float]:
    """Observed and null statistics of several gains from shared bootstrap draws, each in its own standard errors.

    The null law is the centred bootstrap, ``gain* - gain``: valid for any set of pairs of systems, where label flips
    are valid for one pair only. A gain that is the same in every draw has no standard error: it counts as the normal
    statistic that has its p-value, beside normal numbers that hang together with no other gain.

    Args:
        gains: observed ``(m,)``.
        draws: redrawn gains ``(B, m)``, all from the same weights.
        alternative: ``two-sided``, ``greater`` or ``less``.
        p: p-values ``(m,)`` of the gains, each by itself, for that alternative.
    """
    error = draws.std(axis=0, ddof=1)
    # what varies by rounding alone does not vary
    varies = error > _SLACK * np.abs(draws).max(axis=0)
    error = np.where(varies, error, np.inf)
    null, observed = (draws - gains) / error, gains / error
    if alternative == "two-sided":
        null, observed = np.abs(null), np.abs(observed)
    elif alternative == "less":
        null, observed = -null, -observed
    observed[~varies] = statistic_of(p[~varies], alternative)
    # of systems that are alike nothing can be claimed, and their pair stays out of the maxima
    for column in np.flatnonzero(~varies & (observed > 0)):
        even = _even_normal(len(draws), int(column))
        null[:, column] = np.abs(even) if alternative == "two-sided" else even
    return observed, null


def statistic_of(p: Float, alternative: str) -> Float:
    """The normal statistics ``(m,)`` with these p-values."""
    sides = 2 if alternative == "two-sided" else 1
    return np.array([-normal_ppf(one / sides) if one > 0 else np.inf for one in p.tolist()])


def _even_normal(n: int, number: int) -> Float:
    """Normal numbers ``(n,)`` that lie evenly, in the order of multiples of the golden ratio."""
    from scipy import special

    places = (np.arange(n) * _GOLDEN + number * _OTHER) % 1.0
    return np.asarray(special.ndtri((np.argsort(np.argsort(places)) + 0.5) / n))


def side_by_side(samples: Sequence[Float], seed: int) -> Float:
    """Draws ``(B, m)`` of independent samples, resample by resample, B as many as the least of them has.

    The order of each sample is shuffled, as resamples of the same seed and size redraw the same places.

    Args:
        samples: draws ``(b, m_i)`` of each; what one resample gave stays together.
        seed: of the orders.
    """
    least = min(len(draws) for draws in samples)
    orders = [stream(seed, "side by side", i).permutation(len(draws))[:least] for i, draws in enumerate(samples)]
    return np.concatenate([draws[order] for draws, order in zip(samples, orders, strict=True)], axis=1)


def _p(draws: Float, observed: Float, complete: bool) -> Float:
    hits = count(draws, observed, alternative="greater", slack=_SLACK)
    if complete:
        return hits / len(draws)
    return np.array([p_from_count(int(h), len(draws)) for h in hits])
